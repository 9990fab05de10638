"""What the scores of probes say of a measure: verdicts, computed by thresholds in plain sight.

Every probe is held against the truth of the same sample; a verdict comes of the share of such
pairs that are in the right order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Literal

from overpaint.core import IDENTICAL
from overpaint.engines.damages import DAMAGES, LEVELS, Damage
from overpaint.engines.probes import ALL, BY_NAME, Probe
from overpaint.engines.probes import SOUND as SOUND_MEASURE
from overpaint.report.audit.numbers import SLIGHT, Scores, Share, noted, status_of

MOST = 0.9  # of the pairs
SOME = 0.6
FEWEST = 0.5  # of the probes must have a score
MASKED = ("inside", "outside")
SIGHTS = (*MASKED, "instruction", "source", "truth")

Verdict = Literal[
    "noticed", "in part", "did not notice", "wrong way round", "not its job", "no score",
    "harmless", "not told from harm", "taken for harm", "the same", "not the same", "full marks",
    "not full marks", "does not arise", "no best declared",
]  # fmt: skip
SOUND: tuple[Verdict, ...] = ("noticed", "harmless", "the same", "full marks")
FAULTS: tuple[Verdict, ...] = (
    "in part", "did not notice", "wrong way round", "not told from harm", "taken for harm",
    "not the same", "not full marks",
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One probe under one measure."""

    probe: str
    group: str
    title: str
    claim: str
    expected: str  # of a sound measure
    where: str
    verdict: Verdict
    why: str  # what the verdict is computed from
    share: Share | None  # of samples in which the truth is scored better
    auc: float | None
    asked: int  # samples of which the question arises
    median: float | None
    quartiles: tuple[float, float] | None
    way: float | None  # from the truth (0) to a white page (1), the median
    statuses: Mapping[str, int]
    reasons: Mapping[str, int]
    notes: Mapping[str, int]


@dataclass(frozen=True)
class Grade:
    """A damage in its levels: is it noticed, from which level on, and more the more there is?"""

    damage: str
    title: str
    where: str
    verdict: Verdict
    why: str
    noticed_from: int | None
    in_order: int  # steps from one level to the next that are not scored better
    steps: int
    levels: tuple[Line, ...]


@dataclass(frozen=True)
class Sight:
    """Whether scores change with a part of the question, all else being equal."""

    where: str
    looks: bool | None  # None: it cannot be told
    changed: int
    of: int


@dataclass(frozen=True)
class Column:
    """All that was found out of one measure."""

    measure: str
    about: str
    version: str
    higher_is_better: bool
    unit: str
    headline: str
    sights: tuple[Sight, ...]
    lines: tuple[Line, ...]
    grades: tuple[Grade, ...]
    chain: tuple[int, int]  # samples with truth ≥ JPEG 85 ≥ JPEG 5 ≥ a white page, of how many
    statuses: Mapping[str, int]
    seconds: float

    @property
    def findings(self) -> "list[Line | Grade]":
        """Lines and grades, in the order of the card."""
        return [*self.lines, *self.grades]


def rules() -> tuple[str, ...]:
    """The thresholds, in words."""
    most, some, wrong = (percent_of(share) for share in (MOST, SOME, 1 - SOME))
    return (
        f"Noticed: the truth is scored better than the probe in {most} of the samples or more; a"
        f" tie counts half. A difference below {SLIGHT:g} of the way from the truth to a white"
        " page is a tie.",
        f"In part: in {some} or more, with a 95 % interval above 50 %. Wrong way round: in"
        f" {wrong} or less, with an interval below 50 %. Did not notice: anything else. Intervals"
        " are by bootstrap over sources and need five; with fewer nothing is told in part, and"
        f" wrong way round is {percent_of(1 - MOST)} or less.",
        "Not its job: it did not notice, and its scores stay the same to the last digit in"
        f" {most} of the samples or more whatever becomes of that part of the question, though"
        " they change with others.",
        "Harmless, not told from harm, taken for harm: the same shares of samples in which a copy"
        " of the truth is scored better than a white page (a black one, or one of the mean colour,"
        " where that has no score) and, where nothing done is noticed, than the untouched source.",
        "The same: equal to the last digit in every sample. Full marks: the best score that the"
        f" measure declares, in {most} of the samples or more.",
        "No score: fewer than half of the samples have one. Damage is judged by its strongest"
        " level, and noticed from the level on from which every level is.",
    )


def percent_of(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.0f} %"


# ── one measure ─────────────────────────────────────────────────────────────────────────────


