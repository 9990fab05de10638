// The rater's page: joins by the link, then consent, training, items, breaks, and the end.
import { banner, button, byId, closeDialog, tell } from "./dom.js";
import { ItemView } from "./item.js";
import { forget, send, tryNow, waiting } from "./outbox.js";
import * as screens from "./screens.js";
import * as server from "./server.js";
import { Pace } from "./pace.js";
import { detail, reason, showTrouble, waitingWords } from "./troubles.js";
import { loadWords, say, whenLanguageChanges } from "./words.js";

const FIRST = 1; // the first place of a rater's items
const LOOK_AGAIN = 15_000; // milliseconds: whether a new round has begun

class Page {
  constructor(token) {
    this.token = token;
    this.state = null;
    this.view = null;
    this.drafts = new Map();
    this.redraw = () => {};
    this.timeOver = null;
    this.sending = false;
  }

  async begin() {
    if (!(await this.joined())) return;
    if (this.state.role !== "rater") return location.assign("/admin");
    screens.setTitle(this.state.study.title);
    this.route(true);
  }

  async joined() {
    try {
      if (this.token) await server.join(this.token);
      this.take(await server.getState());
      return true;
    } catch (error) {
      if (!(error instanceof server.Unreachable || error instanceof server.Refused)) throw error;
      if (error.body?.another) this.elsewhere(error);
      else if (error.status !== 401) this.on(() => showTrouble(error, () => this.begin()));
      else if (this.token) this.on(() => screens.showWrongLink());
      else this.on(() => screens.showNoLink());
      return false;
    }
  }

  take(state) {
    this.state = state;
    this.pace = new Pace(state.rater?.id);
    this.setTime(state.rater?.seconds_left);
  }

  // What is to be seen now; drawn anew when the language changes.
  on(draw) {
    this.leave();
    this.redraw = draw;
    draw();
  }

  leave() {
    clearTimeout(this.looking);
    this.view?.close();
    this.view = null;
    byId("progress").hidden = true;
  }

  route(first = false) {
    const { rater, study } = this.state;
    if (!rater.consented) return this.on(() => screens.showConsent(study, () => this.agree()));
    const letter = waiting(rater.id);
    if (letter) return this.resend(letter);
    if (rater.break_left > 0) return this.pauseFor(rater.break_left);
    if (rater.finished) return this.finish();
    if (first) return this.on(() => screens.showIntro(this.state, () => this.open(rater.place)));
    return this.open(rater.place);
  }

  async fresh(first = false) {
    await this.attempt(async () => {
      this.take(await server.getState());
      this.route(first);
    });
  }

  // Runs what needs the server; every way to fail ends on a page that says what to do.
  async attempt(action) {
    try {
      await action();
      banner();
    } catch (error) {
      if (!(error instanceof server.Unreachable || error instanceof server.Refused)) throw error;
      if (error.status === 401) this.elsewhere(error);
      else this.on(() => showTrouble(error, () => this.fresh()));
    }
  }

  agree() {
    return this.attempt(async () => {
      await server.consent(this.state.study.consent.version);
      this.take(await server.getState());
      this.route(true);
    });
  }

  elsewhere(error) {
    closeDialog();
    banner();
    const again = this.token ? () => this.begin() : null;
    this.on(() => screens.showElsewhere(again, Boolean(error.body.another)));
  }

  pauseFor(seconds) {
    const until = Date.now() + seconds * 1000;
    this.on(() => screens.showBreak((until - Date.now()) / 1000, () => this.fresh()));
  }

  finish() {
    this.on(() => screens.showFinish(this.state, () => this.open(this.state.rater.total)));
    if (["tasks", "boxes"].includes(this.state.study.kind)) this.lookAgain();
  }

  lookAgain() {
    this.looking = setTimeout(async () => {
      try {
        const state = await server.getState();
        if (!state.rater.finished) return this.take(state), this.route();
      } catch {
        // Nobody waits for this; the next look may find more.
      }
      return this.lookAgain();
    }, LOOK_AGAIN);
  }

  // ── items ─────────────────────────────────────────────────────────────────────────────

  async open(place) {
    await this.attempt(async () => {
      let item;
      try {
        item = await server.getItem(place);
      } catch (error) {
        // A break has begun, or the place is no longer there: the state says what is.
        if (!(error instanceof server.Refused) || error.status === 401 || this.lookedFor === place) throw error;
        this.lookedFor = place;
        this.take(await server.getState());
        return this.route();
      }
      this.lookedFor = null;
      return this.showItem(item);
    });
  }

  showItem(item) {
    this.on(() => {
      if (this.view) this.keepDraft();
      this.view?.close();
      this.view = new ItemView(item, this.state.study, {
        draft: this.drafts.get(item.place) ?? null, mayGoBack: item.place > FIRST,
        save: () => this.save(), back: () => this.back(),
      });
      this.view.show();
      this.view.busy(this.sending);
      this.showProgress(item);
    });
  }

  keepDraft() {
    const { draft, item } = this.view;
    if (draft) this.drafts.set(item.place, draft);
  }

  back() {
    const { place } = this.view.item;
    if (place <= FIRST) return;
    this.keepDraft();
    this.open(place - 1);
  }

