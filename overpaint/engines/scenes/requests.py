"""Requests: several pictures, one wish that names them, and the picture that fulfils it exactly.

Even numbers show known things, odd ones held-out things; the five categories come in turn.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from overpaint.document import Pixels
from overpaint.engines.scenes import PLACES, SIZES, SPLITS, alone, asking, placing
from overpaint.engines.scenes.compose import Plan, drawn, ground
from overpaint.engines.scenes.kinds import COLOURS, KINDS, Kind, name_of
from overpaint.engines.scenes.looks import Look, ThingLook
from overpaint.engines.scenes.sheet import Piece
from overpaint.engines.scenes.styles import MOODS, STYLES, TECHNIQUES

TRIES = 8  # to find room for all
Words = Sequence[str]
TRUE = tuple(name for name in TECHNIQUES if name != "night")  # styles that keep colours as they are


@dataclass(frozen=True, eq=False)
class Wish:
    """A request for a picture, and the golden one."""

    id: str
    split: str
    category: str
    inputs: tuple[Pixels, ...]  # 2–6; the instruction calls them <image1>, <image2> …
    instruction: str
    golden: Pixels


def request(number: int, *, seed: int = 0) -> Wish:
    """The request of that number: the same number and seed give the same."""
    grain = f"request {seed} {number}"
    category = CATEGORIES[number % len(CATEGORIES)]
    studio = _Studio(grain, SPLITS[number % 2], Random(grain))
    instruction, golden = _MAKERS[category](studio)
    return Wish(
        id=f"request-{seed}-{number}", split=studio.split, category=category,
        inputs=tuple(studio.inputs), instruction=instruction, golden=golden,
    )  # fmt: skip


@dataclass(frozen=True)
class _Item:
    """A thing of a request: its kind, its colour, and what places it."""

    kind: Kind
    colour: str
    wanted: placing.Wanted

    @property
    def the(self) -> str:
        return asking.the(self.wanted.look.name)


@dataclass
class _Studio:
    """Where the pictures of one request are made; what is shown gets the next number."""

    grain: str
    split: str
    chance: Random
    inputs: list[Pixels] = field(default_factory=list)

    def show(self, pixels: Pixels) -> str:
        """Make a picture an input; its name in the instruction."""
        self.inputs.append(pixels)
        return f"<image{len(self.inputs)}>"

    def items(self, place: str, count: int, *, site: str = "", but: Words = ()) -> list[_Item]:
        """Things of different kinds that are at home there, at that site if one is named."""
        known = self.kinds(place, site=site, but=but)
        return [self.item(kind) for kind in self.chance.sample(known, min(count, len(known)))]

    def kinds(self, place: str, *, site: str = "", but: Words = ()) -> list[Kind]:
        """The kinds at home there, without those of the words."""
        return [
            kind for kind in KINDS[self.split]
            if place in kind.places and kind.word not in but and site in ("", kind.site)
        ]  # fmt: skip

    def item(self, kind: Kind, colour: str = "") -> _Item:
        """A thing of that kind, in that colour or in one of its own."""
        colour = colour or self.chance.choice(kind.colours)
        look = ThingLook(
            name_of(kind, colour), kind.paint, COLOURS[colour], self.chance.random() < 0.5
        )
        return _Item(kind, colour, placing.Wanted(look, kind.tall, kind.near, kind.site, kind.turn))

    def plan(self, place: str, wanted: Sequence[placing.Wanted], style: str) -> Plan:
        """Things in a place of their own: all of them, or those that found room in many tries."""
        grain = f"{self.grain} {len(self.inputs)} {place}"
        best = Plan(grain, self.split, SIZES[0], place, grain, style, ())
        for _ in range(TRIES):
            bare = replace(best, size=self.chance.choice(SIZES), pieces=())
            pieces = placing.placed(wanted, ground(bare), bare.size, self.chance)
            if len(pieces) > len(best.pieces):
                best = replace(bare, pieces=tuple(pieces))
            if len(pieces) == len(wanted):
                break
        return best

    def showing(self, item: _Item, style: str) -> str:
        """A picture of the thing, alone or with another beside it; its name."""
        plan = self.plan(self.chance.choice(item.kind.places), [item.wanted], style)
        if self.chance.random() < 0.5:
            return self.show(alone(plan.pieces[0], style, plan.grain))
        other = self.items(plan.place, 1, but=[item.kind.word])
        cast = [item.wanted, *(one.wanted for one in other)]
        return self.show(drawn(self.plan(plan.place, cast, style)).pixels)

    def style(self) -> str:
        return self.chance.choice(STYLES)

    def told(self, category: str, **parts: str) -> str:
        """One of the category's wordings."""
        return self.chance.choice(asking.WORDINGS[category]).format(**parts)


