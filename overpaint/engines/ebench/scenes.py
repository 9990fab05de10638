"""More edits of known construction than the built-in set of EBench has: what a fusion grows up on.

Scenes of the same kinds of places and things as the built-in ones, put together anew, are drawn
with the same brushes, asked the same tasks and edited to a known share with a known damage. So the
fusion that comes with Overpaint has seen none of the built-in set's sources, and pictures like
them. Everything depends on the seed alone.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from overpaint.document import Document
from overpaint.engines.ebench import graded, wording
from overpaint.engines.ebench.album import Job
from overpaint.engines.ebench.changes import GROUNDS, MANY, STYLES, Wish, change
from overpaint.engines.ebench.degrade import LEVELS, degraded
from overpaint.engines.ebench.graded import DAMAGES, HABITS, UNFIT, Made
from overpaint.engines.ebench.sources import (
    LARGE,
    TALL,
    Rgb,
    Set,
    Source,
    as_bytes,
    kind,
    plan,
    source,
)  # fmt: skip
from overpaint.engines.ebench.tasks import LOW
from overpaint.engines.scenes.kinds import BRIGHT, KINDS, Kind

PLACES = ("meadow", "beach", "street", "room", "table", "studio")
OUTDOORS = ("meadow", "beach", "street")
WEATHER = ("derain", "desnow", "dehaze", "shadow_removal")
THINGS = 3
ATTEMPTS = 200
LOW_EACH, HIGH_EACH = 4, 3  # samples of a scene
FREE_EACH = 3  # edits of a sample beside those of the graded editors


@dataclass(frozen=True, eq=False)
class Known:
    """An edit whose construction is known."""

    sample: str
    editor: str
    source: Document
    output: Document
    instruction: str
    task: str
    scene: str
    made: Made
    strength: float


def scenes(count: int, *, seed: int) -> Iterator[Set]:
    """So many scenes, none of them of the built-in set."""
    tried = (
        _scene(PLACES[turn % len(PLACES)], Random(f"fusion {seed} {turn}"), f"{seed}-{turn}")
        for turn in itertools.count()
    )
    yield from itertools.islice((one for one in tried if one is not None), count)


def _scene(place: str, chance: Random, name: str) -> Set | None:
    """A scene with room for its things, none of which covers another; None where there is none."""
    fitting = [one for kinds in KINDS.values() for one in kinds if place in one.places]
    chosen = chance.sample(fitting, THINGS)
    if (
        place != "table"
        and chance.random() < 0.5
        and not {"ball", "duck"} & {k.word for k in chosen}
    ):
        more = [one for one in fitting if one.word in MANY]
        chosen[0] = chance.choice(more) if more else chosen[0]
    things = tuple((one.word, chance.choice(one.colours)) for one in chosen)
    size, mood = chance.choice((LARGE, LARGE, TALL)), chance.choice(("", "warm ", "cool "))
    bare = Set(f"{place}-{name}", place, things, size, mood)
    for attempt in range(ATTEMPTS):
        tried = replace(bare, attempt=attempt)
        if _apart(tried):
            return tried
    return None


def _apart(scene: Set) -> bool:
    boxes = [piece.box for piece in plan(scene).pieces]
    if len(boxes) < len(scene.things):
        return False
    pairs = [(a, b) for at, a in enumerate(boxes) for b in boxes[:at]]
    return not any(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for a, b in pairs)


# ── what is asked of a scene ────────────────────────────────────────────────────────────


def jobs(scene: Set, *, seed: int) -> list[Job]:
    """Samples of a scene: some tasks that mend it, degraded first, and some that change it."""
    chance = Random(f"jobs {seed} {scene.id}")
    low = [task for task in LOW if task not in WEATHER or scene.place in OUTDOORS]
    mended = [
        Job(f"{task}-{scene.id}", scene.id, task, chance.choice(list(LEVELS)))
        for task in chance.sample(low, LOW_EACH)
    ]
    wishes = list(_wishes(scene, chance))
    changed = [
        Job(f"{one.task}-{scene.id}", scene.id, one.task, wish=one)
        for one in chance.sample(wishes, min(HIGH_EACH, len(wishes)))
    ]
    return [*mended, *changed]


def _wishes(scene: Set, chance: Random) -> Iterator[Wish]:
    """One wish of each task that the scene has the things for."""
    floor = [(kind(word), colour) for word, colour in scene.things if kind(word).site == "floor"]
    yield Wish(scene.id, "style", to=chance.choice(list(STYLES)))
    grounds = [place for place in GROUNDS if place != scene.place]
    yield Wish(scene.id, "background", to=chance.choice(grounds))
    if scene.place in OUTDOORS:
        yield Wish(scene.id, "weather_season", to=chance.choice(("derain", "desnow")))
    if not floor:
        return
    for task in ("add", "remove", "position"):
        yield Wish(scene.id, task, chance.choice(floor)[0].word)
    yield Wish(scene.id, "size", chance.choice(floor)[0].word, chance.choice(("larger", "smaller")))
    yield from _turned(scene, floor, chance)
    if many := [one.word for one, _ in floor if one.word in MANY]:
        yield Wish(scene.id, "counting", chance.choice(many))


def _turned(scene: Set, floor: list[tuple[Kind, str]], chance: Random) -> Iterator[Wish]:
    """Another thing in the place of one, and another colour."""
    here = {word for word, _ in scene.things}
    others = [
        one for kinds in KINDS.values() for one in kinds
        if scene.place in one.places and one.site == "floor" and one.word not in here
    ]  # fmt: skip
    new = chance.choice(others)
    yield Wish(scene.id, "replace", chance.choice(floor)[0].word,
               f"{new.word}:{chance.choice(new.colours)}")  # fmt: skip
    named = [(one, colour) for one, colour in floor if one.named]
    if named:
        one, colour = chance.choice(named)
        yield Wish(scene.id, "color", one.word, chance.choice([c for c in BRIGHT if c != colour]))


# ── the edits ───────────────────────────────────────────────────────────────────────────


def edits(scene: Set, *, seed: int) -> Iterator[Known]:
    """What graded editors, and others of any habit, made of a scene's samples."""
    clean = source(scene)
    for job in jobs(scene, seed=seed):
        instruction, at = _asked(job, clean)
        strength = LEVELS[job.level] if job.level else 0.0
        before = Document.of(as_bytes(at(0)))
        for editor, what in _made(job, seed):
            after = graded.damaged(at(what.done), what, f"{editor} {job.id}")
            yield Known(job.id, editor, before, Document.of(as_bytes(after)), instruction,
                        job.task, scene.id, what, strength)  # fmt: skip


def _asked(job: Job, clean: Source) -> tuple[str, Callable[[float], Rgb]]:
    """What is asked, and the picture when a share of it is done."""
    if job.wish:
        assert clean.scene is not None
        wished = change(job.wish, clean.scene)
        return wished.instruction, wished.at
    strength = LEVELS[job.level]
    return wording.asked(job.task, job.id), lambda share: degraded(
        job.task, clean.pixels, clean.near, strength=strength * (1 - share), seed=job.id
    )


def _made(job: Job, seed: int) -> Iterator[tuple[str, Made]]:
    for editor in HABITS:
        yield editor, graded.made(editor, job.id)
    chance = Random(f"free {seed} {job.id}")
    kinds = [one for one in DAMAGES if one != UNFIT.get(job.task)]
    for turn in range(FREE_EACH):
        done, damage = round(chance.random(), 4), round(chance.random(), 4)
        yield f"free {turn}", Made(done, damage * (turn > 0), chance.choice(kinds))
