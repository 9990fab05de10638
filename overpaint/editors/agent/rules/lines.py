"""What one line or one layer is for, by what it says and by its name."""

import re
from functools import lru_cache

from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules import words as words
from overpaint.vision.layers import Seen

FACTS = frozenset({"date", "deadline", "time", "price", "discount", "contact", "organiser"})


def roles_of(text: str) -> set[str]:
    """What a line is for, by what it says."""
    found = set[str]()
    if PATTERNS["date"].search(text):
        found.add("deadline" if words.CLOSING.search(text) else "date")
    if PATTERNS["time"].search(text) and not words.PHONE.search(text):
        found.add("time")
    if PATTERNS["price"].search(text):
        found.add("price")
    if words.PERCENT.search(text) or words.ZHE.search(text):
        found |= {"discount"}
    found |= _reached(PATTERNS["date"].sub("", text))
    if not found and organiser(text):
        found.add("organiser")
    return found


_REACHED = {"phone": words.NUMBER, "website": PATTERNS["url"], "email": PATTERNS["email"]}


def _reached(text: str) -> set[str]:
    """The ways to reach somebody that a line tells."""
    if not words.PHONE.search(text):
        return set()
    return {"contact", *(way for way, look in _REACHED.items() if look.search(text))}


def organiser(text: str) -> str:
    """The name in a line that says who organises; nothing where it does not say so."""
    found = words.ORGANISED.match(text)
    named = found.groupdict() if found else {}
    return next((own.strip() for key, own in named.items() if own and key.startswith("name")), "")


def says(layer: Seen) -> bool:
    """Whether a layer is text in truth; one letter read in a drawing is none."""
    if layer.kind != "text":
        return False
    letters = sum(letter.isalnum() for letter in layer.words)
    plain = len(layer.colours) == 1 and layer.covers < 0.03
    return layer.live or letters > 2 or (letters == 2 and plain)


_GIVEN = re.compile(
    r"\d|copy|拷贝|layer|图层|shape|形状|untitled|未命名|group|组|object|vector|pixel|image|element",
    re.IGNORECASE,
)


def thing(name: str) -> str:
    """What a layer shows by its name: "moon"; nothing where a program or its role named it."""
    said = " ".join(name.casefold().split())
    plain = any(said == one for known in parts.CALLED.values() for one in known)
    named = 1 < len(said) <= 24 and not _GIVEN.search(said) and not plain and not called(name)
    return said if named else ""


@lru_cache(maxsize=1024)
def called(name: str) -> str:
    """The role that the name of a layer tells; a name with a number or of many words tells none."""
    said = name.casefold().strip()
    if (
        re.search(r"\d|copy|拷贝|layer|图层|shape|形状|untitled|未命名|group", said)
        or len(said) > 24
    ):
        return ""
    known = [
        (len(one), role) for role, names in parts.CALLED.items() for one in names
        if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", said)
    ]  # fmt: skip
    role = max(known)[1] if known else ""
    return "" if role == "text" else role
