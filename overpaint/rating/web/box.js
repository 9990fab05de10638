// One box on a picture, in percent of it: drawn, moved and pulled by hand, or written as four numbers.
import { make, tell } from "./dom.js";
import { helpLine, legend } from "./widgets.js";
import { say } from "./words.js";

const SIDES = ["x", "y", "width", "height"];
const LEAST = 0.2; // percent; less is a slip of the finger
const CORNERS = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];

const round = (value) => Math.round(value * 100) / 100;
const within = (value, low, high) => Math.max(low, Math.min(high, value));

export function boxWidget(question, given, changed, { layer, earlier }) {
  const area = new BoxArea(layer, given, earlier);
  const fields = SIDES.map((side) => make("input", {
    type: "number", id: `q-${question.name}-${side}`, min: "0", max: "100", step: "0.1", inputmode: "decimal",
  }));
  const names = { x: say("box_x"), y: say("box_y"), width: say("box_width"), height: say("box_height") };
  const whole = make("button", { type: "button", class: "plain" }, say("box_middle"));
  const clear = make("button", { type: "button", class: "plain" }, say("box_clear"));
  const element = make("fieldset", { class: "question box", "data-question": question.name },
    legend(question), helpLine(question, `q-${question.name}-help`),
    make("p", { class: "question-help" }, say("box_help")),
    make("div", { class: "numbers" }, ...SIDES.map((side, place) =>
      make("label", { for: fields[place].id }, `${names[side]} %`, fields[place]))),
    make("div", { class: "box-buttons" }, whole, clear),
    earlier ? make("p", { class: "quiet earlier-told" }, say("box_earlier")) : null);

  const fill = () => SIDES.forEach((side, place) => (fields[place].value = area.box ? area.box[side] : ""));
  area.changed = () => (fill(), changed());
  const read = () => {
    const numbers = fields.map((field) => (field.value === "" ? NaN : Number(field.value)));
    if (numbers.some((number) => !Number.isFinite(number))) return;
    const [x, y] = numbers.slice(0, 2).map((value) => within(value, 0, 100 - LEAST));
    area.put({ x, y, width: within(numbers[2], LEAST, 100 - x), height: within(numbers[3], LEAST, 100 - y) });
    changed();
  };
  for (const field of fields) {
    field.addEventListener("input", read);
    field.addEventListener("change", () => area.box && fill()); // half a box is left to be finished
  }
  whole.addEventListener("click", () => (area.put({ x: 25, y: 25, width: 50, height: 50 }), area.changed(), area.focus()));
  clear.addEventListener("click", () => (area.put(null), area.changed(), tell(say("box_none"))));
  fill();
  return {
    element,
    get value() {
      return area.box;
    },
    focus: () => (area.box ? area.focus() : fields[0].focus()),
    key: () => false,
  };
}

export const boxLayer = () => make("div", { class: "box-layer" });

// A box that was agreed upon, only to be seen.
export function shownBox(box) {
  if (typeof box?.width !== "number") return null;
  const frame = make("div", { class: "box-earlier shown" });
  lay(frame, box);
  return make("div", { class: "box-layer fixed" }, frame);
}

class BoxArea {
  constructor(layer, given, earlier) {
    this.layer = layer;
    this.box = given;
    this.changed = () => {};
    this.frame = make("div", { class: "box-drawn", tabindex: "0", role: "application", "aria-label": say("box_drawn") });
    this.frame.append(...CORNERS.map((corner) => make("span", { class: `handle ${corner}`, "data-corner": corner })));
    this.before = make("div", { class: "box-earlier", "aria-hidden": "true" });
    layer.replaceChildren(this.before, this.frame);
    this.before.hidden = !earlier;
    if (earlier) lay(this.before, earlier);
    layer.addEventListener("pointerdown", (event) => this.begin(event));
    this.frame.addEventListener("keydown", (event) => this.nudge(event));
    this.put(given);
  }

  focus() {
    this.frame.focus({ preventScroll: true });
  }

  put(box) {
    this.box = box && Object.fromEntries(SIDES.map((side) => [side, round(box[side])]));
    this.frame.hidden = !box;
    this.layer.classList.toggle("empty", !box);
    if (this.box) lay(this.frame, this.box);
    if (!box) return;
    const words = say("box_told", this.box);
    this.frame.setAttribute("aria-description", words);
  }

  // In percent of the picture, wherever it is zoomed to.
  point(event) {
    const box = this.layer.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * 100;
    return [within(across, 0, 100), within(((event.clientY - box.top) / box.height) * 100, 0, 100)];
  }

  begin(event) {
    if (event.button !== 0 || !event.isPrimary || this.layer.classList.contains("fixed")) return;
    event.preventDefault();
    event.stopPropagation();
    this.layer.setPointerCapture(event.pointerId);
    const start = this.point(event);
    const old = this.box;
    const corner = event.target.dataset?.corner;
    const inside = event.target === this.frame;
    const follow = (now) => {
      const at = this.point(now);
      if (corner) this.put(pulled(old, corner, at));
      else if (inside) this.put(moved(old, at[0] - start[0], at[1] - start[1]));
      else if (Math.abs(at[0] - start[0]) > LEAST && Math.abs(at[1] - start[1]) > LEAST) this.put(between(start, at));
    };
    const stop = () => {
      this.layer.removeEventListener("pointermove", follow);
      if (this.box === old) return;
      this.focus();
      this.changed();
    };
    this.layer.addEventListener("pointermove", follow);
    this.layer.addEventListener("lostpointercapture", stop, { once: true });
  }

  // Arrows move the box, with Shift they pull its lower right corner; with Alt in smaller steps.
  nudge(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!(event.key in ways) || this.layer.classList.contains("fixed") || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = event.altKey ? 0.1 : 0.5;
    const [x, y] = ways[event.key].map((way) => way * step);
    const { x: left, y: top, width, height } = this.box;
    if (event.shiftKey) this.put(pulled(this.box, "se", [left + width + x, top + height + y]));
    else this.put(moved(this.box, x, y));
    this.changed();
  }
}

function lay(element, box) {
  element.style.left = `${box.x}%`;
  element.style.top = `${box.y}%`;
  element.style.width = `${box.width}%`;
  element.style.height = `${box.height}%`;
}

const between = ([ax, ay], [bx, by]) =>
  ({ x: Math.min(ax, bx), y: Math.min(ay, by), width: Math.abs(ax - bx), height: Math.abs(ay - by) });

const moved = (box, x, y) =>
  ({ ...box, x: within(box.x + x, 0, 100 - box.width), y: within(box.y + y, 0, 100 - box.height) });

function pulled(box, corner, [px, py]) {
  const [x, y] = [within(px, 0, 100), within(py, 0, 100)];
  let [left, top, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height];
  if (corner.includes("w")) left = Math.min(x, right - LEAST);
  if (corner.includes("e")) right = Math.max(x, left + LEAST);
  if (corner.includes("n")) top = Math.min(y, bottom - LEAST);
  if (corner.includes("s")) bottom = Math.max(y, top + LEAST);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
