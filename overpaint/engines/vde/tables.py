"""The rows of a table that came as HTML, however broken."""

from html.parser import HTMLParser


def rows_of(html: str) -> list[list[str]]:
    """What stands in each cell, row by row; a merged cell stands where it begins."""
    reader = _Rows()
    reader.feed(html)
    reader.close()
    return [[" ".join("".join(cell).split()) for cell in row] for row in reader.rows if row]


class _Rows(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[list[str]]] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            if not self.rows:
                self.rows.append([])
            self.rows[-1].append([])
            self._inside = True
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.rows[-1][-1].append(data)
