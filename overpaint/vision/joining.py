"""Pieces of text put together as their script wants it."""

import re
from collections.abc import Iterable

# Scripts written without spaces, and the punctuation that goes with them.
_UNSPACED = (
    (0x2E80, 0x303F),  # radicals, ideographic punctuation
    (0x3040, 0x31FF),  # kana, bopomofo
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),  # vertical forms
    (0xFF00, 0xFFEF),  # full-width forms
    (0x20000, 0x3FFFF),
)


_SPACE = re.compile(r"\s+")


def unspaced(letter: str) -> bool:
    """Whether a letter belongs to Chinese or Japanese writing."""
    return any(first <= ord(letter) <= last for first, last in _UNSPACED)


def joined(pieces: Iterable[str]) -> str:
    """One string: a space between words, nothing beside a Chinese or Japanese letter."""
    whole = ""
    for piece in (piece.strip() for piece in pieces):
        if whole and piece and not unspaced(whole[-1]) and not unspaced(piece[0]):
            whole += " "
        whole += piece
    return whole


def tidy(text: str) -> str:
    """The text with single spaces, and none beside a Chinese or Japanese letter."""
    return joined(_SPACE.split(text.strip()))
