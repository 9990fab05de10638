"""A rater's way through a study, over the server's own routes."""

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_study import SAID, Served, begin, make_run, make_study

from overpaint.rating import raters
from overpaint.rating.book import Book


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(begin(make_run(tmp_path / "run")))
    yield found
    found.close()


def test_a_rater_agrees_rates_every_item_and_is_finished(served: Served) -> None:
    rater = served.join()
    total = rater.state()["rater"]["total"]
    assert total == 8
    for place in range(1, total + 1):
        item = rater.get(f"/api/items/{place}").json()
        assert (item["place"], item["answers"], item["revision"]) == (place, None, 0)
        assert rater.get(item["shown"][0]["url"]).headers["content-type"] == "image/png"
        reply = rater.save(place).json()
        assert (reply["saved"], reply["place"]) == (True, place + 1)
    assert reply["finished"]
    assert rater.state()["rater"]["finished"]
    assert len(served.book.ratings()) == 8 * 4


def test_nothing_is_shown_before_consent(served: Served) -> None:
    rater = served.join(consent=False)
    assert rater.get("/api/items/1").status_code == 403
    assert rater.get("/api/items/1").json()["consent"] is False
    picture = next(iter(served.book.pictures))
    assert rater.get(f"/pictures/{picture}").status_code == 403
    assert rater.save(1).status_code == 403
    assert rater.send("POST", "/api/consent", {"version": "another"}).status_code == 409
    rater.consent()
    assert rater.get("/api/items/1").status_code == 200


def test_a_place_is_open_only_up_to_the_first_unanswered_one(served: Served) -> None:
    rater = served.join()
    for place in ("2", "0", "-1", "999999999999", "x", "1.0"):
        assert rater.get(f"/api/items/{place}").status_code == 404
    assert rater.save(2).status_code == 404


def test_a_rater_who_goes_back_changes_the_answer_and_the_earlier_one_is_kept(
    served: Served,
) -> None:
    rater = served.join()
    rater.save(1)
    rater.save(2)
    item = rater.get("/api/items/1").json()
    assert (item["answers"], item["revision"]) == (SAID, 1)
    reply = rater.save(1, SAID | {"quality": 1.5}, revision=1)
    assert reply.json()["revision"] == 2
    assert reply.json()["place"] == 3
    (first, _) = list(served.book.given())
    assert first.answers["quality"] == 1.5
    assert first.changes == 1
    (kept,) = served.book.db.execute("SELECT count(*) FROM history WHERE place = 1").fetchone()
    assert kept == 2


def test_the_same_answer_sent_again_after_a_lost_reply_is_saved_once(served: Served) -> None:
    rater = served.join()
    once = rater.save(1).json()
    again = rater.save(1)
    assert again.status_code == 200
    assert again.json() | {"seconds_left": 0} == once | {"seconds_left": 0}
    counts = [served.book.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
              for table in ("answers", "history")]  # fmt: skip
    assert counts == [1, 1]


def test_of_two_tabs_the_second_is_shown_what_the_first_has_stored(served: Served) -> None:
    rater = served.join()
    rater.save(1, SAID | {"quality": 2})
    reply = rater.save(1, SAID | {"quality": 5})
    assert reply.status_code == 409
    assert reply.json()["answers"]["quality"] == 2
    assert reply.json()["revision"] == 1


def test_going_on_after_a_break_is_enforced_by_the_server(served: Served) -> None:
    rater = served.join()
    rater.get("/api/items/1")
    rater.save(1)
    for _ in range(7):  # always there, so that no pause of theirs is a break
        served.clock.now += 4 * 60
        rater.get("/api/items/2")
    served.clock.now += 3 * 60
    assert rater.save(2).status_code == 200, "what was on the screen may still be saved"
    refused = rater.get("/api/items/3")
    assert refused.status_code == 403
    assert 0 < refused.json()["break_left"] <= 240
    assert "4 minutes" in refused.json()["error"]
    assert rater.save(3).status_code == 403
    served.clock.now += 4 * 60 + 1
    assert rater.get("/api/items/3").status_code == 200
    assert rater.state()["rater"]["seconds_left"] == 1800


