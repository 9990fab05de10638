"""What goes wrong in real sessions: second thoughts, two tabs, no connection, breaks, leaving."""

import time
from pathlib import Path
from typing import Any

import pytest
from browser_raters import agree, counted, finished, onward, save, settle
from browser_studies import Seen, begin, served

pytestmark = pytest.mark.slow


def better(study: Any) -> list[str]:
    return [one["better"] for one in study.kept()]


def say(page: Any, key: str) -> None:
    """Answer a pair by a key and save."""
    before = counted(page)
    page.keyboard.press(key)
    page.keyboard.press("Enter")
    onward(page, before)


# ── second thoughts ─────────────────────────────────────────────────────────────────────


def test_going_back_shows_the_old_answer_and_changes_it(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        page = Seen(chromium).page
        agree(page, study.link())
        say(page, "ArrowLeft")
        page.keyboard.press("ArrowRight")  # entered, but not saved
        page.keyboard.press("Backspace")
        page.get_by_text("1 of 3").wait_for()
        settle(page)
        assert page.get_by_role("radio", name="A is better").is_checked()
        say(page, "ArrowDown")
        assert better(study) == ["tie"]
        assert study.rows("SELECT count(*) FROM history") == [(2,)]
        # What was entered on the way is still there.
        assert counted(page) == "2 of 3"
        assert page.get_by_role("radio", name="B is better").is_checked()
        # An answer that was only looked at is not saved again.
        page.get_by_role("button", name="Back").click()
        page.get_by_text("1 of 3").wait_for()
        settle(page)
        save(page)
        assert study.rows("SELECT count(*) FROM history") == [(2,)]


def test_a_comment_is_kept_and_written_text_presses_no_keys(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", items=1, training=0)) as study:
        page = Seen(chromium).page
        agree(page, study.link())
        page.keyboard.press("t")
        page.locator("summary").click()
        page.get_by_role("textbox", name="Add a comment").press_sequentially("z + ? ff")
        page.keyboard.press("Backspace")
        page.keyboard.press("Control+Enter")
        page.get_by_role("heading", name="That was all. Thank you!").wait_for()
        assert study.rows("SELECT comment FROM answers") == [("z + ? f",)]
        page.get_by_role("button", name="Back to the last item").click()
        page.wait_for_selector(".item")
        assert page.get_by_role("textbox").input_value() == "z + ? f"


# ── two windows ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("choice", "kept"),
    [("Leave what is saved", "left"), ("Save what I entered here", "right")],
)
def test_two_tabs_that_say_different_things_ask_which_is_right(
    chromium: Any, tmp_path: Path, choice: str, kept: str
) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        seen, link = Seen(chromium), study.link()
        first = seen.page
        agree(first, link)
        second = seen.context.new_page()
        second.goto(link)
        second.get_by_role("button", name="Begin").click()
        second.wait_for_selector(".item")
        settle(second)
        say(second, "ArrowLeft")
        first.keyboard.press("ArrowRight")
        first.keyboard.press("Enter")
        first.get_by_role("heading", name="Answered in another window").wait_for()
        told = first.locator("dialog").inner_text()
        assert "A is better" in told
        assert "B is better" in told
        first.get_by_role("button", name=choice).click()
        first.get_by_text("2 of 3").wait_for()
        assert better(study) == [kept]
        assert study.rows("SELECT count(*) FROM answers") == [(1,)]


def test_the_same_answer_from_two_tabs_is_one_answer(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        seen, link = Seen(chromium), study.link()
        agree(seen.page, link)
        second = seen.context.new_page()
        second.goto(link)
        second.get_by_role("button", name="Begin").click()
        second.wait_for_selector(".item")
        say(second, "ArrowLeft")
        say(seen.page, "ArrowLeft")
        assert counted(seen.page) == "2 of 3"
        assert study.rows("SELECT count(*) FROM history") == [(1,)]


def test_a_link_opened_on_another_machine_goes_on_there(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        here, there, link = Seen(chromium), Seen(chromium), study.link()
        agree(here.page, link)
        there.page.goto(link)
        there.page.get_by_role("button", name="Begin").click()
        there.page.wait_for_selector(".item")
        here.page.keyboard.press("ArrowLeft")
        here.page.keyboard.press("Enter")
        here.page.get_by_role("heading", name="Your link is open elsewhere").wait_for()
        assert better(study) == []
        # Back here, what was answered is sent; there, it is said that it goes on elsewhere.
        here.page.get_by_role("button", name="Go on here").click()
        here.page.get_by_text("2 of 3").wait_for()
        assert better(study) == ["left"]
        there.page.keyboard.press("ArrowRight")
        there.page.keyboard.press("Enter")
        there.page.get_by_role("heading", name="Your link is open elsewhere").wait_for()
        assert better(study) == ["left"]


# ── lost connections ────────────────────────────────────────────────────────────────────


def test_a_lost_connection_in_the_middle_loses_nothing(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        seen = Seen(chromium)
        page = seen.page
        agree(page, study.link())
        say(page, "ArrowLeft")
        seen.context.set_offline(True)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.get_by_text("No connection. Your answer is kept here").wait_for()
        assert better(study) == ["left"]
        seen.context.set_offline(False)
        page.get_by_text("3 of 3").wait_for(timeout=20_000)
        assert page.locator("#banner").is_hidden()
        say(page, "t")
        assert finished(page)
        assert better(study) == ["left", "right", "tie"]


def test_a_reply_that_never_came_is_asked_for_again_and_counts_once(
    chromium: Any, tmp_path: Path
) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        page = Seen(chromium).page
        agree(page, study.link())
        lost = []

        def swallow(route: Any) -> None:
            if route.request.method != "PUT" or lost:
                return route.continue_()
            lost.append(route.fetch().status)
            return route.abort()

        page.route("**/api/items/*", swallow)
        say(page, "ArrowLeft")
        assert lost == [200]
        assert counted(page) == "2 of 3"
        assert study.rows("SELECT revision FROM history") == [(1,)]


def test_an_answer_on_its_way_survives_a_reload(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        page = Seen(chromium).page
        agree(page, study.link())
        page.route("**/api/items/*", lambda route: route.abort())
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.get_by_text("No connection.").wait_for()
        page.unroute_all()
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        page.reload()
        assert asked == ["beforeunload"]
        page.get_by_text("2 of 3").wait_for()
        assert better(study) == ["right"]


def test_a_picture_that_did_not_come_is_said_and_asked_for_again(
    chromium: Any, tmp_path: Path
) -> None:
    with served(begin(tmp_path, "ebench", items=1, training=0)) as study:
        page = Seen(chromium).page
        page.route("**/pictures/*", lambda route: route.abort())
        agree(page, study.link())
        assert page.get_by_text("The picture did not come.").count() == 2
        page.unroute_all()
        page.get_by_role("button", name="Try again").first.click()
        page.wait_for_function("() => [...document.images].some((one) => one.naturalWidth > 0)")


# ── breaks, and leaving ─────────────────────────────────────────────────────────────────


def test_after_the_time_comes_a_break_and_then_it_goes_on(chromium: Any, tmp_path: Path) -> None:
    book = begin(tmp_path, "pairs", training=0, minutes=1.0, break_minutes=5.0)
    with served(book) as study:
        page = Seen(chromium).page
        page.clock.install()
        agree(page, study.link())
        assert page.locator("#progress-time").inner_text() == "1 min to the break"
        study.server.now = lambda: time.time() + 61
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")  # what is on the screen may still be saved
        page.get_by_role("heading", name="Time for a break").wait_for()
        go_on = page.get_by_role("button", name="Continue")
        assert go_on.is_disabled()
        assert page.get_by_role("timer").inner_text().startswith("4:5")
        page.clock.fast_forward("05:00")
        page.get_by_text("The break is over.").wait_for()
        study.server.now = lambda: time.time() + 361
        go_on.click()
        page.get_by_text("2 of 3").wait_for()
        assert better(study) == ["left"]


def test_withdrawing_asks_twice_and_deletes_every_answer(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", training=0)) as study:
        seen, link = Seen(chromium), study.link()
        page = seen.page
        agree(page, link)
        say(page, "ArrowLeft")
        page.keyboard.press("?")
        page.get_by_role("button", name="Withdraw …").click()
        page.get_by_role("button", name="No, stay").click()
        assert better(study) == ["left"]
        page.keyboard.press("?")
        page.get_by_role("button", name="Withdraw …").click()
        page.get_by_role("button", name="Yes, delete all my answers").click()
        page.get_by_role("heading", name="You have withdrawn").wait_for()
        assert study.rows("SELECT count(*) FROM answers") == [(0,)]
        assert study.rows("SELECT count(*) FROM history") == [(0,)]
        page.goto(link)
        page.get_by_role("heading", name="This does not work").wait_for()


@pytest.mark.parametrize(
    ("token", "heading"), [("#nonsense", "This does not work"), ("", "Open your link")]
)
def test_without_a_good_link_the_page_says_so(
    chromium: Any, tmp_path: Path, token: str, heading: str
) -> None:
    with served(begin(tmp_path, "pairs")) as study:
        page = Seen(chromium).page
        page.goto(f"{study.address}/rate{token}")
        page.get_by_role("heading", name=heading).wait_for()
