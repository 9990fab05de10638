"""A large run drawn on the spot for `scale_report.py`: real pictures in a real store, seeded.

Every sample has a source and a target (PNG), and four editors made a JPEG of it that is nearer to
the target the better the editor did; `identity` and `truth` are beside them, as in any run.
Pictures are of the sizes that editors give, 512 to 768 pixels, and plain: half a million of them
take 18 GB of disk. Grainy ones of 1,024 pixels, such as scans and photographs, would take 200, so
there is a smaller run of them (`grain`). Sixty scenes are drawn, and each file says whose it is: no
two are the same, and each has to be decoded. What measures say follows a latent quality with noise
of its own. Scores go into the store's table directly, because six million score objects would take
minutes.
"""

import csv
import hashlib
import json
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from overpaint import catalog
from overpaint.core import Card, Request, Sample
from overpaint.document import Document
from overpaint.store import DATABASE, Store, picture_path

EDITORS = {
    "atlas": "outputs:atlas", "birch": "outputs:birch", "cedar": "outputs:cedar",
    "delta": "outputs:delta", "identity": "identity", "truth": "truth",
}  # fmt: skip
SKILL = {"atlas": 0.8, "birch": 0.3, "cedar": 0.0, "delta": -0.6}
FORMULAS = ("ssim", "mse", "psnr", "ms_ssim", "gmsd", "fsim", "lpips", "brisque", "niqe")
SIDES = (512, 640, 768)  # longer edges; the shorter is three quarters of it
GRAINY = 1024, 6.0  # the longer edge of pictures with grain, and its standard deviation in levels
SCENES = 60  # drawn; with each of them as many steps towards the target
STEPS = 6
A_SOURCE = 5  # samples of each source
TAGS = {
    "operation": ("change", "delete", "insert", "move", "recolour", "restyle", "swap", "resize"),
    "difficulty": ("easy", "medium", "hard"),
    "language": ("English", "Chinese"),
}
RATED = 1000  # samples, of which people rated every editor's edit
RATERS, EACH = 24, 3
FAILED = (  # status, share and reason of edits that were not made
    ("editor_failed", 0.006, "The command ended with exit code 1."),
    ("refused", 0.004, "The model declined the instruction."),
    ("unreachable", 0.003, "No answer within 60 s; asked 3 times."),
    ("no_output", 0.003, "Nothing was written."),
)
NOTE = "resized from 1024×1024"
CARD = Card("scale", "drawn on the spot", "target", "all", "none", "none", "mean", "counted", ())


