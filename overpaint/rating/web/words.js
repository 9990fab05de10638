// The words of the page, in English or Chinese: the reader's language, until another is chosen.
import { byId } from "./dom.js";

const KEPT = "overpaint language";
const books = {};
const watchers = [];
let language = "en";

export const languageNow = () => language;

// Both books are small: a change of language then needs no connection.
export async function loadWords() {
  for (const one of ["en", "zh"]) books[one] = await bookOf(one);
  setLanguage(chosen() ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en"));
  byId("language").addEventListener("click", () => {
    setLanguage(language === "en" ? "zh" : "en");
    keep(language);
    for (const watcher of watchers) watcher();
  });
}

// Without words nothing can be said, not even that they are missing: asked for until they come.
async function bookOf(one) {
  for (let wait = 1; ; wait = Math.min(2 * wait, 30)) {
    try {
      const reply = await fetch(`/static/words_${one}.json`);
      if (reply.ok) return await reply.json();
    } catch {
      // No connection yet.
    }
    await new Promise((done) => setTimeout(done, wait * 1000));
  }
}

export const whenLanguageChanges = (watcher) => watchers.push(watcher);

// A browser may forbid keeping anything; the page then asks nothing of it.
function chosen() {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept in books ? kept : null;
  } catch {
    return null;
  }
}

function keep(one) {
  try {
    localStorage.setItem(KEPT, one);
  } catch {
    // Nothing is lost but the choice.
  }
}

function setLanguage(one) {
  language = one;
  document.documentElement.lang = one === "zh" ? "zh-Hans" : "en";
  const other = byId("language");
  other.textContent = one === "en" ? "中文" : "English";
  other.lang = one === "en" ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = say(element.dataset.word);
  }
  for (const element of document.querySelectorAll("[data-word-label]")) {
    element.setAttribute("aria-label", say(element.dataset.wordLabel));
  }
}

// The words under a name, with {things} put in.
export function say(name, things = {}) {
  const words = books[language][name];
  return words.replace(/\{(\w+)\}/g, (whole, thing) => String(things[thing] ?? whole));
}

// What the study itself says in both languages; one language is enough, and so is plain text.
export function pick(text) {
  if (text === null || text === undefined) return "";
  if (typeof text === "string") return text;
  const other = language === "en" ? "zh" : "en";
  return text[language] || text[other] || "";
}

// The same for lists: the meanings of levels.
export function pickList(lists) {
  if (Array.isArray(lists)) return lists.map(pick);
  const other = language === "en" ? "zh" : "en";
  const mine = lists?.[language] ?? [];
  return mine.length ? mine : (lists?.[other] ?? []);
}

export const percent = (share) => `${Math.round(share * 100)} %`;

// Minutes and seconds of a countdown.
export function clock(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
