"""A clock on the wall that is set while a program runs; what measures durations goes on."""

import datetime
import time

_real = time.time


class _Jumping:
    """How far the clock is off: `far` seconds, then right again, each for `step` seconds.

    Where `step` is 0 it stays off.
    """

    def __init__(self, far: float, step: float) -> None:
        self.far, self.step, self.started = far, step, time.monotonic()

    def now(self) -> float:
        """What the clock says."""
        off = not self.step or int((time.monotonic() - self.started) / self.step) % 2
        return _real() + (self.far if off else 0.0)


def install(far: float, step: float) -> None:
    """Let everything that is imported after this see that clock."""
    clock = _Jumping(far, step)
    moment = datetime.datetime

    class Moment(moment):
        """A datetime that asks the clock that jumps."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> "Moment":
            """What the clock says."""
            return cls.fromtimestamp(clock.now(), tz)

    time.time = clock.now
    time.time_ns = lambda: int(clock.now() * 1e9)
    datetime.datetime = Moment
