"""No serious finding by axe-core on the report, in the light and in the dark."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from layered_runs import layered_run
from made_pages import paged_run
from made_run import usual_run
from referenced_runs import referenced_run
from test_report_browser import Seen, go_to_gallery, report

from overpaint.cli import main

pytest.importorskip("axe_playwright_python")
pytestmark = pytest.mark.slow

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
BAD = ("serious", "critical")


def findings(page: Any) -> list[str]:
    page.evaluate(AXE)
    told = page.evaluate("axe.run(document)")
    assert told["passes"], "axe-core looked at nothing"
    found = told["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in found if one["impact"] in BAD for node in one["nodes"]
    ]  # fmt: skip


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run over the demo's set; a few samples have all that the whole has."""
    folder = tmp_path_factory.mktemp("demo") / "run"
    command = ["run", "demo", "--limit", "3", "-e", "typeset", "-o", str(folder), "--quiet"]
    assert main(command) == 0
    return report(folder)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_of_the_demo(chromium: Any, demo: Path, scheme: str) -> None:
    shown = Seen(chromium, color_scheme=scheme).open(demo)
    assert findings(shown) == []
    go_to_gallery(shown)
    assert findings(shown) == []


def test_the_detail_view_in_each_of_its_modes(chromium: Any, tmp_path: Path) -> None:
    path = report(usual_run(tmp_path))
    for scheme in ("light", "dark"):
        shown = Seen(chromium, color_scheme=scheme).open(path, "#~sample=a%2F002&with=poor")
        shown.wait_for_selector("#panel li")
        for mode in ("Side by side", "Difference", "Slider"):
            shown.get_by_role("button", name=mode).click()
            assert findings(shown) == []


@pytest.mark.parametrize("make", [layered_run, referenced_run, paged_run])
def test_the_reports_of_other_kinds_of_runs(
    chromium: Any,
    tmp_path: Path,
    make: Any,
) -> None:
    path = report(make(tmp_path))
    for scheme in ("light", "dark"):
        shown = Seen(chromium, color_scheme=scheme).open(path)
        go_to_gallery(shown)
        assert findings(shown) == []
        shown.locator(".tile").first.click()
        shown.wait_for_selector("dialog[open]")
        shown.wait_for_timeout(300)
        assert findings(shown) == []
