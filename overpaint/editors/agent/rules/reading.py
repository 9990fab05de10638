"""Reading: an instruction cut into clauses, with what is quoted, dated, priced or coloured marked.

A mark is one letter in the place of what it stands for, so that no rule cuts a date in two.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from overpaint.document.instruct.quotes import quotes
from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.colours import COLOUR
from overpaint.editors.agent.rules.glue import is_idle, names

LONGEST = 2_000  # letters of an instruction that are looked at
_MOST_MARKS = 400
FIRST = 0xE000
_HIDDEN = "\uf8ff"
MARK = "[\ue000-\ue3ff]"
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ue000-\uf8ff]"
)
TIME = re.compile(
    r"\b\d{1,2}(?:[:：.]\d{2})?\s?(?:[ap]m\b|[ap]\.m\.|o'clock\b)|\b\d{1,2}[:：]\d{2}\b|\b(?:noon"
    r"|midnight)\b|(?:上午|下午|晚上|早上|中午|傍晚|凌晨)?\d{1,2}(?:[:：]\d{2}|点(?:半|\d{1,2}分"
    r"|整)?)|(?:上午|下午|晚上|早上|中午|傍晚|凌晨)[一二三四五六七八九十]{1,3}点(?:半|整)?",
    re.IGNORECASE,
)
_THIS_YEAR = re.compile(
    r",? ?\b(?:this (?:year|time|season|month)|from now on|for a change|if possible|(?:thank you"
    r"|thanks)(?: very much| so much| a lot)?)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"\b(?P<n>\d{1,6}(?:\.\d{1,2})?) ?(?:(?P<euro>euros?|EUR)|(?P<dollar>dollars?)"
    r"|(?P<pound>pounds?|quid|GBP))\b|(?P<n2>\d{1,6})块钱?",
    re.IGNORECASE,
)
# "Use a rose", "with a peach": things, though colours are called after them.
_THING = re.compile(
    r"\b(?P<lead>an? )(?P<name>rose|peach|plum|lemon|orange|lily|violet|olive|apricot|cherry|salmon"
    r"|lime|aubergine|eggplant|tangerine)(?= (?:instead|rather|in place|in lieu"
    r"|where)\b|\s*[.,;!]|\s*$)",
    re.IGNORECASE,
)
_FACTS = (
    ("date", PATTERNS["date"]), ("time", TIME), ("price", PATTERNS["price"]),
    ("percent", words.PERCENT), ("zhe", words.ZHE),
)  # fmt: skip
_SENTENCE = re.compile(
    r"(?<![A-Z])(?<!\bSt)(?<!\bNo)(?<!\bDr)(?<!\bMr)[.!?]+(?:\s+|$)|[。！？!?；;\n]+\s*"
)
# Where another wish begins.
_DO = (
    r"turn|change|make|replace|set|move|remove|delete|swap|rename|update|raise|lower|increase"
    r"|reduce|extend|postpone|hide"
)
_WISH = re.compile(
    rf",?\s+and (?:then |also |please )*(?=(?:{_DO}) (?:it|this|the|our|all|every|\w+ to)\b"
    rf"|(?:make|raise|lower|set|increase|reduce) (?:{names().pattern}) "
    rf"|(?:paint|draw) (?:an?|some)\b)"
    rf"|,\s+(?=(?:{_DO}) (?:it|this|the|our) )",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"(?:instead of|rather than|in place of) [^,]*$", re.IGNORECASE)
_LINK = re.compile(
    r"^(?:(?:and|also|plus|in addition|additionally|moreover|besides|furthermore|finally|then"
    r"|next|lastly|one more thing|another thing|first(?:ly)?(?=[:,])|second(?:ly)?(?=[:,])"
    r"|third(?:ly)?(?=[:,])|oh|please note|on top of that|apart from that"
    r"|as well)\b(?: one more thing| also| then)?\s*[,:–-]?\s*|(?:另外|还有|此外|同时|并且|最后"
    r"|以及|顺便|再者|而且|其次|再有|首先|第[一二三四][，,、：:])(?:一点)?[，,：:]?\s*)+",
    re.IGNORECASE,
)
_PIECE = re.compile(
    r"\s*(?:[,，、]|\s[–—-]+\s|——|—)\s*(?:and |but |while |yet |with )?|\s+(?:but|while"
    r"|whereas)\s+|[:：]\s*|\s+and\s+(?=(?:keep|leave|do not|don't|preserve|retain|let|replace"
    r"|change|swap|make|turn|use|put|set|write|draw)\b(?! out| off))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """Some of an instruction; `marks` are what its marks stand for, as (kind, words)."""

    text: str
    marks: tuple[tuple[str, str], ...] = ()
    near: str = ""  # what stood beside it and asks for nothing: "we have a new venue"

    def of(self, kind: str) -> list[str]:
        """What the marks of a kind in it stand for, in their order."""
        return [said for own, said in self._here() if own == kind]

    def _here(self) -> Iterator[tuple[str, str]]:
        for letter in re.findall(MARK, self.text):
            yield self.marks[ord(letter) - FIRST]

    def full(self, part: str) -> str:
        """Some of its text with what the marks stand for; quotation marks are left off."""
        return re.sub(MARK, lambda found: self.marks[ord(found[0]) - FIRST][1], part)

    @property
    def said(self) -> str:
        """Its text as it can be said again, with quotation marks."""
        quotes = {chr(FIRST + n) for n, (kind, _) in enumerate(self.marks) if kind == "quote"}
        text = re.sub(MARK, lambda m: f"“{m[0]}”" if m[0] in quotes else m[0], self.text)
        return " ".join(self.full(text).split())

    def kind(self, part: str) -> str:
        """The kind of a part that is one mark; nothing where it is not."""
        return self.marks[ord(part) - FIRST][0] if re.fullmatch(MARK, part) else ""

    def only(self, text: str) -> "Clause":
        """The same with another text."""
        return replace(self, text=" ".join(text.split()))

    def without(self, *kinds: str) -> "Clause":
        """The clause with the marks of these kinds left out."""
        kept = re.sub(
            MARK, lambda found: "" if self.kind(found[0]) in kinds else found[0], self.text
        )
        return self.only(kept)


@dataclass(frozen=True)
class Scope:
    """What an instruction lets alone."""

    words: bool = True
    pictures: bool = True
    both: bool = False  # it says that words and pictures are meant
    kept: tuple[str, ...] = field(default=())  # what else it says stays


@dataclass(frozen=True)
class _Marker:
    """Puts a mark in the place of what was found, and a space after a fact."""

    kind: str
    mark: Callable[[str, str], str]

    def __call__(self, found: re.Match[str]) -> str:
        said = found[0].rstrip(" ,，")
        gap = "" if self.kind == "colour" else " "
        return self.mark(self.kind, said.lstrip()) + gap + found[0][len(said) :]


def _as_price(found: re.Match[str]) -> str:
    """A price in words as it is printed: €20 for 20 euros."""
    if found["n2"]:
        return f"{found['n2']}元"
    sign = "€" if found["euro"] else "$" if found["dollar"] else "£"
    return f"{sign}{found['n']}"


def _as_thing(found: re.Match[str]) -> str:
    """A thing with a sign in it that no colour has, so that it is not taken for one."""
    return f"{found['lead']}{found['name'][0]}{_HIDDEN}{found['name'][1:]}"


def marked(instruction: str) -> Clause:
    """The beginning of an instruction on plain lines, with its marks."""
    text = _UNSEEN.sub("", instruction[:LONGEST])
    text = _THIS_YEAR.sub(" ", text.encode("utf-8", "ignore").decode())
    marks: list[tuple[str, str]] = []

    def mark(kind: str, said: str) -> str:
        if len(marks) == _MOST_MARKS:
            return said
        marks.append((kind, said))
        return chr(FIRST + len(marks) - 1)

    done, end = "", 0
    for quote in quotes(text):
        done, end = done + text[end : quote.start] + mark("quote", quote.text), quote.end
    text = _MONEY.sub(_as_price, _THING.sub(_as_thing, done + text[end:]))
    for kind, pattern in (*_FACTS, ("colour", COLOUR)):
        text = pattern.sub(_Marker(kind, mark), text)
    text = text.replace(_HIDDEN, "")
    return Clause(re.sub(r"\s*[(（]", ": ", text).replace(")", "").replace("）", ""), tuple(marks))


def sentences(whole: Clause) -> list[Clause]:
    """The sentences of an instruction."""
    every = [part for one in _SENTENCE.split(whole.text) for part in _WISH.split(one)]
    for at in range(len(every) - 2, -1, -1):  # "instead of tea, make it coffee" is one wish
        if _INSTEAD.match(every[at].strip()):
            every[at : at + 2] = [f"{every[at]}, {every[at + 1]}"]
    parts = [_LINK.sub("", part.strip(" \t,，、")) for part in every]
    return [whole.only(part) for part in parts if part]


def scoped(sentence: Clause, scope: Scope) -> tuple[Clause | None, Scope]:
    """What a sentence asks for, apart from what it says stays; and what it lets alone."""
    kept, idle = list[str](), list[str]()
    pieces, seams = _cut(sentence.text)
    for number, piece in enumerate(pieces):
        if not piece.strip():
            continue
        if _is_keep(piece) and not sentence.only(piece).of("but"):
            scope = _keeping(piece, scope)
        elif _is_scope(piece):
            scope = _limited(piece, scope)
        elif len(pieces) > 1 and _asks_nothing(piece) and not _leads(piece, seams[number:]):
            idle.append(piece)
        else:
            seam = seams[number - 1] if number and kept else ""
            kept.append(seam + piece)
    said = "".join(kept)
    scope = _limited(said, scope) if said else scope
    asked = replace(sentence.only(_unscoped(said)), near=" ".join(idle))
    return (asked if said.strip() else None), scope


def _is_keep(piece: str) -> bool:
    return bool(words.KEEP.search(piece)) and not re.search(
        r"\b(?:wherever|instead of|replace)\b|改成|换成|改为|代替", piece
    )


def _cut(text: str) -> tuple[list[str], list[str]]:
    """The pieces of a sentence and what stands between them; "Text: no change" is one piece."""
    pieces, seams = _PIECE.split(text), _PIECE.findall(text)
    for at in range(len(seams) - 1, -1, -1):
        label = re.sub(r"\b(?:the|our|new)\b|[新的]", "", names().sub("", pieces[at])).strip()
        if seams[at].strip() in (":", "：") and pieces[at].strip() and not label:
            pieces[at : at + 2] = [pieces[at] + seams.pop(at) + pieces[at + 1]]
    return pieces, seams


def _leads(piece: str, seams: list[str]) -> bool:
    """Whether a piece names what the next one is about: "New venue: Town Hall"."""
    return bool(seams) and seams[0].strip() in (":", "：") and names().search(piece) is not None


def _asks_nothing(piece: str) -> bool:
    """Whether a piece beside others may be left out: "please update the date"."""
    told = (words.REMOVE, words.CAPITALS, words.SPAN)
    chinese = re.search("[\u3400-\u9fff]", piece) is not None
    idle = not re.search(MARK, piece) and is_idle(piece, chinese=chinese)
    return idle and not any(pattern.search(piece) for pattern in told)


_SCOPED = re.compile(
    r"\b(?:the|a|an|and|all|any|in|of|on|with|too|as|well|also|only|just|both|include[ds]?"
    r"|including|change|changes|changed|swap|update|replace|exchange|adapt|please|its|every|along"
    r"|alone|part|this|is|are|to|be|for|needs?|should|must|have|has|same|goes|about|so|do|does|at"
    r"|once|matching|accordingly|together|everything|everywhere|throughout|version)\b|只|仅|改|换"
    r"|都|要|一起|也|全部|和|与|掉|的|一并|同步|里|中|同时|连同|请|跟着|随之|均|需|重新|一致|另"
    r"|对应|相应|配合|匹配|搭配|跟上|呼应|更新|修改|更换|替换|图文|图",
    re.IGNORECASE,
)


def _nouns(role: str) -> str:
    return "|".join(
        rf"\b{re.escape(one)}s?\b" if one.isascii() else re.escape(one)
        for one in sorted(parts.CALLED[role], key=len, reverse=True)
    )


_TEXT, _PICTURE = (re.compile(_nouns(role), re.IGNORECASE) for role in ("text", "picture"))
_IN_TEXT = re.compile(
    rf"\s*\b(?:only |just )?(?:in|within|across|throughout) (?:all |every |any )?(?:of )?(?:the "
    rf"|its |our |these )?(?:{_nouns('text')})(?: only| alone)?"
    r"|\s*\b(?:in|on) the (?:illustration|picture|image|drawing)\b|^(?:只|仅|就)?(?:改|换|把"
    r"|将)?(?:文字|文案|文本|字(?!体))(?:里|中|上|当中|部分)?的?(?=.{2,})|^(?:只|仅)(?:改|换)(?:文字"
    r"|图片|插图|图)$",
    re.IGNORECASE,
)


def _is_scope(piece: str) -> bool:
    """Whether a piece says only that words or pictures are meant."""
    if not (_TEXT.search(piece) or _PICTURE.search(piece) or re.search("图(?!书)|图文", piece)):
        return False
    rest = _SCOPED.sub("", _PICTURE.sub("", _TEXT.sub("", piece)))
    return not re.search(r"\w|" + MARK, rest)


def _limited(piece: str, scope: Scope) -> Scope:
    """The scope less what a piece leaves out by saying "only"."""
    text, picture = bool(_TEXT.search(piece)), bool(_PICTURE.search(piece))
    if words.BOTH.search(piece) or (_is_scope(piece) and text and picture):
        return replace(scope, both=True)
    if words.ONLY.search(piece) and text != picture:
        return replace(scope, words=scope.words and text, pictures=scope.pictures and picture)
    return scope


def _keeping(piece: str, scope: Scope) -> Scope:
    """The scope less what a piece says stays."""
    text = bool(_TEXT.search(piece))
    picture = bool(_PICTURE.search(piece)) or bool(re.search("图(?!书)|画(?![展廊家院])", piece))
    if re.search(r"\b(?:everything|all) else|\bother(?:wise|s)?\b|\brest\b|其他|其余|别的", piece):
        return scope
    if _STYLE.search(piece) and not (text or picture):
        return scope
    if text and picture and re.search("图(?:片|画|案)?也?[不别勿无]", piece):
        text = False
    if text and not picture:
        return replace(scope, words=False, kept=(*scope.kept, piece))
    if picture and not text:
        return replace(scope, pictures=False, kept=(*scope.kept, piece))
    if not names().search(piece):  # "keep the sun": a thing that is shown
        return replace(scope, pictures=False, kept=(*scope.kept, piece))
    return replace(scope, kept=(*scope.kept, piece))


_STYLE = re.compile(
    r"\b(?:style|layout|design|fonts?|colou?rs?|sizes?|position|positions|look|format|typeface"
    r"|spacing)\b|风格|版式|版面|字体|颜色|大小|位置|样式|设计|排版|布局|格式",
    re.IGNORECASE,
)


def _unscoped(said: str) -> str:
    """The text without "in the text only" and the like."""
    return _IN_TEXT.sub("", said).strip()
