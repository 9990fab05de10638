"""Every behaviour of the fake server, as a real client sees it."""

import contextlib
import json
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

import httpx2
import openai
import pytest

from overpaint.testing import BEHAVIOURS, FakeServer, Rule, Script
from overpaint.testing.behaviours import table

pytestmark = pytest.mark.slow

GOOD = {"score": 4, "rationale": "The words are right."}
TEXT = json.dumps(GOOD)
FORMAT = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": {"type": "object"}}}


def _plays(name: str) -> Rule:
    how = {"seconds": 0.002} if name == "drip" else {"size": 3_000_000} if name == "huge" else {}
    return Rule(f"<{name}>", {"behaviour": name, "json": GOOD, **how})


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer(Script(rules=tuple(map(_plays, BEHAVIOURS)))) as server:
        yield server


@pytest.fixture(scope="module")
def client(server: FakeServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=server.url, api_key="none", max_retries=0, timeout=5) as client:
        yield client


def ask(client: openai.OpenAI, name: str, **more: object) -> openai.types.chat.ChatCompletion:
    messages = [{"role": "user", "content": f"<{name}> How good is it?"}]
    return client.chat.completions.create(model="eye", messages=messages, **more)


def said(client: openai.OpenAI, name: str) -> str | None:
    return ask(client, name).choices[0].message.content


# ── right answers ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["ok", "delay", "no_usage", "reasoning", "no_format"])
def test_a_right_answer_says_what_was_scripted(client: openai.OpenAI, name: str) -> None:
    reply = ask(client, name)
    assert reply.choices[0].message.content == TEXT
    assert (reply.choices[0].finish_reason, reply.model) == ("stop", "eye")
    assert (reply.usage is None) == (name == "no_usage")


def test_tokens_are_counted_in_letters(client: openai.OpenAI) -> None:
    usage = ask(client, "ok").usage
    assert usage.prompt_tokens == -(-len("<ok> How good is it?") // 4)
    assert usage.completion_tokens == -(-len(TEXT) // 4)
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens


def test_a_delayed_answer_is_late(client: openai.OpenAI) -> None:
    started = time.monotonic()
    ask(client, "delay")
    assert 0.15 < time.monotonic() - started < 3


@pytest.mark.slow
def test_a_dripping_answer_comes_whole_in_the_end_whatever_the_time_between_bytes(
    client: openai.OpenAI,
) -> None:
    started = time.monotonic()
    assert ask(client, "drip", timeout=0.3).choices[0].message.content == TEXT
    assert time.monotonic() - started > 0.6  # longer than the timeout, which is between bytes


def test_reasoning_stands_beside_the_answer(client: openai.OpenAI) -> None:
    message = ask(client, "reasoning").choices[0].message
    assert "words look right" in message.reasoning_content


def test_a_server_without_response_format_says_so_and_answers_plain_questions(
    client: openai.OpenAI,
) -> None:
    with pytest.raises(openai.BadRequestError, match="'response_format' is not supported") as told:
        ask(client, "no_format", response_format=FORMAT)
    assert told.value.param == "response_format"
    assert said(client, "no_format") == TEXT


# ── statuses ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "kind", "status", "code"),
    [
        ("rate_limited", openai.RateLimitError, 429, "rate_limit_exceeded"),
        ("rate_limited_seconds", openai.RateLimitError, 429, "rate_limit_exceeded"),
        ("rate_limited_date", openai.RateLimitError, 429, "rate_limit_exceeded"),
        ("no_quota", openai.RateLimitError, 429, "insufficient_quota"),
        ("server_error", openai.InternalServerError, 500, None),
        ("bad_gateway", openai.InternalServerError, 502, None),
        ("overloaded", openai.InternalServerError, 503, None),
        ("bad_key", openai.AuthenticationError, 401, "invalid_api_key"),
        ("no_model", openai.NotFoundError, 404, "model_not_found"),
        ("too_long", openai.BadRequestError, 400, "context_length_exceeded"),
    ],
)
def test_a_status_is_the_error_that_clients_know(
    client: openai.OpenAI, name: str, kind: type[openai.APIStatusError], status: int, code: str
) -> None:
    with pytest.raises(kind) as told:
        ask(client, name)
    assert (told.value.status_code, told.value.code) == (status, code)


def test_a_rate_limit_says_when_to_come_back_in_seconds_as_a_date_or_not(
    client: openai.OpenAI,
) -> None:
    found = {}
    for name in ("rate_limited", "rate_limited_seconds", "rate_limited_date", "no_quota"):
        with pytest.raises(openai.RateLimitError) as told:
            ask(client, name)
        found[name] = told.value.response.headers.get("retry-after")
    assert found["rate_limited"] is found["no_quota"] is None
    assert found["rate_limited_seconds"] == "1"
    then = parsedate_to_datetime(found["rate_limited_date"]).timestamp()
    assert 0 < then - time.time() <= 2


def test_a_bad_gateway_is_a_page_of_html(client: openai.OpenAI) -> None:
    with pytest.raises(openai.InternalServerError) as told:
        ask(client, "bad_gateway")
    assert told.value.response.headers["content-type"] == "text/html"
    assert "<html>" in told.value.response.text


# ── the wire ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("cut_before", httpx2.RemoteProtocolError),
        ("reset", httpx2.ReadError),
        ("garbage", httpx2.RemoteProtocolError),
    ],
)
def test_a_broken_line_is_a_connection_error(
    client: openai.OpenAI, name: str, cause: type[Exception]
) -> None:
    with pytest.raises(openai.APIConnectionError) as told:
        ask(client, name)
    assert isinstance(told.value.__cause__, cause)


