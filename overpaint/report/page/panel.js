// Beside the stage: what was asked, and every score with what was noted about it.
function showPanel(sample, editor, pick) {
  byId("panel").replaceChildren(
    make("h3", {}, "Instruction"),
    make("p", { class: "instruction" }, sample.say || "none"),
    ...(sample.refs ? [make("div", { id: "panel-references" })] : []),
    make("h3", {}, "Sample"),
    tagList(sample),
    ...(sample.inside ? [make("div", { id: "within" })] : []),
    ...judgesSaid(sample, editor),
    ...votesOn(sample, editor),
    make("h3", {}, "Scores"),
    scoreTable(sample, editor, pick),
    ...about(sample, editor),
  );
}

function tagList(sample) {
  const pairs = deck.tags.flatMap((tag, place) => [make("dt", {}, tag), make("dd", {}, word(sample.tags[place]))]);
  return make("dl", {}, ...pairs);
}

function scoreTable(sample, editor, pick) {
  const heads = deck.measures.map((measure) => make("th", { scope: "col" }, `${measure.name} ${measure.up ? "↑" : "↓"}`));
  const rows = deck.editors.map((one, place) => {
    const cells = deck.measures.map((_, measure) => scoreCell(sample, place, measure));
    const name = make("th", { scope: "row" }, one.name);
    return make("tr", { "aria-current": place === editor ? "true" : null, onclick: () => pick(place) }, name, ...cells);
  });
  return make(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Scores of this sample" },
    make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Editor"), ...heads)), make("tbody", {}, ...rows)),
  );
}

function scoreCell(sample, editor, measure) {
  const score = scoreOf(sample, editor, measure);
  const tip = score ? [score.reason, ...score.notes].filter(Boolean).join("\n") : "";
  const absent = score === null || score.value === null;
  return make("td", { class: absent ? "absent" : null, "data-tip": tip || null }, shortScore(sample, editor, measure));
}

// What is known of the chosen editor's work here besides its numbers.
function about(sample, editor) {
  const edit = editOf(sample, editor);
  const name = deck.editors[editor].name;
  const lines = [];
  if (edit === null) lines.push("It has not been asked yet.");
  else {
    if (edit.status !== "scored") lines.push(`${edit.status}. ${edit.reason}`);
    lines.push(...edit.notes);
    if (edit.seconds >= 0.001) lines.push(`made in ${edit.seconds.toLocaleString("en")} s`);
  }
  const remarks = new Map(); // what several measures say is said once
  const say = (remark, name) => remarks.set(remark, [...(remarks.get(remark) ?? []), name]);
  deck.measures.forEach((measure, place) => {
    const score = scoreOf(sample, editor, place);
    if (score === null || measure.judge) return; // what judges said stands in a list of its own
    if (score.value === null) say(`${score.status}. ${score.reason}`, measure.name);
    for (const remark of score.notes) say(remark, measure.name);
  });
  for (const [remark, names] of remarks) lines.push(`${names.join(", ")}: ${remark}`);
  return [make("h3", {}, `About ${name}`), make("ul", {}, ...lines.map((line) => make("li", {}, ...prose(line))))];
}
