// How long the rest will take, going by this rater's own answers.
import { say } from "./words.js";

const ENOUGH = 3; // answers before anything is said
const LAST = 30; // answers that count: people get faster

export class Pace {
  constructor(rater) {
    this.key = `overpaint pace ${rater}`;
    this.seconds = this.kept();
  }

  took(seconds) {
    this.seconds = [...this.seconds, seconds].slice(-LAST);
    try {
      sessionStorage.setItem(this.key, JSON.stringify(this.seconds));
    } catch {
      // Then it begins anew with the page.
    }
  }

  kept() {
    try {
      const found = JSON.parse(sessionStorage.getItem(this.key));
      return Array.isArray(found) ? found.filter(Number.isFinite) : [];
    } catch {
      return [];
    }
  }

  // The median is what an item takes: one that was left open over lunch does not count for more.
  words({ place, total }) {
    if (this.seconds.length < ENOUGH || place > total) return "";
    const sorted = [...this.seconds].sort((one, other) => one - other);
    const middle = (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
    const minutes = Math.max(1, Math.round((middle * (total - place + 1)) / 60));
    if (minutes < 120) return say("study_left", { minutes });
    return say("study_left_hours", { hours: Math.round(minutes / 60) });
  }
}
