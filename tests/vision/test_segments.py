"""The default segmenter finds the same things again, others where they changed; and plug-ins."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from overpaint.core import Evidence
from overpaint.document import Document, Layer, Pixels
from overpaint.document.layers import Picture, Shape
from overpaint.errors import OverpaintError, UserMistake
from overpaint.measures.layout import layout_consistency
from overpaint.vision.segments import REGIONS, alphas, regions, segmenter, segments


def poster(across: int = 0, colour: tuple[int, int, int] = (200, 40, 40)) -> Pixels:
    """A shaded ground, a panel, a disc, and a busy part."""
    high, wide = 300, 240
    picture = np.zeros((high, wide, 3), np.uint8)
    picture[:] = np.linspace(225, 245, high).astype(np.uint8)[:, None, None]
    picture[30:110, 20 + across : 140 + across] = colour
    y, x = np.mgrid[:high, :wide]
    picture[(x - 180) ** 2 + (y - 200) ** 2 < 900] = (30, 90, 160)
    busy = np.random.default_rng(0).integers(0, 255, (20, 20, 3)).astype(np.uint8)
    picture[190:270, 20:100] = np.kron(busy, np.ones((4, 4, 1), np.uint8))
    return picture


def test_it_finds_the_panel_the_disc_and_what_is_busy_but_not_the_ground() -> None:
    found = regions(poster(), [])
    boxes = set()
    for mask in found:
        rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
        boxes.add(tuple(round(int(edge) / 10) for edge in (
            columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
        )))  # fmt: skip
    assert {(2, 3, 14, 11), (15, 17, 21, 23), (2, 19, 10, 27)} <= boxes
    assert all(mask.mean() < 0.9 for mask in found)


def test_a_line_of_text_is_a_box_and_does_not_cut_what_it_stands_on() -> None:
    picture = poster()
    picture[60:80, 40:120:4] = 255  # strokes
    found = regions(picture, [(38.0, 58.0, 122.0, 82.0)])
    assert found[0].sum() == 84 * 24
    panel = regions(poster(), [])
    assert layout_consistency(panel, found[1:]) > 97


@pytest.mark.parametrize("quality", [85, 50])
def test_compression_leaves_the_things_where_they_are(quality: int) -> None:
    file = io.BytesIO()
    Image.fromarray(poster()).save(file, "JPEG", quality=quality)
    again = np.asarray(Image.open(file).convert("RGB"))
    assert layout_consistency(regions(poster(), []), regions(again, [])) > 95


def test_another_colour_is_the_same_layout_another_place_is_not() -> None:
    before = regions(poster(), [])
    recoloured = layout_consistency(before, regions(poster(colour=(20, 120, 60)), []))
    moved = layout_consistency(before, regions(poster(across=60), []))
    assert recoloured > 97 > 95 > moved
    blank = np.full((300, 240, 3), 255, np.uint8)
    assert len(regions(blank, [])) == 0
    assert layout_consistency(before, regions(blank, [])) == 0.0


def test_large_pictures_have_masks_of_a_bounded_size() -> None:
    large = np.asarray(Image.fromarray(poster()).resize((2400, 3000), Image.Resampling.NEAREST))
    found = regions(large, [(100.0, 100.0, 400.0, 160.0)])
    assert found.shape[1:] == (1024, 819)
    assert layout_consistency(found[1:], found[1:]) == 100.0


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 700, 3), (2, 2, 3)])
def test_tiny_pictures_are_no_trouble(shape: tuple[int, ...]) -> None:
    assert regions(np.zeros(shape, np.uint8), []).shape == (0, *shape[:2])


# ── layers ──────────────────────────────────────────────────────────────────────────────


def test_the_alpha_of_layers_is_theirs_on_the_canvas() -> None:
    faint = np.full((10, 10, 4), 255, np.uint8)
    faint[:, 5:, 3] = 100
    document = Document(
        made=(
            Layer(Shape("rectangle", 40.0, 20.0), "ground", id="1"),
            Layer(Picture(faint), "picture", id="2", left=35.0, top=-5.0),
            Layer(Picture(faint), "hidden", id="3", visible=False),
        ),
        canvas=(40, 20),
    )
    found = alphas(document, (40, 20))
    assert [int(mask.sum()) for mask in found] == [800, 25]
    assert alphas(document, (80, 40)).shape == (2, 40, 80)


# ── plug-ins ────────────────────────────────────────────────────────────────────────────


PLUGGED = """
import numpy as np
def halves(pixels):
    high, wide = pixels.shape[:2]
    masks = np.zeros((2, high, wide), np.float32)
    masks[0, :, : wide // 2] = 0.51
    masks[1] = 0.5
    return masks
halves.version = "7"
def none(pixels):
    return []
def wrong(pixels):
    return np.zeros((1, 3, 3), bool)
number = 5
"""


@pytest.fixture
def plugged(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(PLUGGED)
    return f"{tmp_path / 'mine.py'}:"


def test_a_segmenter_of_ones_own_is_parted_at_a_half(plugged: str) -> None:
    by, document = segmenter(f"{plugged}halves"), Document.of(poster())
    assert by.version == "halves/7"
    found = segments(Evidence(), document, by)
    assert [int(mask.sum()) for mask in found] == [300 * 120, 0]
    assert segments(Evidence(), document, segmenter(f"{plugged}none")).shape == (0, 300, 240)


def test_masks_that_do_not_fit_are_the_segmenters_fault(plugged: str) -> None:
    by = segmenter(f"{plugged}wrong")
    with pytest.raises(
        OverpaintError, match=r"gave bool \(1, 3, 3\)\. At most 300 masks of 300×24"
    ):
        segments(Evidence(), Document.of(poster()), by)


def test_what_is_no_segmenter_is_said_so(plugged: str, tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="There is no segmenter 'doc2mask'"):
        segmenter("doc2mask")
    with pytest.raises(UserMistake, match="number is no function"):
        segmenter(f"{plugged}number")
    with pytest.raises(UserMistake, match="is not there"):
        segmenter(f"{tmp_path / 'other.py'}:find")


def test_the_default_needs_no_download_and_has_a_name_and_a_version() -> None:
    assert (segmenter().name, segmenter().version) == (REGIONS, "regions1")
    document = Document.of(poster())
    evidence = Evidence()
    found = segments(evidence, document, segmenter())
    assert segments(evidence, Document.of(poster()), segmenter()) is found
