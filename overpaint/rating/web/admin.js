// The study's progress, live; an admin makes and revokes links and exports, an observer looks on.
import { banner, button, byId, closeDialog, make, openDialog, screen, tell } from "./dom.js";
import * as server from "./server.js";
import { agreementTable, figures, ratersTable } from "./admin_tables.js";
import { showTrouble } from "./troubles.js";
import { loadWords, say, whenLanguageChanges } from "./words.js";

const EVERY = 3000; // milliseconds

class Board {
  constructor(state) {
    this.admin = state.role === "admin";
    this.me = state.rater?.id;
    this.progress = null;
    this.made = [];
    this.parts = { figures: make("div"), agreement: make("div"), raters: make("div"), links: make("div") };
  }

  // The frame is drawn once: a poll must not take away what somebody is typing in.
  frame() {
    this.parts.links = make("div", { class: "made", "aria-live": "polite" });
    byId("main").replaceChildren(make("div", { class: "board" },
      make("h1", { id: "study", tabindex: "-1" }, this.progress.title),
      section(say("overview"), this.parts.figures),
      section(say("agreement"), this.parts.agreement),
      section(say("raters"), this.parts.raters),
      this.admin ? section(say("links"), ...this.linkForm(), this.parts.links) : null,
      this.admin ? section(say("export"), make("p", { class: "quiet" }, say("export_text")),
        make("a", { class: "button", href: "/api/admin/export.csv", download: "ratings.csv" }, say("export_csv"))) : null));
    document.title = `${this.progress.title} · Overpaint`;
    this.fill();
    this.showLinks();
  }

  fill() {
    const { progress, parts } = this;
    parts.figures.replaceChildren(...figures(progress));
    parts.agreement.replaceChildren(agreementTable(progress.agreement));
    const held = document.activeElement?.dataset?.revoke;
    parts.raters.replaceChildren(ratersTable(progress.raters, this.me, this.admin ? (rater) => this.askRevoke(rater) : null));
    // The table is new, the focus goes back to where it was in it.
    if (held) parts.raters.querySelector(`[data-revoke="${CSS.escape(held)}"]`)?.focus();
  }

  async poll() {
    try {
      const progress = await server.getProgress();
      const fresh = this.progress === null;
      this.progress = progress;
      byId("live").textContent = say("live");
      banner();
      if (fresh) this.frame();
      else this.fill();
    } catch (error) {
      if (!(error instanceof server.Unreachable) && error.status !== 429) return refused(error);
      banner(say("live_lost"));
      byId("live").textContent = "";
    }
    return setTimeout(() => this.poll(), EVERY);
  }

  // ── links ─────────────────────────────────────────────────────────────────────────────

  linkForm() {
    const role = make("select", { id: "role" },
      make("option", { value: "rater" }, say("role_rater")), make("option", { value: "observer" }, say("role_observer")),
      make("option", { value: "admin" }, say("role_admin")));
    const count = make("input", { type: "number", id: "count", min: "1", max: "500", value: "1" });
    const form = make("form", { class: "link-form" },
      make("label", { for: "role" }, say("links_role"), role), make("label", { for: "count" }, say("links_count"), count),
      make("button", { type: "submit", class: "main" }, say("links_make")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.attempt(async () => {
        const { links } = await server.makeLinks(role.value, Number(count.value));
        this.made.unshift(...links);
        this.showLinks();
        await this.refresh();
      });
    });
    return [make("p", { class: "quiet" }, say("links_text")), form];
  }

  showLinks() {
    if (this.made.length === 0) return this.parts.links.replaceChildren();
    const rows = this.made.map(({ id, link }) => make("li", {}, make("b", {}, id),
      make("input", { type: "text", readonly: true, value: link, "aria-label": id }), copyButton(say("copy"), link)));
    const all = this.made.map(({ id, link }) => `${id}\t${link}`).join("\n");
    return this.parts.links.replaceChildren(make("h3", {}, say("links_made")), make("ul", {}, ...rows),
      this.made.length > 1 ? copyButton(say("copy_all"), all) : "");
  }

  askRevoke(rater) {
    openDialog(say("revoke_title", { rater }), make("p", {}, say("revoke_text")),
      make("div", { class: "buttons" }, button(say("revoke_no"), closeDialog, { class: "main", autofocus: true }),
        button(say("revoke"), () => (closeDialog(), this.attempt(async () => {
          await server.revoke(rater);
          await this.refresh();
        })), { class: "danger" })));
  }

  async refresh() {
    this.progress = await server.getProgress();
    this.fill();
  }

  async attempt(action) {
    try {
      await action();
      banner();
    } catch (error) {
      if (error instanceof server.Unreachable) banner(say("live_lost"));
      else if (error instanceof server.Refused && error.status !== 401) banner(error.message);
      else if (error instanceof server.Refused) refused(error);
      else throw error;
    }
  }
}

const section = (heading, ...children) => make("section", {}, make("h2", {}, heading), ...children);

function copyButton(text, what) {
  const one = button(text, async () => {
    try {
      await navigator.clipboard.writeText(what);
    } catch {
      return one.parentNode.querySelector("input")?.select(); // to be copied by hand: no clipboard here
    }
    one.textContent = say("copied");
    tell(say("copied"));
    return setTimeout(() => (one.textContent = text), 1500);
  });
  return one;
}

function refused(error) {
  banner();
  byId("live").textContent = "";
  if (error.status === 403) screen(say("wrong_link_title"), make("p", {}, say("admin_only")));
  else if (error.body?.another) screen(say("another_title"), make("p", {}, say("elsewhere_link")));
  else if (error.status === 401) screen(say("no_link_title"), make("p", {}, say("no_link_text")));
  else showTrouble(error, () => location.reload());
}

async function main() {
  const token = server.takeToken();
  await loadWords();
  addEventListener("hashchange", () => location.reload());
  try {
    if (token) await server.join(token);
    const state = await server.getState();
    if (state.role === "rater") return refused(new server.Refused(403, {}));
    const board = new Board(state);
    whenLanguageChanges(() => board.progress && board.frame());
    return board.poll();
  } catch (error) {
    if (!(error instanceof server.Refused || error instanceof server.Unreachable)) throw error;
    return refused(error);
  }
}

main();
