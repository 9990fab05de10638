// Layers of the results: switched on and off, alone or together, in every picture that has them.
// `chosen` holds what was switched by hand, by a layer's id; all else is as the document has it.
const layers = { place: -1, chosen: new Map(), found: null, known: new Map() };
const MARK_TIPS = { kept: "as in the source", edited: "not as in the source", added: "not in the source" };

// What is inside a sample's results: { stacks, traces }, or null. Unpacked when first asked for.
function insideOf(place) {
  if (!layers.known.has(place)) layers.known.set(place, unpacked("inside", place).catch(() => null));
  return layers.known.get(place);
}

const isOn = (layer) => layers.chosen.get(layer.id) ?? layer.on;

async function showInside(place, sample, editor, against) {
  if (layers.place !== place) {
    layers.chosen.clear();
    layers.found = null;
    layers.place = place;
  }
  const room = byId("within");
  byId("layer-room").replaceChildren();
  if (!room) return;
  const found = await insideOf(place);
  if (byId("within") !== room) return; // another sample or editor has been chosen since
  layers.found = found;
  if (found === null) {
    room.replaceChildren(make("p", { class: "quiet" }, "Layers and trajectory are not in this file; overpaint view shows them."));
    return;
  }
  // On a narrow screen layers are switched right below the picture that they change.
  const beside = matchMedia("(max-width: 60rem)").matches ? byId("layer-room") : room;
  room.replaceChildren(...trajectorySection(found.traces[editor], editor));
  beside.prepend(...layerSection(sample, editor, against));
  applyLayers();
}

// ── the list ──────────────────────────────────────────────────────────────────────────────

const stackOf = (picture) => (picture === null || picture === undefined ? undefined : layers.found?.stacks[picture]);

function layerSection(sample, editor, against) {
  const made = editOf(sample, editor);
  const name = deck.editors[editor].name;
  const [mine, other] = [stackOf(made?.picture), stackOf(sample[against])];
  const main = mine?.layers ? mine : other?.layers ? other : null;
  const notes = layerNotes(mine, other, main);
  if (made && made.picture !== null && !mine && main) notes.push(`What ${name} made is one picture: its layers cannot be switched.`);
  const told = notes.map((text) => make("p", { class: "quiet layer-note" }, text));
  if (main === null) return told;
  const rows = [...main.layers].reverse().map((layer) => layerRow(layer, main === mine && Boolean(stackOf(sample.source))));
  const list = make("ul", { id: "layer-list", "aria-label": "Layers, uppermost first", onkeydown: stepLayer }, ...rows);
  const head = make("h3", {}, main === mine ? `Layers of ${name}` : `Layers of the ${against}`);
  return [head, layerButtons(main), list, ...told];
}

function layerNotes(mine, other, main) {
  const notes = [mine, other].flatMap((stack) => (stack?.error ? [stack.error] : []));
  if (main?.together) notes.push(`${main.layers.length - 1} of ${main.total} layers are listed; the lowest ${main.together} are switched together.`);
  const gone = mine?.gone ?? [];
  if (gone.length) notes.push(`Gone: ${gone.slice(0, 20).join(", ")}${gone.length > 20 ? " …" : ""}`);
  for (const text of new Set([...(mine?.notes ?? []), ...(other?.notes ?? [])])) notes.push(`When layers are switched, ${text}.`);
  return notes;
}

function layerButtons(main) {
  const all = (on) => () => choose(main.layers.map((layer) => [layer.id, on]));
  return make(
    "div",
    { class: "layer-buttons", role: "group", "aria-label": "All layers" },
    make("button", { type: "button", onclick: all(true) }, "All"),
    make("button", { type: "button", onclick: all(false) }, "None"),
    make("button", { type: "button", id: "layers-as-made", onclick: () => choose([]) }, "As made"),
    make("span", { class: "quiet", id: "layers-told", role: "status" }),
  );
}

function layerRow(layer, judged) {
  const box = make("input", { type: "checkbox", "data-layer": layer.id, onchange: () => switchLayer(layer, box.checked) });
  const picture = layer.picture ? make("img", { src: pictureAddress(layer.picture), alt: "", loading: "lazy", draggable: "false" }) : null;
  const about = [layer.kind, layer.mode, layer.picture ? "" : "nothing to be seen"].filter(Boolean).join(", ");
  const name = make("span", { class: "layer-name" }, make("b", {}, layer.name), make("small", {}, about));
  return make(
    "li",
    {},
    make("label", {}, box, make("span", { class: "layer-thumb" }, picture), name),
    layerMark(layer, judged),
    make("button", { type: "button", class: "solo", "data-solo": layer.id, "aria-pressed": "false", "aria-label": `Solo ${layer.name}`, onclick: () => solo(layer) }, "Solo"),
  );
}

