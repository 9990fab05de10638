"""What a build asks people, answered on the page: its lines of answers.jsonl, and a new round."""

import json
from pathlib import Path
from typing import Any

import pytest
from browser_raters import agree, drag, finished, save, settle
from browser_studies import Seen, begin_build, served, write_tasks

pytestmark = pytest.mark.slow


def answer(page: Any) -> str:
    """Answer whatever kind of task is shown; gives its kind."""
    if page.locator("fieldset.levels").count():
        for place in range(3):
            page.locator("fieldset.levels").nth(place).locator("label").last.click()
        return "rate"
    if page.locator("fieldset.box").count():
        drag(page, (50, 40, 40, 45))
        return "box"
    if page.locator("fieldset.keep").count():
        worded = page.locator("fieldset.text").count() > 0
        if worded:
            page.get_by_label("Text 1").fill('Change the title to "Winter sale".')
            page.get_by_text("Keep", exact=True).click()
            return "instruction"
        assert page.locator(".box-earlier").is_visible()  # the box that was agreed upon
        page.get_by_text("Reject", exact=True).click()
        page.get_by_role("textbox").fill("the line is crooked")
        return "look"
    page.get_by_label("On the page, 1").fill("Friday")
    assert page.get_by_label("All of it is right as it stands").is_disabled()
    return "text"


def test_every_kind_of_task_is_answered_and_handed_on(chromium: Any, tmp_path: Path) -> None:
    with served(begin_build(tmp_path)) as study:
        seen = Seen(chromium)
        page = seen.page
        agree(page, study.link())
        asked = []
        for _ in range(5):
            asked.append(answer(page))
            save(page)
        assert sorted(asked) == ["box", "instruction", "look", "rate", "text"]
        assert finished(page)
        lines = [json.loads(line) for line in (tmp_path / "answers.jsonl").open()]
        said = {line["task"].partition(":")[0]: line for line in lines}
        assert set(said) == set(asked)
        assert said["rate"]["compliance"] == said["rate"]["satisfaction"] == 3
        assert said["look"]["keep"] is False
        assert said["look"]["note"] == "the line is crooked"
        assert said["text"]["right"] is False
        assert said["text"]["page"][0]["block_content"] == "Friday"
        assert said["instruction"]["keep"] is True
        assert said["instruction"]["instruction"] == 'Change the title to "Winter sale".'
        assert said["box"]["box"]["x"] == pytest.approx(50, abs=1)
        assert seen.errors == []


def test_a_new_round_comes_to_the_page_by_itself(chromium: Any, tmp_path: Path) -> None:
    book = begin_build(tmp_path)
    write_tasks(tmp_path, "look")
    with served(book) as study:
        page = Seen(chromium).page
        page.clock.install()
        agree(page, study.link())
        answer(page)
        save(page)
        assert finished(page)
        write_tasks(tmp_path, "look", "rate")
        page.clock.fast_forward(15_000)
        page.wait_for_selector("fieldset.levels")
        settle(page)
        # The task before has been handed on: it is shown, but stays as it is.
        page.get_by_role("button", name="Back").click()
        page.wait_for_selector("fieldset.keep")
        assert "handed on" in page.locator(".message").inner_text()
        assert page.locator("fieldset.keep input").first.is_disabled()
        page.get_by_role("button", name="Next").click()
        page.wait_for_selector("fieldset.levels")
