"""What strangers, other raters and other sites try, and what a bad disk does."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_study import EDITORS, SAID, Served, begin, make_run, make_study

from overpaint.errors import StoreError
from overpaint.rating import guarding
from overpaint.rating.guarding import LARGEST, POLICY, WRONG_JOINS, Rates, is_ours
from overpaint.rating.presets import questions_of

ADMIN = ("/api/admin/progress", "/api/admin/export.csv")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(begin(make_run(tmp_path / "run"), make_study(training=1)))
    yield found
    found.close()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One that several tests share, as they leave nothing behind."""
    found = Served(begin(make_run(tmp_path_factory.mktemp("rated") / "run")))
    yield found
    found.close()


def scope_of(path: str) -> dict[str, Any]:
    """A request whose body is still to come."""
    return {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
        "query_string": b"", "root_path": "", "scheme": "http", "http_version": "1.1",
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "asgi": {"version": "3.0"},
    }  # fmt: skip


# ── links and sessions ──────────────────────────────────────────────────────────────────


def test_a_wrong_token_opens_nothing_and_all_sound_the_same(served: Served) -> None:
    wrong: tuple[Any, ...] = ("", "wrong", "x" * 32, None, 7, ["x"], {"a": 1}, "x" * 9999)
    for token in wrong:
        reply = served.browser().post("/api/join", json={"token": token})
        assert reply.status_code == 401
        assert reply.json() == {"error": "This link is not known here, or no longer."}
        assert "set-cookie" not in reply.headers


def test_a_withdrawn_or_revoked_link_sounds_like_a_wrong_one(served: Served) -> None:
    rater, admin = served.join(), served.join(role="admin")
    admin.send("POST", "/api/admin/revoke", {"rater": "R01"})
    reply = served.browser().post("/api/join", json={"token": rater.token})
    assert reply.json() == {"error": "This link is not known here, or no longer."}
    assert rater.get("/api/state").status_code == 401


def test_after_ten_wrong_tokens_others_are_not_looked_at_but_right_ones_still_open(
    served: Served,
) -> None:
    token = served.links()[0]
    browser = served.browser()
    for _ in range(WRONG_JOINS):
        assert browser.post("/api/join", json={"token": "no"}).status_code == 401
    refused = browser.post("/api/join", json={"token": "no"})
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 61
    assert browser.post("/api/join", json={"token": token}).status_code == 200, "a lab's address"


def test_a_body_that_trickles_in_is_not_waited_for(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarding, "SLOWEST", 0.05)
    sent = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b" ", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message.get("status"))

    asyncio.run(served.app(scope_of("/api/join"), receive, send))
    assert sent[0] == 408


def test_a_session_that_asks_too_fast_is_told_to_wait() -> None:
    now = [0.0]
    rates = Rates(20.0, clock=lambda: now[0])
    assert [rates.asked("a") for _ in range(41)] == [0] * 40 + [1]
    assert rates.asked("b") == 0
    now[0] += 0.06
    assert rates.asked("a") == 0
    assert rates.asked("a") == 1


def test_a_page_that_asks_too_fast_is_told_so_by_the_server(tmp_path: Path) -> None:
    served = Served(begin(make_run(tmp_path / "run")))
    served.app.rates = Rates(5.0, clock=lambda: 0.0)
    rater = served.join()
    replies = [rater.get("/api/state") for _ in range(20)]
    assert replies[-1].status_code == 429
    assert replies[-1].headers["retry-after"] == "1"
    assert replies[-1].json()["error"] == "That was too fast. Please wait a moment."
    served.close()


@pytest.mark.parametrize("cookie", ["", "x", "x" * 32, "../../etc", "x" * 5000])
def test_a_made_up_session_is_none(lasting: Served, cookie: str) -> None:
    browser = lasting.browser()
    browser.cookies.set(lasting.server.cookie, cookie)
    for path in ("/api/state", "/api/items/1", *ADMIN, f"/pictures/{'0' * 32}"):
        assert browser.get(path).status_code == 401


