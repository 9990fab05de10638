"""The built-in set of EBench: sources, truths, and what graded editors made of them.

Eight low-level tasks by known degradation, each on six sources at three levels; ten of the high-
level tasks on scenes drawn again with one thing changed. `photographs` has the low-level tasks on
pictures that ship with packages. Texture, action and expression have no truth that is drawn here.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from overpaint.document import Pixels
from overpaint.document.pictures import encode_png
from overpaint.engines import album
from overpaint.engines.ebench import graded, wording
from overpaint.engines.ebench.changes import WISHES, Wish, change
from overpaint.engines.ebench.degrade import LEVELS, degraded
from overpaint.engines.ebench.sources import SETS, Rgb, Source, as_bytes, photographed, source
from overpaint.engines.ebench.tasks import LOW
from overpaint.engines.refblend.album import performed
from overpaint.errors import UserMistake

SEED = 0
EACH = 6  # sources a low-level task
WEATHER = ("derain", "desnow", "dehaze", "shadow_removal")  # which only happen outdoors
OUTDOORS = ("meadow", "beach", "street", "china", "flower", "rocket")  # how ids of such begin
GRADED = "graded"  # the folder of the editors' outputs
# What the sets are when they are made with the versions of today: pixels are pinned.
REVISION = "1a2d3988014ef0c7ab07cd048e0244dd681386d3a6a05e4e2f72b79b62acd5be"
REVISION_PHOTOGRAPHS = "0257085ca5c8f98a497c2b64ee052a6e06d5690198f0a5a1966122e5842246fa"


@dataclass(frozen=True)
class Job:
    """One sample to be made: a task on a source, by degradation or by change."""

    id: str
    source: str
    task: str
    level: int = 0
    wish: Wish | None = None


def drawn_jobs() -> list[Job]:
    """The samples of the drawn set, tasks by turns."""
    low = list(_low([one.id for one in SETS]))
    tasks = list(dict.fromkeys(wish.task for wish in WISHES))
    rounds = [[wish for wish in WISHES if wish.task == task] for task in tasks]
    high = [
        Job(f"{one.task}-{one.scene}", one.scene, one.task, wish=one)
        for some in zip(*rounds, strict=True)
        for one in some
    ]
    places = {id(job): (place + 0.5) / len(jobs) for jobs in (low, high)
              for place, job in enumerate(jobs)}  # fmt: skip
    return sorted([*low, *high], key=lambda job: places[id(job)])


def _low(names: Sequence[str], each: int = EACH) -> Iterator[Job]:
    """Each low-level task on so many of the sources, at levels by turns."""
    outdoors = [name for name in names if name.startswith(OUTDOORS)]
    for turn in range(each):
        for place, task in enumerate(LOW):
            fitting = outdoors if task in WEATHER else names
            if turn < len(fitting):
                step = 2 if len(fitting) >= 2 * each else 1
                name = fitting[(step * turn + place) % len(fitting)]
                level = 1 + (turn + place) % len(LEVELS)
                yield Job(f"{task}-{name}", name, task, level)


def photographed_jobs(names: Sequence[str]) -> list[Job]:
    """The samples of the photographs: every low-level task that fits each."""
    return list(_low(names, each=len(names)))


# ── writing ─────────────────────────────────────────────────────────────────────────────

Progressing = Callable[[int, int], None] | None


def write(folder: Path, *, workers: int = 0, progress: Progressing = None) -> str:
    """Make the drawn set and write it; the folder appears when all of it is there. Its revision."""
    return _write(folder, drawn_jobs(), workers, progress)


def write_photographs(folder: Path, *, workers: int = 0, progress: Progressing = None) -> str:
    """The same of photographs that ship with packages."""
    names = [one.id for one in photographed()]
    if not names:
        raise UserMistake(
            "There are no photographs here.",
            "They come inside two packages, scikit-image and scikit-learn.",
            "pip install scikit-image scikit-learn",
        )
    return _write(folder, photographed_jobs(names), workers, progress)


def _write(folder: Path, jobs: Sequence[Job], workers: int, progress: Progressing) -> str:
    fill = partial(_fill, jobs=jobs, workers=workers, progress=progress)
    return album.write(folder, fill, count=len(jobs), each="sample", kilobytes=1_900)


def _fill(folder: Path, jobs: Sequence[Job], workers: int, progress: Progressing) -> str:
    for name in ("sources", "targets", *(f"{GRADED}/{editor}" for editor in graded.HABITS)):
        (folder / name).mkdir(parents=True)
    # All samples of a source together, so that it is drawn once.
    sources = list(dict.fromkeys(job.source for job in jobs))
    some = [tuple(job for job in jobs if job.source == name) for name in sources]
    found = performed(partial(_made, folder), some, workers, progress)
    made = {entry["id"]: (entry, seen) for group in some for entry, seen in found[group]}
    entries = [made[job.id][0] for job in jobs]
    told = json.dumps(entries, ensure_ascii=False, sort_keys=True)
    return album.list_samples(
        folder, entries, (*(made[job.id][1] for job in jobs), told), seed=SEED,
        count=len(jobs), made_with=album.engines(),
    )  # fmt: skip


def _made(folder: Path, _: None, jobs: Iterable[Job]) -> list[tuple[dict[str, Any], str]]:
    """Write the samples of one source; entry and fingerprint of each."""
    jobs = list(jobs)
    clean = _source(jobs[0].source)
    return [_changed(folder, job) if job.wish else _degraded(folder, job, clean) for job in jobs]


def _source(name: str) -> Source:
    scene = next((one for one in SETS if one.id == name), None)
    return source(scene) if scene else next(one for one in photographed() if one.id == name)


def _degraded(folder: Path, job: Job, clean: Source) -> tuple[dict[str, Any], str]:
    strength = LEVELS[job.level]

    def at(share: float) -> Rgb:
        rest = strength * (1 - share)
        return degraded(job.task, clean.pixels, clean.near, strength=rest, seed=job.id)

    before, after = wording.described(job.task, clean.words)
    told = {"instruction": wording.asked(job.task, job.id), "source_description": before,
            "target_description": after, "level": job.level, "strength": strength}  # fmt: skip
    return _kept(folder, job, at, told)


def _changed(folder: Path, job: Job) -> tuple[dict[str, Any], str]:
    assert job.wish is not None
    found = change(job.wish, next(one for one in SETS if one.id == job.source))
    told = {"instruction": found.instruction, "source_description": found.before,
            "target_description": found.after, "level": 0, "strength": 0.0}  # fmt: skip
    return _kept(folder, job, found.at, told)


def _kept(
    folder: Path, job: Job, at: Callable[[float], Rgb], told: dict[str, Any]
) -> tuple[dict[str, Any], str]:
    """Write source, target and the graded outputs; entry and fingerprint."""
    pictures: dict[str, Pixels] = {
        f"sources/{job.id}.png": as_bytes(at(0)), f"targets/{job.id}.png": as_bytes(at(1)),
    }  # fmt: skip
    for editor in graded.HABITS:
        what = graded.made(editor, job.id)
        spoilt = graded.damaged(at(what.done), what, f"{editor} {job.id}")
        pictures[f"{GRADED}/{editor}/{job.id}.png"] = as_bytes(spoilt)
    seen = hashlib.sha256()
    for name, pixels in pictures.items():
        (folder / name).write_bytes(encode_png(pixels))
        seen.update(name.encode() + pixels.tobytes())
    entry = {"id": job.id, "source": f"sources/{job.id}.png", "target": f"targets/{job.id}.png",
             "task": job.task, "cluster": job.source, **told}  # fmt: skip
    return entry, seen.hexdigest()
