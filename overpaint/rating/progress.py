"""How far a study has come: items, raters with their checks, and how far they agree so far."""

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from overpaint.rating.book import Book, Given
from overpaint.rating.checks import attention
from overpaint.rating.raters import ENDED
from overpaint.rating.rounds import edges
from overpaint.rating.study import Question
from overpaint.stats.agreement import krippendorff_alpha
from overpaint.stats.boxes import mean_pairwise_iou

LATELY = 600.0  # seconds over which the pace is taken
MOST_UNITS = 3000  # items that agreement is computed on while people rate
DRAWS = 500
_METRICS = {"slider": "interval", "levels": "ordinal"}
_SHOWINGS = ("training", "rating", "repeat", "gold")


def progress(book: Book, now: float) -> dict[str, Any]:
    """All figures of the admin's page."""
    given = list(book.given(_SHOWINGS))
    counted = [one for one in given if one.showing == "rating" and one.round == 1]
    numbers, study = book.numbers(), book.study
    per_item: dict[int, int] = defaultdict(int)
    for one in counted:
        per_item[one.number] += 1
    wanted = {n: wanted_of(book, n) for n in numbers}
    complete = sum(per_item[n] >= wanted[n] for n in numbers)
    return {
        "title": study.title, "kind": study.kind, "study": study.name, "id": study.id,
        "items": {"total": len(numbers), "complete": complete},
        "ratings": {"wanted": sum(wanted.values()), "given": len(counted)},
        "raters": _raters(book, given), "agreement": agreement(book, given),
        "eta_minutes": _eta(book, now),
    }  # fmt: skip


def wanted_of(book: Book, number: int) -> int:
    """How many people are asked about an item."""
    return int(book.item(number).facts.get("wanted", book.study.per_item))


def _raters(book: Book, given: Sequence[Given]) -> list[dict[str, Any]]:
    by_rater: dict[str, list[Given]] = defaultdict(list)
    for one in given:
        by_rater[one.rater].append(one)
    times = [one.seconds for one in given if one.showing == "rating"]
    usual = statistics.median(times) if times else None
    questions = {one.name: one for one in book.study.questions}
    rows = book.db.rows(
        "SELECT id, role, state, (SELECT count(*) FROM places WHERE rater = raters.n),"
        " (SELECT count(*) FROM answers WHERE rater = raters.n) FROM raters ORDER BY n"
    )
    return [_rater(row, by_rater.get(row[0], []), questions, usual) for row in rows]


def _rater(
    row: Any, given: Sequence[Given], questions: Mapping[str, Question], usual: float | None
) -> dict[str, Any]:
    name, role, state, total, done = row
    found = attention(given, questions, usual)
    if state not in ENDED and total and done >= total:
        state = "finished"
    apart, repeated = found.repeats
    return {
        "id": name, "role": role, "state": state, "done": done, "total": total,
        "median_seconds": found.median_seconds,
        "gold": {"right": found.gold[0], "of": found.gold[1]},
        "repeats": {"mean_difference": apart, "of": repeated}, "flags": list(found.flags),
    }  # fmt: skip


def agreement(book: Book, given: Sequence[Given]) -> list[dict[str, Any]]:
    """How far raters agree on each question, over the items that two or more have rated."""
    asked = {one.name: one for one in book.study.questions}
    for n in book.numbers() if book.study.kind == "tasks" else ():
        asked |= {one.name: one for one in book.item(n).questions if one.kind != "text"}
    latest: dict[tuple[str, int], Given] = {}
    for one in given:
        if one.showing == "rating":
            latest[(one.rater, one.number)] = one
    return [_agreement(question, list(latest.values())) for question in asked.values()]


