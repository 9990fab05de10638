"""What `overpaint view` serves: the page as of the run's last change, and every sample by pages.

The tables of a large run take seconds to make. They are made in the background and not again
before ten times as long has passed; until then the page says how old they are. Pages of samples
are always read anew, for they are read in no time; which samples those are comes from the tables,
and such a page says so where they are old.
"""

import json
import sqlite3
import tempfile
import threading
import time
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

from overpaint.errors import OverpaintError, PictureError, StoreError
from overpaint.report.boxes import as_json
from overpaint.report.choosing import read_standings, whole
from overpaint.report.deck import blocks_at, deck_of, make_deck
from overpaint.report.insides import inside_at
from overpaint.report.judges import judges_section
from overpaint.report.judging import read_judging
from overpaint.report.page import encoded, listed_page, live_page
from overpaint.report.paging import Index, read_asked
from overpaint.report.pictures import Shelf
from overpaint.report.tables import read_tables
from overpaint.report.thumbs import encode, thumbnail
from overpaint.store import Store, reading

LOOK_EVERY = 0.5  # seconds between looks at the run
THUMB_EDGE = 256
LIMIT = 2000  # samples in the gallery
QUICK = 2.0  # seconds: a page that is drawn in so many is drawn for every change
Thing = TypeVar("Thing")
REST = 10  # times as long as drawing took nothing is drawn anew


@dataclass(frozen=True)
class Made(Generic[Thing]):
    """Something as it was at some time, and what making it took."""

    what: Thing
    version: int
    seconds: float
    at: float = field(default_factory=time.monotonic)

    @property
    def is_slow(self) -> bool:
        """Whether it cannot be made anew for every change."""
        return self.seconds > QUICK

    @property
    def age(self) -> int:
        """How many seconds ago it was made."""
        return round(time.monotonic() - self.at)

    @property
    def rests(self) -> bool:
        """Whether it is too early to make it anew."""
        return time.monotonic() - self.at < REST * self.seconds


