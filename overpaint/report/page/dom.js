// Building the page: text from outside is only ever set as text, never parsed.
const byId = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
}

// A sentence with what stands in backticks as code; one that has no partner is only a mark.
function prose(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, place) => (place % 2 ? make("code", {}, part) : part));
}

function options(select, pairs) {
  select.replaceChildren(...pairs.map(([value, text]) => make("option", { value }, text)));
}

const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

// A press of one key alone, and not while typing.
function plainKey(event) {
  const typing = event.target.closest?.("input:not([type=range]), select, textarea");
  return typing || event.ctrlKey || event.metaKey || event.altKey ? "" : event.key;
}