def test_a_body_cut_in_the_middle_is_missing_half(client: openai.OpenAI) -> None:
    with pytest.raises((openai.APIConnectionError, httpx2.RemoteProtocolError)) as told:
        ask(client, "cut_within")
    assert "without sending complete message body" in str(told.value.__cause__ or told.value)


def test_who_hangs_is_left_after_the_clients_own_deadline(
    client: openai.OpenAI, server: FakeServer
) -> None:
    before = server.counts().left
    with pytest.raises(openai.APITimeoutError):
        ask(client, "hang", timeout=0.2)
    deadline = time.monotonic() + 5
    while server.counts().left == before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert server.counts().left == before + 1


@pytest.mark.parametrize("name", ["bad_json", "no_body"])
def test_a_body_that_is_no_json_cannot_be_read(client: openai.OpenAI, name: str) -> None:
    with client.chat.completions.with_streaming_response.create(
        model="eye", messages=[{"role": "user", "content": f"<{name}>"}]
    ) as response:
        raw = b"".join(response.iter_bytes())
    assert response.status_code == 200
    with pytest.raises(ValueError, match="Expecting value|Unterminated"):
        json.loads(raw)


# ── what is said ────────────────────────────────────────────────────────────────────────


def test_empty_and_null_say_nothing(client: openai.OpenAI) -> None:
    assert said(client, "empty") == ""
    assert said(client, "null") is None


def test_a_refusal_is_in_the_message_and_a_filter_in_the_finish_reason(
    client: openai.OpenAI,
) -> None:
    refused, filtered = ask(client, "refusal").choices[0], ask(client, "filtered").choices[0]
    assert (refused.message.content, bool(refused.message.refusal)) == (None, True)
    assert (filtered.message.content, filtered.finish_reason) == ("", "content_filter")


def test_a_reply_cut_off_by_length_is_the_beginning(client: openai.OpenAI) -> None:
    choice = ask(client, "cut_off").choices[0]
    assert choice.finish_reason == "length"
    assert TEXT.startswith(choice.message.content)
    assert 0 < len(choice.message.content) < len(TEXT)


def test_the_right_text_stands_in_a_fence_and_after_thinking(client: openai.OpenAI) -> None:
    fenced = said(client, "fenced")
    assert f"```json\n{TEXT}\n```" in fenced
    thought, _, rest = said(client, "thinking").partition("</think>")
    assert rest.strip() == TEXT
    assert thought.startswith("<think>")
    assert '"score": 1' in thought


def test_two_objects_are_two_verdicts(client: openai.OpenAI) -> None:
    first, second = said(client, "two_objects").splitlines()
    assert json.loads(first) == GOOD
    assert json.loads(second) == GOOD | {"score": 1}


@pytest.mark.parametrize(("name", "value"), [("half", 4.5), ("fraction", "4/5"), ("off_scale", 11)])
def test_a_number_that_is_no_level_stands_in_place_of_the_right_one(
    client: openai.OpenAI, name: str, value: object
) -> None:
    assert json.loads(said(client, name)) == GOOD | {"score": value}


@pytest.mark.parametrize("name", ["prose", "chinese"])
def test_prose_has_no_json_in_it(client: openai.OpenAI, name: str) -> None:
    text = said(client, name)
    assert len(text) > 20
    assert "{" not in text
    assert ("分" in text) == (name == "chinese")


def test_a_huge_reply_is_megabytes_and_ends_rightly(client: openai.OpenAI) -> None:
    text = said(client, "huge")
    assert len(text) == 3_000_000 + len(TEXT)
    assert text.endswith(TEXT)


@pytest.mark.parametrize("name", ["anthropic", "ollama", "error_in_200"])
def test_another_dialect_is_a_200_without_choices(client: openai.OpenAI, name: str) -> None:
    raw = client.chat.completions.with_raw_response.create(
        model="eye", messages=[{"role": "user", "content": f"<{name}>"}]
    )
    found = json.loads(raw.content)
    assert "choices" not in found
    said = {
        "anthropic": lambda: found["content"][0]["text"] == TEXT,
        "ollama": lambda: found["message"]["content"] == TEXT,
        "error_in_200": lambda: found["error"]["code"] == 502,
    }
    assert said[name]()


def test_no_choices_are_an_empty_list(client: openai.OpenAI) -> None:
    assert ask(client, "no_choices").choices == []


# ── the table ───────────────────────────────────────────────────────────────────────────


def test_every_behaviour_has_a_line_of_its_own() -> None:
    lines = table().splitlines()
    assert [line.split()[0] for line in lines] == list(BEHAVIOURS)
    assert all(0 < len(each.about) < 90 for each in BEHAVIOURS.values())


@pytest.mark.slow
def test_every_behaviour_is_counted_under_its_name() -> None:
    rules = tuple(map(_plays, BEHAVIOURS))
    with FakeServer(Script(rules=rules), process=False) as server, httpx2.Client() as client:
        for name in BEHAVIOURS:
            body = {"messages": [{"role": "user", "content": f"<{name}>"}]}
            with contextlib.suppress(httpx2.HTTPError):
                client.post(f"{server.url}/chat/completions", json=body, timeout=0.3)
        counts = server.counts()
    assert counts.behaviours == dict.fromkeys(BEHAVIOURS, 1)
    assert counts.statuses["none"] == 3
