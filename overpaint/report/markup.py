"""HTML and SVG built from nodes: text is escaped unless it was made here."""

import html


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | int | None


def node(tag: str, /, *children: Child, **attributes: str | int | float | bool | None) -> Html:
    """One element; children that are not `Html` are escaped, None is left out.

    `class_` and `for_` lose their underscore, other underscores become hyphens; an attribute that
    is True stands alone, one that is None or False is left out.
    """
    told = "".join(_attribute(key, value) for key, value in attributes.items())
    if tag in _VOID:
        return Html(f"<{tag}{told}>")
    return Html(f"<{tag}{told}>{join(*children)}</{tag}>")


def join(*children: Child) -> Html:
    """Nodes and text one after the other."""
    return Html("".join(_text(child) for child in children if child is not None))


def prose(text: str) -> Html:
    """A sentence with what stands in backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one that has no partner is only a mark
        return join(text)
    return join(*(node("code", part) if place % 2 else part for place, part in enumerate(parts)))


def _text(child: str | int) -> str:
    return child if isinstance(child, Html) else html.escape(str(child))


def _attribute(key: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-") if key not in _CAMEL else _CAMEL[key]
    if value is True:
        return f" {name}"
    shown = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f' {name}="{html.escape(shown)}"'


_VOID = frozenset({"meta", "link", "br", "input", "img"})
_CAMEL = {"view_box": "viewBox"}
