"""Whether editors are ranked alike: by hand, and as scipy has it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from overpaint.stats.ranking import ranking_agreement


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=20))
def test_rank_correlations_are_scipy_s(pairs: list[tuple[int, int]]) -> None:
    a, b = zip(*pairs, strict=True)
    found = ranking_agreement(a, b)
    if len(set(a)) == 1 or len(set(b)) == 1:
        assert found.spearman is None
        assert found.notes == ("all editors of one side are equal",)
        return
    assert found.spearman == pytest.approx(stats.spearmanr(a, b)[0], abs=1e-12)
    assert found.kendall == pytest.approx(stats.kendalltau(a, b)[0], abs=1e-12)
    ranks = [stats.rankdata(-np.array(side)) for side in (a, b)]
    assert found.rmse_ranks == pytest.approx(np.sqrt(np.mean((ranks[0] - ranks[1]) ** 2)))


def test_two_editors_that_change_places_are_one_place_off_each() -> None:
    found = ranking_agreement([50, 40, 30, 21], [51, 40, 20, 30])
    assert found.rmse_ranks == pytest.approx(np.sqrt(2 / 4))
    assert found.rmse == pytest.approx(np.sqrt((1 + 0 + 100 + 81) / 4))
    assert found.spearman == pytest.approx(0.8)
    assert ranking_agreement([5, 4], [1, 2]).notes == ("too few editors: 2",)


def test_means_on_other_scales_have_no_rmse() -> None:
    found = ranking_agreement([0.1, 0.2, 0.3], [10, 20, 30], same_scale=False)
    assert (found.rmse, found.rmse_ranks, found.spearman) == (None, 0, pytest.approx(1))
    assert found.notes == ("no RMSE of the means: they are not on one scale",)
    assert ranking_agreement([], []).notes == ("no editors",)
    with pytest.raises(ValueError, match="not finite"):
        ranking_agreement([1, np.nan], [1, 2])
