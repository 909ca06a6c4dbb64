// The phone's console: signing in, the frame around the pages, and what a phone does beside them.
//
// The key stood in the address's fragment, which no browser sends (first.js has taken it from there); it is good for one
// phone and one minute (appliance/console/pairing.py).
import {code, fromFragment, NONCE_BYTES} from "./signing.js";
import {ask, drop, forget, heard, held, hold, recall} from "./signed.js";
import {lang, make, otherTheme, say, speak, theme} from "./say.js";
import {banner, close, head, lastWord, live, open, state, unsaid} from "./live.js";
import {begin, closeSheet, refresh, tell} from "./pages.js";

const LOOK_MS = 800, OFFER = "tableside-offer";
const page = document.getElementById("page"), tabs = document.getElementById("tabs");
const TABS = [
  ["clock", "clock"], ["players", "players player"], ["tables", "tables table"], ["door", "door"],
  ["more", "more money history results chips round rounds rulings announcements phones devices"],
];
let phone = null, started = false;

const found = offered();

theme();
speak(lang());
document.title = say("title");
if (found) {
  hold(found, crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
  drop(OFFER);
  claim();
} else if (held()) {
  look();
} else {
  out();
}

function offered() {
  const text = window.tablesideOffer ?? recall(OFFER);
  delete window.tablesideOffer;
  return text ? fromFragment(text) : null;
}

// -- signing in -------------------------------------------------------------------------------------------

function notice(...children) {
  page.replaceChildren(make("section", {class: "notice"}, ...children));
}

async function claim() {
  notice(make("p", {}, say("coming")));
  try {
    const {status, state, error} = await ask("POST", "/pair", JSON.stringify({nonce: hex(held().nonce), agent: agent()}));
    if (status === 200) return look();
    if (error === "taken") return out(state === "claimed" || state === "confirmed" ? "pair-taken" : "pair-expired");
    if (status < 500 && status !== 429) return out("pair-expired");
  } catch {
    // no answer: the same nonce again is the same phone
  }
  offline();
  setTimeout(claim, LOOK_MS);
}

async function look() {
  let answer;
  try {
    answer = await ask("GET", "/pair");
  } catch {
    offline();
    return setTimeout(look, LOOK_MS);
  }
  banner("offline");
  const {status, state: standing, ...told} = answer;
  if (status >= 500 || status === 429) return setTimeout(look, LOOK_MS);
  if (standing === "confirmed") return start(told);
  if (standing === "offered") return claim();
  if (standing === "claimed") {
    const {key, nonce} = held();
    notice(make("p", {}, say("compare")), make("p", {class: "code"}, code(key, nonce)));
    return setTimeout(look, LOOK_MS);
  }
  out({refused: "pair-refused", "cut-off": "cut-off", expired: "pair-expired"}[standing] ?? "over");
}

function out(why) {
  forget();
  close();
  closeSheet();
  started = false;
  banner("offline");
  banner("unanswered");
  document.getElementById("head").hidden = tabs.hidden = true;
  notice(...(why ? [make("p", {class: "why"}, say(why))] : []), make("h1", {}, say("not-signed-in")),
    make("p", {}, say("how")), settings());
}

// what the phone says it is, in few words: the kiosk shows it beside the digits
function agent() {
  const text = navigator.userAgent;
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(text)?.[0] ?? "";
  const browser = [["Firefox", /Firefox|FxiOS/], ["Edge", /Edg/], ["Chrome", /Chrome|CriOS/], ["Safari", /Safari/]];
  return [browser.find(([, mark]) => mark.test(text))?.[0], system].filter(Boolean).join(", ");
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// -- signed in --------------------------------------------------------------------------------------------

function start(told) {
  phone = told;
  frame();
  if (started) return open();
  started = true;
  begin(phone.role === "dealer" ? "dealer" : "clock");
  open();
  awake();
}

function frame() {
  document.getElementById("head").hidden = false;
  tabs.hidden = phone.role === "dealer";
  tabs.setAttribute("aria-label", say("title"));
  tabs.replaceChildren(...TABS.map(([name, views]) =>
    make("a", {href: `#/${name}`, "data-views": views, "data-icon": name}, make("span", {}, say(name)))));
  head();
}

function settings() {
  const other = lang() === "cs" ? "en" : "cs";
  return make("p", {class: "settings"},
    make("button", {type: "button", class: "quiet", lang: other, onclick: () => choose(other)}, say("language")),
    make("button", {type: "button", class: "quiet", onclick: otherTheme}, say("theme")));
}

function choose(other) {
  speak(other);
  document.title = say("title");
  if (!started) return out();
  frame();
  refresh();
}

function offline() {
  banner("offline", make("span", {}, unsaid()));
}

live.addEventListener("state", () => {
  head();
  if (state() === "on") banner("offline");
  else if (lastWord() !== null || navigator.onLine === false) offline();
});
live.addEventListener("signed-out", () => {
  close();
  if (held()) look();
});
live.addEventListener("outdated", () => location.reload());
heard.addEventListener("heard", () => state() === "on" && banner("offline"));

// a screen that stays on, where a browser lets a page ask for that (with TLS)
async function awake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // the battery is low, or the page is not seen
  }
}