def test_another_raters_mark_is_no_good_and_their_places_stay_theirs(served: Served) -> None:
    one, other = served.join(), served.join()
    one.save(1)
    reply = other.send("PUT", "/api/items/1", {}, **{"X-CSRF": one.csrf})
    assert reply.status_code == 403
    assert other.get("/api/items/1").json()["answers"] is None
    assert other.get("/api/items/2").status_code == 404


def test_tokens_and_sessions_are_kept_as_hashes_only(served: Served) -> None:
    rater = served.join()
    key = rater.browser.cookies[served.server.cookie]
    cookie = rater.browser.post("/api/join", json={"token": rater.token}).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    data = b"".join(f.read_bytes() for f in (served.book.folder / "studies").iterdir())
    for secret in (rater.token, key, rater.csrf):
        assert secret.encode() not in data


def test_roles_do_what_they_may_and_no_more(served: Served) -> None:
    rater, watcher = served.join(), served.join(role="observer")
    admin = served.join(role="admin")
    for path in ADMIN:
        assert rater.get(path).status_code == 403
        assert admin.get(path).status_code == 200
    assert watcher.get(ADMIN[0]).status_code == 200
    assert watcher.get(ADMIN[1]).status_code == 403
    for person in (rater, watcher):
        asked = {"role": "admin", "count": 1}
        assert person.send("POST", "/api/admin/links", asked).status_code == 403
        assert person.send("POST", "/api/admin/revoke", {"rater": "A01"}).status_code == 403
    assert admin.get("/api/items/1").status_code == 403
    assert admin.save(1).status_code == 403


@pytest.mark.parametrize(
    "asked",
    [{}, {"role": "rater"}, {"role": "king", "count": 1}, {"role": "rater", "count": 0},
     {"role": "rater", "count": True}, {"role": "rater", "count": 10**9}, {"role": [], "count": 1}],
)  # fmt: skip
def test_links_of_no_sense_are_not_made(lasting: Served, asked: Any) -> None:
    reply = lasting.join(role="admin").send("POST", "/api/admin/links", asked)
    assert reply.status_code == 422
    assert reply.json()["error"]


# ── other sites ─────────────────────────────────────────────────────────────────────────


