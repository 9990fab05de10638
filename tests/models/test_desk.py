"""The desk: asked once, remembered, limited, retried by name, paid for; and what servers say."""

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from conftest import picture, write

from overpaint.errors import (
    CostLimit,
    OverpaintError,
    Refused,
    StoreError,
    Unavailable,
    Unreachable,
    Unreadable,
    UserMistake,
)
from overpaint.models import Question, model
from overpaint.models.desk import Desk, Terms
from overpaint.models.names import endpoint
from overpaint.models.server import _retry_after
from overpaint.store import Store
from overpaint.store.calls import Calls
from overpaint.testing import FakeServer

QUICK = {"deadline": 3.0, "retries": 2}
Make = Callable[..., Desk]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes desks on one run's call table, which do not wait long between attempts."""
    monkeypatch.setattr("overpaint.models.desk._backoff", lambda failed: 0.01)
    Store.create(tmp_path / "run").__exit__()
    opened = []

    def desk(**terms: Any) -> Desk:
        opened.append(Calls.open(tmp_path / "run"))
        return Desk(opened[-1], Terms(**QUICK | terms))

    yield desk
    for calls in opened:
        calls.close()


def at(server: FakeServer, prompt: str = "How many?", **more: Any) -> Question:
    return Question(endpoint(f"{server.url}#judge"), prompt, **more)


def serving(**script: Any) -> FakeServer:
    return FakeServer(script, process=False)


def test_a_question_is_asked_once_and_its_answer_is_known_ever_after(make: Make) -> None:
    with serving(reply="three") as server:
        desk = make()
        first, second = desk.ask(at(server)), desk.ask(at(server))
        again = make().ask(at(server))
        assert server.counts().total == 1
    assert (first.text, first.recalled) == ("three", False)
    assert (second.text, second.recalled) == ("three", True)
    assert (again.text, again.recalled) == ("three", True)
    assert again.tokens_in == first.tokens_in


def test_another_turn_picture_or_word_is_another_question(make: Make, tmp_path: Path) -> None:
    seen = write(tmp_path / "a.png", picture(1))
    with serving(reply="three") as server:
        desk = make()
        for question in (
            at(server), at(server, turn=1), at(server, pictures=(seen,)), at(server, "Why?"),
            at(server, schema={"type": "object"}),
        ):  # fmt: skip
            assert not desk.ask(question).recalled
        assert server.counts().total == 5


def test_the_call_table_keeps_what_was_asked_and_what_came_back(make: Make, tmp_path: Path) -> None:
    seen = write(tmp_path / "a.png", picture(1))
    with serving(reply="three") as server:
        desk = make()
        desk.ask(at(server, pictures=(seen,)))
        (call,) = desk.calls
    assert (call.state, call.model, call.attempts) == ("replied", f"{server.url}#judge", 1)
    assert desk.calls.prompt(call.prompt) == "How many?"
    (sent,) = call.pictures
    assert (sent["width"], sent["height"], sent["format"], sent["quality"]) == (80, 64, "png", None)
    assert json.loads(call.reply)["choices"][0]["message"]["content"] == "three"
    assert call.price is None  # its price is not known, and not 0
    assert call.tokens_in
    (bill,) = desk.calls.bill()
    assert (bill.calls, bill.replies, bill.unpriced, bill.price) == (1, 1, 1, 0.0)


@pytest.mark.parametrize(
    ("behaviour", "error", "told", "requests"),
    [
        ("server_error", Unreachable, "said 500", 3),
        ("cut_before", Unreachable, "connection to .* failed", 3),
        ("cut_within", Unreachable, "connection to .* failed", 3),
        ("garbage", Unreachable, "connection to .* failed", 3),
        ("bad_json", Unreadable, "sent no JSON", 3),
        ("bad_key", Unavailable, "the key was not accepted", 1),
        ("no_model", Unavailable, "Is 'judge' a model it has", 1),
        ("no_quota", Unavailable, "no credit left", 1),
        ("refusal", Refused, "declined", 1),
        ("filtered", Refused, "content filter", 1),
        ("cut_off", Unreadable, "cut off", 1),
        ("anthropic", Unreadable, "does not answer as OpenAI-style servers do", 1),
        ("error_in_200", Unreadable, "does not answer as OpenAI-style servers do", 1),
    ],
)
def test_every_failure_has_a_name_and_few_counted_retries(
    make: Make, behaviour: str, error: Any, told: str, requests: int
) -> None:
    with serving(reply={"behaviour": behaviour}) as server:
        with pytest.raises(error, match=told):
            make().ask(at(server))
        assert server.counts().total == requests


