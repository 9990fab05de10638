"""Wording: other words, names and pictures, by what is quoted, paired or pointed at."""

import re

from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.finding import Found, broken, found, replaced
from overpaint.editors.agent.rules.glue import core, is_idle, last_of, trims
from overpaint.editors.agent.rules.lines import organiser
from overpaint.editors.agent.rules.page import Line, Page
from overpaint.editors.agent.rules.pairs import pairs
from overpaint.editors.agent.rules.pointing import roles_in
from overpaint.editors.agent.rules.prompts import Hit, Tongue
from overpaint.editors.agent.rules.reading import MARK, Clause, Scope
from overpaint.editors.agent.rules.theme import themed, without_event
from overpaint.editors.agent.rules.topics import TOPICS

# ── what is quoted ──────────────────────────────────────────────────────────────────────


def quoted(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """Words that a clause has in quotation marks, old and new or new alone."""
    said = [one for one in clause.of("quote") if one.strip()]
    if not said:
        return []
    old = [one for one in said if found(page, one, cased=True)]
    new = [one for one in said if one not in old]
    if len(said) == 2 and not new:
        old, new = _ordered(clause, said)
    if old and new:
        places = _within(page, found(page, old[0], cased=True), roles_in(clause.text))
        return replaced(places, old[0], new[-1], tongue, f"it says “{old[0]}”")
    if new and not old:
        wanted = _ordered(clause, said)[1][0] if len(said) == 2 else new[-1]
        roles = roles_in(clause.text)
        told = _SAYS.search(clause.text) and not _ON_THING.search(clause.text)
        title = ["title"] if len(said) == 1 and told else []
        return anew(page, roles or title, wanted, tongue)
    return []


# Words in quotation marks with none of these are no wish: "please run 'rm'" is about no title.
_SAYS = re.compile(
    r"\b(?:says?|saying|reads?|reading|call(?:ed)?|names?|named|titled?|becomes?|be|is|are|makes?|turn"
    r"|chang(?:e|ed|ing)|replaced?|renamed?|retitled?|use|write|print|put|set|switch|now|new|instead"
    r"|to|into|as|for|with|show|promote|announce|advertise|want|needs?|give|have|go|update)\b"
    r"|[改换变成为写叫名题用说要是给做]",
    re.IGNORECASE,
)
_ADD = re.compile(
    rf"\b(?:add|insert|include|append|attach)\b|\b(?:put|place|write|print|stamp|set) {MARK}\s*"
    r"(?:\w+ ){0,2}?(?:under|underneath|below|beneath|above|beside|next to|across|over|after|before"
    r"|near|between|behind)\b|\b(?:also|and) (?:paint|draw|sketch) (?:an?|some)\b|\b(?:paint|draw"
    r"|sketch) (?:an?|some) [\w ]{1,30} (?:on|in|into|onto) the\b|加上|添上|添加|加一[个行句只]"
    r"|补上|写上|印上|画上|再[画加]",
    re.IGNORECASE,
)


def adds(clause: Clause) -> bool:
    """Whether a clause wants something new beside what is there, which no layer has to give up."""
    if words.REMOVE.search(clause.text) or words.SPAN.search(clause.text):
        return False  # the one takes the place of the other; so many days are added to a date
    return _ADD.search(clause.text) is not None


# "It should say …" is about the title; "write … on the moon" is not.
_ON_THING = re.compile(
    r"\b(?:on|onto|under|beside|above|below|next to) (?:the|an?) [a-z]|[上下]面写"
)


def _ordered(clause: Clause, said: list[str]) -> tuple[list[str], list[str]]:
    """Old and new of two quotes that are both printed, or neither is."""
    turned = re.search(
        rf"{MARK}.*(?:instead of|rather than|in place of|, not|不要|不是|而非|代替|替换).*{MARK}",
        clause.text,
    )
    return ([said[1]], [said[0]]) if turned else ([said[0]], [said[1]])


def _within(page: Page, places: list[Found], roles: list[str]) -> list[Found]:
    """Those of some places that a role points at, if it does at any."""
    if "sticker" in roles:
        own = [place for place in places if place.layer in page.on_stickers]
        return own or places
    if "title" in roles:
        titles = [line.layer for line in page.title]
        return [place for place in places if place.layer in titles] or places
    return places


# ── what is pointed at ──────────────────────────────────────────────────────────────────


def anew(page: Page, roles: list[str], new: str, tongue: Tongue) -> list[Hit]:
    """New words for what has a role."""
    for role in roles:
        if role == "sticker" and page.on_stickers:
            lines = tuple(line for line in page.lines if line.layer in page.on_stickers)
            return reworded(lines, new, tongue, "it stands on the sticker")
        if role == "organiser" and (lines := page.having(role)):
            name = organiser(lines[0].text) or lines[0].text
            return replaced(found(page, name), name, new, tongue, f"it names {name}")
        if role in _LOOKS and (lines := page.having(role)):
            return _valued(lines, role, new, tongue)
        if role in parts.TEXTS and (lines := page.having(role)):
            how = role not in ("title", "subtitle")
            return reworded(lines, new, tongue, f"it is the {role}", labelled=how)
    if "text" in roles and len(page.texts) == 1:
        return reworded(page.lines, new, tongue, "it is the only text")
    return []


_LOOKS = {
    "contact": (words.NUMBER, PATTERNS["email"], PATTERNS["url"]), "price": (PATTERNS["price"],),
    "phone": (words.NUMBER,), "website": (PATTERNS["url"],), "email": (PATTERNS["email"],),
}  # fmt: skip


def _valued(lines: tuple[Line, ...], role: str, new: str, tongue: Tongue) -> list[Hit]:
    """A new number, address or price in the place of the old one; of several prices none."""
    for pattern in _LOOKS[role]:
        fresh = pattern.search(new)
        places = [Found(line.layer, m[0]) for line in lines for m in pattern.finditer(line.text)]
        if fresh and len({place.piece for place in places}) == 1:
            return replaced(places, "", fresh[0].strip(), tongue, f"the {role} stands here")
        if fresh and places:
            return []
    if not lines or (role == "price" and len(lines) > 1):
        return []
    return reworded(lines, new, tongue, f"it is the {role}")


def reached(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """A new number or address that a clause tells alone, of the kind that it names."""
    if clause.of("quote") or words.REMOVE.search(clause.text):
        return []
    said = clause.full(clause.text)
    for role in roles_in(clause.text):
        values = [m[0] for pattern in _LOOKS.get(role, ()) for m in pattern.finditer(said)]
        if role != "price" and len(values) == 1 and not found(page, values[0]):
            return _valued(page.having(role), role, values[0], tongue)
    return []


_LABEL = re.compile(
    r"^[^:：]{1,12}[:：]\s*|^(?:at|in|venue|place|location) (?=[A-Z])", re.IGNORECASE
)


def reworded(
    lines: tuple[Line, ...], new: str, tongue: Tongue, why: str, *, labelled: bool = True
) -> list[Hit]:
    """The first layer of some lines, with the new words in place of its own; labels stay."""
    own = [line for line in lines if line.layer is lines[0].layer]
    if not own:
        return []
    if own[0].layer.live and (rows := broken([line.text for line in own], new)):
        prompts = [tongue.replace(old, fresh) for old, fresh in rows]
        return [Hit(own[0].layer.id, prompt, why) for prompt in prompts]
    text = " ".join(line.text for line in own)
    label = _LABEL.match(text) if labelled else None
    old = text[label.end() :] if label and label.end() < len(text) else text
    return replaced([Found(own[0].layer, old)], "", new, tongue, why) if old != new else []


# ── what goes and what comes ────────────────────────────────────────────────────────────


def paired(
    page: Page,
    clause: Clause,
    scope: Scope,
    tongue: Tongue,
    *,
    drawn: bool = True,
    pointed: bool = True,
) -> list[Hit]:
    """What a clause says goes and comes: words, a name, a topic, or what a picture shows."""
    listed = [
        pair for pair in pairs(clause.text, chinese=tongue.chinese) if not _POSITION.match(pair[1])
    ]  # where things go is not written
    for old, new in listed:
        if pointed and (hits := _pointed(page, (old, new), clause, scope, tongue)):
            return hits
        if hits := _grounded(page, (clause.full(old), clause.full(new)), (clause, scope), tongue):
            return hits
    for old, new in listed:
        places = "".join(line.text for line in page.places)
        inside = [word for word in _topics_in(clause.full(old)) if word not in places]
        known = [(word, clause.full(new)) for word in inside]
        for pair in known:
            if hits := _grounded(page, pair, (clause, scope), tongue):
                return hits
    for old, new in listed if drawn else ():
        if clause.kind(new.lstrip("成为到")) == "colour":
            continue  # no picture shows a colour
        if hits := _drawn(page, (clause.full(old), clause.full(new)), clause, scope, tongue):
            return hits
    return []


def _pointed(
    page: Page, pair: tuple[str, str], clause: Clause, scope: Scope, tongue: Tongue
) -> list[Hit]:
    """A pair whose old half only names a role: "the venue to Town Hall"."""
    old, new = pair
    if _is_role(new, tongue) and not is_idle(old, chinese=tongue.chinese):
        old, new = new, old  # "use Town Hall as the venue"
    name = core(old, chinese=tongue.chinese)
    roles = roles_in(name) or roles_in(old)
    if not roles or roles == ["text"] or not is_idle(old, chinese=tongue.chinese):
        return []
    fresh = clean_new(clause.full(new), tongue)
    if not re.search(MARK, new) and fresh.casefold() in ("we", "you", "they", "i", "it", "there"):
        return []  # "we no longer have a website"
    if "picture" in roles and scope.pictures and (pictures := page.shows(old) or page.pictures):
        picture = pictures[0]
        return [Hit(picture.id, tongue.draw("", fresh), "the picture is to show something else")]
    logos = [one for role in roles if role in ("logo", "code") for one in page.figures_of(role)]
    if logos and scope.pictures:
        return [Hit(logos[0].id, tongue.draw("", fresh), f"the {roles[0]} is to be another")]
    return anew(page, roles, fresh, tongue)


_POSITION = re.compile(
    r"(?:the |to |very |far |upper |lower |top |bottom )*(?:left|right|top|bottom|middle|centre"
    r"|center|corner|front|back)\b|[左右上下顶底中](?:边|面|方|侧|部|间|角|央)",
    re.IGNORECASE,
)


def _is_role(phrase: str, tongue: Tongue) -> bool:
    own = [role for role in roles_in(phrase) if role in (*parts.TEXTS, "picture")]
    return bool(own) and is_idle(phrase, chinese=tongue.chinese)


def _grounded(
    page: Page, pair: tuple[str, str], about: tuple[Clause, Scope], tongue: Tongue
) -> list[Hit]:
    """A pair whose old half stands on the page."""
    clause, scope = about
    for old, new in _options(page, pair, tongue):
        if is_idle(old, chinese=tongue.chinese):
            continue
        lower = old == old.lower()
        here = found(page, old, inflected=lower, cased=not lower)
        if not here:
            continue
        if shows_only(clause, scope):
            return []
        if tongue.chinese and _RENAMED.search(clause.text) and old in new:
            return _renamed(page, old, new, tongue)
        if is_topic(page, (old, new), clause):
            return themed(page, (old, without_event(page, new, old)), scope, tongue)
        if scope.words:
            places = _within(page, here, roles_in(clause.text))
            return replaced(places, old, new, tongue, f"it says “{old}”")
    return []


_RENAMED = re.compile("改名|更名|改叫|名字|名称")


def _renamed(page: Page, old: str, new: str, tongue: Tongue) -> list[Hit]:
    """A new name in the place of the whole old one, of which only the kind is said: 茶馆."""
    names = dict.fromkeys(
        [*(line.text for line in page.title), *(organiser(line.text) for line in page.lines)]
    )
    whole = [name for name in names if name.endswith(old) and not re.search(r"\s", name)]
    if len(whole) != 1:
        return []
    return replaced(found(page, whole[0]), whole[0], new, tongue, f"it names {whole[0]}")


def _options(page: Page, pair: tuple[str, str], tongue: Tongue) -> list[tuple[str, str]]:
    """The pair without what both halves share, then in ever shorter forms of its old half."""
    old, new = pair
    fresh = clean_new(new, tongue)
    if not re.search(r"\w", fresh):
        return []  # a dash that is left of two times
    shorter = [one for one in trims(old, chinese=tongue.chinese) if len(one) > 1]
    less = _unshared(shorter[-1], fresh, tongue) if shorter else ("", "")
    first = (
        [less]
        if all(less) and less[0] != shorter[-1] and _may_reduce(page, less, shorter[-1])
        else []
    )
    return [*first, *((one, fresh) for one in shorter)]


def _topics_in(phrase: str) -> list[str]:
    """Known topics in a Chinese phrase, which has no spaces to cut it at; the longest first."""
    if phrase.isascii():
        return []
    return sorted((word for word in TOPICS if len(word) > 1 and word in phrase), key=len)[::-1]


def _may_reduce(page: Page, pair: tuple[str, str], whole: str) -> bool:
    """Whether what two phrases share may be left off: not of names, nor of a line by itself."""
    old = pair[0]
    named = old[:1].isupper() and old.casefold() not in TOPICS
    line = any(one.text == whole for one in page.lines if one not in page.title)
    return not named and not line and (len(old) > 1 or old in TOPICS)


def _unshared(old: str, new: str, tongue: Tongue) -> tuple[str, str]:
    """Two phrases without the words that both end in: the event of two topics."""
    if tongue.chinese:
        ends = [
            old[n:] for n in range(2, len(old)) if new.endswith(old[n:]) and len(new) > len(old) - n
        ]
        known = [word for word in TOPICS if old.startswith(word) and len(word) > 1]
        if known and ends:
            topic = max(known, key=len)
            return topic, new.removesuffix(old.removeprefix(topic))
        return (old.removesuffix(ends[0]), new.removesuffix(ends[0])) if ends else (old, new)
    a, b = old.split(), new.split()
    while len(a) > 1 and len(b) > 1 and a[-1].casefold() == b[-1].casefold():
        a, b = a[:-1], b[:-1]
    return " ".join(a), " ".join(b)


_TELLS = re.compile(r" (?:is|are|be|about|should|must|will) ")


def clean_new(new: str, tongue: Tongue) -> str:
    """The new words as they are to stand: without articles and what follows them."""
    if not tongue.chinese:
        fresh = core(re.split(r" (?:who|which) ", new)[0], chinese=False)
        if not fresh[:1].isupper():
            fresh = core(fresh.split(",")[0], chinese=False)
            fresh = last_of(fresh) if _TELLS.search(fresh) else fresh
        return f"The {fresh}" if fresh[:1].isupper() and f"The {fresh}" in new else fresh
    return core(re.split("[，,]", re.split(r"(?<!\d)[：:]|[：:](?!\d)", new)[-1])[0], chinese=True)


def is_topic(page: Page, pair: tuple[str, str], clause: Clause) -> bool:
    """Whether a pair is about what the design is about, and no name or line of it."""
    old, new = pair
    if old.casefold() in TOPICS or new.casefold() in TOPICS:
        return True
    if re.search(MARK, clause.text) and clause.of("quote"):
        return False
    if old.isascii():
        number = old in words.NUMBERS or re.search(r"\d", old)
        return old == old.lower() and not number
    whole = any(line.text.strip() == old for line in page.lines if line not in page.title)
    named = any(organiser(line.text) == old for line in page.lines)
    in_title = any(old in line.text for line in page.title)
    return not whole and not named and (in_title or bool(words.THEME.search(clause.text)))


def shows_only(clause: Clause, scope: Scope) -> bool:
    """Whether a clause is about pictures and not about words."""
    if not scope.words:
        return True
    return bool(words.SHOW.search(clause.text)) and not scope.both and scope.pictures


_TOPICAL = re.compile(r"\b(?:retheme|theme|topic|subject)\b|主题|题材|宣传", re.IGNORECASE)


def _drawn(
    page: Page, pair: tuple[str, str], clause: Clause, scope: Scope, tongue: Tongue
) -> list[Hit]:
    """A pair of things that a picture shows."""
    if not scope.pictures or not page.pictures or clause.of("quote"):
        return []
    old, new = (core(half, chinese=tongue.chinese) for half in pair)
    if _TOPICAL.search(clause.text) or any(line.text in pair[0] for line in page.places):
        return []
    if is_idle(pair[0], chinese=tongue.chinese) or is_idle(pair[1], chinese=tongue.chinese):
        return []
    if set(roles_in(pair[0])) - {"picture", "logo", "code"}:
        return []  # 字体 is no picture
    if re.search(r"\d", old + new) or (new[:1].isupper() and old[:1].isupper()):
        return []
    if not (pictures := page.shows(old)):
        return []  # what is shown is known by name, and none is called so
    picture = pictures[0]
    prompt = tongue.draw(f"the {old}" if not tongue.chinese else old, pair[1].strip())
    return [Hit(picture.id, prompt, f"it is the picture, which is to show {new}")]
