"""Looking for references: one task a picture, one step an extractor, under supervision."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter

from overpaint.document import Document, Pixels
from overpaint.engines.refblend.agreement import (
    FELT,
    TWICE,
    Look,
    agreement,
    emptiness,
    looked_again,
    steadiness,
)
from overpaint.engines.refblend.records import Drawn, Found, Place, Settings, Source
from overpaint.engines.refblend.sources import stored
from overpaint.engines.vde.pages import performed
from overpaint.engines.vde.records import Terms
from overpaint.errors import NotApplicable, Unavailable, Undecided, UserMistake
from overpaint.vision.references import (
    EXTRACTORS,
    KINDS,
    Extractor,
    Hints,
    Kind,
    Reference,
    drawing,
    extractor,
)
from overpaint.work import Task

SURE: tuple[Kind, ...] = ("semantic_map", "mask")  # that need confidence, where a method has it
# So does what is drawn round such masks or cut out by them: its confidence is theirs.
MASKED = {("bbox", "salient"), ("bbox", "isnet"), ("subject", "cutout")}
# How many are kept of a picture. Of masks it is one: the main thing's, which a subject shows, too.
MOST: Mapping[Kind, int] = {"subject": 3}
PEOPLE = 3  # whose poses may be told one by one


# ── who looks ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Crew:
    """Who looks for what, and what nobody can look for here, with the reason."""

    methods: Mapping[Kind, str]
    missing: Mapping[Kind, str]
    asked: Collection[Kind]  # by name, or who is to look for it


def crew(settings: Settings) -> Crew:
    """The extractors that a build uses: those asked for, or whatever works here."""
    named = [_kind(one) for one in _parts(settings.kinds)]
    chosen = dict(_pair(one) for one in _parts(settings.extractors))
    asked = {*named, *chosen}
    methods: dict[Kind, str] = {}
    missing: dict[Kind, str] = {}
    for kind in named or KINDS:
        if kind == "caption":  # asked of a model, or given
            continue
        method = chosen.get(kind) or next(iter(EXTRACTORS[kind]))
        try:
            extractor(kind, method).check()
            methods[kind] = method
        except Unavailable as error:
            if kind in asked:
                raise
            missing[kind] = str(error)
    return Crew(methods, missing, asked)


def wanted(settings: Settings) -> tuple[Kind, ...]:
    """The kinds of reference that a build is about."""
    return tuple(_kind(one) for one in _parts(settings.kinds)) or KINDS


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _kind(name: str) -> Kind:
    for kind in KINDS:
        if kind == name:
            return kind
    raise UserMistake(f"There is no kind of reference called {name[:40]!r}.",
                      f"Known are {', '.join(KINDS)}.")  # fmt: skip


def _pair(text: str) -> tuple[Kind, str]:
    name, sign, method = text.partition("=")
    kind = _kind(name)
    if not sign or method not in EXTRACTORS[kind]:
        raise UserMistake(f"{text[:60]!r} names no way to find a {kind}.",
                          f"{kind}={'|'.join(EXTRACTORS[kind])} was expected.")  # fmt: skip
    return kind, method


# ── looking ─────────────────────────────────────────────────────────────────────────────


def extract(place: Place, settings: Settings, who: Crew, terms: Terms) -> dict[Kind, str]:
    """Look for all that was not looked for before; gives what turned out not to work here."""
    done, missing = place.found(), dict(who.missing)
    tasks = []
    for source in place.sources().values():
        steps = [(kind, method) for kind, method in who.methods.items()
                 if (known := done.get((source.id, kind))) is None or known.reason]  # fmt: skip
        if steps:
            tasks.append(Task(source, tuple(steps)))
    total = sum(len(task.steps) for task in tasks)
    work = _Looker(place.folder.resolve(), settings)
    for count, outcome in enumerate(performed(work, tasks, terms), 1):
        kind, method = outcome.step
        if isinstance(outcome.error, Unavailable):
            if kind in who.asked:
                raise outcome.error
            missing[kind] = str(outcome.error)
        elif outcome.error is not None:
            place.add(Found(outcome.subject.id, kind, method, reason=str(outcome.error)))
        else:
            place.add(outcome.result)
        terms.progress("looking", count, total)
    return missing


@dataclass(frozen=True)
class _Looker:
    """Whoever looks at pictures in one process, and what it found that it cannot look for."""

    folder: Path
    settings: Settings
    lacking: dict[tuple[Kind, str], Unavailable] = field(default_factory=dict)

    def __call__(self, source: Source, step: tuple[Kind, str]) -> Found:
        """What one extractor finds in one picture; weights that one lacks, all of them lack."""
        if step in self.lacking:
            raise self.lacking[step]
        try:
            return _looked(self.folder, self.settings, source, step)
        except Unavailable as error:
            self.lacking[step] = error
            raise


def _looked(folder: Path, settings: Settings, source: Source, step: tuple[Kind, str]) -> Found:
    """What one extractor finds in one picture, drawn and checked; inside a worker."""
    kind, method = step
    by, pixels = extractor(kind, method), _pixels(folder / source.picture)
    started = perf_counter()
    first = _sure(by, pixels)
    seconds = perf_counter() - started
    again = _sure(by, pixels) if settings.cycle and first and kind in TWICE else first
    felt = settings.cycle and first and kind in FELT
    looks = looked_again(by, pixels) if felt else []
    drawn = []
    for name, whole, one, other in _pairs(kind, first, again):
        size = (source.width, source.height)
        kept = stored(folder, f"references/{source.id}/{name}", drawing.drawn(one, size))
        kept = replace(kept, label=one.label, confidence=one.confidence, whole=whole)
        kept = _checked(folder, kept, (one, other), settings)
        drawn.append(_steady(kept, one, looks, settings) if looks else kept)
    return Found(source.id, kind, by.method, by.exact, round(seconds, 3), tuple(drawn))


def _sure(by: Extractor, pixels: Pixels) -> list[Reference]:
    """What is found, without second thoughts."""
    return [one for one in by.find(pixels, Hints()) if not one.maybe]


def _pairs(
    kind: Kind, first: Sequence[Reference], again: Sequence[Reference]
) -> Iterator[tuple[str, bool, Reference, Reference | None]]:
    """Each reference with its name, and the same found again; people together and one by one."""
    found = first[: MOST.get(kind, 1)]
    for number, one in enumerate(found):
        other = again[number] if number < len(again) else None
        yield (kind if kind not in MOST else f"{kind}-{number + 1}"), kind == "pose", one, other
        if kind == "pose" and 1 < len(one.value) <= PEOPLE:
            for person in range(len(one.value)):
                same = other is not None and person < len(other.value)
                pair = _alone(one, person), _alone(other, person) if other and same else None
                yield f"pose-{person + 1}", False, *pair


def _alone(one: Reference, person: int) -> Reference:
    return replace(one, value=one.value[person : person + 1])


def _checked(
    folder: Path, kept: Drawn, pair: tuple[Reference, Reference | None], settings: Settings
) -> Drawn:
    """The reference with what speaks against it."""
    one, other = pair
    if empty := emptiness(one.kind, one.value, (kept.width, kept.height)):
        return replace(kept, dropped=f"shows nothing: {empty}")
    asked = one.kind in SURE or (one.kind, one.method) in MASKED
    if asked and one.confidence is not None and one.confidence < settings.confidence:
        return replace(kept, dropped=f"confidence below {settings.confidence:g}")
    if not settings.cycle:
        return kept
    try:
        read = drawing.read(one.kind, Document(folder / kept.file).rgb)
    except (NotApplicable, Undecided):
        return replace(kept, dropped="cannot be read back")
    same = agreement(one.kind, read, other.value) if other is not None else 0.0
    dropped = "" if same >= settings.cycle else f"agreement below {settings.cycle:g}"
    return replace(kept, agreement=round(same, 4), dropped=dropped)


def _steady(kept: Drawn, one: Reference, looks: Sequence[Look], settings: Settings) -> Drawn:
    """The reference, dropped where it is lost when the picture is stored again."""
    if kept.dropped or steadiness(one.kind, one.value, looks) >= settings.cycle:
        return kept
    return replace(kept, dropped="not steady: lost when the picture is stored again")


@lru_cache(maxsize=1)
def _pixels(path: Path) -> Pixels:
    """The picture that a worker looks at; its steps share it."""
    return Document(path).rgb
