// One item: the instruction, the pictures, the questions, and what the rater says.
import { boxLayer, shownBox } from "./box.js";
import { button, byId, make, plainKey, tell } from "./dom.js";
import { Viewer } from "./viewer.js";
import { makeWidget } from "./widgets.js";
import { pick, say } from "./words.js";

const LONGEST_COMMENT = 2000;
const SHORT = "overpaint short";

export class ItemView {
  // `draft` is what was entered and not yet saved; `save` and `back` are called by the rater.
  constructor(item, study, { draft = null, save, back, mayGoBack }) {
    this.item = item;
    this.study = study;
    this.save = save;
    this.back = back;
    this.started = null;
    this.spent = draft?.seconds ?? 0;
    this.changes = draft !== null;
    const questions = item.questions.map((one) => questionOf(one, study));
    const given = draft?.answers ?? item.answers ?? {};
    this.fixed = item.changeable === false;
    this.viewer = makeViewer(item, questions);
    this.widgets = questions.map((question) => ({ name: question.name, kind: question.kind, ...bound(makeWidget(
      question, given[question.name], () => this.changed(question.name),
      { ties: study.ties, second: questions.some((one) => one.kind === "keep"), layer: this.viewer?.overlay, earlier: item.earlier?.[question.name] ?? null },
    )) }));
    const asksWhy = questions.some((question) => question.kind === "keep");
    this.comment = makeComment(study, asksWhy, draft?.comment ?? item.comment ?? "", () => (this.changes = true));
    this.element = this.build(questions, mayGoBack);
    this.count();
  }

  build(questions, mayGoBack) {
    const training = this.item.phase === "training";
    this.message = make("p", { class: "message", id: "missing", role: "status" });
    this.next = make("button", { type: "submit", class: "main", "aria-describedby": "missing" }, say("save_next"));
    const foot = make("div", { class: "foot" },
      button(say("back"), () => this.back(), { class: "back", disabled: !mayGoBack, "aria-keyshortcuts": "Backspace" }), this.next);
    this.form = make("form", { class: "panel", novalidate: true, "aria-label": say("questions") },
      make("div", { class: "panel-scroll" },
        training ? make("p", { class: "training" }, say("training_note")) : null,
        questions.some((one) => one.kind === "levels") ? this.makeShort() : null,
        ...this.widgets.map((widget) => widget.element), this.comment?.element),
      this.message, foot);
    this.form.addEventListener("submit", (event) => (event.preventDefault(), this.save()));
    this.shorten(keptShort());
    if (this.fixed) this.fix();
    const heading = make("h1", { class: "unseen", tabindex: "-1", id: "heading" }, training ? say("training_item") : say("item"));
    return make("div", { class: "item" }, heading,
      this.item.instruction ? make("p", { class: "instruction" },
        make("span", { class: "eyebrow" }, say("instruction")), make("span", { class: "as-written" }, this.item.instruction)) : null,
      this.viewer?.element, this.form);
  }

  // Tasks hand answers on: one that others have built on stays as it is.
  fix() {
    for (const part of this.form.querySelectorAll("input, textarea, .box-buttons button")) part.disabled = true;
    this.viewer?.overlay?.classList.add("fixed");
    this.message.textContent = say("handed_on");
    this.next.textContent = say("next");
  }

  show() {
    byId("main").replaceChildren(this.element);
    document.body.classList.add("rating");
    window.scrollTo(0, 0);
    this.element.querySelector("h1").focus({ preventScroll: true });
    this.viewer?.place();
    const told = this.element.querySelector(".instruction");
    // One that is too long for its place is scrolled, by keyboard as well.
    if (told && told.scrollHeight > told.clientHeight) told.tabIndex = 0;
  }

  // Time counts while the pictures are there and the tab is looked at.
  async count() {
    await this.viewer?.ready;
    const watch = () => {
      if (document.hidden) this.stop();
      else this.started ??= performance.now();
    };
    this.unwatch = () => document.removeEventListener("visibilitychange", watch);
    document.addEventListener("visibilitychange", watch);
    watch();
  }

  stop() {
    if (this.started !== null) this.spent += (performance.now() - this.started) / 1000;
    this.started = null;
  }

  get seconds() {
    const now = this.started === null ? 0 : (performance.now() - this.started) / 1000;
    return Math.round((this.spent + now) * 10) / 10;
  }

  close() {
    this.stop();
    this.unwatch?.();
    this.viewer?.close();
  }

  // ── answers ───────────────────────────────────────────────────────────────────────────

  get answers() {
    return Object.fromEntries(this.widgets.map((widget) => [widget.name, widget.value()]));
  }

  get draft() {
    return this.changes ? { answers: this.answers, comment: this.written, seconds: this.seconds } : null;
  }

  get written() {
    return this.comment?.area.value.trim() ?? "";
  }

  get asStored() {
    return same(this.answers, this.item.answers) && this.written === (this.item.comment ?? "");
  }

  changed(name) {
    this.changes = true;
    this.message.textContent = "";
    this.current = name;
  }

