"""What a judge prefers that it should not: a place in the order, or editors of its own family.

Both are differences that an honest judge does not show, with intervals clustered by source: a bias
is found where the interval leaves out what an honest judge would give.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from overpaint import catalog
from overpaint.measures.opinions import Opinion
from overpaint.measures.pairwise import TIE, said
from overpaint.measures.reliability import Judged, Key
from overpaint.measures.voted import each_vote, tally
from overpaint.stats.bootstrap import interval, total_interval
from overpaint.stats.contests import expected, expected_intervals, strengths
from overpaint.store import Store, Vote

FAIR = 0.5  # the share of first places that a judge without a preferred place names

# Words that begin a part of a model's name, by who makes it.
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "openai": ("openai", "gpt", "dalle", "chatgpt", "o1", "o3", "o4"),
    "google": ("google", "gemini", "gemma", "imagen", "banana"),
    "anthropic": ("anthropic", "claude"),
    "qwen": ("qwen", "qwq", "wan2"),
    "bytedance": ("bytedance", "seedream", "seededit", "doubao", "bagel"),
    "meta": ("llama",),
    "mistral": ("mistral", "pixtral"),
    "xai": ("grok",),
    "zhipu": ("glm", "cogview", "cogvlm"),
    "stepfun": ("step1x", "step1o", "stepfun"),
    "internvl": ("internvl", "internlm"),
    "deepseek": ("deepseek", "janus"),
}


# ── votes ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Winner:
    """What one editor made of its contests."""

    editor: str
    votes: int
    wins: int
    ties: int
    losses: int
    rate: float | None  # of contests, a tie being half
    low: float | None
    high: float | None
    expected: float | None  # against all others alike, after Bradley and Terry
    expected_low: float | None
    expected_high: float | None


@dataclass(frozen=True)
class Share:
    """A share of so many, with its interval."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Contest:
    """All votes of one pairwise judge."""

    column: str
    winners: tuple[Winner, ...]
    first: Share  # of decided answers, those that name the first edit
    inconsistent: Share  # of pairs, those whose two orders have different verdicts
    same: int  # pairs of the same picture, of which nothing was asked
    lacking: Mapping[str, int]  # pairs without a vote, by status
    notes: tuple[str, ...] = ()
    people: bool = False  # whether people voted, each of whom counts

    @property
    def prefers_a_place(self) -> bool | None:
        """Whether the interval leaves out one half; None where there is no interval."""
        if self.first.low is None or self.first.high is None:
            return None
        return not self.first.low <= FAIR <= self.first.high


def contests(store: Store, judged: Judged) -> list[Contest]:
    """The votes of each pairwise judge of a run, in the order in which they were added."""
    votes: dict[str, list[Vote]] = {name: [] for name in store.contests}
    for vote in store.votes():
        votes[vote.measure].append(vote)
    return [_contest(name, cast, list(store.editors), judged) for name, cast in votes.items()]


def _contest(name: str, votes: Sequence[Vote], editors: Sequence[str], judged: Judged) -> Contest:
    whole = [vote for vote in votes if vote.value is not None]
    people = any(tally(vote.notes) for vote in whole)
    cast = list(each_vote(whole))
    met = [editor for editor in editors if any(editor in (v.editor, v.against) for v in cast)]
    asked = [(vote, found) for vote in cast if (found := said(vote.notes)) is not None]
    answers = [
        (place, judged.sources[vote.sample])
        for vote, found in asked
        for place in found
        if place != TIE
    ]
    apart = [(not found.consistent, judged.sources[vote.sample]) for vote, found in asked]
    winners, notes = _winners(cast, met, judged)
    return Contest(
        name, winners, _share(answers, judged.seed), _share(apart, judged.seed),
        0 if people else len(cast) - len(asked),
        Counter(v.status for v in votes if v.value is None), notes, people,
    )  # fmt: skip


