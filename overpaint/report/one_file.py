"""Pages that are one HTML file: all style is in it, and nothing else may come in or go out."""

import base64
import hashlib
from functools import cache
from importlib.resources import files

from overpaint.report.markup import Html, join, node


@cache
def style(*sheets: str) -> str:
    """Style sheets of the page room, one after the other."""
    folder = files("overpaint.report") / "page"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in sheets)


def one_file(title: str, body: Html, *sheets: str, pictures: bool = False) -> str:
    """The whole page; a browser lets it run nothing, and show `pictures` only if they are in it."""
    head = node(
        "head",
        node("meta", charset="utf-8"),
        node("meta", http_equiv="Content-Security-Policy", content=_policy(sheets, pictures)),
        node("meta", name="viewport", content="width=device-width, initial-scale=1"),
        node("meta", name="referrer", content="no-referrer"),
        node("meta", name="color-scheme", content="light dark"),
        node("title", title),
        node("style", Html(style(*sheets))),
    )
    return f'<!doctype html>\n<html lang="en">\n{join(head, body)}\n</html>\n'


def _policy(sheets: tuple[str, ...], pictures: bool) -> str:
    digest = base64.b64encode(hashlib.sha256(style(*sheets).encode()).digest()).decode()
    shown = " img-src data:;" if pictures else ""
    return (
        f"default-src 'none'; style-src 'sha256-{digest}';{shown} base-uri 'none';"
        " form-action 'none'"
    )
