"""The rating page's server: thin routes; JSON in and out; every error a sentence."""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from overpaint.errors import OverpaintError, PictureError, StoreError, UserMistake
from overpaint.rating import raters, saving
from overpaint.rating.admin import add_admin
from overpaint.rating.book import Book
from overpaint.rating.claiming import Tasks, by_of, forget
from overpaint.rating.desk import Desk
from overpaint.rating.guarding import TOO_LARGE, Guard, Rates
from overpaint.rating.pictures import MEDIA, Gallery, Picture
from overpaint.rating.raters import Rater
from overpaint.rating.saving import Opened, Stopped
from overpaint.rating.tokens import hashed, same

WEB = Path(__file__).parent / "web"
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".png": "image/png", ".svg": "image/svg+xml", ".json": "application/json",
         ".html": "text/html; charset=utf-8"}  # fmt: skip
NO_SESSION = "This page was opened elsewhere, or its time is over. Please open your link again."
NOT_STORED = (
    "The server cannot store this just now. Nothing that was saved is lost; please leave the page"
    " open and try again in a moment."
)
WRONG_LINK = "This link is not known here, or no longer."


@dataclass
class Server:
    """What the routes share: the book, at whose desk one works at a time, and the pictures."""

    book: Book
    address: str = ""  # what links begin with
    secure: bool = False  # whether browsers reach it by https
    now: Callable[[], float] = time.time
    rates: Rates = field(default_factory=Rates)

    def __post_init__(self) -> None:
        self.gallery = Gallery()
        self.tasks = Tasks(self.book) if self.book.study.kind == "tasks" else None
        if self.tasks:
            self.tasks.let_go()
            self.tasks.hand_on(self.now(), everything=True)  # what a crash left behind
        self.desk = Desk(
            self.book.db, lambda: self.book.reload(afresh=True), chore=self.book.settle
        )
        # One for raters, one for whoever looks after them: a browser may well have both.
        self.cookie = f"overpaint-{self.book.study.id}"
        self.office = f"{self.cookie}-admin"
        self.live = {key for (key,) in self.book.db.rows("SELECT key FROM sessions")}
        self.files = {
            file.name: (file.read_bytes(), TYPES[file.suffix])
            for file in sorted(WEB.iterdir()) if file.suffix in TYPES
        }  # fmt: skip

    @property
    def by_task(self) -> bool:
        """Whether answers go on to a build's file, which they may once they are committed."""
        return self.tasks is not None

    def close(self) -> None:
        """Finish what is at the desk; nothing is taken any more."""
        self.desk.close()
        self.book.settle()
        if self.tasks:
            self.tasks.hand_on(self.now(), everything=True)

    def set_aside(self, name: str) -> None:
        """Take a rater's lines out of the build's file; the book keeps what was said."""
        if self.tasks:
            forget(self.book.folder, {by_of(self.book, name)})

    def where(self, rater: Rater) -> dict[str, Any]:
        """Where a rater stands, with the next task of a build claimed for them."""
        if self.tasks is None or rater.role != "rater":
            return saving.where(self.book, rater, self.now())
        if saving.consented(self.book, rater):
            self.tasks.claim(rater, self.now())
            self.tasks.hand_on(self.now())
        found = saving.where(self.book, rater, self.now())
        return found | {"total": max(found["total"], found["done"] + self.tasks.left_for(rater))}

    def session(self, request: Request, *, writes: bool) -> tuple[str, Rater]:
        """Whose session a request belongs to; at the desk. `Stopped` where it has none."""
        names = (self.cookie, self.office)
        if request.url.path.startswith("/api/admin/"):
            names = names[::-1]
        key = request.cookies.get(names[0]) or request.cookies.get(names[1])
        found = raters.find(self.book, key, self.now())
        if key is None or found is None:
            raise Stopped(401, NO_SESSION)
        if writes or "x-csrf" in request.headers:  # a tab stays the person's who opened it
            mark = request.headers.get("x-csrf", "")
            if not same(mark, raters.csrf_of(self.book, key)):
                raise Stopped(403, "The page is out of date. Please load it again.")
        return key, found

    def state(self, key: str, rater: Rater) -> dict[str, Any]:
        """All that a page needs to begin."""
        study = self.book.study
        return {
            "role": rater.role, "csrf": raters.csrf_of(self.book, key),
            "study": {
                "title": study.title, "kind": study.kind,
                "questions": [one.as_json() for one in study.questions],
                "consent": {"version": study.consent_version, "text": dict(study.consent)},
                "minutes": study.minutes, "break_minutes": study.break_minutes,
                "ties": study.ties, "comments": study.comments,
            },
            "rater": self.where(rater),
        }  # fmt: skip

    def shown(self, found: Opened, earlier: Any, total: int) -> dict[str, Any]:
        """An item as a rater gets it: nothing in it tells whose edit it is."""
        item = found.item
        pictures = item.shown[::-1] if found.flipped else item.shown
        asked: list[Any] = [one.as_json() for one in item.questions]
        return {
            "place": found.place, "total": total,
            "phase": "training" if found.showing == "training" else "rating",
            "round": found.round, "instruction": item.instruction,
            "source": self._picture(item.source) if item.source else None,
            "shown": [self._picture(one) for one in pictures],
            "questions": asked or [one.name for one in self.book.study.questions],
            "box": item.facts.get("box"), "earlier": earlier, "answers": found.answers,
            "comment": found.comment, "revision": found.revision, "changeable": not found.filed,
        }  # fmt: skip

    def _picture(self, picture: Picture) -> dict[str, Any]:
        name = self.book.name_of(picture)
        return {"url": f"/pictures/{name}", "width": picture.width, "height": picture.height}