def _share(found: Sequence[tuple[float, str]], seed: int) -> Share:
    """The mean of values between 0 and 1, each with its source."""
    if not found:
        return Share(None, None, None, 0)
    values, sources = [float(value) for value, _ in found], [source for _, source in found]
    span = interval(values, sources, seed=seed)
    mean = math.fsum(values) / len(values)
    return Share(mean, span and span.low, span and span.high, len(values))


def _winners(
    votes: Sequence[Vote], editors: Sequence[str], judged: Judged
) -> tuple[tuple[Winner, ...], tuple[str, ...]]:
    """Each editor's wins, the best first, and what keeps strengths from being had."""
    if not votes:
        return (), ()
    place = {editor: at for at, editor in enumerate(editors)}
    sources = {name: at for at, name in enumerate(dict.fromkeys(
        judged.sources[vote.sample] for vote in votes
    ))}  # fmt: skip
    wins = np.zeros((len(sources), len(editors), len(editors)))
    for vote in votes:
        at, a, b = sources[judged.sources[vote.sample]], place[vote.editor], place[vote.against]
        wins[at, a, b] += vote.value or 0.0
        wins[at, b, a] += 1 - (vote.value or 0.0)
    strong = expected(strengths(wins.sum(axis=0)))
    spans = expected_intervals(wins)
    made = [_winner(e, votes, judged, (float(strong[at]), spans[at])) for e, at in place.items()]
    endless = not np.isfinite(strong).all()
    note = "one of them never lost, or some never met: their strengths have no finite value"
    ranked = sorted(made, key=lambda one: -(one.rate or 0.0))
    return tuple(ranked), (note,) if endless else ()


def _winner(
    editor: str, votes: Sequence[Vote], judged: Judged, strong: tuple[float, object]
) -> Winner:
    mine = [
        (vote.value if vote.editor == editor else 1 - vote.value, judged.sources[vote.sample])
        for vote in votes
        if vote.value is not None and editor in (vote.editor, vote.against)
    ]
    tally = Counter(value for value, _ in mine)
    rate, (value, span) = _share(mine, judged.seed), strong
    low, high = span if isinstance(span, tuple) and math.isfinite(value) else (None, None)
    return Winner(
        editor, len(mine), tally[1.0], tally[TIE], tally[0.0], rate.value, rate.low, rate.high,
        value if math.isfinite(value) else None, low, high,
    )  # fmt: skip


# ── self-preference ─────────────────────────────────────────────────────────────────────

How = Literal["declared", "guessed"]


@dataclass(frozen=True)
class Kin:
    """A judge and the editors of its family, and how that is known."""

    who: str
    editors: tuple[str, ...]
    how: How
    family: str = ""  # where it was guessed


@dataclass(frozen=True)
class SelfPreference:
    """How much more a judge gives its kin than others do, beyond what it gives everybody."""

    kin: Kin
    others: str  # "other judges" or "people"
    kin_edits: int
    other_edits: int
    difference: float | None
    low: float | None
    high: float | None
    width: float  # of the judge's scale

    @property
    def found(self) -> bool | None:
        """Whether the interval lies above 0; None where there is no interval."""
        return None if self.low is None else self.low > 0


def family(name: str) -> str:
    """Who makes a model or editor, as far as its name says; empty where it does not."""
    parts = [part for part in re.split(r"[^a-z0-9]+", name.casefold()) if part]
    for maker, words in FAMILIES.items():
        if any(part.startswith(word) for part in parts for word in words):
            return maker
    return ""


def kin_of(
    judged: Judged, editors: Mapping[str, str], declared: Sequence[tuple[str, str]] = (),
    *, own: Collection[str] = (),
) -> list[Kin]:  # fmt: skip
    """The kin of each judge: those declared, else those that names give away.

    `editors` are names and specs; floors, the benchmark's `own` too, and ceilings are nobody's kin.
    """
    competing = catalog.competing(editors, own)
    found = []
    for who, model in _judges(judged).items():
        said_so = tuple(e for j, e in declared if j in (who, model) and e in editors)
        own = family(model)
        guessed = tuple(name for name in competing if own and family(name) == own)
        if said_so:
            found.append(Kin(who, said_so, "declared"))
        elif guessed:
            found.append(Kin(who, guessed, "guessed", own))
    return found


