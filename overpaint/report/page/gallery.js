// The gallery: rows of one height, of which only those near the window exist.
const gallery = { places: [], current: -1, rows: new Map(), height: 0 };
const BEYOND = 4;
const [LEAST, MOST, GAP] = [92, 156, 12]; // pixels of a picture, and between two

function startGallery(open) {
  gallery.open = open;
  startChoices(() => {
    keepChoices();
    gallery.current = -1;
    refreshGallery();
  });
  addEventListener("scroll", soon(showRows), { passive: true });
  addEventListener("resize", soon(measureRows));
  document.addEventListener("keydown", galleryKey);
  // Thumbnails that came after the first rows were drawn.
  document.addEventListener("DOMContentLoaded", redrawRows);
  if (matchMedia("(max-width: 52rem)").matches) byId("chooser").open = false;
  refreshGallery();
}

function soon(action) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      action();
    });
  };
}

function refreshGallery() {
  gallery.places = chosenSamples();
  byId("gallery-count").replaceChildren(...(paging ? toldOfPage() : toldOfAll()));
  measureRows();
}

// Which measure's numbers stand below the pictures.
function toldOfNumbers() {
  const measure = deck.measures[choice.measure];
  return measure ? ` Below each picture: ${measure.name} ${measure.up ? "↑" : "↓"}.` : "";
}

function toldOfAll() {
  const [found, here] = [gallery.places.length, deck.samples.length];
  const some = found === here ? "" : `${found.toLocaleString("en")} of `;
  const told = found ? `${some}${counted(here, "sample")}.` : "No sample fits.";
  const below = found ? toldOfNumbers() : "";
  if (deck.total === deck.samples.length) return [told + below];
  const all = deck.total.toLocaleString("en");
  const kinds = Object.values(deck.chosen ?? {});
  const why = kinds.length ? ` Of ${all} in the run: ${kinds.join("; ")}.` : "";
  const rest = deck.numbers ? make("a", { href: "samples" }, `All ${all}, page by page`) : "`overpaint view RUN` pages through the others.";
  return [`${told}${why} The tables count all ${all}.${below} `, ...(deck.numbers ? [rest] : prose(rest))];
}

function measureRows() {
  const narrow = matchMedia("(max-width: 52rem)").matches;
  const { tile, lines } = narrow ? { tile: 112, lines: 1 } : laidOut();
  byId("gallery").style.setProperty("--tile", `${tile}px`);
  const all = lines * (tile + labelHeight()) + (lines - 1) * GAP;
  // Padding; on a narrow screen the text above, and a bar to scroll by below.
  gallery.height = all + (narrow ? 24 + 132 : 32);
  byId("gallery").style.setProperty("--row", `${gallery.height}px`);
  byId("rows").style.height = `${gallery.places.length * gallery.height}px`;
  redrawRows();
}

// As large as lets all pictures of a sample stand side by side, within reason; else in lines.
function laidOut() {
  const count = deck.samples.reduce((most, sample) => Math.max(most, tileCount(sample)), 1);
  const room = byId("rows").clientWidth - 15.5 * 16 - 24 + GAP;
  const lines = Math.ceil(count / Math.max(1, Math.floor(room / (LEAST + GAP))));
  const tile = Math.floor(room / Math.ceil(count / lines)) - GAP;
  return { tile: Math.max(LEAST, Math.min(MOST, tile)), lines };
}

const tileCount = (sample) =>
  deck.editors.length + Number(!sample.bare) + (sample.refs ? 1 : sample.references.length) + Number(sample.target !== null);

// What stands below a picture, with the longest of names in as many lines as it takes here.
function labelHeight() {
  const names = deck.editors.map((editor) => make("span", { class: "who" }, editor.name));
  const probe = make("div", { class: "tile" }, make("span", { class: "frame" }), ...names, make("span", { class: "what" }, "0"));
  byId("rows").append(probe);
  const [frame, ...labels] = [...probe.children].map((part) => part.getBoundingClientRect());
  probe.remove();
  const number = labels.pop();
  return labels[0].top - frame.bottom + Math.max(...labels.map((label) => label.height)) + number.height;
}

function redrawRows() {
  byId("rows").replaceChildren();
  gallery.rows.clear();
  showRows();
}