def column_of(scores: Scores) -> Column:
    """All that the scores say of their measure."""
    sights = tuple(_sight(scores, where) for where in SIGHTS if f"sight-{where}" in scores.asked)
    shown = [p for p in ALL if p.group not in ("damage", "sight") and p.name in scores.asked]
    lines = tuple(_line(scores, probe, sights) for probe in shown)
    grades = tuple(
        _grade(scores, damage, sights)
        for damage in DAMAGES
        if f"{damage.name}-{LEVELS}" in scores.asked
    )
    measure, every = scores.measure, scores.every
    return Column(
        measure.name, measure.about, measure.version, measure.higher_is_better, measure.unit,
        _headline(scores, [*lines, *grades]), sights, lines, grades, _chain(scores),
        dict(Counter(map(status_of, every)).most_common()), sum(row.seconds for row in every),
    )  # fmt: skip


def _headline(scores: Scores, found: "Sequence[Line | Grade]") -> str:
    """The measure in one sentence; counts, and what turns all of them on their head."""
    values = {row.value for row in scores.every}
    if values <= {None}:
        return "It gave no score to any probe."
    if len(values) == 1 and not any(status_of(row) == IDENTICAL for row in scores.every):
        return f"It notices nothing: every probe has the score {values.pop():g}."
    harm = [one for one in found if isinstance(one, Grade) or one.claim == "worse"]
    count = Counter(one.verdict for one in harm)
    if count["wrong way round"] > len(harm) / 2:
        return (
            f"It scores the wrong way round: {count['wrong way round']} of {len(harm)} kinds of"
            " harm get better scores than the truth."
        )
    parts = [f"{count['noticed']} of {len(harm)} kinds of harm noticed"]
    others: tuple[Verdict, ...] = (*FAULTS, "not its job", "no score")
    parts += [f"{count[verdict]} {verdict}" for verdict in others if count[verdict]]
    return "; ".join(parts) + "."


def _sight(scores: Scores, where: str) -> Sight:
    """Whether scores change with that part; nothing is shown by scores that never vary."""
    probe = BY_NAME[f"sight-{where}"]
    changed, of, _ = scores.differing(probe.name, probe.like)
    varied = len(set(scores.gains(probe.like).values())) > 1
    looks = True if changed > (1 - MOST) * of else False if of and varied else None
    return Sight(where, looks, changed, of)


def _chain(scores: Scores) -> tuple[int, int]:
    """In how many samples the truth, a harmless copy, a spoilt one and a blank are in order."""
    steps = [
        scores.pairs(better, worse)
        for better, worse in (("truth", "jpeg85"), ("jpeg85", f"jpeg-{LEVELS}"),
                              (f"jpeg-{LEVELS}", "white"))
    ]  # fmt: skip
    whole = [base for base in steps[0] if all(base in step for step in steps)]
    return sum(all(step[base] for step in steps) for base in whole), len(whole)


# ── one probe ───────────────────────────────────────────────────────────────────────────────


def _line(scores: Scores, probe: Probe, sights: Sequence[Sight]) -> Line:
    rows, arisen = scores.of(probe.name), scores.arisen(probe.name)
    share = scores.share(probe.like, probe.name)
    values = [row.value for row in rows if row.value is not None]
    scored = sum(status_of(row) in ("ok", IDENTICAL) for row in rows)
    verdict: Verdict
    if not arisen:
        verdict, why = "does not arise", ""
    elif scored < FEWEST * arisen or share is None:
        verdict, why = "no score", f"{scored} of {arisen} scored"
    else:
        verdict, why = _judged(scores, probe, share, sights)
    reasons = Counter(row.reason for row in rows if status_of(row) not in ("ok", IDENTICAL))
    return Line(
        probe.name, probe.group, probe.title, probe.claim, SOUND_MEASURE[probe.claim],
        probe.where, verdict, why, share, scores.auc(probe.like, probe.name), arisen,
        median(values) if values else None, _quartiles(values), scores.way(probe.name),
        dict(Counter(map(status_of, rows)).most_common()),
        dict(reasons.most_common(5)), noted(rows),
    )  # fmt: skip


def _quartiles(values: Sequence[float]) -> tuple[float, float] | None:
    if len(values) < 2:
        return None
    low, _, high = quantiles(values, n=4, method="inclusive")
    return low, high


