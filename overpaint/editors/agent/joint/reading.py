"""What prompts ask of their layers: parts of each, understood by the rules where they can be.

A prompt is free text. It is cut into parts, one job each; a part is what `document.instruct` makes
of it, or else what its quotes, colours and verbs tell. What tells nothing is left alone.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from overpaint.document.instruct import parse
from overpaint.document.instruct.quotes import quotes
from overpaint.document.layers import Colour, plain
from overpaint.document.ops import Delete, Hide, Insert, Move, Op, Recolour, ReplaceText, Restyle
from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.deciding import Decision
from overpaint.editors.agent.joint.phrases import (
    Rename,
    called,
    colours_in,
    leads,
    motif_of,
    object_of,
    pieces,
    reworded,
    sentence,
    stands,
    stays,
)
from overpaint.editors.agent.joint.told import told
from overpaint.editors.agent.phrasing import removes, ways
from overpaint.errors import OverpaintError
from overpaint.vision.layers import Kind, Seen

LONGEST = 4_000  # letters of a prompt that are understood
_GONE = re.compile(
    r"(?:please |simply |just )*(?:delete|remove|erase|drop|take out|take away|get rid of)"
    r"(?: (?:the|this|that|its|whole|entire|it|all|of|text|words?|wording|layer|picture|image"
    r"|photo|illustration|shape|decoration|element|object|icon|logo|banner|completely"
    r"|entirely|altogether|background))*[.!]?|删除(?:这个?|该|此|整个)?(?:图层|文字|元素|图片|形状)?。?",
    re.IGNORECASE,
)
_GOES = re.compile(
    r"(?:please |simply |just )*(?:delete|remove|erase|drop|take out|take away|get rid of) "
    r"(?:the |this |that |its |whole |entire |old )+(?:[\w$%-]+ ){0,2}"
    r"(?:line|layer|text|element|caption|label|background|badge|picture|image|shape|sentence)"
    r"(?=$|[,.;]| (?:completely|entirely|altogether|from the|since|because|as|so|here))"
    r"|(?:the|this|that)(?: [\w$%-]+){0,2} (?:should|must|can|needs to|has to|is to|will) (?:now )?"
    r"(?:be (?:removed|deleted|erased|dropped|taken out|hidden)|go(?: away)?|disappear)\b"
    r"|(?:这一?[个行段句]?|该|此)(?:图层|文字|元素|图片|内容|价格)?(?:应该?|需要?|要)(?:被)?(?:删除|删掉|去掉|移除)",
    re.IGNORECASE,
)
_TINGED = re.compile(
    r"\b(?:recolou?r|colou?r|colou?red|paint|tint|fill|make|turn|set|change|render|use|dye)\b"
    r"|改|换|变|涂|设",
    re.IGNORECASE,
)


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
        return bool(self.ops) or stays(self.text)

    @cached_property
    def idle(self) -> bool:
        """Whether it asks for nothing."""
        return not self.ops and not self.deletes and stays(self.text)

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """What stands in quotes."""
        return tuple(span.text for span in quotes(self.text) if span.text)

    @cached_property
    def renames(self) -> tuple[Rename, ...]:
        """Words that others take the place of."""
        found = [op for op in self.ops if isinstance(op, ReplaceText) and op.text]
        known = tuple((old, op.text) for op in found if (old := _old(op, self.own)))
        if known and (self.quoted or any(stands(old, self.own) for old, _ in known)):
            return known
        if self._free[0] is not None:
            return (self._free[0],)
        if self.ops:
            return known
        said = quotes(self.text)
        if len(said) == 2 and leads(self.text[said[0].end : said[1].start]):
            return ((said[0].text, said[1].text),)
        return ()

    @cached_property
    def says(self) -> str:
        """All that the layer is to say; "" where that is not told."""
        for op in self.ops:
            whole = isinstance(op, ReplaceText) and not op.where.text and not op.where.nth
            if whole and isinstance(op, ReplaceText) and not self._is_part(op):
                return op.text
        said = quotes(self.text)
        if (
            not self.ops
            and len(said) == 1
            and self.kind == "text"
            and not stands(said[0].text, self.own)
        ):
            return said[0].text if leads(self.text[: said[0].start]) else ""
        return self._free[1]

    @cached_property
    def _free(self) -> tuple[Rename | None, str]:
        """What a sentence that the rules do not have tells of new words."""
        done = [op for op in self.ops if not isinstance(op, ReplaceText)]
        known = [op for op in self.ops if isinstance(op, ReplaceText)]
        sound = any(not op.where.text or stands(op.where.text, self.own) for op in known)
        if self.kind != "text" or not self.own or done or sound or stays(self.text):
            return None, ""
        return told(self.text, self.own)

    def _is_part(self, op: Op) -> bool:
        """Whether an op is on some of what a layer says; a single line is all of it."""
        one = op.where.role in ("line", "sentence") and "\n" not in self.own.strip()
        return op.where.role in _PARTIAL and not one

    @cached_property
    def adds(self) -> str:
        """Words that come to it."""
        return next((op.text for op in self.ops if isinstance(op, Insert)), "")

    @cached_property
    def deletes(self) -> bool:
        """Whether the whole layer goes."""
        if _GONE.fullmatch(self.text.strip()) or _GOES.match(self.text.strip()):
            return True
        for op in self.ops:
            named = op.where.text
            whole = not named or plain(named) == plain(self.own)
            if isinstance(op, Delete) and (self._bare or (whole and not self._is_part(op))):
                return True
            if isinstance(op, Hide) and not op.visible and whole:
                return True
        short = len(self.text) <= LONGEST
        return short and not self.ops and removes(self.text, self.own)

    @property
    def _bare(self) -> bool:
        """Whether there is nothing to delete but the layer, whatever a prompt calls it."""
        return self.kind == "decoration" and not self.own

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
        return motif_of(self.text)

    @cached_property
    def object(self) -> str:
        """One thing that is to come into a picture."""
        return "" if self.quoted or self.motif else object_of(self.text)


def _old(op: ReplaceText, own: str) -> str:
    """The words that others take the place of: said, or the date or price of a layer."""
    if op.where.text or op.where.role not in PATTERNS:
        return op.where.text
    found = PATTERNS[op.where.role].search(own)
    return found[0] if found else ""


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
        """Whether the whole layer goes; a picture does if no more is said than what of it goes."""
        if self.seen.kind == "image" and not self.seen.words and len(self.parts) == 1:
            return self.parts[0].deletes or any(isinstance(op, Delete) for op in self.ops)
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
        if all(part.idle for part in left):
            return self.kept(why)
        return self.asking(" ".join(sentence(part.text) for part in left), why)

    def less(self, part: Part, why: str) -> "Wish":
        """The wish without one of its parts, and whatever says the same."""
        return self.without(lambda own: own.text == part.text, why)

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
    found = [_part(text, kind, own) for text in pieces(prompt) if text]
    if len(found) > 1 and not all(part.understood or part.deletes for part in found):
        whole = _part(prompt, kind, own)
        if whole.ops:  # it hangs together more than the cut shows
            return (whole,)
    return tuple(found)


def _part(text: str, kind: Kind, own: str) -> Part:
    said = (*ways(text, kind), called(text, kind))
    return Part(text, next((ops for way in said if (ops := _ops(way, kind))), ()), kind, own)


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
