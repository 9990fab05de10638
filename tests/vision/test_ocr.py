"""Reading: what was printed is read once and whole; what is odd never ends in a crash."""

import os
import stat
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from drawn_pages import iou, typeset
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint import weights
from overpaint.core import Evidence
from overpaint.document import Document
from overpaint.errors import OverpaintError, Unavailable, UserMistake
from overpaint.vision import engines_paddle, engines_tesseract, ocr
from overpaint.vision.engines_paddle import OVERLAP, TILE, join, tile_starts
from overpaint.vision.page import Line

try:
    (
        weights.find("ocr-tiny-recogniser"),
        weights.find("font-sans"),
        weights.find("font-chinese-sans"),
    )
except Unavailable as missing:
    pytest.skip(str(missing), allow_module_level=True)

ENGLISH = "The ledgers were compared on 14 March (see page 9)."
CHINESE = "每位班组长都保留一本账簿，并在三月核对。"


# ── what is printed is read ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize("engine", ["small", "tiny"])
def test_english_and_chinese_are_read_with_their_spaces_and_boxes_tight(engine: str) -> None:
    pixels, truth = typeset([(20, 20, ENGLISH), (20, 60, CHINESE)], (100, 480))
    found = ocr.read(pixels, engine)
    assert [line.text for line in found] == [ENGLISH, CHINESE]
    for line, true in zip(found, truth, strict=True):
        assert iou(line.box, true.box) > 0.95
        assert line.confidence > 0.9


def test_a_tight_crop_of_one_small_line_is_read_whole() -> None:
    pixels, (line,) = typeset([(20, 20, ENGLISH)], (60, 420), size=12)
    left, top, right, bottom = map(int, line.box)
    assert [found.text for found in ocr.read(pixels[top:bottom, left:right], "tiny")] == [ENGLISH]


def test_white_on_blue_is_read_and_its_box_is_tight() -> None:
    pixels, (line,) = typeset([(20, 20, ENGLISH)], (60, 480))
    share = 1 - pixels[..., :1].astype(float) / 255
    blue = np.uint8(share * [255, 255, 255] + (1 - share) * [30, 60, 120])
    (found,) = ocr.read(blue, "tiny")
    assert found.text == ENGLISH
    assert iou(found.box, line.box) > 0.9


def test_letters_in_a_column_and_pages_turned_by_a_quarter_or_a_half_are_read() -> None:
    column = [(40, 20 + 26 * i, letter) for i, letter in enumerate("春眠不觉晓处处")]
    pixels, _ = typeset(column, (230, 100), size=22)
    assert [line.text for line in ocr.read(pixels, "tiny")] == ["春眠不觉晓处处"]
    level, _ = typeset([(20, 20, ENGLISH)], (60, 480))
    for turns in (1, 2, 3):
        turned = np.ascontiguousarray(np.rot90(level, turns))
        assert [line.text for line in ocr.read(turned, "tiny")] == [ENGLISH]


def test_two_cells_with_a_rule_between_them_are_two_lines() -> None:
    pixels, _ = typeset([(20, 14, "Value of bill"), (130, 14, "Number of bills")], (50, 260))
    ruled = pixels.copy()
    ruled[2:48, 122] = 0
    assert [line.text for line in ocr.read(ruled, "tiny")] == ["Value of bill", "Number of bills"]


# ── tiles ───────────────────────────────────────────────────────────────────────────────


@given(st.integers(1, 60_000))
def test_tiles_cover_a_page_of_any_length_and_overlap_enough(length: int) -> None:
    starts = tile_starts(length)
    assert starts[0] == 0
    assert max(starts) + TILE >= length
    assert max(starts) == 0 or max(starts) + TILE == length
    for one, two in pairwise(starts):
        assert one < two <= one + TILE - OVERLAP


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(10, 3900), min_size=1, max_size=40), st.integers(0, 9))
def test_lines_seen_in_several_tiles_are_joined_once_and_whole(tops: list[int], turn: int) -> None:
    rng = np.random.default_rng(turn)
    rows = [top for i, top in enumerate(sorted(tops)) if i == 0 or top - sorted(tops)[i - 1] > 24]
    lefts = rng.integers(0, 1500, len(rows))
    widths = rng.integers(30, 2400, len(rows))
    lines = [(x, y, x + w, y + 18) for x, y, w in zip(lefts, rows, widths, strict=True)]
    starts = [(x, y) for y in tile_starts(4000) for x in tile_starts(4000)]
    found = [
        np.array([quad for line in lines if (quad := seen(line, start))], np.float32).reshape(
            -1, 4, 2
        )
        for start in starts
    ]
    joined = join(found, starts)
    boxes = sorted((*quad.min(axis=0).tolist(), *quad.max(axis=0).tolist()) for quad in joined)
    assert boxes == sorted(tuple(map(float, line)) for line in lines)


def seen(line: tuple[int, ...], start: tuple[int, int]) -> list[tuple[int, int]] | None:
    """What a tile shows of a line; no detector sees less than a few pixels."""
    left, top = max(line[0], start[0]), max(line[1], start[1])
    right, bottom = min(line[2], start[0] + TILE), min(line[3], start[1] + TILE)
    if right - left < 4 or bottom - top < 4:
        return None
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


@pytest.mark.slow
def test_a_tall_page_of_numbered_lines_gives_each_line_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines_paddle, "TILE", 256)
    monkeypatch.setattr(engines_paddle, "OVERLAP", 64)
    truth = [f"Line number {i} of this page" for i in range(40)]
    pixels, _ = typeset([(20, 10 + 24 * i, text) for i, text in enumerate(truth)], (980, 400))
    assert [line.text for line in ocr.read(pixels, "tiny")] == truth


