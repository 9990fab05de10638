"""The rating page answers whatever its description allows, and a good deal that it does not."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from described import MAY, ROUTES, WHO, described
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_study import SAID, Person, Served, begin, make_run, make_study
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from overpaint.rating.raters import make_links

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance,
          response_schema_conformance, unsupported_method]  # fmt: skip
EXAMPLES = int(os.environ.get("OVERPAINT_FUZZ_EXAMPLES", "6"))  # `make chaos` asks for more
BY_ROUTE = pytest.mark.parametrize(("method", "path"), ROUTES, ids=lambda part: part)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    run = make_run(tmp_path_factory.mktemp("described") / "run")
    found = Served(begin(run, make_study(raters=900, per_item=900)))
    yield found
    found.close()


def inner(served: Served) -> FastAPI:
    """The application behind the guard."""
    app = served.app.app
    assert isinstance(app, FastAPI)
    return app


@dataclass(frozen=True)
class Asking:
    """Somebody who asks, and whom the server knows unless it is nobody."""

    served: Served
    person: Person | None

    @classmethod
    def new(cls, served: Served, who: str) -> "Asking":
        """Somebody of that role, with a session of their own."""
        if who == "nobody":
            return cls(served, None)
        role = "rater" if who == "newcomer" else who
        return cls(served, served.join(role=role, consent=who == "rater"))

    @property
    def headers(self) -> dict[str, str]:
        """The cookie and the mark of the session."""
        if self.person is None:
            return {}
        cookies = self.person.browser.cookies.items()
        told = "; ".join(f"{name}={value}" for name, value in cookies)
        return {"Cookie": told, "X-CSRF": self.person.csrf}

    def living(self, method: str, path: str) -> tuple[dict[str, str], dict[str, Any]]:
        """What a path and a body must name that only the server's own state can tell."""
        book = self.served.book
        match method, path:
            case "get", "/static/{name}":
                return {"name": next(n for n in self.served.server.files if n[-3:] == ".js")}, {}
            case "get", "/pictures/{name}":
                return {"name": next(iter(book.pictures))}, {}
            case "post", "/api/join":
                return {}, {"token": self.served.links()[0]}
            case "post", "/api/consent":
                return {}, {"version": book.study.consent_version}
            case "post", "/api/admin/revoke":
                return {}, {"rater": make_links(book, "rater", 1)[0].rater}
            case "put", _:
                found = self.person.get("/api/items/1").json() if self.person else {}
                return {"place": "1"}, {"revision": found.get("revision", 0)}
        return {"place": "1"} if "{place}" in path else {}, {}


# What a whole body has beside what is living.
WHOLE = {
    "/api/withdraw": {"sure": True}, "/api/admin/links": {"role": "rater", "count": 2},
    "/api/items/{place}": {"answers": SAID, "comment": "", "seconds": 4},
}  # fmt: skip


def test_every_route_is_described_and_nothing_else_is(served: Served) -> None:
    told = described(inner(served), "nobody")
    found = {(method, path) for path, methods in told["paths"].items() for method in methods}
    assert found == set(ROUTES) == set(MAY)


@BY_ROUTE
def test_what_is_whole_is_done_for_those_who_may_and_for_nobody_else(
    served: Served, method: str, path: str
) -> None:
    for who in WHO:
        asking = Asking.new(served, who)
        operation = schemathesis.openapi.from_dict(described(inner(served), who))[path][method]
        place, living = asking.living(method, path)
        whole = {"body": WHOLE.get(path, {}) | living} if ROUTES[method, path][0] else {}
        case = operation.Case(path_parameters=place, media_type="application/json", **whole)
        reply = case.call(app=served.app, base_url="http://127.0.0.1", headers=asking.headers)
        case.validate_response(reply, checks=CHECKS[:-1])
        refused = {401} if who == "nobody" else {403, 422}
        assert reply.status_code in ({200} if who in MAY[method, path] else refused), who
        if reply.status_code == 200 and path.endswith("/state"):
            assert reply.json()["role"] == asking.person.role


def test_the_server_hands_out_no_description_of_itself(served: Served) -> None:
    browser = served.browser()
    for path in ("/openapi.json", "/docs", "/redoc"):
        assert browser.get(path).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("who", WHO)
@BY_ROUTE
def test_it_answers_as_described_whoever_asks(
    served: Served, method: str, path: str, who: str
) -> None:
    schema = schemathesis.openapi.from_dict(described(inner(served), who))
    operation = schema[path][method.upper()]
    modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
    cases = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes))
    session: list[Asking] = []

    @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
    @given(case=cases, alive=st.booleans())
    def asked(case: Any, alive: bool) -> None:
        if not session or path in ENDING:
            session[:] = [Asking.new(served, who)]
        if alive:
            place, living = session[0].living(method, path)
            case.path_parameters = dict(case.path_parameters or {}) | place
            case.body = case.body | living if isinstance(case.body, dict) else case.body
        headers = session[0].headers
        reply = case.call(app=served.app, base_url="http://127.0.0.1", headers=headers)
        case.validate_response(reply, checks=CHECKS)

    asked()


ENDING = ("/api/withdraw", "/api/admin/revoke")  # after which a session may be over
ODD = st.sampled_from([
    b"", b"null", b"[]", b"{", b"\xff\xfe", b'{"a": NaN}', b'"\\ud800"', b"[" * 60_000,
    b'{"token": "' + b"a" * 60_000 + b'"}', b'{"count": ' + b"9" * 5_000 + b', "role": "rater"}',
    b'{"role": "admin", "count": 1e400}', b'{"rater": "R\\u0000"}', b'{"rater": "\\ud800"}',
    b'{"rater": {"a": []}}', b'{"version": ["\\udfff"]}', b'{"sure": 1, "sure": false}',
    b'{"answers": {"quality": 1e999}, "revision": 0}', b'{"answers": {"\\ud800": 1}}',
    b'{"answers": {"quality": ' + b"9" * 4_000 + b'}, "revision": ' + b"9" * 4_000 + b"}",
])  # fmt: skip
SENDING = [(method, path) for (method, path), (body, *_) in ROUTES.items() if body]


@pytest.mark.slow
@pytest.mark.parametrize("who", ["nobody", "rater", "admin"])
def test_odd_bodies_and_names_are_refused_in_a_sentence(served: Served, who: str) -> None:
    sent = Asking.new(served, who).headers
    browser = served.browser()

    @settings(max_examples=10 * EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
    @given(body=ODD | st.binary(max_size=80), route=st.sampled_from(SENDING), place=PLACES)
    def asked(body: bytes, route: tuple[str, str], place: str) -> None:
        method, path = route
        json = {"Content-Type": "application/json"}
        path = path.replace("{place}", place)
        reply = browser.request(method.upper(), path, content=body, headers=sent | json)
        assert 400 <= reply.status_code < 500, (path, body[:80], reply.text)
        if reply.status_code not in (404, 405) or "json" in reply.headers["content-type"]:
            assert reply.json()["error"].strip()

    asked()


PLACES = st.sampled_from(["1", "0", "-1", "²", "99999999999", "%00", "..", "%ff", "1e1", "a" * 500])
