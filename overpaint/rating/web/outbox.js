// An answer on its way: kept in this tab until the server has said that it has it.
import { Refused, Unreachable, pause, putItem } from "./server.js";

const KEPT = "overpaint answer";
const WAITS = [1, 2, 4, 8, 15, 30, 60]; // seconds
const LONG = 5; // tries after which somebody should know
const FAULTS = 4; // tries of what the server fails at: more would be no use
let impatient = () => {};

addEventListener("online", () => impatient());

// What was still on its way when the tab was loaded anew.
export function waiting(rater) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    return kept?.rater === rater ? kept : null;
  } catch {
    return null;
  }
}

export function forget() {
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // It was never kept.
  }
}

function keep(letter) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(letter));
  } catch {
    // It is in memory still, and is sent from there.
  }
}

// Sends until it is there. `lost` hears of every failed turn; what the server refuses is thrown.
// A fault of the server's own is tried a few times, and then only when the rater says so.
export async function send(rater, place, answer, lost) {
  keep({ rater, place, answer });
  let faults = 0;
  for (let turn = 0; ; turn += 1) {
    try {
      const reply = await putItem(place, answer);
      forget();
      return reply;
    } catch (error) {
      if (!isPassing(error)) throw error;
      faults = error.status === 500 ? faults + 1 : 0;
      const stuck = faults >= FAULTS;
      lost(error, { stuck, long: turn + 1 >= LONG });
      await wakeable(stuck ? null : WAITS[Math.min(turn, WAITS.length - 1)] * 1000);
    }
  }
}

const isPassing = (error) => error instanceof Unreachable || (error instanceof Refused && error.status === 429);

// A pause that ends at once when the rater asks, or the browser is connected again; with no time,
// only then.
function wakeable(milliseconds) {
  const woken = new Promise((done) => (impatient = done));
  return milliseconds === null ? woken : Promise.race([pause(milliseconds), woken]);
}

export const tryNow = () => impatient();
