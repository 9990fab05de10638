"""Pages: a sentence that names one is told how a page is chosen."""

from overpaint.document.instruct.lexing import Token, Tokens, cut
from overpaint.errors import Refused


class PageNamed(Refused):
    """An instruction names a page; nobody who restates it may drop that."""


_PAGES = ("page", "slide", "sheet", "页", "頁", "页面", "幻灯片")


def check_no_page(tokens: Tokens) -> None:
    """Refuse "on page 2" and 第2页的…: an instruction is about the page that is open."""
    for n in range(len(tokens) - 1):
        pair = tokens[n : n + 2]
        number = _number(*pair)
        if number and (_inside(tokens, n) or _owns(tokens, n + 2)):
            told = number if number != "-1" else "with its number"
            raise PageNamed(
                f"“{cut(pair)}” names a page.",
                "An instruction is about one page, and which one is said beside it.",
                f"Leave the page out, and say --page {told}.",
            )


def _number(one: Token, two: Token) -> str:
    """The page that two words name: "page 2", "second page", 第2页; empty where they name none."""
    if one.text.lower() in _PAGES and one.text[:1].islower():
        return two.get("number") if two.get("number").isdecimal() else ""
    return one.get("ord") if two.text.lower() in _PAGES else ""


def _inside(tokens: Tokens, n: int) -> bool:
    """Whether "on", "of the" or 在 stands before."""
    before = [t for t in tokens[max(0, n - 2) : n] if not t.has("article")]
    return bool(before) and (before[-1].of("prep", "in", "of", "from") or before[-1].text == "在")


def _owns(tokens: Tokens, n: int) -> bool:
    """Whether 's, 的 or 上 follows."""
    return n < len(tokens) and tokens[n].has("post")
