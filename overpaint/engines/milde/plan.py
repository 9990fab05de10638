"""A plan: which layers a design has, before anything has a place."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from overpaint.engines.milde.content import BADGE, ROLES, Content, themes
from overpaint.engines.milde.figures import PARTIAL, PLATES
from overpaint.engines.milde.grounds import PLAIN, SCENES
from overpaint.engines.milde.palette import Palette, draw_palette

# How many leaf layers, and how often in a hundred; 4.5 on average, as MiLDE's documents have.
COUNTS = {2: 10, 3: 28, 4: 29, 5: 15, 6: 7, 7: 5, 8: 2, 9: 2, 10: 1, 12: 1}
FORMATS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "poster": ((720, 1000), (700, 960), (760, 1040)),
    "flyer": ((640, 900), (680, 880), (620, 860)),
    "card": ((900, 640), (860, 600), (800, 800)),
    "slide": ((1024, 576), (1066, 600), (960, 600)),
    "invitation": ((760, 760), (700, 840)),
    "banner": ((1100, 620), (1080, 600)),
}
EXTRA = ("pattern", "bunting", "corners", "frame", "band", "second", "seal", "ribbon", "rule")
_OPTIONAL = ("subtitle", "date", "place", "price", "cta", "contact", "organiser", "deadline")
# Pairs of families and weights for titles and for the rest.
FACES: Mapping[str, tuple[tuple[str, int, str, int], ...]] = {
    "English": (
        ("Montserrat", 800, "Montserrat", 500), ("Anton", 400, "Roboto", 400),
        ("Playfair Display", 700, "Lora", 400), ("Poppins", 700, "Poppins", 400),
        ("Abril Fatface", 400, "Source Sans 3", 400), ("Oswald", 600, "Open Sans", 400),
        ("Lobster", 400, "Nunito", 500), ("DM Serif Display", 400, "DM Sans", 400),
        ("Bitter", 800, "Inter", 400), ("Raleway", 800, "Raleway", 500),
        ("Rubik", 700, "Rubik", 400), ("Roboto Slab", 700, "Roboto", 400),
    ),
    "Chinese": (
        ("Noto Sans SC", 700, "Noto Sans SC", 400), ("Noto Serif SC", 700, "Noto Serif SC", 400),
        ("Noto Serif SC", 700, "Noto Sans SC", 400), ("Noto Sans SC", 700, "Noto Serif SC", 400),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Needs:
    """What a kind of edit needs a design to have, and must not have."""

    roles: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    never: tuple[str, ...] = ()  # roles and figures
    sells: bool | None = None  # whether the event sells goods; None: either
    pale: bool = False  # a light ground and letters of one dark colour
    plain: bool = False  # a ground that shows nothing
    apart: bool = False  # a title in a layer of its own
    solid: bool = False  # an illustration that has one colour
    least: int = 2  # layers


@dataclass(frozen=True)
class Plan:
    """Everything that is drawn by chance about a design, apart from places."""

    content: Content
    format: str
    size: tuple[int, int]
    palette: Palette
    faces: tuple[str, int, str, int]
    groups: tuple[tuple[str, ...], ...]  # roles of each text layer, from top to bottom
    figures: tuple[str, ...]  # besides the texts, bottom first, the ground among them
    ground: str
    motif: str
    second: str
    plate: str
    themed: bool  # whether the pattern is made of the topic's motif
    live: bool  # whether texts are live
    grain: int
    helpful: float  # the share of names that say something

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role that stands in the design."""
        return tuple(role for group in self.groups for role in group)


