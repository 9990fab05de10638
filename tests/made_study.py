"""A small run with edits of several kinds, studies on it, and somebody who opens a link."""

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from starlette.testclient import TestClient

from overpaint.core import Edit, Request, Sample
from overpaint.document import Document
from overpaint.rating import raters
from overpaint.rating.app import Server, make_app
from overpaint.rating.book import Book
from overpaint.rating.guarding import Rates
from overpaint.rating.items import pool_of_run
from overpaint.rating.presets import CONSENT, questions_of
from overpaint.rating.study import Study
from overpaint.store import Store, keep_picture

EDITORS = {"zebrafish": "command:zebrafish", "quagga": "command:quagga"}
FLOORS = {name: name for name in ("identity", "blank", "truth")}
SCRIPT = "<script>alert('x')</script>"
SAID = {"quality": 3.5, "alignment": 2.0, "preservation": 4.25, "done": True}


def make_run(
    folder: Path, samples: int = 4, editors: Sequence[str] = tuple(EDITORS), *, fresh: bool = False
) -> Path:
    """A run of so many samples, each edited by these editors and by floors.

    Its pictures are shared with other runs alike, unless it is a fresh one.
    """
    if fresh:
        return _made(folder, samples, tuple(editors))
    known = _template(samples, tuple(editors))
    folder.mkdir(parents=True)
    shutil.copyfile(known / "run.db", folder / "run.db")
    (folder / "pictures").symlink_to(known / "pictures")
    return folder


@lru_cache
def _template(samples: int, editors: tuple[str, ...]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="overpaint-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return _made(folder / "run", samples, editors)


def _made(folder: Path, samples: int, editors: tuple[str, ...]) -> Path:
    specs = {name: EDITORS[name] for name in editors} | FLOORS
    rng = np.random.default_rng(7)
    with Store.create(folder) as store:
        for name, spec in specs.items():
            store.add_editor(name, spec)
        for n in range(samples):
            source = rng.integers(0, 255, (8, 12, 3), np.uint8)
            kept = keep_picture(folder, Document.of(source))
            sample = Sample(f"sample-{n}", Request(kept, f"Make {n} red. {SCRIPT}"))
            store.add_samples([sample])
            for place, name in enumerate(specs):
                output = keep_picture(folder, Document.of(np.roll(source, place + 1, 1)))
                store.put_edit(Edit(sample, name, "ok", output))
    return folder


def make_study(kind: Any = "ebench", **other: Any) -> Study:
    """A study for two raters, all of whom see all."""
    scale = other.pop("scale", "0-3")
    usual: dict[str, Any] = {"raters": 2, "per_item": 2, "training": 0, "repeats": 0.0}
    return Study("test", "A test", kind, questions_of(kind, scale=scale), CONSENT,
                 **(usual | other))  # fmt: skip


def begin(folder: Path, study: Study | None = None, *, gold: bool = False) -> Book:
    """The study, begun; without the gold items that floors give unless they are wanted."""
    study = study or make_study()
    pool = pool_of_run(folder, study)
    return Book.begin(folder, study, pool if gold else replace(pool, gold=()))


class Clock:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Served:
    """A study's server without a network, and browsers that talk to it."""

    def __init__(self, book: Book) -> None:
        self.book, self.clock = book, Clock()
        self.rates, self._open = Rates(1e6), ExitStack()
        self.server = Server(book, "http://127.0.0.1", now=self.clock, rates=self.rates)
        self.app = make_app(self.server)

    def links(self, role: str = "rater", count: int = 1) -> list[str]:
        """Tokens of new people."""
        return [link.token for link in raters.make_links(self.book, role, count)]

    def browser(self) -> TestClient:
        """One that has opened nothing."""
        client = TestClient(self.app, base_url="http://127.0.0.1", raise_server_exceptions=False)
        return self._open.enter_context(client)  # one loop for all that it asks

    def join(
        self, token: str | None = None, *, role: str = "rater", consent: bool = True
    ) -> "Person":
        """Somebody who has opened a link, and agreed."""
        person = Person(self.browser(), token or self.links(role)[0])
        if consent and person.role == "rater":
            person.consent()
        return person

    def close(self) -> None:
        """End it."""
        self._open.close()
        self.server.close()
        self.book.db.close()


class Person:
    """Somebody with a session."""

    def __init__(self, browser: TestClient, token: str) -> None:
        self.browser, self.token = browser, token
        told = browser.post("/api/join", json={"token": token})
        assert told.status_code == 200, told.text
        self.role, self.csrf = told.json()["role"], told.json()["csrf"]
        self.elsewhere = told.json()["elsewhere"]

    def get(self, path: str) -> Any:
        """A reply."""
        return self.browser.get(path)

    def send(self, method: str, path: str, data: Any, **headers: str) -> Any:
        """A reply to something sent with the mark of the session."""
        return self.browser.request(
            method, path, json=data, headers={"X-CSRF": self.csrf} | headers
        )

    def state(self) -> Any:
        """Where this person stands."""
        return self.get("/api/state").json()

    def consent(self) -> Any:
        """Agree to what is shown."""
        version = self.state()["study"]["consent"]["version"]
        return self.send("POST", "/api/consent", {"version": version})

    def save(self, place: int, answers: Any = None, *, revision: int = 0, **more: Any) -> Any:
        """The reply to an answer."""
        data = {"answers": SAID if answers is None else answers, "comment": "", "seconds": 4,
                "revision": revision}  # fmt: skip
        return self.send("PUT", f"/api/items/{place}", data | more)
