"""The built-in MultiRef set: drawn scenes, the references found in them, and drawn requests.

Every one of the paper's 32 combinations comes with scenes of the known and of the held-out half.
Edges, sketches, boxes, masks and regions are found by the default extractors; poses were found by
BlazePose and are kept beside this file, so that the set is the same where its weights are not here.
Depth, caption, subject and style come with the scenes, as they do with the paper's sources.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.document import Pixels
from overpaint.document.pictures import encode_png
from overpaint.engines import album, scenes
from overpaint.engines.refblend.agreement import kept_up
from overpaint.engines.refblend.compatibility import PAPER, name_of
from overpaint.engines.refblend.instructions import structured
from overpaint.engines.refblend.released import conditions, placeholder
from overpaint.engines.scenes.requests import request
from overpaint.vision.references import Kind, Reference, drawing, extractor
from overpaint.work import Backend, Here, Processes, Task

SEED = 660
DRAWN = "drawn"  # the method of what is known because it was drawn
# Numbers of scenes, half of them odd, which are held out; the first have people in them. In the
# others boxes, masks and regions are found that stay when a picture is stored again.
PEOPLE = (0, 5, 4, 11, 28, 15, 26, 19)
THINGS = (
    10, 3, 12, 9, 30, 25, 36, 27, 50, 29, 52, 35, 56, 39, 58, 41, 62, 47, 78, 49, 80, 59, 90, 65,
    98, 69, 106, 75,
)  # fmt: skip
EACH = 3  # scenes a combination
REQUESTS = 25  # of the real-world half: five a category …
BETWEEN = 4  # … one before so many samples of the other half
# What the built-in set is when it is made with the versions of today: pixels are pinned.
REVISION = "24d3acb7871714bf933bfdf0a8c08179b0aea1bfd317c8800204f7b6e0607bd2"
_FOUND: tuple[Kind, ...] = ("canny", "sketch", "bbox", "mask", "semantic_map")


def write(
    folder: Path, *, workers: int = 0, progress: Callable[[int, int], None] | None = None
) -> str:
    """Make the set and write it; the folder appears when all of it is there. Its revision."""
    fill = partial(_fill, workers=workers, progress=progress)
    count = EACH * len(PAPER) + REQUESTS
    return album.write(folder, fill, count=count, each="sample", kilobytes=600)


def _fill(folder: Path, workers: int, progress: Callable[[int, int], None] | None) -> str:
    folder.mkdir(parents=True)
    numbers = [*PEOPLE, *THINGS]
    jobs = [*(("scene", n) for n in numbers), *(("request", n) for n in range(REQUESTS))]
    found = performed(partial(_made, folder), jobs, workers, progress)
    offers = {number: found["scene", number][0] for number in numbers}
    # What an extractor does not find in a scene, no sample can be made of.
    entries = [entry(kinds, offers[n]) for kinds, n in cast() if offers[n]["by"].keys() >= {*kinds}]
    for number in reversed(range(REQUESTS)):  # from the end, so that places before it stay
        entries.insert(BETWEEN * number, found["request", number][0])
    prints = [found[job][1] for job in jobs]
    told = json.dumps(entries, ensure_ascii=False, sort_keys=True)
    return album.list_samples(
        folder, entries, (*prints, told), seed=SEED, count=len(entries),
        made_with=album.engines(),
    )  # fmt: skip


def performed(
    work: Callable[[None, Any], Any], jobs: Sequence[Any], workers: int,
    progress: Callable[[int, int], None] | None,
) -> dict[Any, Any]:  # fmt: skip
    """The result of each job, done here or by so many workers."""
    backend: Backend = Processes(work, min(workers, len(jobs))) if workers else Here(work)
    found: dict[Any, Any] = {}
    for outcome in backend.perform(Task(None, (job,)) for job in jobs):
        if outcome.error is not None:
            raise outcome.error
        found[outcome.step] = outcome.result
        if progress:
            progress(len(found), len(jobs))
    return found


def cast() -> Iterator[tuple[tuple[Kind, ...], int]]:
    """Each combination with its scenes, by turns known and held out."""
    lists = {True: PEOPLE, False: THINGS}
    taken = {True: 0, False: 0}
    for place in range(EACH * len(PAPER)):
        # In large steps, so that the first few samples have something of everything.
        kinds = PAPER[13 * place % len(PAPER)]
        posed = "pose" in kinds
        # One further each time round, so that a combination has scenes of both halves.
        at = taken[posed] + place // len(PAPER)
        yield kinds, lists[posed][at % len(lists[posed])]
        taken[posed] += 1


# ── one scene ───────────────────────────────────────────────────────────────────────────


def _made(folder: Path, _: None, job: tuple[str, int]) -> tuple[Any, str]:
    """Write the pictures of a scene or a request; what it offers, and their fingerprint."""
    what, number = job
    return _scene(folder, number) if what == "scene" else _request(folder, number)


def _scene(folder: Path, number: int) -> tuple[dict[str, Any], str]:
    made = scenes.scene(number, seed=SEED)
    size = (made.pixels.shape[1], made.pixels.shape[0])
    pictures: dict[str, Pixels] = {"original": made.pixels}
    by: dict[str, str] = dict.fromkeys(("depth", "caption", "subject", "style"), f"{DRAWN}/1")
    for reference in _references(made, number):
        pictures[reference.kind] = drawing.drawn(reference, size)
        by[reference.kind] = f"{reference.method}/{reference.version}"
    pictures["subject"] = scenes.subject_picture(made)
    pictures["style"] = scenes.style_picture(made)
    pictures["depth"] = np.repeat(made.depth[:, :, None], 3, axis=2)
    told = {"split": made.split, "caption": made.caption, "by": by, "thing": made.things[0].name}
    return offer(folder, f"scene-{number:04}", pictures, told)


def offer(
    folder: Path, name: str, pictures: Mapping[str, Pixels], told: Mapping[str, Any]
) -> tuple[dict[str, Any], str]:
    """Write a source and its references; what samples can be made of, and its fingerprint."""
    high, wide = pictures["original"].shape[:2]
    files = _written(folder, name, pictures)
    return {"name": name, "size": (wide, high), "files": files, **told}, _print(pictures)


def _references(made: scenes.Scene, number: int) -> Iterator[Reference]:
    """What is found in a scene, the first of each kind."""
    yield from found_in(made.pixels)
    if joints := poses()["joints"].get(str(number)):
        yield Reference("pose", np.array(joints), "blazepose", poses()["version"])


def found_in(pixels: Pixels) -> Iterator[Reference]:
    """What the default extractors find that stays where a picture is stored again."""
    for kind in _FOUND:
        yield from kept_up(extractor(kind), pixels)[:1]


@cache
def poses() -> Mapping[str, Any]:
    """What BlazePose found in the scenes with people, by number."""
    found: Mapping[str, Any] = json.loads(
        files(__package__).joinpath("album_poses.json").read_text(encoding="utf-8")
    )
    return found


def _written(folder: Path, name: str, pictures: Mapping[str, Pixels]) -> dict[str, str]:
    """Write pictures below the folder; their paths by what they show."""
    (folder / name).mkdir()
    for kind, pixels in pictures.items():
        (folder / name / f"{kind}.png").write_bytes(encode_png(pixels))
    return {kind: f"{name}/{kind}.png" for kind in pictures}


def _print(pictures: Mapping[str, Pixels]) -> str:
    seen = hashlib.sha256()
    for kind in sorted(pictures):
        seen.update(kind.encode() + np.ascontiguousarray(pictures[kind]).tobytes())
    return seen.hexdigest()


# ── entries ─────────────────────────────────────────────────────────────────────────────


def entry(kinds: Sequence[Kind], source: Mapping[str, Any]) -> dict[str, Any]:
    """One sample of the synthetic half, in the released form."""
    name = f"{source['name']}-{name_of(kinds)}"
    given: dict[Kind, list[str]] = {
        kind: [source["caption"] if kind == "caption" else source["files"][kind]] for kind in kinds
    }
    told = structured(kinds, source["caption"], f"{SEED} {name}")
    named = {placeholder(kind): given[kind][0] for kind in kinds if kind != "caption"}
    labels = {placeholder("subject"): source["thing"]} if "subject" in kinds else {}
    return {
        "id": name, "original_image_path": source["files"]["original"],
        "conditions": conditions(given),
        "instructions": {
            "conditions": list(kinds),
            "image_path_mapping": {key.strip("<>"): path for key, path in named.items()},
            "original_prompts": told.text, "enhance_prompts": [],
        },
        "judge": {}, "results": {}, "extractors": {kind: source["by"][kind] for kind in kinds},
        "labels": labels, "size": list(source["size"]), "source": source["name"],
        "combination": name_of(kinds), "split": source["split"],
    }  # fmt: skip


def _request(folder: Path, number: int) -> tuple[dict[str, Any], str]:
    """One sample of the real-world half."""
    wish, name = request(number, seed=SEED), f"request-{number:04}"
    pictures = {f"image{n}": pixels for n, pixels in enumerate(wish.inputs, 1)}
    pictures["golden"] = wish.golden
    paths = _written(folder, name, pictures)
    told = {
        "id": name, "input_image_paths": [paths[f"image{n + 1}"] for n in range(len(wish.inputs))],
        "instruction": wish.instruction, "output_image_path": paths["golden"],
        "category": wish.category, "source": name, "split": wish.split,
    }  # fmt: skip
    return told, _print(pictures)
