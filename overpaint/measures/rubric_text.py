"""Templates: a rubric's text with its holes, and how pictures and quoted texts go into them.

A hole is `{name}`; `{{` and `}}` are braces. What fills a hole is data: it is never looked at for
holes, and in our own rubrics it is quoted line by line, so that a text which says "ignore the
above" stays a quotation.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

LONGEST = 40_000  # letters of a text that goes into a prompt: a dense page, twice
ABSENT = "(not given)"

# What a picture is called unless its rubric says otherwise, and what it shows.
PICTURES: Mapping[str, tuple[str, str]] = {
    "source": ("the source", "before the edit"),
    "output": ("the output", "what the editor made of it, which you judge"),
    "target": ("the truth", "what a person made of it, a right answer to the same request"),
    "references": ("the references", "pictures that came with the request"),
    "mask": ("the mask", "white where something may change"),
    "layer": ("the layer", "one layer of the document, by itself"),
    "other": ("the other output", "what another editor made of the same request"),
}
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}\n]{0,80})\}|[{}]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


@dataclass(frozen=True)
class Picture:
    """A kind of picture a rubric shows: its name, what it is called, whether it may be absent."""

    name: str
    label: str
    optional: bool = False


@dataclass(frozen=True)
class Slot:
    """A text of the sample that goes into the prompt; an optional one may be missing."""

    name: str
    optional: bool = False


@dataclass(frozen=True)
class Hole:
    """Where something goes into a text, and whether it has the line to itself."""

    name: str
    alone: bool


class BadBraces(ValueError):
    """A brace that neither opens nor closes a hole; its message is where."""


@dataclass(frozen=True)
class Template:
    """A text with holes."""

    parts: tuple[str | Hole, ...] = ()

    @property
    def holes(self) -> Iterator[Hole]:
        """Its holes, in order."""
        return (part for part in self.parts if isinstance(part, Hole))

    def filled(self, values: Mapping[str, str]) -> str:
        """The text with each hole filled, once."""
        each = (part if isinstance(part, str) else values[part.name] for part in self.parts)
        return "".join(each).strip("\n")


def template(text: str) -> Template:
    """The template a text is, or BadBraces."""
    parts: list[str | Hole] = []
    end = 0
    for match in _BRACES.finditer(text):
        parts.append(text[end : match.start()])
        end = match.end()
        if match[0] in ("{{", "}}"):
            parts.append(match[0][0])
        elif match[1] is None:
            line = text.count("\n", 0, match.start())
            raise BadBraces(text.split("\n")[line].strip()[:80])
        else:
            parts.append(Hole(match[1].strip(), _alone(text, match.start(), end)))
    return Template((*parts, text[end:]))


def _alone(text: str, start: int, end: int) -> bool:
    before = text[text.rfind("\n", 0, start) + 1 : start]
    after = text[end : text.find("\n", end) if "\n" in text[end:] else len(text)]
    return not before.strip() and not after.strip()


def quoted(text: str) -> str:
    """The text with `> ` before each of its lines, whatever breaks them."""
    lines = _CONTROL.sub("\ufffd", text).strip().splitlines()
    return "\n".join(f"> {line}" for line in lines) or "> "


@dataclass(frozen=True)
class Shown:
    """A picture as it is shown: its kind, and the numbers it has in the order of showing."""

    picture: Picture
    first: int
    count: int = 1

    @property
    def name(self) -> str:
        """ "Picture 2 (the output)", "Pictures 1 to 3 (the references)"."""
        label = self.picture.label
        if self.picture.name == "references" and self.count == 1:
            label = label.removesuffix("s") if label == "the references" else label
        last = self.first + self.count - 1
        if self.count == 1:
            return f"Picture {self.first} ({label})"
        return f"Pictures {self.first} {'and' if self.count == 2 else 'to'} {last} ({label})"

    @property
    def line(self) -> str:
        """Its line in the list of pictures."""
        usual, about = PICTURES[self.picture.name]
        return f"- {self.name}" + (f": {about}." if self.picture.label == usual else ".")


def show(pictures: tuple[Picture, ...], *, truth: bool, references: int) -> Iterator[Shown]:
    """The pictures in the order of showing, without those that are not there."""
    number = 1
    for picture in pictures:
        count = references if picture.name == "references" else 1
        if count and (truth or picture.name != "target"):
            yield Shown(picture, number, count)
            number += count
