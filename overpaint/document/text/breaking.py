"""Breaking: where a line may end.

The rules are those of Unicode's line breaking algorithm (UAX #14) for letters, numbers, hyphens,
quotes and ideographs. Languages that need a dictionary, as Thai does, break at spaces alone.
"""

import unicodedata
from functools import lru_cache

_OPEN = "([{¡¿‚„"
_CLOSE_WIDE = "、。，．︒｡､"
_SMALL = (
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿｧｨｩｪｫｬｭｮｯ"
    "ー々〻ゝゞヽヾ・：；･ｰ〜゠‼⁇⁈⁉゛゜"
)
_CLASSES = {
    **dict.fromkeys(_OPEN, "OP"),
    **dict.fromkeys(")]", "CP"),
    **dict.fromkeys("}" + _CLOSE_WIDE, "CL"),
    **dict.fromkeys("!?！？", "EX"),
    **dict.fromkeys(",.:;⁄", "IS"),
    **dict.fromkeys("\"'", "QU"),
    **dict.fromkeys(_SMALL, "NS"),
    **dict.fromkeys("…‥⋯", "IN"),
    **dict.fromkeys("\u00a0\u202f\u2007\u2011\u2060\ufeff\u034f", "GL"),
    **dict.fromkeys("\u00ad\u2010\u2012\u2013|\t\u2027", "BA"),
    **dict.fromkeys("%‰°℃℉′″¢％‱", "PO"),
    **dict.fromkeys("+\\±№−", "PR"),
    "-": "HY",
    "—": "B2",
    "/": "SY",
    " ": "SP",
    "\u200b": "ZW",
}

_KEPT = 256
_FLAGS = 100  # letters of flags that are counted back to know which two are a pair
# Pairs that stay together, and what stands between a space and what it may not be parted from.
_NEVER_BEFORE = {"CL", "CP", "EX", "SY", "IS"}
_TOGETHER = {
    ("AL", "NU"), ("NU", "AL"), ("AL", "AL"), ("NU", "NU"), ("PR", "ID"), ("ID", "PO"),
    ("PR", "AL"), ("PO", "AL"), ("AL", "PR"), ("AL", "PO"), ("NU", "PO"), ("NU", "PR"),
    ("PR", "NU"), ("PO", "NU"), ("HY", "NU"), ("IS", "NU"), ("IS", "AL"),
    ("AL", "OP"), ("NU", "OP"), ("CP", "AL"), ("CP", "NU"), ("B2", "B2"), ("CL", "NS"),
    ("CP", "NS"),
}  # fmt: skip


def breaks(words: str) -> frozenset[int]:
    """The places in the words, as numbers of letters before them, where a line may end."""
    # Words and lines come again and again; a book that is one line is not kept.
    return _kept(words) if len(words) <= _KEPT else _places(words)


@lru_cache(maxsize=4096)
def _kept(words: str) -> frozenset[int]:
    return _places(words)


def _places(words: str) -> frozenset[int]:
    kinds = _kinds(words)
    return frozenset(at for at in range(1, len(words)) if _may(kinds, words, at))


def ideograph(letter: str) -> bool:
    """Whether a line may break on either side of it, as of a Han letter, a kana or a syllable."""
    return _kind(letter) in ("ID", "NS") or (
        unicodedata.east_asian_width(letter) in "WF" and _kind(letter) != "SP"
    )


def _kinds(words: str) -> list[str]:
    """The class of each letter; marks take that of the letter they stand on."""
    kinds: list[str] = []
    for letter in words:
        kind = _kind(letter)
        if kind == "CM":
            kind = kinds[-1] if kinds and kinds[-1] not in ("SP", "ZW") else "AL"
        kinds.append(kind)
    return kinds


@lru_cache(maxsize=8192)
def _kind(letter: str) -> str:
    if known := _CLASSES.get(letter):
        return known
    category = unicodedata.category(letter)
    if category[0] == "M" or letter == "\u200d":
        return "CM"
    wide = unicodedata.east_asian_width(letter) in "WF"
    if category == "Nd":
        return "ID" if wide else "NU"
    if category == "Sc":
        return "PR"
    if category in ("Zs", "Cc"):
        return "BA"  # unlike a space they show at the end of a line; a break may follow
    if category in ("Ps", "Pe"):
        return "OP" if category == "Ps" else "CL"
    if category in ("Pi", "Pf"):
        return "QU"
    return "ID" if wide or _picture(letter) else "AL"


def _picture(letter: str) -> bool:
    return "\U0001f000" <= letter <= "\U0001faff" or "\u2600" <= letter <= "\u26ff"


def _may(kinds: list[str], words: str, at: int) -> bool:
    before, after = kinds[at - 1], kinds[at]
    if _joined(words, at) or after in ("SP", "ZW") or "GL" in (before, after):
        return before == "ZW" and after not in ("SP", "ZW")
    if before == "ZW":
        return True
    if after in _NEVER_BEFORE:
        return before == "SP" and after == "IS" and kinds[at + 1 : at + 2] == ["NU"]  # 5 .25
    if before == "SP":
        last = next((kinds[i] for i in range(at - 1, -1, -1) if kinds[i] != "SP"), "")
        return not (last == "OP" or (last, after) in (("B2", "B2"), ("CL", "NS"), ("CP", "NS")))
    if before == "OP" or after in ("BA", "HY", "NS", "IN"):
        return False
    if "QU" in (before, after):
        return _beside_han(words, at)
    if before in ("HY", "BA") and words[at - 1] in "-\u2010" and after == "AL":
        return not (at == 1 or kinds[at - 2] in ("SP", "BA", "OP"))  # a minus, not a hyphen
    if after == "OP" and unicodedata.east_asian_width(words[at]) in "WF":
        return True  # a word and a wide bracket are not one, as they are in "f(x)"
    return (before, after) not in _TOGETHER and not _number(kinds, at)


def _number(kinds: list[str], at: int) -> bool:
    """Whether what stands on both sides is of one number: 1/2, $(5), (5)%."""
    before, after = kinds[at - 1], kinds[at]
    first = kinds[at - 2] if at > 1 else ""
    if before == "SY" and after == "NU":
        return first == "NU"
    if before in ("PR", "PO") and after == "OP":
        return kinds[at + 1 : at + 2] == ["NU"]
    return before in ("CL", "CP") and after in ("PO", "PR") and first == "NU"


def _joined(words: str, at: int) -> bool:
    """Whether what follows belongs to the letter before: a mark, or the second of a pair."""
    if unicodedata.category(words[at])[0] == "M" and words[at - 1] != " ":
        return True
    if "\u200d" in (words[at], words[at - 1]) and words[at - 1] != " ":
        return True
    if "\U0001f3fb" <= words[at] <= "\U0001f3ff":
        return True
    flags = 0
    while flags < min(at, _FLAGS) and "\U0001f1e6" <= words[at - 1 - flags] <= "\U0001f1ff":
        flags += 1
    return flags % 2 == 1 and "\U0001f1e6" <= words[at] <= "\U0001f1ff"


def _beside_han(words: str, at: int) -> bool:
    """Whether a line may end at a quotation mark: between Han letters it opens or closes."""
    before, after = words[at - 1], words[at]
    if unicodedata.category(after) == "Pi":
        return ideograph(before)
    return unicodedata.category(before) == "Pf" and ideograph(after)