function showRows() {
  const list = byId("rows");
  const top = -list.getBoundingClientRect().top;
  const first = Math.max(0, Math.floor(top / gallery.height) - BEYOND);
  const last = Math.min(gallery.places.length, Math.ceil((top + innerHeight) / gallery.height) + BEYOND);
  for (const [at, row] of gallery.rows) {
    if (at < first || at >= last) {
      row.remove();
      gallery.rows.delete(at);
    }
  }
  let before = list.firstChild;
  for (let at = first; at < last; at++) {
    let row = gallery.rows.get(at);
    if (!row) {
      row = makeRow(at);
      gallery.rows.set(at, row);
      list.insertBefore(row, before);
    }
    before = row.nextSibling;
  }
}

function makeRow(at) {
  const place = gallery.places[at];
  const sample = deck.samples[place];
  const title = make("button", { type: "button", class: "row-title", onclick: () => openAt(at, null) }, sample.id);
  const row = make(
    "div",
    { class: at === gallery.current ? "row current" : "row", role: "listitem", "aria-setsize": gallery.places.length, "aria-posinset": at + 1 },
    make("div", { class: "row-text" }, title, make("p", { class: "say" }, sample.say),
      make("p", { class: "chips" }, sample.tags.map(word).join(" · ")), whyHere(sample)),
    make("div", { class: "tiles" }, ...tiles(at, place, sample)),
  );
  row.style.top = `${at * gallery.height}px`;
  return row;
}

// Why a card is in a gallery that cannot hold all.
function whyHere(sample) {
  if (!sample.why) return null;
  const told = Object.entries(sample.why).map(([kind, rank]) => {
    if (kind === "random") return "drawn at random";
    const by = kind === "disputed" ? `: ${sample.apart} lie apart` : "";
    return `no. ${rank.toLocaleString("en")} of the ${WHYS[kind]}${by}`;
  });
  return make("p", { class: "chips why" }, told.join(" · "));
}

function tiles(at, place, sample) {
  const made = sample.bare ? [] : [tile(at, frame(place, sample.source, "not there"), "source", "", null)];
  if (sample.refs) made.push(referenceTile(at, place, sample));
  else sample.references.forEach((picture, number) => {
    made.push(tile(at, frame(place, picture, "not there"), `reference ${number + 1}`, "", null));
  });
  if (sample.target !== null) made.push(tile(at, frame(place, sample.target, ""), "target", "", null));
  deck.editors.forEach((editor, number) => {
    const edit = editOf(sample, number);
    const picture = frame(place, edit?.picture ?? null, edit ? edit.status : "not run yet");
    const measure = choice.measure;
    const told = deck.measures.length ? shortScore(sample, number, measure) : "";
    made.push(tile(at, picture, editor.name, told, number));
  });
  return made;
}

function tile(at, picture, who, what, editor) {
  return make(
    "button",
    { type: "button", class: editor === null ? "tile reference" : "tile", title: what ? `${who}: ${what}` : who, onclick: () => openAt(at, editor) },
    picture,
    make("span", { class: "who" }, who),
    make("span", { class: "what" }, what || "\u00a0"),
  );
}

function openAt(at, editor) {
  setCurrent(at);
  gallery.open(at, editor);
}

function setCurrent(at) {
  gallery.rows.get(gallery.current)?.classList.remove("current");
  gallery.current = at;
  gallery.rows.get(at)?.classList.add("current");
}

// Bring a row into view and give it the focus.
function goTo(at) {
  if (at < 0 || at >= gallery.places.length) return;
  setCurrent(at);
  const list = byId("rows").getBoundingClientRect();
  const top = list.top + at * gallery.height;
  if (top < 70) scrollBy({ top: top - 70, behavior: "instant" });
  else if (top + gallery.height > innerHeight) scrollBy({ top: top + gallery.height - innerHeight, behavior: "instant" });
  showRows();
  gallery.rows.get(at)?.querySelector(".row-title").focus({ preventScroll: true });
}

function galleryKey(event) {
  if (byId("detail").open) return;
  const key = plainKey(event);
  if (key === "/") byId("search").focus();
  else if (key === "j") goTo(nearest(1));
  else if (key === "k") goTo(nearest(-1));
  else if (paging && key === "n") turnPage(1);
  else if (paging && key === "p") turnPage(-1);
  else return;
  event.preventDefault();
}

// The next row from the current one, or from the first that is seen.
function nearest(step) {
  if (gallery.current >= 0) return Math.max(0, Math.min(gallery.places.length - 1, gallery.current + step));
  const top = 70 - byId("rows").getBoundingClientRect().top;
  return Math.max(0, Math.ceil(top / gallery.height));
}
