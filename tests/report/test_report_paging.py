"""`overpaint view` page by page: every sample of a run, read from the store as it is asked for."""

import gc
import json
import re
import sqlite3
import time
import weakref
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from made_run import Made, _put, make_run, make_sample
from test_report_view import Browser, serving

from overpaint.core import Score
from overpaint.errors import StoreError
from overpaint.report import live, paging, write_report
from overpaint.report.choosing import read_standings
from overpaint.report.deck import Deck
from overpaint.report.live import Live
from overpaint.report.tables import read_tables
from overpaint.store import DATABASE, Store, reading

SAMPLES = 25


def big_run(folder: Path) -> Path:
    """A run that has more samples than its gallery may hold here."""
    samples = [make_sample(folder / "data", f"a/{n:03}", n) for n in range(SAMPLES)]
    edits: dict[str, list[Made | None]] = {
        "good=outputs:a": [Made(100 + n, 10.0 + n, 0.9) for n in range(SAMPLES)],
        "poor=outputs:b": [
            Made(None, reason="no") if n == 4 else Made(50 + n, 200.0 - n, 0.5)
            for n in range(SAMPLES)
        ],
    }
    return make_run(folder, samples, edits)


def test_words_are_found_in_any_case_of_any_alphabet(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", name, n) for n, name in enumerate("abc")]
    said = ["Ändere ÜBERSCHRIFT zu GROß", "Поменяй ЦВЕТ", "Change it"]
    samples = [
        replace(one, request=replace(one.request, instruction=text))
        for one, text in zip(samples, said, strict=True)
    ]
    with Store.open(make_run(tmp_path / "run", samples, {})) as store:
        for words, found in (
            ("überschrift", ["a"]), ("ÄNDERE GROSS", ["a"]), ("цвет", ["b"]), ("CHANGE", ["c"]),
            ("a ä", ["a"]), ("", ["a", "b", "c"]),
        ):  # fmt: skip
            assert reading.saying(store, words.split()) == found


def test_odd_letters_in_tags_and_another_id_in_a_samples_body_cut_no_page(tmp_path: Path) -> None:
    tags = {"operation": "half \ud800", "split": "one"}
    samples = [make_sample(tmp_path / "data", "one", 0, tags=tags)]
    run = make_run(tmp_path / "run", samples, {"good=outputs:a": [Made(100, 10.0, 0.9)]})
    with closing(sqlite3.connect(run / DATABASE)) as database, database:
        database.execute("UPDATE samples SET body = json_set(body, '$.id', 'other')")
    with Store.open(run) as store:
        assert [one.id for one in reading.samples_of(store, ["one"]).values()] == ["one"]
        text = write_report(store, tmp_path / "report").read_text(encoding="utf-8")
        assert "half \\ud800" in text
    with serving(run) as browser:
        for address in ("/", "/samples", "/samples?id=one", "/blocks/1"):
            assert browser.read(address)[0] == 200


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return big_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def browser(run: Path) -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "LIMIT", 8)
        patch.setattr(paging, "PAGE", 10)
        with serving(run) as found:
            yield found


def deck(browser: Browser, address: str) -> dict[str, Any]:
    status, body = browser.read(address)
    assert status == 200, body
    found = re.search(r'id="deck">(.*?)</script>', body.decode(), re.DOTALL)
    assert found is not None
    told: dict[str, Any] = json.loads(found[1])
    return told


def ids(browser: Browser, address: str) -> list[str]:
    return [card["id"] for card in deck(browser, address)["samples"]]


def test_pages_one_after_the_other_hold_every_sample_once(browser: Browser) -> None:
    first, found = deck(browser, "/samples"), []
    assert (first["paging"]["pages"], first["paging"]["found"], first["total"]) == (3, 25, 25)
    address = "samples"
    while address:
        page = deck(browser, f"/{address}")
        found += [card["id"] for card in page["samples"]]
        address = page["paging"].get("next", "")
    assert found == [f"a/{n:03}" for n in range(SAMPLES)]
    assert deck(browser, "/samples?page=99")["paging"]["page"] == 3


