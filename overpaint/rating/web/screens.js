// The pages around the items: consent, how it goes, breaks, the end.
import { button, byId, closeDialog, make, openDialog, paragraphs, screen } from "./dom.js";
import { clock, pick, say } from "./words.js";

const buttons = (...children) => make("div", { class: "buttons" }, ...children);

export function showConsent(study, agree) {
  screen(say("consent_title"),
    ...paragraphs(pick(study.consent.text)),
    make("h2", {}, say("stored_title")), storedList(),
    buttons(button(say("consent_agree"), agree, { class: "main" })),
    make("p", { class: "quiet" }, say("consent_no")));
}

const storedList = () => make("ul", {},
  ...[say("stored_answers"), say("stored_number"), say("stored_nothing"), say("stored_withdraw")].map((text) => make("li", {}, text)));

export function showIntro(state, begin) {
  const { study, rater } = state;
  const steps = [say("intro_look"), howTo(study), say("intro_back")];
  if (rater.training) steps.push(say("intro_training", { count: rater.training }));
  if (study.minutes) steps.push(say("intro_time", { minutes: study.minutes, pause: study.break_minutes }));
  screen(say("intro_title"),
    make("ol", { class: "steps" }, ...steps.map((text) => make("li", {}, text))),
    make("h2", {}, say("keys_title")), keyTable(study),
    buttons(button(rater.done ? say("go_on") : say("begin"), begin, { class: "main" })));
}

function howTo(study) {
  const told = {
    ebench: say("intro_ebench"), scale: say("intro_scale"), pairs: say("intro_pairs"),
    boxes: say("intro_boxes"), tasks: say("intro_tasks"),
  };
  return told[study.kind] ?? say("intro_tasks");
}

export function keyTable(study) {
  const kind = study?.kind;
  const rows = [["Enter", say("key_enter")], ["Backspace", say("key_back")]];
  if (kind === "ebench") rows.push(["← →", say("key_slider")], ["1 … 5", say("key_slider_digit")], ["Y N", say("key_yes")]);
  if (kind === "scale" || kind === "tasks") rows.push(["0 … 9", say("key_level")]);
  if (kind === "pairs") rows.push(["← ↓ →", say("key_choice")]);
  if (kind === "tasks") rows.push(["Y N", say("key_yes")], ["Ctrl Enter", say("key_text")]);
  if (kind === "boxes" || kind === "tasks") rows.push(["← ↑ → ↓", say("key_box")], ["Shift ←…", say("key_box_size")]);
  rows.push(["F", say("key_flicker")], ["S", say("key_side")], ["W", say("key_wipe")],
    ["+ −", say("key_zoom")], ["Z", say("key_fit")], ["← ↑ → ↓", say("key_pan")], ["?", say("key_help")]);
  return make("dl", { class: "keys" }, ...rows.flatMap(([keys, text]) => [
    make("dt", {}, ...keys.split(" ").map((key) => make("kbd", {}, key))), make("dd", {}, text)]));
}

export function showHelp(state, askWithdraw) {
  const mayLeave = state?.role === "rater" && state.rater.consented;
  openDialog(say("help"),
    state ? make("p", {}, howTo(state.study)) : null, keyTable(state?.study),
    mayLeave ? make("details", {}, make("summary", {}, say("stored_title")), storedList()) : null,
    buttons(button(say("close"), closeDialog, { class: "main", autofocus: true }),
      mayLeave ? button(say("withdraw"), askWithdraw, { class: "plain danger" }) : null));
}

// Two steps: to ask for it, and to say that it is meant.
export function showWithdraw(yes) {
  openDialog(say("withdraw_title"), make("p", {}, say("withdraw_text")),
    buttons(button(say("withdraw_no"), closeDialog, { class: "main", autofocus: true }),
      button(say("withdraw_yes"), () => (closeDialog(), yes()), { class: "danger" })));
}

export const showWithdrawn = () => screen(say("withdrawn_title"), make("p", {}, say("withdrawn_text")));

// A countdown that is told once a minute to those who hear it; when it is over the page goes on.
export function showBreak(seconds, goOn) {
  const until = Date.now() + seconds * 1000;
  const time = make("p", { class: "countdown", role: "timer" }, clock(seconds));
  const next = button(say("go_on"), goOn, { class: "main", disabled: true });
  screen(say("break_title"), make("p", {}, say("break_text")), time, buttons(next));
  const ticking = setInterval(() => {
    if (!time.isConnected) return clearInterval(ticking);
    const left = (until - Date.now()) / 1000;
    time.textContent = clock(left);
    if (left > 0) return undefined;
    clearInterval(ticking);
    time.textContent = say("break_over");
    next.disabled = false;
    return next.focus();
  }, 500);
}

export function showFinish(state, back) {
  const more = state.study.kind === "tasks" || state.study.kind === "boxes";
  screen(say("finish_title"), make("p", {}, say("finish_text", { count: state.rater.done })),
    more ? make("p", {}, say("finish_more")) : null,
    make("p", { class: "quiet" }, say("finish_close")),
    state.rater.total > 0 ? buttons(button(say("finish_back"), back, { class: "plain" })) : null);
}

// Where else it goes on: in another window, or not at all, as another's link was opened here.
export function showElsewhere(again, another) {
  screen(another ? say("another_title") : say("elsewhere_title"),
    make("p", {}, another ? say("another_text") : say("elsewhere_text")),
    again ? buttons(button(say("elsewhere_here"), again, { class: "main" })) : make("p", {}, say("elsewhere_link")));
}

export const showNoLink = () => screen(say("no_link_title"), make("p", {}, say("no_link_text")));

export const showWrongLink = () =>
  screen(say("wrong_link_title"), make("p", {}, say("error_link")), make("p", {}, say("wrong_link_text")));

// What the server has, and what is here: the rater chooses.
export function showConflict({ stored, mine, takeStored, takeMine }) {
  const dialog = openDialog(say("conflict_title"), make("p", {}, say("conflict_text")),
    make("div", { class: "two" },
      make("section", {}, make("h3", {}, say("conflict_stored")), stored),
      make("section", {}, make("h3", {}, say("conflict_mine")), mine)),
    buttons(button(say("conflict_take_stored"), () => (closeDialog(), takeStored()), {}),
      button(say("conflict_take_mine"), () => (closeDialog(), takeMine()), { class: "main", autofocus: true })));
  // One of both has to be taken: Escape takes what is stored.
  dialog.addEventListener("cancel", () => takeStored(), { once: true });
}

// Answers in words, for the dialogue above.
export function answersInWords(answers, questions) {
  const rows = Object.entries(answers ?? {}).flatMap(([name, value]) => {
    const question = questions.find((one) => one.name === name);
    return [make("dt", {}, pick(question?.label) || name), make("dd", {}, inWords(value))];
  });
  return make("dl", { class: "answers" }, ...rows);
}

function inWords(value) {
  if (value === true) return say("yes");
  if (value === false) return say("no");
  if (value === "left") return say("choice_left");
  if (value === "right") return say("choice_right");
  if (value === "tie") return say("choice_tie");
  if (value && typeof value === "object") {
    if ("width" in value) return say("box_told", value);
    if ("right" in value) return value.right ? say("text_right") : value.texts.map((one) => one.text).join(" / ");
  }
  return String(value);
}

export function setTitle(title) {
  byId("title").textContent = title;
  document.title = `${title} · Overpaint`;
}
