// Words, language and theme: kept in this browser; pages are asked for in the language that is chosen here.
import {keep, recall} from "./signed.js";

const LANG = "tableside-lang", THEME = "tableside-theme";
const words = JSON.parse(document.getElementById("words").textContent);

export function lang() {
  const kept = recall(LANG);
  if (kept in words) return kept;
  return (navigator.languages ?? []).some((each) => /^(cs|sk)\b/i.test(each)) || !navigator.languages?.length ? "cs" : "en";
}

export function say(key, values = {}) {
  const text = words[lang()][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export function speak(other) {
  keep(LANG, other);
  document.documentElement.lang = other;
}

export function theme(chosen = recall(THEME)) {
  const light = chosen === "light";
  document.documentElement.dataset.theme = light ? "light" : "dark";
  if (chosen) keep(THEME, chosen);
}

export function otherTheme() {
  theme(document.documentElement.dataset.theme === "light" ? "dark" : "light");
}

// an element with text and children; attributes by name
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value == null) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}