def test_what_was_acknowledged_is_there_when_the_study_is_opened_again(served: Served) -> None:
    rater = served.join()
    rater.save(1)
    with Book.open(served.book.folder, "test") as again:
        assert [one.answers for one in again.given()] == [SAID]


def test_opening_the_link_elsewhere_goes_on_there_and_ends_the_first(served: Served) -> None:
    first = served.join()
    first.save(1)
    second = served.join(first.token)
    assert not first.elsewhere
    assert second.elsewhere
    assert first.get("/api/state").status_code == 401
    assert first.save(2).status_code == 401
    assert second.state()["rater"]["place"] == 2


def test_withdrawal_deletes_every_answer_for_good_and_frees_the_items(served: Served) -> None:
    rater, other = served.join(), served.join()
    rater.save(1, comment="a very private remark")
    other.save(1)
    assert served.book.study.per_item == 2
    assert rater.send("POST", "/api/withdraw", {"sure": "yes"}).status_code == 422
    assert rater.send("POST", "/api/withdraw", {"sure": True}).json() == {"withdrawn": True}
    assert rater.get("/api/state").status_code == 401
    wrong = served.browser().post("/api/join", json={"token": rater.token})
    assert wrong.status_code == 401
    folder = served.book.folder / "studies"
    data = b"".join(file.read_bytes() for file in folder.iterdir())
    assert b"a very private remark" not in data
    assert len(served.book.ratings()) == 4, "the other rater's stay"
    assert served.join().state()["rater"]["total"] == 8, "a later link gets the items"


def test_training_items_have_feedback_and_do_not_count(tmp_path: Path) -> None:
    served = Served(begin(make_run(tmp_path / "run"), make_study(training=3)))
    rater = served.join()
    assert rater.state()["rater"]["training"] == 3
    for place in (1, 2, 3):
        assert rater.get(f"/api/items/{place}").json()["phase"] == "training"
        assert set(rater.save(place).json()["feedback"]) == {"en", "zh"}
    assert rater.get("/api/items/4").json()["phase"] == "rating"
    assert rater.save(4).json()["feedback"] is None
    assert len(served.book.ratings()) == 4
    assert len(served.book.ratings(("training",))) == 12
    served.close()


def test_a_pair_is_told_as_it_stands_in_the_book_whichever_way_it_was_shown(
    tmp_path: Path,
) -> None:
    served = Served(begin(make_run(tmp_path / "run"), make_study("pairs", per_item=2)))
    rater = served.join()
    for place in range(1, 5):
        shown = rater.get(f"/api/items/{place}").json()["shown"]
        item = served.book.item(_item(served, place))
        first = shown[0]["url"].endswith(served.book.name_of(item.shown[0]))
        rater.save(place, {"better": "left" if first else "right"})
    assert {one.value for one in served.book.ratings()} == {1.0}
    assert {one.against for one in served.book.ratings()} == {"quagga"}
    served.close()


def _item(served: Served, place: int) -> int:
    row = served.book.db.execute("SELECT item FROM places WHERE place = ?", (place,)).fetchone()
    return int(row[0])


def test_boxes_that_do_not_agree_are_asked_for_again_with_ones_own_earlier_box(
    tmp_path: Path,
) -> None:
    study = make_study("boxes", editors=("quagga",))
    served = Served(begin(make_run(tmp_path / "run", samples=1), study))
    one, other = served.join(), served.join()
    small = {"x": 10, "y": 10, "width": 20, "height": 20}
    large = {"x": 10, "y": 10, "width": 40, "height": 20}
    assert one.save(1, {"box": small}).json()["finished"]
    other.save(1, {"box": large})
    again = one.get("/api/items/2").json()
    assert (again["round"], again["earlier"]) == (2, {"box": small})
    one.save(2, {"box": large})
    assert other.save(2, {"box": large}).json()["finished"]
    assert one.state()["rater"]["finished"]
    assert {rating.box for rating in served.book.ratings()} == {(10, 10, 40, 20)}
    assert len(served.book.ratings()) == 2
    served.close()


