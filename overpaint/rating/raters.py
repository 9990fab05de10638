"""Raters by number: their links, their sessions, their consent, and how they leave."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from overpaint.errors import UserMistake
from overpaint.rating import assigning
from overpaint.rating.book import Book
from overpaint.rating.tokens import fresh, hashed, marked, well_formed

Role = Literal["rater", "admin", "observer"]
ROLES: tuple[str, ...] = get_args(Role)
SESSION_DAYS = 7.0
MOST_LINKS = 5000
_LETTERS = {"rater": "R", "admin": "A", "observer": "O"}
ENDED = ("withdrawn", "revoked")


@dataclass(frozen=True)
class Link:
    """A new rater's secret, told once."""

    rater: str
    role: str
    token: str


@dataclass(frozen=True)
class Rater:
    """Somebody with a session, as the book knows them."""

    number: int
    id: str
    role: Role
    state: str
    consent: str
    start: float | None
    seen: float


@dataclass(frozen=True)
class Joined:
    """A session just begun."""

    key: str
    rater: Rater
    elsewhere: bool


# ── links ───────────────────────────────────────────────────────────────────────────────


def make_links(book: Book, role: str, count: int) -> list[Link]:
    """So many new people of that role, raters with their items; all of them or none."""
    if role not in ROLES or not 1 <= count <= MOST_LINKS:
        raise UserMistake(
            f"{count} links for {role!r} cannot be made.",
            f"Roles are {', '.join(ROLES)}; 1 to {MOST_LINKS:,} links at a time.",
        )
    with book.db.transaction():
        if role == "rater" and book.study.kind != "tasks":
            return _rater_links(book, count)
        return [_make_link(book, role) for _ in range(count)]


