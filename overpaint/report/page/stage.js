// The stage: two pictures one over the other or side by side, with zoom, difference and mask.
const stage = { mode: "slider", zoom: 1, x: 0, y: 0, split: 50, sheets: [], ratio: 1, mask: false };

function startStage() {
  const box = byId("stage");
  byId("slider").addEventListener("input", () => setSplit(Number(byId("slider").value)));
  byId("gain").addEventListener("change", setGain);
  byId("zoom-in").addEventListener("click", () => zoomBy(1.5));
  byId("zoom-out").addEventListener("click", () => zoomBy(1 / 1.5));
  byId("zoom-fit").addEventListener("click", () => setZoom(1, 0, 0));
  box.addEventListener("wheel", wheel, { passive: false });
  box.addEventListener("pointerdown", grab);
  box.addEventListener("dblclick", () => (stage.zoom > 1 ? setZoom(1, 0, 0) : zoomBy(3)));
  new ResizeObserver(() => placeSheets()).observe(box);
  setGain();
}

// before and after: { name, place, picture, absent }; masks: names of pictures.
function showPair(before, after, masks) {
  stage.masks = masks;
  stage.place = before.place;
  stage.ratio = 1;
  const box = byId("stage");
  const panes = stage.mode === "side" ? [["before"], ["after"]] : [["before", "after"]];
  stage.sheets = panes.map((sides) => makeSheet({ before, after }, sides));
  box.replaceChildren(...stage.sheets.map((sheet) => make("div", { class: "pane" }, sheet)));
  box.className = stage.mode;
  byId("stage-note").replaceChildren();
  byId("gain-label").hidden = stage.mode !== "difference";
  byId("slider").style.visibility = stage.mode === "slider" ? "visible" : "hidden";
  byId("left-told").textContent = stage.mode === "difference" ? "" : before.name;
  byId("right-told").textContent = stage.mode === "difference" ? "" : after.name;
  if (stage.mode === "difference") noteDifference(before, after);
  if (stage.mask) note("Orange: what may change.");
  setSplit(stage.split);
  placeSheets();
}

function makeSheet(pictures, sides) {
  // A reference may have another form than the result, whose form the stage then has.
  const lead = pictures.before.fitted && pictures.after.picture !== null ? "after" : sides[0];
  const pile = make("div", { class: "pile" }, ...sides.map((side) => layer(pictures[side], side === lead)));
  const sheet = make("div", { class: `sheet ${stage.mode}` }, pile);
  if (stage.mask) sheet.append(maskLayer());
  sheet.append(...boxLayers(deck.samples[stage.place], sides));
  if (stage.mode === "slider") sheet.append(make("div", { class: "edge" }));
  return sheet;
}

function maskLayer() {
  const sources = stage.masks.map((name) => make("img", { src: pictureAddress(name), alt: "" }));
  return make("div", { class: "masks" }, ...sources);
}

// The thumbnail at once, the original over it when it has come.
function layer(shownHere, leads) {
  const { place, picture, absent, name, fitted } = shownHere;
  if (picture === null) return make("div", { class: "layer none" }, `${name}: ${absent}`);
  const element = make("div", { class: fitted ? "layer fitted" : "layer", "data-picture": picture });
  const ratio = paintThumb(element, place, picture);
  if (ratio && stage.ratio === 1) stage.ratio = ratio;
  const image = make("img", { alt: name, draggable: "false" });
  image.addEventListener("load", () => {
    element.classList.add("whole");
    element.style.backgroundImage = "";
    if (!leads) return;
    stage.ratio = image.naturalWidth / image.naturalHeight;
    stage.pixels = image.naturalWidth;
    placeSheets();
  });
  image.addEventListener("error", () => note("The original is not beside this page; this is its thumbnail."));
  image.src = pictureAddress(deck.samples[place].pictures[picture]);
  element.append(image);
  return element;
}

function note(text) {
  const line = byId("stage-note");
  if (!line.textContent.includes(text)) line.append(make("span", {}, `${text} `));
}

function noteDifference(before, after) {
  const told = `Difference of ${after.name} and ${before.name}: none `;
  byId("stage-note").append(make("span", { class: "legend" }, told, make("span", { class: "ramp" }), " most "));
}

function setGain() {
  const row = Array(3).fill((Number(byId("gain").value) / 3).toFixed(3)).join(" ");
  byId("heat-gain").setAttribute("values", `${row} 0 0  ${row} 0 0  ${row} 0 0  0 0 0 1 0`);
}

