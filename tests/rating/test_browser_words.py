"""The words of the rating pages: both languages say all of it, and nothing is said in vain."""

import json
import re
from pathlib import Path

import pytest

import overpaint.rating

WEB = Path(overpaint.rating.__file__).parent / "web"
PAGES = sorted([*WEB.glob("*.js"), *WEB.glob("*.html")])
USED = re.compile(r"""\bsay\(\s*"(\w+)"|data-word(?:-label)?="(\w+)\"""")


def book(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((WEB / f"words_{language}.json").read_text("utf-8"))
    return found


def test_both_languages_have_the_same_words_with_the_same_holes() -> None:
    english, chinese = book("en"), book("zh")
    assert list(english) == list(chinese)
    for name, text in english.items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", chinese[name]))


def test_every_word_that_is_used_is_there_and_none_is_there_for_nothing() -> None:
    used = {one or other for page in PAGES for one, other in USED.findall(page.read_text("utf-8"))}
    assert used == set(book("en"))
    for page in PAGES:  # a name that is put together could not be looked up here
        text = page.read_text("utf-8").replace("function say(name", "")
        assert re.findall(r"""\bsay\((?!")""", text.replace("say(element.dataset", "")) == []


def test_chinese_is_written_in_chinese() -> None:
    for name, text in book("zh").items():
        if name not in ("edit_a", "edit_b"):
            assert re.search(r"[\u4e00-\u9fff]", text), name
        # Full-width marks after Chinese letters; a comma of another script looks like an error.
        assert not re.search(r"[\u4e00-\u9fff][,;:?!(]", text), name


@pytest.mark.parametrize("page", sorted(WEB.iterdir()), ids=lambda page: page.name)
def test_a_page_is_short_and_has_nothing_inline(page: Path) -> None:
    if page.suffix not in (".js", ".html", ".css"):
        return
    text = page.read_text("utf-8")
    assert text.count("\n") <= 400
    assert "innerHTML" not in text
    assert "insertAdjacentHTML" not in text
    if page.suffix == ".html":
        assert not re.search(r"<style|<script(?! type=\"module\" src=)|\son\w+=|\sstyle=", text)
