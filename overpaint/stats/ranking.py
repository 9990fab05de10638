"""Whether a measure ranks editors as people do, from one number for each editor on either side."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from overpaint.stats.ceiling import middle_ranks
from overpaint.stats.fitting import pairs_of, varies
from overpaint.stats.pairs import tau


@dataclass(frozen=True)
class RankingAgreement:
    """How near two rankings of the same editors are. What cannot be had is None, see notes."""

    n: int  # editors
    spearman: float | None = None
    kendall: float | None = None
    rmse: float | None = None  # of the means, in the points of the scale they share
    rmse_ranks: float | None = None  # of the places, 1 being the best
    notes: tuple[str, ...] = ()


def ranking_agreement(
    measure: ArrayLike, people: ArrayLike, *, same_scale: bool = True
) -> RankingAgreement:
    """Compare the editors' means under a measure with those under people, higher being better.

    Equals share their middle place. Means on different scales have no RMSE: say so.
    """
    a, b = pairs_of(measure, people)
    notes = [] if same_scale else ["no RMSE of the means: they are not on one scale"]
    if not len(a):
        return RankingAgreement(0, notes=(*notes, "no editors"))
    rmse = math.sqrt(float(np.mean((a - b) ** 2))) if same_scale else None
    one, two = middle_ranks(-a), middle_ranks(-b)
    places = math.sqrt(float(np.mean((one - two) ** 2)))
    if len(a) < 3 or not varies(a) or not varies(b):
        why = f"too few editors: {len(a)}" if len(a) < 3 else "all editors of one side are equal"
        return RankingAgreement(len(a), None, None, rmse, places, (*notes, why))
    rho = float(np.corrcoef(one, two)[0, 1])
    return RankingAgreement(len(a), rho, tau(a, b), rmse, places, tuple(notes))