def _judges(judged: Judged) -> dict[str, str]:
    """Judge -> the name of its model."""
    return {one.who: one.judge.panel[0] for one in judged.of_kind("model") if one.judge}


def self_preferences(
    judged: Judged, kin: Sequence[Kin], editors: Mapping[str, str], *, own: Collection[str] = ()
) -> list[SelfPreference]:
    """Each judge that has kin against the other judges, and against people."""
    competing = catalog.competing(editors, own)
    found = []
    for one in kin:
        strangers = {name for name in competing if name not in one.editors}
        strangers = strangers or set(editors) - set(one.editors)
        for others in ("other judges", "people"):
            gaps = _gaps(judged, one.who, others)
            if gaps:
                found.append(_preference(judged, (one, others), gaps, strangers))
    return found


def _gaps(judged: Judged, who: str, others: str) -> dict[Key, float]:
    """For each edit what the judge gives it beyond what the others do, mean over dimensions."""
    gaps: dict[Key, list[float]] = {}
    for own in judged.of_kind("model"):
        if own.who != who or own.is_total:
            continue
        columns = [
            one
            for one in judged.of_kind("model" if others == "other judges" else "people")
            if one.who != who and not one.is_total and _comparable(one, own)
        ]
        for key, value in judged.values[own.name].items():
            told = [
                _on_scale(one, own, judged.values[one.name][key])
                for one in columns
                if key in judged.values[one.name]
            ]
            if told:
                gaps.setdefault(key, []).append(value - math.fsum(told) / len(told))
    return {key: math.fsum(values) / len(values) for key, values in gaps.items()}


def _comparable(one: Opinion, own: Opinion) -> bool:
    """Whether two columns answer the same question, on scales with two ends."""
    ends = (one.measure.worst, one.measure.best, own.measure.worst, own.measure.best)
    same = one.dimension == own.dimension or one.name == "human"
    return same and None not in ends and one.measure.worst != one.measure.best


def _on_scale(one: Opinion, own: Opinion, value: float) -> float:
    """A value of one column on the scale of another."""
    low, high = float(one.measure.worst or 0), float(one.measure.best or 0)
    to_low, to_high = float(own.measure.worst or 0), float(own.measure.best or 0)
    return to_low + (value - low) / (high - low) * (to_high - to_low)


def _preference(
    judged: Judged, asked: tuple[Kin, str], gaps: Mapping[Key, float], strangers: set[str]
) -> SelfPreference:
    """Mean gap of kin less mean gap of strangers, sources drawn with replacement."""
    kin, others = asked
    sources = sorted({judged.sources[sample] for sample, _ in gaps})
    place = {name: at for at, name in enumerate(sources)}
    sums, counts = np.zeros((2, len(sources))), np.zeros((2, len(sources)))
    for (sample, editor), gap in gaps.items():
        side = 0 if editor in kin.editors else 1 if editor in strangers else None
        if side is not None:
            sums[side, place[judged.sources[sample]]] += gap if side == 0 else -gap
            counts[side, place[judged.sources[sample]]] += 1
    (own, rest), difference, span = counts.sum(axis=1), None, None
    if own and rest:
        difference = float((sums.sum(axis=1) / counts.sum(axis=1)).sum())
        parts = [(sums[side], counts[side]) for side in (0, 1)]
        span = total_interval(parts, seed=judged.seed)
    measure = next(
        o.measure for o in judged.of_kind("model") if o.who == kin.who and not o.is_total
    )
    width = abs((measure.best or 0.0) - (measure.worst or 0.0))
    low, high = span or (None, None)
    return SelfPreference(kin, others, int(own), int(rest), difference, low, high, width)
