"""No serious finding by axe-core on the page of measures and people, by day and by night."""

from pathlib import Path
from typing import Any

import calibrating_toy as toy
import pytest
from test_report_browser import Seen
from test_report_calibration import found

from overpaint.report.calibration_page import calibration_page

pytest.importorskip("axe_playwright_python")
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("scheme", "width"), [("light", 1300), ("dark", 1300), ("light", 390)])
def test_the_page_of_measures_and_people(
    chromium: Any,
    tmp_path: Path,
    scheme: str,
    width: int,
) -> None:
    from test_report_axe import findings

    path = tmp_path / "index.html"
    path.write_text(calibration_page(found(), toy.__name__, 500), encoding="utf-8")
    shown = Seen(chromium, color_scheme=scheme, viewport={"width": width, "height": 900}).open(path)
    for summary in shown.locator("summary").all():
        summary.click()
    assert findings(shown) == []
    wider = shown.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wider, "the page scrolls sideways only inside its tables"
