"""How long a rater may go on, and how long a break still is; pure functions of the time."""

from dataclasses import dataclass

GRACE = 120.0  # seconds in which the item on the screen may still be saved


@dataclass(frozen=True)
class Period:
    """When a rater's stretch of rating began, and when something was last done in it."""

    start: float | None = None
    seen: float = 0.0


@dataclass(frozen=True)
class Rules:
    """So many seconds of rating, then so many of a break."""

    length: float
    pause: float


@dataclass(frozen=True)
class Standing:
    """Where a rater stands: seconds of rating left, or seconds of the break left."""

    period: Period
    seconds_left: float
    break_left: float = 0.0

    @property
    def resting(self) -> bool:
        """Whether nothing may be opened now."""
        return self.break_left > 0


def standing(period: Period, rules: Rules, now: float) -> Standing:
    """Where a rater stands now; a stretch begins anew after a break, or as long without a word."""
    if period.start is None:
        return Standing(period, rules.length)
    end = period.start + rules.length
    # A rest counts if it was over before the end; a shorter one does not cut the break short.
    idle = min(now, end) - period.seen >= rules.pause > 0
    if idle or now >= end + rules.pause:
        return Standing(Period(), rules.length)
    if now < end:
        return Standing(period, end - now)
    return Standing(period, 0.0, end + rules.pause - now)


def touched(found: Standing, now: float) -> Period:
    """The period once something is done in it."""
    start = found.period.start
    return Period(now if start is None else start, now)


def may_save(found: Standing, rules: Rules, now: float, opened: float | None) -> bool:
    """Whether an item may be saved: while rating, or just after if it was opened before."""
    if not found.resting:
        return True
    end = (found.period.start or 0.0) + rules.length
    return opened is not None and opened <= end and now <= end + GRACE