def test_pages_are_sorted_and_filtered_where_the_samples_are(browser: Browser) -> None:
    assert ids(browser, "/samples?sort=worst&editor=good")[:2] == ["a/024", "a/023"]
    assert ids(browser, "/samples?sort=worst&editor=poor")[0] == "a/004"
    assert ids(browser, "/samples?status=missing") == ["a/004"]
    assert len(ids(browser, "/samples?tag.operation=delete")) == 10
    assert deck(browser, "/samples?tag.operation=delete")["paging"]["found"] == 12
    assert ids(browser, "/samples?q=TURN+007") == ["a/007"]
    assert ids(browser, "/samples?sort=worst&editor=good&tag.operation=delete&page=2") == [
        "a/003", "a/001",
    ]  # fmt: skip


def test_a_sample_is_found_by_its_id_on_whichever_page_it_is(browser: Browser) -> None:
    found = deck(browser, "/samples?id=a/017")
    assert found["paging"]["page"] == 2
    assert "a/017" in [card["id"] for card in found["samples"]]
    assert deck(browser, "/samples?id=017&sort=worst")["paging"]["asked"]["id"] == "017"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("id=nobody", "No sample that fits is called 'nobody'"), ("page=0", "no number of a page"),
        ("page=-1", "no number of a page"), ("sort=best", "order, worst, disputed, random"),
        ("editor=x", "good, poor"), ("tag.colour=red", "operation, split"),
        ("tag.operation=red", "change, delete"), ("what=x", "is not understood"),
        ("&".join(f"tag.{n}=x" for n in range(50)), "too many parts"),
    ],
)  # fmt: skip
def test_an_address_that_asks_for_nothing_there_is_says_what_there_is(
    browser: Browser, query: str, told: str
) -> None:
    status, body = browser.read(f"/samples?{query}")
    assert status == 400
    assert told in unescape(body.decode())
    assert b'<a href="samples">' in body


def test_an_address_that_is_refused_cannot_write_its_page(browser: Browser) -> None:
    _, body = browser.read("/samples?id=%3Cscript%3Ealert(1)%3C/script%3E")
    assert b"<script" not in body
    assert "<script>alert(1)</script>" in unescape(body.decode())


def test_the_report_of_a_large_run_shows_a_choice_and_leads_to_the_rest(browser: Browser) -> None:
    page = deck(browser, "/")
    assert page["total"] == SAMPLES
    assert 2 <= len(page["samples"]) <= 6
    assert all(card["why"] for card in page["samples"])


def test_editor_against_editor_is_counted_on_all_samples_and_not_on_the_chosen(
    browser: Browser,
) -> None:
    page = deck(browser, "/")
    mse = [one["name"] for one in page["measures"]].index("mse")
    assert page["versus"][mse] == [[[0, 25], [24, 0]], [[0, 0], [0, 24]]]
    ssim = [one["name"] for one in page["measures"]].index("ssim")  # of which more is better
    assert page["versus"][ssim] == [[[0, 25], [24, 0]], [[0, 0], [0, 24]]]


def test_what_stands_on_a_sample_is_asked_for_by_its_number(browser: Browser) -> None:
    number = deck(browser, "/samples?page=3")["numbers"][0]
    assert number == 21
    assert browser.read(f"/inside/{number}") == (200, b"null")
    assert browser.read("/inside/999999999")[0] == 404


