"""Tables: grids, spans, open tables, and what only looks like one."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from drawn_pages import grid, typeset

from overpaint import weights
from overpaint.errors import Unavailable
from overpaint.vision import ocr, tables_model
from overpaint.vision.layout import blocks_of
from overpaint.vision.page import Line
from overpaint.vision.tables import rules, tables_of

try:
    weights.find("font-sans")
except Unavailable as missing:
    pytest.skip(str(missing), allow_module_level=True)

CELLS = [("Item", "Size", "Fee"), ("Tent", "7.5", "94"), ("Stage", "3.2", "28")]
HTML = "<table>" + "".join(
    "<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in CELLS
) + "</table>"  # fmt: skip
XS, YS = [20, 120, 220, 320], [20, 54, 88, 122]


def cells() -> tuple[np.ndarray, list[Line]]:
    rows = [
        (XS[c] + 20, YS[r] + 8, text) for r, row in enumerate(CELLS) for c, text in enumerate(row)
    ]
    return typeset(rows, (160, 360))


def html_of(pixels: np.ndarray, lines: list[Line]) -> list[str]:
    return [table.html for table in tables_of(pixels, lines)]


def test_a_ruled_table_is_one_block_of_html() -> None:
    pixels, lines = cells()
    (block,) = blocks_of(grid(pixels, XS, YS), lines)
    assert (block.kind, block.text) == ("table", HTML)
    assert np.abs(np.array(block.box) - (20, 20, 321, 123)).max() <= 2


def test_a_missing_piece_of_a_rule_is_a_span() -> None:
    pixels, lines = cells()
    ruled = grid(pixels, XS, YS)
    ruled[21:54, 120] = 255  # Item and Size share a cell
    ruled[88, 221:320] = 255  # and so do the last two fees
    lines = [line for line in lines if line.text not in ("Size", "28")]
    (found,) = html_of(ruled, lines)
    assert '<td colspan="2">Item</td>' in found
    assert '<td rowspan="2">94</td>' in found


@pytest.mark.parametrize("high", [12, 24, 25])
def test_a_rule_down_goes_on_across_the_others_however_low_the_rows(high: int) -> None:
    page = np.full((6 * high, 200, 3), 250, np.uint8)
    page[high // 2 :: high] = page[:, 40:161:60] = 170
    across, down = rules(page)
    assert len(across) == 6
    assert [(x, y, b) for x, y, _, b in down] == [(x, 0, 6 * high) for x in (40, 100, 160)]


def test_a_dark_heading_and_bands_behind_cells_change_nothing() -> None:
    pixels, lines = cells()
    dark = pixels.copy()
    dark[20:54, 20:320] = 255 - dark[20:54, 20:320]
    dark[88:122, 20:320] = np.minimum(dark[88:122, 20:320], 225)
    assert html_of(grid(dark, XS, YS), lines) == [HTML]


def test_rules_above_and_below_are_enough_where_text_lines_up() -> None:
    pixels, lines = cells()
    ruled = pixels.copy()
    for y in (YS[0], YS[1], YS[3]):
        ruled[y : y + 2, 20:321] = 60
    (block,) = blocks_of(ruled, lines)
    assert (block.kind, block.text) == ("table", HTML)


def test_a_frame_ruled_paper_and_a_form_are_no_tables() -> None:
    pixels, lines = typeset(
        [(40, 30 + 34 * i, f"Note number {i} of today") for i in range(4)], (180, 360)
    )
    frame = grid(pixels, [20, 330], [20, 160])
    paper = grid(pixels, [30, 31], [20, 54, 88, 122, 156])
    paper[[54, 88, 122], 20:340] = 60
    for page in (frame, paper):
        assert html_of(page, lines) == []
    fields = [(x, y, f"Field {x}{y}: value") for y in (30, 64) for x in (30, 190)]
    pixels, lines = typeset(fields, (120, 360))
    pixels = pixels.copy()
    pixels[[20, 54, 100], 20:340] = 60
    assert html_of(pixels, lines) == []


def test_strokes_of_large_letters_are_no_rules() -> None:
    pixels, lines = typeset([(20, 20, "HHH TTT"), (20, 120, "EEE LLL")], (240, 500), size=80)
    assert html_of(pixels, lines) == []


def test_markup_in_a_cell_is_text() -> None:
    pixels, lines = cells()
    odd = [Line(line.box, "<b>&</td>") if line.text == "Tent" else line for line in lines]
    (found,) = html_of(grid(pixels, XS, YS), odd)
    assert "<td>&lt;b&gt;&amp;&lt;/td&gt;</td>" in found


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (500, 1), (2, 2), (30, 30)])
def test_pictures_of_any_shape_have_rules_or_none(shape: tuple[int, int]) -> None:
    for shade in (0, 255):
        assert rules(np.full((*shape, 3), shade, np.uint8)) == ([], [])


def test_without_the_networks_ruled_tables_are_still_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pixels, lines = cells()
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    tables_model._network.cache_clear()
    assert tables_model.version() == "none"
    ruled = grid(pixels, XS, YS)
    ruled[150, 20:320] = ruled[155, 20:320] = 60  # rules that no grid explains
    assert html_of(ruled, lines) == [HTML]
    tables_model._network.cache_clear()


def test_html_tokens_become_cells_at_the_first_free_place() -> None:
    tokens = [
        "<tr>",
        "<td",
        ' rowspan="2"',
        ">",
        "</td>",
        "<td></td>",
        "</tr>",
        "<tr>",
        "<td></td>",
    ]
    found = tables_model._cells(tokens)
    assert [(c.row, c.column, c.rows, c.columns) for c in found] == [
        (0, 0, 2, 1),
        (0, 1, 1, 1),
        (1, 1, 1, 1),
    ]


@pytest.mark.slow
def test_the_tables_of_real_pages_are_told_much_as_people_tell_them(fixtures: Path) -> None:
    from PIL import Image

    from overpaint.measures.text import teds

    folder = fixtures / "omnidocbench"
    scores = []
    for page in json.loads((folder / "OmniDocBench_demo.json").read_text()):
        true = [d for d in page["layout_dets"] if d["category_type"] == "table"]
        if not true:
            continue
        with Image.open(folder / "images" / page["page_info"]["image_path"]) as image:
            pixels = np.asarray(image.convert("RGB"))
        found = tables_of(pixels, ocr.read(pixels, "tiny"))
        for table in true:
            told = re.sub(r"</?(thead|tbody)>", "", table["html"])
            told = re.sub(r">\s+<", "><", re.sub(r"<(/?)th\b", r"<\1td", told))
            scores.append(max((teds(one.html, told) for one in found), default=0.0))
    assert len(scores) == 10
    assert np.mean(scores) > 0.6
