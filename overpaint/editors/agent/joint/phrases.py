"""Phrases of prompts: how they are cut, and what their words tell where no rule has them."""

import re
from collections.abc import Iterator

from overpaint.document.instruct.colours import NAMES, colour_of
from overpaint.document.instruct.quotes import quotes
from overpaint.document.layers import Colour, plain
from overpaint.vision.layers import Kind

Rename = tuple[str, str]
_CALLED: dict[Kind, str] = {"text": "the text", "image": "the shape", "decoration": "the shape"}
_ITSELF = re.compile(
    r"\b(?:(?:the|this|that) (?:whole |entire )?(?:text |picture |image )?(?:layer|element|object)"
    r"|it|this|its)\b",
    re.IGNORECASE,
)
_VERB = (
    r"(?:please |then |also )*(?:change|make|set|replace|delete|remove|erase|add|insert|write|put"
    r"|move|turn|recolou?r|colou?r|paint|swap|update|rewrite|rename|shrink|enlarge|scale|hide"
    r"|transform|convert|tint|fill|draw|place|bring|send|rotate|edit|use|render|drop)\b"
)
_CUT = re.compile(
    # Gaps have an end, for a page of spaces would be searched for hours.
    rf"(?<=[.!?])\s{{1,9}}|\s{{0,9}}[;；。\n]{{1,9}}\s{{0,9}}"
    rf"|\s{{0,9}},?\s{{1,9}}(?:and|then)\s{{1,9}}(?={_VERB})|\s{{0,9}},\s{{0,9}}(?={_VERB})"
    r"|[，,]\s*(?=(?:并|再|同时|然后|把|将))",
    re.IGNORECASE,
)
_MOTIF = re.compile(
    r"\b(?:replace|swap|change|turn|transform|convert|exchange|make|substitute)\s+"
    r"(?P<old>[^'\"“”‘’]{2,60}?)\s+(?:with|by|into|to|for)\s+"
    r"(?P<new>[^'\"“”‘’]{2,80}?)"
    r"(?=[.,;!]|\s+(?:and|while|keeping|but|so|in|on|at|that|to match)\b|$)",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?:add|draw|insert|put|place|paint|include)\s+"
    r"(?P<new>(?:an?|one)\s+[^'\"“”‘’]{2,60}?)"
    r"(?=[.,;!]|\s+(?:and|while|to|in|on|at|near|beside|below|above|over|under|next|with|behind)\b|$)",
    re.IGNORECASE,
)
_TO = re.compile(
    r"(?:\bto\b|\bwith\b|\binto\b|\bas\b|\bby\b|\bread(?:s|ing)?\b|\bsay(?:s|ing)?\b|\bbecomes?\b"
    r"|\bis\b|→|->|[:：]|为|成|作)"
    r"[^\w]*(?:the (?:text|words?|wording|title|new text)\s*)?[:：]?\s*$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:draw|paint|put|show|place|use)\s+(?P<new>[^'\"“”‘’]{2,60}?)\s+"
    r"(?:in place of|instead of|in lieu of)\s+(?P<old>[^'\"“”‘’]{2,60}?)(?=[.,;!]|$)"
    r"|用(?:同样大小的)?(?P<new2>[^“”，。；]{1,20}?)(?:代替|替换|取代)(?P<old2>[^“”，。；]{1,20})"
    r"|[把将](?P<old3>[^“”，。；]{1,20}?)(?:换成|替换为|变成|改画成)(?P<new3>[^“”，。；]{1,20})",
    re.IGNORECASE,
)
# What only says that something stays as it is.
_IDLE = re.compile(
    r"(?!.*(?:\b(?:replace|draw|turn|swap|paint|delete|remove)\b|[换改变画]成|[改换]为|代替|替换|删|去掉))"
    r"(?:(?:and |but |while )?(?:keep|leave|preserve|retain|maintain)\b.*"
    r"|[^'\"“”]*\b(?:stays?|remains?|unchanged|as (?:it|they) (?:is|are|was|were))\b[^'\"“”]*"
    r"|[^“”\"']*(?:保持|不变|保留|不动)[^“”\"']*)",
    re.IGNORECASE,
)
_CORNER = re.compile(
    r"\b(?:mov|shift|plac|position|put|sit|stand|relocat|bring|anchor|push|align|tuck)\w*\b.{0,60}?"
    r"\b(?P<corner>(?:top|upper|bottom|lower)[- ](?:left|right))\b"
    r"|(?:移|放|挪|置|摆).{0,20}?(?P<corner2>[左右][上下])",
    re.IGNORECASE,
)
_HEX = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b")
_SHADES = {"dark": "dark", "deep": "dark", "深": "dark", "暗": "dark", "light": "light",
           "pale": "light", "soft": "light", "浅": "light", "淡": "light"}  # fmt: skip
_LETTER = "[0-9a-z_\u00c0-\u024f]"  # of words that spaces part; Chinese ones may stand beside
_ARTICLES = re.compile(r"^(?:the|a|an|all|every|each|this|that|these|those|its|of|some|one)\s+")


# ── cutting ─────────────────────────────────────────────────────────────────────────────


