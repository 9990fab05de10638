"""The bench of people asks what it says it asks, of studies that do not change unnoticed."""

import hashlib
import sys
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))  # benches import one another

import people_opinion
import people_raters

PINNED = "44fe7461f5b25f43d2be02faf6e4c59d1245fb83131267dac76c2423c1f37c21"


def test_the_careless_raters_are_those_that_were_drawn_before_screening_was_tuned() -> None:
    text = people_raters.FILE.read_text()
    assert hashlib.sha256(text.encode()).hexdigest() == PINNED
    assert people_raters.written() == text


def test_a_fifth_of_the_raters_is_careless_in_every_way_that_is_asked_for() -> None:
    found = list(people_raters.studies("held out", every=16))
    kinds = Counter(rater.kind for one in found for rater in one.raters)
    assert kinds["honest"] == 0.8 * kinds.total()
    assert min(kinds[kind] for kind in people_raters.KINDS) > 0.1 * (
        kinds.total() - kinds["honest"]
    )
    for one in found:
        assert one.careless.sum() == 6
        assert set((~np.isnan(one.ratings)).sum(axis=0)) == {15}
        assert all(r.share >= 0.5 for r in one.raters if r.careless)


def test_a_rule_that_finds_nobody_or_everybody_misses_the_bound() -> None:
    bad = np.zeros(3)
    assert people_opinion._rates(bad) == (0, 0)
    assert people_opinion._rates(np.array([6.0, 24.0, 0.0])) == (0.2, 1.0)


def test_the_small_bench_of_development_keeps_what_is_asked() -> None:
    rows, figures = people_opinion.screened(True, "development")
    assert rows[0][3] == "yes"
    assert figures["recall BT.500's 5 % alone"] < 0.9  # or the second rule would not be needed
