// What the page knows: samples, scores, and where their pictures and thumbnails are.
const deck = JSON.parse(byId("deck").textContent);
const word = (place) => deck.words[place];

// A score as { value, status, reason, notes }, or null where nothing has been scored yet.
function scoreOf(sample, editor, measure) {
  const found = sample.scores[editor][measure];
  if (found === null || found === undefined) return null;
  if (typeof found === "number") return { value: found, status: "scored", reason: "", notes: [] };
  const [value, status, reason, ...notes] = found;
  return { value, status: word(status), reason: word(reason), notes: notes.map(word) };
}

const valueOf = (sample, editor, measure) => scoreOf(sample, editor, measure)?.value ?? null;

// An edit as { picture, status, reason, seconds, notes }, or null where none was made yet.
function editOf(sample, editor) {
  const found = sample.edits[editor];
  if (found === null) return null;
  const [picture, status, reason, seconds, ...notes] = found;
  return { picture, status: word(status), reason: word(reason), seconds, notes: notes.map(word) };
}

// Numbers are written as the tables write them; a zero has no sign.
function shown(value, measure) {
  if (value === null) return "–";
  let decimals = deck.measures[measure].decimals;
  if (value !== 0 && Math.abs(value) <= 0.5 * 10 ** -decimals) {
    decimals = Math.ceil(-Math.log10(Math.abs(value)));
    if (decimals > 5) return value.toExponential(0).replaceAll("-", "−");
  }
  return numberForm(decimals).format(value + 0).replaceAll("-", "−");
}

const numberForms = new Map();

function numberForm(decimals) {
  if (!numberForms.has(decimals)) {
    const form = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    numberForms.set(decimals, new Intl.NumberFormat("en", form));
  }
  return numberForms.get(decimals);
}

function shortScore(sample, editor, measure) {
  const score = scoreOf(sample, editor, measure);
  if (score === null) return "not run yet";
  return score.value === null ? score.status : shown(score.value, measure);
}

// What the file carries packed, a line for each sample, or a served page asks for.
const packedLines = new Map();

async function unpacked(what, place) {
  if (deck.sprites === null) {
    const answer = await fetch(`${what}/${deck.numbers[place]}`);
    return answer.ok ? answer.json() : null;
  }
  // It stands behind the script; a page that opens at a sample has not been read so far.
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  if (!packedLines.has(what)) packedLines.set(what, byId(what)?.textContent.split("\n") ?? []);
  const line = packedLines.get(what)[place];
  if (!line) return null;
  const bytes = Uint8Array.from(atob(line), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

// ── pictures ──────────────────────────────────────────────────────────────────────────────

const pictureAddress = (name) => `pictures/${name.slice(0, 2)}/${name}`;

// Thumbnails stand at the end of the file, some samples to an element, and are read when seen.
const spriteElements = document.getElementsByClassName("sprites");
const spriteChunks = new Map();

function spriteData(place) {
  const chunk = Math.floor(place / deck.spritesAChunk);
  if (!spriteChunks.has(chunk)) {
    const element = spriteElements[chunk];
    // The next element being there says that this one has been read to its end.
    const whole = element && (element.nextSibling || document.readyState !== "loading");
    if (!whole) return null;
    spriteChunks.set(chunk, element.textContent.split("\n"));
  }
  return spriteChunks.get(chunk)[place % deck.spritesAChunk];
}

// Paint a picture's thumbnail over the whole of an element; gives width / height if known.
function paintThumb(element, place, picture) {
  const sample = deck.samples[place];
  const style = element.style;
  if (deck.sprites === null) {
    const name = sample.pictures[picture];
    style.backgroundImage = `url("thumbs/${name.slice(0, 2)}/${name}")`;
    style.backgroundSize = "contain";
    style.backgroundPosition = "center";
    return null;
  }
  const sprite = deck.sprites[place];
  const data = sprite && spriteData(place);
  if (!data) return null;
  const cells = sample.pictures.length;
  style.backgroundImage = `url("data:image/webp;base64,${data}")`;
  style.backgroundSize = `${cells * 100}% 100%`;
  style.backgroundPosition = `${cells > 1 ? (picture / (cells - 1)) * 100 : 0}% 0`;
  return sprite[0] / sprite[1];
}

const unreadable = (place, picture) =>
  deck.sprites !== null && (!deck.sprites[place] || deck.sprites[place].slice(2).includes(picture));

// A thumbnail in its frame, or the word that stands for it.
function frame(place, picture, absent) {
  const text = picture === null ? absent : unreadable(place, picture) ? "cannot be read" : null;
  if (text !== null) return make("span", { class: "frame" }, text);
  const inside = make("span", { class: "pic" });
  const ratio = paintThumb(inside, place, picture) ?? 1;
  inside.style.aspectRatio = String(ratio);
  inside.style[ratio >= 1 ? "width" : "height"] = "100%";
  return make("span", { class: "frame" }, inside);
}
