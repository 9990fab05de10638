"""Sessions of one browser: an admin's beside a rater's, tabs, and how often they ask."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_study import Person, Served, begin, make_run, make_study

from overpaint.rating.guarding import Rates


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(begin(make_run(tmp_path / "run"), make_study(training=1)))
    yield found
    found.close()


def test_one_browser_can_have_an_admins_and_a_raters_page(served: Served) -> None:
    admin = served.join(role="admin")
    rater = Person(admin.browser, served.links()[0])
    assert rater.consent().status_code == 200
    assert rater.save(1).status_code == 200
    assert rater.get("/api/state").json()["role"] == "rater"
    assert admin.get("/api/admin/state").json()["role"] == "admin"
    links = {"role": "observer", "count": 1}
    assert admin.send("POST", "/api/admin/links", links).status_code == 200
    assert rater.send("POST", "/api/withdraw", {"sure": True}).status_code == 200
    assert admin.get("/api/admin/progress").status_code == 200


def test_a_tab_with_one_raters_mark_is_not_shown_anothers_item(served: Served) -> None:
    one, two = served.links(count=2)
    first = served.join(one)
    Person(first.browser, two).consent()
    seen = first.browser.get("/api/items/1", headers={"X-CSRF": first.csrf})
    assert seen.status_code == 403
    assert first.browser.get("/api/items/1").status_code == 200


def test_pages_can_be_loaded_again_and_again_and_made_up_sessions_share_a_rate(
    served: Served,
) -> None:
    served.app.rates = Rates(0.1, clock=lambda: 0.0)
    browser = served.browser()
    assert {browser.get(path).status_code for path in ("/", "/rate", "/admin") * 20} == {200}
    assert browser.get("/static/rate.js").status_code == 200
    replies = []
    for n in range(9):
        browser.cookies.set(served.server.cookie, f"made-up-{n:030}")
        replies.append(browser.get("/api/state").status_code)
    assert replies == [401] * 4 + [429] * 5


def test_another_process_that_looks_at_a_study_takes_nothing_of_it_away(served: Served) -> None:
    """Closing a file drops a process's locks on it; SQLite's log would be gone with them."""
    rater, admin = served.join(), served.join(role="admin")
    rater.consent()
    rater.save(1)
    assert admin.get("/api/admin/progress").status_code == 200
    log = served.book.folder / "studies" / f"{served.book.study.name}.db-wal"
    before = log.stat().st_ino
    command = [sys.executable, "-m", "overpaint", "rate", str(served.book.folder), "--progress"]
    subprocess.run(command, check=True, capture_output=True)
    assert log.stat().st_ino == before
    assert rater.save(2).status_code == 200
    assert admin.get("/api/admin/progress").status_code == 200