def _judged(
    scores: Scores, probe: Probe, share: Share, sights: Sequence[Sight]
) -> tuple[Verdict, str]:
    """The verdict, and what it is computed from."""
    match probe.claim:
        case "best":
            return _full_marks(scores, probe)
        case "same":
            return _same(scores, probe)
        case "harmless":
            return _harmless(scores, probe)
    verdict = _ordered(share)
    blind = any(sight.where == probe.where and sight.looks is False for sight in sights)
    if verdict == "did not notice" and blind and any(sight.looks for sight in sights):
        return "not its job", f"it does not look {_place(probe.where)}"
    why = f"truth better in {told_share(share)}"
    notes = noted(scores.of(probe.name)) if verdict != "noticed" else {}
    return verdict, "; ".join([why, *(f"{kind} {n} of {share.pairs}" for kind, n in notes.items())])


def _ordered(share: Share) -> Verdict:
    """Without an interval, which takes five sources, only what is nearly always so is told."""
    if share.value >= MOST:
        return "noticed"
    if share.value >= SOME and share.low is not None and share.low > 0.5:
        return "in part"
    settled = share.value <= 1 - MOST if share.high is None else share.high < 0.5
    return "wrong way round" if share.value <= 1 - SOME and settled else "did not notice"


def _place(where: str) -> str:
    return f"{where} the mask" if where in MASKED else f"at the {where}"


def told_share(share: Share) -> str:
    """A share with its number of pairs, and its interval where that has a width."""
    told = f"{percent_of(share.value)} of {share.pairs}"
    if share.low is None or share.high is None or share.low == share.high:
        return told
    return f"{told} (interval {100 * share.low:.0f} – {100 * share.high:.0f} %)"


def _full_marks(scores: Scores, probe: Probe) -> tuple[Verdict, str]:
    best, rows = scores.measure.best, scores.of(probe.name)
    full = sum(status_of(row) == IDENTICAL or row.value == best for row in rows)
    scored = sum(status_of(row) in ("ok", IDENTICAL) for row in rows)
    if best is None and not full:
        return "no best declared", ""
    return ("full marks" if full >= MOST * scored else "not full marks"), f"{full} of {scored}"


def _same(scores: Scores, probe: Probe) -> tuple[Verdict, str]:
    changed, of, most = scores.differing(probe.name, probe.like)
    if not changed:
        return "the same", f"all {of} equal to the last digit"
    return "not the same", f"{changed} of {of} differ, by at most {most:.3g}"


def _least(scores: Scores) -> list[str]:
    """The blank page that harmless probes are held against: the first that has scores."""
    blank = ("white", "black", "mean")
    return [n for n in blank if len(scores.gains(n)) >= max(1, FEWEST * scores.arisen(n))][:1]


def _harmless(scores: Scores, probe: Probe) -> tuple[Verdict, str]:
    """Better than a blank page, and than nothing done where the measure notices that."""
    held = {name: BY_NAME[name].title for name in _least(scores)}
    nothing = scores.share("truth", "nothing")
    if nothing is not None and nothing.value >= MOST:
        held["nothing"] = "the untouched source"
    shares = {told: scores.share(probe.name, name) for name, told in held.items()}
    found = {told: share for told, share in shares.items() if share is not None}
    if not found:
        return "no score", "there is nothing to hold it against"
    why = "better than " + ", ".join(f"{told} in {told_share(one)}" for told, one in found.items())
    return _OF_COPIES[_ordered(min(found.values(), key=lambda share: share.value))], why


_OF_COPIES: Mapping[Verdict, Verdict] = {
    "noticed": "harmless",
    "in part": "in part",
    "did not notice": "not told from harm",
    "wrong way round": "taken for harm",
}


# ── one damage ──────────────────────────────────────────────────────────────────────────────


def _grade(scores: Scores, damage: Damage, sights: Sequence[Sight]) -> Grade:
    names = [f"{damage.name}-{level}" for level in range(1, LEVELS + 1)]
    lines = tuple(_line(scores, BY_NAME[name], sights) for name in names)
    steps = [
        right
        for better, worse in zip(["truth", *names], names, strict=False)
        for right in scores.pairs(better, worse).values()
    ]
    first = _noticed_from(lines)
    kept = sum(right > 0 for right in steps)
    last = lines[-1]
    why = last.why
    if first is not None:
        why = f"from {damage.levels[first - 1]}"
    if last.verdict in ("noticed", "in part", "wrong way round") and kept < len(steps):
        why += f"; {len(steps) - kept} of {len(steps)} steps are scored better with more of it"
    return Grade(damage.name, damage.title, damage.where, last.verdict, why, first, kept,
                 len(steps), lines)  # fmt: skip


def _noticed_from(lines: Sequence[Line]) -> int | None:
    """The first level from which all are noticed."""
    level = None
    for number in range(len(lines), 0, -1):
        if lines[number - 1].verdict != "noticed":
            break
        level = number
    return level
