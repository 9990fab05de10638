"""Paging through a large run in a real browser: by mouse, by keyboard, by address."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_run import Made, _put, make_run, make_sample
from test_report_axe import findings
from test_report_browser import Seen, go_to_gallery, report
from test_report_paging import big_run
from test_report_view import serving

from overpaint.report import live, paging, write_report
from overpaint.store import Store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return big_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def address(run: Path) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "LIMIT", 8)
        patch.setattr(paging, "PAGE", 10)
        with serving(run) as found:
            yield f"http://127.0.0.1:{found.port}/"


def first_title(page: Any) -> str:
    page.wait_for_selector(".row")
    return str(page.locator(".row-title").first.inner_text())


def test_pages_are_turned_by_links_keys_and_numbers(chromium: Any, address: str) -> None:
    seen = Seen(chromium)
    page = seen.page
    page.goto(f"{address}samples")
    assert first_title(page) == "a/000"
    assert "Samples 1 to 10 of 25." in page.inner_text("#gallery-count")
    page.locator(".pager a[rel=next]").first.click()
    page.wait_for_url("**page=2")
    assert first_title(page) == "a/010"
    page.keyboard.press("n")
    page.wait_for_url("**page=3")
    page.keyboard.press("p")
    page.wait_for_url("**page=2")
    page.locator(".pager input[type=number]").first.fill("3")
    page.keyboard.press("Enter")
    page.wait_for_url("**page=3")
    assert first_title(page) == "a/020"
    page.select_option("#sort-choice", "worst")
    page.select_option("#editor-choice", "poor")
    page.wait_for_url("**editor=poor**")
    assert first_title(page) == "a/004"
    page.locator(".to-sample input").first.fill("a/017")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    assert page.inner_text("#detail-id") == "a/017"
    assert seen.errors == []


def test_where_no_sample_fits_there_is_a_sentence_and_a_way_to_all_but_nothing_to_turn(
    chromium: Any, address: str
) -> None:
    page = Seen(chromium).page
    page.goto(f"{address}samples?q=zzzz")
    assert page.inner_text("#gallery-count") == "No sample fits what is asked for. All 25 samples"
    assert page.locator(".pager:visible").count() == 0
    page.get_by_role("link", name="All 25 samples").click()
    assert first_title(page) == "a/000"
    page.goto(f"{address}samples?id=nope")
    assert "No sample that fits is called" in page.inner_text("main")
    page.get_by_role("link", name="All samples").click()
    assert first_title(page) == "a/000"


def test_the_view_of_a_sample_goes_on_over_the_end_of_a_page(chromium: Any, address: str) -> None:
    seen = Seen(chromium)
    page = seen.page
    page.goto(f"{address}samples?sort=worst&editor=good#~at=last&with=poor")
    page.wait_for_selector("dialog[open]")
    assert page.inner_text("#detail-place") == "10 of 25"
    page.keyboard.press("j")
    page.wait_for_url("**page=2**")
    page.wait_for_selector("dialog[open]")
    assert page.inner_text("#detail-place") == "11 of 25"
    assert page.get_attribute("#strip [aria-checked=true]", "title") is None
    assert "poor" in page.inner_text("#strip [aria-checked=true]")
    page.keyboard.press("k")
    page.wait_for_url("**with=poor**")
    page.wait_for_function("document.getElementById('detail-place').innerText === '10 of 25'")
    assert seen.errors == []


def test_the_id_that_is_gone_to_is_the_whole_one_where_others_end_like_it(
    chromium: Any, tmp_path: Path
) -> None:
    names = ["x/a/1", "a/1", "b"]
    samples = [make_sample(tmp_path / "data", name, n) for n, name in enumerate(names)]
    run = make_run(tmp_path / "run", samples, {"good=outputs:a": [Made(100, 10.0, 0.9)] * 3})
    with serving(run) as found:
        page = Seen(chromium).page
        for asked, shown in (("a/1", "a/1"), ("x/a/1", "x/a/1"), ("b", "b")):
            page.goto(f"http://127.0.0.1:{found.port}/samples?id={asked}")
            page.wait_for_selector("dialog[open]")
            assert page.inner_text("#detail-id") == shown


def test_the_report_shows_the_worst_first_and_leads_to_all(
    chromium: Any, address: str, run: Path
) -> None:
    seen = Seen(chromium)
    page = seen.page
    page.goto(address)
    counted = page.locator("#versus-told").text_content()
    assert counted.startswith("good is better on 24, poor on 0, equal on 0 of 24 samples. The dots")
    go_to_gallery(page)
    page.select_option("#why-choice", "worst")
    assert first_title(page) == "a/004"  # one editor made nothing of it
    assert "no. 1 of the worst" in page.locator(".row .why").first.inner_text()
    page.get_by_role("link", name="All 25, page by page").click()
    page.wait_for_url("**/samples")
    assert first_title(page) == "a/000"
    assert seen.errors == []
    with Store.open(run) as store:
        path = write_report(store, run / "report", limit=8)
    alone = Seen(chromium).open(path)
    go_to_gallery(alone)
    assert "overpaint view RUN pages through the others." in alone.inner_text("#gallery-count")


def test_an_editor_can_be_chosen_where_that_changes_what_is_shown(
    chromium: Any, address: str
) -> None:
    page = Seen(chromium).page
    for asked, counts in (
        ("", False), ("?sort=random", False), ("?sort=disputed", False), ("?sort=worst", True),
        ("?status=missing", True), ("?sort=random&status=complete", True),
    ):  # fmt: skip
        page.goto(f"{address}samples{asked}")
        page.wait_for_selector(".row")
        assert page.locator("#editor-choice").is_enabled() is counts
        assert page.locator("#measure-choice").is_enabled()  # its scores stand under the pictures


def test_what_is_served_before_the_run_is_counted_and_after_the_server_has_ended_says_so(
    chromium: Any, address: str
) -> None:
    seen = Seen(chromium)
    page, told = seen.page, {"version": "1", "now": "1"}
    page.route("**/version", lambda route: route.fulfill(json=told))
    page.goto(f"{address}samples")
    page.wait_for_timeout(2500)
    assert page.inner_text("#news") == ""
    told |= {"edits": 2, "scores": 3}
    page.get_by_text("2 edits, 3 scores", exact=True).wait_for()
    answer = {}
    page.unroute("**/version")
    page.route("**/version", lambda route: route.fulfill(**answer))
    for status, body in ((500, "full"), (200, "half a rep"), (200, "null")):
        answer |= {"status": status, "body": body}
        with page.expect_response("**/version"):
            pass
        page.wait_for_timeout(100)
        assert page.inner_text("#news") == "2 edits, 3 scores"
    ended = page.get_by_text("The server has ended.", exact=True)
    for gone in (lambda route: route.fulfill(status=403), lambda route: route.abort()):
        page.unroute("**/version")
        page.route("**/version", gone)
        ended.wait_for()
        page.unroute("**/version")
        page.route("**/version", lambda route: route.fulfill(json=told))
        ended.wait_for(state="hidden")
    known = ("ERR_FAILED", "status of 500", "status of 403")
    assert [one for one in seen.errors if not any(word in one for word in known)] == []


def test_a_page_whose_order_is_old_says_how_old(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "QUICK", -1.0)
    monkeypatch.setattr(live, "REST", 1e6)
    run = big_run(tmp_path)
    with serving(run) as found:
        page = Seen(chromium).page
        page.goto(f"http://127.0.0.1:{found.port}/samples?sort=worst")
        assert "old" not in page.inner_text("#gallery-count")
        with Store.open(run) as store:
            _put(store, run, store.sample("a/004"), "poor", Made(33, 90.0, 0.4))
        page.get_by_role("button", name="Show new results").click(timeout=10_000)
        told = re.compile(r"of 25\. Order, filters and counts are \d+ s old\.")
        page.get_by_text(told).wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_a_page_of_samples(
    chromium: Any, address: str, scheme: str
) -> None:
    page = Seen(chromium, color_scheme=scheme).page
    for where in ("samples?page=2", "samples?q=nothing+like+it", ""):
        page.goto(address + where)
        go_to_gallery(page) if not where.endswith("it") else None
        assert findings(page) == []


def test_a_run_that_fits_has_no_ways_to_other_pages(chromium: Any, tmp_path: Path) -> None:
    page = Seen(chromium).open(report(big_run(tmp_path)))
    go_to_gallery(page)
    assert page.locator(".pager").first.is_hidden()
    assert page.locator("#why-label").is_hidden()
    assert page.locator(".row .why").count() == 0
