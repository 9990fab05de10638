// Figures and tables of the study's progress.
import { button, make } from "./dom.js";
import { percent, say } from "./words.js";

const isNone = (value) => value === null || value === undefined;
const number = (value, digits = 2) => (isNone(value) ? "–" : value.toFixed(digits));

export function figures(progress) {
  const { items, ratings, raters } = progress;
  const people = raters.filter((one) => one.role === "rater");
  const begun = people.filter((one) => one.done > 0);
  return [
    figure(say("items_complete"), items.complete, items.total),
    figure(say("ratings_given"), ratings.given, ratings.wanted),
    figure(say("raters_active"), begun.length, people.length),
    make("div", { class: "figure" }, make("p", { class: "name" }, say("eta")),
      make("p", { class: "big words" }, timeLeft(progress.eta_minutes))),
  ];
}

function figure(name, value, all) {
  const fill = make("span");
  fill.style.width = `${Math.min(100, all ? (value / all) * 100 : 0)}%`;
  return make("div", { class: "figure" }, make("p", { class: "name" }, name),
    make("p", { class: "big" }, value.toLocaleString(), " ", make("small", {}, say("of_all", { all: all.toLocaleString() }))),
    make("div", { class: "line", "aria-hidden": "true" }, fill));
}

function timeLeft(minutes) {
  if (isNone(minutes)) return say("eta_none");
  return minutes < 120 ? say("eta_minutes", { minutes: Math.ceil(minutes) }) : say("eta_hours", { hours: (minutes / 60).toFixed(1) });
}

function table(label, columns, rows) {
  const head = columns.map((column) => make("th", { scope: "col" }, column));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
}

// ── agreement ─────────────────────────────────────────────────────────────────────────────

export function agreementTable(rows) {
  if (!rows || rows.length === 0) return make("p", { class: "quiet" }, say("agreement_none"));
  const columns = [say("column_question"), say("column_measure"), say("column_value"), say("column_interval")];
  return table(say("agreement"), columns, rows.map((row) => make("tr", {},
    make("th", { scope: "row" }, row.question),
    make("td", {}, row.measure, ...(row.notes ?? []).map((note) => make("small", { class: "quiet" }, note))),
    make("td", { class: "number" }, make("b", {}, number(row.value))),
    make("td", { class: "interval" }, isNone(row.low) ? "–" : `${number(row.low)} – ${number(row.high)}`, whisker(row)))));
}

// The interval on a line from 0 to 1; what lies below 0 is drawn at 0.
function whisker({ value, low, high }) {
  if ([value, low, high].some(isNone)) return null;
  const at = (share) => `${Math.max(0, Math.min(1, share)) * 100}%`;
  const span = make("i", { class: "span" });
  const dot = make("i", { class: "dot" });
  span.style.left = at(low);
  span.style.right = `calc(100% - ${at(high)})`;
  dot.style.left = at(value);
  return make("span", { class: "whisker", "aria-hidden": "true" }, span, dot);
}

// ── raters ────────────────────────────────────────────────────────────────────────────────

// `revoke` is called with a rater whose link is to end; nobody ends their own.
export function ratersTable(raters, me, revoke) {
  if (raters.length === 0) return make("p", { class: "quiet" }, say("raters_none"));
  const columns = [say("column_rater"), say("column_state"), say("column_done"), say("column_seconds"),
    say("column_gold"), say("column_repeats"), say("column_flags")];
  if (revoke) columns.push(say("column_action"));
  return table(say("raters"), columns, raters.map((rater) => row(rater, me, revoke)));
}

function row(rater, me, revoke) {
  const roles = { admin: say("role_admin"), observer: say("role_observer") };
  const over = ["withdrawn", "revoked"].includes(rater.state);
  const cells = [
    make("th", { scope: "row" }, rater.id, rater.role in roles ? make("small", { class: "quiet" }, roles[rater.role]) : null),
    make("td", {}, make("span", { class: `state ${rater.state}` }, stateWord(rater.state))),
    make("td", { class: "number" }, rater.role === "rater" ? `${rater.done} / ${rater.total}` : "–"),
    make("td", { class: "number" }, number(rater.median_seconds, 1)),
    make("td", { class: "number" }, rater.gold?.of ? `${rater.gold.right} / ${rater.gold.of}` : "–"),
    make("td", { class: "number" }, rater.repeats?.of ? percent(rater.repeats.mean_difference) : "–"),
    make("td", { class: "flags" }, ...(rater.flags ?? []).map((flag) => make("p", {}, flag))),
  ];
  if (revoke) cells.push(make("td", {}, over || rater.id === me ? null : button(say("revoke"), () => revoke(rater.id),
    { class: "plain danger", "data-revoke": rater.id, "aria-label": `${say("revoke")} ${rater.id}` })));
  return make("tr", { class: over ? "over" : null }, ...cells);
}

function stateWord(state) {
  const words = {
    invited: say("state_invited"), consented: say("state_consented"), rating: say("state_rating"),
    finished: say("state_finished"), withdrawn: say("state_withdrawn"), revoked: say("state_revoked"),
  };
  return words[state] ?? state;
}
