"""The admin's page in a real browser: live figures, links, revoking, export; observers look on."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from browser_raters import agree, onward
from browser_studies import HOSTILE, Seen, begin, served

pytestmark = pytest.mark.slow


def test_progress_is_live_and_links_work_until_revoked(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", items=2, training=0, title=HOSTILE)) as study:
        seen = Seen(chromium)
        page = seen.page
        page.goto(study.link("admin"))
        page.get_by_role("heading", name=HOSTILE).wait_for()
        assert page.url.endswith("/admin")
        page.get_by_label("How many").fill("2")
        page.get_by_role("button", name="Make links").click()
        page.get_by_role("heading", name="New links").wait_for()
        links = [one.input_value() for one in page.locator(".made input").all()]
        assert len(links) == 2
        rater = Seen(chromium).page
        agree(rater, links[0])
        rater.keyboard.press("ArrowLeft")
        rater.keyboard.press("Enter")
        onward(rater, "1 of 2")
        row = page.get_by_role("row", name="R01")
        row.get_by_text("1 / 2").wait_for(timeout=15_000)
        assert row.get_by_text("rating", exact=True).is_visible()
        # What somebody has made or is typing stays while figures change.
        assert page.locator(".made input").count() == 2
        row.get_by_role("button", name="Revoke R01").click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        row.get_by_text("revoked").wait_for()
        rater.keyboard.press("ArrowLeft")
        rater.keyboard.press("Enter")
        rater.get_by_role("heading", name="Your link is open elsewhere").wait_for()
        assert seen.errors == []


def test_an_admin_gets_the_ratings_and_an_observer_only_sees_them(
    chromium: Any, tmp_path: Path
) -> None:
    with served(begin(tmp_path, "pairs", items=1, training=0)) as study:
        rater = Seen(chromium).page
        agree(rater, study.link())
        rater.keyboard.press("t")
        rater.keyboard.press("Enter")
        rater.get_by_role("heading", name="That was all. Thank you!").wait_for()
        page = Seen(chromium, accept_downloads=True).page
        page.goto(study.link("admin"))
        with page.expect_download() as download:
            page.get_by_role("link", name="Download CSV").click()
        rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
        assert [(row["sample"], row["dimension"], row["value"]) for row in rows] == [
            ("s0", "better", "0.5")
        ]
        watcher = Seen(chromium).page
        watcher.goto(study.link("observer"))
        watcher.get_by_role("heading", name="Squares and discs").wait_for()
        assert watcher.locator("main button, main a, main form").count() == 0


def test_who_comes_with_the_other_link_is_told_or_led(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", items=1, training=0)) as study:
        page = Seen(chromium).page
        page.goto(study.link("admin").replace("/admin#", "/rate#"))
        page.get_by_role("heading", name="Squares and discs").wait_for()
        page = Seen(chromium).page
        page.goto(study.link().replace("/rate#", "/admin#"))
        page.get_by_text("This link is for rating").wait_for()
        page = Seen(chromium).page
        page.goto(study.address)
        assert "Open the link that you were sent" in page.locator("main").inner_text()


def test_the_admins_page_speaks_chinese_and_fits_a_phone(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "ebench", items=1, training=0)) as study:
        page = Seen(chromium, viewport={"width": 360, "height": 740}, locale="zh-CN").page
        page.goto(study.link("admin"))
        page.get_by_role("heading", name="一致性").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
