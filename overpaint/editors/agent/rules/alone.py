"""What is told alone: a new place, a name, or something to be drawn, without what it replaces."""

import re

from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.finding import first_found, found, replaced
from overpaint.editors.agent.rules.glue import core, is_idle, last_of
from overpaint.editors.agent.rules.lines import FACTS
from overpaint.editors.agent.rules.names import TEXTS
from overpaint.editors.agent.rules.page import Page
from overpaint.editors.agent.rules.pointing import roles_in
from overpaint.editors.agent.rules.prompts import Hit, Tongue
from overpaint.editors.agent.rules.reading import Clause, Scope
from overpaint.editors.agent.rules.theme import asked_for, shown
from overpaint.editors.agent.rules.topics import EVENTS
from overpaint.editors.agent.rules.wording import clean_new, reworded

_MOVED = re.compile(
    r"\b(?:mov(?:e|ed|es|ing)|relocat\w+|takes? place|taking place|held|happen\w*|meet\w*|find us"
    r"|come|switch\w*|transfer\w*|shift\w*|be|is|are|now|new|venue|place|location|address|where"
    r"|site)\b|搬|移|改在|改到|换到|挪|举行|举办|地点|场地",
    re.IGNORECASE,
)
_AT = re.compile(
    r"(?:\b(?:to|at|in|into|is|be|now|:|over to|inside|on)\s"
    r"|[:：,，]\s*)(?:the (?=[A-Z]))?(?P<new>[A-Z0-9][\w'’&.-]*(?:\s(?:[A-Z0-9&][\w'’.-]*|of|the"
    r"|on|in|and|de|la|&))*)"
)
_AT_CHINESE = re.compile(
    r"(?:现在是|搬到|移到|改去|转去|改在|改到|换到|挪到|迁到|搬至|移至|迁至|改至|换在|定在|设在"
    r"|转到|前往"
    r"|地点是|地点为|地点|场地|会场|在|到|：|:|，"
    r"|,)(?P<new>[^，,。；：:\ue000-\ue3ff]{2,20}?)(?:举行|举办|进行|开展|见|集合|了|吧)*$"
)


_TRAIL = re.compile(r"(?:\s(?:of|the|on|in|and|de|la|&))+$")  # "Porto and the" is Porto
_MONTH = re.compile(
    r"(?:early |late |mid-)?(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Spring|Summer|Autumn|Winter)",
    re.IGNORECASE,
)
_GO = re.compile(
    r"\b(?:go|find|direct|head|send|gather|see you|join us)\b.{0,30}\b(?:to|at|in)\b", re.I
)


_WHERE_TO = re.compile(
    r"\b(?:moved?|moves|moving|relocat\w+) (?:over |out |on )?to (?:the )?[A-Z]\w"
)


def moved(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """A new place for those who have moved there, where the page says where they are."""
    told = _WHERE_TO.search(clause.text) and not re.search(r"\bfrom\b", clause.text)
    return placed(page, clause, tongue) if told else []


def placed(page: Page, clause: Clause, tongue: Tongue, *, after: bool = False) -> list[Hit]:
    """A new place, told alone; after a date, any few words that are left are one."""
    if clause.of("quote") or not (
        "place" in roles_in(clause.near)
        or _GO.search(clause.text)
        or _MOVED.search(clause.text)
        or (after and len(clause.text) < 40)
    ):
        return []
    every = (_AT_CHINESE if tongue.chinese else _AT).finditer(clause.text)
    match = next((m for m in every if not is_idle(m["new"], chinese=tongue.chinese)), None)
    if not page.places or not (match or after) or _is_elsewhere(clause.text):
        return []
    said = match["new"] if match else clause.text
    new = clean_new(said, tongue) if tongue.chinese or not match else _TRAIL.sub("", said.strip())
    if not re.search(r"[^\W\d_]{2}", new) or _MONTH.fullmatch(new):
        return []
    if not match and not (words.VENUE.search(new) or (new.istitle() and " " in new)):
        return []
    if found(page, new):
        return []
    return reworded(page.places, new, tongue, "it says where")


def _is_elsewhere(text: str) -> bool:
    """Whether a clause is about another part of the page: "the phone number is now …"."""
    roles = roles_in(text)
    return "place" not in roles and any(role in _ELSEWHERE for role in roles)


_ELSEWHERE = TEXTS - {"place", "date", "time", "deadline"}  # what has moved to a day may move too


def named_alone(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """A name that stands on the page and another that does not, in words that no form has."""
    if tongue.chinese or clause.of("quote"):
        return []
    runs = re.findall(
        r"[A-Z][\w'’]*(?:\s(?:[A-Z&][\w'’]*|of|the|&))*(?<!\sthe)(?<!\sof)", clause.text
    )
    own, here = first_found(page, [one for one in runs if len(one) > 3], cased=True)
    others = [
        one
        for one in runs
        if one != own and not found(page, one) and not clause.text.startswith(one)
    ]
    if own and others:
        return replaced(here, own, max(others, key=len), tongue, f"it says “{own}”")
    return []


def titled_alone(page: Page, clause: Clause, scope: Scope, tongue: Tongue) -> list[Hit]:
    """The title of something else altogether: a concert's poster that is to be a winter sale."""
    new = asked_for(clause, chinese=False)
    *topic, event = new.split() or [""]
    if tongue.chinese or not scope.words or not words.THEME.search(clause.text):
        return []
    if not topic or event.casefold() not in EVENTS or not page.title:
        return []
    if any(page.roles(line) & FACTS for line in page.title):
        return []  # what else it says would go with it
    title = " ".join(word[:1].upper() + word[1:] for word in new.split())
    hits = reworded(page.title, title, tongue, f"it is the title, and all is to be a {new}")
    return hits + (shown(page, ("", new), tongue) if scope.pictures else [])


# What is done to a picture as it is; it goes on to show the same.
_HANDLED = re.compile(
    r"\b(?:rotat|flip|blur|crop|enlarg|shrink|resiz|mirror|align|sharpen)\w*|旋转|翻转|镜像|模糊|裁剪"
    r"|放大|缩小|移动|对齐|锐化",
    re.IGNORECASE,
)


def drawn_alone(page: Page, clause: Clause, scope: Scope, tongue: Tongue) -> list[Hit]:
    """A picture of something that is told alone: "illustrate it with a football"."""
    told = not scope.words or words.DRAW.search(clause.text)
    if not told or not scope.pictures or not page.pictures or clause.of("quote"):
        return []
    if _HANDLED.search(clause.text):
        return []
    new = clause.full(
        core(last_of(clause.text) if not tongue.chinese else clause.text, chinese=tongue.chinese)
    )
    if is_idle(new, chinese=tongue.chinese):
        return []
    picture = page.pictures[0]
    return [Hit(picture.id, tongue.draw("", new), f"it is the picture, which is to show {new}")]