def test_what_passes_is_tried_again_and_the_attempts_are_counted(make: Make) -> None:
    with serving(
        replies=({"behaviour": "server_error"}, {"behaviour": "overloaded"}, "three")
    ) as server:
        desk = make()
        assert desk.ask(at(server)).text == "three"
        (call,) = desk.calls
    assert (call.attempts, call.unanswered) == (3, 0)


def test_too_many_questions_waits_as_long_as_the_server_asks(make: Make) -> None:
    wait = {"behaviour": "rate_limited_seconds", "seconds": 1}
    with serving(replies=(wait, "three")) as server:
        desk, started = make(), time.monotonic()
        assert desk.ask(at(server)).text == "three"
        assert time.monotonic() - started >= 0.9
        assert desk.limiter(endpoint(f"{server.url}#judge")).limit == 8


@pytest.mark.slow
@pytest.mark.parametrize("off", [-7200, 7200])
def test_a_date_to_come_back_at_is_waited_for_whatever_the_clock_of_this_machine_says(
    make: Make, monkeypatch: pytest.MonkeyPatch, off: int
) -> None:
    wait = {"behaviour": "rate_limited_date", "seconds": 1}
    with FakeServer({"replies": [wait, "three"]}) as server:  # its clock is right
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() + off)
        started = time.monotonic()
        assert make().ask(at(server)).text == "three"
    assert 1 <= time.monotonic() - started < 5


NOON, LATER = "Thu, 19 Nov 2026 12:00:00 GMT", "Thu, 19 Nov 2026 12:00:30 GMT"


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"retry-after": LATER, "date": NOON}, 30),
        ({"retry-after": "Thu, 19 Nov 2026 12:00:30 -0000", "date": NOON}, 30),
        ({"retry-after": "Thu, 19 Nov 2026 13:00:30 +0100", "date": NOON}, 30),
        ({"retry-after": NOON, "date": LATER}, None),
        ({"retry-after": "Thu, 19 Nov 2099 12:00:00 GMT", "date": NOON}, 1e9),
        ({"retry-after": "Thu, 19 Nov 2099 12:00:00 GMT"}, 60),
        ({"retry-after": "Thu, 19 Nov 2099 12:00:00 GMT", "date": "today"}, 60),
        ({"retry-after": "Thu, 19 Nov 1998 12:00:00 GMT"}, None),
        ({"retry-after": "Thu, 99 Nov 99999999999 12:00:00 GMT", "date": NOON}, None),
        ({"retry-after": "soon", "date": NOON}, None),
        ({"retry-after": "7", "date": NOON}, 7),
        ({"retry-after": "-7"}, 0),
        ({}, None),
    ],
)
def test_a_date_to_come_back_at_is_held_against_the_date_of_the_reply(
    headers: dict[str, str], pause: float | None
) -> None:
    assert _retry_after(headers) == pause


def test_a_server_that_never_answers_is_left_at_the_deadline(make: Make) -> None:
    with serving(reply={"behaviour": "hang"}) as server:
        desk, started = make(deadline=0.3, retries=1), time.monotonic()
        with pytest.raises(Unreachable, match=r"did not answer within 0.3 s"):
            desk.ask(at(server))
        assert time.monotonic() - started < 3
        (call,) = desk.calls
    assert (call.state, call.attempts, call.unanswered) == ("failed", 2, 2)
    assert desk.calls.bill()[0].possibly_paid_twice == 2


def test_structured_output_is_asked_for_and_done_without_where_a_server_has_none(
    make: Make,
) -> None:
    schema = {"type": "object", "properties": {"score": {"type": "integer", "enum": [1, 2]}}}
    with serving(behaviours={"no_format": {"share": 1}}) as server:
        desk = make()
        for turn in range(3):
            desk.ask(at(server, schema=schema, turn=turn))
        counts = server.counts()
    assert counts.total == 5  # json_schema and json_object were declined once each
    assert desk.dialect(endpoint(f"{server.url}#judge")).form == "text"


def test_nobody_is_there(make: Make) -> None:
    with pytest.raises(Unreachable, match="connection to 127.0.0.1:9 failed"):
        make(retries=0).ask(Question(endpoint("http://127.0.0.1:9/v1#m"), "Anyone?"))


