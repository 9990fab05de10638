"""Fluency: what is read in the edited region, when it is judged, and what the number means."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from overpaint import weights
from overpaint.core import Edit, Evidence, Request, Sample, Score
from overpaint.document import Document
from overpaint.errors import NotApplicable, Unavailable, Undecided
from overpaint.measures import fluency as measures
from overpaint.measures.fluency import (
    checked,
    fluency,
    fluency_change,
    fluency_gemma3,
    fluency_of,
    text_in,
    touched,
)
from overpaint.models.local import Local
from overpaint.vision.page import Line

pytestmark = pytest.mark.slow

RIGHT = ("The committee will meet on Friday", "to discuss the plans of the library.")
WRONG = ("The committee will meet on Friday", "to dsicuss teh plans of of library.")
HIGH, WIDE = 160, 640


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """Shared, so that each picture is read once for all tests."""
    return Evidence()


@pytest.fixture
def model() -> None:
    """Tests that need the model are skipped where runtime or weights are absent."""
    needs(measures.MODEL)


def needs(name: str) -> None:
    if find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed; pip install 'overpaint[lm]'")
    try:
        weights.find(name)
    except Unavailable as missing:
        pytest.skip(str(missing))


def page(*lines: str) -> Document:
    image = Image.new("RGB", (WIDE, HIGH), "white")
    font = ImageFont.truetype(str(weights.find("font-serif")), 30)
    for at, line in enumerate(lines):
        ImageDraw.Draw(image).text((30, 30 + 44 * at), line, font=font, fill="black")
    return Document.of(np.asarray(image))


def mask(top: int, bottom: int, left: int = 0, right: int = WIDE) -> Document:
    """White where the edit may be."""
    pixels = np.zeros((HIGH, WIDE, 3), np.uint8)
    pixels[top:bottom, left:right] = 255
    return Document.of(pixels)


def edit_of(output: Document, *masks: Document, target: Document | None = None) -> Edit:
    sample = Sample("s", Request(page(*RIGHT), "…"), target, masks)
    return Edit(sample, "e", "ok", output)


def scores(edit: Edit, evidence: Evidence) -> tuple[Score, Score]:
    (own,), (change,) = (m.score([edit], evidence) for m in (fluency, fluency_change))
    return own, change


# ── the number ──────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("model")
def test_the_number_is_the_mean_logarithm_to_base_two_of_a_letter() -> None:
    text = "The cat sat."
    nats = sum(Local(measures.MODEL).logprobs(text))
    assert fluency_of(text) == pytest.approx(nats * 1.4426950408889634 / 12)


@pytest.mark.slow
@pytest.mark.usefixtures("model")
def test_words_as_written_are_more_natural_than_words_spoilt() -> None:
    right = fluency_of(" ".join(RIGHT))
    for wrong in (" ".join(WRONG), "Friday the on library committee meet of plans will discuss."):
        assert fluency_of(wrong) < right < 0


@pytest.mark.slow
@pytest.mark.usefixtures("model")
def test_an_edit_is_judged_by_the_words_it_left_in_the_picture(evidence: Evidence) -> None:
    same, none = scores(edit_of(page(*RIGHT)), evidence)
    assert none.value == 0
    assert same.value is not None
    worse, change = scores(edit_of(page(*WRONG)), evidence)
    assert worse.value is not None
    assert change.value == pytest.approx(worse.value - same.value)
    assert change.value < 0


@pytest.mark.usefixtures("model")
def test_the_change_is_against_the_truth_where_there_is_one(evidence: Evidence) -> None:
    edit = edit_of(page(*RIGHT), target=page(*WRONG))
    own, change = scores(edit, evidence)
    assert own.value is not None
    assert change.value is not None
    assert change.value > 0


# ── what is read ────────────────────────────────────────────────────────────────────────


def test_whole_lines_that_the_region_touches_are_read_and_no_others(evidence: Evidence) -> None:
    document = page(*RIGHT)
    assert text_in(evidence, document, None) == " ".join(RIGHT)
    one_word = edit_of(document, mask(70, 112, 30, 140))
    assert text_in(evidence, document, measures.region(one_word, evidence)) == RIGHT[1]
    nothing = edit_of(document, mask(130, 160))
    assert text_in(evidence, document, measures.region(nothing, evidence)) == ""


def test_a_line_that_the_region_only_grazes_is_not_read() -> None:
    where = np.zeros((100, 100), bool)
    where[40:, :10] = True
    assert touched(Line((5.0, 40.0, 90.0, 60.0), "inside"), where)
    assert not touched(Line((5.0, 25.0, 90.0, 45.0), "grazed"), where)
    assert not touched(Line((20.0, 40.0, 90.0, 60.0), "beside"), where)
    assert not touched(Line((120.0, 40.0, 190.0, 60.0), "outside"), where)


def test_the_box_of_a_document_is_a_region_as_well(evidence: Evidence) -> None:
    document = page(*RIGHT)
    facts = {"region": (30, 76, 600, 110)}
    edit = Edit(Sample("s", Request(document, "…"), document, facts=facts), "e", "ok", document)
    assert text_in(evidence, document, measures.region(edit, evidence)) == RIGHT[1]
    assert measures.region(edit_of(document), evidence) is None


def test_an_output_of_another_size_is_read_at_the_size_of_the_mask(evidence: Evidence) -> None:
    half = Document.of(np.asarray(Image.fromarray(page(*RIGHT).rgb).resize((WIDE * 2, HIGH * 2))))
    edit = edit_of(half, mask(70, 112))
    again = measures.sized(evidence, half, edit.sample.reference)
    assert text_in(evidence, again, measures.region(edit, evidence)) == RIGHT[1]


# ── when it is judged ───────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("model")
def test_a_truth_without_words_can_be_held_against_nothing(evidence: Evidence) -> None:
    own, change = scores(edit_of(page(*RIGHT), target=page()), evidence)
    assert own.status == "ok"
    assert (change.status, change.value) == ("not_applicable", None)
    assert change.reason.startswith("Nothing in the truth can be held against it. No words")


def test_where_no_words_are_read_it_cannot_tell(evidence: Evidence) -> None:
    for score in scores(edit_of(page()), evidence):
        assert (score.status, score.value) == ("undecided", None)
        assert "No words were read" in score.reason
    with pytest.raises(Undecided, match="No words"):
        checked("1,250 – 300 %")


def test_a_word_alone_is_too_short_to_be_natural_or_not() -> None:
    with pytest.raises(Undecided, match="'Friday' was read: too short"):
        checked("Friday")


def test_words_in_letters_the_model_does_not_know_are_not_judged() -> None:
    chinese, russian = "委员会将于星期五上午开会。", "Комитет соберётся в пятницу утром, Friday"
    with pytest.raises(NotApplicable, match="smollm2 knows English, and 0% of the letters read"):
        checked(chinese)
    assert checked(chinese, "gemma3") == (chinese, ())
    for model in ("smollm2", "gemma3"):
        with pytest.raises(NotApplicable, match="At least 80% were expected"):
            checked(russian, model)


def test_a_chinese_letter_tells_as_much_as_two_others() -> None:
    assert checked("星期五开会了", "gemma3") == ("星期五开会了", ())
    with pytest.raises(Undecided, match="too short"):
        checked("星期五开会", "gemma3")


@pytest.mark.slow
def test_the_second_model_judges_chinese(evidence: Evidence) -> None:
    needs("gemma3")
    right, wrong = "委员会将于星期五上午开会。", "委会员将于五星期午上会开。"
    assert fluency_of(right, "gemma3") > fluency_of(wrong, "gemma3")
    (score,) = fluency_gemma3.score([edit_of(page(*RIGHT))], evidence)
    assert (score.measure, score.status) == ("fluency@gemma3", "ok")


def test_a_long_text_is_judged_by_its_beginning_and_says_so() -> None:
    text, notes = checked("many words " * 400)
    assert len(text) == measures.LONGEST
    assert notes == ("of 4,400 letters the first 1,000 are judged",)
    assert checked("a few words only") == ("a few words only", ())


def test_without_the_weights_it_is_unavailable_and_says_what_gets_them(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    edit = edit_of(page(*RIGHT))
    text_in(evidence, page(*RIGHT), None)  # what reading needs is found before the cache is gone
    from overpaint.models import local

    monkeypatch.setattr(local, "_running", local._running.__wrapped__)
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    (score,) = fluency.score([edit], Evidence())
    assert (score.status, score.value) == ("unavailable", None)
    assert "overpaint get smollm2" in score.reason or "overpaint[lm]" in score.reason
