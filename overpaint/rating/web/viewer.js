// The stage: pictures side by side, one wiped over the other, or in turn in one place.
import { button, make, tell } from "./dom.js";
import { percent, say } from "./words.js";
import { Zoom, handle } from "./zoom.js";

const TURN = 250; // milliseconds a picture is shown while flickering: 2 Hz for the pair
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Viewer {
  // pictures: [{name, url, width, height}]; the source, where there is one, comes first.
  constructor(pictures, { overlay = null, over = null, leads = 0 } = {}) {
    this.pictures = pictures;
    this.overlay = overlay;
    this.over = over;
    this.frame = pictures[leads];
    this.pair = pictures.length > 2 ? [1, 2] : [0, 1];
    this.mode = "side";
    this.split = 50;
    this.front = 1;
    this.images = pictures.map((picture) => this.load(picture));
    this.element = make("section", { class: "viewer", "aria-label": say("pictures") });
    this.stage = make("div", { class: "stage", tabindex: "0", role: "group", "aria-label": say("stage") });
    this.zoom = new Zoom(() => this.place());
    this.tools = this.makeTools();
    this.wipe = this.makeWipe();
    this.element.append(this.stage, this.wipe, this.tools);
    this.watcher = new ResizeObserver(() => this.place());
    this.watcher.observe(this.stage);
    this.arrange();
  }

  // Resolves when all pictures are there, or have failed to come.
  get ready() {
    return Promise.all(this.images.map((one) => one.there));
  }

  close() {
    this.flicker(false);
    this.watcher.disconnect();
  }

  load(picture) {
    const image = make("img", { alt: picture.name, draggable: "false", decoding: "async" });
    const there = new Promise((done) => {
      image.addEventListener("load", () => done(true));
      image.addEventListener("error", () => {
        done(false);
        image.closest(".sheet")?.append(this.failure(picture, image));
      });
    });
    image.src = picture.url;
    return { image, there };
  }

  failure(picture, image) {
    const retry = button(say("picture_again"), () => {
      retry.parentNode.remove();
      image.src = `${picture.url}?${Date.now()}`;
    });
    return make("p", { class: "failure" }, say("picture_failed"), " ", retry);
  }

  // ── what is where ─────────────────────────────────────────────────────────────────────

  arrange() {
    this.flicker(false);
    const alone = this.mode !== "side" || this.pictures.length === 1;
    const groups = alone ? [this.pictures.length === 1 ? [0] : this.pair] : this.pictures.map((_, n) => [n]);
    this.stage.className = `stage ${this.mode} of-${groups.length}`;
    this.sheets = [];
    this.stage.replaceChildren(...groups.map((group) => this.pane(group)));
    this.wipe.hidden = this.mode !== "wipe";
    for (const one of this.tools.querySelectorAll("[data-mode]")) {
      one.setAttribute("aria-pressed", String(one.dataset.mode === this.mode));
    }
    this.pairs?.toggleAttribute("hidden", this.mode === "side");
    this.turn?.toggleAttribute("hidden", this.mode !== "flicker");
    this.place();
    this.showSplit();
    this.showFront();
  }

  pane(group) {
    const sheet = make("div", { class: "sheet" });
    const labels = make("div", { class: "labels" });
    for (const number of group) {
      const layer = make("div", { class: "layer" }, this.images[number].image);
      if (number === this.over && this.overlay) layer.append(this.overlay);
      sheet.append(layer);
      labels.append(make("span", { class: "label" }, this.pictures[number].name));
    }
    if (this.mode === "wipe") sheet.append(make("div", { class: "edge" }));
    const pane = make("div", { class: "pane" }, sheet, labels);
    if (this.mode === "wipe") this.drag(pane, sheet);
    handle(pane, sheet, this.zoom);
    this.sheets.push({ pane, sheet, labels, group });
    return pane;
  }

  place() {
    this.stack();
    const ratio = this.frame.width / this.frame.height;
    // All as large as the smallest pane lets them be: a difference in size is no difference of edits.
    const fitting = (this.sheets ?? []).map(({ pane }) => Math.min(pane.clientWidth, pane.clientHeight * ratio));
    const width = Math.floor(Math.min(...fitting));
    const height = Math.floor(width / ratio);
    for (const { pane, sheet, group } of this.sheets ?? []) {
      const { scale, x, y } = this.zoom;
      sheet.style.width = `${width}px`;
      sheet.style.height = `${height}px`;
      sheet.style.setProperty("--scale", String(scale));
      const left = Math.round(pane.clientWidth / 2 + x * width - (width * scale) / 2);
      const top = Math.round(pane.clientHeight / 2 + y * height - (height * scale) / 2);
      sheet.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
      group.forEach((number, place) => fitInto(sheet.children[place], this.pictures[number], ratio));
      const shown = (width * scale) / this.frame.width;
      sheet.classList.toggle("crisp", shown > 2);
      if (this.told) this.told.textContent = scale === 1 ? say("fit") : percent(shown);
    }
    this.stage?.classList.toggle("zoomed", this.zoom?.scale > 1);
  }

  // Three pictures in one row, or the source above the two: whichever shows them larger.
  stack() {
    if (this.mode !== "side" || this.pictures.length < 3 || !this.stage) return;
    const { clientWidth: wide, clientHeight: high } = this.stage;
    const ratio = this.frame.width / this.frame.height;
    const inRow = Math.min(wide / 3, high * ratio);
    this.stage.classList.toggle("stacked", Math.min(wide / 2, (high / 2) * ratio) > inRow);
  }

  // ── tools ─────────────────────────────────────────────────────────────────────────────

  makeTools() {
    const tools = make("div", { class: "tools", role: "group", "aria-label": say("view") });
    if (this.pictures.length > 1) tools.append(this.makeModes());
    if (this.pictures.length > 2) tools.append((this.pairs = this.makePairs()));
    if (this.pictures.length > 1) tools.append((this.turn = this.makeTurn()));
    this.told = make("output", { class: "zoom-told" }, say("fit"));
    const zooms = make("span", { class: "group zooms", role: "group", "aria-label": say("zoom") });
    zooms.append(
      button("−", () => this.zoom.by(1 / 1.5), { "aria-label": say("zoom_out"), "aria-keyshortcuts": "-" }),
      this.told,
      button("+", () => this.zoom.by(1.5), { "aria-label": say("zoom_in"), "aria-keyshortcuts": "+" }),
      button(say("zoom_fit"), () => this.zoom.fit(), { class: "fit", "aria-keyshortcuts": "z" }),
    );
    tools.append(zooms);
    return tools;
  }

  makeModes() {
    const names = { side: say("view_side"), wipe: say("view_wipe"), flicker: say("view_flicker") };
    const modes = make("span", { class: "group", role: "group", "aria-label": say("view") });
    for (const [mode, name] of Object.entries(names)) {
      const key = mode[0];
      modes.append(button(name, () => this.setMode(mode), { "data-mode": mode, "aria-keyshortcuts": key }));
    }
    return modes;
  }

  makePairs() {
    const letters = this.pictures.map((picture) => picture.name);
    const select = make("select", { "aria-label": say("compared") });
    for (const [first, second] of [[1, 2], [0, 1], [0, 2]]) {
      select.append(make("option", { value: `${first} ${second}` }, `${letters[first]} ↔ ${letters[second]}`));
    }
    select.addEventListener("change", () => {
      this.pair = select.value.split(" ").map(Number);
      this.arrange();
      if (this.mode === "flicker") this.flicker(!calm.matches);
    });
    return select;
  }

  // With moving pictures switched off in the system, each press shows the other picture once.
  makeTurn() {
    return button(calm.matches ? say("turn") : say("flicker_stop"), () => {
      if (calm.matches) this.other();
      else this.flicker(!this.ticking);
    }, { class: "turn" });
  }

  setMode(mode) {
    if (this.pictures.length < 2) return;
    this.mode = mode;
    this.arrange();
    if (mode === "flicker") this.flicker(!calm.matches);
  }

  // ── wipe ──────────────────────────────────────────────────────────────────────────────

  makeWipe() {
    const range = make("input", { type: "range", min: "0", max: "100", step: "1", "aria-label": say("wipe_label") });
    range.addEventListener("input", () => {
      this.split = Number(range.value);
      this.showSplit();
    });
    return make("div", { class: "wipe", hidden: true }, range);
  }

  showSplit() {
    const range = this.wipe.firstChild;
    range.value = String(this.split);
    const [before, after] = this.pair.map((number) => this.pictures[number]?.name ?? "");
    range.setAttribute("aria-valuetext", say("wipe_value", { before, after, percent: Math.round(this.split) }));
    if (this.mode !== "wipe") return;
    const { sheet } = this.sheets[0];
    sheet.children[1].style.clipPath = `inset(0 0 0 ${this.split}%)`;
    sheet.querySelector(".edge").style.left = `${this.split}%`;
  }

  drag(pane, sheet) {
    const follow = (event) => {
      const box = sheet.getBoundingClientRect();
      this.split = Math.max(0, Math.min(100, ((event.clientX - box.left) / box.width) * 100));
      this.showSplit();
    };
    pane.addEventListener("pointerdown", (event) => {
      const drawing = event.target.closest(".box-layer");
      if (event.button !== 0 || drawing || (this.zoom.scale > 1 && !event.target.closest(".edge"))) return;
      event.stopImmediatePropagation();
      pane.setPointerCapture(event.pointerId);
      follow(event);
      pane.addEventListener("pointermove", follow);
      pane.addEventListener("lostpointercapture", () => pane.removeEventListener("pointermove", follow), { once: true });
    });
  }

  // ── flicker ───────────────────────────────────────────────────────────────────────────

  flicker(on) {
    clearInterval(this.ticking);
    this.ticking = on ? setInterval(() => this.other(), TURN) : null;
    if (this.turn && !calm.matches) this.turn.textContent = on ? say("flicker_stop") : say("flicker_go");
  }

  other() {
    this.front = 1 - this.front;
    this.showFront();
    if (!this.ticking) tell(this.pictures[this.pair[this.front]].name);
  }

  showFront() {
    if (this.mode !== "flicker") return;
    const { sheet, labels } = this.sheets[0];
    this.pair.forEach((_, place) => {
      sheet.children[place].classList.toggle("away", place !== this.front);
      labels.children[place].classList.toggle("away", place !== this.front);
    });
  }

  // Held down it flickers; let go, all is as it was. With reduced motion one press turns once.
  hold(on) {
    if (this.pictures.length < 2 || (on && this.held)) return;
    if (on) {
      this.held = this.mode;
      if (this.mode !== "flicker") this.setMode("flicker");
      if (calm.matches) this.other();
      else this.flicker(true);
    } else if (this.held) {
      const before = this.held;
      this.held = null;
      if (!calm.matches) this.setMode(before);
    }
  }

  // ── keys ──────────────────────────────────────────────────────────────────────────────

  key(key, inside) {
    const step = 0.1;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (key === "+" || key === "=") this.zoom.by(1.5);
    else if (key === "-" || key === "−") this.zoom.by(1 / 1.5);
    else if (key === "z" || (key === "0" && inside)) this.zoom.fit();
    else if (key === "s") this.setMode("side");
    else if (key === "w") this.setMode("wipe");
    else if (inside && moves[key]) this.zoom.move(...moves[key]);
    else return false;
    return true;
  }
}

// A picture of another shape than the frame is fitted into it, whole.
function fitInto(layer, picture, ratio) {
  const own = picture.width / picture.height;
  const wide = Math.min(1, own / ratio) * 100;
  const high = Math.min(1, ratio / own) * 100;
  layer.style.left = `${(100 - wide) / 2}%`;
  layer.style.top = `${(100 - high) / 2}%`;
  layer.style.width = `${wide}%`;
  layer.style.height = `${high}%`;
}
