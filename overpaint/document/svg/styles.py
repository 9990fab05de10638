"""Styles of SVG: attributes, `style`, simple rules of <style>, what is inherited, and colours."""

import re
from collections.abc import Iterator, Mapping

from PIL import ImageColor

from overpaint.document.layers import Colour
from overpaint.document.svg.geometry import LARGEST, length, numbers
from overpaint.document.svg.source import Element, Words

Style = Mapping[str, str]
INHERITED = frozenset((
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width", "color",
    "font-family", "font-size", "font-weight", "font-style", "letter-spacing", "word-spacing",
    "text-anchor", "visibility", "white-space", "line-height", "direction", "writing-mode",
))  # fmt: skip
_OWN = frozenset((
    *INHERITED, "opacity", "display", "mix-blend-mode", "isolation", "filter", "clip-path", "mask",
    "text-decoration", "text-decoration-line", "baseline-shift", "stop-color", "stop-opacity",
    "stroke-dasharray", "marker", "marker-end", "transform", "font", "dominant-baseline",
))  # fmt: skip
MAX_RULES = 2000
ROOT: Style = {"font-size": "16px", "fill": "black"}


class Sheet:
    """The rules of all <style> elements: of a tag, a class, an id, or a tag with a class."""

    def __init__(self, root: Element) -> None:
        self.rules: dict[str, list[tuple[int, dict[str, str]]]] = {}
        self.skipped = False
        count = 0
        for element in every(root):
            if element.tag != "style":
                continue
            text = "".join(p.text for p in element.parts if isinstance(p, Words))
            for selector, body in _rules(text):
                count += 1
                if count <= MAX_RULES:
                    self.rules.setdefault(selector, []).append((count, declared(body)))
            self.skipped = self.skipped or "@import" in text

    def of(self, element: Element) -> dict[str, str]:
        """What the rules say of an element, the more special one last."""
        classes = element.get("class").split()[:50]
        names = ["*", element.tag]
        names += [f".{name}" for name in classes] + [f"{element.tag}.{name}" for name in classes]
        names.append(f"#{element.get('id')}")
        found: dict[str, str] = {}
        for rank in ((0, 2), (2, len(names) - 1), (len(names) - 1, len(names))):
            rules = [rule for name in names[rank[0] : rank[1]] for rule in self.rules.get(name, [])]
            for _, said in sorted(rules, key=lambda rule: rule[0]):
                found |= said
        return found


def every(element: Element) -> Iterator[Element]:
    """An element and all in it."""
    waiting = [element]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(list(one)))


def _rules(text: str) -> Iterator[tuple[str, str]]:
    text = re.sub(r"/\*.*?(?:\*/|\Z)|<!--|-->", " ", text[:1_000_000], flags=re.DOTALL)
    for part in text.split("}")[:-1]:
        before, brace, body = part.rpartition("{")
        selectors = before.rpartition("{")[2][-2000:]
        if not brace or len(body) > 5000:
            continue
        for selector in selectors.split(","):
            name = selector.split(";")[-1].strip()
            if re.fullmatch(r"\*|[A-Za-z][\w-]*|(?:[A-Za-z][\w-]*)?[.#][\w-]+", name):
                yield name, body


def declared(text: str) -> dict[str, str]:
    """The declarations of a `style` attribute."""
    found = {}
    for part in re.split(r";(?![^(]*\))", text[:20_000]):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip().lower()] = value.replace("!important", "").strip()
    return found


def computed(element: Element, parent: Style, sheet: Sheet) -> dict[str, str]:
    """All that holds for an element: what it says, what rules say, what it inherits."""
    own = {k: v for k, v in element.attributes.items() if k in _OWN}
    own |= sheet.of(element) | declared(element.get("style"))
    made = {k: v for k, v in parent.items() if k in INHERITED}
    for name, value in own.items():
        if value.strip().lower() == "inherit":
            made[name] = parent.get(name, ROOT.get(name, ""))
        elif name == "font-size":
            made[name] = f"{size_of(value, parent)}px"
        else:
            made[name] = value
    return made


def size_of(value: str, parent: Style) -> float:
    """A font size in the element's own units."""
    before = length(parent.get("font-size", "16px")) or 16.0
    named = {
        "xx-small": 9.6, "x-small": 12.0, "small": 14.4, "medium": 16.0, "large": 19.2,
        "x-large": 24.0, "xx-large": 32.0, "larger": before * 1.2, "smaller": before / 1.2,
    }  # fmt: skip
    said = named.get(value.strip().lower()) or length(value, em=before, whole=before)
    if said is None and (far := numbers(value, 1)) and far[0] >= LARGEST:
        said = LARGEST  # more than is drawn, and not what was said before
    return said if said is not None and said > 0 else before


def share(text: str, usual: float = 1.0) -> float:
    """An opacity, a number or a percentage, from 0 to 1."""
    value = length(text, whole=1.0)
    return usual if value is None else min(1.0, max(0.0, value))


def colour(text: str, style: Style, opacity: str = "") -> Colour | None:
    """A colour with its opacity; None where there is none, or it is none that is known."""
    name = text.strip().lower()
    if name in ("none", "transparent", ""):
        return None
    if name == "currentcolor":
        name = style.get("color", "black").strip().lower()
    try:
        parts = ImageColor.getrgb(_spaced(name))
    except ValueError:
        return None
    alpha = parts[3] if len(parts) == 4 else 255
    clear = "a(" in name or "/" in name
    if clear and (found := re.search(r"[,/]\s*([\d.]+%?)\s*\)$", name)):
        alpha = round(share(found[1]) * 255)
    red, green, blue = (min(255, max(0, part)) for part in parts[:3])
    return red, green, blue, round(alpha * share(style.get(opacity, "1")))


def _spaced(name: str) -> str:
    """`rgb(1 2 3 / 50%)` and `rgba(1,2,3,.5)` as `rgb(1,2,3)`; others as they are."""
    found = re.fullmatch(r"(rgb|hsl)a?\(([^()]{1,100})\)", name)
    if not found:
        return name
    parts = [part for part in re.split(r"[\s,/]+", found[2].strip()) if part][:3]
    if found[1] == "rgb":
        parts = [str(round(float(p))) if re.fullmatch(r"\d+\.\d*", p) else p for p in parts]
    return f"{found[1]}({','.join(parts)})"
