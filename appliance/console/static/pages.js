// Views and forms: htmx asks for them, this signs what it sends, and puts them where they belong.
//
// A form's id is made here. With the same answers it stays the same until it was answered, in this tab's storage, so
// that a form that is sent again is carried out once; other answers are another wish and get another id, and then the
// state that the form was drawn from has moved on if the first one was carried out after all.
import {counted, headers, heard} from "./signed.js";
import {commandId, hash} from "./signing.js";
import {lang, make, say} from "./say.js";
import {banner, count, live, now, state} from "./live.js";

const htmx = window.htmx;
const IDS = "tableside-ids", ROUND = "tableside-round";
const AGAIN_MS = 1500, TRIES = 3;

const page = document.getElementById("page"), sheet = document.getElementById("sheet");
const toast = document.getElementById("toast");
const signedPaths = new WeakMap(), tried = new WeakMap();
let first = "clock", started = false, stale = false, unanswered = null;

// -- requests ---------------------------------------------------------------------------------------------

function with_(path) {
  const round = sessionStorage.getItem(ROUND);
  const more = new URLSearchParams({lang: lang(), ...(round ? {round} : {})});
  return `${path}${path.includes("?") ? "&" : "?"}${more}`;
}

function ids() {
  return JSON.parse(sessionStorage.getItem(IDS) ?? "{}");
}

function idFor(wish) {
  const known = ids(), key = hash(wish);
  known[key] ??= commandId();
  sessionStorage.setItem(IDS, JSON.stringify(Object.fromEntries(Object.entries(known).slice(-20))));
  return known[key];
}

function answered(id) {
  const left = Object.entries(ids()).filter(([, each]) => each !== id);
  sessionStorage.setItem(IDS, JSON.stringify(Object.fromEntries(left)));
}

document.body.addEventListener("htmx:configRequest", ({detail}) => {
  const fields = detail.formData, bare = detail.path;
  detail.bare = bare;
  if (detail.verb === "post" && fields.get("do") === "send") {
    fields.delete("id");
    fields.set("id", idFor(`${bare}\n${new URLSearchParams([...fields].sort())}`));
  }
  detail.path = with_(bare);
});

htmx.defineExtension("tableside", {
  encodeParameters(xhr, parameters) {
    const body = new URLSearchParams(parameters).toString();
    sign(xhr, "POST", signedPaths.get(xhr), body);
    return body;
  },
});

document.body.addEventListener("htmx:beforeSend", ({detail}) => {
  const path = detail.pathInfo.finalRequestPath;
  signedPaths.set(detail.xhr, path);
  listen(detail.elt);
  if (detail.requestConfig.verb === "get") sign(detail.xhr, "GET", path);
});

function sign(xhr, method, path, body) {
  for (const [name, value] of Object.entries(headers(method, path, body))) xhr.setRequestHeader(name, value);
}

// the same request once more: with the same answers, so with the same id. An element of its own asks: htmx queues what
// one element asks for, and keeps only the last.
function again({requestConfig, target}, tries = 0) {
  const {verb, bare, formData} = requestConfig, source = make("i", {hidden: true});
  document.body.append(source);
  tried.set(source, tries);
  const done = () => source.remove();
  htmx.ajax(verb.toUpperCase(), bare, {source, target, values: formData, swap: "innerHTML"}).then(done, done);
}

// What becomes of a request is told to whoever asked. A view that is drawn anew meanwhile has thrown that element away,
// and from there nothing comes up to the body any more: it is listened to itself.
const answers = {"htmx:beforeOnLoad": came, "htmx:beforeSwap": placed, "htmx:sendError": missed, "htmx:timeout": missed};
const listened = new WeakSet();

function listen(elt) {
  if (listened.has(elt)) return;
  listened.add(elt);
  for (const [name, then] of Object.entries(answers)) {
    elt.addEventListener(name, (event) => elt.isConnected || then(event));
  }
}

for (const [name, then] of Object.entries(answers)) document.body.addEventListener(name, then);

function came(event) {
  const {xhr, requestConfig} = event.detail, {elt} = requestConfig;
  heard.dispatchEvent(new Event("heard"));
  const tries = tried.get(elt) ?? 0;
  if (tries < TRIES && counted(xhr.status, xhr.responseText)) {
    event.preventDefault();
    again(event.detail, tries + 1);
    return;
  }
  if (requestConfig.verb === "post") settled(requestConfig);
  if (xhr.status === 200) return;
  if (xhr.status === 401) live.dispatchEvent(new Event("signed-out"));
  else tell(say({404: "not-found", 429: "busy", 503: "busy"}[xhr.status] ?? "failed"));
}

function settled({formData, bare}) {
  answered(formData.get("id"));
  if (unanswered?.requestConfig.bare === bare) unanswered = null;
  banner("unanswered");
}

function missed({detail}) {
  if (detail.requestConfig.verb === "post") {
    unanswered = detail;
    banner("unanswered", make("span", {}, say("unanswered")),
      make("button", {type: "button", onclick: resend}, say("send-again")),
      make("button", {type: "button", class: "quiet", onclick: discard}, say("discard")));
  } else if (targetOf(detail) === page) {
    stale = true;
  }
  setTimeout(now, AGAIN_MS);
}

function resend() {
  if (unanswered) again(unanswered);
}

function discard() {
  unanswered = null;
  banner("unanswered");
}

// -- where answers go --------------------------------------------------------------------------------------

