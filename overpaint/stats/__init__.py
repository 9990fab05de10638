"""Statistics for decisions: pure functions on numbers that know nothing of pictures."""

from overpaint.stats.opinion import Opinions, majority, opinion_scores
from overpaint.stats.screening import Screening, screen_raters

__all__ = ["Opinions", "Screening", "majority", "opinion_scores", "screen_raters"]
