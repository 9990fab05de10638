// References: the pictures and words that guide a result, each with its name, kind and own score.
const MOST_SMALL = 6; // pictures in one tile of the gallery
const ALIGNED = ["canny", "sketch", "depth", "semantic_map", "bbox", "mask", "pose"]; // stand where the result has them

const pictured = (sample) => (sample.refs ?? []).filter((ref) => ref.picture !== null);
const kindOf = (ref) => word(ref.kind).replaceAll("_", " ");
const nameOf = (ref) => ref.name || kindOf(ref) || "reference";

// A thumbnail in the reference's own form, whatever form the cells of its sample's sprite have.
function refPicture(place, ref) {
  if (unreadable(place, ref.picture)) return make("span", { class: "frame" }, "cannot be read");
  const inside = make("span", { class: "pic" });
  const cell = paintThumb(inside, place, ref.picture);
  const form = ref.form || cell || 1;
  if (cell !== null) cropToForm(inside, deck.samples[place].pictures.length, ref.picture, form / cell);
  inside.style.setProperty("--form", String(form));
  return make("span", { class: "frame ref-pic" }, inside);
}

// Where a picture is narrower or lower than its cell, the cell's bands stay outside.
function cropToForm(element, cells, picture, share) {
  // A hair less than the whole: bands are whole pixels, and a sliver of one would be seen.
  const [across, up] = [share < 1 ? share * 0.985 : 1, share > 1 ? share * 1.015 : 1];
  element.style.backgroundSize = `${(cells * 100) / across}% ${100 * up}%`;
  const left = cells > across ? (picture + (1 - across) / 2) / (cells - across) : 0;
  element.style.backgroundPosition = `${left * 100}% 50%`;
}

// ── in the gallery ────────────────────────────────────────────────────────────────────────

function referenceTile(at, place, sample) {
  const found = pictured(sample);
  const few = found.length > MOST_SMALL ? found.slice(0, MOST_SMALL - 1) : found;
  const cells = few.map((ref) => refPicture(place, ref));
  if (few.length < found.length) cells.push(make("span", { class: "frame" }, `+${found.length - few.length}`));
  if (!cells.length) cells.push(make("span", { class: "frame" }, sample.refs[0].text || "no picture"));
  const columns = cells.length > 2 ? 2 : 1;
  const odd = columns === 2 && cells.length % 2 === 1;
  const grid = make("span", { class: odd ? "ref-grid odd" : "ref-grid" }, ...cells);
  grid.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
  grid.style.gridTemplateRows = `repeat(${Math.max(1, Math.ceil(cells.length / columns))}, 1fr)`;
  const told = sample.refs.map((ref) => [ref.name, kindOf(ref)].filter(Boolean).join(": ")).join(", ");
  return make(
    "button",
    { type: "button", class: "tile reference", title: told, onclick: () => openAt(at, null) },
    grid,
    make("span", { class: "who" }, counted(sample.refs.length, "reference")),
    make("span", { class: "what" }, kindsTold(sample)),
  );
}

function kindsTold(sample) {
  const count = new Map();
  for (const ref of sample.refs) count.set(kindOf(ref) || nameOf(ref), (count.get(kindOf(ref) || nameOf(ref)) ?? 0) + 1);
  return [...count].map(([kind, n]) => (n > 1 ? `${n} × ${kind}` : kind)).join(", ");
}

// ── beside one result ─────────────────────────────────────────────────────────────────────

// Which reference has the focus, before all of them are drawn anew.
const focusedReference = () => document.activeElement?.closest?.("button.ref")?.dataset.number;

// Right below the picture that they are held against on a narrow screen, else in the panel.
function showReferences(place, sample, focused) {
  const rooms = [byId("reference-room"), byId("panel-references")];
  const narrow = matchMedia("(max-width: 60rem)").matches;
  const room = narrow || !rooms[1] ? rooms[0] : rooms[1];
  rooms[0].replaceChildren();
  rooms[1]?.replaceChildren();
  if (!sample.refs) return;
  const words = sample.refs.filter((ref) => ref.picture === null).map((ref) => wordsCard(sample, ref));
  const cards = pictured(sample).map((ref, number) => pictureCard(place, sample, ref, number));
  room.append(
    make("h3", {}, "References"),
    ...(cards.length ? [make("div", { class: "refs", role: "group", "aria-label": "Compare with a reference" }, ...cards)] : []),
    ...words,
  );
  if (focused !== undefined) cards[Number(focused)]?.focus({ preventScroll: true });
}

function pictureCard(place, sample, ref, number) {
  const chosen = against(sample) === "reference" && referenceAt(sample) === number;
  return make(
    "button",
    { type: "button", class: "ref", "data-number": number, "aria-pressed": String(chosen), "data-tip": scoreTip(sample, ref), onclick: () => setReference(chosen ? null : number) },
    refPicture(place, ref),
    make("span", { class: "ref-told" }, make("span", { class: "ref-name" }, nameOf(ref)), ...toldOf(ref), scoreLine(sample, ref)),
  );
}

