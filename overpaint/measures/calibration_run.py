"""A run's measures held against people: what `overpaint calibrate` reads and works out."""

import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

from overpaint import catalog
from overpaint.errors import PictureError, UserMistake
from overpaint.measures import learned
from overpaint.measures.calibration import (
    ALL,
    DRAWS,
    Agreement,
    Column,
    Ground,
    HumanCeiling,
    agreements,
    ceilings,
)
from overpaint.measures.calibration_editors import (
    Duel,
    Estimate,
    Overall,
    Ranking,
    duels,
    estimates,
    overall,
    ranking,
)
from overpaint.measures.calibration_maps import Calibrated, calibrated
from overpaint.measures.opinions import HUMAN
from overpaint.measures.people import Key, People
from overpaint.store import Store, reading

TASK = "task"  # the tag that is broken down by where a benchmark has it
IDENTICAL = "identical"


@dataclass(frozen=True)
class Coverage:
    """How much of what people rated is in the run, and how much of the run they rated."""

    dimension: str
    rated: int  # edits that people rated
    here: int  # of them those that the run has
    scored: int  # of those, the ones with an opinion score
    edits: int  # in the run


@dataclass(frozen=True)
class Calibration:
    """Everything that is known of a run's measures and people."""

    by: str  # the tag that tasks are told apart by; "": none
    parts: tuple[str, ...]  # all, and the tasks
    people: tuple[People, ...]
    coverage: tuple[Coverage, ...]
    ceilings: tuple[HumanCeiling, ...]
    agreements: tuple[Agreement, ...]
    maps: tuple[Calibrated, ...]
    rankings: tuple[Ranking, ...]
    overall: Overall | None
    estimates: tuple[Estimate, ...]
    duels: tuple[Duel, ...]
    columns: tuple[Column, ...] = field(repr=False)
    skipped: Mapping[str, str]  # measure -> why it could not be held against anybody
    whose: str = ""  # where the ratings come from, in words

    @property
    def measures(self) -> list[str]:
        """The names of the columns that were held against people."""
        return [column.name for column in self.columns]

    def best(self, dimension: str) -> str | None:
        """The measure that goes best with people there, which helps to tell editors' means."""
        return next((one.measure for one in self.estimates if one.dimension == dimension), None)

    def agreement(self, measure: str, dimension: str, part: str = ALL) -> Agreement | None:
        """The measure against people there."""
        wanted = (measure, dimension, part)
        return next(
            (a for a in self.agreements if (a.measure, a.dimension, a.part) == wanted), None
        )

    def ceiling(self, dimension: str, part: str = ALL) -> HumanCeiling | None:
        """People against people there; None where their ratings are not known."""
        wanted = (dimension, part)
        return next((c for c in self.ceilings if (c.dimension, c.part) == wanted), None)


def calibrate(
    columns: Sequence[Column],
    people: Sequence[People],
    ground: Ground,
    edits: Sequence[Key],
    *,
    by: str = "",
    whose: str = "",
    tell: Callable[[str], None] = lambda line: None,
) -> Calibration:
    """Hold every column against every dimension that people rated, on the run's edits alone."""
    here = set(edits)
    kept = [column for column in columns if column.values]
    found: list[Agreement] = []
    maps, rankings, means, pairs = [], [], [], []
    held = [one.among(here) for one in people]
    for one in held:
        tell(f"{one.dimension}: {len(kept)} measures against {len(one.scores):,} edits")
        whole = [agreements(column, one, ground) for column in kept]
        found += [agreement for each in whole for agreement in each]
        made = [calibrated(column, one, ground) for column in kept]
        maps += made
        rankings += [ranking(c, one, on_scale) for c, on_scale in zip(kept, made, strict=True)]
        if best := _best(kept, [each[0] for each in whole]):
            told = estimates(best, one, ground)
            means += told
            pairs += duels(best, one, ground, told)
    skipped = {column.name: "it has scored no edit" for column in columns if not column.values}
    parts = dict.fromkeys(a.part for a in found) or {ALL: None}
    by_name = {one.dimension: one for one in held}
    return Calibration(
        by, tuple(parts), tuple(people), tuple(_coverage(one, here) for one in people),
        tuple(each for one in held if one.keys for each in ceilings(one, ground)),
        tuple(found), tuple(maps), tuple(rankings),
        overall(by_name, kept, rankings), tuple(means), tuple(pairs),
        tuple(kept), skipped, whose,
    )  # fmt: skip