def test_keys_stand_in_no_table_no_error_and_no_reply(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OVERPAINT_API_KEY", "sk-very-secret")
    with serving(reply="You sent sk-very-secret", rules=[
        {"contains": "Why", "reply": {"behaviour": "server_error"}}
    ]) as server:  # fmt: skip
        desk = make(retries=0)
        assert desk.ask(at(server)).text == "You sent (key)"
        with pytest.raises(OverpaintError) as caught:
            desk.ask(at(server, "Why?"))
    assert "secret" not in str(caught.value)
    desk.calls.close()
    assert all(b"very-secret" not in path.read_bytes() for path in (tmp_path / "run").glob("run*"))


def priced(folder: Path, server: FakeServer) -> Path:
    path = folder / f"prices-{server.port}.json"
    listed = {f"{server.url}#judge": {"in": 1000, "out": 1000}}
    path.write_text(json.dumps({"dated": "2026-11-16", "models": listed}))
    return path


def test_a_cost_limit_stops_before_it_is_passed(make: Make, tmp_path: Path) -> None:
    with serving(reply="three") as server:
        desk = make(cost_limit=4.0, prices=priced(tmp_path, server))
        asked = [at(server, turn=turn, longest=100) for turn in range(1000)]
        with pytest.raises(CostLimit, match="Raise --cost-limit"):
            [desk.ask(question) for question in asked]
        assert 3 < server.counts().total == len(list(desk.calls))
    spent = desk.calls.spent()
    assert 0 < spent < 4.0
    assert desk.calls.bill()[0].price == pytest.approx(spent)


def test_a_cost_limit_for_a_model_of_unknown_price_is_refused(make: Make) -> None:
    with serving(reply="three") as server:
        with pytest.raises(UserMistake, match="price of .* is not known, so a cost limit cannot"):
            make(cost_limit=4.0).ask(at(server))
        assert server.counts().total == 0


def test_many_questions_are_asked_side_by_side_and_answered_in_order(make: Make) -> None:
    with serving(seconds=0.1, rules=[
        {"contains": f"number {n} ", "reply": f"answer {n}"} for n in range(12)
    ], reply={"behaviour": "no_model"}) as server:  # fmt: skip
        asked = [at(server, f"number {n} ?") for n in (*range(12), 99)]
        *found, last = make().ask_many(asked)
        assert server.counts().most_in_flight > 6
    assert [reply.text for reply in found] == [f"answer {n}" for n in range(12)]  # type: ignore[union-attr]
    assert isinstance(last, Unavailable)


def test_a_model_is_asked_by_prompt_pictures_and_schema(make: Make) -> None:
    with serving(reply="three") as server:
        asked = model(f"{server.url}#judge", make())
        assert asked.ask("How many?", (), None).text == "three"


def test_a_reply_of_megabytes_is_not_kept(make: Make) -> None:
    with serving(reply={"behaviour": "huge", "size": 3_000_000}) as server:
        with pytest.raises(Unreadable, match="sent more than 1 MB"):
            make().ask(at(server))
        assert server.counts().total == 1  # the next would be as long, and be paid for too


def test_what_was_not_told_or_may_have_been_paid_counts_at_its_dearest(
    make: Make, tmp_path: Path
) -> None:
    with serving(reply={"behaviour": "no_usage", "text": "three"}) as server:
        terms = {"cost_limit": 4.0, "prices": priced(tmp_path, server)}
        first = make(**terms)
        first.ask(at(server, longest=100))
        held = first.calls.spent()
        assert held > 0.5  # a byte a token, at a tenth of a cent
        assert make(**terms).budget.spent == held  # the next command has not forgotten it
    with serving(reply={"behaviour": "hang"}) as server:
        desk = make(deadline=0.2, retries=9, cost_limit=3.0, prices=priced(tmp_path, server))
        with pytest.raises(CostLimit):
            desk.ask(at(server, longest=100))
        assert server.counts().total < 6
        assert desk.calls.spent() <= 3.0 + held


def test_a_server_that_asks_for_an_hour_holds_nobody_else_back(make: Make) -> None:
    hour = {"behaviour": "rate_limited_seconds", "seconds": 3600}
    with serving(rules=[{"contains": "Why", "reply": hour}], reply="three") as server:
        desk = make()
        with pytest.raises(Unreachable, match="too many questions"):
            desk.ask(at(server, "Why?"))
        started = time.monotonic()
        assert desk.ask(at(server)).text == "three"
        assert time.monotonic() - started < 5


def test_a_key_that_was_not_accepted_is_not_tried_on_every_question(make: Make) -> None:
    with serving(reply={"behaviour": "bad_key"}) as server:
        desk = make()
        for turn in range(6):
            with pytest.raises(Unavailable, match="key was not accepted"):
                desk.ask(at(server, turn=turn))
        assert server.counts().total == 3
    flaky = ({"behaviour": "bad_key"}, {"behaviour": "bad_key"}, "three")
    with serving(replies=flaky * 3) as server:
        desk, found = make(), []
        for turn in range(9):
            with suppress(Unavailable):
                found.append(desk.ask(at(server, turn=turn)).text)
        assert (found, server.counts().total) == (["three"] * 3, 9)


def test_nobody_took_the_connection_so_nothing_was_paid(make: Make) -> None:
    desk = make(retries=1)
    with pytest.raises(Unreachable):
        desk.ask(Question(endpoint("http://127.0.0.1:9/v1#m"), "Anyone?"))
    assert desk.calls.bill()[0].possibly_paid_twice == 0


def test_a_word_as_short_as_no_key_is_left_in_a_reply(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERPAINT_API_KEY", "1")
    with serving(reply="11 of 11") as server:
        assert make().ask(at(server)).text == "11 of 11"


@contextmanager
def speaking(*parts: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A server that says just these bytes to whoever comes, and what it heard."""
    heard: list[bytes] = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection = listening.accept()[0]
                heard.append(connection.recv(65536))
                with suppress(OSError):
                    for part in parts:
                        connection.sendall(part)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):  # else what it has not read cuts what it said
                        pass
                connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1#m", heard
        listening.shutdown(socket.SHUT_RDWR)


def head(status: str, *lines: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "Connection: close", "", ""]).encode()


def test_a_redirect_takes_nothing_to_another_host(make: Make) -> None:
    moved = head("307 Moved", "Location: http://127.0.0.1:9/v1/x", "Content-Length: 0")
    with speaking(moved) as (name, heard):
        with pytest.raises(Unreachable, match=r"sends questions on to http://127.0.0.1:9/v1/x"):
            make().ask(Question(endpoint(name), "Hello?"))
        assert len(heard) == 1


@pytest.mark.parametrize("status", ["200 OK", "500 Oops"])
def test_a_body_without_end_or_packed_small_is_not_read_whole(make: Make, status: str) -> None:
    endless = [b"x" * 65536] * 400  # 26 MB, far more than is read
    packed = gzip.compress(b"0" * 50_000_000, 9)
    size = f"Content-Length: {len(packed)}"
    for said, told in (
        ((head(status), *endless), "sent more than|more than any reply"),
        ((head(status, "Content-Encoding: gzip", size), packed), "sent no JSON|said 500"),
    ):
        with speaking(*said) as (name, _), pytest.raises(OverpaintError, match=told):
            make(retries=0).ask(Question(endpoint(name), "Hello?"))


@pytest.mark.parametrize("alphabet", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_reply_in_another_alphabet_of_json_is_read_and_kept(make: Make, alphabet: str) -> None:
    body = json.dumps({"choices": [{"message": {"content": "drei – 三"}}]}, ensure_ascii=False)
    with speaking(head("200 OK", "Content-Type: text/plain; charset=rot13"),
                  body.encode(alphabet)) as (name, _):  # fmt: skip
        desk = make(retries=0)
        assert desk.ask(Question(endpoint(name), "Hello?")).text == "drei – 三"
        assert desk.ask(Question(endpoint(name), "Hello?")).recalled


def test_a_key_spelt_in_escapes_is_found_all_the_same(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OVERPAINT_API_KEY", "sk-very-secret")
    spelt = "".join(f"\\u{ord(letter):04x}" for letter in "sk-very-secret")
    body = f'{{"choices": [{{"message": {{"content": "", "refusal": "{spelt}"}}}}]}}'
    with speaking(head("200 OK"), body.encode()) as (name, _):
        desk = make(retries=0)
        with pytest.raises(Refused, match=r"declined: \(key\)"):
            desk.ask(Question(endpoint(name), "Hello?"))
        (call,) = desk.calls
    assert "secret" not in call.reply
    assert spelt not in call.reply


def test_a_reply_that_cannot_be_written_down_ends_more_than_its_question(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    desk = make()
    desk.check()
    monkeypatch.setattr(desk.calls, "end", full)
    with serving(reply="two") as server, pytest.raises(StoreError, match="disk is full"):
        desk.ask(at(server))
    with pytest.raises(StoreError, match="disk is full"):
        desk.check()
