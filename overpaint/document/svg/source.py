"""The source of an SVG: its elements and where each stands in the file, byte for byte.

An edit changes the bytes of what it is about and no others, so that comments, unknown elements,
quotes and white space stay as their author left them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from xml.parsers import expat

from overpaint.document.containers import parse_xml
from overpaint.document.pictures import read_file
from overpaint.errors import PictureError

SVG = "http://www.w3.org/2000/svg"
_SPACES = {
    SVG: "", "http://www.w3.org/1999/xlink": "", "http://www.w3.org/XML/1998/namespace": "xml:",
    "http://www.inkscape.org/namespaces/inkscape": "inkscape:",
}  # fmt: skip
_DECLARED = re.compile(rb"""^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")

# Encodings in which markup is written as in ASCII, or that have two bytes to a letter. Others, such
# as those that spell letters out, could hold markup that a second reader sees and the first not.
_ENCODINGS = frozenset((
    "utf-8", "utf8", "us-ascii", "ascii", "latin1", "latin-1", "koi8-r", "koi8-u",
    "gb2312", "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr",
    *(f"iso-8859-{part}" for part in range(1, 17) if part != 12),
    *(f"{name}125{page}" for name in ("windows-", "cp") for page in range(9)),
))  # fmt: skip
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"<\0": "utf-16-le",
         b"\0<": "utf-16-be"}  # fmt: skip

_TAG = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*+>""")


@dataclass(eq=False)
class Words:
    """Letters between tags, and their bytes."""

    text: str
    start: int
    end: int


@dataclass(eq=False)
class Element:
    """An element: what it is called, its attributes, what is in it, and its bytes."""

    tag: str
    attributes: dict[str, str]
    start: int
    end: int = 0
    head: int = 0  # where its start tag ends
    tail: int = 0  # where its end tag begins
    parts: "list[Element | Words]" = field(default_factory=list)

    def __iter__(self) -> "Iterator[Element]":
        return (part for part in self.parts if isinstance(part, Element))

    def get(self, name: str, default: str = "") -> str:
        """An attribute's value."""
        return self.attributes.get(name, default)


@dataclass(frozen=True)
class Source:
    """A file in UTF-8, its root element, and the encoding it had."""

    data: bytes
    root: Element
    encoding: str

    def encoded(self, data: bytes) -> bytes:
        """Changed bytes in the encoding of the file."""
        if self.encoding == "utf-8":
            return data
        return data.decode().encode(self.encoding, "xmlcharrefreplace")


def open_svg(path: Path) -> Source:
    """The elements of an SVG file, read within the limits of `containers`."""
    encoding, data = _utf8(read_file(path), path)
    parse_xml(data, str(path), encoding="utf-8")  # says what is wrong, and stops what has no end
    root = _Builder().read(data)
    if root.tag != "svg":
        raise PictureError(f"{path} is XML, but no SVG: it begins with <{root.tag[:60]}>.")
    return Source(data, root, encoding)


def _utf8(raw: bytes, path: Path) -> tuple[str, bytes]:
    """The encoding of a file, and its bytes in UTF-8: read once, so that nobody reads another."""
    encoding = _WIDE.get(raw[:2]) or _declared(raw, path)
    try:
        return encoding, raw if encoding == "utf-8" else raw.decode(encoding).encode()
    except UnicodeError:
        raise PictureError(
            f"{path} says that it is in {encoding}, and has bytes that are not.",
            "", "Save or fetch it again.",
        ) from None  # fmt: skip


def _declared(raw: bytes, path: Path) -> str:
    said = _DECLARED.match(raw)  # of no account after a mark of UTF-8
    name = said[1].decode().lower() if said else "utf-8"
    if name not in _ENCODINGS:
        raise PictureError(f"{path} is in the encoding {name!r}.", "UTF-8 was expected.",
                           "Save it as UTF-8.")  # fmt: skip
    return name.replace("utf8", "utf-8")


class _Builder:
    """Builds elements from what expat reports."""

    def __init__(self) -> None:
        self.open: list[Element] = []
        self.root: Element | None = None
        self.words_from = -1
        parser = self.parser = expat.ParserCreate("utf-8", namespace_separator="}")
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.close
        parser.CharacterDataHandler = self.words
        parser.CommentHandler = parser.ProcessingInstructionHandler = self.other
        parser.DefaultHandler = self.other

    def read(self, data: bytes) -> Element:
        self.data = data
        self.parser.Parse(data, True)
        assert self.root is not None
        return self.root

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        at = self.end_words()
        element = Element(_named(tag), {_named(k): v for k, v in attributes.items()}, at)
        element.head = _tag_end(self.data, at)
        if self.open:
            self.open[-1].parts.append(element)
        else:
            self.root = element
        self.open.append(element)

    def close(self, _: str) -> None:
        at = self.end_words()
        element = self.open.pop()
        closed = self.data[element.head - 2 : element.head] == b"/>"
        element.tail = element.head if closed else at
        element.end = element.head if closed else self.data.index(b">", at) + 1

    def words(self, text: str) -> None:
        if not self.open:
            return
        at, parts = self.parser.CurrentByteIndex, self.open[-1].parts
        if self.words_from >= 0 and parts and isinstance(parts[-1], Words):
            parts[-1].text += text
        else:
            self.words_from = at
            parts.append(Words(text, at, at))

    def end_words(self) -> int:
        """End the letters that were being read; where the parser is."""
        at = self.parser.CurrentByteIndex
        if self.words_from >= 0 and self.open:
            last = self.open[-1].parts[-1]
            if isinstance(last, Words):
                last.end = at
        self.words_from = -1
        return at

    def other(self, *_: object) -> None:
        self.end_words()


