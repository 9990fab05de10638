"""One progress bar on stderr, with rate and time left."""

import sys
import time

WIDTH = 28


class Bar:
    """Called with what is being done, how many are, of how many."""

    def __init__(self, unit: str = "", scale: int = 1) -> None:
        self._unit, self._scale = unit and f" {unit}", scale  # ("MB", 10**6) shows bytes as such
        self._label = ""
        self._started = self._drawn = 0.0
        # In a log file a line every ten seconds says enough; on a screen ten a second.
        self._screen = sys.stderr.isatty()
        self._pause = 0.1 if self._screen else 10.0

    def __call__(self, label: str, done: int, total: int) -> None:
        now = time.monotonic()
        if label != self._label:
            self._label, self._started, self._drawn = label, now, now if not self._screen else 0.0
        if now - self._drawn < self._pause and done < total:
            return
        self._drawn = now
        self._draw(self._line(done, total, now - self._started), done == total)

    def _line(self, done: int, total: int, seconds: float) -> str:
        filled = WIDTH * done // total if total else WIDTH
        rate = done / seconds if seconds > 0 else 0.0
        left = duration((total - done) / rate) if rate else "?"
        tail = f"{duration(seconds)} in all" if done == total else f"{left} left"
        bar = "━" * filled + "─" * (WIDTH - filled)
        done, total, unit = done // self._scale, total // self._scale, self._unit
        return f"{self._label:8} {bar} {done:,}/{total:,}{unit}  {rate / self._scale:.1f}/s  {tail}"

    def _draw(self, line: str, last: bool) -> None:
        start, end = ("\r\x1b[2K", "\n" if last else "") if self._screen else ("", "\n")
        print(start + line, end=end, file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """Seconds as people say them: 45 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
