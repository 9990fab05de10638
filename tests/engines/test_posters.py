"""Posters: what is true of every poster, whatever the seed."""

import itertools
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from overpaint import weights
from overpaint.engines import posters
from overpaint.engines.posters import KINDS, OPERATIONS, Poster, album, draw
from overpaint.engines.posters.brush import Canvas
from overpaint.engines.posters.lettering import FACES, Cylinder, Ink, Text, font, inks, stamp
from overpaint.engines.posters.revise import Job, Language, Scene
from overpaint.errors import Unavailable


def fonts_are_here() -> bool:
    try:
        for latin, han, _ in FACES.values():
            weights.find(latin)
            weights.find(han)
    except Unavailable:
        return False
    return True


pytestmark = pytest.mark.skipif(
    not fonts_are_here(), reason="the poster fonts are not here; get them with: overpaint get fonts"
)
LANGUAGES: tuple[Language, ...] = ("en", "zh")
SETS = [
    (kind, language, words)
    for kind, language in itertools.product(KINDS, LANGUAGES)
    for words in posters._words()[kind][language]
]


@cache
def scene(number: int) -> Scene:
    """A scene with every text and edit but an unpainted backdrop, which takes most of the time."""
    kind, language, words = SETS[number]
    idle = dict.fromkeys(("_paint", "fade", "tint", "patch"), lambda *args, **how: None)
    with patch.multiple(Canvas, **idle):
        return KINDS[kind][1](Job(Random(number), words, language, number))


@cache
def letters(text: Text) -> Ink:
    """The ink of the letters themselves, without the light around them."""
    return inks(text)[-1]


@cache
def drawn(seed: int, index: int) -> Poster:
    return draw(seed, index)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6), st.integers(0, 500))
def test_source_and_truth_differ_inside_the_mask_and_nowhere_else(seed: int, index: int) -> None:
    poster = draw(seed, index)
    differs = (poster.source != poster.truth).any(axis=2)
    assert poster.source.shape == poster.truth.shape == (*poster.mask.shape, 3)
    assert differs.any()
    assert not differs[poster.mask == 0].any()
    assert set(np.unique(poster.mask)) <= {0, 255}
    assert 0 < (poster.mask == 255).mean() < 0.6
    assert all(512 <= side <= 768 for side in poster.mask.shape)
    assert poster.instruction[-1] in ".。"


@pytest.mark.slow
def test_a_seed_and_a_number_give_the_same_pixels_in_another_process() -> None:
    script = (
        "from overpaint.engines.posters import draw; from overpaint.engines.posters.album import"
        " digest; p = draw(7, 30); print(digest(p.source, p.truth, p.mask), p.difficulty)"
    )
    poster = drawn(7, 30)
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    here = album.digest(poster.source, poster.truth, poster.mask)
    assert said.strip() == f"{here} {poster.difficulty}"


@pytest.mark.slow
def test_another_seed_or_number_gives_another_picture() -> None:
    several = [drawn(7, 30), draw(8, 30), draw(7, 42)]
    assert len({album.digest(poster.source) for poster in several}) == 3


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SETS)), ids=lambda n: "-".join(SETS[n][:2]))
def test_every_edit_a_scene_offers_can_be_told_and_stays_in_the_picture(number: int) -> None:
    made, language = scene(number), SETS[number][1]
    height, width = made.backdrop.shape[:2]
    assert {revision.operation for revision in made.revisions} == set(OPERATIONS)
    for revision in made.revisions:
        before = {**made.texts, **revision.before}
        quote = '"' if language == "en" else "“"
        assert quote in revision.instruction
        assert not {"{", "}", "\n"} & set(revision.instruction)
        for text in [*before.values(), *revision.changed.values()]:
            left, top, right, bottom = letters(text).box if text else (0, 0, 1, 1)
            assert min(left, top) >= 0, text
            assert right <= width, text
            assert bottom <= height, text


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SETS)), ids=lambda n: "-".join(SETS[n][:2]))
def test_the_text_an_instruction_names_is_the_only_one_of_its_words(number: int) -> None:
    made = scene(number)
    for revision in made.revisions:
        before = {**made.texts, **revision.before}
        shown = [text.words for text in before.values() if text]
        named, *others = (before[key] for key in revision.changed)
        # What an edit implies may repeat the words, as the stub of a ticket repeats the date.
        repeats = sum(bool(other and named and other.words == named.words) for other in others)
        assert named is None or shown.count(named.words) == 1 + repeats, revision.instruction


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SETS)), ids=lambda n: "-".join(SETS[n][:2]))
def test_no_two_texts_lie_on_each_other_before_or_after_an_edit(number: int) -> None:
    made = scene(number)
    for revision in made.revisions:
        for state in (revision.before, revision.changed):
            texts = {**made.texts, **state}
            boxes = {key: letters(text) for key, text in texts.items() if text}
            for (one, a), (other, b) in itertools.combinations(boxes.items(), 2):
                if {one, other} & set(revision.changed):
                    assert not meet(a, b), f"{revision.instruction}: {one} and {other}"


