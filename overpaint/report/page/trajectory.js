// How an agent came to its result: its steps one below the other, each with what was said.
const MANY_LINES = 12;

function trajectorySection(steps, editor) {
  if (!steps?.length) return [];
  const name = deck.editors[editor].name;
  return [make("h3", {}, `How ${name} got there`), make("ol", { class: "steps" }, ...steps.map(stepOf))];
}

function stepOf(step) {
  const time = step.seconds === null || step.seconds < 0.05 ? null : make("span", { class: "step-time" }, `${step.seconds.toFixed(1)} s`);
  const mark = step.mark && step.mark !== "ok" ? make("span", { class: "step-mark" }, step.mark) : null;
  const rest = step.rest.map(([key, value]) => make("li", {}, make("span", { class: "step-key" }, `${key}:`), ` ${value}`));
  const items = make("ul", {}, ...step.items.map(itemOf), ...rest);
  const many = step.items.length > MANY_LINES;
  const inside = many ? make("details", {}, make("summary", {}, counted(step.items.length, "line")), items) : items;
  const title = make("p", { class: "step-title" }, step.title, mark, time);
  return make("li", { class: `step ${step.kind}${step.open ? " open" : ""}` }, title, step.items.length + rest.length ? inside : null, stepPicture(step));
}

function itemOf(item) {
  const mark = item.mark ? [make("span", { class: `item-mark ${item.mark}` }, item.mark), " "] : [];
  const said = item.said.map((text) => make("span", { class: "item-said" }, ...prose(text)));
  return make("li", { class: item.mark || null }, ...mark, make("span", { class: "item-text" }, ...prose(item.text)), ...said);
}

function stepPicture(step) {
  if (!step.picture) return null;
  const image = make("img", { src: pictureAddress(step.picture), alt: `The picture after: ${step.title}`, loading: "lazy" });
  image.addEventListener("error", () => image.remove());
  return image;
}