# ── odd pictures ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("engine", ["tiny", "tesseract"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 2000), (2000, 1), (0, 9), (3, 3), (120, 200)])
def test_a_picture_without_text_has_no_lines(engine: str, shape: tuple[int, int]) -> None:
    if engine == "tesseract" and (shape[0] > 200 or not tesseract_is_here()):
        pytest.skip("tesseract is not installed, or slow to find nothing")
    for shade in (0, 255) if engine == "tiny" else (255,):
        assert ocr.read(np.full((*shape, 3), shade, np.uint8), engine) == ()


def test_noise_is_not_text_and_a_script_that_no_engine_knows_gives_no_crash() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (200, 300, 3), dtype=np.uint8)
    assert ocr.read(noise, "tiny") == ()
    pixels, _ = typeset([(20, 20, "Привет, мир"), (20, 60, "שלום עולם")], (100, 300))
    assert all(isinstance(line, Line) for line in ocr.read(pixels, "tiny"))


# ── engines ─────────────────────────────────────────────────────────────────────────────


def test_an_unknown_engine_is_the_users_mistake() -> None:
    with pytest.raises(UserMistake, match="'large'.*small, tiny, tesseract"):
        ocr.read(np.zeros((9, 9, 3), np.uint8), "large")


def test_a_document_is_read_once_for_all_who_ask_and_engines_are_never_mixed() -> None:
    pixels, _ = typeset([(20, 20, ENGLISH)], (60, 480))
    first = Evidence()
    found = ocr.lines(first, Document.of(pixels), "tiny")
    assert [line.text for line in found] == [ENGLISH]
    (key,) = first.fresh
    assert ocr.version("tiny") in key
    later = Evidence(first.fresh.get)
    assert ocr.lines(later, Document.of(pixels), "tiny") == found
    assert not later.fresh
    assert len({ocr.version("tiny"), ocr.version("small")}) == 2


def test_the_tiny_engine_without_its_weights_names_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    with pytest.raises(Unavailable, match="overpaint get ocr"):
        ocr.version("tiny")


@pytest.mark.slow
def test_nothing_is_printed_or_logged_while_reading() -> None:
    script = (
        "import numpy as np; from overpaint.vision import ocr; "
        "print(len(ocr.read(np.full((40, 40, 3), 255, np.uint8))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("0\n", "")


# ── tesseract ───────────────────────────────────────────────────────────────────────────


def tesseract_is_here() -> bool:
    try:
        return bool(ocr.version("tesseract"))
    except Unavailable:
        return False


def test_tesseract_reads_too_where_it_is_installed() -> None:
    if not tesseract_is_here():
        pytest.skip("tesseract is not installed")
    pixels, _ = typeset([(20, 20, ENGLISH)], (70, 640), size=22)
    assert [line.text for line in ocr.read(pixels, "tesseract")] == [ENGLISH]
    assert ocr.version("tesseract").startswith("tesseract-")


def test_without_tesseract_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    forget()
    with pytest.raises(Unavailable, match="apt install tesseract-ocr"):
        ocr.read(np.zeros((9, 9, 3), np.uint8), "tesseract")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a shell script stands in for the program")
@pytest.mark.parametrize(
    ("body", "sentence"),
    [("sleep 60", "did not finish in 0.5 seconds"), ("echo bad >&2; exit 3", "gave up: bad")],
)
def test_a_tesseract_that_hangs_or_fails_gives_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str, sentence: str
) -> None:
    script = tmp_path / "tesseract"
    script.write_text(f'#!/bin/sh\n[ "$1" = --list-langs ] && echo eng && exit 0\nexec {body}\n')
    script.write_text(script.read_text().replace("exec echo", "echo"))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    forget()
    with pytest.raises(OverpaintError, match=sentence):
        engines_tesseract.read(np.zeros((9, 9, 3), np.uint8), seconds=0.5)
    forget()


def forget() -> None:
    engines_tesseract._languages.cache_clear()
    engines_tesseract._version.cache_clear()


@given(st.text(alphabet="0123456789.-\t\nab 字", max_size=200))
def test_no_table_of_words_makes_the_parser_raise(told: str) -> None:
    for line in engines_tesseract.parse("level\n" + told):
        assert line.text


def test_words_of_one_line_are_joined_as_their_script_wants_it() -> None:
    row = "5\t1\t1\t1\t{}\t{}\t{}\t10\t20\t12\t96\t{}"
    told = "\n".join(
        ["level", row.format(1, 1, 10, "two"), row.format(1, 2, 40, "words"),
         row.format(2, 1, 10, "汉"), row.format(2, 2, 30, "字"), row.format(3, 1, 1, " ")]
    )  # fmt: skip
    assert [(line.text, line.box, line.confidence) for line in engines_tesseract.parse(told)] == [
        ("two words", (10, 10, 60, 22), 0.96),
        ("汉字", (10, 10, 50, 22), 0.96),
    ]


@pytest.mark.parametrize("shape", [(40, 0), (0, 40), (40, 1), (1, 1), (500, 1), (2, 300)])
def test_crops_without_room_for_a_letter_say_nothing_and_do_not_stop_the_reader(
    shape: tuple[int, int],
) -> None:
    thin = np.full((*shape, 3), 200, np.uint8)
    ((text, _),) = engines_paddle.recognise([thin], engines_paddle.loaded("small", 1))
    assert len(text) <= 1
