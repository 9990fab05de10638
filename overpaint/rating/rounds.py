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
    said = _round(book, item)
    boxes = [json.loads(body)["box"] for _, _, body in said if body]
    turn = max((one for _, one, _ in said), default=1)
    if len(boxes) < max(book.study.per_item, len(said)):
        return
    if turn < MOST_ROUNDS and not agree(boxes):
        for rater, _, _ in said:
            _append(book, rater, item, turn + 1)


def _round(book: Book, item: int) -> list[tuple[int, int, str | None]]:
    """(rater, round, answer) of the latest round of an item, of all who are still there."""
    return book.db.execute(
        "SELECT places.rater, round, body FROM places JOIN raters ON raters.n = places.rater"
        " LEFT JOIN answers ON answers.rater = places.rater AND answers.place = places.place"
        " WHERE item = ?1 AND showing = 'rating' AND state NOT IN ('withdrawn', 'revoked')"
        " AND round = (SELECT max(round) FROM places AS p JOIN raters AS r ON r.n = p.rater"
        " WHERE p.item = ?1 AND p.showing = 'rating'"
        " AND r.state NOT IN ('withdrawn', 'revoked'))",
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
    """What the same rater said of the item a round before; None in the first."""
    if book.study.kind == "tasks":
        return _earlier_task(book, rater, item)
    row = book.db.execute(
        "SELECT body FROM places JOIN answers USING (rater, place)"
        " WHERE rater = ? AND item = ? AND round = ? AND showing = 'rating'",
        (rater, item, turn - 1),
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
