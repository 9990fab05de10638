// Boxes on pages: the edited region, the truth's blocks, and the blocks read in an output.
// A sample's frame is [width, height, left, top, right, bottom] in pixels of the truth.
const boxes = { region: true, truth: false, read: false, known: new Map() };
const TOLD = { same: "as in the truth", differs: "with other text", alone: "without a partner" };

const regionOf = (sample) => (sample.frame?.length === 6 ? sample.frame.slice(2) : null);

// What is known of a sample's pages: { truth, read, texts }, or null. Unpacked when first asked for.
function blocksOf(place) {
  if (!boxes.known.has(place)) boxes.known.set(place, unpacked("blocks", place).catch(() => null));
  return boxes.known.get(place);
}

// ── what to draw ──────────────────────────────────────────────────────────────────────────

// The blocks read in a picture: { box, state, tip } each, in the order in which one reads.
function readBlocks(found, picture) {
  return (found.read[picture] ?? []).map(([left, top, right, bottom, text, partner, alike]) => {
    const state = partner < 0 ? "alone" : alike ? "same" : "differs";
    const truth = partner < 0 ? "" : `\ntruth: ${found.texts[found.truth[partner][4]]}`;
    const tip = state === "same" ? found.texts[text] : `read: ${found.texts[text] || "nothing"}${truth}`;
    return { box: [left, top, right, bottom], state, tip: partner < 0 ? `${tip}\nno such block in the truth` : tip };
  });
}

// The truth's blocks, and what became of each in a picture.
function truthBlocks(found, picture) {
  const read = found.read[picture];
  const partners = new Map((read ?? []).filter((one) => one[5] >= 0).map((one) => [one[5], one]));
  return (found.truth ?? []).map(([left, top, right, bottom, text], place) => {
    const partner = partners.get(place);
    const state = !read ? "plain" : !partner ? "alone" : partner[6] ? "same" : "differs";
    const told = { alone: "\nnot found in the output", differs: `\nread: ${found.texts[partner?.[4]]}` };
    return { box: [left, top, right, bottom], state, tip: `${found.texts[text]}${told[state] ?? ""}` };
  });
}

// ── drawing ───────────────────────────────────────────────────────────────────────────────

function rectangle([left, top, right, bottom], attributes) {
  return draw("rect", { x: left, y: top, width: right - left, height: bottom - top, ...attributes });
}

// One block has the tab stop, arrows lead to the others.
function drawBlocks(layer, blocks, told) {
  const shapes = blocks.map(({ box, state, tip }, place) =>
    rectangle(box, { class: `block ${state}`, tabindex: place === 0 ? "0" : "-1", role: "img", "aria-label": tip, "data-tip": tip }),
  );
  layer.setAttribute("role", "group");
  layer.setAttribute("aria-label", told);
  layer.replaceChildren(...shapes);
}

