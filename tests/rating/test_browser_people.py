"""Two people's links in one browser: nothing is saved or deleted for the wrong one."""

from pathlib import Path
from typing import Any

import pytest
from browser_raters import agree, counted, onward, settle
from browser_studies import Seen, Served, begin, served

pytestmark = pytest.mark.slow

ANOTHER = "Another link was opened in this browser"


def said(study: Served) -> list[tuple[str, str]]:
    """Who said what."""
    asked = "SELECT raters.id, body FROM answers JOIN raters ON n = rater ORDER BY 1, place"
    return [(who, body) for who, body in study.rows(asked)]


def states(study: Served) -> dict[str, str]:
    return dict(study.rows("SELECT id, state FROM raters ORDER BY id"))


def begun(folder: Path) -> Any:
    return served(begin(folder, "pairs", training=0, raters=3, per_item=3))


def test_an_answer_is_never_saved_for_the_person_whose_link_was_opened_last(
    chromium: Any, tmp_path: Path
) -> None:
    with begun(tmp_path) as study:
        seen = Seen(chromium)
        one, two = seen.page, seen.context.new_page()
        agree(one, study.link())
        agree(two, study.link())
        one.keyboard.press("ArrowLeft")
        one.keyboard.press("Enter")
        one.get_by_role("heading", name=ANOTHER).wait_for()
        assert said(study) == []
        # The one who was there last goes on, and so does the first when asked to.
        two.keyboard.press("ArrowRight")
        two.keyboard.press("Enter")
        two.get_by_text("2 of 3").wait_for()
        assert [who for who, _ in said(study)] == ["R02"]
        one.get_by_role("button", name="Go on here").click()
        one.get_by_text("2 of 3").wait_for()
        assert [who for who, _ in said(study)] == ["R01", "R02"]
        assert ["left" in body for _, body in said(study)] == [True, False]


def test_withdrawing_never_deletes_another_person(chromium: Any, tmp_path: Path) -> None:
    with begun(tmp_path) as study:
        seen = Seen(chromium)
        one, two = seen.page, seen.context.new_page()
        agree(one, study.link())
        agree(two, study.link())
        before = counted(two)
        two.keyboard.press("ArrowRight")
        two.keyboard.press("Enter")
        onward(two, before)
        one.keyboard.press("?")
        one.get_by_role("button", name="Withdraw …").click()
        one.get_by_role("button", name="Yes, delete all my answers").click()
        one.get_by_role("heading", name=ANOTHER).wait_for()
        assert "withdrawn" not in states(study).values()
        assert [who for who, _ in said(study)] == ["R02"]


def test_a_tab_that_is_loaded_anew_does_not_become_another_persons(
    chromium: Any, tmp_path: Path
) -> None:
    with begun(tmp_path) as study:
        seen = Seen(chromium)
        one, two = seen.page, seen.context.new_page()
        agree(one, study.link())
        agree(two, study.link())
        one.reload()
        one.get_by_role("heading", name=ANOTHER).wait_for()
        assert one.get_by_text("open your link again").count() == 1
        two.reload()  # this one is whose session it is
        two.get_by_role("button", name="Begin", exact=True).click()
        two.wait_for_selector(".item")


def test_opening_an_item_shows_nothing_of_another_person(chromium: Any, tmp_path: Path) -> None:
    with begun(tmp_path) as study:
        seen = Seen(chromium)
        one = seen.page
        agree(one, study.link())
        before = counted(one)
        one.keyboard.press("ArrowLeft")
        one.keyboard.press("Enter")
        onward(one, before)
        two = seen.context.new_page()
        agree(two, study.link())
        settle(two)
        one.keyboard.press("Backspace")
        one.get_by_role("heading", name=ANOTHER).wait_for()


def test_the_same_person_goes_on_in_both_tabs(chromium: Any, tmp_path: Path) -> None:
    with begun(tmp_path) as study:
        seen, link = Seen(chromium), study.link()
        one, two = seen.page, seen.context.new_page()
        agree(one, link)
        two.goto(link)
        two.get_by_role("button", name="Begin", exact=True).click()
        two.wait_for_selector(".item")
        before = counted(one)
        one.keyboard.press("ArrowLeft")
        one.keyboard.press("Enter")
        onward(one, before)
        assert [who for who, _ in said(study)] == ["R01"]