def meet(a: Ink, b: Ink) -> bool:
    """Whether two inks colour a pixel both."""
    left, top = max(a.left, b.left), max(a.top, b.top)
    right, bottom = min(a.box[2], b.box[2]), min(a.box[3], b.box[3])
    if left >= right or top >= bottom:
        return False
    parts = [i.alpha[top - i.top : bottom - i.top, left - i.left : right - i.left] for i in (a, b)]
    return bool(((parts[0] > 40) & (parts[1] > 40)).any())


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SETS)), ids=lambda n: "-".join(SETS[n][:2]))
def test_every_letter_has_a_shape_in_its_font(number: int) -> None:
    made = scene(number)
    after = [text for revision in made.revisions for text in revision.changed.values()]
    for text in [*made.texts.values(), *after]:
        if text:
            face = font(text.role, text.words, 40)
            nothing = face.getmask("\U0010ffff")
            for letter in set(text.words) - {" ", "\n"}:
                shape = face.getmask(letter)
                missing = shape.size == nothing.size and bytes(shape) == bytes(nothing)
                assert not missing, f"{letter} of {text.words!r}"


# ── the shape of a set ──────────────────────────────────────────────────────────────────


def test_twelve_rounds_of_each_kind_meet_every_operation_in_both_languages() -> None:
    kinds = tuple(KINDS)
    met = set()
    for index in range(12 * len(kinds)):
        turn, place = divmod(index, len(kinds))
        met.add((kinds[place], *posters.plan(index)[1:]))
        assert posters.plan(index)[0] == kinds[place]
        assert turn < 12
    assert len(met) == len(kinds) * 2 * len(OPERATIONS)


def test_difficulty_counts_what_the_table_counts() -> None:
    assert posters.count_words("Where the road meets the fjord") == 6
    assert posters.count_words("日出之前，抵达山顶") == 8
    assert posters.count_words("18 – 02") == 2
    mask = np.zeros((100, 100), np.uint8)
    mask[5:20, 5:20] = mask[50:70, 50:70] = 255
    mask[90:93, 90:93] = 255  # a speck
    assert posters.regions(mask) == 2
    assert [posters.tier(values) for values in ([5], [6], [10], [2] * 6)] == [
        "easy", "medium", "medium", "hard",
    ]  # fmt: skip


# ── ink ─────────────────────────────────────────────────────────────────────────────────


def test_ink_beyond_the_edge_is_cut_and_the_rest_is_kept() -> None:
    picture = np.full((40, 60, 3), 255, np.uint8)
    for ink in inks(Text("WIDE", 40, 30, 30, "#000000")):
        stamp(picture, ink)
    assert (picture[:, :38] == 255).all()
    assert (picture[:, 59] < 255).any()


@pytest.mark.parametrize("words", ["ADMIT ONE", "凭票入场", "two\nlines"])
@pytest.mark.parametrize("angle", [4, 10, 90, -30])
def test_turned_words_lose_no_ink(words: str, angle: float) -> None:
    (level,) = inks(Text(words, 200, 200, 40))
    (turned,) = inks(Text(words, 200, 200, 40, angle=angle))
    assert turned.alpha.sum() == pytest.approx(level.alpha.sum(), rel=0.01)
    for low, high in ((0, 2), (1, 3)):
        middle = (level.box[low] + level.box[high]) / 2
        assert (turned.box[low] + turned.box[high]) / 2 == pytest.approx(middle, abs=10)


def test_a_round_surface_narrows_and_lifts_what_is_far_from_its_axis() -> None:
    flat = Text("I", 180, 100, 40)
    bent = Text("I", 180, 100, 40, round=Cylinder(100, 100, 20))
    (on_paper,), (on_tin,) = inks(flat), inks(bent)
    assert on_tin.left < on_paper.left
    assert on_tin.top < on_paper.top
    assert on_tin.alpha.shape[1] < on_paper.alpha.shape[1]


def test_the_writer_makes_a_folder_that_the_demo_can_load(tmp_path: Path) -> None:
    from overpaint.benchmarks.demo import demo

    album.write(tmp_path, seed=3, count=2)
    loaded = demo.load(tmp_path)
    assert [sample.id for sample in loaded.samples] == ["poster-001", "poster-002"]
    assert [repair.kind for repair in loaded.repairs] == ["other data"]
    assert (loaded.samples[1].request.source.rgb == draw(3, 1).source).all()


# The command on a machine where none of the packages with fonts is installed.
WITHOUT_PACKAGES = """
import importlib.metadata, runpy
installed = importlib.metadata.distribution
def hidden(name):
    if name.startswith(("font", "pylopdf")):
        raise importlib.metadata.PackageNotFoundError(name)
    return installed(name)
importlib.metadata.distribution = hidden
runpy.run_module("overpaint.engines.posters", run_name="__main__")
"""


def test_without_fonts_the_command_says_how_to_get_them(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_PACKAGES, str(tmp_path / "out")]
    there = {**os.environ, "OVERPAINT_CACHE": str(tmp_path)}
    done = subprocess.run(command, env=there, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "overpaint get fonts" in done.stderr


def test_a_sheet_has_a_cell_for_every_picture() -> None:
    picture = np.zeros((50, 100, 3), np.uint8)
    page = album.sheet([picture] * 5, columns=2, cell=36)
    assert isinstance(page, Image.Image)
    assert page.size == (2 * 38 + 2, 3 * 38 + 2)
