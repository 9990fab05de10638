"""Floors for pictures made after references, and benchmarks that name floors of their own."""

from dataclasses import dataclass

import multiref_cases as cases
import numpy as np
from toy import Toy

from overpaint.core import Request
from overpaint.document import Document
from overpaint.editors.floors import GREY, PASTED, SubjectPaste
from overpaint.run.planning import chosen_editors


def test_the_subject_stands_in_the_middle_on_grey() -> None:
    request = cases.synthetic()
    made = SubjectPaste()(request)
    assert made.size == request.source.size
    red = (made.rgb[:, :, 0] > 150) & (made.rgb[:, :, 1] < 80)
    rows, columns = np.flatnonzero(red.any(axis=1)), np.flatnonzero(red.any(axis=0))
    assert abs(rows.mean() - 19.5) < 1.5
    assert abs(columns.mean() - 29.5) < 1.5
    assert PASTED * 40 * 0.85 <= len(rows) <= PASTED * 40 + 1
    outside = np.ones((40, 60), bool)
    outside[8:32, 18:42] = False
    assert (made.rgb[outside] == GREY).all()


def test_nothing_but_the_subject_is_heeded() -> None:
    request = cases.synthetic()
    other = Request(
        request.source, "caption: something else", (cases.photo(4), request.references[1]),
        labels=("<style_image>", "<subject_1>"),
    )  # fmt: skip
    assert np.array_equal(SubjectPaste()(request).rgb, SubjectPaste()(other).rgb)


def test_without_a_subject_it_is_a_grey_canvas() -> None:
    made = SubjectPaste()(cases.real_world())
    assert made.size == (60, 40)
    assert (made.rgb == GREY).all()


def test_a_subject_on_no_plain_ground_is_pasted_whole() -> None:
    request = Request(cases.canvas(), "x", (cases.photo(5),), labels=("<subject_1>",))
    made = SubjectPaste()(request).rgb
    assert (made[8:32, 12:48] != GREY).any(axis=2).mean() > 0.9
    assert (made[:8] == GREY).all()
    plain = Request(cases.canvas(), "x", (cases.canvas(30, 10),), labels=("<subject_1>",))
    assert (SubjectPaste()(plain).rgb == GREY).all()


def test_what_is_white_within_a_subject_on_white_stays() -> None:
    pixels = cases.ball().rgb.copy()
    pixels[70:90, 70:90] = 255
    request = Request(cases.canvas(), "x", (Document.of(pixels),), labels=("<subject_1>",))
    made = SubjectPaste()(request).rgb
    assert (made[18:22, 28:32] > 240).all()
    assert (made[0, 0] == GREY).all()


@dataclass(frozen=True)
class Floored(Toy):
    """A benchmark with a floor of its own."""

    floors: tuple[str, ...] = ("subject-paste",)


def test_a_benchmark_may_name_floors_of_its_own() -> None:
    chosen = chosen_editors((), Floored())
    assert [*chosen] == ["identity", "blank", "source-noise", "subject-paste", "truth"]
    assert [*chosen_editors((), Toy())] == ["identity", "blank", "source-noise", "truth"]
    assert [*chosen_editors(("identity",), None)] == ["identity"]
