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

// A change of any text is a correction; without one it has to be said that all is right.
export function textWidget(question, given, changed) {
  const name = `q-${question.name}`;
  const texts = question.texts ?? [];
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
    if (corrected()) right.checked = false;
    told.textContent = corrected() ? say("text_corrected") : "";
  };
  right.checked = given?.right === true;
  for (const area of areas) area.addEventListener("input", () => (show(), changed()));
  right.addEventListener("change", () => changed());
  const rows = texts.map((one, place) => make("div", { class: "text-row" },
    make("label", { for: areas[place].id }, one.where || say("text_number", { number: place + 1 })), areas[place]));
  const element = make("fieldset", { class: "question text", "data-question": question.name },
    legend(question), helpLine(question, `${name}-help`), ...rows,
    make("label", { class: "option check", for: right.id }, right, make("span", { class: "meaning" }, say("text_right"))), told);
  show();
  return {
    element,
    get value() {
      if (!corrected()) return right.checked ? { right: true } : null;
      const written = texts.map((one, place) => ({ id: one.id, text: areas[place].value }));
      return { right: false, texts: written.filter((one, place) => one.text !== texts[place].text) };
    },
    focus: () => (areas[0] ?? right).focus(),
    key: (key) => key === "y" && !right.disabled && ((right.checked = true), changed(), true),
  };
}

const rowsOf = (text) => Math.max(1, Math.min(8, text.split("\n").length + Math.floor(text.length / 60)));