function wordsCard(sample, ref) {
  return make(
    "div",
    { class: "ref words", "data-tip": scoreTip(sample, ref), tabindex: scoreTip(sample, ref) ? "0" : null },
    make("span", { class: "ref-told" }, make("span", { class: "ref-kind" }, capital(kindOf(ref)), byline(ref)), make("q", {}, ref.text), scoreLine(sample, ref)),
  );
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
const byline = (ref) => (word(ref.by) ? `, found by ${word(ref.by)}` : "");

function toldOf(ref) {
  const kind = kindOf(ref) ? make("span", { class: "ref-kind" }, capital(kindOf(ref)), ...(ref.text ? [" ", make("q", {}, ref.text)] : [])) : null;
  const by = word(ref.by) ? make("span", { class: "ref-kind" }, `found by ${word(ref.by)}`) : null;
  return [kind, by];
}

// The chosen editor's score for this kind: its own measure, or the first that has a number.
function columnFor(sample, ref) {
  const columns = deck.kinds?.[word(ref.kind)] ?? [];
  return columns.find((measure) => valueOf(sample, detail.editor, measure) !== null) ?? columns[0];
}

function scoreLine(sample, ref) {
  const column = columnFor(sample, ref);
  if (column === undefined) return null;
  const { name, up } = deck.measures[column];
  const same = sample.refs.filter((other) => other.kind === ref.kind);
  const score = scoreOf(sample, detail.editor, column);
  const [absent, whole] = [(score?.value ?? null) === null, shortScore(sample, detail.editor, column)];
  const own = absent ? null : ownNumber(score, same.length, same.indexOf(ref));
  const all = absent || same.length < 2 ? "" : own === null ? ` for all ${same.length}` : `, ${whole} for all ${same.length}`;
  const number = make("b", { class: absent ? "absent" : null }, own === null ? whole : shown(own, column));
  return make("span", { class: "ref-score" }, number, ` ${name}\u00a0${up ? "↑" : "↓"}${all}`);
}

// Of several references of a kind a measure notes the number of each, in their order.
function ownNumber(score, count, at) {
  const listed = score.notes.map((note) => note.split(", ").map(Number));
  const found = listed.find((numbers) => count > 1 && numbers.length === count && numbers.every(Number.isFinite));
  return found ? found[at] : null;
}

function scoreTip(sample, ref) {
  const column = columnFor(sample, ref);
  const score = column === undefined ? null : scoreOf(sample, detail.editor, column);
  return score ? [score.reason, ...score.notes].filter(Boolean).join("\n") || null : null;
}

// ── on the stage ──────────────────────────────────────────────────────────────────────────

const referenceAt = (sample) => Math.max(0, Math.min(detail.reference, pictured(sample).length - 1));

// What an output can be held against; an empty canvas only where there is nothing else.
function against(sample) {
  const there = { source: !sample.bare, target: sample.target !== null, reference: pictured(sample).length > 0 };
  const wanted = [detail.against, ...(sample.bare ? ["target", "reference"] : [])];
  return wanted.find((what) => there[what]) ?? "source";
}

const AGAINSTS = [["source", "Source", "s"], ["target", "Target", "t"], ["reference", "Reference", "e"]];

// The choice between source and target, less an empty source, and references where there are some.
function showAgainsts(sample) {
  const gone = { source: sample.bare, reference: pictured(sample).length === 0 };
  const wanted = AGAINSTS.filter(([what]) => !gone[what]);
  const there = [...byId("againsts").children].map((button) => button.dataset.against);
  if (there.join() === wanted.map(([what]) => what).join()) return;
  byId("againsts").replaceChildren(...wanted.map(([what, text, key]) => make("button", { type: "button", "data-against": what, title: key }, text)));
}

function referenceShown(place, sample) {
  const ref = pictured(sample)[referenceAt(sample)];
  return { name: nameOf(ref), place, picture: ref.picture, absent: "not there", fitted: true };
}

// Hold the output against one reference; null goes back to what is usual.
function setReference(number) {
  detail.against = number === null ? "source" : "reference";
  const ref = number === null ? null : pictured(deck.samples[gallery.places[detail.at]])[number];
  if (ref) detail.reference = number;
  if (ref && !ALIGNED.includes(word(ref.kind)) && stage.mode !== "side") stage.mode = "side";
  showDetail();
}

function nextReference() {
  const sample = deck.samples[gallery.places[detail.at]];
  const count = pictured(sample).length;
  if (count) setReference(against(sample) === "reference" ? (referenceAt(sample) + 1) % count : referenceAt(sample));
}