// Of an output: what became of the layer, and whether that was right. Of a source: what should.
function layerMark(layer, judged) {
  const mark = layer.mark ?? (judged ? "kept" : null); // what is the very source has no marks
  if (mark === null) return make("span", { class: "layer-mark" }, layer.gold ? "to be edited" : "");
  const right = !judged || layer.gold === undefined ? "" : layer.gold === (mark !== "kept") ? "right" : "wrong";
  const should = right === "wrong" ? (layer.gold ? ", should change" : ", should stay") : "";
  return make("span", { class: `layer-mark ${mark} ${right}`, "data-tip": MARK_TIPS[mark] }, `${mark}${should}`);
}

// ── switching ─────────────────────────────────────────────────────────────────────────────

function choose(pairs) {
  layers.chosen = new Map(pairs);
  applyLayers();
}

function switchLayer(layer, on) {
  layers.chosen.set(layer.id, on);
  applyLayers();
}

function solo(layer) {
  const ids = new Set(Object.values(layers.found.stacks).flatMap((stack) => (stack.layers ?? []).map((one) => one.id)));
  choose(isSolo(layer.id) ? [] : [...ids].map((id) => [id, id === layer.id]));
}

function isSolo(id, listed = listedLayers()) {
  const on = [...listed.values()].filter(isOn);
  return layers.chosen.size > 0 && on.length === 1 && on[0].id === id;
}

function stepLayer(event) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const ticks = [...byId("layer-list").querySelectorAll("input")];
  const at = ticks.indexOf(event.target.closest("li").querySelector("input"));
  ticks[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  event.preventDefault();
}

// Whatever is shown follows what is switched; as made, the whole picture is shown and no stack.
function applyLayers() {
  const ticks = [...document.querySelectorAll("#layer-list input")];
  const listed = listedLayers();
  for (const tick of ticks) tick.checked = isOn(listed.get(tick.dataset.layer));
  for (const button of document.querySelectorAll("[data-solo]")) button.setAttribute("aria-pressed", String(isSolo(button.dataset.solo, listed)));
  for (const element of document.querySelectorAll("#stage .layer[data-picture]")) restack(element);
  if (!ticks.length) return;
  byId("layers-told").textContent = `${ticks.filter((tick) => tick.checked).length} of ${ticks.length} on`;
  byId("layers-as-made").disabled = layers.chosen.size === 0;
}

// The layers that the list is of: the output's, or those of what it is compared with.
function listedLayers() {
  const sample = deck.samples[layers.place];
  if (!sample) return new Map();
  const stacks = [sample[against(sample)], editOf(sample, detail.editor)?.picture].map(stackOf);
  return new Map(stacks.flatMap((stack) => (stack?.layers ?? []).map((layer) => [layer.id, layer])));
}

function restack(element) {
  const stack = stackOf(element.dataset.picture);
  const stacked = Boolean(stack?.layers) && layers.chosen.size > 0;
  element.classList.toggle("stacked", stacked);
  if (!stacked) return;
  let pile = element.querySelector(".stack");
  if (!pile) {
    // In a drawing everything lies where it does on the canvas; boxes would snap to whole pixels.
    pile = draw("svg", { class: "stack", viewBox: `0 0 ${stack.size.join(" ")}`, preserveAspectRatio: "none" });
    element.append(make("div", { class: "ground" }), pile);
  }
  stack.layers.forEach((layer, number) => {
    let image = pile.querySelector(`[data-number="${number}"]`);
    if (!image && isOn(layer) && layer.picture) {
      image = placedLayer(layer, number);
      const above = [...pile.children].find((one) => Number(one.dataset.number) > number);
      pile.insertBefore(image, above ?? null);
    }
    if (image) image.style.display = isOn(layer) ? "" : "none";
  });
}

function placedLayer(layer, number) {
  const [left, top, right, bottom] = layer.box;
  const place = { x: left, y: top, width: right - left, height: bottom - top, preserveAspectRatio: "none" };
  const image = draw("image", { ...place, "data-number": number });
  image.style.mixBlendMode = layer.blend || "normal";
  image.addEventListener("error", () => note("The layers are not beside this page."));
  image.setAttribute("href", pictureAddress(layer.picture));
  return image;
}