def first_links(book: Book) -> list[Link]:
    """An admin and all raters who have something to do, but no more than the study is for."""
    if book.study.kind == "tasks":
        count = book.study.raters
    else:
        items = len(book.numbers())
        each = min(items, book.study.per_rater or 1)
        count = min(book.study.raters, -(-items * book.study.per_item // each))
    with book.db.transaction():
        return [*make_links(book, "admin", 1), *make_links(book, "rater", count)]


def _rater_links(book: Book, count: int) -> list[Link]:
    """Raters among whom what is still free is shared evenly."""
    links: list[Link] = []
    most, free = book.study.share(len(book.numbers())), _free(book)
    while len(links) < count:
        if free <= 0:
            raise UserMistake(
                f"{count} more raters cannot be given anything to rate; {len(links)} could."
                if links else f"Every item has its {book.study.per_item} raters already.",
                "Another rater would have nothing to do.",
                "More than that is a new study with a larger --per-item.",
            )  # fmt: skip
        even = -(-free // (count - len(links)))
        link = _make_link(book, "rater")
        links.append(link)
        free -= _assign(book, link.rater, book.study.per_rater or min(most, even))
    return links


def _free(book: Book) -> int:
    """How many ratings nobody has been asked for yet."""
    given = given_out(book)
    return sum(max(0, book.study.per_item - given.get(n, 0)) for n in book.numbers())


def _make_link(book: Book, role: str) -> Link:
    token, letter = fresh(), _LETTERS[role]
    (before,) = book.db.execute("SELECT count(*) FROM raters WHERE role = ?", (role,)).fetchone()
    name = f"{letter}{before + 1:02d}"
    book.db.execute(
        "INSERT INTO raters (id, role, token, state) VALUES (?, ?, ?, 'invited')",
        (name, role, hashed(token)),
    )
    return Link(name, role, token)


def anyone(book: Book) -> bool:
    """Whether some rater has a link."""
    row = book.db.execute("SELECT 1 FROM raters WHERE role = 'rater' LIMIT 1").fetchone()
    return row is not None


def renew(book: Book, names: Sequence[str]) -> list[Link]:
    """New links in place of lost ones, which end; `all` is whoever has not begun."""
    rows = book.db.execute("SELECT n, id, role, state FROM raters").fetchall()
    known = {name: (n, role) for n, name, role, state in rows if state not in ENDED}
    wanted = [name for _, name, role, state in rows if state == "invited" and role == "rater"]
    wanted = (wanted if "all" in names else []) + [name for name in names if name != "all"]
    links = []
    with book.db.transaction():
        for name in dict.fromkeys(wanted):
            if name not in known:
                raise UserMistake(
                    f"There is no {name[:40]!r} whose link could be renewed.",
                    "A rater's id, such as R01, or all was expected.",
                )
            (number, role), token = known[name], fresh()
            book.db.execute("UPDATE raters SET token = ? WHERE n = ?", (hashed(token), number))
            book.db.execute("DELETE FROM sessions WHERE rater = ?", (number,))
            links.append(Link(name, role, token))
    return links


def _assign(book: Book, name: str, most: int) -> int:
    """Give a new rater items: those that the fewest people have, evenly over editors; how many."""
    (rater,) = book.db.execute("SELECT n FROM raters WHERE id = ?", (name,)).fetchone()
    numbers = book.numbers()
    counts = dict.fromkeys(numbers, 0) | given_out(book)
    items = {n: book.item(n) for n in (*numbers, *book.numbers("training"), *book.numbers("gold"))}
    rng = random.Random(f"{book.study.seed} {book.study.id} {rater}")
    chosen = assigning.choose(
        counts, {n: (items[n].editor, items[n].against) for n in numbers},
        per_item=book.study.per_item, per_rater=most, rng=rng,
    )  # fmt: skip
    places = assigning.sequence(
        chosen, {n: item.cluster for n, item in items.items()},
        training=book.numbers("training"), gold=book.numbers("gold"), repeats=book.study.repeats,
        pairs=book.study.kind == "pairs", rng=rng,
    )  # fmt: skip
    rows = (
        (rater, n, place.item, place.showing, place.flipped, place.round)
        for n, place in enumerate(places, 1)
    )
    book.db.write(
        "INSERT INTO places (rater, place, item, showing, flipped, round)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        rows,
    )
    return len(chosen)


def given_out(book: Book) -> dict[int, int]:
    """How many raters have each item; those who left have none."""
    return dict(
        book.db.execute(
            "SELECT item, count(*) FROM places JOIN raters ON raters.n = places.rater"
            " WHERE showing = 'rating' AND round = 1 AND state NOT IN (?, ?) GROUP BY item",
            ENDED,
        )
    )


# ── sessions ────────────────────────────────────────────────────────────────────────────


def join(book: Book, token: Any, now: float) -> Joined | None:
    """A session for whoever has this token; it ends any other of theirs. None: no such link."""
    sought = hashed(token) if well_formed(token) else ""
    row = book.db.execute("SELECT n, state FROM raters WHERE token = ?", (sought,)).fetchone()
    if row is None or row[1] in ENDED:
        return None
    key = fresh()
    with book.db.transaction():
        ended = book.db.execute("DELETE FROM sessions WHERE rater = ?", (row[0],)).rowcount
        book.db.execute("INSERT INTO sessions VALUES (?, ?, ?)", (hashed(key), row[0], now))
    found = find(book, key, now)
    assert found is not None
    return Joined(key, found, ended > 0)


def find(book: Book, key: str | None, now: float) -> Rater | None:
    """Who has that session, if it has not ended."""
    if not well_formed(key):
        return None
    assert key is not None
    row = book.db.execute(
        "SELECT n, id, role, state, consent, start, seen, since FROM sessions"
        " JOIN raters ON raters.n = sessions.rater WHERE key = ?",
        (hashed(key),),
    ).fetchone()
    if row is None or row[3] in ENDED or now - row[7] > SESSION_DAYS * 86_400:
        return None
    return Rater(*row[:7])


def csrf_of(book: Book, key: str) -> str:
    """The mark that must come with whatever this session changes."""
    return marked(book.secret, "csrf", key, 43)


def consent(book: Book, rater: Rater) -> None:
    """Note that the rater has agreed to the consent text as it stands."""
    book.db.execute(
        "UPDATE raters SET consent = ?, state = 'consented' WHERE n = ?",
        (book.study.consent_version, rater.number),
    )


# ── leaving ─────────────────────────────────────────────────────────────────────────────


def withdraw(book: Book, rater: Rater) -> None:
    """Delete all that a rater has said, for good; only that a link was withdrawn is kept."""
    with book.db.transaction():
        for table in ("history", "answers", "places", "sessions"):
            book.db.execute(f"DELETE FROM {table} WHERE rater = ?", (rater.number,))
        book.db.execute(
            "UPDATE raters SET state = 'withdrawn', consent = '', start = NULL, seen = 0"
            " WHERE n = ?",
            (rater.number,),
        )
    # The deleted pages are zeros now; what the log still holds of them goes too.
    book.unsettled = True
    book.settle()


def revoke(book: Book, name: object, set_aside: Callable[[str], None] = lambda name: None) -> None:
    """End a link: nothing more is taken from it, and what it gave no longer counts.

    `set_aside` takes back what was handed on before.
    """
    row = book.db.execute("SELECT n, state FROM raters WHERE id = ?", (str(name),)).fetchone()
    if row is None or row[1] in ENDED:
        raise UserMistake(f"There is no {str(name)[:40]!r} to revoke.", "A rater's id is R01.")
    set_aside(str(name))
    with book.db.transaction():
        book.db.execute("DELETE FROM sessions WHERE rater = ?", (row[0],))
        book.db.execute("UPDATE raters SET state = 'revoked' WHERE n = ?", (row[0],))


def told(links: list[Link], address: str) -> list[dict[str, str]]:
    """Links as they are handed out, the token where no server sees it."""
    page = {"rater": "rate", "admin": "admin", "observer": "admin"}
    return [
        {"id": one.rater, "role": one.role, "link": f"{address}/{page[one.role]}#{one.token}"}
        for one in links
    ]