def test_a_page_is_shown_while_an_editor_comes_that_its_tables_do_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "QUICK", -1.0)
    monkeypatch.setattr(live, "REST", 1e6)
    run = big_run(tmp_path)
    with serving(run) as browser:
        before = deck(browser, "/samples")
        assert "age" not in before["paging"]
        with Store.open(run) as store:
            sample = store.sample("a/004")
            store.add_editor("late", "outputs:late")
            store.add_measure("vote", "vote", "1", pairs=True)
            _put(store, run, sample, "late", Made(33, 90.0, 0.4))
            late, good = store.edit(sample, "late"), store.edit(sample, "good")
            assert late
            assert good
            store.put_scores([Score(late, "vote", 1.0, against="good")], {})
            store.put_scores([Score(good, "vote", 1.0, against="late")], {})
        shown = deck(browser, "/samples")["samples"]
        assert [card["edits"] for card in shown] == [card["edits"] for card in before["samples"]]
        assert shown[4]["votes"] == []
        assert browser.read("/inside/5")[0] == 200


def test_a_slow_page_is_drawn_behind_and_says_how_old_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "QUICK", -1.0)
    monkeypatch.setattr(live, "REST", 1e6)
    run = big_run(tmp_path)
    with serving(run) as browser:
        before = browser.read("/")[1]
        first = json.loads(browser.read("/version")[1])
        assert "age" not in first
        with Store.open(run) as store:
            _put(store, run, store.sample("a/004"), "poor", Made(33, 90.0, 0.4))
        deadline = time.monotonic() + 10
        while (now := json.loads(browser.read("/version")[1]))["now"] == first["now"]:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert now["version"] == first["version"]
        assert int(now["age"]) >= 0
        assert browser.read("/")[1] == before  # it rests
        cards = {card["id"]: card for card in deck(browser, "/samples")["samples"]}
        assert cards["a/004"]["edits"][1][0] is not None  # what is read by pages is new
        lacking = deck(
            browser, "/samples?status=missing"
        )  # which those are is not, and that is said
        assert [card["id"] for card in lacking["samples"]] == ["a/004"]
        assert lacking["paging"]["age"] >= 0
        monkeypatch.setattr(live, "REST", 0)
        browser.read("/")
        while json.loads(browser.read("/version")[1])["version"] == first["version"]:
            assert time.monotonic() < deadline + 20
            time.sleep(0.02)
        assert browser.read("/")[1] != before
        fresh = deck(browser, "/samples?status=missing")["paging"]
        assert fresh["found"] == 0
        assert "age" not in fresh


@pytest.mark.slow
def test_why_a_page_cannot_be_drawn_anew_is_said_until_it_can_and_it_rests_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "QUICK", -1.0)
    run, tries, working = big_run(tmp_path), [0], live.make_deck

    def failing(*_: object, **__: object) -> Deck:
        tries[0] += 1
        time.sleep(0.3)
        raise StoreError("The run is damaged.")

    with Live(run) as served:
        served.page()
        assert served._drawn is not None
        served._drawn = replace(served._drawn, seconds=0.0)  # it has rested
        monkeypatch.setattr(live, "make_deck", failing)
        served.version += 1
        served.news()
        served._behind.join()
        for _ in range(12):  # the run is looked at meanwhile, and that goes well
            assert json.loads(served.news())["trouble"] == "The run is damaged."
            time.sleep(0.1)
        assert tries == [1]
        monkeypatch.setattr(live, "make_deck", working)
        monkeypatch.setattr(live, "REST", 0)
        served.news()
        served._behind.join()
        assert "trouble" not in json.loads(served.news())


def test_what_comes_while_a_page_of_samples_is_read_is_news_to_it(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    working = live.deck_of
    with Live(run) as served:
        before = served.version

        def meanwhile(*args: Any) -> Deck:
            served.version += 1
            return working(*args)

        monkeypatch.setattr(live, "deck_of", meanwhile)
        assert f'"version":"{before}"' in served.samples("").decode()


def test_an_index_goes_as_soon_as_there_is_a_newer_one(run: Path) -> None:
    with Store.open(run) as store:
        index = paging.Index(read_standings(store, read_tables(store)))
        index.page(store, paging.Asked(sort="worst"))
    seen = weakref.ref(index)
    gc.disable()  # it counts references alone
    try:
        del index
        assert seen() is None
    finally:
        gc.enable()