  // The first open question gets the focus, and it is said how many there are.
  complete() {
    const open = this.widgets.filter((widget) => widget.value() === null);
    if (open.length === 0) return true;
    this.message.textContent = open.length === 1 ? say("missing_one") : say("missing", { count: open.length });
    open[0].focus();
    return false;
  }

  refuse(sentence, detail) {
    this.message.replaceChildren(sentence, detail ? make("span", { class: "quiet detail", lang: "en" }, detail) : "");
  }

  busy(on) {
    this.element.inert = on;
    if (!this.fixed) this.next.textContent = on ? say("saving") : say("save_next");
  }

  showFeedback(text, goOn) {
    this.element.inert = false;
    const next = button(say("go_on"), goOn, { class: "main" });
    this.form.replaceChildren(make("div", { class: "feedback", role: "status" },
      make("h2", {}, say("feedback")), make("p", { class: "as-written" }, pick(text))), make("div", { class: "foot" }, next));
    next.focus({ preventScroll: true });
    this.form.scrollIntoView({ block: "nearest" });
  }

  // ── levels with or without their meanings ─────────────────────────────────────────────

  makeShort() {
    this.toggle = button(say("rubric_short"), () => this.shorten(!this.short), { class: "plain rubric-toggle" });
    return this.toggle;
  }

  shorten(on) {
    this.short = on;
    this.form.classList.toggle("short", on);
    if (!this.toggle) return;
    this.toggle.textContent = on ? say("rubric_full") : say("rubric_short");
    try {
      sessionStorage.setItem(SHORT, on ? "1" : "");
    } catch {
      // Only the choice is lost.
    }
  }

  // ── keys ──────────────────────────────────────────────────────────────────────────────

  key(event) {
    if (this.element.inert) return;
    const key = plainKey(event);
    const at = event.target;
    const inside = Boolean(at.closest?.(".stage"));
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return this.press(event, () => this.save());
    if (!key) return;
    if (key === "Enter" && !at.closest("button, a, summary, textarea, select")) return this.press(event, () => this.save());
    if (key === "Backspace") return this.press(event, () => this.back());
    const small = key.length === 1 ? key.toLowerCase() : key;
    if (small === "f") {
      event.preventDefault();
      if (!event.repeat) this.viewer?.hold(true);
      return;
    }
    if (at.matches("input[type=range]") && !/^\d$/.test(small) && !/^[a-z+=−-]$/.test(small)) return;
    if (!inside && this.answer(small, at)) event.preventDefault();
    else if (this.viewer?.key(small, inside)) event.preventDefault();
    else if (small === "0") this.viewer?.zoom.fit();
  }

  keyUp(event) {
    if (event.key.toLowerCase() === "f") this.viewer?.hold(false);
  }

  press(event, action) {
    event.preventDefault();
    if (!event.repeat) action();
  }

  // The question in focus first, then the first open one; after an answer the next is in focus.
  answer(key, at) {
    const mine = this.widgets.find((widget) => widget.element.contains(at));
    const open = this.widgets.filter((widget) => widget.value() === null);
    const others = [...open, ...this.widgets.filter((widget) => !open.includes(widget))];
    for (const widget of [mine, ...others.filter((one) => one !== mine)]) {
      const done = widget?.key(key);
      if (!done) continue;
      if (done !== "stay") this.onward();
      return true;
    }
    return false;
  }

  onward() {
    const open = this.widgets.find((widget) => widget.value() === null);
    if (open) open.focus();
    else this.next.focus();
    (open?.element ?? this.next).scrollIntoView({ block: "nearest" });
    if (!open) tell(say("all_answered"));
  }
}

const questionOf = (one, study) =>
  typeof one === "string" ? study.questions.find((question) => question.name === one) : one;

// A widget's value is a getter, which a copy would freeze.
const bound = (widget) =>
  ({ element: widget.element, value: () => widget.value, focus: widget.focus, key: (key) => widget.key(key) });

function makeViewer(item, questions) {
  const shown = item.shown ?? [];
  const edits = shown.length > 1 ? [say("edit_a"), say("edit_b")] : [say("edit")];
  const pictures = shown.map((picture, place) => ({ ...picture, name: edits[place] }));
  if (item.source) pictures.unshift({ ...item.source, name: say("source") });
  if (pictures.length === 0) return null;
  const first = item.source ? 1 : 0;
  const boxed = questions.some((question) => question.kind === "box");
  // A box is drawn in percent of the edit: then the edit gives the frame.
  const overlay = boxed ? boxLayer() : shownBox(item.box);
  return new Viewer(pictures, overlay ? { overlay, over: first, leads: first } : {});
}

function makeComment(study, open, text, changed) {
  if (!study.comments) return null;
  const area = make("textarea", { id: "comment", rows: "2", maxlength: LONGEST_COMMENT, oninput: changed });
  area.value = text;
  const element = make("details", { class: "comment", open: open || Boolean(text) },
    make("summary", {}, say("comment")), make("label", { class: "unseen", for: "comment" }, say("comment")), area);
  return { element, area };
}

function keptShort() {
  try {
    return Boolean(sessionStorage.getItem(SHORT));
  } catch {
    return false;
  }
}

// Equal answers, in whatever order their parts stand.
export function same(one, other) {
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => same(one[name], other[name] ?? null));
}
