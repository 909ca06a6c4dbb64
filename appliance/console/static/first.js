// Before anything else: the key is taken out of the address, so that no history, screenshot or later script has it
// there, and the colours are those that were chosen. A page that then fails to load can simply be loaded again.
(() => {
  const offer = /^#([0-9a-f]{16}\.[A-Za-z0-9_-]{43})$/.exec(location.hash);
  if (location.hash && !location.hash.startsWith("#/")) history.replaceState(null, "", "/");
  try {
    if (offer) sessionStorage.setItem("tableside-offer", offer[1]);
    document.documentElement.dataset.theme = localStorage.getItem("tableside-theme") === "light" ? "light" : "dark";
  } catch {
    if (offer) window.tablesideOffer = offer[1]; // a browser that keeps nothing
  }
})();
