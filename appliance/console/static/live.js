// What goes on: a stream of events that is opened by a ticket, the director's clock, and times that count down by it.
import {ask, heard, held} from "./signed.js";
import {lang, make, say} from "./say.js";

const SILENT_MS = 16000, FIRST_MS = 400, MOST_MS = 8000, TOO_OLD_MS = 120000;

export const live = new EventTarget();

let source = null, version = "", waits = FIRST_MS, timer = 0, watch = 0, opening = false;
let offset = null, speed = 1, atPerf = 0, wordAt = null, mark = null, headNow = null;

export function directorNow() {
  return offset === null ? Date.now() : offset + (performance.now() - atPerf) * speed;
}

// The word that travelled fastest is the nearest to the truth: a slower one would set the clock back for a moment.
function learn(now, pace) {
  const here = directorNow();
  if (offset !== null && pace === speed && here >= now && here - now < 1500 && performance.now() - atPerf < TOO_OLD_MS) return;
  [offset, speed, atPerf] = [now, pace, performance.now()];
}

export function lastWord() {
  return wordAt;
}

heard.addEventListener("heard", () => {
  wordAt = Date.now();
});

export function state() {
  return source?.readyState === EventSource.OPEN && navigator.onLine !== false ? "on" : "off";
}

function changedState() {
  live.dispatchEvent(new Event("state"));
}

function quiet() {
  clearTimeout(watch);
  watch = setTimeout(() => lost(), SILENT_MS);
}

function word(event, then) {
  heard.dispatchEvent(new Event("heard"));
  quiet();
  const told = JSON.parse(event.data);
  learn(told.now, told.speed);
  headNow = told.head;
  if (mark !== null && mark !== told.mark) return live.dispatchEvent(new Event("outdated"));
  mark = told.mark;
  head();
  then?.(told);
}

export async function open() {
  if (opening || !held()) return;
  opening = true;
  close();
  try {
    const round = sessionStorage.getItem("tableside-round");
    const query = new URLSearchParams({lang: lang(), ...(round ? {round} : {}), ...(version ? {since: version} : {})});
    const path = `/events?${query}`;
    const {status, ticket} = await ask("POST", "/ticket", path);
    if (status === 401) return live.dispatchEvent(new Event("signed-out"));
    if (status !== 200) return again();
    source = new EventSource(`${path}&ticket=${ticket}`);
    source.addEventListener("open", () => {
      waits = FIRST_MS;
      changedState();
    });
    source.addEventListener("change", (event) => word(event, (told) => {
      version = event.lastEventId;
      live.dispatchEvent(new CustomEvent("change", {detail: told.views}));
    }));
    source.addEventListener("now", (event) => word(event));
    source.addEventListener("out", () => live.dispatchEvent(new Event("signed-out")));
    source.addEventListener("error", () => lost());
    quiet();
  } catch {
    again();
  } finally {
    opening = false;
  }
}

export function close() {
  clearTimeout(timer);
  clearTimeout(watch);
  source?.close();
  source = null;
}

// a ticket is good once, so the browser's own way of opening a stream again is none
function lost() {
  close();
  again();
}

function again() {
  close();
  changedState();
  timer = setTimeout(open, waits * (0.5 + Math.random()));
  waits = Math.min(waits * 2, MOST_MS);
}

export function now() {
  waits = FIRST_MS;
  open();
}

addEventListener("online", now);
addEventListener("offline", changedState);
addEventListener("pageshow", (event) => event.persisted && now());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && state() === "off") now();
});

// -- times that count down -------------------------------------------------------------------------------

export function duration(ms) {
  const all = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

export function count(within = document) {
  const at = directorNow();
  for (const each of within.querySelectorAll("[data-ends], [data-left]")) {
    const text = duration(each.dataset.ends ? Number(each.dataset.ends) - at : Number(each.dataset.left));
    if (each.textContent !== text) each.textContent = text;
  }
}

function put(id, text) {
  const place = document.getElementById(id);
  if (place.textContent !== text) place.textContent = text;
}

export function head() {
  const time = document.getElementById("head-time"), at = headNow;
  const dot = document.getElementById("dot");
  dot.dataset.state = state();
  dot.setAttribute("aria-label", say(state() === "on" ? "connected" : "never"));
  if (!at) {
    put("head-level", say("no-round"));
    put("head-time", "");
    put("head-left", "");
    return;
  }
  const plays = at.level !== undefined;
  put("head-level", plays ? say(at.break ? "break" : "level", {level: at.level}) : at.round);
  put("head-time", plays ? duration(at.running && at.ends_at ? at.ends_at - directorNow() : at.left) : "");
  put("head-left", plays ? say("left-in", {n: at.left_in}) : say("entered", {n: at.players}));
  time.dataset.running = plays && at.running ? "yes" : "no";
}

setInterval(() => {
  count();
  if (headNow) head();
}, 200);

export function unsaid() {
  const at = wordAt === null ? null : new Date(wordAt);
  return at ? say("offline", {time: at.toLocaleTimeString(lang(), {hour: "numeric", minute: "2-digit", second: "2-digit"})}) : say("never");
}

export function banner(kind, ...children) {
  const banners = document.getElementById("banners");
  const there = banners.querySelector(`[data-kind="${kind}"]`);
  if (!children.length) return there?.remove();
  const made = make("div", {class: "banner", "data-kind": kind}, ...children);
  if (there) there.replaceWith(made);
  else banners.append(made);
}
