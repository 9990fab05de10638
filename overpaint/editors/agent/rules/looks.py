"""Looks: other colours, capital letters, and what is to go."""

import re

from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.colours import TONE, alike, distance, is_dark
from overpaint.editors.agent.rules.finding import Found, found, stands
from overpaint.editors.agent.rules.glue import core, is_idle, last_of
from overpaint.editors.agent.rules.page import Line, Page, rests_on
from overpaint.editors.agent.rules.pointing import roles_in
from overpaint.editors.agent.rules.prompts import Hit, Tongue
from overpaint.editors.agent.rules.reading import MARK, Clause
from overpaint.vision.layers import Seen

_AND = r"(?:[,，、]?\s*(?:and|with|并|再|同时|还)?\s*)"
_TO_IT = (
    r"(?:(?:set|put|place|print|show|have|give|use|make|it|everything|all|the|design|them|this"
    r"|that|to|please|and|want|would|like|i|we|need|change|turn|paint|colou?r|let|be|should|a|an"
    r"|of|whole|thing|our) )*"
)
_GROUND = "|".join(
    sorted((re.escape(one) for one in parts.CALLED["ground"]), key=len, reverse=True)
)


def ground(page: Page, clause: Clause, tongue: Tongue) -> tuple[list[Hit], Clause]:
    """Another colour of the ground, and what the clause asks besides."""
    colours = "".join(
        sorted({m for m in re.findall(MARK, clause.text) if clause.kind(m) == "colour"})
    )
    if not colours or not page.ground:
        return [], clause
    one = f"[{colours}]"
    forms = (
        rf"{_AND}(?:let's |try |have |use |put |want )*(?P<c>{one}) behind (?:it|all|everything"
        rf"|the \w+)",
        rf"{_AND}{_TO_IT}\b(?:on|onto|against|over|with|have|having) (?:a |an "
        rf"|the )?(?P<c>{one}) (?:{_GROUND})",
        rf"{_AND}{_TO_IT}(?P<c>{one})[ -](?:{_GROUND})(?: instead)?",
        rf"{_AND}{_TO_IT}(?<!\w)(?:{_GROUND})(?!\w)(?: \w+){{0,4}}?,? (?P<c>{one})",
        rf"{_AND}{_TO_IT}\b(?:on|onto|against) (?:a |an |plain |solid )*(?P<c>{one})$",
        rf"{_AND}(?:把|将|请|并|再|让|给|整个|整张|也|同时|要|希望|想)*(?:{_GROUND}"
        rf"|底(?=[用改换变是为调要成]))[^，,]{{0,8}}?(?P<c>{one})(?:的|吧|即可)?",
        rf"{_AND}[^，,]{{0,4}}?(?P<c>{one})(?:的)?(?:来|当|做|作|为|作为)?(?:{_GROUND})",
    )
    for form in forms:
        match = re.search(form, clause.text, re.IGNORECASE)
        if match:
            name = clause.full(_last_colour(clause, match[0], match["c"]))
            layer = page.ground[0]
            hit = Hit(layer.id, tongue.colour(layer, name), f"the background is to be {name}")
            return [hit], clause.only(
                clause.text[: match.start()] + " " + clause.text[match.end() :]
            )
    return [], clause


def _last_colour(clause: Clause, said: str, first: str) -> str:
    """Of "the blue background to red" the red."""
    own = [m for m in re.findall(MARK, said) if clause.kind(m) == "colour"]
    return own[-1] if own else first


