"""The pictures, editors, measures and benchmarks of the scale bench; sizes and seeds are fixed."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from overpaint import catalog
from overpaint.core import (
    Card,
    Edit,
    Evidence,
    Loaded,
    Measure,
    Request,
    Sample,
    each,
    finding,
)
from overpaint.document import Document, Pixels
from overpaint.document.pictures import encode_png
from overpaint.editors.floors import SourceNoise
from overpaint.store import DATABASE, Store, keep_picture

HERE = Path(__file__).resolve()
STAMPS, STAMP = 500, 32  # small pictures, and their side
SHEETS, SHEET = 240, 512  # large ones
PIXELS = ("mse", "psnr", "ssim", "ms_ssim")  # of the speed-up part
CARD = Card("scale", "drawn", "source", "all", "none", "none", "mean", "count", ())


# ── pictures ────────────────────────────────────────────────────────────────────────────────


def draw(folder: Path) -> None:
    """Waves, a bar and a little grain: enough that no two are alike and PNG has work to do."""
    for name, count, side in (("stamps", STAMPS, STAMP), ("sheets", SHEETS, SHEET)):
        (folder / name).mkdir()
        for n in range(count):
            (folder / name / f"{n}.png").write_bytes(encode_png(_picture(n, side)))


def _picture(n: int, side: int) -> Pixels:
    rng = np.random.default_rng(n)
    down, across = np.mgrid[0:side, 0:side] / side
    waves = [np.sin((a * down + b * across) * 9 + n) for a, b in rng.uniform(0.2, 1, (3, 2))]
    pixels = 128 + 80 * np.stack(waves, axis=2) + rng.integers(-4, 5, (side, side, 1))
    pixels[side // 4 : side // 2, side // 8 : -side // 8] = rng.integers(0, 256, 3)
    return np.clip(pixels, 0, 255).astype(np.uint8)


def set_of(folder: Path, size: int) -> Path:
    """A data folder of that many samples; the pictures are beside it."""
    (folder / str(size)).mkdir(exist_ok=True)
    return folder / str(size)


# ── who edits and who measures ──────────────────────────────────────────────────────────────


class Stamp:
    """Paints the sample's number into a corner as pixels: another picture for every sample."""

    def __call__(self, request: Request) -> Document:
        pixels = request.source.rgb.copy()
        number = int(request.names[0].removeprefix("set/"))
        pixels[-4:, -8:] = [[[number >> 8 * c & 255 for c in range(3)]] * 8] * 4
        return Document.of(pixels)


@finding(keep=True)
def tone(evidence: Evidence, document: Document) -> float:
    """How light a picture is."""
    return float(document.rgb.mean()) / 255


def _toned(edit: Edit, evidence: Evidence) -> float:
    return float(evidence.get(tone, (edit.output,)))


def _kept(edit: Edit, evidence: Evidence) -> float:
    assert edit.output is not None
    before, after = (one.rgb.astype(float) for one in (edit.sample.request.source, edit.output))
    return 1 - float(abs(before - after).mean()) / 255


toned = Measure("toned", each("toned", _toned), True, 0.0, 1.0)
kept = Measure("kept", each("kept", _kept), True, 0.0, 1.0)
COLUMNS = (f"{HERE}:kept", f"{HERE}:toned")


def _channel(n: int) -> Measure:
    """How light a row of the picture is: ten of these are ten cheap columns."""
    name = f"row{n}"

    def light(edit: Edit, evidence: Evidence) -> float:
        assert edit.output is not None
        return float(edit.output.rgb[n].mean()) / 255

    return Measure(name, each(name, light), True, 0.0, 1.0)


row0, row1, row2, row3, row4, row5, row6, row7, row8, row9 = map(_channel, range(10))
TEN = tuple(f"{HERE}:row{n}" for n in range(10))


# ── benchmarks ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Drawn:
    """As many samples as the data folder's name says."""

    measures: tuple[str, ...] = COLUMNS
    pictures: tuple[str, int] = ("stamps", STAMPS)
    breakdowns: tuple[str, ...] = ("parity",)
    card: Card = CARD

    def load(self, data: Path | None) -> Loaded:
        assert data is not None
        return Loaded(tuple(self._sample(data.parent, n) for n in range(int(data.name))))

    def _sample(self, folder: Path, n: int) -> Sample:
        kind, count = self.pictures
        words = f'Change the line numbered {n} from "before" to "after", and nothing else.'
        source = Document(folder / kind / f"{n % count}.png")
        request = Request(source, words, names=(f"set/{n:06}",))
        return Sample(f"set/{n:06}", request, tags={"parity": str(n % 2)}, cluster=str(n // 2))


stamped = Drawn()
wide = Drawn(TEN)
pages = Drawn(PIXELS, ("sheets", SHEETS))


# ── runs made beforehand ────────────────────────────────────────────────────────────────────


def fill_pages(data: Path, out: Path) -> None:
    """A run with its edits and without scores; a floor has made the edits."""
    editor = SourceNoise()
    with Store.create(out) as store:
        samples = pages.load(data).samples
        store.add_samples(samples)
        store.add_editor("source-noise", "source-noise")
        for sample in samples:
            output = keep_picture(out, editor(sample.request))
            store.put_edit(Edit(sample, "source-noise", "ok", output))


def fill_all(data: Path, out: Path, editors: Mapping[str, str]) -> None:
    """A run in which every edit has its picture's name and its two scores; no picture is there."""
    with Store.create(out) as store:
        store.add_samples(stamped.load(data).samples)
        for name, spec in editors.items():
            store.add_editor(name, spec)
        for spec in COLUMNS:
            measure = catalog.measure(spec)
            store.add_measure(measure.name, spec, measure.version)
    places = range(1, int(data.name) + 1), range(1, len(editors) + 1)
    with closing(sqlite3.connect(out / DATABASE)) as database, database:
        database.executemany(
            "INSERT INTO edits VALUES (?, ?, 'ok', ?, '', '[]', '[]', 0.1)",
            ((*place, f"{place[0]:06}{place[1]:058}.png") for place in product(*places)),
        )
        database.executemany(
            "INSERT INTO scores (sample, editor, measure, value, status, reason, notes, seconds)"
            " VALUES (?, ?, ?, 0.5, 'ok', '', '[]', 0.1)",
            product(*places, range(1, len(COLUMNS) + 1)),
        )