def pieces(prompt: str) -> Iterator[str]:
    """The prompt cut at the ends of its sentences and before its verbs, but never in a quote."""
    closed = [(span.start, span.end) for span in quotes(prompt)]
    start = 0
    for found in _CUT.finditer(prompt):
        if any(first < found.end() and found.start() < last for first, last in closed):
            continue
        yield from _without_idle(prompt[start : found.start()].strip())
        start = found.end()
    yield from _without_idle(prompt[start:].strip())


def _without_idle(text: str) -> Iterator[str]:
    """A sentence and, apart from it, what it says at its end of all that stays as it is."""
    for found in re.finditer(r"[,，;；]\s*", text):
        if _IDLE.fullmatch(text[found.end() :]):
            yield text[: found.start()]
            yield text[found.end() :]
            return
    yield text


def stays(text: str) -> bool:
    """Whether a piece only says that something is to stay as it is."""
    return _IDLE.fullmatch(text) is not None


def called(text: str, kind: Kind) -> str:
    """The part with what its layer is where it says "it"."""
    said, made, at = quotes(text), [], 0
    for span in said:
        made += [_ITSELF.sub(_CALLED[kind], text[at : span.start]), text[span.start : span.end]]
        at = span.end
    return "".join([*made, _ITSELF.sub(_CALLED[kind], text[at:])])


def leads(before: str) -> bool:
    """Whether what stands before a quote makes it the new words."""
    return _TO.search(before[-80:]) is not None


def motif_of(text: str) -> Rename | None:
    """What a picture shows, and what it is to show, where a piece tells both."""
    if found := _MOTIF.search(text):
        return bare(found["old"]), bare(found["new"])
    if found := _INSTEAD.search(text):
        old, new = (
            found[name] or found[f"{name}2"] or found[f"{name}3"] for name in ("old", "new")
        )
        return bare(old), bare(new)
    return None


def object_of(text: str) -> str:
    """One thing that is to come into a picture; "" where a piece tells of none."""
    found = _OBJECT.search(text)
    return bare(found["new"]) if found else ""


# ── words ───────────────────────────────────────────────────────────────────────────────


def sentence(text: str) -> str:
    """The words as a sentence of their own."""
    text = text.strip()
    if not text or text[-1] in ".!?。！？":
        return text
    chinese = re.search(r"[\u3400-\u9fff]", text) is not None
    return f"{text[:1].upper()}{text[1:]}{'。' if chinese else '.'}"


def corner_of(text: str) -> str:
    """The corner that something is to stand in; "" where a piece tells of none."""
    found = _CORNER.search(text[:400])
    if found is None:
        return ""
    said = (found["corner"] or found["corner2"]).lower()
    down = "top" if re.search("top|upper|上", said) else "bottom"
    return f"{down} {'left' if 'left' in said or '左' in said else 'right'}"


def stands(words: str, text: str) -> bool:
    """Whether words stand in a text, as whole words, in any case and spacing."""
    wanted, said = plain(words), plain(text)
    if not wanted:
        return False
    if not wanted.isascii():  # Chinese has no spaces that count
        return "".join(wanted.split()) in "".join(said.split())
    return re.search(rf"(?<!{_LETTER}){re.escape(wanted)}(?!{_LETTER})", said) is not None


def reworded(text: str, old: str, new: str) -> str:
    """The text with `new` for every whole `old`, once: a `new` that stands there stays."""
    if not old.strip() or not new:
        return text
    found = re.compile(f"(?P<new>{_whole(new)})|{_whole(old)}", re.IGNORECASE)
    keeps = plain(old) != plain(new)
    return found.sub(lambda m: m[0] if keeps and m["new"] is not None else new, text)


def _whole(words: str) -> str:
    """A pattern for words as they stand, apart from letters that would make others of them."""
    if not words.isascii():
        return r"\s*".join(re.escape(letter) for letter in "".join(words.split()))
    body = r"\s+".join(map(re.escape, words.split()))
    before = f"(?<!{_LETTER})" if words.strip()[0].isalnum() else ""
    return f"{before}{body}(?!{_LETTER})" if words.strip()[-1].isalnum() else f"{before}{body}"


def colours_in(text: str) -> Iterator[Colour]:
    """The colours that a text names outside its quotes, by names or codes, in their shades."""
    for name, shade in _named(text):
        colour = colour_of(name, shade)
        if colour is not None:
            yield colour


def _named(text: str) -> Iterator[tuple[str, str]]:
    bare_text = text
    for span in reversed(quotes(text)):
        bare_text = bare_text[: span.start] + " " + bare_text[span.end :]
    yield from ((found[0].lower(), "") for found in _HEX.finditer(bare_text))
    low = bare_text.lower()
    for name in sorted(NAMES, key=len, reverse=True):
        found = name in low and re.search(
            rf"(?<![\w#]){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name), low
        )
        if found and (name.isascii() or len(name) > 1):
            before = low[: found.start()].rstrip()
            yield name, next((s for word, s in _SHADES.items() if before.endswith(word)), "")
            low = low[: found.start()] + " " + low[found.end() :]


def bare(phrase: str) -> str:
    """A phrase for a thing, in small letters, without its articles."""
    said = plain(phrase).strip(" .,;:!?")
    while found := _ARTICLES.match(said):
        said = said[found.end() :]
    return said
