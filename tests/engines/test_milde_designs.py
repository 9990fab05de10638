"""Generated designs: only what must change changes, and everything said of it is so."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.document.layers import Text
from overpaint.document.render import bounds
from overpaint.engines.milde.content import LANGUAGES, SPLITS, wordings
from overpaint.engines.milde.edits import KINDS, Job
from overpaint.engines.milde.generate import TURN, Draft, Generated, draft, make
from overpaint.engines.milde.palette import READABLE, contrast, hexed
from overpaint.engines.milde.telling import squeezed

SEED = 6
# One of each group in turn, over kinds of edit that have nothing in common.
SOME = (0, 21, 42, 63, 82, 97, 118, 139, 158, 175, 194, 211)


@cache
def made(number: int) -> Generated:
    return make(number, seed=SEED)


@cache
def drafted(number: int) -> Draft:
    return draft(number, seed=SEED)


@pytest.mark.parametrize("number", SOME)
def test_layers_that_need_no_change_are_the_same_to_the_last_bit_and_the_others_are_not(
    number: int,
) -> None:
    one = made(number)
    gold, truth = set(one.entry["gold"]), {layer.id: layer for layer in one.truth.layers}
    listed = [layer.id for layer in one.source.layers]
    assert [told["id"] for told in one.entry["layers"]] == listed
    assert gold
    assert gold <= set(listed)
    for layer in one.source.layers:
        assert (layer != truth.get(layer.id)) == (layer.id in gold), layer.name
    assert [i for i in listed if i in truth] == [layer.id for layer in one.truth.layers]


@pytest.mark.parametrize("number", SOME)
def test_every_gold_layer_has_an_instruction_a_step_and_a_question(number: int) -> None:
    entry = made(number).entry
    kinds = {told["id"]: told["kind"] for told in entry["layers"]}
    assert list(entry["layer_instructions"]) == entry["gold"]
    assert {step["layer"] for step in entry["steps"]} == set(entry["gold"])
    assert {asked["layer"] for asked in entry["questions"]} == set(entry["gold"])
    for step in entry["steps"]:
        assert (step["kind"] == "text") == (kinds[step["layer"]] == "text")
    assert set(entry["texts"]) == {i for i in entry["gold"] if kinds[i] == "text"}


@pytest.mark.slow
@pytest.mark.parametrize("number", SOME)
def test_checks_are_answered_as_expected_on_the_truth_and_otherwise_on_the_source(
    number: int,
) -> None:
    one, design = made(number), drafted(number).design
    before, after = (
        {part.id: part.words for part in parts} for parts in (design.before, design.after)
    )
    for asked in one.entry["questions"]:
        check = asked["check"]
        if check["kind"] == "looks":
            left, top, right, bottom = check["box"]
            source, truth = (
                document.rgb[top:bottom, left:right].astype(int)
                for document in (one.source, one.truth)
            )
            assert (np.abs(source - truth).max(axis=2) > 24).any(), asked["question"]
            continue
        words = squeezed(check["words"])
        says = check["kind"] == "says"
        assert asked["expected"] == ("yes" if says else "no")
        if says:  # there, in the layer's place
            assert words in squeezed(after[asked["layer"]])
            assert words not in squeezed(before[asked["layer"]])
        else:  # anywhere
            assert not any(words in squeezed(text) for text in after.values())
            assert any(words in squeezed(text) for text in before.values())


@pytest.mark.parametrize("number", SOME)
def test_texts_say_what_the_live_layers_of_the_truth_say(number: int) -> None:
    one = made(number)
    words = {
        layer.id: layer.content.words
        for layer in one.truth.layers
        if isinstance(layer.content, Text)
    }
    for name, text in one.entry["texts"].items():
        if text and name in words:
            assert words[name] == text
        assert bool(text) == any(layer.id == name for layer in one.truth.layers)


@pytest.mark.parametrize("number", SOME)
def test_no_two_texts_meet_and_none_leaves_the_canvas(number: int) -> None:
    one = made(number)
    texts = {told["id"] for told in one.entry["layers"] if told["kind"] == "text"}
    wide, high = one.source.size
    for document in (one.source, one.truth):
        found = [box for one in document.layers if one.id in texts and (box := bounds(one))]
        for left, top, right, bottom in found:
            assert left >= 0
            assert top >= 0
            assert right <= wide
            assert bottom <= high
        for a, b in combinations(found, 2):
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, (a, b)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_whatever_the_seed_a_draft_changes_something_and_its_words_can_be_read(
    number: int, seed: int
) -> None:
    sketch = draft(number, seed=seed)
    design, palette = sketch.design, sketch.plan.palette
    assert 2 <= len(design.before) <= 14
    assert design.gold
    assert "{" not in sketch.change.said
    for parts in (design.before, design.after):
        ground = next((part.colour for part in parts if part.role == "ground"), palette.ground)
        for part in parts:
            if part.kind == "text" and part.colour in (palette.ink, palette.body):
                under = [p for p in parts if p.role in ("band", "seal") and _holds(p, part)]
                fill = under[-1].colour if under else ground
                assert contrast(hexed(part.colour), hexed(fill)) >= READABLE * 0.85


def _holds(figure: object, part: object) -> bool:
    left, top, right, bottom = figure.box  # type: ignore[attr-defined]
    box = part.box  # type: ignore[attr-defined]
    return left <= box[0] and box[2] <= right and top <= box[1] and box[3] <= bottom


@pytest.mark.parametrize("number", [5, 38])
def test_the_same_seed_and_number_give_the_same_bytes_and_another_seed_others(number: int) -> None:
    one, again, other = (make(number, seed=seed) for seed in (SEED, SEED, SEED + 1))
    assert one.source.encoded == again.source.encoded
    assert one.truth.encoded == again.truth.encoded
    assert one.entry == again.entry
    assert one.source.encoded != other.source.encoded


@pytest.mark.slow
def test_every_kind_is_asked_for_in_every_way_of_both_splits_without_a_gap() -> None:
    """Each wording is filled with the values of a design that has what it needs."""
    for number, kinds in enumerate(TURN):
        for group in range(4):
            sketch = draft(4 * number + group, seed=SEED)
            content = sketch.plan.content
            assert (content.split, content.language) == (SPLITS[group // 2], LANGUAGES[group % 2])
            for kind in sketch.kinds:
                for way in wordings(content.split)[kind][content.language]:
                    job = Job(_Always(way), sketch.plan)  # type: ignore[arg-type]
                    assert "{" not in KINDS[kind][0](job).said
        assert kinds


class _Always:
    """Chance that picks one wording and, of all else, the first."""

    def __init__(self, way: str) -> None:
        self.way = way

    def choice(self, pool: list[object]) -> object:
        return self.way if self.way in pool else pool[0]


@pytest.mark.slow
def test_a_whole_set_is_sound() -> None:
    """The laws above on every sample of the built-in set."""
    for number in range(200):
        test_layers_that_need_no_change_are_the_same_to_the_last_bit_and_the_others_are_not(number)
        test_every_gold_layer_has_an_instruction_a_step_and_a_question(number)
        test_checks_are_answered_as_expected_on_the_truth_and_otherwise_on_the_source(number)
        test_texts_say_what_the_live_layers_of_the_truth_say(number)
        test_no_two_texts_meet_and_none_leaves_the_canvas(number)
        made.cache_clear()
