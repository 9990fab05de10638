// A page of a run that has too many samples for one: what to show is asked of the server.
const paging = deck.paging ?? null;
const SORT_NAMES = { order: "benchmark order", worst: "worst first", disputed: "most disputed first", random: "at random" };

function startPaging() {
  const asked = paging.asked;
  options(byId("status-choice"), STATUS_CHOICES.slice(0, 3));
  options(byId("sort-choice"), paging.sorts.map((sort) => [sort, SORT_NAMES[sort]]));
  options(byId("measure-choice"), [["", "the leading one"], ...deck.measures.map((one) => [one.name, one.name])]);
  options(byId("editor-choice"), [["", "all"], ...deck.editors.map((one) => [one.name, one.name])]);
  byId("direction-choice").closest("label").hidden = true;
  byId("tag-choices").replaceChildren(...deck.tags.map(servedTag));
  byId("search").value = asked.q;
  for (const name of ["status", "sort", "measure", "editor"]) byId(`${name}-choice`).value = asked[name];
  // An editor has a worst, and lacks scores, of its own; the measure is shown under each picture.
  byId("editor-choice").disabled = asked.sort !== "worst" && !asked.status;
  choice.measure = Math.max(0, deck.measures.findIndex((one) => one.name === asked.measure));
  byId("choices").addEventListener("change", () => askFor({}));
  byId("choices").addEventListener("reset", () => location.assign("samples"));
  byId("choices").addEventListener("submit", (event) => event.preventDefault());
  document.querySelector(".keys").append(" ", make("kbd", {}, "n"), " ", make("kbd", {}, "p"), " pages");
  if (!deck.samples.length) return; // there is nothing to turn
  for (const place of document.querySelectorAll(".pager")) place.replaceChildren(...pager());
}

function servedTag(tag) {
  const select = make("select", { "data-tag": tag });
  const sizes = (paging.tags[tag] ?? []).map(([value, n]) => [value, `${value} (${n.toLocaleString("en")})`]);
  options(select, [["", "all"], ...sizes]);
  select.value = paging.asked.tags[tag] ?? "";
  return make("label", {}, `${tag} `, select);
}

// The page that the form asks for; a change of what is shown starts at the first page.
function askFor(changes) {
  const state = { q: byId("search").value.trim(), ...changes };
  for (const name of ["status", "sort", "measure", "editor"]) state[name] = byId(`${name}-choice`).value;
  if (state.sort === "order") state.sort = "";
  for (const select of document.querySelectorAll("[data-tag]")) state[`tag.${select.dataset.tag}`] = select.value;
  const kept = Object.entries(state).filter(([, value]) => value !== "");
  location.assign(`samples${kept.length ? `?${new URLSearchParams(kept)}` : ""}`);
}

// Ways to the pages before and after, to any page, and to a sample by its id.
function pager() {
  const page = make("input", { type: "number", min: 1, max: paging.pages, value: paging.page, "aria-label": "Page" });
  page.addEventListener("change", () => askFor({ page: Math.min(Math.max(1, Number(page.value) || 1), paging.pages) }));
  const sample = make("input", { type: "search", placeholder: "id of a sample", "aria-label": "Go to the sample of this id", autocomplete: "off" });
  sample.addEventListener("change", () => sample.value.trim() && goToSample(sample.value.trim()));
  return [
    turner("previous", "‹ Previous"),
    make("label", {}, "Page ", page, ` of ${paging.pages.toLocaleString("en")}`),
    turner("next", "Next ›"),
    make("label", { class: "to-sample" }, "Go to ", sample),
  ];
}

function turner(which, text) {
  if (!paging[which]) return make("span", { class: "quiet" }, text);
  return make("a", { href: paging[which], rel: which === "next" ? "next" : "prev" }, text);
}

const goToSample = (id) => location.assign(`samples?${new URLSearchParams({ id })}`);

// Turn the page; with the view of a sample open, go on with the first or the last of the next one.
function turnPage(by, editor = null) {
  const where = paging?.[by > 0 ? "next" : "previous"];
  if (!where) return false;
  const at = editor === null ? "" : `#~${new URLSearchParams({ at: by > 0 ? "first" : "last", with: editor })}`;
  location.assign(where + at);
  return true;
}

function toldOfPage() {
  const first = (paging.page - 1) * paging.size;
  const count = (n) => n.toLocaleString("en");
  const age = paging.age === undefined ? "" : ` Order, filters and counts are ${count(paging.age)} s old.`;
  if (!deck.samples.length) {
    const all = make("a", { href: "samples" }, `All ${count(deck.total)} samples`);
    return [`No sample fits what is asked for.${age} `, all];
  }
  const all = paging.found === deck.total ? "" : `, of ${count(deck.total)} in all`;
  return [`Samples ${count(first + 1)} to ${count(first + deck.samples.length)} of ${count(paging.found)}${all}.${age}${toldOfNumbers()}`];
}
