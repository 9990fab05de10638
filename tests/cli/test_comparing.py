"""`overpaint compare`: what its lines say where scores are missing, and of strange names."""

import re
from dataclasses import replace

import pytest

from overpaint.cli.comparing import _text, _verdict
from overpaint.measures.aggregate import Contrast
from overpaint.report.text import wide
from overpaint.stats.compare import Comparison


def made(name: str = "ours", *, missing: int = 0, worst: float = 0.1, p: float = 0.01) -> Contrast:
    found = Comparison(
        20, 20, missing, 0, difference=0.2, p=p, p_holm=p, if_worst=worst, if_best=0.3
    )
    return Contrast(name, "theirs", "ssim", True, found)


@pytest.mark.parametrize(
    ("one", "verdict"),
    [
        (made(), "ours is better"),
        (made(missing=3), "ours is better"),
        (
            made(missing=3, worst=-0.1),
            "ours is better on what both have; what is missing could reverse it",
        ),
        (made(p=0.5), "not settled"),
        (made(p=0.5, missing=3, worst=-0.1), "not settled"),
    ],
)
def test_a_verdict_holds_only_as_far_as_what_is_missing_lets_it(
    one: Contrast, verdict: str
) -> None:
    assert _verdict(one) == verdict


def test_scores_with_different_weights_are_told_below() -> None:
    found = [replace(made(name), mixed=("by two weights",)) for name in ("ours", "others")]
    assert _text(found, "theirs", "toy#1").endswith("smallest p)\nssim: by two weights.")


def test_columns_stand_in_line_and_no_escape_gets_through() -> None:
    lines = _text([made("文字編集"), made("\x1b[31mred"), made("plain")], "theirs", "toy#1")
    rows = lines.splitlines()[3:6]
    assert len({wide(row[: row.index("+0.2")]) for row in rows}) == 1
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", lines)
