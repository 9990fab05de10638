"""Boxes in rounds: where people's boxes of an edit do not agree, each of them is asked again."""

import json
from collections.abc import Sequence
from typing import Any

from overpaint.engines.vde.review import agreement
from overpaint.rating.book import Book

AGREED = 0.95  # mean IoU of all pairs above which boxes agree (VDE Bench)
MOST_ROUNDS = 3
PERCENT = ("x", "y", "width", "height")


def edges(box: Any) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a box as it was drawn."""
    x, y, width, height = (float(box[side]) for side in PERCENT)
    return x, y, x + width, y + height


def agree(boxes: Sequence[Any]) -> bool:
    """Whether boxes agree; one alone does."""
    return len(boxes) < 2 or agreement([edges(box) for box in boxes]) > AGREED


def largest(boxes: Sequence[Any]) -> Any:
    """The box that is kept of those that agree."""
    return max(boxes, key=lambda box: box["width"] * box["height"])


def after(book: Book, item: int, showing: str) -> None:
    """Ask all who boxed an item once more, if their boxes are all in and do not agree."""
    if book.study.kind != "boxes" or showing != "rating":
        return
    latest: dict[int, str | None] = {}
    turn = 1
    for rater, turn, body in _boxes(book, item):  # noqa: B007  (the last round stays)
        latest[rater] = body
    boxes = [json.loads(body)["box"] for body in latest.values() if body]
    if len(boxes) < max(book.study.per_item, len(latest)):
        return
    if turn < MOST_ROUNDS and not agree(boxes):
        for rater in latest:
            _append(book, rater, item, turn + 1)


def _boxes(book: Book, item: int) -> list[tuple[int, int, str | None]]:
    """(rater, round, answer) of every showing of an item to those who are still there."""
    return book.db.execute(
        "SELECT places.rater, round, body FROM places JOIN raters ON raters.n = places.rater"
        " LEFT JOIN answers ON answers.rater = places.rater AND answers.place = places.place"
        " WHERE item = ? AND showing = 'rating' AND state NOT IN ('withdrawn', 'revoked')"
        " ORDER BY round",
        (item,),
    ).fetchall()


def _append(book: Book, rater: int, item: int, turn: int) -> None:
    (last,) = book.db.execute("SELECT max(place) FROM places WHERE rater = ?", (rater,)).fetchone()
    book.db.write(
        "INSERT INTO places (rater, place, item, showing, flipped, round)"
        " VALUES (?, ?, ?, 'rating', 0, ?)",
        [(rater, last + 1, item, turn)],
    )


def earlier(book: Book, rater: int, item: int, turn: int) -> Any:
    """What the same rater said of the item the last time; None at first."""
    if book.study.kind == "tasks":
        return _earlier_task(book, rater, item)
    row = book.db.execute(
        "SELECT body FROM places JOIN answers USING (rater, place)"
        " WHERE rater = ? AND item = ? AND round < ? AND showing = 'rating' ORDER BY round DESC",
        (rater, item, turn),
    ).fetchone()
    return json.loads(row[0]) if row else None


def _earlier_task(book: Book, rater: int, item: int) -> Any:
    now = book.item(item)
    rows = book.db.rows(
        "SELECT item, body FROM places JOIN answers USING (rater, place) WHERE rater = ?", (rater,)
    )
    for number, body in rows:
        one = book.item(number)
        same = (one.sample, one.facts["kind"]) == (now.sample, now.facts["kind"])
        if same and one.facts.get("round", 1) == now.facts.get("round", 1) - 1:
            return json.loads(body)
    return None
