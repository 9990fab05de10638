"""`overpaint view` page by page: which samples an address asks for, whatever their number.

    /samples?page=3&sort=worst&editor=mine&measure=lpips&status=missing&tag.operation=swap&q=sign

Which samples those are is decided with the columns of the tables; of the samples themselves only
the hundred of a page are read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any
from urllib.parse import parse_qsl, urlencode

import numpy as np

from overpaint.errors import UserMistake
from overpaint.measures.columns import FAILED, MISSING
from overpaint.report.choosing import DISPUTED, RANDOM, WORST, Places, Standings
from overpaint.report.tables import Tables
from overpaint.store import Store, reading

PAGE = 100  # samples
ORDER = "order"
SORTS = (ORDER, WORST, DISPUTED, RANDOM)
STATUSES = ("", "missing", "complete")
_FIELDS = 40  # of an address, at most
_FORM = "/samples?page=2&sort=worst&editor=NAME&status=missing&tag.NAME=VALUE&q=WORDS"


@dataclass(frozen=True)
class Asked:
    """What an address asks for; "" is anything."""

    page: int = 1
    sort: str = ORDER
    editor: str = ""
    measure: str = ""
    status: str = ""
    q: str = ""
    id: str = ""  # a sample to go to, wherever it is
    tags: Mapping[str, str] = field(default_factory=dict)

    def address(self, **changes: Any) -> str:
        """The address of the same with changes; what is as usual is left out."""
        told = {name: getattr(self, name) for name in _USUAL} | changes
        kept = {name: value for name, value in told.items() if value != _USUAL[name]}
        tags = {f"tag.{tag}": value for tag, value in self.tags.items()}
        return f"samples?{urlencode(kept | tags)}"


_USUAL = {
    "page": 1, "sort": ORDER, "editor": "", "measure": "", "status": "", "q": "", "id": "",
}  # fmt: skip


def read_asked(query: str, tables: Tables) -> Asked:
    """What the part of an address behind the question mark asks for."""
    try:
        told = dict(parse_qsl(query, max_num_fields=_FIELDS))
    except ValueError:
        raise UserMistake("The address has too many parts.", _FORM) from None
    tags = {name[4:]: told.pop(name) for name in [*told] if name.startswith("tag.")}
    known: dict[str, tuple[str, ...]] = {
        "sort": SORTS, "status": STATUSES,
        "editor": ("", *(entry.name for entry in tables.entries)),
        "measure": ("", *(measure.name for measure in tables.measures)),
    }  # fmt: skip
    for name, value in told.items():
        if name not in _USUAL or value not in known.get(name, (value,)):
            right = ", ".join(filter(None, known.get(name, ()))) or _FORM
            raise UserMistake(f"{name[:60]}={value[:60]!r} is not understood.", f"Known: {right}.")
    for tag, value in tags.items():
        if tag not in (parts := tables.columns.slices) or value not in parts[tag]:
            right = ", ".join(parts.get(tag, ())) or ", ".join(filter(None, parts)) or "none"
            raise UserMistake(f"No sample has {tag[:60]}={value[:60]!r}.", f"Known: {right}.")
    page = told.pop("page", "1")
    if not (page.isascii() and page.isdigit() and int(page[:9]) > 0):
        raise UserMistake(f"{page[:60]!r} is no number of a page.", _FORM)
    return Asked(int(page[:9]), tags=tags, **told)


@dataclass(frozen=True)
class Page:
    """Some samples of a run, and where they stand among those that were asked for."""

    asked: Asked
    ids: tuple[str, ...]
    found: int  # samples that fit
    pages: int

    def body(self, tables: Tables) -> dict[str, Any]:
        """What the page's script needs to move on from here."""
        near = {
            name: self.asked.address(page=number, id="")
            for name, number in (("previous", self.asked.page - 1), ("next", self.asked.page + 1))
            if 0 < number <= self.pages
        }
        sizes = {
            tag: [[part.value, tables.slices[part]] for part in parts]
            for tag, parts in tables.tags().items()
        }
        asked = {name: getattr(self.asked, name) for name in _USUAL}
        return {
            "page": self.asked.page, "pages": self.pages, "found": self.found, "size": PAGE,
            "asked": asked | {"tags": dict(self.asked.tags)}, "tags": sizes,
            "sorts": list(SORTS), **near,
        }  # fmt: skip


