// What went wrong, in the reader's language; the server's own sentence is there for what is left.
import { button, make, screen } from "./dom.js";
import { Unreachable } from "./server.js";
import { say } from "./words.js";

// One sentence for what the server did not do.
export function reason(error) {
  const { status, body = {} } = error;
  if (status === 403 && body.consent === false) return say("error_consent");
  if (status === 403 && "break_left" in body) return say("error_break");
  const told = {
    0: say("lost_text"), 400: say("error_answer"), 401: say("error_link"), 403: say("error_stale"),
    404: say("error_gone"), 409: say("error_changed"), 410: say("error_picture"), 413: say("error_large"),
    422: say("error_answer"), 429: say("error_fast"), 500: say("error_server"), 503: say("error_store"),
  };
  return told[status] ?? (error instanceof Unreachable ? say("error_server") : say("error_other"));
}

// What only the server knows: which of the answers it does not take, and why.
export function detail(error) {
  const known = error instanceof Unreachable || [401, 403, 404, 409, 410, 413, 429].includes(error.status);
  return known || !error.body?.error ? "" : error.body.error;
}

// A page that says what is wrong, and lets the reader try again.
export function showTrouble(error, again) {
  const title = error.status === 0 ? say("lost_title") : say("error_title");
  const more = detail(error);
  screen(title, make("p", {}, reason(error)),
    more ? make("p", { class: "quiet", lang: "en" }, more) : null,
    error.status === 0 || error.status === 429 ? null : make("p", {}, say("error_tell")),
    make("div", { class: "buttons" }, button(say("try_again"), again, { class: "main" })));
}

// While an answer waits: what holds it up, and after some tries whom to tell.
export function waitingWords(error, { long, stuck }) {
  if (stuck) return say("stuck_banner");
  if (long) return say("long_banner");
  return error.status === 0 ? say("lost_banner") : say("server_banner");
}
