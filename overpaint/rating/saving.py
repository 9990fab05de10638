"""A rater at work: where they stand, the item at a place, an answer taken once only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from overpaint.errors import DataError
from overpaint.rating import clock, rounds
from overpaint.rating.answers import read_said
from overpaint.rating.book import Book
from overpaint.rating.items import Item
from overpaint.rating.raters import Rater
from overpaint.rating.tasks import check_answer

HISTORY = "INSERT INTO history (rater, place, revision, body, comment, seconds, at) VALUES "


class Stopped(Exception):
    """Not now: the status, the sentence, and what the page needs to know besides."""

    def __init__(self, status: int, sentence: str, **more: Any) -> None:
        super().__init__(sentence)
        self.status, self.more = status, more


@dataclass(frozen=True)
class Opened:
    """A place of a rater's sequence, with what was said there so far."""

    place: int
    number: int
    item: Item
    showing: str
    flipped: bool
    round: int
    opened: float | None
    answers: Mapping[str, Any] | None
    comment: str
    revision: int
    filed: bool


def rules(book: Book) -> clock.Rules:
    """How long people rate, and rest, in this study."""
    return clock.Rules(book.study.minutes * 60, book.study.break_minutes * 60)


def where(book: Book, rater: Rater, now: float) -> dict[str, Any]:
    """Where a rater stands: places, time and consent."""
    total, training = book.db.execute(
        "SELECT count(*), coalesce(sum(showing = 'training'), 0) FROM places WHERE rater = ?",
        (rater.number,),
    ).fetchone()
    place = first_open(book, rater)
    time = clock.standing(clock.Period(rater.start, rater.seen), rules(book), now)
    return {
        "id": rater.id, "consented": consented(book, rater), "place": place, "total": total,
        "training": training, "done": place - 1, "finished": place > total,
        "seconds_left": round(time.seconds_left, 1), "break_left": round(time.break_left, 1),
    }  # fmt: skip


def consented(book: Book, rater: Rater) -> bool:
    """Whether a rater has agreed to the consent text as it stands."""
    return rater.consent == book.study.consent_version


def first_open(book: Book, rater: Rater) -> int:
    """The first place without an answer; answers are a prefix, as no place can be skipped."""
    (last,) = book.db.execute(
        "SELECT max(place) FROM answers WHERE rater = ?", (rater.number,)
    ).fetchone()
    return (last or 0) + 1


def open_place(book: Book, rater: Rater, place: int, now: float) -> tuple[Opened, Any]:
    """The place if the rater may open it now, and what was said of the item a round before."""
    _admit(book, rater)
    time = clock.standing(clock.Period(rater.start, rater.seen), rules(book), now)
    if time.resting:
        raise _resting(time)
    found = _find(book, rater, place)
    with book.db.transaction():
        _touch(book, rater, time, now)
        book.db.execute(
            "UPDATE places SET opened = ? WHERE rater = ? AND place = ?",
            (now, rater.number, place),
        )
    return found, rounds.earlier(book, rater.number, found.number, found.round)


def save(book: Book, rater: Rater, place: int, data: Any, now: float) -> dict[str, Any]:
    """Take an answer; committed when this returns. The same one again changes nothing."""
    _admit(book, rater)
    found = _find(book, rater, place)
    try:
        said = read_said(
            data, book.questions(found.item), ties=book.study.ties, comments=book.study.comments
        )
        if found.item.task:
            check_answer(found.item, said.answers, said.comment)
    except DataError as error:
        raise Stopped(422, str(error)) from error
    time = clock.standing(clock.Period(rater.start, rater.seen), rules(book), now)
    known = found.answers is not None
    same = known and dict(found.answers or {}) == said.answers and found.comment == said.comment
    if not same:
        if said.revision != found.revision:
            raise Stopped(
                409, "This was answered otherwise meanwhile, in another window.",
                answers=found.answers, comment=found.comment, revision=found.revision,
            )  # fmt: skip
        if found.filed:
            raise Stopped(
                409, "This answer has been handed on and can no longer be changed.",
                answers=found.answers, comment=found.comment, revision=found.revision,
            )  # fmt: skip
        if not clock.may_save(time, rules(book), now, found.opened):
            raise _resting(time)
        row = (rater.number, place, said.revision + 1, json.dumps(said.answers, ensure_ascii=False),
               said.comment, said.seconds, now)  # fmt: skip
        with book.db.transaction():
            book.db.write(HISTORY + "(?, ?, ?, ?, ?, ?, ?)", [row])
            book.db.write(
                "INSERT INTO answers (rater, place, revision, body, comment, seconds, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " revision = excluded.revision, body = excluded.body, comment = excluded.comment,"
                " seconds = seconds + excluded.seconds, at = excluded.at",
                [row],
            )
            _touch(book, rater, time, now)
            rounds.after(book, found.number, found.showing)
    stored = found.revision if same else said.revision + 1
    return {"saved": True, "revision": stored, "feedback": _feedback(found)}


def _admit(book: Book, rater: Rater) -> None:
    if rater.role != "rater":
        raise Stopped(403, "This link is for looking after the study, not for rating.")
    if not consented(book, rater):
        raise Stopped(403, "Please read and accept the consent text first.", consent=False)


def _resting(time: clock.Standing) -> Stopped:
    minutes = max(1, round(time.break_left / 60))
    told = f"Time for a break: please go on in {minutes} minute{'s' * (minutes > 1)}."
    return Stopped(403, told, break_left=round(time.break_left, 1))


def _touch(book: Book, rater: Rater, time: clock.Standing, now: float) -> None:
    if time.resting:  # the item that was on the screen; the break goes on
        return
    period = clock.touched(time, now)
    book.db.execute(
        "UPDATE raters SET start = ?, seen = ?, state = 'rating' WHERE n = ?",
        (period.start, period.seen, rater.number),
    )


def _find(book: Book, rater: Rater, place: int) -> Opened:
    """The place, if it is the rater's and has been reached; both sound the same if not."""
    row = None
    if 1 <= place <= first_open(book, rater):
        row = book.db.execute(
            "SELECT item, showing, flipped, round, opened, body, comment, revision, filed"
            " FROM places LEFT JOIN answers USING (rater, place) WHERE rater = ? AND place = ?",
            (rater.number, place),
        ).fetchone()
    if row is None:
        raise Stopped(404, "There is no such place, or it is not its turn yet.")
    number, showing, flipped, turn, opened, body, comment, revision, filed = row
    return Opened(
        place, number, book.item(number), showing, bool(flipped), turn, opened,
        json.loads(body) if body else None, comment or "", revision or 0, bool(filed),
    )  # fmt: skip


def _feedback(found: Opened) -> Mapping[str, str] | None:
    return found.item.feedback if found.showing == "training" else None
