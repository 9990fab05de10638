"""The rating page answers whatever its description allows, and a good deal that it does not."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from described import ROUTES, described
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_study import Served, begin, make_run, make_study
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance,
          response_schema_conformance, unsupported_method]  # fmt: skip
EXAMPLES = int(os.environ.get("OVERPAINT_FUZZ_EXAMPLES", "6"))  # `make chaos` asks for more
WHO = ("nobody", "rater", "newcomer", "observer", "admin")


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


def headers_of(served: Served, who: str) -> dict[str, str]:
    """The cookie and the mark of a new session of that role."""
    if who == "nobody":
        return {}
    role = "rater" if who == "newcomer" else who
    person = served.join(role=role, consent=who == "rater")
    cookies = "; ".join(f"{name}={value}" for name, value in person.browser.cookies.items())
    return {"Cookie": cookies, "X-CSRF": person.csrf}


def test_every_route_is_described_and_nothing_else_is(served: Served) -> None:
    told = described(inner(served))
    found = {(method, path) for path, methods in told["paths"].items() for method in methods}
    assert found == set(ROUTES)


def test_the_server_hands_out_no_description_of_itself(served: Served) -> None:
    browser = served.browser()
    for path in ("/openapi.json", "/docs", "/redoc"):
        assert browser.get(path).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("method", "path"), ROUTES, ids=lambda part: part)
def test_it_answers_as_described_whoever_asks(
    served: Served, method: str, path: str, who: str
) -> None:
    schema = schemathesis.openapi.from_dict(described(inner(served)))
    operation = schema[path][method.upper()]
    modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
    cases = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes))
    session: dict[str, dict[str, str]] = {}

    @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
    @given(case=cases)
    def asked(case: Any) -> None:
        if not session or path in ENDING:
            session["now"] = headers_of(served, who)
        reply = case.call(app=served.app, base_url="http://127.0.0.1", headers=session["now"])
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
    sent = headers_of(served, who)
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