def _agreement(question: Question, given: Sequence[Given]) -> dict[str, Any]:
    units: dict[int, dict[str, Any]] = defaultdict(dict)
    for one in given:
        if question.name in one.answers:
            units[one.number][one.rater] = one.answers[question.name]
    several = [said for _, said in sorted(units.items()) if len(said) > 1][:MOST_UNITS]
    if question.kind == "box":
        boxes = [[edges(box) for box in said.values()] for said in several]
        iou = mean_pairwise_iou(boxes, draws=DRAWS) if boxes else None
        return _figure(question, "mean pairwise IoU", iou.value if iou else None, iou)
    metric = _METRICS.get(question.kind, "nominal")
    table = _table(several)
    alpha = krippendorff_alpha(table, metric=metric, draws=DRAWS) if several else None  # type: ignore[arg-type]
    value = alpha.alpha if alpha else None
    return _figure(question, f"Krippendorff's α ({metric})", value, alpha)


def _figure(question: Question, measure: str, value: float | None, found: Any) -> dict[str, Any]:
    notes = list(found.notes) if found else ["no item has been rated by two people yet"]
    return {
        "question": question.name, "measure": measure, "value": value,
        "low": found and found.low, "high": found and found.high, "notes": notes,
    }  # fmt: skip


_CODES = {"editor": 1.0, "tie": 0.5, "against": 0.0}


def _table(units: Sequence[Mapping[str, Any]]) -> Any:
    """Items × raters, NaN where nothing was said."""
    raters = sorted({name for said in units for name in said})
    column = {name: n for n, name in enumerate(raters)}
    table = np.full((len(units), len(raters)), np.nan)
    for row, said in enumerate(units):
        for name, value in said.items():
            table[row, column[name]] = _CODES[value] if isinstance(value, str) else float(value)
    return table


def _eta(book: Book, now: float) -> int | None:
    """Minutes until all who are there have finished, at the pace of the last ten; None if none."""
    (left,) = book.db.execute(
        "SELECT count(*) FROM places JOIN raters ON raters.n = places.rater"
        " LEFT JOIN answers ON answers.rater = places.rater AND answers.place = places.place"
        " WHERE answers.rater IS NULL AND state NOT IN (?, ?)",
        ENDED,
    ).fetchone()
    (lately,) = book.db.execute(
        "SELECT count(*) FROM answers WHERE at > ?", (now - LATELY,)
    ).fetchone()
    return round(left / (lately / (LATELY / 60))) if left and lately else None


def as_text(found: Mapping[str, Any]) -> str:
    """The figures as a table for people."""
    items, ratings = found["items"], found["ratings"]
    lines = [
        f"{found['title']} ({found['kind']}, {found['study']} #{found['id']})",
        f"{items['complete']:,} of {items['total']:,} items complete,"
        f" {ratings['given']:,} of {ratings['wanted']:,} ratings given", "",
        f"{'':6}{'state':12}{'done':>11}{'median s':>10}{'gold':>8}{'repeats':>9}",
    ]  # fmt: skip
    for one in found["raters"]:
        if one["role"] == "rater":
            lines.append(_line(one))
    lines += [""] + [_agreed(one) for one in found["agreement"]]
    return "\n".join(lines)


def _line(one: Mapping[str, Any]) -> str:
    gold, repeats = one["gold"], one["repeats"]
    seconds = f"{one['median_seconds']:.1f}" if one["median_seconds"] is not None else "–"
    known = f"{gold['right']}/{gold['of']}" if gold["of"] else "–"
    apart = f"{repeats['mean_difference']:.0%}" if repeats["of"] else "–"
    done = f"{one['done']}/{one['total']}"
    flags = "  " + " ".join(one["flags"]) if one["flags"] else ""
    return f"{one['id']:6}{one['state']:12}{done:>11}{seconds:>10}{known:>8}{apart:>9}{flags}"


def _agreed(one: Mapping[str, Any]) -> str:
    if one["value"] is None:
        return f"{one['question']}: {one['measure']} – ({'; '.join(one['notes'])})"
    ends = f" [{one['low']:.2f}, {one['high']:.2f}]" if one["low"] is not None else ""
    return f"{one['question']}: {one['measure']} {one['value']:.3f}{ends}"
