"""Changes: what two wordings of a line have in common at either end."""

from dataclasses import dataclass

from overpaint.document.differing import alike


@dataclass(frozen=True)
class Change:
    """Two wordings of a line: what both begin with, what differs, what both end with."""

    head: int  # letters that both begin with
    tail: int  # letters that both end with

    @classmethod
    def between(cls, old: str, new: str) -> "Change":
        """The smallest change of whole words; of single letters in Chinese."""
        head = alike(old, new)
        tail = min(alike(old[::-1], new[::-1]), min(len(old), len(new)) - head)
        while head and (_within_word(old, head) or _within_word(new, head)):
            head -= 1
        while tail and (_within_word(old, len(old) - tail) or _within_word(new, len(new) - tail)):
            tail -= 1
        return cls(head, tail)


def _within_word(words: str, at: int) -> bool:
    """Whether a cut there would part letters that are drawn together."""
    one, other = words[at - 1 : at], words[at : at + 1]
    return bool(one.strip() and other.strip()) and ord(one) < 0x2E80 and ord(other) < 0x2E80
