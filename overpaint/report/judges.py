"""The judges of a run as HTML, and as lines for a terminal."""

from urllib.parse import urlencode

from overpaint.report.judging import Judging
from overpaint.report.markup import Html, join, node
from overpaint.report.results import scrolling
from overpaint.report.sheets import Cell, Link, Sheet, sheets
from overpaint.report.text import padded, wide
from overpaint.report.wording import plain

LEAD = "How far those who judge can be relied on."
NOBODY = "No judge has scored anything in this run."


def judges_section(judging: Judging) -> Html | None:
    """The section of the page; None where nobody judged."""
    if not judging:
        return None
    parts = [_sheet(sheet) for sheet in sheets(judging)]
    lead = node("p", LEAD, class_="lead")
    return node("section", node("h2", "Judges"), lead, *parts, id="judges")


def _sheet(sheet: Sheet) -> Html:
    return join(
        node("h3", plain(sheet.title)), node("p", sheet.lead, class_="quiet"), sheet_table(sheet)
    )


def sheet_table(sheet: Sheet) -> Html:
    """One sheet without its title and what is said before it."""
    head = node("tr", *(node("th", text, scope="col") for text in sheet.heads))
    lines = [node("tr", *(node("td", _cell(cell)) for cell in row)) for row in sheet.rows]
    table = node("table", node("thead", head), node("tbody", *lines), class_="plain judges")
    return join(
        scrolling(table, sheet.title) if lines else None,
        *(node("p", remark, class_="quiet") for remark in sheet.remarks),
    )


def _cell(cell: Cell) -> Html | str:
    if isinstance(cell, str):
        return plain(cell)
    where = urlencode({"sample": cell.sample, "with": cell.editor})
    return node(
        "a", plain(cell.sample), href=f"#~{where}", data_sample=cell.sample, data_editor=cell.editor
    )


def judges_text(judging: Judging) -> str:
    """The same for a terminal."""
    if not judging:
        return NOBODY
    return "\n\n".join(map(sheet_text, sheets(judging)))


def sheet_text(sheet: Sheet) -> str:
    """One sheet as lines."""
    rows = [[_word(cell) for cell in row] for row in (sheet.heads, *sheet.rows)]
    widths = [max(map(wide, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(padded(*cell, left=True) for cell in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    table = [lines[0], rule, *lines[1:]] if sheet.rows else []
    return "\n".join(
        [plain(sheet.title).upper(), plain(sheet.lead), *table, *map(plain, sheet.remarks)]
    )


def _word(cell: Cell) -> str:
    return plain(cell.sample if isinstance(cell, Link) else cell)
