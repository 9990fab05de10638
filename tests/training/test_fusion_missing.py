"""Trees tell of missing values what they learned of them."""

import numpy as np
import pytest

from overpaint.training.fusion_model import TreeTerms, grow_trees


@pytest.mark.parametrize("seed", range(20))
def test_what_is_missing_alone_can_tell_the_score(seed: int) -> None:
    chance = np.random.default_rng(seed)
    values = chance.normal(size=(60, 1))
    missing = chance.random(60) < 0.4
    values[missing, 0] = np.nan
    wanted = np.where(missing, 5.0, 0.0) + chance.normal(0, 1e-3, 60)
    trees = grow_trees(values, wanted, TreeTerms(trees=1, depth=1, rate=1.0))
    assert ((trees(values) > 2.5) == missing).all()