def _tag_end(data: bytes, start: int) -> int:
    """Where a start tag ends: > outside quotes."""
    found = _TAG.match(data, start)
    assert found is not None
    return found.end()


def _named(name: str) -> str:
    space, _, local = name.rpartition("}")
    if space in _SPACES or not space:
        return _SPACES.get(space, "") + local
    return f"{{{space}}}{local}"


# ── changing ────────────────────────────────────────────────────────────────────────────


@dataclass
class Patch:
    """What is to change in a source: attributes, letters, and what stands in an element."""

    source: Source
    attributes: dict[int, dict[str, str | None]] = field(default_factory=dict)
    contents: dict[int, str] = field(default_factory=dict)  # new content, in place of all of it
    words: dict[int, str] = field(default_factory=dict)  # new source of some letters
    children: dict[int, list[Element | str]] = field(default_factory=dict)  # layers, in order
    removed: set[int] = field(default_factory=set)
    replaced: dict[int, str] = field(default_factory=dict)
    defs: list[str] = field(default_factory=list)  # put first in the root

    def set(self, element: Element, **values: str | None) -> None:
        """Give attributes of an element other values; None takes one away."""
        named = {name.replace("_", "-"): value for name, value in values.items()}
        self.attributes.setdefault(id(element), {}).update(named)

    def written(self) -> bytes:
        """The whole file with all that changed."""
        root = self.source.root
        data = self.source.data
        middle = self._of(root)
        return self.source.encoded(data[: root.start] + middle + data[root.end :])

    def _of(self, element: Element) -> bytes:
        if id(element) in self.removed:
            return b""
        if id(element) in self.replaced:
            return self.replaced[id(element)].encode()
        data = self.source.data
        head, inner = self._head(element), self._inner(element)
        first = element is self.source.root and self.defs
        if first:
            inner = ("\n<defs>" + "".join(self.defs) + "</defs>").encode() + inner
        if element.head == element.end and inner:  # <g/> that now has something in it
            name = re.match(rb"<([^\s/>]+)", data[element.start : element.head])
            assert name is not None
            return head[:-2].rstrip() + b">" + inner + b"</" + name[1] + b">"
        return head + inner + data[element.tail : element.end]

    def _head(self, element: Element) -> bytes:
        head = self.source.data[element.start : element.head].decode()
        for name, value in self.attributes.get(id(element), {}).items():
            head = _with_attribute(head, name, value)
        return head.encode()

    def _inner(self, element: Element) -> bytes:
        if id(element) in self.contents:
            return self.contents[id(element)].encode()
        data, made, at = self.source.data, b"", element.head
        fill = self._filling(element)
        for part in element.parts:
            made += data[at : part.start]
            at = part.end
            if isinstance(part, Words):
                made += self.words[id(part)].encode() if id(part) in self.words else (
                    data[part.start : part.end]
                )  # fmt: skip
            else:
                made += fill(part)
        return made + data[at : element.tail] + fill(None)

    def _filling(self, element: Element) -> "Callable[[Element | None], bytes]":
        """What stands in the place of each child; of None: what comes after them all."""
        order = self.children.get(id(element))
        if order is None:
            return lambda child: b"" if child is None else self._of(child)
        slots = slotted(list(element), order)

        def fill(child: Element | None) -> bytes:
            put = slots.get(id(child) if child is not None else 0, [child] if child else [])
            return b"".join(
                self._of(one) if isinstance(one, Element) else one.encode() for one in put
            )

        return fill


def slotted(children: list[Element], order: list[Element | str]) -> dict[int, list[Element | str]]:
    """What to put in each child's place: nothing, itself, another, or itself and new ones.

    Children that are in no order (definitions, what is not understood) stay where they are.
    """
    stays = [one for one in order if isinstance(one, Element)]
    known = {id(child): at for at, child in enumerate(children)}
    places = sorted(known[id(one)] for one in stays)
    slots: dict[int, list[Element | str]] = {}
    target = iter(places)
    held: list[Element | str] = []
    last = 0
    for one in order:
        if isinstance(one, Element):
            last = id(children[next(target)])
            slots[last] = [*held, one]
            held = []
        elif last:
            slots[last].append(one)
        else:
            held.append(one)
    if held:
        slots[0] = held
    return slots


def _with_attribute(head: str, name: str, value: str | None) -> str:
    """A start tag with an attribute set, changed or taken away; the others as they were."""
    pattern = re.compile(rf"""(\s+)((?:xlink:)?{re.escape(name)})(\s*=\s*)("[^"]*"|'[^']*')""")
    found = _outside_quotes(head, pattern)
    if value is None:
        return head[: found.start()] + head[found.end() :] if found else head
    said = f'"{escape(value, quote=True)}"'.replace("\n", "&#10;").replace("\t", "&#9;")
    if found:
        return head[: found.start(4)] + said + head[found.end(4) :]
    end = len(head) - (2 if head.endswith("/>") else 1)
    return head[:end].rstrip() + f" {name}={said}" + head[end:]


def _outside_quotes(head: str, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The first match that begins outside every quoted value."""
    for found in pattern.finditer(head):
        before = re.sub(r""""[^"]*"|'[^']*'""", "", head[: found.start()])
        if '"' not in before and "'" not in before:
            return found
    return None
