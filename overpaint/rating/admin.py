"""The admin's part of the server: progress, new links, revoking, and the ratings as a file."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from overpaint.errors import UserMistake
from overpaint.rating import raters
from overpaint.rating.book import Book
from overpaint.rating.desk import Desk
from overpaint.rating.exchange import anonymised, export_csv
from overpaint.rating.progress import progress
from overpaint.rating.raters import Rater
from overpaint.rating.saving import Stopped

T = TypeVar("T")
FRESH = 3.0  # seconds for which figures are not computed again


class Serving(Protocol):
    """What the admin's routes need of the server."""

    @property
    def book(self) -> Book:
        """The study."""
        ...

    @property
    def desk(self) -> Desk:
        """Where it is worked on."""
        ...

    @property
    def address(self) -> str:
        """What links begin with."""
        ...

    @property
    def now(self) -> Callable[[], float]:
        """The clock."""
        ...

    def session(self, request: Request, *, writes: bool) -> tuple[str, Rater]:
        """Whose session a request belongs to."""
        ...

    def set_aside(self, name: str) -> None:
        """Take back what was handed on of a rater."""
        ...


class Figures:
    """The figures of the admin's page, computed beside the desk and not too often."""

    def __init__(self, server: Serving) -> None:
        self._server, self._one = server, asyncio.Lock()
        self._kept: Any = None
        self._until = float("-inf")

    async def latest(self) -> Any:
        """The figures as of a few seconds ago at most, or longer where they take long."""
        async with self._one:
            if time.monotonic() > self._until:
                started = time.monotonic()
                now = self._server.now()
                self._kept = await asyncio.to_thread(
                    _reading, self._server.book, lambda book: progress(book, now)
                )
                took = time.monotonic() - started
                self._until = time.monotonic() + max(FRESH, 10 * took)
            return self._kept

    def stale(self) -> None:
        """Have them computed anew when they are asked for next."""
        self._until = float("-inf")


def _reading(book: Book, work: Callable[[Book], T]) -> T:
    """Do something long with the book over a connection of its own, while others write."""
    with Book.open(book.folder, book.study.name) as reader:
        return work(reader)


def add_admin(app: FastAPI, server: Serving, body: Callable[[Request], Any]) -> None:
    """Add the routes that only admins, and partly observers, may use."""
    figures = Figures(server)

    @app.get("/api/admin/progress")
    async def show(request: Request) -> Response:
        await server.desk.do(lambda: _allow(server, request, ("admin", "observer"), writes=False))
        return JSONResponse(await figures.latest())

    @app.post("/api/admin/links")
    async def links(request: Request) -> Response:
        asked = await body(request)
        role, count = asked.get("role"), asked.get("count")

        def work() -> Any:
            _allow(server, request, ("admin",), writes=True)
            if not isinstance(role, str) or isinstance(count, bool) or not isinstance(count, int):
                raise UserMistake("A role and a count were expected.")
            made = raters.make_links(server.book, role, count)
            figures.stale()
            return {"links": raters.told(made, server.address)}

        return JSONResponse(await server.desk.do(work, lasting=True))

    @app.post("/api/admin/revoke")
    async def revoke(request: Request) -> Response:
        name = (await body(request)).get("rater")

        def work() -> Any:
            rater = _allow(server, request, ("admin",), writes=True)
            if name == rater.id:
                raise UserMistake("Nobody can revoke their own link.")
            # First what a build reads: where that fails, it can be asked again.
            raters.revoke(server.book, name, server.set_aside)
            figures.stale()
            return {"revoked": name}

        return JSONResponse(await server.desk.do(work, alone=True))

    @app.get("/api/admin/export.csv")
    async def export(request: Request) -> Response:
        await server.desk.do(lambda: _allow(server, request, ("admin",), writes=False))

        def written(book: Book) -> str:
            return export_csv(anonymised(book.ratings(), book.secret))

        named = f'attachment; filename="{server.book.study.name}.csv"'
        text = await asyncio.to_thread(_reading, server.book, written)
        return PlainTextResponse(
            text, media_type="text/csv; charset=utf-8", headers={"Content-Disposition": named}
        )


def _allow(server: Serving, request: Request, roles: tuple[str, ...], *, writes: bool) -> Rater:
    _, rater = server.session(request, writes=writes)
    if rater.role not in roles:
        raise Stopped(403, "This link does not allow that.")
    return rater
