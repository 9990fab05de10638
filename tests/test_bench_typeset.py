"""The typeset bench asks what it says it asks, of pages that do not change unnoticed."""

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from overpaint import weights
from overpaint.errors import Unavailable
from overpaint.weights.fonts import FONTS

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))  # benches import one another

import typeset_cases
import typeset_targets
from typeset_cases import COUNTS, ENGINES, Case, build, engines, plans
from typeset_fonts import HELD_FONTS, HELD_OUT, folder

PINNED = {
    ("known", 3): "03dac4f04273a109cba4975fd7e125b8dbdc015c81d07de15f9b15bca18ce5ee",
    ("known", 100): "11274041eb1f4348744a45a5fc11ddeee1e08c1588ab8771e5fdb723bda9749f",
    ("held-out", 2): "c3b2802c662c31315c1f337e2bfa1b31d3fc0867a5804aa5b8871ef023f33607",
    ("degraded", 7): "07615629af0c361f2f6d6206e0d4fc37527d9ead2a8d1564a67042578fea7e53",
}


@cache
def case(group: str, number: int) -> Case:
    if group == "held-out" and not any(folder().glob("*.ttf")):
        pytest.skip("the held-out fonts have not been fetched; the bench does that")
    try:
        return build(group, number)
    except Unavailable as missing:
        pytest.skip(str(missing))


@pytest.mark.slow
@pytest.mark.parametrize(("group", "number"), PINNED)
def test_the_cases_are_the_pinned_ones(group: str, number: int) -> None:
    if engines() != ENGINES:
        pytest.skip(f"letters are drawn with {engines()}, pinned with {ENGINES}")
    assert case(group, number).digest == PINNED[group, number]


@pytest.mark.slow
@pytest.mark.parametrize(("group", "number"), PINNED)
def test_outside_its_region_the_truth_is_the_source(group: str, number: int) -> None:
    found = case(group, number)
    differs = (found.source != found.truth).any(axis=2)
    left, top, right, bottom = found.region
    assert differs[top:bottom, left:right].any()
    differs[top:bottom, left:right] = False
    if group == "degraded":  # JPEG spreads a change over its blocks of 16 pixels, and no further
        left, top, right, bottom = typeset_cases.grown(found.region, differs.shape, 16)
        differs[top:bottom, left:right] = False
    assert not differs.any()


@pytest.mark.slow
@pytest.mark.parametrize(("group", "number"), PINNED)
def test_a_region_reaches_two_pixels_beyond_the_ink(group: str, number: int) -> None:
    found = case(group, number)
    left, top, right, bottom = found.region
    assert right - left >= 6
    assert bottom - top >= 6
    line = typeset_cases.grown(found.line_box, found.source.shape)
    # Softened letters reach a little further than the ink that makes up the line's own box.
    assert line[0] - 4 <= left < right <= line[2] + 4
    assert line[1] - 4 <= top < bottom <= line[3] + 4


@pytest.mark.parametrize(("group", "number"), PINNED)
def test_the_words_to_replace_stand_in_the_instruction_and_once_on_the_page(
    group: str, number: int
) -> None:
    found = case(group, number)
    assert found.target.old in found.instruction
    assert found.target.new in found.instruction
    page = "\n".join(map(typeset_targets.bare, found.page))
    assert page.count(typeset_targets.bare(found.target.old)) == 1
    assert found.wanted == found.target.line.words.replace(found.target.old, found.target.new)


def test_a_degraded_page_is_another_with_another_seed_yet_nearly_the_same() -> None:
    found = case("degraded", 7)
    assert found.again is not None
    apart = np.abs(found.again.astype(int) - found.truth)
    assert 0.5 < apart.mean() < 8


def test_three_hundred_replacements_and_more_are_asked_in_all_grounds_and_languages() -> None:
    known, held, worn = (
        [plan for plan in plans() if plan.group == group]
        for group in ("known", "held-out", "degraded")
    )
    assert len(known) >= 200
    assert len(held) >= 60
    assert len(worn) >= 60
    for group in (known, held):
        for ground in typeset_cases.GROUNDS:
            assert sum(plan.ground == ground for plan in group) == len(group) // 4
    for group in (known, worn):
        assert sum(plan.language == "chinese" for plan in group) == len(group) // 2
    assert {plan.font.family for plan in held} == set(HELD_OUT)
    assert all(12 <= plan.size <= 64 for plan in known + held + worn)
    assert sum(COUNTS.values()) == len(known) + len(held) + len(worn)


def test_held_out_families_are_of_six_kinds_and_in_no_table_of_weights() -> None:
    kinds = [font.style for font in HELD_FONTS]
    assert {"serif", "sans", "display", "hand"} <= set(kinds)
    assert kinds.count("chinese") >= 2
    told = [f"{name} {package.name} {member} {what}" for name, package, member, _, what in FONTS]
    told += [f"{row.name} {row.member} {row.what_for}" for row in weights.TABLE]
    for family in HELD_OUT:
        plain = family.replace(" ", "").casefold()
        for row in told:
            assert plain not in row.replace(" ", "").replace("-", "").casefold()
