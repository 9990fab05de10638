"""Finding: where words stand on a page, though they are read by OCR, broken, cased or counted."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from overpaint.editors.agent.phrasing import bare
from overpaint.editors.agent.rules.page import Page
from overpaint.editors.agent.rules.prompts import Hit, Tongue
from overpaint.vision.layers import Seen

_LONGEST = 200  # letters of a phrase that is looked for
_LONGEST_TEXT = 20_000  # letters of a layer that are looked through
_ALIKE = 0.84  # of two phrases that OCR may have read apart
_LEAST_ALIKE = 5  # letters: shorter ones are found as they are or not at all
_TOKEN = re.compile(r"[A-Za-z]+|\d+|\S")
_WIDE = dict(zip("，：（）！？；’‘％－–—。", ",:()!?;''%---.", strict=True))
_NARROW = {narrow: wide for wide, narrow in _WIDE.items()}


@dataclass(frozen=True)
class Found:
    """A place where words stand: the layer, and the words as it has them."""

    layer: Seen
    piece: str


@lru_cache(maxsize=512)
def _pattern(phrase: str, *, exact: bool, inflected: bool) -> re.Pattern[str] | None:
    """Words as they may stand somewhere: any space between them, marks wide or narrow."""
    tokens = _TOKEN.findall(phrase[:_LONGEST])
    if not tokens:
        return None
    body = r"\s*".join(_token(token) for token in tokens)
    end = "(?:e?s)?" if inflected and tokens[-1].isalpha() and tokens[-1].isascii() else ""
    before = r"(?<![A-Za-z0-9])" if tokens[0][0].isascii() and tokens[0][0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if tokens[-1][-1].isascii() and tokens[-1][-1].isalnum() else ""
    return re.compile(before + body + end + after, 0 if exact else re.IGNORECASE)


def _token(token: str) -> str:
    forms = {token, _WIDE.get(token, token), _NARROW.get(token, token)}
    return (
        "|".join(map(re.escape, forms))
        if len(forms) == 1
        else f"(?:{'|'.join(map(re.escape, sorted(forms)))})"
    )


def stands(words: str, phrase: str, *, inflected: bool = False) -> bool:
    """Whether a phrase stands in some words."""
    pattern = _pattern(phrase, exact=False, inflected=inflected)
    return pattern is not None and pattern.search(words[:_LONGEST_TEXT]) is not None


def found(page: Page, phrase: str, *, inflected: bool = False, cased: bool = False) -> list[Found]:
    """Everywhere that a phrase stands; `cased`: where it is written so, if it is anywhere."""
    layers = [one for one in page.scene.layers if one.words.strip()]
    for exact in (True, False) if cased else (False,):
        pattern = _pattern(phrase, exact=exact, inflected=inflected)
        if pattern is None:
            return []
        here = [Found(layer, match[0]) for layer in layers if _worded(page, layer)
                for match in pattern.finditer(layer.words[:_LONGEST_TEXT])]  # fmt: skip
        if here:
            return here
    return _nearly(page, phrase)


def _worded(page: Page, layer: Seen) -> bool:
    return layer in page.texts or sum(letter.isalnum() for letter in layer.words) > 2


def _nearly(page: Page, phrase: str) -> list[Found]:
    """Lines of pictures that OCR has read as something like the phrase."""
    if len(phrase) < _LEAST_ALIKE or len(phrase) > _LONGEST:
        return []
    here = []
    for line in page.lines:
        if line.layer.live or len(line.text) < len(phrase) - 2:
            continue
        piece = _nearest(line.text, phrase)
        if piece:
            here.append(Found(line.layer, piece))
    return here


def _nearest(text: str, phrase: str) -> str:
    """The words of a line that are most like a phrase, if they are like it at all."""
    starts = [match.start() for match in re.finditer(r"(?<!\w)\w|[\u3400-\u9fff]", text)][:60]
    best, share = "", _ALIKE
    for start in starts:
        for more in (-1, 0, 1):
            piece = text[start : start + len(phrase) + more].strip()
            if _figures(piece) != _figures(phrase):  # 3 March is another day than 4 March
                continue
            alike = SequenceMatcher(None, piece.casefold(), phrase.casefold(), False).ratio()
            if alike > share:
                best, share = piece, alike
    return best


def _figures(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())


# ── other words in their place ──────────────────────────────────────────────────────────


def recased(new: str, piece: str, old: str) -> str:
    """The new words as the piece that they replace is written: in capitals, as a title, small."""
    letters = [c for c in piece if c.isalpha()]
    if len(letters) > 1 and piece.isupper() and not old.isupper():
        return new.upper()
    if piece[:1].isupper() and not old[:1].isupper() and new == new.lower():
        words = new.split(" ")
        titled = all(word[:1].isupper() for word in piece.split())
        return " ".join(
            w[:1].upper() + w[1:] if titled or not n else w for n, w in enumerate(words)
        )
    if piece[:1].islower() and old[:1].isupper() and new.istitle():
        return new.lower()
    return new


def counted(new: str, piece: str, old: str) -> str:
    """The new words in the number of the piece: “lamps” for “clocks” though one is asked for."""
    if piece.casefold() == old.casefold() or not piece.isascii() or not new.isascii():
        return new
    if piece.casefold() in (old.casefold() + "s", old.casefold() + "es"):
        return plural(new)
    return new


def plural(word: str) -> str:
    """More than one of it."""
    small = word.casefold()
    if small.endswith(("s", "x", "ch", "sh")):
        return word if small.endswith("s") and not small.endswith("ss") else word + "es"
    if small.endswith("y") and small[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def singular(word: str) -> str:
    """One of it."""
    small = word.casefold()
    if small.endswith("ies") and len(small) > 4:
        return word[:-3] + "y"
    if small.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return (
        word[:-1]
        if small.endswith("s") and not small.endswith(("ss", "us")) and len(small) > 3
        else word
    )


def replaced(places: Iterable[Found], old: str, new: str, tongue: Tongue, why: str) -> list[Hit]:
    """What each layer is told so that it says the new words in place of the old."""
    pieces: dict[tuple[str, str], int] = {}
    layers: dict[str, Seen] = {}
    for place in places:
        pieces[place.layer.id, place.piece] = pieces.get((place.layer.id, place.piece), 0) + 1
        layers[place.layer.id] = place.layer
    hits = []
    for (layer, piece), times in pieces.items():
        fresh = recased(counted(new, piece, old), piece, old)
        own = " ".join(layers[layer].words.split())
        if bare(piece) == bare(own) and piece in own:  # so that no mark around it is lost
            piece, fresh = own, own.replace(piece, fresh)
        piece, fresh = _with_article(layers[layer].words, piece, fresh)
        if fresh == piece:
            continue
        told = _told(layers[layer].words, piece, fresh) if times > 1 else [(piece, fresh)]
        every = times > 1 and told == [(piece, fresh)]
        hits += [Hit(layer, tongue.replace(*one, every=every), why) for one in told]
    return hits


def _told(words: str, piece: str, fresh: str) -> list[tuple[str, str]]:
    """Each line that has a piece, and what becomes of it; the piece where lines are alike."""
    lines = [line.strip() for line in words.split("\n") if piece in line]
    if len(set(lines)) < len(lines) or not lines:
        return [(piece, fresh)]
    longest = sorted(lines, key=len, reverse=True)  # one may be all that another ends in
    return [(line, line.replace(piece, fresh)) for line in longest]


def broken(old: list[str], new: str) -> list[tuple[str, str]]:
    """Long new words over as many lines as the old ones have, last line first."""
    said, longest = new.split(), max(map(len, old))
    apart = all(a == b or a.casefold() not in b.casefold() for a in old for b in old)
    if not 1 < len(old) <= len(said) or len(new) < 1.3 * longest:
        return []
    if not apart or len(set(old)) < len(old):
        return []
    aim, rows = len(new) / len(old), [""]
    for number, word in enumerate(said):
        left = len(old) - len(rows)
        full = rows[-1] and len(rows[-1]) + len(word) / 2 > aim
        if left and (full or len(said) - number <= left):
            rows.append(word)
        else:
            rows[-1] = f"{rows[-1]} {word}".strip()
    return list(zip(old, rows, strict=True))[::-1] if len(rows) == len(old) else []


def _with_article(words: str, piece: str, fresh: str) -> tuple[str, str]:
    """Both with the article before them, where the new word takes the other one."""
    before = re.search(rf"(?<!\w)(an?)\s+{re.escape(piece)}", words, re.IGNORECASE)
    if before is None or not fresh.isascii():
        return piece, fresh
    wanted = "an" if fresh[:1].casefold() in "aeio" else "a"
    if before[1].casefold() == wanted:
        return piece, fresh
    article = wanted.upper() if before[1].isupper() and len(before[1]) > 1 else (
        wanted.capitalize() if before[1][0].isupper() else wanted)  # fmt: skip
    return f"{before[1]} {piece}", f"{article} {fresh}"


def first_found(page: Page, phrases: Sequence[str], **how: bool) -> tuple[str, list[Found]]:
    """The first of some phrases that stands anywhere, and where."""
    for phrase in phrases:
        if phrase and (here := found(page, phrase, **how)):
            return phrase, here
    return "", []
