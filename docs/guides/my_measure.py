"""A measure in one file: `overpaint score runs/demo --measure my_measure.py:warmth`."""

from overpaint.core import Edit, Evidence, Measure, each


def _warmth(edit: Edit, evidence: Evidence) -> float:
    """How much redder than blue the output became, on the 0–255 scale."""
    before, after = edit.sample.request.source.rgb, edit.output.rgb
    red_over_blue = [picture[..., 0].mean() - picture[..., 2].mean() for picture in (before, after)]
    return abs(red_over_blue[1] - red_over_blue[0])


warmth = Measure("warmth", each("warmth", _warmth), higher_is_better=False, worst=510.0, best=0.0)
