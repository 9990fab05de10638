"""A job: what one page is made with. Its chance, its words, its look, and how they are used."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypedDict, Unpack

from overpaint.engines.documents.faces import SANS, SERIF
from overpaint.engines.documents.setting import Align, Style, Text, chinese, join
from overpaint.engines.documents.sheet import Flow
from overpaint.engines.documents.words import Said, Words
from overpaint.engines.posters.brush import mix

PAPERS = ("#ffffff", "#ffffff", "#fdfcf8", "#fbf9f2", "#f8f9fb", "#faf7f0", "#f7faf7")
INKS = ("#111111", "#1d1d1f", "#26262a", "#33363b", "#3d3a36", "#1c2433")
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


def look(chance: Random, *, serif: bool, body: tuple[int, ...] = (13, 14, 15, 16)) -> Look:
    """A look by chance: body letters with or without serifs, the rest to match."""
    size = chance.choice(body)
    latin = chance.choice(SERIF if serif else SANS)
    display = chance.choice([latin, chance.choice(SANS), chance.choice(SERIF)])
    han = "Noto Serif SC" if serif else "Noto Sans SC"
    ink, paper = chance.choice(INKS), chance.choice(PAPERS)
    return Look(
        body=size,
        small=max(10, size - 2),
        heading=round(size * 1.28),
        title=min(40, round(size * chance.choice((1.9, 2.1, 2.3)))),
        latin=latin,
        latin_display=display,
        han=han,
        han_display=chance.choice([han, "Noto Sans SC"]),
        ink=ink,
        grey=mix(ink, paper, chance.choice((0.34, 0.42, 0.48))),
        accent=chance.choice(ACCENTS),
        paper=paper,
    )


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
        plain = Style(family, size or look.body, colour=look.ink, leading=1.62 if han else 1.42)
        return replace(plain, **how)

    def title_style(self, words: str, *, align: Align = "left", colour: str = "") -> Style:
        """For the title of the page."""
        leading = 1.4 if chinese(words) else 1.22
        return self.style(
            words, self.look.title, display=True, bold=True, align=align,
            colour=colour or self.look.ink, leading=leading,
        )  # fmt: skip

    # ── sentences ───────────────────────────────────────────────────────────────────────

    def pick(self, *choices: str) -> str:
        """One of some words."""
        return self.chance.choice(choices)

    def both(self, english: str, han: str) -> str:
        """Words of our own in the page's language."""
        return english if self.language == "english" else han

    def sentences(self, rule: str, count: int) -> list[Said]:
        """So many sentences of a rule, in the second language now and then on a mixed page."""
        words = self.words
        if self.second and self.second.has(rule) and self.chance.random() < 0.4:
            words = self.second
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
            style = replace(self.style(words, size, align="justify"), **how)
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

    def heading(self, flow: Flow, words: str, *, colour: str = "", size: int = 0) -> Text | None:
        """A heading, where there is room for it and some text below."""
        style = self.style(
            words,
            size or self.look.heading,
            display=True,
            bold=True,
            colour=colour or self.look.ink,
        )
        if flow.room < 2.2 * style.pitch + 3 * self.look.body * 1.5:
            return None
        return flow.put(
            words, style, gap=round(style.size * 0.45), kind="paragraph_title", role="heading"
        )

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
