// What the judges said of one edit: score, whose it is, and the reasons, by dimension.
const NO_RATIONALE = "no rationale was given";
const JUDGE_KINDS = { model: "", panel: "mean of the judges", evidence: "evidence, no model", people: "mean of their ratings" };

function judgesSaid(sample, editor) {
  const groups = new Map();
  deck.measures.forEach((measure, place) => {
    if (!measure.judge) return;
    const group = groups.get(measure.judge.dimension) ?? [];
    groups.set(measure.judge.dimension, [...group, { judge: measure.judge, place, score: scoreOf(sample, editor, place) }]);
  });
  if (!groups.size) return [];
  const parts = [...groups].flatMap(([dimension, said]) => {
    const title = said.map(({ judge }) => judge.title).find(Boolean) ?? "";
    const names = said.map(({ judge }) => judge.who);
    const head = make("h4", {}, make("b", {}, dimension), title ? ` ${title}` : "");
    return [head, make("ul", { class: "verdicts" }, ...said.map((one) => verdictOf(one, names)))];
  });
  const name = deck.editors[editor].name;
  return [make("h3", {}, `What the judges said of ${name}`), make("div", { class: "judged" }, ...parts)];
}

function verdictOf({ judge, place, score }, names) {
  const label = JUDGE_KINDS[judge.kind];
  const head = make(
    "p",
    { class: "verdict-head" },
    make("span", { class: `mark ${markClass(judge, score)}` }, ...markOf(judge, place, score)),
    judge.kind === "evidence" ? null : make("span", { class: "by" }, judge.who),
    label ? make("span", { class: `label by-${judge.kind}` }, label) : null,
  );
  return make("li", { class: "verdict" }, head, ...reasons(judge, score, names));
}

// A judge's number is out of its best; the evidence judge passes, fails or leaves open.
function markOf(judge, place, score) {
  if (score === null) return ["not asked yet"];
  if (score.value === null) return [score.status];
  if (judge.kind === "evidence") return [score.value === 1 ? "passed" : score.value === 0 ? "failed" : shown(score.value, place)];
  const value = String(Number(score.value.toFixed(2)));
  return [make("b", {}, value), judge.best === null ? "" : ` of ${judge.best}`];
}

function markClass(judge, score) {
  if (score === null || score.value === null) return "open";
  if (judge.kind !== "evidence") return "";
  return score.value === 1 ? "passed" : "failed";
}

// The first note of a model's score is its reason in its own words; the others are ours, and all
// of a total's. What a panel repeats of its judges stands with them.
function reasons(judge, score, names) {
  if (score === null) return [];
  if (score.value === null) return [make("p", { class: "rationale" }, score.reason)];
  const told = judge.kind !== "panel" ? score.notes : score.notes.filter((note) => !names.some((name) => note.startsWith(`${name}: `)));
  const own = judge.kind === "model" && !judge.total && told.length > 0 && !told.includes(NO_RATIONALE);
  const words = own ? [make("blockquote", { class: "rationale" }, told[0])] : [];
  const rest = own ? told.slice(1) : told;
  const plain = judge.kind === "evidence" ? "rationale" : "aside";
  return [...words, ...rest.map((note) => make("p", { class: plain }, note))];
}

// Which of two edits a judge prefers, from the side of one of them.
function votesOn(sample, editor) {
  const met = (sample.votes ?? []).filter(([one, other]) => one === editor || other === editor);
  if (!met.length) return [];
  const items = met.map(([one, other, column, value, status, reason, ...notes]) => {
    const mine = value === null || one === editor ? value : 1 - value;
    const verdict = mine === null ? word(status) : mine === 1 ? "won" : mine === 0 ? "lost" : "tie";
    const rival = deck.editors[one === editor ? other : one].name;
    const head = make(
      "p",
      { class: "verdict-head" },
      make("span", { class: `mark ${{ won: "passed", lost: "failed" }[verdict] ?? "open"}` }, verdict),
      make("span", {}, `against ${rival}`),
      make("span", { class: "by" }, word(column)),
    );
    const told = value === null ? [word(reason)] : notes.map(word);
    return make("li", { class: "verdict" }, head, ...told.map((note, place) => make("p", { class: place ? "rationale" : "aside" }, note)));
  });
  return [make("h3", {}, `${deck.editors[editor].name} held against others`), make("ul", { class: "verdicts" }, ...items)];
}

// Samples that the section on judges names are opened in the gallery, if it has them.
function startJudges(open) {
  byId("judges")?.addEventListener("click", (event) => {
    const link = event.target.closest("[data-sample]");
    const place = link ? deck.samples.findIndex((sample) => sample.id === link.dataset.sample) : -1;
    if (link && place < 0 && deck.numbers) goToSample(link.dataset.sample);
    if (place < 0) return;
    event.preventDefault();
    open(place, Math.max(0, deck.editors.findIndex((one) => one.name === link.dataset.editor)));
  });
}
