"""The evidence judge passes what happened, fails what did not, and says so where it cannot tell."""

import io
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from overpaint.core import Edit, Evidence, Request, Sample, Score
from overpaint.document import Document
from overpaint.document.layers import Layer, Run, Style, Text
from overpaint.errors import UserMistake
from overpaint.measures.evidence import DIMENSIONS, evidence
from overpaint.measures.evidence.sight import Sight
from overpaint.measures.evidence.spelling import overlaps
from overpaint.vision import ocr
from overpaint.vision.page import Box, Line

Words = tuple[str, int, int, int, str]  # what, left, top, size, colour

TITLE = ("Garden Concert", 40, 30, 40, "#203040")
DAY = ("Friday", 60, 120, 36, "#203040")
PLACE = ("Riverside Hall", 60, 200, 30, "#204060")
NOTE = ("Doors open at seven", 60, 270, 26, "#204060")
PAGE = (TITLE, DAY, PLACE, NOTE)
MASK = (40, 105, 420, 175)  # around the day
REPLACE = "Replace 'Friday' with 'Monday'."
TOLD: dict[str, tuple[Line, ...]] = {}  # what the pictures say, by their key
KNOWN = {"told": Evidence(), "read": Evidence()}  # pictures are looked at once for all tests
SHARED = [KNOWN["told"]]


