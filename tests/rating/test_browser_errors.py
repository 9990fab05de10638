"""What the server cannot do is said in the reader's own language, with something to do about it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser_raters import agree, onward, settle
from browser_studies import Seen, begin, served

pytestmark = pytest.mark.slow


def fails(status: int, *, only: str = "", **more: Any) -> Callable[[Any], None]:
    """A server that answers so; to one method only where one is named."""

    def handle(route: Any) -> None:
        if only and route.request.method != only:
            return route.fallback()
        body = json.dumps({"error": "A sentence of the server."} | more)
        return route.fulfill(status=status, body=body, headers={"Retry-After": "1"})

    return handle


@pytest.mark.parametrize(
    ("status", "english", "chinese"),
    [
        (429, "too fast", "操作过于频繁"),
        (500, "went wrong on the server", "服务器出现错误"),
        (503, "cannot store", "服务器暂时无法保存数据"),
        (403, "out of date", "页面已过期"),
    ],
)
def test_a_page_that_cannot_begin_says_why_in_both_languages_and_tries_again(
    chromium: Any, tmp_path: Path, status: int, english: str, chinese: str
) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        page = Seen(chromium).page
        page.clock.install()
        agree(page, study.link())
        page.route("**/api/state", fails(status))
        page.reload()
        for _ in range(4):
            page.clock.run_for(1100)  # what is asked too often is asked again first
        page.get_by_role("heading", name="That did not work").wait_for()
        assert english in page.locator("main").inner_text()
        page.get_by_role("button", name="中文").click()
        assert chinese in page.locator("main").inner_text()
        assert "sentence" not in page.locator("main").inner_text()
        page.unroute_all()
        page.get_by_role("button", name="重试").click()
        page.get_by_role("button", name="开始").wait_for()


def test_words_that_came_too_late_leave_no_blank_page(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        page = Seen(chromium).page
        page.clock.install()
        page.route("**/static/words_*.json", fails(429))
        page.goto(study.link())
        page.get_by_text("wait a moment and load it again").wait_for()
        page.unroute_all()
        page.clock.fast_forward(30_000)
        page.get_by_role("button", name="I agree, and begin").wait_for()


@pytest.mark.parametrize(
    ("status", "english", "chinese", "told"),
    [(422, "Please check", "请检查填写的内容", True), (413, "too long", "请缩短文字", False)],
)
def test_an_answer_that_is_not_taken_can_be_changed_and_saved(
    chromium: Any, tmp_path: Path, status: int, english: str, chinese: str, *, told: bool
) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        page = Seen(chromium).page
        agree(page, study.link())
        page.route("**/api/items/*", fails(status, only="PUT"))
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        page.locator(".message").get_by_text(english).wait_for()
        # Only the server knows what it does not like about it.
        assert ("A sentence of the server." in page.locator(".message").inner_text()) == told
        page.get_by_role("button", name="中文").click()
        settle(page)
        page.keyboard.press("Enter")
        page.locator(".message").get_by_text(chinese).wait_for()
        page.unroute_all()
        page.keyboard.press("Enter")
        page.get_by_text("第 2 题").wait_for()
        assert [one["better"] for one in study.kept()] == ["left"]


def test_a_fault_of_the_server_is_not_asked_for_endlessly(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        page = Seen(chromium).page
        page.clock.install()
        agree(page, study.link())
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.method))
        page.route("**/api/items/*", fails(500, only="PUT"))
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        page.get_by_text("The server cannot save just now.").wait_for()
        banner = page.locator("#banner")
        for _ in range(60):
            if "several times" in banner.inner_text():
                break
            page.clock.run_for(1000)
        assert "leave this tab open, and tell" in banner.inner_text()
        assert asked.count("PUT") == 4
        page.clock.run_for(600_000)
        assert asked.count("PUT") == 4
        # It goes on when the rater says so, and nothing was lost.
        page.unroute_all()
        banner.get_by_role("button", name="Try now").click()
        page.get_by_text("2 of 3").wait_for()
        assert banner.is_hidden()
        assert [one["better"] for one in study.kept()] == ["left"]


def test_a_server_that_is_away_for_long_is_asked_ever_more_seldom(
    chromium: Any, tmp_path: Path
) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        page = Seen(chromium).page
        page.clock.install()
        agree(page, study.link())
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.method))
        page.route("**/api/items/*", fails(503, only="PUT"))
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        for _ in range(120):
            if "tell the people" in page.locator("#banner").inner_text():
                break
            page.clock.run_for(1000)
        assert "still not saved" in page.locator("#banner").inner_text()
        assert asked.count("PUT") == 5
        page.unroute_all()
        for _ in range(90):  # by itself
            if not study.kept():
                page.clock.run_for(1000)
        page.get_by_text("2 of 3").wait_for()


def test_the_header_says_how_long_the_rest_will_take(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", items=6, training=1)) as study:
        page = Seen(chromium).page
        page.clock.install()
        agree(page, study.link())
        left = page.locator("#progress-left")
        for _ in range(4):  # practice does not count, and two are too few to tell
            assert left.inner_text() == ""
            page.clock.run_for(40_000)
            before = page.locator("#progress-count").inner_text()
            page.keyboard.press("t")
            page.keyboard.press("Enter")
            onward(page, before)
        assert left.inner_text() == "about 2 min left"  # three of 40 s
        page.get_by_role("button", name="中文").click()
        assert left.inner_text() == "大约还需 2 分钟"
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.locator(".progress-told").bounding_box()["height"] < 25
