// Talking to the server: JSON there and back, and three ways in which it can fail.

// It said no, and why.
export class Refused extends Error {
  constructor(status, body) {
    super(body.error ?? String(status));
    this.status = status;
    this.body = body;
  }
}

// It did not answer, or not with sense: to be tried again.
export class Unreachable extends Error {}

const PATIENCE = 20_000;
let csrf = "";

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function once(method, path, body) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && csrf) headers["X-CSRF"] = csrf;
  let reply;
  try {
    reply = await fetch(path, {
      method, headers, credentials: "same-origin", cache: "no-store",
      body: body === undefined ? undefined : JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE),
    });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (reply.status >= 500) throw new Unreachable(String(reply.status));
  const told = await reply.json().catch(() => ({}));
  if (reply.ok) return told;
  const refused = new Refused(reply.status, told);
  refused.wait = Number(reply.headers.get("Retry-After")) || 1;
  throw refused;
}

// Asked too often: wait as long as told, then ask again.
async function patient(method, path, body) {
  for (let turn = 0; ; turn += 1) {
    try {
      return await once(method, path, body);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 429 || turn === 5) throw error;
      await pause(Math.min(error.wait, 30) * 1000);
    }
  }
}

// Another tab of this browser may have begun a new session: its key is as good as ours.
async function write(method, path, body) {
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

function remember(told) {
  if (told.csrf) csrf = told.csrf;
  return told;
}

// Asked too often for a link: said at once, as it may be another's fault and take a minute.
export const join = async (token) => remember(await once("POST", "/api/join", { token }));
export const getState = async () => remember(await patient("GET", "/api/state"));
export const consent = async (version) => remember(await write("POST", "/api/consent", { version }));
export const getItem = (place) => patient("GET", `/api/items/${place}`);
export const putItem = (place, answer) => write("PUT", `/api/items/${place}`, answer);
export const withdraw = () => write("POST", "/api/withdraw", { sure: true });
export const getProgress = () => patient("GET", "/api/admin/progress");
export const makeLinks = (role, count) => write("POST", "/api/admin/links", { role, count });
export const revoke = (rater) => write("POST", "/api/admin/revoke", { rater });

// The token stands after the # of a link: it is taken from the address bar before anything else.
export function takeToken() {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}