function setSplit(share) {
  stage.split = Math.max(0, Math.min(100, share));
  byId("slider").value = String(stage.split);
  byId("slider").setAttribute("aria-valuetext", `${Math.round(stage.split)} % before`);
  if (stage.mode !== "slider") return;
  const sheet = stage.sheets[0];
  const after = `inset(0 0 0 ${stage.split}%)`;
  sheet.firstChild.lastChild.style.clipPath = after;
  sheet.querySelector(".boxes.read")?.style.setProperty("clip-path", after);
  sheet.querySelector(".boxes.truth")?.style.setProperty("clip-path", `inset(0 ${100 - stage.split}% 0 0)`);
  sheet.querySelector(".edge").style.left = `${stage.split}%`;
}

// ── zoom ──────────────────────────────────────────────────────────────────────────────────

function placeSheets() {
  for (const sheet of stage.sheets) {
    const pane = sheet.parentNode.getBoundingClientRect();
    // Whole pixels: a picture that ends between two mixes with what is behind it.
    const width = Math.floor(Math.min(pane.width, pane.height * stage.ratio));
    const height = Math.floor(width / stage.ratio);
    sheet.style.width = `${width}px`;
    sheet.style.height = `${height}px`;
    sheet.style.setProperty("--zoom", String(stage.zoom));
    const x = Math.round(pane.width / 2 + stage.x * width - (width * stage.zoom) / 2);
    const y = Math.round(pane.height / 2 + stage.y * height - (height * stage.zoom) / 2);
    sheet.style.transform = `translate(${x}px, ${y}px) scale(${stage.zoom})`;
    const scale = stage.pixels ? (width * stage.zoom) / stage.pixels : 1;
    sheet.classList.toggle("crisp", scale > 2);
    byId("zoom-told").textContent = stage.zoom === 1 ? "fit" : `${Math.round(scale * 100)} %`;
  }
  byId("stage").classList.toggle("zoomed", stage.zoom > 1);
}

// x and y: how far the middle has moved, in widths and heights of the fitted picture.
function setZoom(zoom, x, y) {
  stage.zoom = Math.max(1, Math.min(32, zoom));
  const reach = (stage.zoom - 1) / 2 + 0.001;
  stage.x = Math.max(-reach, Math.min(reach, x));
  stage.y = Math.max(-reach, Math.min(reach, y));
  placeSheets();
}

function zoomBy(factor, at = [0, 0]) {
  const zoom = Math.max(1, Math.min(32, stage.zoom * factor));
  const grown = zoom / stage.zoom;
  setZoom(zoom, at[0] - (at[0] - stage.x) * grown, at[1] - (at[1] - stage.y) * grown);
}

function wheel(event) {
  event.preventDefault();
  zoomBy(Math.exp(-event.deltaY / 400), positionIn(event));
}

// Where the pointer is, from the middle of its pane, in widths and heights of the picture.
function positionIn(event) {
  const sheet = stage.sheets.find((one) => one.parentNode.contains(event.target)) ?? stage.sheets[0];
  const pane = sheet.parentNode.getBoundingClientRect();
  const x = (event.clientX - pane.left - pane.width / 2) / sheet.offsetWidth;
  const y = (event.clientY - pane.top - pane.height / 2) / sheet.offsetHeight;
  return [x, y];
}

// A drag moves the edge of the slider, or the picture once it is zoomed and not at the edge.
function grab(event) {
  if (event.button !== 0) return;
  const box = byId("stage");
  const onEdge = event.target.closest(".edge") !== null;
  const sliding = stage.mode === "slider" && (stage.zoom === 1 || onEdge);
  const [startX, startY] = positionIn(event);
  const [fromX, fromY] = [stage.x, stage.y];
  const move = (now) => {
    const [x, y] = positionIn(now);
    if (sliding) setSplit(((x - stage.x) / stage.zoom + 0.5) * 100);
    else setZoom(stage.zoom, fromX + x - startX, fromY + y - startY);
  };
  const stop = () => {
    box.removeEventListener("pointermove", move);
    box.removeEventListener("pointerup", stop);
    box.removeEventListener("pointercancel", stop);
  };
  box.setPointerCapture(event.pointerId);
  box.addEventListener("pointermove", move);
  box.addEventListener("pointerup", stop);
  box.addEventListener("pointercancel", stop);
  if (sliding) move(event);
}