class Index:
    """Where every sample of a run stands; made once of its tables, asked for every page."""

    def __init__(self, standings: Standings) -> None:
        self.standings, self.tables = standings, standings.tables
        self._ordered = lru_cache(maxsize=16)(partial(_sorted, standings))
        self._place = {name: at for at, name in enumerate(self.tables.columns.ids)}

    def page(self, store: Store, asked: Asked) -> Page:
        """The page that was asked for; a page beyond the last is the last."""
        places = self._fitting(store, asked)
        pages = max(1, -(-len(places) // PAGE))
        number = self._page_of(places, asked) if asked.id else min(asked.page, pages)
        some = places[(number - 1) * PAGE : number * PAGE]
        ids = self.tables.columns.ids
        asked = Asked(**{**vars(asked), "page": number})
        return Page(asked, tuple(ids[place] for place in some.tolist()), len(places), pages)

    def _page_of(self, places: Places, asked: Asked) -> int:
        at = np.flatnonzero(places == self._place.get(self._named(asked.id), -1))
        if not len(at):
            raise UserMistake(
                f"No sample that fits is called {asked.id[:120]!r}.",
                f"The run's are called like {', '.join(self.tables.columns.ids[:2])}.",
                "Leave the other choices open: /samples?id=NAME",
            )
        return int(at[0]) // PAGE + 1

    def _named(self, name: str) -> str:
        """The id, or the only one that ends like that."""
        if name in self._place:
            return name
        ending = [one for one in self._place if one.endswith(name)]
        return ending[0] if len(ending) == 1 else name

    def _fitting(self, store: Store, asked: Asked) -> Places:
        places, columns = (
            self._ordered(asked.sort, asked.editor, asked.measure),
            self.tables.columns,
        )
        fits = np.ones(len(columns), np.bool_)
        for wanted in self._filters(store, asked):
            fits &= wanted
        found: Places = places[fits[places]]
        return found

    def _filters(self, store: Store, asked: Asked) -> Iterator[Any]:
        columns = self.tables.columns
        for tag, value in asked.tags.items():
            fits = np.zeros(len(columns), np.bool_)
            fits[columns.slices[tag][value]] = True
            yield fits
        if asked.status:
            lacks = self._lacking(asked.editor)
            yield lacks if asked.status == "missing" else ~lacks
        if needles := asked.q.split():
            fits = np.zeros(len(columns), np.bool_)
            named = (self._place.get(one) for one in reading.saying(store, needles))
            fits[[place for place in named if place is not None]] = True
            yield fits

    def _lacking(self, editor: str) -> Any:
        """The samples on which an editor, or any, lacks a score that counts."""
        lacks = np.zeros(len(self.tables.columns), np.bool_)
        for entry in self.tables.entries:
            for measure in self.tables.measures if editor in ("", entry.name) else ():
                states = self.tables.columns.of(entry.name, measure.name).states
                lacks |= (states == MISSING) | (states == FAILED)
        return lacks


def _sorted(standings: Standings, sort: str, editor: str, measure: str) -> Places:
    every = np.arange(len(standings.tables.columns))
    by = next((one for one in standings.tables.measures if one.name == measure), None)
    if sort == ORDER:
        return every
    if sort == RANDOM:
        return standings.random()
    found = standings.worst(editor, by) if sort == WORST else standings.disputed()
    # What nothing is known of comes last.
    return np.concatenate([found, np.setdiff1d(every, found)])
