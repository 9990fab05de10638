// The detail view: one sample, one editor, and the keys to move among them.
const detail = { at: 0, editor: 0, against: "source", reference: 0 };

function startDetail() {
  const dialog = byId("detail");
  startStage();
  startBoxes(showDetail);
  byId("previous").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  byId("close").addEventListener("click", () => dialog.close());
  byId("mask-toggle").addEventListener("click", toggleMask);
  byId("modes").addEventListener("click", (event) => setMode(event.target.dataset.mode));
  byId("againsts").addEventListener("click", (event) => setAgainst(event.target.dataset.against));
  document.addEventListener("keydown", (event) => dialog.open && detailKey(event));
  dialog.addEventListener("close", () => {
    document.body.append(byId("tip"));
    writeAddress({ sample: "", with: "" });
    goTo(detail.at);
  });
  const asked = readAddress().sample;
  const at = asked ? gallery.places.findIndex((place) => deck.samples[place].id === asked) : turnedTo();
  const editor = deck.editors.findIndex((one) => one.name === readAddress().with);
  if (at < 0) return;
  openDetail(at, editor < 0 ? null : editor);
  // An address that names a sample opens it before the thumbnails, which come last, have arrived.
  document.addEventListener("DOMContentLoaded", () => dialog.open && showDetail());
}

// Where the view goes on after a page was turned, or the sample that was asked for by its id.
function turnedTo() {
  const last = gallery.places.length - 1;
  if (paging?.asked.id) {
    const exact = deck.samples.findIndex((one) => one.id === paging.asked.id);
    return exact >= 0 ? exact : deck.samples.findIndex((one) => one.id.endsWith(paging.asked.id));
  }
  return { first: Math.min(0, last), last }[readAddress().at] ?? -1;
}

function openDetail(at, editor) {
  if (!deck.editors.length) return;
  detail.at = at;
  if (editor !== null) detail.editor = editor;
  const dialog = byId("detail");
  if (!dialog.open) dialog.showModal();
  dialog.append(byId("tip")); // what is outside an open dialog is not seen
  setZoom(1, 0, 0);
  showDetail();
}

function showDetail() {
  const place = gallery.places[detail.at];
  const sample = deck.samples[place];
  byId("detail-id").textContent = sample.id;
  const before = paging ? (paging.page - 1) * paging.size : 0;
  const count = paging ? paging.found : gallery.places.length;
  byId("detail-place").textContent = `${(before + detail.at + 1).toLocaleString("en")} of ${count.toLocaleString("en")}`;
  byId("previous").disabled = detail.at === 0 && !paging?.previous;
  byId("next").disabled = detail.at === gallery.places.length - 1 && !paging?.next;
  showStrip(place, sample);
  showStage(place, sample);
  const focused = focusedReference();
  showPanel(sample, detail.editor, pickEditor);
  showReferences(place, sample, focused);
  showInside(place, sample, detail.editor, against(sample));
  writeAddress({ at: "", sample: sample.id, with: deck.editors[detail.editor]?.name ?? "" });
}

function showStage(place, sample) {
  const beside = against(sample);
  const edit = editOf(sample, detail.editor);
  const before = beside === "reference" ? referenceShown(place, sample) : { name: beside, place, picture: sample[beside], absent: "not there" };
  const absent = edit ? [edit.status, edit.reason].filter(Boolean).join(": ") : "not run yet";
  const after = { name: deck.editors[detail.editor].name, place, picture: edit?.picture ?? null, absent };
  showAgainsts(sample);
  press("#modes button", (button) => button.dataset.mode === stage.mode);
  press("#againsts button", (button) => button.dataset.against === beside);
  document.querySelector('[data-against="target"]').disabled = sample.target === null;
  const masked = sample.masks.length > 0;
  byId("mask-toggle").disabled = !masked;
  byId("mask-toggle").hidden = !masked && Boolean(sample.frame || sample.refs);
  byId("mask-toggle").setAttribute("aria-pressed", String(stage.mask && masked));
  showBoxToggles(sample);
  showCrops(place, sample, after);
  showPair(before, after, sample.masks);
  fillBoxes(place, after);
  applyLayers();
}

function press(selector, isPressed) {
  for (const button of document.querySelectorAll(selector)) button.setAttribute("aria-pressed", String(isPressed(button)));
}

function showStrip(place, sample) {
  const buttons = deck.editors.map((editor, number) => {
    const edit = editOf(sample, number);
    const chosen = number === detail.editor;
    return make(
      "button",
      { type: "button", class: "tile", role: "radio", "aria-checked": String(chosen), tabindex: chosen ? "0" : "-1", onclick: () => pickEditor(number) },
      frame(place, edit?.picture ?? null, edit ? edit.status : "not run yet"),
      make("span", { class: "who" }, editor.name),
    );
  });
  const focused = byId("strip").contains(document.activeElement);
  byId("strip").replaceChildren(...buttons);
  if (focused) buttons[detail.editor].focus();
  scrollAlong(byId("strip"), buttons[detail.editor]);
}

// Bring a part of what scrolls sideways into view; the window itself stays where it is.
function scrollAlong(box, part) {
  if (!part) return;
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.left < outer.left) box.scrollLeft -= outer.left - inner.left;
  else if (inner.right > outer.right) box.scrollLeft += inner.right - outer.right;
}

function pickEditor(number) {
  detail.editor = number;
  showDetail();
}

function setMode(mode) {
  if (!mode) return;
  stage.mode = mode;
  showDetail();
}

function setAgainst(what) {
  if (!what) return;
  detail.against = what;
  showDetail();
}

function toggleMask() {
  stage.mask = !stage.mask;
  showDetail();
}

function step(by) {
  const at = detail.at + by;
  if (at < 0 || at >= gallery.places.length) {
    turnPage(by, deck.editors[detail.editor].name);
    return;
  }
  setCurrent(at);
  openDetail(at, null);
}

const turn = (by) => pickEditor((detail.editor + by + deck.editors.length) % deck.editors.length);

const DETAIL_KEYS = {
  j: () => step(1),
  ArrowRight: () => step(1),
  k: () => step(-1),
  ArrowLeft: () => step(-1),
  ArrowDown: () => turn(1),
  ArrowUp: () => turn(-1),
  1: () => setMode("slider"),
  2: () => setMode("side"),
  3: () => setMode("difference"),
  m: () => byId("mask-toggle").disabled || toggleMask(),
  r: () => toggleBoxes("region", showDetail),
  b: () => toggleBoxes("truth", showDetail),
  o: () => toggleBoxes("read", showDetail),
  z: () => zoomToRegion(),
  l: () => document.querySelector("#layer-list input")?.focus(),
  e: () => nextReference(),
  s: () => setAgainst("source"),
  t: () => setAgainst("target"),
  "+": () => zoomBy(1.5),
  "=": () => zoomBy(1.5),
  "-": () => zoomBy(1 / 1.5),
  0: () => setZoom(1, 0, 0),
};

function detailKey(event) {
  const key = plainKey(event);
  const arrows = key.startsWith("Arrow");
  const forth = key === "ArrowRight" || key === "ArrowDown";
  // Arrows belong to the slider and to what scrolls while it has the focus.
  if (arrows && event.target.closest("#slider, #panel")) return;
  if (arrows && event.target.closest(".block")) stepBlock(event.target, forth ? 1 : -1);
  else if (arrows && event.target.closest("#strip")) turn(forth ? 1 : -1);
  else if (DETAIL_KEYS[key]) DETAIL_KEYS[key]();
  else return;
  event.preventDefault();
}
