"""The admin's part of the server: progress, new links, revoking, and the ratings as a file."""

from collections.abc import Callable
from typing import Any, Protocol

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from overpaint.errors import UserMistake
from overpaint.rating import raters
from overpaint.rating.book import Book
from overpaint.rating.exchange import anonymised, export_csv
from overpaint.rating.progress import progress
from overpaint.rating.raters import Rater
from overpaint.rating.saving import Stopped

FRESH = 3.0  # seconds for which figures are not computed again


class Desk(Protocol):
    """What the admin's routes need of the server."""

    @property
    def book(self) -> Book:
        """The study."""
        ...

    @property
    def address(self) -> str:
        """What links begin with."""
        ...

    @property
    def now(self) -> Callable[[], float]:
        """The clock."""
        ...

    async def at_desk(self, work: Callable[..., Any], *details: Any) -> Any:
        """Do something with the book."""
        ...

    def session(self, request: Request, *, writes: bool) -> tuple[str, Rater]:
        """Whose session a request belongs to."""
        ...


def add_admin(app: FastAPI, server: Desk, body: Callable[[Request], Any]) -> None:
    """Add the routes that only admins, and partly observers, may use."""
    kept: dict[str, Any] = {"at": float("-inf"), "figures": None}

    @app.get("/api/admin/progress")
    async def figures(request: Request) -> Response:
        def work() -> Any:
            _allow(server, request, ("admin", "observer"), writes=False)
            if server.now() - kept["at"] > FRESH:
                kept.update(figures=progress(server.book, server.now()), at=server.now())
            return kept["figures"]

        return JSONResponse(await server.at_desk(work))

    @app.post("/api/admin/links")
    async def links(request: Request) -> Response:
        asked = await body(request)
        role, count = asked.get("role"), asked.get("count")

        def work() -> Any:
            _allow(server, request, ("admin",), writes=True)
            if not isinstance(role, str) or isinstance(count, bool) or not isinstance(count, int):
                raise UserMistake("A role and a count were expected.")
            made = raters.make_links(server.book, role, count)
            kept["at"] = float("-inf")
            return {"links": raters.told(made, server.address)}

        return JSONResponse(await server.at_desk(work))

    @app.post("/api/admin/revoke")
    async def revoke(request: Request) -> Response:
        name = (await body(request)).get("rater")

        def work() -> Any:
            rater = _allow(server, request, ("admin",), writes=True)
            if name == rater.id:
                raise UserMistake("Nobody can revoke their own link.")
            raters.revoke(server.book, name)
            kept["at"] = float("-inf")
            return {"revoked": name}

        return JSONResponse(await server.at_desk(work))

    @app.get("/api/admin/export.csv")
    async def export(request: Request) -> Response:
        def work() -> str:
            _allow(server, request, ("admin",), writes=False)
            return export_csv(anonymised(server.book.ratings(), server.book.secret))

        named = f'attachment; filename="{server.book.study.name}.csv"'
        text: str = await server.at_desk(work)
        return PlainTextResponse(
            text, media_type="text/csv; charset=utf-8", headers={"Content-Disposition": named}
        )


def _allow(server: Desk, request: Request, roles: tuple[str, ...], *, writes: bool) -> Rater:
    _, rater = server.session(request, writes=writes)
    if rater.role not in roles:
        raise Stopped(403, "This link does not allow that.")
    return rater
