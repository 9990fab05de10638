"""A study before anyone is asked: how many raters it takes, and what simulated ones would say."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from overpaint import catalog
from overpaint.engines.ebench.opinions import simulated_ratings
from overpaint.errors import UserMistake
from overpaint.measures import rated
from overpaint.rating.items import Pool, rated_editors
from overpaint.rating.study import Question, Study
from overpaint.stats.simulated import plan_raters
from overpaint.store import Store

SECONDS = 15.0  # that an item is reckoned to take
_SHARES = (0.125, 0.075, 0.05, 0.025)  # half widths to plan for, as shares of the scale


def plan(study: Study, pool: Pool, wanted: Sequence[float] = ()) -> dict[str, Any]:
    """How many raters an item needs for which interval, and what that means for each rater."""
    question = _widest(study)
    low, high = question.ends or (0.0, 1.0)
    widths = tuple(wanted) or tuple(share * (high - low) for share in _SHARES)
    if max(widths) >= high - low:
        raise UserMistake(
            f"An interval of ±{max(widths):g} is as wide as the scale, {low:g} to {high:g}.",
            "Half of the width of an interval was expected.",
        )
    values = question.values or ()
    step = values[1] - values[0] if len(values) > 1 else None
    # Biases and noise are those of EBench's scale of four points, as shares of this one.
    part = (high - low) / 4
    planned = plan_raters(
        widths, scale=(low, high), step=step, bias=0.4 * part, noise=0.7 * part, seed=study.seed
    )
    rows = [_row(study, len(pool.items), one) for one in planned]
    return {
        "study": study.name, "kind": study.kind, "items": len(pool.items), "scale": [low, high],
        "raters": study.raters, "per_item": study.per_item, "plan": rows,
    }  # fmt: skip


def _widest(study: Study) -> Question:
    """The question that an interval is about: the first that is answered by a number."""
    for one in study.questions:
        if one.kind in ("slider", "levels"):
            return one
    raise UserMistake(
        f"A study of the kind {study.kind} has no scale to plan for.",
        "Intervals are those of mean ratings: --kind ebench or scale.",
    )


def _row(study: Study, items: int, one: Any) -> dict[str, Any]:
    if one.raters is None:
        return {"half_width": one.wanted, "per_item": None, "note": one.note}
    raters = max(study.raters, one.raters)
    share = math.ceil(one.raters * items / raters)
    return {
        "half_width": one.wanted, "per_item": one.raters, "raters": raters, "per_rater": share,
        "minutes": math.ceil(share * SECONDS / 60), "ratings": one.raters * items,
        "expected_half_width": one.raw_half_width, "note": one.note,
    }  # fmt: skip


def plan_text(found: Mapping[str, Any]) -> str:
    """The plan as a table for people."""
    low, high = found["scale"]
    lines = [
        f"{found['items']:,} items on a scale of {low:g} to {high:g}; {SECONDS:g} s an item", "",
        f"{'±':>7} {'raters an item':>15} {'raters':>8} {'items each':>11} {'minutes each':>13}"
        f" {'ratings':>9}",
    ]  # fmt: skip
    for row in found["plan"]:
        if row["per_item"] is None:
            lines.append(f"{row['half_width']:7.2f} {'–':>15}  {row['note']}")
        else:
            lines.append(
                f"{row['half_width']:7.2f} {row['per_item']:15} {row['raters']:8}"
                f" {row['per_rater']:11} {row['minutes']:13} {row['ratings']:9,}"
            )
    return "\n".join(lines)


def simulate_ratings(
    folder: Path, file: Path, *, raters: int, per_item: int, seed: int,
    tell: Callable[[str], None] = lambda line: None,
) -> int:  # fmt: skip
    """Write what simulated raters would say of a run's edits, where that is known; how many.

    They are asked what people would be: of floors and ceilings only where there is nothing else.
    """
    with Store.open(folder) as store:
        if not catalog.competing(store.editors, store.floors):
            tell("The run has floors and ceilings alone: so they are rated.")
        said = simulated_ratings(
            store, raters=raters, per_item=min(raters, per_item), seed=seed,
            editors=rated_editors(store, ()),
        )  # fmt: skip
        rows = [rated.Rating(*one) for one in said]
    try:
        file.write_text(rated.write_ratings(rows), encoding="utf-8", newline="")
    except OSError as error:
        raise UserMistake(f"{file} cannot be written: {error.strerror}.") from error
    return len(rows)
