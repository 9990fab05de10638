// Which samples the gallery shows, and in which order.
const choice = { q: "", tags: {}, why: "", status: "", sort: "order", measure: 0, editor: 0, direction: "down" };
const STATUS_CHOICES = [
  ["", "any"],
  ["missing", "something missing"],
  ["complete", "nothing missing"],
  ["noted", "with notes"],
];

const DIRECTIONS = {
  order: ["as it is", "as it is"],
  id: ["A to Z", "Z to A"],
  score: ["worst first", "best first"],
  disagreement: ["largest first", "smallest first"],
};

// Why a sample is in a gallery that cannot hold all.
const WHYS = { worst: "worst", disputed: "most disputed", random: "at random" };

function startChoices(changed) {
  if (paging) {
    startPaging();
    return;
  }
  const kinds = Object.keys(deck.chosen ?? {});
  byId("why-label").hidden = !kinds.length;
  options(byId("why-choice"), [["", "all that are here"], ...kinds.map((kind) => [kind, whyTold(kind)])]);
  const measures = deck.measures.map((measure, place) => [place, `${measure.name} ${measure.up ? "↑" : "↓"}`]);
  options(byId("measure-choice"), measures);
  options(byId("editor-choice"), deck.editors.map((editor, place) => [place, editor.name]));
  options(byId("status-choice"), STATUS_CHOICES);
  byId("tag-choices").replaceChildren(...deck.tags.map(tagChoice));
  recallChoices();
  const read = () => {
    readChoices();
    changed();
  };
  byId("choices").addEventListener("input", read);
  byId("choices").addEventListener("reset", () => setTimeout(read));
  byId("choices").addEventListener("submit", (event) => event.preventDefault());
  readChoices();
}

const whyTold = (kind) => `${deck.samples.filter((sample) => kind in sample.why).length.toLocaleString("en")} ${WHYS[kind]}`;

function tagChoice(tag, place) {
  const count = new Map();
  for (const sample of deck.samples) count.set(sample.tags[place], (count.get(sample.tags[place]) ?? 0) + 1);
  const values = [...count].sort((a, b) => b[1] - a[1]);
  const select = make("select", { "data-tag": place });
  options(select, [["", "all"], ...values.map(([value, n]) => [value, `${word(value)} (${n})`])]);
  return make("label", {}, `${tag} `, select);
}

function readChoices() {
  choice.q = byId("search").value.trim();
  choice.why = byId("why-choice").value;
  choice.status = byId("status-choice").value;
  choice.sort = byId("sort-choice").value;
  choice.measure = Number(byId("measure-choice").value);
  choice.editor = Number(byId("editor-choice").value);
  choice.direction = byId("direction-choice").value;
  choice.tags = {};
  for (const select of document.querySelectorAll("[data-tag]")) {
    if (select.value !== "") choice.tags[select.dataset.tag] = Number(select.value);
  }
  DIRECTIONS[choice.sort].forEach((text, place) => (byId("direction-choice").options[place].text = text));
  byId("editor-choice").disabled = choice.sort !== "score";
  byId("direction-choice").disabled = choice.sort === "order";
}

// ── in the address, by name: numbers of tags and editors may change as a run goes on ──────

function recallChoices() {
  const state = readAddress();
  const place = (list, name) => Math.max(0, list.findIndex((one) => one.name === name));
  byId("search").value = state.q ?? "";
  byId("status-choice").value = state.status ?? "";
  byId("why-choice").value = deck.chosen && state.why in deck.chosen ? state.why : "";
  byId("sort-choice").value = state.sort in DIRECTIONS ? state.sort : "order";
  byId("measure-choice").value = place(deck.measures, state.measure);
  byId("editor-choice").value = place(deck.editors, state.editor);
  byId("direction-choice").value = state.direction === "up" ? "up" : "down";
  deck.tags.forEach((tag, number) => {
    const value = deck.words.indexOf(state[`tag.${tag}`] ?? null);
    const select = document.querySelector(`[data-tag="${number}"]`);
    select.value = value < 0 ? "" : String(value);
    if (select.selectedIndex < 0) select.value = "";
  });
}

function keepChoices() {
  const usual = (value, normal) => (value === normal ? "" : value);
  const state = {
    q: choice.q,
    why: choice.why,
    status: choice.status,
    sort: usual(choice.sort, "order"),
    direction: usual(choice.direction, "down"),
    measure: choice.measure ? deck.measures[choice.measure].name : "",
    editor: choice.editor ? deck.editors[choice.editor].name : "",
  };
  deck.tags.forEach((tag, number) => {
    state[`tag.${tag}`] = number in choice.tags ? word(choice.tags[number]) : "";
  });
  writeAddress(state);
}

// ── filtering and sorting ─────────────────────────────────────────────────────────────────

function chosenSamples() {
  if (paging) return deck.samples.map((_, place) => place);
  const needles = choice.q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  deck.samples.forEach((sample, place) => {
    if (fits(sample, needles)) found.push(place);
  });
  return sorted(found);
}

function fits(sample, needles) {
  for (const [tag, value] of Object.entries(choice.tags)) if (sample.tags[tag] !== value) return false;
  if (needles.length) {
    const text = `${sample.id} ${sample.say}`.toLowerCase();
    if (!needles.every((needle) => text.includes(needle))) return false;
  }
  if (choice.why && !(choice.why in sample.why)) return false;
  if (choice.status === "missing") return lacking(sample);
  if (choice.status === "complete") return !lacking(sample);
  return choice.status === "noted" ? noted(sample) : true;
}

// Outside the count is not missing.
function lacking(sample) {
  return deck.editors.some((_, editor) =>
    deck.measures.some((_, measure) => {
      const score = scoreOf(sample, editor, measure);
      return score === null || (score.value === null && !["identical", "not applicable"].includes(score.status));
    }),
  );
}

function noted(sample) {
  const scored = sample.scores.some((row) => row.some((score) => Array.isArray(score) && score.length > 3));
  return scored || sample.edits.some((edit) => edit !== null && edit.length > 4);
}

function sorted(places) {
  const samples = deck.samples;
  if (choice.sort === "order") {
    return choice.why ? places.sort((a, b) => samples[a].why[choice.why] - samples[b].why[choice.why]) : places;
  }
  const turn = choice.direction === "up" ? 1 : -1;
  if (choice.sort === "id") {
    const order = new Intl.Collator("en", { numeric: true });
    return places.sort((a, b) => -turn * order.compare(samples[a].id, samples[b].id));
  }
  const key = choice.sort === "score" ? goodness : (sample) => -disagreement(sample);
  const keys = new Map(places.map((place) => [place, key(samples[place])]));
  return places.sort((a, b) => compareKeys(keys.get(a), keys.get(b), turn) || a - b);
}

// "down" puts the worst, or the largest disagreement, first; without a value a sample is last.
function compareKeys(a, b, turn) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return -turn * (a - b);
}

function goodness(sample) {
  const value = valueOf(sample, choice.editor, choice.measure);
  if (value === null) return NaN;
  return deck.measures[choice.measure].up ? value : -value;
}

const rivals = deck.editors.flatMap((editor, place) => (editor.role === "editor" ? [place] : []));

// How far the editors lie apart; floors and ceilings count only where no editor does.
function disagreement(sample) {
  const who = rivals.length > 1 ? rivals : deck.editors.map((_, place) => place);
  const values = who.map((editor) => valueOf(sample, editor, choice.measure)).filter((v) => v !== null);
  return values.length > 1 ? Math.max(...values) - Math.min(...values) : NaN;
}