FOREIGN: tuple[dict[str, str], ...] = (
    {"X-CSRF": ""}, {"X-CSRF": "0" * 43}, {"Origin": "http://evil.example"}, {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
    {"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"},
    {"Host": "evil.example"}, {"Host": ""},
)  # fmt: skip


def test_another_site_cannot_change_anything(served: Served) -> None:
    rater = served.join()
    data = {"answers": SAID, "comment": "", "seconds": 1, "revision": 0}
    for headers in FOREIGN:
        assert rater.send("PUT", "/api/items/1", data, **headers).status_code == 403, headers
        sure = rater.send("POST", "/api/withdraw", {"sure": True}, **headers)
        assert sure.status_code == 403, headers
    assert list(served.book.given(("training",))) == []
    assert rater.save(1).status_code == 200


def test_another_site_cannot_join_or_look(served: Served) -> None:
    token = served.links()[0]
    foreign = {"Origin": "http://evil.example"}
    browser = served.browser()
    assert browser.post("/api/join", json={"token": token}, headers=foreign).status_code == 403
    rater = served.join(token)
    for path in ("/api/state", "/api/items/1"):
        reply = rater.browser.get(path, headers={"Sec-Fetch-Site": "cross-site"})
        assert reply.status_code == 403
    arriving = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert rater.browser.get("/rate", headers=arriving).status_code == 200


@pytest.mark.parametrize(
    ("host", "ours"),
    [("127.0.0.1:80", True), ("localhost:123", True), ("[::1]:80", True), ("192.168.0.7", True),
     ("evil.example", False), ("localhost.evil.example", False), ("", False), ("a b", False),
     ("127.0.0.1.evil.example:80", False), ("[::1", False), ("localhost:99999999", False)],
)  # fmt: skip
def test_only_this_servers_own_names_are_answered(host: str, ours: bool) -> None:
    assert is_ours(host, {"localhost"}) is ours


def test_every_reply_has_the_strict_policy(served: Served) -> None:
    rater = served.join()
    replies = [
        rater.get("/"), rater.get("/rate"), rater.get("/admin"), rater.get("/static/nothing.js"),
        rater.get("/api/state"), rater.get("/nowhere"), rater.browser.delete("/api/state"),
        rater.get(rater.get("/api/items/1").json()["shown"][0]["url"]),
        rater.browser.get("/", headers={"Host": "evil.example"}),
    ]  # fmt: skip
    for reply in replies:
        assert reply.headers["content-security-policy"] == POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert "cache-control" in reply.headers
        assert "server" not in reply.headers
    assert "unsafe" not in POLICY


# ── paths, sizes, bodies ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "name",
    ["../test.db", "..%2f..%2frun.db", "%2e%2e/%2e%2e/run.db", "/etc/passwd", "%2fetc%2fpasswd",
     "....//run.db", "0" * 32, "0" * 31, "0" * 32 + ".png", "%00", "C:%5Cwindows"],
)  # fmt: skip
@pytest.mark.parametrize("below", ["pictures", "static"])
def test_a_path_in_a_pictures_address_leads_nowhere(lasting: Served, name: str, below: str) -> None:
    rater = lasting.join(role="observer")
    reply = rater.get(f"/{below}/{name}")
    assert reply.status_code == 404
    assert set(reply.json()) == {"error"}


def test_a_real_picture_hash_is_no_address(served: Served) -> None:
    rater = served.join()
    picture = next(iter(served.book.pictures.values()))
    assert rater.get(f"/pictures/{picture.sha256}").status_code == 404
    assert rater.get(f"/pictures/{picture.sha256[:32]}").status_code == 404


def test_fifty_megabytes_are_refused_by_their_length_alone(served: Served) -> None:
    reply = served.join().browser.post(
        "/api/withdraw", content=b"x", headers={"Content-Length": str(50 * 2**20),
                                                "Content-Type": "application/json"},
    )  # fmt: skip
    assert reply.status_code == 413
    assert "64 kB" in reply.json()["error"]
    assert reply.headers["connection"] == "close"


def test_fifty_megabytes_without_a_length_are_not_read_on(served: Served) -> None:
    given, status = [0], [0]

    async def receive() -> dict[str, Any]:
        given[0] += 2**15
        return {"type": "http.request", "body": b" " * 2**15, "more_body": given[0] < 50 * 2**20}

    async def send(message: Any) -> None:
        status[0] = message.get("status", status[0])

    asyncio.run(served.app(scope_of("/api/join"), receive, send))
    assert status[0] == 413
    assert given[0] <= LARGEST + 2**16


BROKEN = (b"", b"{", b"[]", b"null", b'{"token": NaN}', b"\xff\xfe", b"[" * 20_000, b'"x"')


def test_a_body_that_is_no_object_is_refused_with_a_sentence(served: Served) -> None:
    rater = served.join()
    headers = {"Content-Type": "application/json", "X-CSRF": rater.csrf}
    for body in BROKEN:
        reply = rater.browser.put("/api/items/1", content=body, headers=headers)
        assert reply.status_code == 400, body[:20]
        assert reply.json()["error"]


def test_an_answer_of_no_sense_is_refused_and_nothing_is_stored(served: Served) -> None:
    reply = served.join().save(1, SAID | {"quality": 99})
    assert (reply.status_code, reply.json()) == (422, {"error": "quality should be from 1 to 5."})
    assert list(served.book.given(("training", "rating"))) == []


