// Keep it or not; and texts that were read, to be corrected.
import { make } from "./dom.js";
import { helpLine, legend, oneOf } from "./widgets.js";
import { say } from "./words.js";

export function keepWidget(question, given, changed) {
  const options = [{ value: true, text: say("keep_yes"), hint: "Y" }, { value: false, text: say("keep_no"), hint: "N" }];
  const widget = oneOf(question, options, given, changed, "keep");
  widget.key = (key) => (key === "y" ? widget.choose(true) : key === "n" && widget.choose(false));
  return widget;
}

// A change of any text is a correction; without one it has to be said that all is right, unless the
// question is only a second one: a wording that may be corrected where it is kept.
export function textWidget(question, given, changed, { second }) {
  const name = `q-${question.name}`;
  // As a text area gives it back: a line ends in one way there, which is no correction.
  const texts = (question.texts ?? []).map((one) => ({ ...one, text: one.text.replace(/\r\n?/g, "\n") }));
  const right = make("input", { type: "checkbox", id: `${name}-right` });
  const areas = texts.map((one, place) => {
    const area = make("textarea", { id: `${name}-${place}`, rows: rowsOf(one.text), spellcheck: "false" });
    area.value = given?.texts?.find((other) => other.id === one.id)?.text ?? one.text;
    return area;
  });
  const corrected = () => areas.some((area, place) => area.value !== texts[place].text);
  const told = make("p", { class: "quiet corrected" });
  const show = () => {
    right.disabled = corrected();
    right.checked = corrected() ? false : right.checked || second;
    told.textContent = corrected() ? say("text_corrected") : "";
  };
  right.checked = second || given?.right === true;
  for (const area of areas) area.addEventListener("input", () => (show(), changed()));
  right.addEventListener("change", () => changed());
  const rows = texts.map((one, place) => make("div", { class: "text-row" },
    make("label", { for: areas[place].id }, whereOf(one, place)), areas[place]));
  const element = make("fieldset", { class: "question text", "data-question": question.name },
    legend(question), helpLine(question, `${name}-help`), ...rows,
    second ? null : make("label", { class: "option check", for: right.id }, right, make("span", { class: "meaning" }, say("text_right"))),
    told);
  show();
  return {
    element,
    get value() {
      if (!corrected()) return right.checked ? { right: true } : null;
      const written = texts.map((one, place) => ({ id: one.id, text: areas[place].value }));
      return { right: false, texts: written.filter((one, place) => one.text !== texts[place].text) };
    },
    focus: () => (areas[0] ?? right).focus(),
    key: (key) => !second && key === "y" && !right.disabled && ((right.checked = true), changed(), true),
  };
}

function whereOf(one, place) {
  const number = place + 1;
  if (one.where === "page") return say("text_page", { number });
  return one.where === "region" ? say("text_region", { number }) : say("text_number", { number });
}

const rowsOf = (text) => Math.max(1, Math.min(8, text.split("\n").length + Math.floor(text.length / 60)));