def _of(look: Look, items: Sequence[_Item]) -> _Item:
    return next(item for item in items if item.wanted.look is look)


# ── the five categories ─────────────────────────────────────────────────────────────────


def _replacement(studio: _Studio) -> tuple[str, Pixels]:
    """Things make way for others, each where the old one stood."""
    chance, style = studio.chance, studio.style()
    place = chance.choice(PLACES)
    items = studio.items(place, chance.randint(1, 3))
    plan = studio.plan(place, [item.wanted for item in items], style)
    studio.show(drawn(plan).pixels)
    words = [item.kind.word for item in items]
    pieces, told = list(plan.pieces), list[str]()
    apt = [p for p in pieces if _alike(studio, _of(p.look, items), place, but=words)] or pieces
    for piece in chance.sample(apt, chance.randint(1, min(2, len(apt)))):
        old = _of(piece.look, items)
        new = _substitute(studio, old, place, but=words)
        words.append(new.kind.word)
        told.append(f"{old.the} with {new.the} from {studio.showing(new, style)}")
        pieces[pieces.index(piece)] = _swapped(piece, new.wanted.look, plan.size)
    golden = drawn(replace(plan, pieces=tuple(pieces))).pixels
    return studio.told("element replacement", items=asking.listed(told)), golden


def _alike(studio: _Studio, old: _Item, place: str, *, but: Words) -> list[Kind]:
    """Kinds that would be where it is and are about as large, the likest first."""
    known = studio.kinds(place, site=old.kind.site, but=but)
    known = [kind for kind in known if 0.45 < kind.tall / old.kind.tall < 2.2]
    return sorted(known, key=lambda kind: abs(math.log(kind.tall / old.kind.tall)))


def _substitute(studio: _Studio, old: _Item, place: str, *, but: Words) -> _Item:
    """Something else that would be there, of the old one's size if there is such."""
    alike = _alike(studio, old, place, but=but)[:3]
    return studio.item(studio.chance.choice(alike or studio.kinds(place, but=but)))


def _swapped(old: Piece, look: Look, size: tuple[int, int]) -> Piece:
    """Another look where a piece is: on the same foot, and as large."""
    wide, high = look.sprite(placing.OUTLINE).size
    left, top, right, bottom = old.box
    height = ((right - left) * (bottom - top) * high / wide) ** 0.5
    height = min(height, placing.WIDEST * size[0] * high / wide, bottom - 4)
    sprite = look.sprite(height)
    asked = (height, 0.0)
    left = round((left + right - sprite.size[0]) / 2)
    left = min(max(left, 0), size[0] - sprite.size[0])
    top = max(0, bottom - sprite.size[1])
    return replace(old, look=look, sprite=sprite, left=left, top=top, asked=asked)


def _addition(studio: _Studio) -> tuple[str, Pixels]:
    """Things come into a picture in which others are already."""
    chance, style = studio.chance, studio.style()
    place, count = chance.choice(PLACES), chance.choice((1, 1, 2, 2, 3, 4, 5))
    items = studio.items(place, count + 1)
    full = studio.plan(place, [item.wanted for item in items], style)
    stays = next(piece for piece in full.pieces if _of(piece.look, items) is items[0])
    studio.show(drawn(replace(full, pieces=(stays,))).pixels)
    told = []
    for piece in full.pieces:
        if piece is not stays:
            item = _of(piece.look, items)
            source = studio.showing(item, style)
            told.append(f"{item.the} from {source} {asking.where(piece, place, full.size)}")
    return studio.told("element addition", items=asking.listed(told)), drawn(full).pixels


