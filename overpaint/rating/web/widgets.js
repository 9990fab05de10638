// What a question is answered with. Each has: element, value (null while open), focus(), key(key).
import { make } from "./dom.js";
import { keepWidget, textWidget } from "./corrections.js";
import { boxWidget } from "./box.js";
import { pick, pickList, say } from "./words.js";

const MAKERS = {
  slider: sliderWidget, yesno: yesnoWidget, levels: levelsWidget, choice: choiceWidget,
  box: boxWidget, keep: keepWidget, text: textWidget,
};

// `given` is the answer there is already; `changed` is called on every change by the rater.
export function makeWidget(question, given, changed, surroundings) {
  return MAKERS[question.kind](question, given ?? null, changed, surroundings);
}

export function legend(question) {
  return make("legend", {}, pick(question.label));
}

export function helpLine(question, id) {
  const help = pick(question.help);
  return help ? make("p", { class: "question-help", id }, help) : null;
}

// ── one of a few ──────────────────────────────────────────────────────────────────────────

// Radio buttons; options: [{value, text, mark, hint}].
export function oneOf(question, options, given, changed, style) {
  const name = `q-${question.name}`;
  const inputs = options.map((option) => make("input", {
    type: "radio", name, id: `${name}-${option.value}`, checked: option.value === given,
    onchange: () => changed(),
  }));
  const rows = options.map((option, place) => make("label", { class: "option", for: inputs[place].id },
    inputs[place], option.mark === undefined ? null : make("span", { class: "mark" }, option.mark),
    make("span", { class: "meaning" }, option.text),
    option.hint ? make("kbd", { "aria-hidden": "true" }, option.hint) : null));
  const element = make("fieldset", { class: `question ${style}`, "data-question": question.name },
    legend(question), helpLine(question, `${name}-help`), make("div", { class: "options" }, ...rows));
  return {
    element,
    get value() {
      const place = inputs.findIndex((input) => input.checked);
      return place < 0 ? null : options[place].value;
    },
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0]).focus(),
    choose(value) {
      const place = options.findIndex((option) => option.value === value);
      if (place < 0) return false;
      inputs[place].checked = true;
      inputs[place].focus();
      changed();
      return true;
    },
    key: () => false,
  };
}

function yesnoWidget(question, given, changed) {
  const options = [{ value: true, text: say("yes"), hint: "Y" }, { value: false, text: say("no"), hint: "N" }];
  const widget = oneOf(question, options, given, changed, "yesno");
  widget.key = (key) => (key === "y" ? widget.choose(true) : key === "n" && widget.choose(false));
  return widget;
}

function levelsWidget(question, given, changed) {
  const meanings = pickList(question.meanings);
  const options = question.values.map((value, place) => ({ value, mark: String(value), text: meanings[place] ?? "" }));
  const widget = oneOf(question, options, given, changed, "levels");
  widget.key = (key) => /^\d$/.test(key) && widget.choose(Number(key));
  return widget;
}

function choiceWidget(question, given, changed, { ties }) {
  const options = [{ value: "left", text: say("choice_left"), hint: "←" }];
  if (ties) options.push({ value: "tie", text: say("choice_tie"), hint: "↓" });
  options.push({ value: "right", text: say("choice_right"), hint: "→" });
  const widget = oneOf(question, options, given, changed, "choice");
  const keys = { ArrowLeft: "left", ArrowRight: "right", ArrowDown: "tie", t: "tie" };
  widget.key = (key) => key in keys && widget.choose(keys[key]);
  // The arrows of a group of radio buttons would go round; here each has its own meaning.
  widget.element.addEventListener("keydown", (event) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  });
  return widget;
}

// ── a slider that counts only once it was touched ─────────────────────────────────────────

function sliderWidget(question, given, changed) {
  const { low, high } = question;
  const id = `q-${question.name}`;
  let touched = given !== null;
  const range = make("input", {
    type: "range", id, min: low, max: high, step: "0.01", "aria-describedby": `${id}-help`,
  });
  range.value = String(given ?? (low + high) / 2);
  const told = make("output", { class: "value", for: id });
  const element = make("div", { class: "question slider", "data-question": question.name },
    make("div", { class: "slider-head" }, make("label", { for: id }, pick(question.label)), told),
    helpLine(question, `${id}-help`), range, ticks(question));
  const show = () => {
    const value = Number(range.value);
    element.classList.toggle("open", !touched);
    told.textContent = touched ? value.toFixed(2) : say("open");
    range.setAttribute("aria-valuetext", touched ? value.toFixed(2) : say("open_heard"));
    range.style.setProperty("--share", `${((value - low) / (high - low)) * 100}%`);
  };
  const set = (value) => {
    touched = true;
    range.value = String(Math.min(high, Math.max(low, value)));
    show();
    changed();
  };
  range.addEventListener("input", () => set(Number(range.value)));
  // A press on the middle changes no value, but is an answer all the same.
  range.addEventListener("pointerup", () => set(Number(range.value)));
  range.addEventListener("keydown", (event) => {
    const to = stepped(event, Number(range.value), low, high);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    set(to);
  });
  show();
  const at = () => document.activeElement === range;
  return {
    element,
    get value() {
      return touched ? Number(Number(range.value).toFixed(2)) : null;
    },
    focus: () => range.focus(),
    key: (key) => at() && /^\d$/.test(key) && Number(key) >= low && Number(key) <= high && (set(Number(key)), "stay"),
  };
}

function stepped(event, value, low, high) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const fine = event.shiftKey ? 0.01 : 0.1;
  const steps = {
    ArrowRight: fine, ArrowUp: fine, ArrowLeft: -fine, ArrowDown: -fine, PageUp: 0.5, PageDown: -0.5,
  };
  if (event.key === "Home") return low;
  if (event.key === "End") return high;
  return event.key in steps ? Math.round((value + steps[event.key]) * 100) / 100 : null;
}

// Numbers, and words where the study has them, under the track.
function ticks({ low, high, meanings }) {
  const words = pickList(meanings);
  const row = make("div", { class: "ticks", "aria-hidden": "true" });
  const ends = { [low]: say("slider_low"), [high]: say("slider_high") };
  for (let level = Math.ceil(low); level <= high; level += 1) {
    const word = words.length ? words[level - Math.ceil(low)] : ends[level];
    const tick = make("span", {}, make("b", {}, String(level)), word ?? "");
    tick.style.left = `${((level - low) / (high - low)) * 100}%`;
    row.append(tick);
  }
  return row;
}
