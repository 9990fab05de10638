// An answer on its way: kept in this tab until the server has said that it has it.
import { Unreachable, pause, putItem } from "./server.js";

const KEPT = "overpaint answer";
const WAITS = [1, 2, 4, 8, 15];
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
export async function send(rater, place, answer, lost) {
  keep({ rater, place, answer });
  for (let turn = 0; ; turn += 1) {
    try {
      const reply = await putItem(place, answer);
      forget();
      return reply;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      lost();
      await wakeable(WAITS[Math.min(turn, WAITS.length - 1)] * 1000);
    }
  }
}

// A pause that ends at once when the browser says that it is connected again.
function wakeable(milliseconds) {
  return Promise.race([pause(milliseconds), new Promise((done) => (impatient = done))]);
}

export const tryNow = () => impatient();