def _environment(studio: _Studio) -> tuple[str, Pixels]:
    """People or things meet in a place that another picture shows."""
    chance, style = studio.chance, studio.style()
    place = chance.choice([name for name in PLACES if name not in ("table", "studio")])
    people = chance.choice((0, 1, 1, 2))
    cast = [placing.person(chance) for _ in range(people)]
    items = studio.items(place, chance.randint(0 if people else 1, 2), site="floor")
    full = studio.plan(place, [*cast, *(item.wanted for item in items)], style)
    shown, told = {id(piece.look) for piece in full.pieces}, []
    for person in cast:
        if id(person.look) in shown:
            elsewhere = chance.choice([n for n in PLACES if n not in (place, "table")])
            source = studio.show(drawn(studio.plan(elsewhere, [person], style)).pixels)
            told.append(f"{asking.the(person.look.name)} from {source}")
    for item in items:
        if id(item.wanted.look) in shown:
            told.append(f"{item.the} from {studio.showing(item, style)}")
    target = studio.show(drawn(replace(full, pieces=())).pixels)
    where = f"{asking.GROUNDS[place]} of {target}"
    return (
        studio.told("spatial/environment", items=asking.listed(told), place=where),
        drawn(full).pixels,
    )


def _transfer(studio: _Studio) -> tuple[str, Pixels]:
    """Things take on the colours of others."""
    chance, style = studio.chance, studio.chance.choice(TRUE)
    place = chance.choice(PLACES)
    many = [kind for kind in KINDS[studio.split]
            if place in kind.places and kind.named and len(kind.colours) > 1]  # fmt: skip
    items = [
        studio.item(kind) for kind in chance.sample(many, min(len(many), chance.randint(1, 3)))
    ]
    plan = studio.plan(place, [item.wanted for item in items], style)
    studio.show(drawn(plan).pixels)
    pieces, told = list(plan.pieces), []
    for piece in chance.sample(plan.pieces, min(len(plan.pieces), chance.randint(1, 2))):
        item = _of(piece.look, items)
        model = _model(studio, item)
        source = studio.showing(model, style)
        told.append(f"the {item.kind.word} in the colour of the {model.kind.word} in {source}")
        pieces[pieces.index(piece)] = _recoloured(piece, item, model.colour)
    golden = drawn(replace(plan, pieces=tuple(pieces))).pixels
    return studio.told("attribute transfer", items=asking.listed(told)), golden


def _model(studio: _Studio, item: _Item) -> _Item:
    """Something of another kind, in a colour that the thing may have and has not."""
    chance = studio.chance
    colours = [one for one in item.kind.colours if one != item.colour]
    pairs = [
        (kind, colour) for kind in KINDS[studio.split] for colour in colours
        if kind.named and colour in kind.colours and kind.word != item.kind.word
    ]  # fmt: skip
    return studio.item(*chance.choice(pairs))


def _recoloured(piece: Piece, item: _Item, colour: str) -> Piece:
    """The same piece in another colour; nothing else of it changes."""
    assert isinstance(piece.look, ThingLook)  # people keep their clothes
    look = replace(piece.look, name=name_of(item.kind, colour), colour=COLOURS[colour])
    return replace(piece, look=look, sprite=look.sprite(*piece.asked))


def _restyled(studio: _Studio) -> tuple[str, Pixels]:
    """A picture as if drawn by the hand of another."""
    chance = studio.chance
    first, second = chance.sample(list(TECHNIQUES), 2)
    mood = chance.choice(list(MOODS)) if second != "night" else ""
    place = chance.choice(PLACES)
    items = studio.items(place, chance.randint(1, 3))
    plan = studio.plan(place, [item.wanted for item in items], first)
    studio.show(drawn(plan).pixels)
    words = tuple(item.kind.word for item in items)
    names = []
    for _ in range(chance.choice((1, 1, 2))):
        elsewhere = chance.choice([name for name in PLACES if name != place])
        others = studio.items(elsewhere, chance.randint(1, 3), but=words)
        cast = [item.wanted for item in others]
        names.append(studio.show(drawn(studio.plan(elsewhere, cast, mood + second)).pixels))
    golden = drawn(replace(plan, style=mood + second)).pixels
    return studio.told("style/appearance", items=asking.listed(names)), golden


_MAKERS: Mapping[str, Callable[[_Studio], tuple[str, Pixels]]] = {
    "element replacement": _replacement, "element addition": _addition,
    "spatial/environment": _environment, "attribute transfer": _transfer,
    "style/appearance": _restyled,
}  # fmt: skip
CATEGORIES = tuple(_MAKERS)
