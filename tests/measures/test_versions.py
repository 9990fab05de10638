"""Numbers and versions move together: whoever changes a number here has to change its version.

Each version is pinned with the values it gives on one drawn picture: in place, moved, and resized.
A failure means that runs made before would be mixed with runs made now. If the change is meant,
raise the version (`alignment.VERSION` for what is aligned) and then the numbers below.
"""

from pathlib import Path

import numpy as np
import pytest
from conftest import write

from overpaint import catalog, weights
from overpaint.benchmarks.demo import demo
from overpaint.core import Edit, Evidence, Request, Sample
from overpaint.document import Document
from overpaint.measures import alignment, background, reading
from overpaint.vision import engines_paddle, layout, ocr

WIDTH, HEIGHT = 320, 288
CLOSE = 1e-4  # of the value; OpenCV's builds differ in the last digits


def drawn(shift: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """Waves and squares, drawn at a place between pixels; nothing but arithmetic."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    x, y = x - shift[0], y - shift[1]
    planes = []
    for c in range(3):
        wave = np.sin(x / (4 + c)) * np.cos(y / (5 - c)) + np.sin((x * x + 3 * y * y) / (9000 + c))
        squares = np.tanh(3 * np.sin(x / 17 + c)) * np.tanh(3 * np.sin(y / 23 - c))
        planes.append(np.rint(127 + 45 * wave + 30 * squares))
    return np.stack(planes, axis=2).clip(0, 255).astype(np.uint8)


def outputs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """In place, moved, resized."""
    place, moved = drawn(), drawn((2.25, -1.5))
    for picture in (place, moved):
        picture[200:260, 30:120] //= 2  # damage
        picture[10:60, 210:310] = 255 - picture[10:60, 210:310]  # what was asked for
    return place, moved, background.resized(place, 240, 200)


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    mask = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    mask[:70, 200:] = 255
    target = drawn()
    target[10:60, 210:310] = 255 - target[10:60, 210:310]
    return Sample(
        "drawn",
        Request(write(tmp_path / "s.png", drawn()), "…"),
        target=write(tmp_path / "t.png", target),
        masks=(write(tmp_path / "m.png", mask),),
    )


# The version, and the values of the output in place, moved and resized.
GOLDEN = {
    "mse": ("1+align3", 308.4660976, 306.7840736, 310.4582795),
    "mse_inside": ("1+align3", 0.0, 826.8573083, 41.351746),
    "psnr": ("1+align3", 23.2387292, 23.2624755, 23.2107711),
    "psnr_mean": ("1+align3", 23.2387292, 23.2624755, 23.2107711),
    "ssim": ("1+align3", 0.964934, 0.9641906, 0.9639048),
    "ms_ssim": ("1+align3", 0.9577314, 0.9615142, 0.9574368),
    "gmsd": ("1+align3", 0.0644216, 0.0676236, 0.0641576),
    "fsim": ("1+align3", 0.9816637, 0.9811959, 0.9806276),
    "fsimc": ("1+align3", 0.9812204, 0.980727, 0.9801634),
    "brisque": ("1", 68.8650617, 69.5855151, 75.9929841),
    "niqe": ("1", 14.1915464, 14.9238705, 11.2728954),
    "lpips": ("1+align3", 0.0663969, 0.0631984, 0.0607926),
    "ssim@official": ("1", 0.9704054, 0.8249894),  # of another size it has none
}
BACK = (1.0, 0.0, 2.25668, 0.0, 0.99997, -1.49139)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_number_changes_only_with_its_version(sample: Sample, name: str) -> None:
    measure, (version, *values) = catalog.measure(name), GOLDEN[name]
    edits = [Edit(sample, "e", "ok", Document.of(output)) for output in outputs()]
    rows = list(measure.score(edits, Evidence()))
    if rows[0].status == "unavailable":
        pytest.skip(rows[0].reason)
    assert measure.version == version
    found = [row.value for row in rows if row.value is not None]
    assert found == pytest.approx(values, rel=CLOSE)


def test_a_movement_changes_only_with_the_version_it_is_kept_under(sample: Sample) -> None:
    _, moved, _ = outputs()
    documents = (Document.of(moved), sample.reference, *sample.masks)
    found = background.movement(Evidence(), *documents)
    assert background.movement.version == alignment.VERSION == "3"
    assert found["verdict"] == "aligned"
    assert found["back"] == pytest.approx(BACK, abs=1e-3)


def test_what_is_aligned_carries_the_version_of_the_alignment() -> None:
    aligned = [n for n, where in catalog.MEASURES.items() if ".background:" in where]
    assert "mse" in aligned
    for name in aligned:
        assert catalog.measure(name).version.endswith(f"+align{alignment.VERSION}")


# One shipped line of a document, and its box in the crop, as both engines read it.
LINE, BOX = "After the practice weeks the gap shrank to 2.1", [4, 4, 371, 20]


@pytest.mark.parametrize("engine", ["small", "tiny"])
def test_what_is_read_and_its_revision_move_together(engine: str) -> None:
    missing = [name for name in reading.NEEDS[engine] if name not in weights.hashes()]
    if missing:
        pytest.skip("the tiny engine is not here: overpaint get ocr")
    (sample,) = (s for s in demo.load(None).samples if s.id == "document-001")
    left, top, right, bottom = sample.facts["region"]
    assert sample.target is not None
    crop = np.ascontiguousarray(sample.target.rgb[top:bottom, left:right])
    (block,) = layout.blocks_of(crop, ocr.read(crop, engine))
    assert (engines_paddle.REVISION, layout.REVISION, reading.VERSION) == ("3", "3", "1+page3")
    assert (block.text, list(map(round, block.box))) == (LINE, BOX)