@pytest.fixture(autouse=True, params=["told", pytest.param("read", marks=pytest.mark.slow)])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test is run with what the pictures say, which is fast, and with what OCR reads."""
    SHARED[0] = KNOWN[request.param]
    if request.param == "told":
        monkeypatch.setattr(ocr, "lines", lambda evidence, document: TOLD[document.key])
        monkeypatch.setattr(Sight, "again", _again)


def _again(sight: Sight, box: Box, *, source: bool = False) -> list[list[Line]]:
    lines = sight.before if source else sight.after
    return [[line for line in lines if overlaps(line.box, box)]] * 2


@cache
def drawn(*texts: Words) -> Document:
    picture = Image.new("RGB", (440, 330), "#f4f1ea")
    pen = ImageDraw.Draw(picture)
    lines = []
    for words, left, top, size, colour in texts:
        face = ImageFont.load_default(size)
        pen.text((left, top), words, colour, face)
        lines.append(Line(pen.textbbox((left, top), words, face), words, 0.99))
    return says(Document.of(np.asarray(picture)), *lines)


def says(document: Document, *lines: Line) -> Document:
    TOLD[document.key] = lines
    return document


def lines_of(document: Document, times: float = 1.0) -> list[Line]:
    boxes = [tuple(times * edge for edge in line.box) for line in TOLD[document.key]]
    return [
        Line(box, line.text, line.confidence)
        for box, line in zip(boxes, TOLD[document.key], strict=True)
    ]


@cache
def region(box: tuple[int, int, int, int]) -> Document:
    picture = Image.new("RGB", (440, 330), "black")
    ImageDraw.Draw(picture).rectangle(box, "white")
    return Document.of(np.asarray(picture))


def with_day(*day: Words) -> Document:
    return drawn(TITLE, *day, PLACE, NOTE)


def judged(
    dimension: str,
    output: Document,
    instruction: str = REPLACE,
    *,
    masks: Sequence[Document] | None = None,
    implied: str | None = None,
    source: Document | None = None,
) -> Score:
    masks = (region(MASK),) if masks is None else masks
    request = Request(source or drawn(*PAGE), instruction)
    sample = Sample("s", request, masks=tuple(masks), facts={"knowledge_prompt": implied})
    (score,) = evidence(dimension).score([Edit(sample, "e", "ok", output)], SHARED[0])
    return score


MONDAY = ("Monday", 60, 120, 36, "#203040")


def test_a_dimension_that_is_not_known_is_named_with_those_that_are() -> None:
    with pytest.raises(UserMistake) as error:
        evidence("IQ")
    assert str(error.value) == (
        "The evidence judge knows no dimension 'IQ'. Known: IF, TA, VC, LP, SE."
        " Write evidence:IF, for example."
    )


def test_every_dimension_is_a_column_from_0_to_1_under_the_judges_own_name() -> None:
    for name in DIMENSIONS:
        measure = evidence(name)
        assert measure.name == f"{name}@evidence"
        assert (measure.worst, measure.best, measure.higher_is_better) == (0.0, 1.0, True)


# ── replacing ───────────────────────────────────────────────────────────────────────────


def test_words_that_took_the_place_of_others_pass_and_the_notes_say_what_was_read() -> None:
    asked, text = (judged(name, with_day(MONDAY)) for name in ("IF", "TA"))
    assert asked.value == text.value == 1.0
    assert asked.notes[0].startswith("asked: “Monday” in place of “Friday”; read in its place:")
    assert asked.notes[1] == "“Friday” is no longer read there"
    assert text.notes == ("read to the letter: “Monday”",)


def test_nothing_done_fails_whatever_was_asked_and_leaves_all_else_as_it_was() -> None:
    for instruction in (REPLACE, "Do something nice with the mood of this."):
        score = judged("IF", drawn(*PAGE), instruction)
        assert score.value == 0.0
        assert score.notes == ("nothing is seen to differ from the source",)
    assert judged("TA", drawn(*PAGE)).value == 0.0
    assert judged("LP", drawn(*PAGE)).value == 1.0
    assert judged("VC", drawn(*PAGE)).status == "undecided"


def test_a_wrong_letter_fails_both_what_was_asked_and_the_text() -> None:
    output = with_day(("Monkay", 60, 120, 36, "#203040"))
    assert judged("IF", output).value == judged("TA", output).value == 0.0
    assert judged("TA", output).notes == ("read twice: “Monkay” for “Monday”",)


def test_words_cut_short_are_told_from_words_cut_half() -> None:
    source = with_day(("Friday night", 60, 120, 36, "#203040"))
    said = "Replace 'Friday night' with 'Friday'."
    assert judged("IF", with_day(DAY), said, source=source).value == 1.0
    half = with_day(("Friday nig", 60, 120, 36, "#203040"))
    assert judged("IF", half, said, source=source).value != 1.0


def test_words_that_stood_twice_pass_only_where_both_are_new() -> None:
    second = ("Friday", 260, 120, 36, "#203040")
    source, half = with_day(DAY, second), with_day(MONDAY, ("Monkay", *second[1:]))
    said = "Replace every 'Friday' with 'Monday'."
    both = with_day(MONDAY, ("Monday", *second[1:]))
    for name in ("IF", "TA"):
        assert judged(name, both, said, source=source).value == 1.0
        assert judged(name, half, said, source=source).value != 1.0


def test_a_wrong_case_fails_the_text_alone() -> None:
    output = with_day(("MONDAY", 60, 120, 36, "#203040"))
    assert judged("IF", output).value == 1.0
    assert judged("TA", output).value == 0.0


def test_letters_that_readers_confuse_are_left_open() -> None:
    source, output = (
        with_day(("Hall 3", 60, 120, 36, "#203040")),
        with_day(("Hall l", 60, 120, 36, "#203040")),
    )
    score = judged("TA", output, "Replace 'Hall 3' with 'Hall I'", source=source)
    assert score.value != 0.0


def test_old_words_beside_the_new_ones_fail() -> None:
    output = with_day(DAY, ("Monday", 220, 120, 36, "#203040"))
    score = judged("IF", output)
    assert score.value == 0.0
    assert score.notes[0] == "“Friday” is still read beside “Monday”"


def test_the_right_words_in_the_wrong_place_fail() -> None:
    output = drawn(TITLE, PLACE, NOTE, ("Monday", 290, 285, 36, "#203040"))
    score = judged("IF", output, masks=[region((40, 105, 200, 175))])
    assert score.value == 0.0
    assert score.notes[0] == "“Monday” is read, but not where “Friday” stood"


def test_another_colour_or_size_than_the_old_words_had_fails_their_looks_alone() -> None:
    red, small = (("Monday", 60, 120, 36, "#d01010"), ("Monday", 60, 130, 20, "#203040"))
    for words in (red, small):
        assert judged("VC", with_day(words)).value == 0.0
        assert judged("IF", with_day(words)).value == 1.0
    assert judged("VC", with_day(MONDAY)).value != 0.0


# ── what was to stay ────────────────────────────────────────────────────────────────────


def test_a_change_outside_the_mask_fails_and_says_which_words_are_gone() -> None:
    gone = drawn(TITLE, MONDAY, NOTE)
    score = judged("LP", gone)
    assert score.value == 0.0
    assert score.notes[1] == "“Riverside Hall” is no longer read"
    altered = drawn(TITLE, MONDAY, ("Riversibe Hall", *PLACE[1:]), NOTE)
    assert judged("LP", altered).value == 0.0
    assert judged("LP", with_day(MONDAY)).value == 1.0


def test_compression_and_another_size_are_no_change() -> None:
    picture = Image.fromarray(with_day(MONDAY).rgb)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=85)
    packed = Document.of(np.asarray(Image.open(file).convert("RGB")))
    large = Document.of(np.asarray(picture.resize((528, 396), Image.Resampling.LANCZOS)))
    says(packed, *lines_of(with_day(MONDAY)))
    says(large, *lines_of(with_day(MONDAY), 1.2))
    for output in (packed, large):
        assert judged("LP", output).value == 1.0
        assert judged("IF", output).value == 1.0


def test_noise_all_over_is_not_passed_for_what_was() -> None:
    noise = np.random.default_rng(1).normal(0, 20, (330, 440, 3))
    pixels = np.clip(with_day(MONDAY).rgb + noise, 0, 255).astype(np.uint8)
    noisy = says(Document.of(pixels), *lines_of(with_day(MONDAY)))
    assert judged("LP", noisy).status == "undecided"


def test_without_a_mask_only_what_is_far_from_the_asked_words_fails() -> None:
    assert judged("LP", with_day(MONDAY), masks=()).value == 1.0
    assert judged("LP", drawn(TITLE, MONDAY, PLACE), masks=()).value == 0.0
    unclear = judged("LP", with_day(MONDAY), "Make this say another day.", masks=())
    assert unclear.status == "undecided"


def test_what_an_edit_implies_may_lie_outside_the_mask() -> None:
    score = judged("LP", drawn(TITLE, MONDAY, NOTE), implied="The hall is closed on Mondays.")
    assert score.status == "undecided"
    assert score.reason.startswith("more than was asked is implied")


def test_an_empty_output_passes_nothing() -> None:
    empty = says(Document.of(np.full((330, 440, 3), 255, np.uint8)))
    for instruction in (REPLACE, "Delete 'Friday'."):
        for name in ("IF", "TA", "LP"):
            assert judged(name, empty, instruction).value != 1.0
    assert judged("IF", empty, "Delete 'Friday'.").notes == ("the output is one flat colour",)


# ── other ops ───────────────────────────────────────────────────────────────────────────


def test_deleted_words_are_gone_to_the_last_letter() -> None:
    whole, half = with_day(), with_day(("Fri", 60, 120, 36, "#203040"))
    for name in ("IF", "TA"):
        assert judged(name, whole, "Delete 'Friday'.").value == 1.0
        assert judged(name, half, "Delete 'Friday'.").value == 0.0


def test_added_words_stand_in_the_mask() -> None:
    mask = [region((300, 110, 435, 170))]
    said = "Add 'Free' to the right of 'Friday'."
    free = ("Free", 330, 120, 36, "#203040")
    assert judged("IF", with_day(DAY, free), said, masks=mask).value == 1.0
    away = with_day(DAY, ("Free", 300, 280, 36, "#203040"))
    assert judged("IF", away, said, masks=mask).value == 0.0
    assert judged("TA", with_day(DAY, free), said, masks=()).value == 1.0
    assert judged("IF", with_day(DAY, free), said, masks=()).status == "undecided"


@pytest.mark.parametrize("words", ["Free", "FREE", "Frcc", "Fi1l", "Fill"])
def test_added_words_are_said_to_be_read_to_the_letter_only_where_they_pass(words: str) -> None:
    wanted = "Fill" if words.startswith("Fi") else "Free"
    output = with_day(DAY, (words, 330, 120, 36, "#203040"))
    mask = [region((300, 110, 435, 170))]
    score = judged("TA", output, f"Add '{wanted}' to the right of 'Friday'.", masks=mask)
    told = " ".join((score.reason, *score.notes))
    assert ("to the letter" in told) == (score.value == 1.0)
    if words == wanted:
        assert score.notes == (f"read to the letter: “{wanted}”",)


def test_scaled_words_have_the_size_that_was_asked_for() -> None:
    said = "Make 'Friday' 30 % larger."
    large, small = (("Friday", 60, 115, 47, "#203040"), ("Friday", 60, 125, 24, "#203040"))
    assert judged("IF", with_day(large), said).value == 1.0
    assert judged("IF", with_day(small), said).value == 0.0
    assert judged("TA", with_day(small), said).value == 1.0


def test_words_have_the_colour_that_was_asked_for() -> None:
    red, blue = (("Friday", 60, 120, 36, c) for c in ("#c81414", "#1450c8"))
    assert judged("IF", with_day(red), "Make 'Friday' red.").value == 1.0
    assert judged("IF", with_day(blue), "Make 'Friday' red.").value == 0.0
    bold = judged("IF", with_day(red), "Make 'Friday' bold.")
    assert bold.status == "undecided"


def test_exchanged_words_stand_in_one_anothers_place() -> None:
    said, mask = "Swap 'Friday' and 'Riverside Hall'.", [region((40, 105, 420, 250))]
    hall, day = ("Riverside Hall", 60, 120, 30, "#204060"), ("Friday", 60, 196, 36, "#203040")
    done, half = drawn(TITLE, hall, day, NOTE), drawn(TITLE, hall, PLACE, NOTE)
    assert judged("IF", done, said, masks=mask).value == 1.0
    assert judged("IF", half, said, masks=mask).value == 0.0


def test_moved_words_are_gone_from_where_they_stood() -> None:
    said, mask = "Move 'Friday' to the right.", [region(MASK)]
    moved = ("Friday", 290, 120, 36, "#203040")
    assert judged("IF", with_day(moved), said, masks=mask).value == 1.0
    assert judged("IF", with_day(DAY, moved), said, masks=mask).value == 0.0


def test_turned_words_are_turned_the_right_way() -> None:
    said, mask = "Rotate 'Friday' 15 degrees clockwise.", [region((20, 90, 420, 195))]
    left, right = (_turned(angle) for angle in (15, -15))
    assert judged("IF", right, said, masks=mask).value != 0.0
    assert judged("IF", left, said, masks=mask).value != 1.0


def _turned(angle: float) -> Document:
    """The page with the day turned, counter-clockwise for a positive angle."""
    layer = Image.new("L", (440, 330), 0)
    ImageDraw.Draw(layer).text((60, 120), "Friday", 255, ImageFont.load_default(36))
    box = layer.getbbox()
    assert box
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    layer = layer.rotate(angle, Image.Resampling.BICUBIC, center=middle)
    page = Image.fromarray(with_day().rgb)
    page.paste("#203040", (0, 0), layer)
    found = layer.getbbox()
    assert found
    words = Line(tuple(map(float, found)), "Friday", 0.95)
    return says(Document.of(np.asarray(page)), *lines_of(with_day()), words)


# ── what is implied, and what cannot be told ────────────────────────────────────────────


def test_consequences_are_asked_for_only_where_something_is_implied() -> None:
    assert judged("SE", with_day(MONDAY)).status == "not_applicable"
    assert judged("SE", with_day(MONDAY), implied="Friday's menu goes.").status == "undecided"
    assert judged("SE", drawn(*PAGE), implied="Friday's menu goes.").value == 0.0


def test_what_is_not_understood_is_left_open() -> None:
    score = judged("IF", with_day(MONDAY), "Translate the day into another day.")
    assert score.status == "undecided"
    assert score.reason == "what was asked is not understood without a model"


def test_words_that_are_not_in_the_source_leave_their_replacement_open_without_a_mask() -> None:
    score = judged("IF", with_day(MONDAY), "Replace 'Sunday' with 'Tuesday'.", masks=())
    assert (score.status, score.reason) == ("undecided", "“Sunday” is not read in the source")


def test_a_sign_read_as_a_figure_is_not_a_wrong_letter() -> None:
    source = with_day(("21°", 60, 120, 36, "#203040"))
    output = says(with_day(("210", 60, 120, 30, "#203040")))
    says(output, *lines_of(source)[:1], Line((60, 125, 110, 150), "210", 0.99))
    score = judged("TA", output, "Make '21°' 20 % smaller.", source=source)
    assert score.value != 0.0


def test_words_of_live_layers_are_known_to_the_letter() -> None:
    page = with_day(MONDAY)
    day = Layer(Text((Run("Monday", Style(size=36)),)), id="2", left=60, top=150, opacity=0.01)
    layered = Document(made=(*page.layers, day), canvas=page.size)
    misread = [Line(line.box, line.text.replace("Mon", "Mcn"), 0.9) for line in lines_of(page)]
    says(layered, *misread)
    assert judged("TA", layered).value == 1.0
