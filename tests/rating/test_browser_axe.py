"""No serious finding by axe-core on any page that raters, admins or observers see."""

import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from browser_raters import agree, onward, settle
from browser_studies import Seen, begin, begin_build, served

pytest.importorskip("axe_playwright_python")
pytestmark = pytest.mark.slow

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
BAD = ("serious", "critical")


def findings(page: Any) -> list[str]:
    """What axe-core finds serious or critical on the page as it is now."""
    page.evaluate(AXE)
    told = page.evaluate("axe.run(document)")
    assert told["passes"], "axe-core looked at nothing"
    found = told["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in found if one["impact"] in BAD for node in one["nodes"]
    ]  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["ebench", "scale", "pairs", "boxes"])
def test_raters_pages_of_every_kind(chromium: Any, tmp_path: Path, kind: Any, scheme: str) -> None:
    with served(begin(tmp_path, kind, items=1, training=0)) as study:
        page = Seen(chromium, color_scheme=scheme, bypass_csp=True).page
        agree(page, study.link())
        assert findings(page) == []
        if kind == "boxes":
            page.get_by_role("button", name="Box in the middle").click()
        for mode in ("Wipe", "Flicker"):
            page.get_by_role("button", name=mode).click()
            assert findings(page) == []
        page.get_by_role("button", name="Save and next").click()  # with what it says of open ones
        assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_consent_help_feedback_finish_and_withdrawal(
    chromium: Any, tmp_path: Path, scheme: str
) -> None:
    with served(begin(tmp_path, "pairs", items=1, training=1)) as study:
        page = Seen(chromium, color_scheme=scheme, bypass_csp=True).page
        page.goto(study.link())
        page.get_by_role("heading", name="Before you begin").wait_for()
        assert findings(page) == []
        page.get_by_role("button", name="I agree, and begin").click()
        page.get_by_role("heading", name="How it goes").wait_for()
        assert findings(page) == []
        page.get_by_role("button", name="Begin", exact=True).click()
        page.wait_for_selector(".item")
        settle(page)
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        page.wait_for_selector(".feedback")
        assert findings(page) == []
        page.keyboard.press("Enter")
        page.get_by_text("1 of 1").wait_for()
        page.keyboard.press("?")
        assert findings(page) == []
        page.keyboard.press("Escape")
        page.route("**/api/items/*", lambda route: route.abort())
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        page.get_by_text("No connection.").wait_for()
        assert findings(page) == []
        page.unroute_all()
        page.get_by_role("heading", name="That was all. Thank you!").wait_for()
        assert findings(page) == []
        page.keyboard.press("?")
        page.get_by_role("button", name="Withdraw …").click()
        assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_break(chromium: Any, tmp_path: Path, scheme: str) -> None:
    with served(begin(tmp_path, "pairs", training=0, minutes=1.0)) as study:
        page = Seen(chromium, color_scheme=scheme, bypass_csp=True).page
        agree(page, study.link())
        study.server.now = lambda: time.time() + 61
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Time for a break").wait_for()
        assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tasks_of_a_build(chromium: Any, tmp_path: Path, scheme: str) -> None:
    from test_browser_tasks import answer

    with served(begin_build(tmp_path)) as study:
        page = Seen(chromium, color_scheme=scheme, bypass_csp=True).page
        agree(page, study.link())
        for number in range(5):
            assert findings(page) == []
            answer(page)
            assert findings(page) == []
            before = page.locator("#progress-count").inner_text()
            page.get_by_role("button", name="Save and next").click()
            if number < 4:
                onward(page, before)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_admins_and_observers_and_the_first_one(
    chromium: Any, tmp_path: Path, scheme: str
) -> None:
    with served(begin(tmp_path, "ebench", items=1, training=0)) as study:
        page = Seen(chromium, color_scheme=scheme, bypass_csp=True).page
        page.goto(study.link("admin"))
        page.get_by_role("button", name="Make links").click()
        page.get_by_role("heading", name="New links").wait_for()
        assert findings(page) == []
        page.get_by_role("button", name="Revoke R01").click()
        assert findings(page) == []
        page.goto(study.address)
        assert findings(page) == []


def test_an_instruction_too_long_for_its_place(chromium: Any, tmp_path: Path) -> None:
    texts = ["Make the square vermilion, and leave all else as it is. " * 70]
    book = begin(tmp_path, "pairs", items=1, training=0, instructions=texts)
    with served(book) as study:
        page = Seen(chromium, bypass_csp=True).page
        agree(page, study.link())
        assert findings(page) == []
        assert page.locator(".stage").bounding_box()["height"] > 300


def test_a_phone(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "scale", items=1, training=0)) as study:
        size = {"width": 360, "height": 740}
        page = Seen(chromium, viewport=size, has_touch=True, is_mobile=True, bypass_csp=True).page
        agree(page, study.link())
        assert findings(page) == []


def test_axe_does_find_what_is_wrong(chromium: Any) -> None:
    page = Seen(chromium).page
    page.set_content('<html lang="en"><title>t</title><main><img src="data:,"><input></main>')
    assert {one.partition(":")[0] for one in findings(page)} == {"image-alt", "label"}