document.addEventListener("visibilitychange", () => started && document.visibilityState === "visible" && awake());

// -- what elements of pages do ----------------------------------------------------------------------------

document.body.addEventListener("click", (event) => {
  const at = event.target.closest("[data-close], [data-ticket], [data-set]");
  if (!at) return;
  if (at.dataset.close !== undefined) closeSheet();
  if (at.dataset.ticket) fetchByTicket(at.dataset.ticket);
  if (at.dataset.set === "language") choose(lang() === "cs" ? "en" : "cs");
  if (at.dataset.set === "theme") otherTheme();
  if (at.dataset.set === "round") chooseRound(at.dataset.round);
});

function chooseRound(round) {
  sessionStorage.setItem("tableside-round", round);
  refresh();
  open();
}

async function fetchByTicket(path) {
  const full = `${path}${path.includes("?") ? "&" : "?"}lang=${lang()}`;
  const round = sessionStorage.getItem("tableside-round"), named = round ? `${full}&round=${encodeURIComponent(round)}` : full;
  // opened within the tap: later no browser lets a page open a tab
  const tab = path.startsWith("/print/") ? window.open("", "_blank") : null;
  try {
    const {status, ticket} = await ask("POST", "/ticket", named);
    if (status !== 200) throw new Error(String(status));
    if (tab) tab.location = `${named}&ticket=${ticket}`;
    else location.assign(`${named}&ticket=${ticket}`);
  } catch {
    tab?.close();
    tell(say("failed"));
  }
}

// -- two taps, or a drag: what is moved, then where to -----------------------------------------------------

let taken = null;

function take(element) {
  taken?.removeAttribute("data-taken");
  taken = element;
  element?.setAttribute("data-taken", "");
}

function put(onto) {
  const form = taken.dataset.move, path = `${form}${form.includes("?") ? "&" : "?"}${onto.dataset.onto}`;
  take(null);
  window.htmx.ajax("GET", path, {source: page, target: "#sheet", swap: "innerHTML"});
}

page.addEventListener("click", (event) => {
  const onto = event.target.closest("[data-onto]"), move = event.target.closest("[data-move]");
  if (taken && onto && onto !== taken) {
    event.preventDefault();
    put(onto);
  } else if (move) {
    take(move === taken ? null : move);
  }
});

page.addEventListener("dragstart", (event) => {
  const move = event.target.closest?.("[data-move]");
  if (!move) return;
  take(move);
  event.dataTransfer.setData("text/plain", move.dataset.move);
  event.dataTransfer.effectAllowed = "move";
});
page.addEventListener("dragover", (event) => taken && event.target.closest?.("[data-onto]") && event.preventDefault());
page.addEventListener("drop", (event) => {
  const onto = event.target.closest?.("[data-onto]");
  if (!taken || !onto || onto === taken) return;
  event.preventDefault();
  put(onto);
});
