// Building the page: text from outside is only ever set as text, never parsed.
export const byId = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function button(text, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, text);
}

// What is told to those who hear the page; the same sentence twice is heard twice.
export function tell(sentence) {
  const place = byId("told");
  place.textContent = "";
  setTimeout(() => (place.textContent = sentence), 30);
}

export function banner(...children) {
  const place = byId("banner");
  place.hidden = children.length === 0;
  place.replaceChildren(...children);
}

// A page of its own, with its heading in focus so that it is read from there.
export function screen(heading, ...children) {
  const title = make("h1", { tabindex: "-1" }, heading);
  byId("main").replaceChildren(
    make("div", { class: "screen" }, make("article", { class: "sheet-of-paper" }, title, ...children)),
  );
  document.body.classList.remove("rating");
  window.scrollTo(0, 0);
  title.focus({ preventScroll: true });
}

// A dialogue; Escape closes it, and focus goes back to where it was.
export function openDialog(heading, ...children) {
  const dialog = byId("dialog");
  if (dialog.open) dialog.close();
  dialog.replaceChildren(make("h2", { id: "dialog-title" }, heading), ...children);
  dialog.showModal();
  return dialog;
}

export const closeDialog = () => byId("dialog").close();

// A press of one key alone, and not while writing.
export function plainKey(event) {
  const writing = event.target.closest?.("input:not([type=range]):not([type=radio]):not([type=checkbox]), select, textarea");
  return writing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing ? "" : event.key;
}

// A text in paragraphs, as blank lines part it.
export function paragraphs(text) {
  return text.trim().split(/\n\s*\n/).map((part) => make("p", { class: "as-written" }, part));
}