def test_a_rater_who_comes_late_is_asked_with_the_others_from_then_on(tmp_path: Path) -> None:
    study = make_study("boxes", editors=("quagga",))
    served = Served(begin(make_run(tmp_path / "run", samples=1), study))
    one, other = served.join(), served.join()
    boxes = [{"box": {"x": 40 * n, "y": 0, "width": 20, "height": 20}} for n in range(2)]
    one.save(1, boxes[0])
    other.save(1, boxes[1])
    other.send("POST", "/api/withdraw", {"sure": True})
    assert one.save(2, boxes[0]).json()["finished"]
    late = served.join()
    late.save(1, boxes[1])
    assert late.get("/api/items/2").json()["round"] == 3
    assert one.get("/api/items/3").json()["earlier"] == boxes[0]
    served.close()


def test_boxes_are_asked_for_three_times_at_most(tmp_path: Path) -> None:
    study = make_study("boxes", editors=("quagga",))
    served = Served(begin(make_run(tmp_path / "run", samples=1), study))
    people = [served.join(), served.join()]
    for turn in (1, 2, 3):
        for n, person in enumerate(people):
            box = {"x": 50 * n, "y": 0, "width": 20, "height": 20}
            last = person.save(turn, {"box": box}).json()
    assert last["finished"]
    assert people[0].get("/api/items/4").status_code == 404
    served.close()


def test_a_comment_with_script_is_stored_and_sent_as_text(served: Served) -> None:
    rater = served.join()
    item = rater.get("/api/items/1")
    assert "<script>" in item.json()["instruction"]
    assert item.headers["content-type"] == "application/json"
    assert item.headers["x-content-type-options"] == "nosniff"
    rater.save(1, comment="<script>alert(1)</script>")
    assert rater.get("/api/items/1").json()["comment"] == "<script>alert(1)</script>"
    assert "'unsafe-inline'" not in item.headers["content-security-policy"]


def test_a_session_ends_by_itself_after_a_week(served: Served) -> None:
    rater = served.join()
    served.clock.now += 6 * 86_400
    assert rater.get("/api/state").status_code == 200
    served.clock.now += 2 * 86_400
    assert rater.get("/api/state").status_code == 401
    assert served.join(rater.token).state()["rater"]["place"] == 1


def test_a_new_link_replaces_a_lost_one(served: Served) -> None:
    rater = served.join()
    rater.save(1)
    (link,) = raters.renew(served.book, ["R01"])
    assert rater.get("/api/state").status_code == 401
    assert served.browser().post("/api/join", json={"token": rater.token}).status_code == 401
    assert served.join(link.token).state()["rater"]["place"] == 2


def test_replies_are_json_and_never_kept_by_a_cache(served: Served) -> None:
    rater = served.join()
    for path in ("/api/state", "/api/items/1"):
        reply = rater.get(path)
        assert reply.headers["cache-control"] == "no-store"
        json.loads(reply.text)


def test_a_withdrawal_while_somebody_reads_waits_for_nobody_and_is_finished_later(
    served: Served,
) -> None:
    rater, other = served.join(), served.join()
    assert rater.save(1, comment="remember-me").status_code == 200
    file = served.book.folder / "studies" / "test.db"
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM answers").fetchone()
    started = time.monotonic()
    assert rater.send("POST", "/api/withdraw", {"sure": True}).status_code == 200
    assert time.monotonic() - started < 5
    assert served.book.unsettled
    reader.execute("COMMIT")
    reader.close()
    for _ in range(50):
        other.state()
        if not served.book.unsettled:
            break
        time.sleep(0.05)
    left = b"".join(one.read_bytes() for one in file.parent.iterdir())
    assert b"remember-me" not in left


def test_what_a_killed_server_left_in_the_log_goes_when_the_study_is_served_again(
    served: Served,
) -> None:
    rater = served.join()
    rater.save(1, comment="remember-me")
    log = served.book.folder / "studies" / "test.db-wal"
    assert b"remember-me" in log.read_bytes()
    with Book.open(served.book.folder, "test") as again, again.served():
        assert log.read_bytes() == b""