function stepBlock(block, by) {
  const all = [...block.parentNode.children];
  const next = all[(all.indexOf(block) + by + all.length) % all.length];
  block.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

const boxLayer = (frame, kind) =>
  draw("svg", { class: `boxes ${kind}`, viewBox: `0 0 ${frame[0]} ${frame[1]}`, preserveAspectRatio: "none" });

// Empty layers over a sheet of the stage, to be filled once the blocks are there.
function boxLayers(sample, sides) {
  if (!sample.frame) return [];
  const layers = [];
  const region = regionOf(sample);
  if (boxes.truth && sides.includes("before")) layers.push(boxLayer(sample.frame, "truth"));
  if (boxes.read && sides.includes("after")) layers.push(boxLayer(sample.frame, "read"));
  if (boxes.region && region) {
    const layer = boxLayer(sample.frame, "where");
    layer.append(rectangle(region, { class: "region" }));
    layers.push(layer);
  }
  return layers;
}

async function fillBoxes(place, after) {
  const wanted = document.querySelectorAll("#look .boxes.truth, #look .boxes.read");
  if (!wanted.length) return;
  const found = await blocksOf(place);
  if (![...wanted].some((layer) => layer.isConnected)) return; // another sample is shown by now
  if (found === null) return note(unknownBlocks(place));
  for (const layer of wanted) {
    const ofTruth = layer.classList.contains("truth");
    const blocks = ofTruth ? truthBlocks(found, after.picture) : readBlocks(found, after.picture);
    drawBlocks(layer, blocks, ofTruth ? "Blocks of the truth" : `Blocks read in ${after.name}`);
  }
  tellBlocks(found, after);
}

function unknownBlocks(place) {
  const leftOut = deck.sprites !== null && boxes.lines.length > 0 && place >= boxes.lines.length;
  return leftOut ? "The blocks of this sample are left out to keep the file small; `overpaint view` shows them."
    : "What stands where on this sample's pages is not known.";
}

// Which colour is what, with how many blocks there are of each.
function tellBlocks(found, after) {
  if (!found.read[after.picture]) return note(`What was read in ${after.name} is not kept in this run.`);
  const blocks = boxes.read ? readBlocks(found, after.picture) : truthBlocks(found, after.picture);
  const parts = Object.entries(TOLD).map(([state, told]) => {
    const n = blocks.filter((block) => block.state === state).length;
    const swatch = draw("svg", { class: "swatch", "aria-hidden": "true" }, rectangle([1, 1, 13, 11], { class: `block ${state}` }));
    return make("span", {}, swatch, `${n.toLocaleString("en")} ${told}`);
  });
  const whose = boxes.read ? `Blocks read in ${after.name}: ` : "Blocks of the truth: ";
  byId("stage-note").append(make("span", { class: "box-legend" }, whose, ...parts));
}

// ── the edited region, enlarged ───────────────────────────────────────────────────────────

function showCrops(place, sample, after) {
  const region = regionOf(sample);
  const view = region && around(region, sample.frame);
  const arrangement = region ? arranged(view, sample.frame) : "";
  byId("crops").hidden = !arrangement;
  byId("look").className = `look ${arrangement}`;
  if (!arrangement) return byId("crops").replaceChildren();
  const pictures = [
    { name: "source", picture: sample.source, absent: "not there" },
    { name: "target", picture: sample.target, absent: "not there" },
    after,
  ];
  byId("crops").replaceChildren(...pictures.map((one) => crop(place, sample, view, one)));
}

// Where three crops are largest: beside the page or above it; nowhere if no larger than on it.
function arranged([, , width, height], [wide, high]) {
  const { clientWidth, clientHeight } = byId("look");
  if (matchMedia("(max-width: 60rem)").matches) return width < 0.8 * wide ? "above" : "";
  const page = Math.min(clientWidth / wide, clientHeight / high);
  const beside = Math.min((0.42 * clientWidth) / width, (clientHeight / 3 - 35) / height);
  const above = Math.min((clientWidth - 110) / width, (0.1 * innerHeight) / height);
  if (Math.max(beside, above) < 1.2 * page) return "";
  return above > 1.3 * beside ? "above" : "beside";
}

// The region with what stands beside it, as x, y, width and height.
function around([left, top, right, bottom], [wide, high]) {
  const room = Math.max(8, 0.25 * (bottom - top));
  const x = Math.max(0, left - room);
  const y = Math.max(0, top - room);
  return [x, y, Math.min(wide, right + room) - x, Math.min(high, bottom + room) - y];
}

function crop(place, sample, view, { name, picture, absent }) {
  const told = make("span", { class: "who" }, name === "target" ? "truth" : name);
  if (picture === null) return make("div", { class: "crop" }, told, make("span", { class: "quiet" }, absent));
  const [wide, high] = sample.frame;
  const image = draw("image", { href: pictureAddress(sample.pictures[picture]), width: wide, height: high, preserveAspectRatio: "none" });
  const sheet = draw("svg", { viewBox: view.join(" "), "aria-hidden": "true" }, image);
  if (boxes.region) sheet.append(rectangle(regionOf(sample), { class: "region" }));
  sheet.style.setProperty("--wide", String(view[2] / view[3]));
  const button = make("button", { type: "button", class: "crop", title: "Zoom the page to it (z)", onclick: zoomToRegion }, told, sheet);
  button.setAttribute("aria-label", `Edited region of ${told.textContent}: zoom the page to it`);
  image.addEventListener("error", () => sheet.replaceWith(make("span", { class: "quiet" }, "The original is not beside this page.")));
  return button;
}

function zoomToRegion() {
  const sample = deck.samples[stage.place];
  const region = regionOf(sample);
  if (region === null) return;
  const [wide, high] = sample.frame;
  const [x, y, width, height] = around(region, sample.frame);
  const sheet = stage.sheets[0];
  const pane = sheet.parentNode.getBoundingClientRect();
  const zoom = Math.min((pane.width * wide) / (sheet.offsetWidth * width), (pane.height * high) / (sheet.offsetHeight * height));
  setZoom(zoom, (0.5 - (x + width / 2) / wide) * Math.max(1, zoom), (0.5 - (y + height / 2) / high) * Math.max(1, zoom));
}

function startBoxes(again) {
  for (const button of document.querySelectorAll("#box-toggles button")) {
    button.addEventListener("click", () => toggleBoxes(button.dataset.boxes, again));
  }
}

function toggleBoxes(which, again) {
  if (byId("box-toggles").hidden) return;
  boxes[which] = !boxes[which];
  again();
}

function showBoxToggles(sample) {
  byId("box-toggles").hidden = !sample.frame;
  press("#box-toggles button", (button) => boxes[button.dataset.boxes]);
}