@dataclass
class Live:
    """What is served: the page as of the run's last change, and the pictures it names."""

    folder: Path
    version: int = 1  # counts the run's changes
    counts: dict[str, int] = field(default_factory=dict)
    trouble: str = ""

    def __post_init__(self) -> None:
        self.shelf = Shelf(self.folder)
        self.thumb = lru_cache(maxsize=4096)(self._thumb)
        self._drawn: Made[bytes] | None = None
        self._indexed: Made[Index] | None = None
        self._drawing, self._indexing = threading.RLock(), threading.Lock()
        self._drawing_layers = threading.Lock()
        self._behind: threading.Thread | None = None
        self._undrawn = ""  # why the page could not be drawn anew
        self._tried: Made[None] | None = None  # the last time it was drawn behind, well or not
        self._layers = tempfile.TemporaryDirectory(prefix="overpaint-", ignore_cleanup_errors=True)
        self._looked, self._ended = threading.Event(), threading.Event()
        self._watching = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Live":
        self._watching.start()
        self._looked.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._watching.join()
        self._layers.cleanup()

    # ── the page, and pages of samples ──────────────────────────────────────────────────

    def page(self) -> bytes:
        """The page, drawn anew if the run has changed since it was and drawing is quick."""
        if (drawn := self._drawn) is not None and drawn.is_slow:
            self._renew_behind()
            return drawn.what
        with self._drawing:
            return self._draw().what

    def _draw(self) -> Made[bytes]:
        """The page of the run as it is now."""
        version, drawn = self.version, self._drawn
        if drawn is not None and drawn.version == version:
            return drawn
        started = time.monotonic()
        index = self._read().what
        with Store.open(self.folder) as store:
            deck = make_deck(store, index.tables, self.shelf, limit=LIMIT)
            judges = judges_section(read_judging(store))
        page = encoded(live_page(index.tables, deck, str(version), judges))
        self._drawn = drawn = Made(page, version, time.monotonic() - started)
        self._undrawn = ""
        return drawn

    def _read(self) -> Made[Index]:
        """The tables as they are now, read once for the page and for pages of samples."""
        with self._indexing:
            version, found = self.version, self._indexed
            if found is None or found.version != version:
                started = time.monotonic()
                with Store.open(self.folder) as store:
                    index = Index(read_standings(store, read_tables(store)))
                self._indexed = found = Made(index, version, time.monotonic() - started)
            return found

    def _index(self) -> Made[Index]:
        """The tables, as far as they can be had at once."""
        if (found := self._indexed) is not None and found.is_slow:
            self._renew_behind()
            return found
        return self._read()

    def _renew_behind(self) -> None:
        """Make anew what is out of date, if it has rested; whoever asked is not kept waiting."""
        newest = self._drawn or self._indexed
        if newest is None or newest.version == self.version or newest.rests:
            return
        if self._tried is not None and self._tried.rests:
            return
        if self._behind is None or not self._behind.is_alive():
            self._behind = threading.Thread(target=self._renew, daemon=True)
            self._behind.start()

    def _renew(self) -> None:
        version, started = self.version, time.monotonic()
        try:
            with self._drawing:
                self._draw()
        except (OverpaintError, OSError, sqlite3.Error) as error:
            self._undrawn = str(error)  # the page that was drawn last stays
        self._tried = Made(None, version, time.monotonic() - started)

    def samples(self, query: str) -> bytes:
        """The page of samples that an address asks for, as they are now."""
        version, found = self.version, self._index()  # what comes from here on is news
        index = found.what
        with Store.open(self.folder) as store:
            page = index.page(store, read_asked(query, index.tables))
            deck = deck_of(store, index.tables, self.shelf, whole(page.ids))
        age = {} if found.version >= version else {"age": found.age}  # of order, filters, counts
        body = deck.body | {"paging": page.body(index.tables) | age}
        return encoded(listed_page(index.tables, replace(deck, body=body), str(version)))

    def about(self, what: str, number: int) -> bytes | None:
        """What stands where on the pages of the sample of that number.

        Or its layers and trajectories; layers are drawn into a folder that goes with this server.
        """
        index = self._index().what
        with Store.open(self.folder) as store:
            name = reading.id_of(store, number)
            if name is None:
                return None
            deck = deck_of(store, index.tables, self.shelf, whole([name]))
            if what == "blocks":
                return as_json(blocks_at(store, deck, 0))
            with self._drawing_layers:
                return as_json(inside_at(store, deck, self.shelf, 0, Path(self._layers.name)))

    def news(self) -> bytes:
        """Which page can be had, how far the run has come, and what keeps it from being read.

        `now` counts the run's changes. Where the page is behind them for a while, `age` says by
        how many seconds.
        """
        trouble = self.trouble or self._undrawn
        shown, told = self.version, {"trouble": trouble} if trouble else {}
        drawn = self._drawn
        if drawn is not None and drawn.is_slow and drawn.version != self.version:
            self._renew_behind()
            shown, told = drawn.version, told | {"age": str(drawn.age)}
        body = {"version": str(shown), "now": str(self.version)} | self.counts | told
        return json.dumps(body).encode()

    def _thumb(self, name: str) -> bytes:
        path = self.shelf.path(name)
        if path is None:
            raise PictureError(f"The run has no picture {name}.")
        return encode(thumbnail(path, THUMB_EDGE))

    # ── following the run ───────────────────────────────────────────────────────────────

    def _watch(self) -> None:
        while not self._ended.is_set():
            try:
                self._follow()
            except (StoreError, sqlite3.Error) as error:
                self.trouble = str(error)  # told, and tried again: the run may come back
                self._looked.set()
                self._ended.wait(LOOK_EVERY)

    def _follow(self) -> None:
        # One connection, kept: SQLite tells it when another one has written.
        with Store.open(self.folder) as store:
            seen, rest = None, LOOK_EVERY
            while not self._ended.is_set():
                if (now := store.changes()) != seen:
                    started, is_first = time.monotonic(), not (self.counts or self.trouble)
                    seen, self.counts = now, store.counts()
                    self.version += not is_first  # what is served until then is of this version
                    # Counting millions of rows takes a while itself.
                    rest = max(LOOK_EVERY, 3 * (time.monotonic() - started))
                self.trouble = ""
                self._looked.set()
                self._ended.wait(rest)
