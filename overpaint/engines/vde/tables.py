"""The rows of a table that came as HTML, however broken."""

from overpaint.errors import DataError
from overpaint.measures import trees


def rows_of(html: str) -> list[list[str]]:
    """What stands in each cell, row by row; a merged cell stands where it begins."""
    try:
        tree = trees.table(html)
    except DataError:  # larger than any table that people would be asked about
        return []
    rows: list[list[str]] = [[]]
    for (tag, _, _), text in zip(tree.labels, tree.texts, strict=True) if tree else ():
        if tag == "td":
            rows[-1].append(text)
        elif tag == "tr":  # comes after its cells
            rows.append([])
    return [row for row in rows if row]
