"""The compiled drawing of clusters: numpy's numbers, faster."""

import numpy as np
import pytest

from overpaint.stats import bootstrap
from overpaint.stats.bootstrap import Clustered, draw_counts, intervals
from overpaint.stats.drawing import counted


@pytest.mark.parametrize(("clusters", "draws"), [(5, 50), (7, 33), (1000, 30), (65_537, 3)])
def test_the_compiled_loop_draws_what_numpy_draws(clusters: int, draws: int) -> None:
    step = max(1, 250_000 // clusters)
    compiled = np.concatenate([*counted(clusters, 3, draws, step)])
    assert (compiled == np.concatenate([*draw_counts(clusters, 3, draws)])).all()


def test_intervals_are_the_same_however_they_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    columns = [Clustered(random.random(n), np.ones(n)) for n in (30, 30, 31, 40, 3)]
    plain = intervals(columns, seed=1, draws=500)
    monkeypatch.setattr(bootstrap, "_COMPILED", 1)
    assert intervals(columns, seed=1, draws=500) == plain
    assert plain[4] is None