def make_app(server: Server, hosts: frozenset[str] = frozenset({"localhost"})) -> Guard:
    """The whole application, guarded."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.add_exception_handler(Stopped, _stopped)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(OverpaintError, _our_error)
    app.add_exception_handler(500, _unforeseen)
    _pages(app, server)
    _joining(app, server)
    _rating(app, server)
    add_admin(app, server, _body)
    return Guard(
        app, hosts, server.rates, (server.cookie, server.office),
        lambda key: hashed(key) in server.live,
    )  # fmt: skip


# ── pages and pictures ──────────────────────────────────────────────────────────────────


def _pages(app: FastAPI, server: Server) -> None:
    pages = {"/": "index.html", "/rate": "rate.html", "/admin": "admin.html"}
    for path, name in pages.items():
        app.add_api_route(path, partial(_file, server, name), methods=["GET"])

    @app.get("/static/{name}")
    async def static(name: str, request: Request) -> Response:
        if name.endswith(".html"):
            raise HTTPException(404)
        return await _file(server, name, request)

    @app.get("/pictures/{name}")
    async def picture(name: str, request: Request) -> Response:
        await server.desk.do(partial(_may_look, server, request))
        found = server.book.pictures.get(name)
        if found is None:
            raise Stopped(404, "There is no such picture.")
        data = await asyncio.to_thread(server.gallery.shown, found)
        return Response(data, media_type=MEDIA, headers={"Cache-Control": "private, max-age=86400"})


def _may_look(server: Server, request: Request) -> None:
    _, rater = server.session(request, writes=False)
    if rater.role == "rater" and not saving.consented(server.book, rater):
        raise Stopped(403, "Please read and accept the consent text first.", consent=False)


def _may_consent(server: Server, rater: Rater, version: Any) -> None:
    if rater.role != "rater":
        raise Stopped(403, "Only raters are asked to accept the consent text.")
    if version != server.book.study.consent_version:
        raise Stopped(409, "The consent text has changed. Please read it again.")


async def _file(server: Server, name: str, request: Request) -> Response:
    if name not in server.files:
        raise HTTPException(404)
    data, kind = server.files[name]
    tag = f'"{sha256(data).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=kind, headers=headers)


# ── coming and going ────────────────────────────────────────────────────────────────────


def _joining(app: FastAPI, server: Server) -> None:
    @app.post("/api/join")
    async def join(request: Request) -> Response:
        address = request.client.host if request.client else ""
        token = (await _body(request)).get("token")
        joined = await server.desk.do(
            partial(raters.join, server.book, token, server.now()), lasting=True
        )
        if joined is None:
            if wait := server.rates.shut_out(address):
                raise Stopped(429, "Too many wrong links. Please wait a minute.", retry=wait)
            server.rates.was_wrong(address)
            raise Stopped(401, WRONG_LINK)
        server.live.add(hashed(joined.key))
        csrf = raters.csrf_of(server.book, joined.key)
        reply = JSONResponse(
            {"role": joined.rater.role, "csrf": csrf, "elsewhere": joined.elsewhere}
        )
        name = server.cookie if joined.rater.role == "rater" else server.office
        reply.set_cookie(
            name, joined.key, httponly=True, samesite="strict", path="/", secure=server.secure
        )
        return reply

    @app.get("/api/admin/state")
    @app.get("/api/state")
    async def state(request: Request) -> Any:
        def work() -> Any:
            return server.state(*server.session(request, writes=False))

        return JSONResponse(await server.desk.do(work, alone=server.by_task))

    @app.post("/api/consent")
    async def consent(request: Request) -> Any:
        version = (await _body(request)).get("version")

        def work() -> Any:
            _, rater = server.session(request, writes=True)
            _may_consent(server, rater, version)
            raters.consent(server.book, rater)
            return server.state(*server.session(request, writes=False))

        return JSONResponse(await server.desk.do(work, lasting=True, alone=server.by_task))

    @app.post("/api/withdraw")
    async def withdraw(request: Request) -> Any:
        sure = (await _body(request)).get("sure")

        def work() -> Any:
            _, rater = server.session(request, writes=True)
            if sure is not True or rater.role != "rater":
                raise Stopped(422, "Only a rater who is sure can withdraw.")
            server.set_aside(rater.id)  # first: where it fails, the rater can still ask again
            raters.withdraw(server.book, rater)
            return {"withdrawn": True}

        reply = JSONResponse(await server.desk.do(work, alone=True))
        reply.delete_cookie(server.cookie, path="/", httponly=True, samesite="strict")
        return reply


# ── rating ──────────────────────────────────────────────────────────────────────────────


def _rating(app: FastAPI, server: Server) -> None:
    @app.get("/api/items/{place}")
    async def item(place: str, request: Request) -> Any:
        def work() -> Any:
            _, rater = server.session(request, writes=False)
            where = server.where(rater)
            found, earlier = saving.open_place(server.book, rater, _place(place), server.now())
            return server.shown(found, earlier, where["total"])

        return JSONResponse(await server.desk.do(work, alone=server.by_task))

    @app.put("/api/items/{place}")
    async def put(place: str, request: Request) -> Any:
        data = await _body(request)

        def work() -> Any:
            key, rater = server.session(request, writes=True)
            saved = saving.save(server.book, rater, _place(place), data, server.now())
            rater = raters.find(server.book, key, server.now()) or rater
            where = server.where(rater)
            after = ("place", "total", "finished", "break_left", "seconds_left")
            return saved | {name: where[name] for name in after}

        return JSONResponse(await server.desk.do(work, lasting=True, alone=server.by_task))


def _place(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


async def _body(request: Request) -> dict[str, Any]:
    try:
        found = json.loads(await request.body(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Stopped(400, "That is no JSON.") from None
    if not isinstance(found, dict):
        raise Stopped(400, "An object was expected.")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(name)  # NaN and Infinity are no JSON


# ── what went wrong ─────────────────────────────────────────────────────────────────────


async def _stopped(_: Request, error: Exception) -> Response:
    assert isinstance(error, Stopped)
    more = dict(error.more)
    wait = more.pop("retry", None)
    headers = {"Retry-After": str(wait)} if wait else None
    return JSONResponse({"error": str(error), **more}, error.status, headers)


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    told = {404: "There is nothing here.", 405: "That cannot be done here.", 413: TOO_LARGE,
            408: "That took too long to arrive."}  # fmt: skip
    sentence = told.get(error.status_code, "That cannot be understood.")
    return JSONResponse({"error": sentence}, error.status_code, error.headers)


async def _unforeseen(_: Request, error: Exception) -> Response:
    """What nobody thought of is told to whoever runs the server, not to raters."""
    return JSONResponse({"error": "Something went wrong here. It has been noted."}, 500)


async def _our_error(_: Request, error: Exception) -> Response:
    if isinstance(error, StoreError):  # a full disk, a locked file: the page tries again
        print(f"overpaint: {error}", file=sys.stderr, flush=True)  # it names folders
        return JSONResponse({"error": NOT_STORED}, 503, {"Retry-After": "5"})
    if isinstance(error, PictureError):
        return JSONResponse({"error": str(error)}, 410)
    return JSONResponse({"error": str(error)}, 422 if isinstance(error, UserMistake) else 500)
