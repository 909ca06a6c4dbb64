// The phone's key, and requests that are signed with it.
//
// All tabs of a phone share one key, so they share one count, in localStorage. There is no lock over it: what would be
// one (navigator.locks) exists only where there is TLS. Two tabs may thus take the same count; the director takes each
// once, refuses the other, and says how far it is: that one goes on above it and asks again. Nothing was done yet then.
import {sign} from "./signing.js";

const KEY = "tableside-key", SESSION = "tableside-session", COUNT = "tableside-count", NONCE = "tableside-nonce";
const TRIES = 4;

export const heard = new EventTarget();

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function unhex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// a browser that keeps nothing (private, full) has at least its tab's storage, or this page's memory
const memory = new Map();
const stores = ["localStorage", "sessionStorage"].map((name) => {
  try {
    window[name].setItem("tableside", "1");
    return window[name];
  } catch {
    return null;
  }
}).filter(Boolean);

export function recall(name) {
  for (const store of stores) {
    const value = store.getItem(name);
    if (value !== null) return value;
  }
  return memory.get(name) ?? null;
}

export function keep(name, value) {
  memory.set(name, value);
  for (const store of stores) store.setItem(name, value);
}

export function drop(name) {
  memory.delete(name);
  for (const store of stores) store.removeItem(name);
}

let own = null;

export function hold({session, key}, nonce) {
  keep(SESSION, session);
  keep(KEY, hex(key));
  keep(NONCE, hex(nonce));
  keep(COUNT, "0");
  own = {session, key, nonce};
}

export function held() {
  const session = recall(SESSION), key = recall(KEY);
  if (!session || !key) return (own = null);
  if (own?.session !== session) own = {session, key: unhex(key), nonce: unhex(recall(NONCE) ?? "")};
  return own;
}

export function forget() {
  for (const name of [SESSION, KEY, NONCE, COUNT]) drop(name);
  own = null;
}

function next() {
  const count = Number(recall(COUNT) ?? 0) + 1;
  keep(COUNT, String(count));
  return count;
}

function goOnAbove(high) {
  if (Number.isSafeInteger(high) && high > Number(recall(COUNT) ?? 0)) keep(COUNT, String(high));
}

// what signs a request over exactly the bytes that are sent; the path as a browser writes it
export function headers(method, path, body = "") {
  const {session, key} = held() ?? {session: "", key: new Uint8Array(32)};
  const count = next(), url = new URL(path, location.href);
  return {
    "X-Tableside-Session": session,
    "X-Tableside-Count": String(count),
    "X-Tableside-Signature": sign(key, method, url.pathname + url.search, count, body),
  };
}

// whether an answer says that the count was taken already; then the next request is above it
export function counted(status, text) {
  if (status !== 401) return false;
  const {error, high} = said(text);
  if (error !== "count") return false;
  goOnAbove(high);
  return true;
}

export function said(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

// a request beside the pages: its status and what the answer says; rejects where no answer came
export async function ask(method, path, body = "") {
  for (let tries = TRIES; ; tries--) {
    const sent = method === "GET" ? {} : {body};
    const limit = AbortSignal.timeout?.(15000);
    const answer = await fetch(path, {
      method, ...sent, headers: headers(method, path, body), cache: "no-store", credentials: "omit", signal: limit,
    });
    const text = await answer.text();
    heard.dispatchEvent(new Event("heard"));
    if (tries > 0 && counted(answer.status, text)) continue;
    return {status: answer.status, ...said(text)};
  }
}
