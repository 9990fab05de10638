// Talking to the server: JSON there and back, and the ways in which it can fail.

// It said no, and why.
export class Refused extends Error {
  constructor(status, body) {
    super(body.error ?? String(status));
    this.status = status;
    this.body = body;
  }
}

// It did not answer, or could not: to be tried again. `status` is 0 where nothing came at all.
export class Unreachable extends Error {
  constructor(sentence, status = 0) {
    super(sentence);
    this.status = status;
  }
}

const PATIENCE = 20_000;
// A browser may have a rater's session and an admin's; each page asks for its own.
const STATE = location.pathname === "/admin" ? "/api/admin/state" : "/api/state";
const KEPT = `overpaint rater ${location.pathname}`;
let csrf = "";
let who = kept();

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function once(method, path, body, marked = true) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (marked && csrf) headers["X-CSRF"] = csrf;
  let reply;
  try {
    reply = await fetch(path, {
      method, headers, credentials: "same-origin", cache: "no-store",
      body: body === undefined ? undefined : JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE),
    });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  const told = await reply.json().catch(() => ({}));
  if (reply.status === 408) throw new Unreachable(told.error ?? ""); // what was sent came too slowly
  if (reply.status >= 500) throw new Unreachable(told.error ?? "", reply.status);
  if (reply.ok) return told;
  const refused = new Refused(reply.status, told);
  refused.wait = Number(reply.headers.get("Retry-After")) || 1;
  throw refused;
}

// Asked too often: wait as long as told, then ask again.
async function patient(...asked) {
  for (let turn = 0; ; turn += 1) {
    try {
      return await once(...asked);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 429 || turn === 3) throw error;
      await pause(Math.min(error.wait, 10) * 1000);
    }
  }
}

// Another tab of this browser may have begun a new session: its key is as good as ours, if it is
// the same person's. `getState` stops where it is not.
async function asMyself(method, path, body) {
  try {
    return await patient(method, path, body);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 403) throw error;
    const before = csrf;
    await getState();
    if (csrf === before) throw error;
    return patient(method, path, body);
  }
}

// A tab belongs to the person whose link was opened in it, also after it was loaded anew. A
// browser has one session: when another's link is opened in it, this tab may do nothing more.
function remember(told) {
  const same = who ? told.rater.id === who : !csrf || told.csrf === csrf;
  if (!same) throw new Refused(401, { another: true });
  csrf = told.csrf;
  who = told.rater.id;
  keep();
  return told;
}

// Asked too often for a link: said at once, as it may be another's fault and take a minute.
export async function join(token) {
  const told = await once("POST", "/api/join", { token });
  csrf = told.csrf;
  who = "";
  return told;
}

export const getState = async () => remember(await patient("GET", STATE, undefined, false));
export const consent = async (version) => remember(await asMyself("POST", "/api/consent", { version }));
export const getItem = (place) => asMyself("GET", `/api/items/${place}`);
export const putItem = (place, answer) => asMyself("PUT", `/api/items/${place}`, answer);
export const withdraw = () => asMyself("POST", "/api/withdraw", { sure: true });
export const getProgress = () => asMyself("GET", "/api/admin/progress");
export const makeLinks = (role, count) => asMyself("POST", "/api/admin/links", { role, count });
export const revoke = (rater) => asMyself("POST", "/api/admin/revoke", { rater });

// The token stands after the # of a link: it is taken from the address bar before anything else.
export function takeToken() {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}

function kept() {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

function keep() {
  try {
    sessionStorage.setItem(KEPT, who);
  } catch {
    // Then it is known until the tab is loaded anew.
  }
}
