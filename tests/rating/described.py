"""The rating page's routes as OpenAPI: what each takes, and each status it may answer with to whom.

The server itself hands out no description (`openapi_url=None`): it is made here, for tests, out of
the routes that it has. A route that is not told of here fails a test.
"""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
ERROR = {"type": "object", "required": ["error"], "properties": {"error": {"type": "string",
         "minLength": 1}}}  # fmt: skip


def object_of(*needed: str, **properties: Any) -> dict[str, Any]:
    """An object with these properties, some of which must be there."""
    return {"type": "object", "properties": properties, "required": list(needed)}


RATER = object_of(
    "id", "consented", "place", "total", "finished", "seconds_left", id=TEXT, place=WHOLE,
    total=WHOLE, consented={"type": "boolean"}, finished={"type": "boolean"},
    seconds_left={"type": "number"},
)  # fmt: skip
STATE = object_of("role", "csrf", "study", "rater", role={"enum": ["rater", "observer", "admin"]},
                  csrf=TEXT, study={"type": "object"}, rater=RATER)  # fmt: skip
SLIDER = {"type": "number", "minimum": 0, "maximum": 5}
ANSWER = object_of(
    "answers", "revision",
    answers=object_of("quality", "alignment", "preservation", "done", quality=SLIDER,
                      alignment=SLIDER, preservation=SLIDER, done={"type": "boolean"}),
    comment={"type": "string", "maxLength": 200}, revision={"type": "integer", "minimum": 0},
    seconds={"type": "number", "minimum": 0},
)  # fmt: skip
ITEM = object_of("place", "total", "shown", "questions", "revision", place=WHOLE, total=WHOLE,
                 shown={"type": "array"}, questions={"type": "array"}, revision=WHOLE)  # fmt: skip
SAVED = object_of("saved", "place", "finished", place=WHOLE)
JOINED = object_of("role", "csrf", "elsewhere", role=TEXT, csrf=TEXT)
LINK = object_of("id", "role", "link", id=TEXT, role=TEXT, link=TEXT)

WHO = ("nobody", "newcomer", "rater", "observer", "admin")
OPEN, ANYONE, OVERSEERS = frozenset(WHO), frozenset(WHO[1:]), frozenset(WHO[3:])
# Method and path -> who gets a good answer; nobody else ever does.
MAY: Mapping[tuple[str, str], frozenset[str]] = {
    ("get", "/"): OPEN,
    ("get", "/rate"): OPEN,
    ("get", "/admin"): OPEN,
    ("get", "/static/{name}"): OPEN,
    ("get", "/pictures/{name}"): ANYONE - {"newcomer"},
    ("post", "/api/join"): OPEN,
    ("get", "/api/state"): ANYONE,
    ("get", "/api/admin/state"): ANYONE,  # each their own: the page learns who opened it
    ("post", "/api/consent"): frozenset({"newcomer", "rater"}),
    ("post", "/api/withdraw"): frozenset({"newcomer", "rater"}),
    ("get", "/api/items/{place}"): frozenset({"rater"}),
    ("put", "/api/items/{place}"): frozenset({"rater"}),
    ("get", "/api/admin/progress"): OVERSEERS,
    ("post", "/api/admin/links"): frozenset({"admin"}),
    ("post", "/api/admin/revoke"): frozenset({"admin"}),
    ("get", "/api/admin/export.csv"): frozenset({"admin"}),
}
# Method and path -> the body, what a good answer holds, and with which sentences it may refuse.
ROUTES: Mapping[tuple[str, str], tuple[Any, Any, tuple[int, ...]]] = {
    ("get", "/"): (None, "text/html", ()),
    ("get", "/rate"): (None, "text/html", ()),
    ("get", "/admin"): (None, "text/html", ()),
    ("get", "/static/{name}"): (None, "*/*", (404,)),
    ("get", "/pictures/{name}"): (None, "image/png", (401, 403, 404)),
    ("post", "/api/join"): (object_of("token", token=TEXT), JOINED, (400, 401, 429)),
    ("get", "/api/state"): (None, STATE, (401, 403)),
    ("get", "/api/admin/state"): (None, STATE, (401, 403)),
    ("post", "/api/consent"): (object_of("version", version=TEXT), STATE, (400, 401, 403, 409)),
    ("post", "/api/withdraw"): (object_of("sure", sure={"type": "boolean"}),
                                object_of("withdrawn"), (400, 401, 403, 422)),
    ("get", "/api/items/{place}"): (None, ITEM, (401, 403, 404, 429)),
    ("put", "/api/items/{place}"): (ANSWER, SAVED, (400, 401, 403, 404, 409, 422, 429)),
    ("get", "/api/admin/progress"): (None, {"type": "object"}, (401, 403)),
    ("post", "/api/admin/links"): (
        object_of("role", "count", role=TEXT, count={"type": "integer", "maximum": 3}),
        object_of("links", links={"type": "array", "items": LINK}), (400, 401, 403, 422)),
    ("post", "/api/admin/revoke"): (object_of("rater", rater=TEXT), object_of("revoked"),
                                    (400, 401, 403, 422)),
    ("get", "/api/admin/export.csv"): (None, "text/csv", (401, 403)),
}  # fmt: skip


def described(app: FastAPI, who: str) -> dict[str, Any]:
    """The description of the routes that the application has, as that one may ask them.

    KeyError where a route is not known.
    """
    told = app.openapi()
    paths = {
        path: {method: _route(method, path, found, who) for method, found in methods.items()}
        for path, methods in told["paths"].items()
    }
    return {"openapi": "3.1.0", "info": told["info"], "paths": paths}


def _route(method: str, path: str, found: Mapping[str, Any], who: str) -> dict[str, Any]:
    body, good, refusals = ROUTES[method, path]
    made: dict[str, Any] = {"operationId": f"{method} {path}", "responses": {}}
    content = {good: {}} if isinstance(good, str) else {"application/json": {"schema": good}}
    if who in MAY[method, path]:
        made["responses"]["200"] = {"description": "It is done.", "content": content}
    for status in {*refusals, *((400, 403, 413) if body else ())}:
        refused = {"application/json": {"schema": ERROR}}
        made["responses"][str(status)] = {"description": "Why not.", "content": refused}
    if body:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    if "parameters" in found:
        made["parameters"] = [one for one in found["parameters"] if one["in"] == "path"]
    return made
