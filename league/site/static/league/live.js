"use strict";
// Puts what the server tells in the place of what the page had, and counts clocks down. Without it the page is whole.
(() => {
  const SILENT_MS = 40000; // the server says something every 15 s
  const SLEPT_MS = 5000;
  const LONGEST_MS = 5000; // between tries: a server that begins again is back in less than a minute
  const ENDURING_MS = 120000;
  const LONGEST_LATER_MS = 30000; // a phone in a pocket need not try as often; looked at, it tries at once
  const isScreen = document.documentElement.classList.contains("tv"); // nobody touches it

  let ahead = 0; // of this device's clock to the server's: as little as was ever seen, the rest is the way

  const now = () => Date.now() - ahead;

  function hear(serverNow, first) {
    const seen = Date.now() - serverNow;
    ahead = first ? seen : Math.abs(seen - ahead) > 2000 ? seen : Math.min(ahead, seen);
  }

  function text(box, name, value) {
    const part = box.querySelector(`[data-clock-${name}]`);
    if (part && part.textContent !== value) part.textContent = value;
  }

  function shown(ms) {
    const seconds = Math.ceil(ms / 1000);
    const two = (n) => String(n).padStart(2, "0");
    const hours = Math.floor(seconds / 3600);
    const rest = `${Math.floor((seconds % 3600) / 60)}:${two(seconds % 60)}`;
    return hours ? `${hours}:${rest.padStart(5, "0")}` : rest;
  }

  function tickClock(box) {
    const clock = JSON.parse(box.dataset.clock);
    if (!clock.running) return;
    let entry = clock.entry, ends = clock.ends_at, added = clock.interrupted_ms;
    const there = clock.by.ms + (now() - clock.by.at) * clock.by.pace; // by the clock of the venue
    while (ends <= there) {
      if (added !== undefined) { ends += added; added = undefined; }
      else if (entry + 1 < clock.entries.length) { entry += 1; ends += clock.entries[entry].ms; }
      else break;
    }
    const here = clock.entries[entry], next = added === undefined ? clock.entries[entry + 1] : here;
    text(box, "label", added === undefined ? here.label : clock.pause);
    text(box, "left", shown(Math.max(0, ends - there)));
    text(box, "blinds", added === undefined ? here.blinds : "");
    text(box, "following", next ? next.following : "");
  }

  function put(box, html) {
    const before = new Set([...box.querySelectorAll("[data-row]")].map((row) => row.dataset.row));
    const held = box.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    box.innerHTML = html;
    for (const row of box.querySelectorAll("[data-row]")) row.classList.toggle("fresh", !before.has(row.dataset.row));
    if (held) [...box.querySelectorAll("a")].find((link) => link.getAttribute("href") === held)?.focus();
    // a round that is under way now stood among those to come when the page was made
    const here = new Set([...box.querySelectorAll(".rounds a")].map((link) => link.getAttribute("href")));
    for (const link of document.querySelectorAll("[data-coming] .rounds a")) {
      if (here.has(link.getAttribute("href"))) link.closest("li").remove();
    }
    document.querySelectorAll("[data-coming]:not(:has(li, .empty))").forEach((section) => { section.hidden = true; });
  }

  function watch(box, status) {
    const address = box.dataset.live, kind = address.split("/")[2].split("?")[0];
    let source = null, known = "", heardAt = Date.now(), tickedAt = Date.now(), waits = 1000, timer = 0, goneAt = 0;
    let asOf = Number(box.dataset.now), told = null;
    hear(asOf, true);

    function say(gone) {
      box.classList.toggle("is-gone", gone);
      if (!status) return;
      status.hidden = false;
      status.classList.toggle("is-gone", gone);
      status.classList.toggle("is-still", !box.querySelector("[data-live-now]"));
      status.querySelector("[data-live-on]").hidden = gone;
      status.querySelector("[data-live-off]").hidden = !gone;
      const format = { timeStyle: "medium", hourCycle: "h23", timeZone: "Europe/Prague" };
      const time = new Date(asOf).toLocaleTimeString(document.documentElement.lang, format);
      if (gone) status.querySelector("[data-live-time]").textContent = time;
    }

    function heard(data) {
      heardAt = Date.now();
      waits = 1000;
      goneAt = 0;
      hear(data.now, false);
      asOf = data.now;
      say(false);
    }

    function open() {
      clearTimeout(timer);
      if (source) source.close();
      heardAt = Date.now();
      source = new EventSource(known ? `${address}&last=${encodeURIComponent(known)}` : address);
      source.addEventListener("here", (event) => heard(JSON.parse(event.data)));
      source.addEventListener(kind === "rounds" ? "round" : kind, (event) => {
        const data = JSON.parse(event.data);
        known = event.lastEventId;
        if (data.html !== told) put(box, told = data.html);
        say(false);
        tick();
      });
      source.onerror = again;
    }

    function again() {
      if (source) source.close();
      source = null;
      say(true);
      clearTimeout(timer);
      goneAt ||= Date.now();
      // all who listened lost their connection at one moment: they come back at different ones
      timer = setTimeout(open, waits * (0.3 + 0.7 * Math.random()));
      const often = isScreen || Date.now() - goneAt < ENDURING_MS;
      waits = Math.min(waits * 2, often ? LONGEST_MS : LONGEST_LATER_MS);
    }

    function wake() {
      if (!source || Date.now() - heardAt > 20000) open();
    }

    function look() {
      const slept = Date.now() - tickedAt > SLEPT_MS;
      tickedAt = Date.now();
      if (source && Date.now() - heardAt > SILENT_MS) again();
      else if (slept && document.visibilityState === "visible") wake();
    }

    setInterval(look, 1000);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
    addEventListener("online", wake);
    addEventListener("offline", () => say(true));
    addEventListener("pageshow", (event) => event.persisted && open());
    addEventListener("pagehide", () => { if (source) source.close(); source = null; });
    open();
  }

  const tick = () => document.querySelectorAll("[data-clock]").forEach(tickClock);
  document.querySelectorAll("[data-live]").forEach((box) => {
    watch(box, document.querySelector("[data-live-status]"));
  });
  setInterval(tick, 250);
  tick();
})();