# ── blindness and privacy ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["ebench", "scale", "pairs", "boxes"])
def test_nothing_a_rater_receives_names_an_editor(tmp_path: Path, kind: str) -> None:
    folder = make_run(tmp_path / "run")
    served = Served(begin(folder, make_study(kind, training=2, repeats=0.3), gold=True))
    rater = served.join()
    said = {"ebench": SAID, "pairs": {"better": "left"},
            "boxes": {"box": {"x": 1, "y": 1, "width": 5, "height": 5}},
            "scale": {one.name: 1 for one in questions_of("scale", scale="0-3")}}[kind]  # fmt: skip
    replies = [rater.get("/api/state")]
    for place in range(1, replies[0].json()["rater"]["total"] + 1):
        item = rater.get(f"/api/items/{place}")
        pictures = [*item.json()["shown"], item.json()["source"]]
        replies += [item, *(rater.get(one["url"]) for one in pictures)]
        replies.append(rater.save(place, said))
    secrets = [*EDITORS, "identity", "blank", "truth", "sample-", "gold", "repeat", str(tmp_path)]
    secrets += [one.sha256 for one in served.book.pictures.values()]
    assert len(replies) > 10
    for reply in replies:
        assert reply.status_code == 200
        told = reply.content + repr(dict(reply.headers)).encode()
        for secret in secrets:
            assert secret.encode() not in told, f"{secret} in {reply.url}"
    served.close()


def test_no_address_of_a_rater_is_stored(served: Served, capfd: pytest.CaptureFixture[str]) -> None:
    from starlette.testclient import TestClient

    token = served.links()[0]
    browser = TestClient(served.app, base_url="http://127.0.0.1", client=("203.0.113.77", 5000))
    browser.post("/api/join", json={"token": "wrong"})
    csrf = browser.post("/api/join", json={"token": token}).json()["csrf"]
    version = browser.get("/api/state").json()["study"]["consent"]["version"]
    browser.post("/api/consent", json={"version": version}, headers={"X-CSRF": csrf})
    browser.get("/api/items/1")
    files = list((served.book.folder / "studies").iterdir())
    assert files
    for file in files:
        assert b"203.0.113.77" not in file.read_bytes()
    out, err = capfd.readouterr()
    assert "203.0.113" not in out + err


# ── the disk ────────────────────────────────────────────────────────────────────────────


def test_a_full_disk_is_a_sentence_nothing_is_acknowledged_and_the_page_may_try_again(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rater = served.join()
    execute = type(served.book.db).execute

    def full(self: Any, sql: str, values: Any = ()) -> Any:
        if sql == "COMMIT":
            execute(self, "ROLLBACK")
            raise StoreError("The disk that holds the run is full.")
        return execute(self, sql, values)

    with monkeypatch.context() as patched:
        patched.setattr(type(served.book.db), "execute", full)
        reply = rater.save(1)
    assert reply.status_code == 503
    assert reply.headers["retry-after"] == "5"
    assert "try again" in reply.json()["error"]
    assert "full" in capsys.readouterr().err
    assert list(served.book.given(("training",))) == []
    assert rater.save(1).status_code == 200


def test_a_locked_file_is_a_sentence(served: Served, tmp_path: Path) -> None:
    rater = served.join()
    served.book.db.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(served.book.folder / "studies" / "test.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert rater.save(1).status_code == 503
    other.execute("ROLLBACK")
    other.close()
    assert rater.save(1).status_code == 200


def test_a_picture_that_changed_since_is_not_shown(tmp_path: Path) -> None:
    served = Served(begin(make_run(tmp_path / "run", fresh=True)))
    rater = served.join()
    item = rater.get("/api/items/1").json()
    name = item["shown"][0]["url"].rsplit("/", 1)[1]
    served.book.pictures[name].path.write_bytes(b"something else")
    reply = rater.get(item["shown"][0]["url"])
    assert (reply.status_code, "changed" in reply.json()["error"]) == (410, True)
    served.close()
