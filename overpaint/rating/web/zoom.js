// Zoom and pan, the same for all pictures on the stage; x and y are in widths and heights of a fitted picture.
const MOST = 16;

export class Zoom {
  constructor(changed) {
    this.changed = changed;
    this.fit();
  }

  fit() {
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.changed();
  }

  to(scale, x, y) {
    this.scale = Math.max(1, Math.min(MOST, scale));
    const reach = (this.scale - 1) / 2;
    this.x = Math.max(-reach, Math.min(reach, x));
    this.y = Math.max(-reach, Math.min(reach, y));
    this.changed();
  }

  // `at` stays where it is, counted from the middle of the pane.
  by(factor, at = [0, 0]) {
    const scale = Math.max(1, Math.min(MOST, this.scale * factor));
    const grown = scale / this.scale;
    this.to(scale, at[0] - (at[0] - this.x) * grown, at[1] - (at[1] - this.y) * grown);
  }

  move(x, y) {
    this.to(this.scale, this.x + x, this.y + y);
  }
}

// Drag, pinch and wheel on a pane; `sheet` is the fitted picture in it.
export function handle(pane, sheet, zoom) {
  const fingers = new Map();
  const from = (event) => {
    const box = pane.getBoundingClientRect();
    const x = (event.clientX - box.left - box.width / 2) / sheet.offsetWidth;
    return [x, (event.clientY - box.top - box.height / 2) / sheet.offsetHeight];
  };
  pane.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest("button, .box-layer")) return;
    fingers.set(event.pointerId, from(event));
    pane.setPointerCapture(event.pointerId);
  });
  pane.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = from(event);
    if (fingers.size === 1) zoom.move(now[0] - before[0], now[1] - before[1]);
    else pinch(fingers, event.pointerId, now, zoom);
    fingers.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    pane.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  pane.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom.by(Math.exp(-event.deltaY / 300), from(event));
  }, { passive: false });
  pane.addEventListener("dblclick", (event) => {
    if (zoom.scale > 1) zoom.fit();
    else zoom.by(3, from(event));
  });
}

function pinch(fingers, moved, now, zoom) {
  const other = [...fingers].find(([id]) => id !== moved)[1];
  const before = fingers.get(moved);
  const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
  const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
  if (apart(before) > 0.01) zoom.by(apart(now) / apart(before), middle);
  zoom.move((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
}