  async save() {
    const view = this.view;
    if (!view.complete()) return undefined;
    const { item } = view;
    if (item.answers && (view.asStored || item.changeable === false)) return this.onward(this.state.rater);
    const answer = { answers: view.answers, comment: view.written, seconds: view.seconds, revision: item.revision };
    view.busy(true);
    return this.deliver(item, answer);
  }

  async deliver(item, answer) {
    this.sending = true;
    try {
      const reply = await send(this.state.rater.id, item.place, answer, (...why) => this.lost(...why));
      this.sending = false;
      banner();
      if (item.phase === "rating") this.pace.took(answer.seconds);
      this.drafts.delete(item.place);
      this.saved(reply);
    } catch (error) {
      this.sending = false;
      if (!(error instanceof server.Refused)) throw error;
      banner();
      this.refused(error, item, answer);
    }
  }

  saved(reply) {
    tell(say("saved"));
    Object.assign(this.state.rater, { place: reply.place, total: reply.total, finished: reply.finished, break_left: reply.break_left });
    this.setTime(reply.seconds_left);
    if (!reply.feedback || !this.view) return this.onward(reply);
    this.redraw = () => this.view.showFeedback(reply.feedback, () => this.onward(reply));
    return this.redraw();
  }

  onward({ place, finished, break_left: rest }) {
    if (rest > 0) return this.pauseFor(rest);
    if (finished) return this.fresh();
    return this.open(place);
  }

  lost(error, how) {
    banner(waitingWords(error, how), " ", button(say("try_now"), () => tryNow()));
  }

  refused(error, item, answer) {
    if (error.status === 401) return this.elsewhere(error);
    if (error.status === 409 && "revision" in error.body) return this.conflict(error.body, item, answer);
    forget();
    this.view?.busy(false);
    // A break that came too soon, say: what was entered is there again afterwards.
    this.drafts.set(item.place, answer);
    if (error.status === 400 || error.status === 413 || error.status === 422) return this.view?.refuse(reason(error), detail(error));
    return this.fresh();
  }

  conflict(stored, item, answer) {
    const asked = item.questions.map((one) => this.state.study.questions.find((q) => q.name === one) ?? one);
    forget();
    screens.showConflict({
      stored: screens.answersInWords(stored.answers, asked), mine: screens.answersInWords(answer.answers, asked),
      takeStored: () => (this.drafts.delete(item.place), this.fresh()),
      takeMine: () => this.deliver(item, { ...answer, revision: stored.revision }),
    });
  }

  // An answer that was on its way when the tab was loaded anew.
  async resend({ place, answer }) {
    await this.deliver({ place, questions: Object.keys(answer.answers) }, answer);
  }

  // ── progress ──────────────────────────────────────────────────────────────────────────

  showProgress(item) {
    const { training, total } = this.state.rater;
    const place = item.place - FIRST;
    const drilled = item.phase === "training";
    const [number, all] = drilled ? [place + 1, training] : [place - training + 1, total - training];
    byId("progress").hidden = false;
    byId("progress-count").textContent = drilled
      ? say("progress_training", { number, all }) : say("progress", { number, all });
    byId("progress-fill").style.width = `${(place / Math.max(1, total)) * 100}%`;
    const line = byId("progress-line");
    line.setAttribute("aria-valuemax", String(total));
    line.setAttribute("aria-valuenow", String(place));
    line.setAttribute("aria-label", say("progress_label"));
    byId("progress-left").textContent = this.pace.words(this.state.rater);
    this.showTime();
  }

  setTime(seconds) {
    this.timeOver = typeof seconds === "number" ? Date.now() + seconds * 1000 : null;
  }

  showTime() {
    const left = this.timeOver === null ? null : (this.timeOver - Date.now()) / 60_000;
    const words = left === null ? "" : left <= 0 ? say("time_over") : say("time_left", { minutes: Math.ceil(left) });
    if (byId("progress-time").textContent !== words) byId("progress-time").textContent = words;
  }

  // ── the rest ──────────────────────────────────────────────────────────────────────────

  help() {
    screens.showHelp(this.state, () => screens.showWithdraw(() => this.withdraw()));
  }

  withdraw() {
    return this.attempt(async () => {
      await server.withdraw();
      forget();
      this.token = "";
      this.state = null;
      this.on(() => screens.showWithdrawn());
    });
  }
}

async function main() {
  const token = server.takeToken();
  await loadWords();
  const page = new Page(token);
  whenLanguageChanges(() => page.redraw());
  byId("help").addEventListener("click", () => page.help());
  byId("skip").addEventListener("click", (event) => {
    if (!page.view) return;
    event.preventDefault();
    page.view.widgets[0].focus();
  });
  addEventListener("keydown", (event) => {
    if (byId("dialog").open) return;
    if (event.key === "?" && !event.target.closest("textarea, input[type=number]")) return void (event.preventDefault(), page.help());
    page.view?.key(event);
  });
  addEventListener("keyup", (event) => page.view?.keyUp(event));
  addEventListener("blur", () => page.view?.viewer?.hold(false));
  // An answer on its way outlives a reload, but not a closed tab: the browser asks first.
  addEventListener("beforeunload", (event) => page.sending && event.preventDefault());
  addEventListener("hashchange", () => location.reload());
  setInterval(() => page.view && page.showTime(), 1000);
  await page.begin();
}

main();