def make_store(folder: Path, samples: int, *, grain: bool = False) -> None:
    """The run in `folder`, the same for the same number of samples and kind of pictures."""
    with ProcessPoolExecutor(2) as pool:
        step = max(1, samples // 16)
        jobs = [(folder, at, min(at + step, samples), grain) for at in range(0, samples, step)]
        named = [name for part in pool.map(_drawn, jobs) for name in part]
    ratings = _ratings(folder, samples)
    with Store.create(folder) as store:
        _registered(store, samples, ratings, named)
    _filled(folder, samples, named)


# ── pictures ────────────────────────────────────────────────────────────────────────────────


def _drawn(job: tuple[Path, int, int, bool]) -> list[tuple[str, ...]]:
    """Of each sample the names of its pictures: source, target, and one for each editor."""
    folder, first, last, grain = job
    cv2.setNumThreads(1)
    return [_pictures(folder, n, grain) for n in range(first, last)]


def _pictures(folder: Path, n: int, grain: bool) -> tuple[str, ...]:
    source, target, *steps = _scene(n // A_SOURCE % SCENES, grain)
    # Nearer to the target the better the editor did.
    errors = np.clip(np.round(2.5 - 1.2 * _quality(n)), 0, STEPS - 1).astype(int)
    made = [steps[error] for error in errors]
    signed = _signed_png(source, f"source {n // A_SOURCE}"), _signed_png(target, f"target {n}")
    names = [_kept(folder, data, ".png") for data in signed]
    return (*names, *(_kept(folder, _signed_jpeg(data, f"{n} {at}"), ".jpg")
                      for at, data in enumerate(made)))  # fmt: skip


@cache
def _scene(number: int, grain: bool) -> tuple[bytes, ...]:
    """Source and target as PNG, and what lies between them step by step as JPEG."""
    rng = np.random.default_rng((1, number))
    side = GRAINY[0] if grain else SIDES[number % len(SIDES)]
    source = _ground(rng, side, side * 3 // 4)
    for _ in range(6):
        corner, size = rng.integers(0, side, 2), rng.integers(side // 8, side // 2, 2)
        colour = tuple(map(int, rng.integers(0, 256, 3)))
        cv2.rectangle(source, corner.tolist(), (corner + size).tolist(), colour, -1)
    for line in range(4):
        at = (side // 20, side // 4 + line * side // 8)
        words = " ".join(str(one) for one in rng.integers(0, 9999, 6))
        cv2.putText(source, words, at, cv2.FONT_HERSHEY_SIMPLEX, side / 900, (20, 20, 20), 1)
    if grain:
        source = np.clip(source + rng.normal(0, GRAINY[1], source.shape), 0, 255).astype(np.uint8)
    target, middle = source.copy(), (side // 3, side // 3)
    cv2.circle(target, middle, side // 5, tuple(map(int, rng.integers(0, 256, 3))), -1)
    steps = []
    for step in range(STEPS):
        made, error = target.copy(), 20 * step
        cv2.circle(made, middle, side // 6, (error, 255 - error, 2 * error % 256), -1)
        steps.append(cv2.imencode(".jpg", made, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())
    return (*(cv2.imencode(".png", page)[1].tobytes() for page in (source, target)), *steps)


def _ground(rng: Any, height: int, width: int) -> Any:
    """A ground that shades from one colour to another, as that of a poster."""
    ends = rng.integers(120, 256, (2, 3))
    share = np.linspace(0, 1, height)[:, None, None]
    shades = ends[0] * (1 - share) + ends[1] * share
    return np.repeat(shades, width, axis=1).astype(np.uint8)


def _signed_png(data: bytes, name: str) -> bytes:
    """The same picture in a file that says whose it is, as a text before its end."""
    body = b"tEXt" + b"name\0" + name.encode()
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return data[:-12] + chunk + data[-12:]


def _signed_jpeg(data: bytes, name: str) -> bytes:
    """Likewise, as a comment at its beginning."""
    told = name.encode()
    return data[:2] + b"\xff\xfe" + struct.pack(">H", len(told) + 2) + told + data[2:]


def _kept(folder: Path, data: bytes, suffix: str) -> str:
    name = hashlib.sha256(data).hexdigest() + suffix
    path = picture_path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return name


def _quality(n: int) -> Any:
    """How well each editor did on a sample: its skill, the sample's ease, and luck."""
    rng = np.random.default_rng((2, n))
    return np.array([*SKILL.values()]) + rng.normal(0, 0.8) + rng.normal(0, 0.7, len(SKILL))


# ── what is known of the run ────────────────────────────────────────────────────────────────


def sample_id(n: int) -> str:
    """What the sample of that number is called."""
    return f"scale/{n // 1000:03}/{n:06}"


def _samples(folder: Path, named: list[tuple[str, ...]]) -> Iterator[Sample]:
    for n, (source, target, *_) in enumerate(named):
        tags = {tag: values[hash_of(n, tag) % len(values)] for tag, values in TAGS.items()}
        words = f"{tags['operation'].capitalize()} the disc in picture {n}, and nothing else."
        request = Request(Document(picture_path(folder, source)), words)
        made = Document(picture_path(folder, target))
        yield Sample(sample_id(n), request, made, tags=tags, cluster=f"source {n // A_SOURCE}")


def hash_of(n: int, tag: str) -> int:
    """A number that has nothing to do with the sample's place."""
    return int(hashlib.sha256(f"{n}/{tag}".encode()).hexdigest()[:8], 16)


def _ratings(folder: Path, samples: int) -> Path:
    """Three people's ratings of the edits of some samples, by 24 raters."""
    folder.mkdir(parents=True, exist_ok=True)
    path, rng = folder / "ratings.csv", np.random.default_rng(3)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("sample", "editor", "rater", "value"))
        for n in _rated(samples):
            for editor, quality in zip(SKILL, _quality(n), strict=True):
                for rater in rng.choice(RATERS, EACH, replace=False):
                    value = int(np.clip(round(3 + quality + rng.normal(0, 0.7)), 1, 5))
                    writer.writerow((sample_id(n), editor, f"rater {rater}", value))
    return path


def _rated(samples: int) -> list[int]:
    return [*range(0, samples, max(1, samples // RATED))][:RATED]


def _registered(store: Store, samples: int, ratings: Path, named: list[tuple[str, ...]]) -> None:
    store.note(
        benchmark="scale", card=asdict(CARD), card_id=CARD.id, seed=0, breakdowns=[*TAGS],
        created="2026-11-18T12:00:00+00:00", command=["bench/scale_report.py"], data="drawn",
        revision="drawn",
    )  # fmt: skip
    for name, spec in EDITORS.items():
        store.add_editor(name, spec)
    for spec in (*FORMULAS, f"human:{ratings};scale=1-5"):
        measure = catalog.measure(spec)
        store.add_measure(measure.name, spec, measure.version)
    store.add_samples(_samples(store.folder, named))


# ── edits and scores ────────────────────────────────────────────────────────────────────────


def _filled(folder: Path, samples: int, named: list[tuple[str, ...]]) -> None:
    rated = set(_rated(samples))
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        for first in range(0, samples, 2000):
            edits, scores = [], []
            for n in range(first, min(first + 2000, samples)):
                made = list(_edits(n, named[n]))
                edits += made
                scores += _scores(n, [row[2] for row in made], n in rated)
            with database:
                database.executemany(
                    "INSERT INTO edits (sample, editor, status, output, reason, notes, trace,"
                    " seconds) VALUES (?, ?, ?, ?, ?, '[]', '[]', ?)", edits)  # fmt: skip
                database.executemany(
                    "INSERT INTO scores (sample, editor, measure, value, status, reason, notes,"
                    " seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", scores)  # fmt: skip


def _edits(n: int, names: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng((4, n))
    outputs = [*names[2:], names[0], names[1]]
    for editor, (output, luck) in enumerate(zip(outputs, rng.random(len(outputs)), strict=True)):
        status, reason, reached = "ok", "", 0.0
        for name, share, why in FAILED if editor < len(SKILL) else ():
            if reached <= luck < reached + share:
                status, reason, output = name, why, ""
            reached += share
        yield n + 1, editor + 1, status, output, reason, round(0.1 + float(luck), 3)


def _scores(n: int, statuses: list[str], rated: bool) -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng((5, n))
    latent = [*_quality(n), -1.5, 4.0]
    for editor, (status, quality) in enumerate(zip(statuses, latent, strict=True), 1):
        noise = quality + rng.normal(0, 0.35, len(FORMULAS) + 1)
        luck = rng.random(len(FORMULAS) + 1)
        for measure in range(1, len(FORMULAS) + 2):
            seconds = round(0.004 * luck[measure - 1], 6)
            found: tuple[Any, ...]
            if status != "ok":
                found = None, "no_edit", f"{status}: nothing to look at", "[]"
            elif measure > len(FORMULAS):
                found = _opinion(float(quality + noise[-1]) / 2, rated and editor <= len(SKILL))
            elif editor == len(EDITORS) and FORMULAS[measure - 1] == "psnr":
                found = None, "not_applicable", "identical", "[]"
            else:
                found = _score(measure - 1, float(noise[measure - 1]), float(luck[measure - 1]))
            yield n + 1, editor, measure, *found, seconds


def _score(place: int, quality: float, luck: float) -> tuple[Any, ...]:
    """The value a formula gives to a quality, or why it gives none."""
    share = float(1 / (1 + np.exp(-quality)))
    if FORMULAS[place] == "lpips" and luck < 0.01:
        why = "The weights are missing. `overpaint get lpips` gets them."
        return None, "unavailable", why, "[]"
    if FORMULAS[place] == "niqe" and luck < 0.02:
        return None, "measure_failed", "The picture is too small: 96 pixels are needed.", "[]"
    values = {
        "mse": 20 + 3000 * (1 - share), "psnr": 12 + 25 * share, "gmsd": 0.3 * (1 - share),
        "lpips": 0.8 * (1 - share), "brisque": 100 * (1 - share), "niqe": 3 + 9 * (1 - share),
    }  # fmt: skip
    notes = json.dumps([NOTE], ensure_ascii=False) if 0.5 < luck < 0.55 else "[]"
    return values.get(FORMULAS[place], share), "ok", "", notes


def _opinion(quality: float, rated: bool) -> tuple[Any, ...]:
    if not rated:
        return None, "not_applicable", "Nobody rated this edit.", "[]"
    mean = float(np.clip(np.round((3 + quality) * 3) / 3, 1, 5))
    return mean, "ok", "", json.dumps([f"3 raters, from {mean - 0.5:g} to {mean + 0.5:g}"])