function targetOf({pathInfo, target}) {
  const path = pathInfo.requestPath;
  if (path.startsWith("/form/")) return sheet;
  return path.startsWith("/view/") && !page.contains(target) && !sheet.contains(target) ? page : target;
}

function placed({detail}) {
  if (detail.xhr.status !== 200) return;
  detail.target = targetOf({pathInfo: {requestPath: new URL(detail.xhr.responseURL).pathname}, target: detail.target});
  if (detail.target === page && touched && drawn === current()) {
    detail.shouldSwap = false;
    stale = true;
    return;
  }
  if (detail.target === page) remember();
  if (detail.target === page || detail.target === sheet) detail.swapOverride = "innerHTML";
}

document.body.addEventListener("htmx:afterSwap", ({detail}) => {
  dress(detail.target);
  if (detail.target === page) restore();
  if (detail.target === sheet) opened();
});

// what the policy keeps out of a fragment: places by their style, and times that count
function dress(within) {
  count(within);
  for (const each of within.querySelectorAll("[data-x]")) {
    each.style.left = `${Number(each.dataset.x)}%`;
    each.style.top = `${Number(each.dataset.y)}%`;
  }
  for (const each of within.querySelectorAll("[data-filter]")) filter(each);
}

function opened() {
  const done = sheet.querySelector("[data-done]");
  if (done) {
    tell(done.textContent.trim());
    closeSheet();
    if (done.dataset.back && done.dataset.back !== location.hash) location.hash = done.dataset.back;
    else refresh();
    return;
  }
  if (sheet.open && sheet.contains(document.activeElement)) return; // drawn anew: htmx has given the focus back
  if (!sheet.open) sheet.showModal();
  (sheet.querySelector("[autofocus]") ?? sheet).focus?.();
}

export function closeSheet() {
  if (sheet.open) sheet.close();
  sheet.replaceChildren();
}

sheet.addEventListener("close", () => {
  sheet.replaceChildren();
  if (stale) refresh();
});

let told = 0;
export function tell(text) {
  toast.textContent = text;
  toast.hidden = !text;
  clearTimeout(told);
  told = setTimeout(() => (toast.hidden = true), 6000);
}

// -- views ------------------------------------------------------------------------------------------------

let kept = null;

function remember() {
  const at = document.activeElement, within = at && page.contains(at) && at.id ? at.id : null;
  const typed = [...page.querySelectorAll("input[id], textarea[id], select[id]")].map((each) => [each.id, each.value, each.checked]);
  kept = {typed, within, from: at?.selectionStart, to: at?.selectionEnd, open: [...page.querySelectorAll("details[id][open]")].map((each) => each.id), view: current()};
  kept.scroll = scrollY;
}

let drawn = null;

// What a finger is on stays where it is: a view that is drawn anew under it would swallow the tap.
let touched = false;
addEventListener("pointerdown", () => (touched = true), true);
for (const over of ["pointerup", "pointercancel", "dragend"]) addEventListener(over, lifted, true);

function lifted() {
  touched = false;
  setTimeout(() => stale && !sheet.open && !touched && started && refresh());
}

function restore() {
  const same = kept && drawn === current();
  drawn = current();
  if (!same) return scrollTo(0, 0);
  for (const [id, value, checked] of kept.typed) {
    const each = document.getElementById(id);
    if (!each) continue;
    each.value = value;
    if (checked !== undefined) each.checked = checked;
  }
  for (const id of kept.open) document.getElementById(id)?.setAttribute("open", "");
  for (const each of page.querySelectorAll("[data-filter]")) filter(each);
  const focused = kept.within && document.getElementById(kept.within);
  if (focused) {
    focused.focus({preventScroll: true});
    if (kept.from != null && focused.setSelectionRange) {
      try {
        focused.setSelectionRange(kept.from, kept.to);
      } catch {
        // an input of a kind that has no selection
      }
    }
  }
  scrollTo(0, kept.scroll);
}

export function current() {
  return /^#\/(.+)/.exec(location.hash)?.[1] ?? first;
}

export function refresh() {
  stale = false;
  return htmx.ajax("GET", `/view/${current()}`, {source: page, target: page, swap: "innerHTML"}).catch(() => (stale = true));
}

export function begin(start) {
  first = start;
  started = true;
  addEventListener("hashchange", () => {
    closeSheet();
    marked();
    refresh();
  });
  live.addEventListener("change", ({detail}) => {
    const name = current().split(/[/?]/)[0];
    if (!stale && !detail.includes("*") && !detail.includes(name)) return;
    if (sheet.open || touched) stale = true;
    else refresh();
  });
  live.addEventListener("state", () => state() === "on" && resend());
  marked();
  return refresh();
}

function marked() {
  const name = current().split(/[/?]/)[0];
  for (const each of document.querySelectorAll("#tabs a")) {
    const views = each.dataset.views.split(" ");
    if (views.includes(name)) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
}

// -- searching -------------------------------------------------------------------------------------------

function bare(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function filter(field) {
  const wanted = bare(field.value).split(/\s+/).filter(Boolean);
  for (const each of document.querySelectorAll(`${field.dataset.filter} [data-find]`)) {
    const text = bare(each.dataset.find);
    each.hidden = !wanted.every((word) => text.includes(word));
  }
}

document.body.addEventListener("input", ({target}) => target.matches?.("[data-filter]") && filter(target));