def draw_plan(chance: Random, content: Content, needs: Needs) -> Plan:
    """A plan that has what is needed."""
    count = max(needs.least, chance.choices(tuple(COUNTS), tuple(COUNTS.values()))[0])
    figures = _figures(chance, count, needs)
    texts = max(2 if needs.apart else 1, count - len(figures) - ("seal" in figures))
    groups = _groups(chance, texts, needs)
    if "seal" in figures:
        groups = (*groups, (BADGE,))
    palette = _palette(chance, needs)
    kind = chance.choice(("poster", "poster", "flyer", "card", "slide", "invitation", "banner"))
    scene = not needs.plain and chance.random() < 0.22
    plates = PLATES[1:] if palette.deep else PLATES
    return Plan(
        content=content, format=kind, size=chance.choice(FORMATS[kind]), palette=palette,
        faces=chance.choice(FACES[content.language]), groups=groups, figures=figures,
        ground=chance.choice(SCENES if scene else PLAIN),
        motif=_motif(chance, content, needs),
        second=_second(chance, content), plate=chance.choice(plates),
        themed=chance.random() < 0.6, live=chance.random() < 0.5,
        grain=chance.randrange(1 << 30), helpful=chance.choice((0.15, 0.5, 0.9)),
    )  # fmt: skip


def _figures(chance: Random, count: int, needs: Needs) -> tuple[str, ...]:
    """The ground, the motif where there is room, and what decorates; bottom first."""
    wanted = {"ground", *needs.figures}
    if count >= 3 and "motif" not in needs.never:
        wanted.add("motif")
    pool = [one for one in EXTRA if one not in needs.never and one not in wanted]
    chance.shuffle(pool)
    room = count - len(wanted) - max(2 if count > 3 else 1, len(needs.roles) // 2)
    for one in pool[: max(0, chance.randint(0, max(0, room)))]:
        if one == "seal" and len(wanted) + 2 > count - 1:
            continue
        if one not in ("second", "seal") or "motif" in wanted:
            wanted.add(one)
    if "ribbon" in wanted or "band" in wanted:
        wanted.discard("rule")  # which would stand in the ribbon's place
    if "band" in wanted:
        wanted.discard("ribbon")
    order = ("ground", "corners", "pattern", "bunting", "frame", "band", "ribbon", "rule",
             "motif", "second", "seal")  # fmt: skip
    if "pattern" in wanted and "bunting" in wanted:
        wanted.discard("bunting" if "pattern" in needs.figures else "pattern")
    return tuple(one for one in order if one in wanted)


def _groups(chance: Random, texts: int, needs: Needs) -> tuple[tuple[str, ...], ...]:
    """The roles of each text layer; the title stands first in its own."""
    roles = {"title", *needs.roles}
    pool = [r for r in _OPTIONAL if r not in roles and r not in needs.never]
    chance.shuffle(pool)
    aim = max(texts, chance.randint(2, 4), len(roles))
    roles |= set(pool[: max(0, aim - len(roles))])
    if texts == 1:
        return (("title", *(r for r in ROLES if r in roles and r != "title")),)
    rest = [r for r in ROLES if r in roles and r != "title"]
    cuts = sorted(chance.sample(range(1, len(rest)), min(texts - 2, len(rest) - 1)))
    groups = [tuple(rest[a:b]) for a, b in zip([0, *cuts], [*cuts, len(rest)], strict=True)]
    first = 1 if groups[0] == ("organiser",) else 0
    groups.insert(first, ("title",))
    return tuple(group for group in groups if group)


def _palette(chance: Random, needs: Needs) -> Palette:
    while True:
        found = draw_palette(chance)
        if not needs.pale or (not found.deep and found.ink == found.body):
            return found


def _motif(chance: Random, content: Content, needs: Needs) -> str:
    """What shows the topic; most often what it is known by."""
    topic = content.topic
    pool = [topic.motif, topic.motif, *topic.others]
    return chance.choice([m for m in pool if not needs.solid or m not in PARTIAL])


def _second(chance: Random, content: Content) -> str:
    family = themes(content.split)["families"][content.family]["English"]["topics"]
    shown = {m for one in family for m in (one["motif"], *one.get("others", ()))}
    return str(chance.choice([m for m in themes(content.split)["extras"] if m not in shown]))


def plate_colour(palette: Palette) -> str:
    """The name of the colour behind the motif: pale, and unlike the ground."""
    if palette.deep:
        return "cream" if palette.ground != "cream" else "sky"
    pairs = {"white": "sky", "cream": "mint", "sky": "cream", "mint": "lemon", "blush": "cream",
             "lemon": "sky", "lavender": "lemon", "grey": "lemon"}  # fmt: skip
    return pairs[palette.ground]
