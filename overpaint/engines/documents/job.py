"""A job: what one page is made with. Its chance, its words, its look, and how they are used."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypedDict, Unpack

from overpaint.engines.documents.faces import LARGE, SANS, SERIF, SMALL
from overpaint.engines.documents.setting import (
    Align,
    Style,
    Text,
    advance,
    chinese,
    join,
    lines_of,
)
from overpaint.engines.documents.sheet import Flow
from overpaint.engines.documents.words import Said, Words
from overpaint.engines.posters.brush import mix

PAPERS = ("#ffffff", "#ffffff", "#fdfcf8", "#fbf9f2", "#f8f9fb", "#faf7f0", "#f7faf7")
INKS = ("#111111", "#1d1d1f", "#26262a", "#33363b", "#3d3a36", "#1c2433")
NARROW = 24  # a column of fewer sizes is set ragged: justified, it would be full of holes
ACCENTS = ("#0b4f8a", "#8a1c2b", "#1f6b4f", "#5a3d8a", "#a04a12", "#14616e", "#37474f")


@dataclass(frozen=True)
class Look:
    """Sizes, families and colours of one page."""

    body: int
    small: int
    heading: int
    title: int
    latin: str
    latin_display: str
    han: str
    han_display: str
    ink: str
    grey: str
    accent: str
    paper: str
    scale: tuple[int, ...] = ()  # where given, the only sizes there are

    def size(self, wish: int) -> int:
        """The size asked for, or the one of the scale just below it."""
        if not self.scale:
            return wish
        return max((size for size in self.scale if size <= wish), default=self.scale[0])


def look(chance: Random, *, serif: bool, body: Sequence[int]) -> Look:
    """A look by chance: body letters with or without serifs, the rest to match."""
    latin = chance.choice(SERIF if serif else SANS)
    size = chance.choice(body) + (latin in SMALL) - (latin in LARGE)
    display = chance.choice([latin, chance.choice(SANS), chance.choice(SERIF)])
    han = "Noto Serif SC" if serif else "Noto Sans SC"
    ink, paper = chance.choice(INKS), chance.choice(PAPERS)
    return Look(
        body=size,
        small=max(10, size - 2),
        heading=min(32, round(size * 1.28)),
        title=max(26, min(40, round(size * chance.choice((1.7, 1.9, 2.1))))),
        latin=latin,
        latin_display=display,
        han=han,
        han_display=chance.choice([han, "Noto Sans SC"]),
        ink=ink,
        grey=mix(ink, paper, chance.choice((0.26, 0.34, 0.42))),
        accent=chance.choice(ACCENTS),
        paper=paper,
    )


def balanced(text: Text) -> Text:
    """A title in lines of about one length: as narrow as it can be with no line more."""
    lines = len(lines_of(text))
    if lines < 2:
        return text
    widths = range(text.width // 2, text.width, 6)
    best = next((w for w in widths if len(lines_of(replace(text, width=w))) == lines), text.width)
    shift = (text.width - best) // 2 if text.style.align == "centre" else 0
    return replace(text, width=best, left=text.left + shift)


class Letters(TypedDict, total=False):
    """The settings of a style that a job does not know."""

    bold: bool
    colour: str
    leading: float
    align: Align


@dataclass
class Job:
    """One page's chance, words and look; `second` has the other language of a mixed page."""

    chance: Random
    language: str
    words: Words
    second: Words | None
    look: Look

    # ── letters ─────────────────────────────────────────────────────────────────────────

    def style(
        self, words: str, size: int = 0, *, display: bool = False, **how: Unpack[Letters]
    ) -> Style:
        """The style for some words: the language decides the family and the leading."""
        han, look = chinese(words), self.look
        latin = look.latin_display if display else look.latin
        family = (look.han_display if display else look.han) if han else latin
        size, leading = look.size(size or look.body), 1.62 if han else 1.42
        return replace(Style(family, size, colour=look.ink, leading=leading), **how)

    # ── sentences ───────────────────────────────────────────────────────────────────────

    def pick(self, *choices: str) -> str:
        """One of some words."""
        return self.chance.choice(choices)

    def both(self, english: str, han: str) -> str:
        """Words of our own in the page's language."""
        return english if self.language == "english" else han

    def both_leading(self, english: float, han: float) -> float:
        """A leading for the page's language."""
        return english if self.language == "english" else han

    def tongue(self, rule: str) -> Words:
        """The words to use for a rule: on a mixed page the second language's now and then."""
        if self.second and self.second.has(rule) and self.chance.random() < 0.4:
            return self.second
        return self.words

    def points(self, rule: str, count: int) -> list[Said]:
        """So many short texts of a rule, in the order of the file."""
        return [self.tongue(rule).next(rule) for _ in range(count)]

    def sentences(self, rule: str, count: int) -> list[Said]:
        """So many sentences of a rule, in the second language now and then on a mixed page."""
        words = self.tongue(rule)
        words.skip(rule, 0.12)
        return [words.next(rule) for _ in range(min(count, words.left(rule)))]

    def paragraph(
        self,
        flow: Flow,
        rule: str,
        *,
        count: int = 0,
        gap: int = 0,
        size: int = 0,
        **how: Unpack[Letters],
    ) -> Text | None:
        """A paragraph of a rule, as long as the column has room for it; none where it has none."""
        said = self.sentences(rule, count or self.chance.choice((2, 3, 3, 4)))
        while said:
            words = join([s.text for s in said])
            style = replace(self.style(words, size), **how)
            narrow = flow.width < NARROW * style.size and not chinese(words)
            if "align" not in how and not narrow:
                style = replace(style, align="justify")
            indent = 2 * style.size if chinese(words) and style.align == "justify" else 0
            text = flow.text(
                tuple(s.text for s in said), style, indent=indent,
                swaps=tuple(pair for s in said for pair in s.swaps),
            )  # fmt: skip
            if text.bottom <= flow.bottom:
                flow.sheet.add(text)
                flow.top = text.bottom + (gap or round(style.pitch * 0.55))
                return text
            said.pop()
        return None

    def line(
        self, flow: Flow, words: str | Said, size: int = 0, *,
        gap: int = 0, kind: str = "text", display: bool = False, **how: Unpack[Letters],
    ) -> Text:  # fmt: skip
        """A text that is no paragraph: a byline, a caption, a running head."""
        said = words if isinstance(words, Said) else Said(words)
        style = self.style(said.text, size, display=display, **how)
        text = flow.text(said.text, style, kind=kind, role="heading", swaps=said.swaps)
        text = self._shapely(text) if display else text
        flow.sheet.add(text)
        flow.top = text.bottom + gap
        return text

    def _shapely(self, text: Text) -> Text:
        """A title on one line where a little smaller will do, else in lines of one length."""
        if not chinese(text.words) or len(lines_of(text)) == 1:
            return balanced(text)
        sizes = range(text.style.size, round(text.style.size * 0.76), -1)
        tries = (replace(text, style=replace(text.style, size=self.look.size(s))) for s in sizes)
        return next((smaller for smaller in tries if len(lines_of(smaller)) == 1), text)

    def title(
        self,
        flow: Flow,
        words: str | Said,
        *,
        gap: int = 0,
        align: Align = "left",
        colour: str = "",
    ) -> Text:
        """The title of the page."""
        said = words if isinstance(words, Said) else Said(words)
        return self.line(
            flow, said, self.look.title, gap=gap, kind="doc_title", display=True, bold=True,
            align=align, colour=colour or self.look.ink,
            leading=1.4 if chinese(said.text) else 1.22,
        )  # fmt: skip

    def items(
        self, flow: Flow, said: Sequence[Said], *, number: str = "", gap: int = 0, size: int = 0
    ) -> None:
        """A list: numbered where `number` is a pattern such as "{}. ", else with a small square."""
        for place, one in enumerate(said, 1):
            words = number.format(place) + one.text
            style = self.style(words, size)
            hang = round(advance(number.format(place), style)) if number else 0
            inset = 0 if number else round(style.size * 1.3)
            text = flow.text(
                words, style, left=flow.left + inset, width=flow.width - inset, hang=hang,
                role="item", swaps=one.swaps, marker="" if number else self.look.accent,
            )  # fmt: skip
            if text.bottom > flow.bottom:
                return
            flow.sheet.add(text)
            flow.top = text.bottom + (gap or round(style.pitch * 0.4))

    def heading(
        self, flow: Flow, words: str | Said, *, colour: str = "", size: int = 0
    ) -> Text | None:
        """A heading, where there is room for it and some text below."""
        tall = size or self.look.heading
        if flow.room < 3 * tall + 3 * self.look.body * 1.5:
            return None
        return self.line(
            flow, words, tall, gap=round(tall * 0.45), kind="paragraph_title", display=True,
            bold=True, colour=colour or self.look.ink, leading=1.3,
        )  # fmt: skip

    def share(self, flows: Sequence[Flow], rule: str) -> None:
        """What is left of a rule in paragraphs, shared among columns by the room they have."""
        room = sum(flow.room for flow in flows)
        self.words.skip(rule, 0.12)
        for flow in flows:
            wanted = round(self.words.left(rule) * flow.room / max(1, room))
            room -= flow.room
            while wanted > 0:
                count = wanted if wanted < 5 else self.chance.choice((2, 3, 3))
                if self.paragraph(flow, rule, count=count) is None:
                    break
                wanted -= count

    def sections(self, flows: Sequence[Flow], parts: Sequence[tuple[str, str]]) -> None:
        """Headings with paragraphs below them, shared out evenly among columns."""
        for number, flow in enumerate(flows):
            low, high = (len(parts) * n // len(flows) for n in (number, number + 1))
            for left, (heading, rule) in zip(
                range(high - low, 0, -1), parts[low:high], strict=True
            ):
                if heading and self.heading(flow, heading) is None:
                    break
                self.pour(flow, rule, flow.room // left)
                flow.skip(round(self.look.body * 0.5))

    def pour(self, flow: Flow, rule: str, room: int) -> None:
        """Paragraphs of a rule over about so many pixels, while it has something new to say."""
        until = min(flow.bottom, flow.top + room)
        while flow.top < until - 2 * self.look.body * 1.5:
            if self.paragraph(flow, rule) is None:
                break