def recoloured(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """Another colour for what is pointed at: by its role, its own colour, or what it shows."""
    said = clause.of("colour")
    if not said:
        return []
    new, old = _new_and_old(clause, said)
    rest = clause.without("colour")
    roles = roles_in(rest.text)
    if clause.of("quote") == [] and (named := page.named_in(rest.text)):
        why = f"it is called so, and is to be {new}"
        return [Hit(one.id, tongue.colour(one, new), why) for one in named]
    if quotes := clause.of("quote"):
        return _words_coloured(page, quotes[0], new, tongue)
    texts = [role for role in roles if role in parts.TEXTS]
    if texts and texts[0] != "time":
        lines = page.having(texts[0])
        return _lines_coloured(page, lines, new, tongue, f"the {texts[0]} is to be {new}")
    if "text" in roles or _says_all(clause.text):
        return _letters(page, clause, (new, old), tongue)
    figures = [role for role in roles if role in parts.FIGURES and role != "picture"]
    for role in figures:
        if layers := page.figures_of(role) or _stand_ins(page, role):
            best = min(layers, key=lambda f: distance(f.colours[0], old)) if old else layers[0]
            return [Hit(best.id, tongue.colour(best, new), f"the {role} is to be {new}")]
    free = [f for f in page.figures if f not in page.ground and f.colours]
    if not figures and (part := _part_named(page, rest.text, tongue)):
        return [Hit(part.id, tongue.colour(part, new), f"it is the part that is to be {new}")]
    if old and not figures and is_idle(rest.text, chinese=tongue.chinese) and free:
        best = min(free, key=lambda f: distance(f.colours[0], old))
        return [Hit(best.id, tongue.colour(best, new), f"it is {old} and is to be {new}")]
    drawn = tuple(one for one in page.unnamed if not _PHOTO.search(one.name))
    if drawn and not figures and not _LAYER.search(rest.text):
        picture = _of_colour(drawn, old)
        return [Hit(picture.id, tongue.colour(picture, new), f"what it shows is to be {new}")]
    return []


_LAYER = re.compile(r"\blayer\b|图层", re.IGNORECASE)
_PHOTO = re.compile(r"photo|照片|相片", re.IGNORECASE)  # no drawing, of which a thing has a colour


def _part_named(page: Page, text: str, tongue: Tongue) -> Seen | None:
    """The one layer that has the thing spoken of in its name: "the footer" is the footer bar."""
    thing = core(re.split(r" (?:should|must|to|is|be|in) ", text)[0], chinese=tongue.chinese)
    if is_idle(thing, chinese=tongue.chinese):
        return None
    here = [f for f in page.figures if f not in page.ground and stands(f.name, thing)]
    return here[0] if len(here) == 1 else None


def _stand_ins(page: Page, role: str) -> tuple[Seen, ...]:
    """What may have been meant where nothing is of a role: a ribbon for a band, and so on."""
    kin = _KIN.get(role, ())
    return next((layers for one in kin if (layers := page.figures_of(one))), ())


_KIN = {
    "band": ("ribbon", "rule"), "ribbon": ("band", "rule"), "rule": ("band", "ribbon"),
    "pattern": ("bunting", "corners"), "bunting": ("pattern",), "sticker": ("ribbon",),
    "corners": ("pattern", "frame"),
}  # fmt: skip


def _of_colour(pictures: tuple[Seen, ...], old: str) -> Seen:
    fitting = [one for one in pictures if old and any(alike(c, old) for c in one.colours)]
    return (fitting or list(pictures))[0]


def _new_and_old(clause: Clause, said: list[str]) -> tuple[str, str]:
    """Of the colours of a clause the one that is wanted, and the one that is there."""
    if len(said) == 1:
        return said[0], ""
    between = r"[^\ue000-\ue3ff]{0,24}"
    instead = r"(?:instead of|rather than|\bnot\b|不是|不要|而非)"
    turned = re.search(f"({MARK}){between}{instead}{between}{MARK}", clause.text)
    if turned and clause.kind(turned[1]) == "colour":
        return said[0], said[-1]
    return said[-1], said[0]


def _says_all(text: str) -> bool:
    return bool(
        re.search(
            r"\b(?:everything|all that|anything|whatever)\b|(?:所有|全部|凡是).{0,6}(?:东西|内容"
            r"|的字)|一切",
            text,
            re.IGNORECASE,
        )
    )


def _letters(page: Page, clause: Clause, colours: tuple[str, str], tongue: Tongue) -> list[Hit]:
    """All letters of a colour or of a tone; all letters where none is told."""
    new, old = colours
    layers = [text for text in page.texts if text.colours]
    tone = TONE.search(clause.without("colour").text)
    if old:
        nearest = min((distance(text.colours[0], old) for text in layers), default=9.0)
        layers = [
            t for t in layers if distance(t.colours[0], old) < nearest + 0.08 and nearest < 0.6
        ]
    elif tone:
        dark = bool(tone["dark"] or tone["d"])
        layers = [text for text in layers if is_dark(text.colours[0]) == dark]
    now = f"{old or (tone and tone[0])} and " if old or tone else ""
    why = f"its letters are {now}to be {new}"
    return [Hit(text.id, tongue.colour(text, new), why) for text in layers]


def _words_coloured(page: Page, quote: str, new: str, tongue: Tongue) -> list[Hit]:
    hits = []
    for place in found(page, quote, cased=True):
        prompt = tongue.colour(place.layer, new, _some(place))
        hits.append(Hit(place.layer.id, prompt, f"“{quote}” is to be {new}"))
    return hits


def _some(place: Found) -> str:
    """The words that stand there; none where they are all that the layer says."""
    whole = "".join(place.piece.split()) == "".join(place.layer.words.split())
    return "" if whole else place.piece


def _lines_coloured(
    page: Page, lines: tuple[Line, ...], new: str, tongue: Tongue, why: str
) -> list[Hit]:
    hits = []
    for layer, piece in _grouped(page, lines):
        hits.append(Hit(layer.id, tongue.colour(layer, new, piece), why))
    return hits


def _grouped(page: Page, lines: tuple[Line, ...]) -> list[tuple[Seen, str]]:
    """Lines by layer: the layer with their words, or with none where they are all of it."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(line.layer.id, []).append(line)
    found_ = []
    for own in groups.values():
        layer = own[0].layer
        every = [line for line in page.lines if line.layer is layer]
        found_ += [(layer, "")] if len(own) == len(every) else [(layer, line.text) for line in own]
    return found_


# ── capital letters ─────────────────────────────────────────────────────────────────────


def capitals(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """Words in capital letters."""
    if not words.CAPITALS.search(clause.text):
        return []
    roles = [role for role in roles_in(clause.text) if role in parts.TEXTS]
    quotes = clause.of("quote")
    if quotes:
        pieces = [(place.layer, place.piece) for place in found(page, quotes[0], cased=True)]
    else:
        lines = (
            page.having(roles[0])
            if roles
            else page.title
            if not _says_all(clause.text)
            else page.lines
        )
        pieces = [(line.layer, line.text) for line in lines]
    return [Hit(layer.id, tongue.replace(piece, piece.upper()), "it is to stand in capital letters")
            for layer, piece in pieces if piece != piece.upper()]  # fmt: skip


# ── what is to go ───────────────────────────────────────────────────────────────────────


def removed(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """What is to go: quoted words, lines of a role, figures, or pictures by what they show."""
    if not words.REMOVE.search(clause.text):
        return []
    roles, quotes = roles_in(clause.text) or roles_in(clause.near), clause.of("quote")
    if any(not found(page, quote) for quote in quotes):
        return []  # words that are nowhere cannot go: others make way for them
    if "sticker" in roles and page.stickers:
        return _without_sticker(page, clause, tongue)
    if quotes:
        return [hit for quote in quotes for hit in _without_words(page, quote, tongue)]
    for kind, role in (
        ("percent", "discount"),
        ("price", "price"),
        ("date", "date"),
        ("time", "time"),
    ):
        if said := clause.of(kind):
            return _without_words(page, said[0], tongue) or _without_lines(page, role, tongue)
    for role in roles:
        if role in parts.TEXTS and (gone := _without_lines(page, role, tongue)):
            return gone
        if role in parts.FIGURES and role != "picture":
            layers = page.figures_of(role) or _stand_ins(page, role)
            if layers:
                return [Hit(f.id, tongue.delete(f), f"the {role} is to go") for f in layers]
    return _without_picture(page, clause, tongue)


_WORDS_ON = re.compile(
    r"\b(?:text|words?|lettering|writing) (?:on|in|of|from)\b|(?<![和与同])[上里]的(?:文字|字)"
)


def _without_sticker(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    quotes = clause.of("quote")
    texts = list(page.on_stickers)
    named = [t for t in texts if quotes and any(p.layer is t for p in found(page, quotes[0]))]
    stickers = page.stickers
    if named and len(stickers) > 1:
        texts = named
        stickers = tuple(s for s in stickers if rests_on(named[0], s))
    if _WORDS_ON.search(clause.text):
        stickers = ()
    return [Hit(one.id, tongue.delete(one), "the sticker is to go, with what it says")
            for one in (*stickers, *texts)]  # fmt: skip


def _without_words(page: Page, quote: str, tongue: Tongue) -> list[Hit]:
    hits = []
    for place in found(page, quote, cased=True):
        prompt = tongue.delete(place.layer, _some(place))
        hits.append(Hit(place.layer.id, prompt, f"“{quote}” is to go"))
    return hits


def _without_lines(page: Page, role: str, tongue: Tongue) -> list[Hit]:
    return [Hit(layer.id, tongue.delete(layer, piece), f"the {role} is to go")
            for layer, piece in _grouped(page, page.having(role))]  # fmt: skip


_BESIDE = (
    r" (?:next|beside|near|under|above|below|by|from|on|in|with|at|that|which|behind|but|and) "
)


def _without_picture(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """The picture that is meant: the smallest of several, for nobody takes the main one out."""
    rest = words.REMOVE.sub("", clause.text)
    general = "picture" in roles_in(rest)
    if is_idle(rest, chinese=tongue.chinese) and not general:
        return []  # "delete that line": whichever that is
    rest = re.split(_BESIDE, rest)[0]
    thing = core(last_of(rest), chinese=tongue.chinese)
    pictures = page.named_in(thing)
    if not pictures and (general or (len(page.unnamed) > 1 and not roles_in(rest))):
        pictures = page.unnamed  # of a thing: the only picture is not taken out on a guess
    if not pictures:
        return []
    title = " ".join(line.text for line in page.title)
    picture = pictures[0 if stands(title, thing, inflected=True) else -1]
    return [
        Hit(
            picture.id,
            tongue.delete(picture),
            f"it shows what is to go, {thing}, as far as can be told",
            gone=True,
        )
    ]
