"""What prompts ask of their layers: parts of each, understood by the rules where they can be.

A prompt is free text. It is cut into parts, one job each; a part is what `document.instruct` makes
of it, or else what its quotes, colours and verbs tell. What tells nothing is left alone.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from overpaint.document.instruct import parse
from overpaint.document.instruct.colours import NAMES, colour_of
from overpaint.document.instruct.quotes import quotes
from overpaint.document.layers import Colour, plain
from overpaint.document.ops import Delete, Hide, Insert, Move, Op, Recolour, ReplaceText, Restyle
from overpaint.document.roles import PATTERNS
from overpaint.document.where import patterns
from overpaint.editors.agent.deciding import Decision
from overpaint.errors import OverpaintError
from overpaint.vision.layers import Kind, Seen

LONGEST = 4_000  # letters of a prompt that are understood
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
    rf"(?<=[.!?])\s+|\s*[;；。\n]+\s*|\s*,?\s+(?:and|then)\s+(?={_VERB})|\s*,\s*(?={_VERB})"
    r"|[，,]\s*(?=(?:并|再|同时|然后|把|将))",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"(?:please |simply |just )*(?:delete|remove|erase|drop|take out|take away|get rid of)"
    r"(?: (?:the|this|that|its|whole|entire|it|all|of|text|words?|wording|layer|picture|image"
    r"|photo|illustration|shape|decoration|element|object|icon|logo|banner|completely"
    r"|entirely|altogether|background))*[.!]?|删除(?:这个?|该|此|整个)?(?:图层|文字|元素|图片|形状)?。?",
    re.IGNORECASE,
)
_TINGED = re.compile(
    r"\b(?:recolou?r|colou?r|colou?red|paint|tint|fill|make|turn|set|change|render|use|dye)\b"
    r"|改|换|变|涂|设",
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
    r"(?:and |but |while )?(?:keep|leave|preserve|retain|maintain)\b.*"
    r"|[^'\"“”]*\b(?:stays?|remains?|unchanged|as (?:it|they) (?:is|are|was|were))\b[^'\"“”]*"
    r"|[^“”\"']*(?:保持|不变|保留|不动)[^“”\"']*",
    re.IGNORECASE,
)
_HEX = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b")
_SHADES = {"dark": "dark", "deep": "dark", "深": "dark", "暗": "dark", "light": "light",
           "pale": "light", "soft": "light", "浅": "light", "淡": "light"}  # fmt: skip
_ARTICLES = re.compile(r"^(?:the|a|an|all|every|each|this|that|these|those|its|of|some|one)\s+")
Rename = tuple[str, str]


@dataclass(frozen=True)
class Part:
    """One job of a prompt: its own words, and the ops that the rules make of them."""

    text: str
    ops: tuple[Op, ...]
    kind: Kind
    own: str  # what the layer says

    @cached_property
    def understood(self) -> bool:
        """Whether the rules know all that it asks; what stays as it is asks for nothing."""
        return bool(self.ops) or _IDLE.fullmatch(self.text) is not None

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """What stands in quotes."""
        return tuple(span.text for span in quotes(self.text) if span.text)

    @cached_property
    def renames(self) -> tuple[Rename, ...]:
        """Words that others take the place of."""
        if self.ops:
            found = [op for op in self.ops if isinstance(op, ReplaceText) and op.text]
            return tuple((old, op.text) for op in found if (old := _old(op, self.own)))
        said = quotes(self.text)
        if len(said) == 2 and _leads(self.text[said[0].end : said[1].start]):
            return ((said[0].text, said[1].text),)
        return ()

    @cached_property
    def says(self) -> str:
        """All that the layer is to say; "" where that is not told."""
        for op in self.ops:
            whole = isinstance(op, ReplaceText) and not op.where.text and not op.where.nth
            if whole and isinstance(op, ReplaceText) and op.where.role not in _PARTIAL:
                return op.text
        said = quotes(self.text)
        if (
            not self.ops
            and len(said) == 1
            and self.kind == "text"
            and not stands(said[0].text, self.own)
        ):
            return said[0].text if _TO.search(self.text[: said[0].start]) else ""
        return ""

    @cached_property
    def adds(self) -> str:
        """Words that come to it."""
        return next((op.text for op in self.ops if isinstance(op, Insert)), "")

    @cached_property
    def deletes(self) -> bool:
        """Whether the whole layer goes."""
        if _GONE.fullmatch(self.text.strip()):
            return True
        for op in self.ops:
            named = op.where.text
            whole = not named or plain(named) == plain(self.own)
            if isinstance(op, Delete) and whole and op.where.role not in _PARTIAL:
                return True
            if isinstance(op, Hide) and not op.visible and whole:
                return True
        return False

    @cached_property
    def colour(self) -> Colour | None:
        """The colour that the whole layer takes on."""
        for op in reversed(self.ops):
            if isinstance(op, Recolour) or (isinstance(op, Restyle) and op.colour is not None):
                return op.colour
        if self.ops or not _TINGED.search(self.text):
            return None
        found = set(colours_in(self.text))
        return found.pop() if len(found) == 1 else None

    @cached_property
    def moves(self) -> bool:
        """Whether the layer is to stand elsewhere."""
        return any(isinstance(op, Move) for op in self.ops)

    @cached_property
    def motif(self) -> Rename | None:
        """What a picture shows, and what it is to show."""
        if any(not isinstance(op, ReplaceText) for op in self.ops) or self.quoted:
            return None
        if found := _MOTIF.search(self.text):
            return bare(found["old"]), bare(found["new"])
        if found := _INSTEAD.search(self.text):
            old, new = (
                found[name] or found[f"{name}2"] or found[f"{name}3"] for name in ("old", "new")
            )
            return bare(old), bare(new)
        return None

    @cached_property
    def object(self) -> str:
        """One thing that is to come into a picture."""
        found = _OBJECT.search(self.text) if not self.quoted and not self.motif else None
        return bare(found["new"]) if found else ""


def _old(op: ReplaceText, own: str) -> str:
    """The words that others take the place of: said, or the date or price of a layer."""
    if op.where.text or op.where.role not in PATTERNS:
        return op.where.text
    found = PATTERNS[op.where.role].search(own)
    return found[0] if found else ""


def _leads(before: str) -> bool:
    """Whether what stands before a quote makes it the new words."""
    return _TO.search(before[-80:]) is not None


_PARTIAL = (
    "word", "letter", "number", "date", "time", "price", "phone", "address", "email", "url",
    "line", "sentence", "row", "column", "cell",
)  # fmt: skip


@dataclass(frozen=True)
class Wish:
    """A decision with its layer, and its prompt in parts."""

    decision: Decision
    seen: Seen

    @property
    def id(self) -> str:
        """The layer's."""
        return self.seen.id

    @property
    def edits(self) -> bool:
        """Whether the layer is to be edited."""
        return bool(self.decision.edit)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The jobs of the prompt; none where the layer is kept."""
        if not self.edits:
            return ()
        return parts_of(self.decision.prompt, self.seen.kind, self.seen.words)

    @cached_property
    def understood(self) -> bool:
        """Whether the rules know all that is asked of the layer."""
        known = all(part.understood or part.deletes for part in self.parts)
        return known and any(part.ops or part.deletes for part in self.parts)

    @cached_property
    def renames(self) -> tuple[Rename, ...]:
        """Words that others take the place of."""
        return tuple(pair for part in self.parts for pair in part.renames)

    @cached_property
    def says(self) -> str:
        """All that the layer is to say, where the prompt has all of it."""
        return next((part.says for part in self.parts if part.says), "")

    @cached_property
    def deletes(self) -> bool:
        """Whether the whole layer goes."""
        return any(part.deletes for part in self.parts)

    @cached_property
    def colour(self) -> Colour | None:
        """The colour that the layer takes on."""
        return next((part.colour for part in reversed(self.parts) if part.colour), None)

    @cached_property
    def ops(self) -> tuple[Op, ...]:
        """All ops that the rules understood."""
        return tuple(op for part in self.parts for op in part.ops)

    @cached_property
    def words(self) -> str:
        """What the layer will say, as far as the prompt tells."""
        if self.deletes:
            return ""
        said = self.says or self.seen.words
        for old, new in () if self.says else self.renames:
            said = reworded(said, old, new)
        return said

    def without(self, drop: Callable[[Part], bool], why: str) -> "Wish":
        """The wish without some of its parts; the layer is kept where none is left."""
        left = [part for part in self.parts if not drop(part)]
        if len(left) == len(self.parts):
            return self
        if not left:
            return self.kept(why)
        return self.asking(" ".join(sentence(part.text) for part in left), why)

    def kept(self, why: str) -> "Wish":
        """The same layer, not edited."""
        told = self._told(why)
        return Wish(replace(self.decision, edit=False, prompt="", why=told), self.seen)

    def asking(self, prompt: str, why: str) -> "Wish":
        """The same layer with another prompt."""
        told = self._told(why)
        return Wish(replace(self.decision, edit=True, prompt=prompt, why=told), self.seen)

    def also(self, more: str, why: str) -> "Wish":
        """The same with one more job."""
        first = sentence(self.decision.prompt) if self.edits else ""
        return self.asking(f"{first} {more}".strip(), why)

    def _told(self, why: str) -> str:
        own = self.decision.why.rstrip()
        return f"{own} [{why}]" if own else f"[{why}]"


def parts_of(prompt: str, kind: Kind, own: str) -> tuple[Part, ...]:
    """The jobs of a prompt, each as the rules or its own words tell it."""
    if len(prompt) > LONGEST:
        return (Part(prompt, (), kind, own),)
    cut = [piece for text in _cut(prompt) if text.strip() for piece in _without_idle(text)]
    found = [_part(text, kind, own) for text in cut]
    if len(found) > 1 and not all(part.understood or part.deletes for part in found):
        whole = _part(prompt, kind, own)
        if whole.understood:  # it hangs together more than the cut shows
            return (whole,)
    return tuple(found)


def _cut(prompt: str) -> Iterator[str]:
    """The prompt at the ends of its sentences and before its verbs, but never in a quote."""
    closed = [(span.start, span.end) for span in quotes(prompt)]
    start = 0
    for found in _CUT.finditer(prompt):
        if any(first < found.end() and found.start() < last for first, last in closed):
            continue
        yield prompt[start : found.start()].strip()
        start = found.end()
    yield prompt[start:].strip()


def _without_idle(text: str) -> Iterator[str]:
    """A sentence and, apart from it, what it says at its end of all that stays as it is."""
    for found in re.finditer(r"[,，;；]\s*", text):
        if _IDLE.fullmatch(text[found.end() :]):
            yield text[: found.start()]
            yield text[found.end() :]
            return
    yield text


def _part(text: str, kind: Kind, own: str) -> Part:
    return Part(text, _ops(text, kind) or _ops(_called(text, kind), kind), kind, own)


@lru_cache(maxsize=4096)
def _ops(text: str, kind: Kind) -> tuple[Op, ...]:
    try:
        found = parse(text)
    except OverpaintError:
        return ()
    new = [op.text for op in found if isinstance(op, ReplaceText | Insert)]
    if new and not quotes(text) and (kind != "text" or not all(map(_is_name, new))):
        return ()  # "replace the sun with a moon" is no matter of words
    return found


def _is_name(new: str) -> bool:
    """Whether words that nobody quoted are new words all the same: a name, a date, a number."""
    return new[:1].isascii() and (new[:1].isupper() or any(c.isdigit() for c in new))


def _called(text: str, kind: Kind) -> str:
    """The part with what its layer is where it says "it"."""
    said, made, at = quotes(text), [], 0
    for span in said:
        made += [_ITSELF.sub(_CALLED[kind], text[at : span.start]), text[span.start : span.end]]
        at = span.end
    return "".join([*made, _ITSELF.sub(_CALLED[kind], text[at:])])


def sentence(text: str) -> str:
    """The words as a sentence of their own."""
    text = text.strip()
    return text if not text or text[-1] in ".!?。！？" else f"{text[:1].upper()}{text[1:]}."


def stands(words: str, text: str) -> bool:
    """Whether words stand in a text, as whole words, in any case and spacing."""
    wanted, said = plain(words), plain(text)
    if not wanted:
        return False
    if not wanted.isascii():
        return wanted in said
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", said) is not None


def reworded(text: str, old: str, new: str) -> str:
    """The text with all that says `old` in the strictest way in which it does, saying `new`."""
    for pattern in patterns(old):
        if pattern.search(text):
            return pattern.sub(lambda _: new, text)
    return text


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
