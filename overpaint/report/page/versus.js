// Editor against editor: one dot a sample, so that a difference of means shows its reasons.
// The dots are of the samples that the page has; what is counted comes counted, of all there are.
const versus = { x: 0, y: 1, measure: 0 };
const VERSUS = { width: 460, height: 300, left: 58, right: 448, top: 10, bottom: 262 };

function startVersus(open) {
  if (deck.editors.length < 2 || !deck.measures.length) {
    byId("versus").hidden = true;
    return;
  }
  versus.open = open;
  const editors = deck.editors.map((editor, place) => [place, editor.name]);
  options(byId("versus-x"), editors);
  options(byId("versus-y"), editors);
  options(byId("versus-measure"), deck.measures.map((measure, place) => [place, measure.name]));
  byId("versus-y").value = "1";
  byId("versus").addEventListener("change", () => {
    for (const name of ["x", "y", "measure"]) versus[name] = Number(byId(`versus-${name}`).value);
    drawVersus();
  });
  byId("versus-plot").addEventListener("click", (event) => {
    const place = event.target.dataset?.place;
    if (place !== undefined) versus.open(Number(place), versus.y);
  });
  drawVersus();
}

function drawVersus() {
  const { x, y, measure } = versus;
  const points = [];
  deck.samples.forEach((sample, place) => {
    const [across, up] = [valueOf(sample, x, measure), valueOf(sample, y, measure)];
    if (across !== null && up !== null) points.push([across, up, place]);
  });
  tellVersus(points);
  byId("versus-plot").replaceChildren(points.length ? versusPlot(points) : "");
}

function tellVersus(points) {
  const { x, y, measure } = versus;
  const [a, b] = [deck.editors[x].name, deck.editors[y].name];
  const wins = deck.versus[measure];
  const [[first, equal], [second]] = [wins[x][y], wins[y][x]];
  const all = first + second + equal;
  const told = (number) => number.toLocaleString("en");
  const shown = points.length < all ? ` The dots are ${told(points.length)} of them, chosen as in the gallery.` : "";
  byId("versus-told").textContent = all
    ? `${a} is better on ${told(first)}, ${b} on ${told(second)}, equal on ${told(equal)} of ${counted(all, "sample")}.${shown}`
    : `No sample has a score of both ${a} and ${b}.`;
}

function versusPlot(points) {
  const box = VERSUS;
  const values = points.flatMap(([across, up]) => [across, up]);
  const scale = versusScale(values);
  const at = (value, from, to) => from + scale.share(value) * (to - from);
  const parts = [];
  for (const tick of scale.ticks) {
    const [tx, ty] = [at(tick, box.left, box.right), at(tick, box.bottom, box.top)];
    parts.push(draw("line", { x1: tx, x2: tx, y1: box.top, y2: box.bottom, class: "grid" }));
    parts.push(draw("line", { x1: box.left, x2: box.right, y1: ty, y2: ty, class: "grid" }));
    parts.push(draw("text", { x: tx, y: box.bottom + 15, class: "tick middle" }, scale.label(tick)));
    parts.push(draw("text", { x: box.left - 6, y: ty + 4, class: "tick", "text-anchor": "end" }, scale.label(tick)));
  }
  parts.push(draw("line", { x1: box.left, y1: box.bottom, x2: box.right, y2: box.top, class: "equal" }));
  for (const [across, up, place] of points) {
    parts.push(draw("circle", { cx: at(across, box.left, box.right).toFixed(1), cy: at(up, box.bottom, box.top).toFixed(1),
      r: points.length > 400 ? 2.2 : 3.5, class: "point", "data-place": place, "data-tip": deck.samples[place].id }));
  }
  const middle = (box.left + box.right) / 2;
  parts.push(draw("text", { x: middle, y: box.bottom + 34, class: "tick middle" }, `${deck.editors[versus.x].name} →`));
  parts.push(draw("text", { transform: `translate(12 ${(box.top + box.bottom) / 2}) rotate(-90)`, class: "tick middle" }, `${deck.editors[versus.y].name} →`));
  const told = `${deck.measures[versus.measure].name} of two editors, sample by sample`;
  return draw("svg", { viewBox: `0 0 ${box.width} ${box.height}`, class: "versus", role: "img", "aria-label": told }, ...parts);
}

// Linear, or logarithmic where positive values span more than a factor of 500.
function versusScale(values) {
  const positive = values.filter((value) => value > 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const least = Math.min(...positive);
  if (low >= 0 && positive.length && high / least > 500) {
    const [from, to] = [Math.floor(Math.log10(Math.max(least, high * 1e-7))), Math.ceil(Math.log10(high))];
    const every = Math.max(1, Math.ceil((to - from) / 6));
    const ticks = [];
    for (let power = from; power <= to; power += every) ticks.push(10 ** power);
    const share = (value) => (Math.log10(Math.max(value, 10 ** from)) - from) / (to - from);
    return { ticks, share, label: (tick) => (tick >= 1 ? tick.toLocaleString("en") : String(Number(tick.toPrecision(1)))) };
  }
  const room = (high - low) * 0.05 || Math.abs(high) * 0.1 || 1;
  const [from, to] = [low - room, high + room];
  const rough = (to - from) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((candidate) => candidate >= rough * 0.999);
  const ticks = [];
  for (let n = Math.ceil(from / step); n * step <= to; n++) ticks.push(n * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const label = (tick) => (tick + 0).toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return { ticks, share: (value) => (value - from) / (to - from), label };
}
