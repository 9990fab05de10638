"""Softness: how wide the edges of ink are, whatever its letters.

A font that is only near to a line is most like it when blurred, for blur hides where they differ.
So the blur of such a line is told from its edges alone.
"""

from dataclasses import replace

import numpy as np

from overpaint.document.text.seen import Cover, Seen
from overpaint.document.text.settling import Settled, draw_over

_BLURS = (0.0, 0.4, 0.6, 0.9, 1.2, 1.6, 2.2, 3.0)  # pixels
_NOISE = 0.1  # cover up to here is ground, and from as far below full on it is ink


def softness(cover: Cover) -> float:
    """Half-covered pixels for each pixel of edge; 0 where there is no ink."""
    clean = np.clip((cover - _NOISE) / (1 - 2 * _NOISE), 0, 1)
    across, down = np.abs(np.diff(clean, axis=1)).sum(), np.abs(np.diff(clean, axis=0)).sum()
    return float((clean * (1 - clean)).sum() / max(float(np.hypot(across, down)), 1e-6))


def as_soft(settled: Settled, seen: Seen) -> Settled:
    """The same with edges as soft as the line's, and not more blurred than it was."""
    wanted = softness(seen.cover)
    most = settled.style.blur
    below = 0.0, -1.0
    for blur in [b for b in _BLURS if b < most] + [most]:
        tried = replace(settled, style=replace(settled.style, blur=blur))
        soft = softness(draw_over(tried, seen.text, seen.cover.shape))
        if soft >= wanted:
            low, less = below
            share = (wanted - less) / (soft - less) if less >= 0 else 1.0
            return replace(tried, style=replace(tried.style, blur=low + share * (blur - low)))
        below = blur, soft
    return settled