def _best(columns: Sequence[Column], found: Sequence[Agreement]) -> Column | None:
    """The measure that goes best with people, which then helps to tell editors' means."""
    known = [
        (one.headline.value, -place)
        for place, one in enumerate(found)
        if one.headline is not None and one.headline.value is not None
    ]
    return columns[-max(known)[1]] if known else columns[0] if columns else None


def _coverage(people: People, here: set[Key]) -> Coverage:
    inside = people.means.keys() & here
    return Coverage(
        people.dimension, len(people.means), len(inside), len(people.scores.keys() & here),
        len(here),
    )  # fmt: skip


# ── reading a run ───────────────────────────────────────────────────────────────────────


def read_columns(store: Store, names: Sequence[str] = ()) -> list[Column]:
    """The columns of a run that say something of single edits; people's own are not among them."""
    specs = {
        name: spec
        for name, spec in store.measures.items()
        if spec.partition(":")[0] != HUMAN and (not names or name in names)
    }
    if unknown := [name for name in names if name not in specs]:
        raise UserMistake(
            f"The run has no measure {unknown[0]!r} to hold against people.",
            f"It has {', '.join(n for n, s in store.measures.items() if not s.startswith(HUMAN))}.",
            f"`overpaint score {store.folder} --measure {unknown[0]}` adds it.",
        )
    values: dict[str, dict[Key, float]] = {name: {} for name in specs}
    statuses: dict[str, dict[Key, str]] = {name: {} for name in specs}
    for key, measure, value, why in _told(store, specs):
        if value is not None:
            values[measure][key] = value
        else:
            statuses[measure][key] = why
    made = store.made_by()
    trained = any(spec.startswith(f"{learned.LEARNED}:") for spec in specs.values())
    sources = _pictures(store) if trained else set()
    return [
        Column(
            name, values[name], catalog.measure(spec).higher_is_better, statuses[name],
            made[name][1], learned.known_among(spec, made[name][1], sources),
        )
        for name, spec in specs.items()
        if catalog.measure(spec).scope == "edit" and not catalog.measure(spec).over
    ]  # fmt: skip


def _told(store: Store, measures: Container[str]) -> Iterator[tuple[Key, str, float | None, str]]:
    """(edit, measure, value, why there is none); all that is said of an edit shares its key."""
    ids, named = reading.ids(store), reading.key_names(store)
    why = lru_cache(maxsize=4096)(_why)  # of few kinds, mostly, and said millions of times
    key = ("", "")
    for rows in reading.scores(store):
        told = zip(rows.samples, rows.keys, rows.values, rows.told, strict=True)
        for number, place, value, lost in told:
            editor, measure = named.get(place, ("", ""))
            if measure not in measures or number not in ids:
                continue
            if key != (edit := (ids[number], editor)):
                key = edit
            yield key, measure, value, why(lost)


def _why(lost: str | None) -> str:
    """Why there is no value: a status, held once however often it is said."""
    status, _, reason = (lost or "").partition("\n")
    return IDENTICAL if reason == IDENTICAL else sys.intern(status)


def _pictures(store: Store) -> set[str]:
    """The hashes of the run's sources; one that is not there any more is not known."""
    found = set()
    for sample in store.samples():
        with suppress(PictureError):
            found.add(sample.request.source.key)
    return found


def read_ground(store: Store, by: str | None = None, *, draws: int = DRAWS) -> tuple[Ground, str]:
    """The sources and tasks of a run, and the tag that tells tasks apart; "" for none."""
    samples = list(reading.heads(store))
    tags = dict.fromkeys(tag for sample in samples for tag in sample.tags)
    chosen = by if by is not None else _default_tag(list(store.info.get("breakdowns", ())), tags)
    if chosen and chosen not in tags:
        raise UserMistake(
            f"No sample of the run has the tag {chosen!r}.",
            f"Their tags: {', '.join(tags)}." if tags else "They have none.",
        )
    sources = {sample.id: sample.cluster or sample.id for sample in samples}
    tasks = {sample.id: sample.tags[chosen] for sample in samples if chosen in sample.tags}
    return Ground(sources, tasks, int(store.info.get("seed", 0)), draws), chosen


def _default_tag(breakdowns: Sequence[str], tags: Mapping[str, None]) -> str:
    known = [tag for tag in breakdowns if tag in tags]
    return TASK if TASK in known else known[0] if known else ""


def read_edits(store: Store) -> list[Key]:
    """Every edit of a run that has a picture."""
    ids = reading.ids(store)
    return [(ids[number], editor) for number, editor in reading.pictured(store) if number in ids]
