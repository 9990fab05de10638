"""Figures: tables filled by chance with a topic's rows, columns and values, in some dress."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from overpaint.engines.documents.job import Job
from overpaint.engines.documents.setting import Align
from overpaint.engines.documents.sheet import Flow
from overpaint.engines.documents.tables import Cell, Dress, Table, lay, without_row
from overpaint.engines.documents.tables import Look as Rules
from overpaint.engines.documents.words import Words
from overpaint.engines.posters.brush import mix

# The shapes of a table, each with the rule it needs of the topic.
FORMS = (("plain", "row"), ("plain", "row"), ("groups", "group"), ("side", "side"))


def table(
    job: Job, flow: Flow, topic: str, rows: int, *, columns: int = 4, dress: Dress | None = None
) -> Table:
    """A table of a topic as wide as the column; it takes fewer rows where room is short."""
    form = job.chance.choice([form for form, rule in FORMS if job.words.has(f"{topic}.{rule}")])
    wear = dress or clothes(job)
    if form == "groups":
        wear, columns = replace(wear, heads=2), min(2, columns)
    if form == "side":
        wear = replace(wear, band="")  # bands would cut through the cells at the side
    make = {"plain": _plain, "groups": _groups, "side": _side}[form]
    picked = _names(job.chance, job.words.all(f"{topic}.row"), rows, mixed=form != "side")
    heads = job.words.all(f"{topic}.column")
    shown = sorted(job.chance.sample(range(len(heads)), min(columns, len(heads))))
    cells: Sequence[Cell] = make(job.words, topic, picked, [heads[n] for n in shown])
    made = lay(cells, flow.left, flow.top, flow.width, dress=wear)
    while form != "side" and made.bottom > flow.bottom and len(made.heights) > 3:
        cells = without_row(cells, len(made.heights) - 1)
        made = lay(cells, flow.left, flow.top, flow.width, dress=wear)
    return made


def _names(chance: Random, names: tuple[str, ...], rows: int, *, mixed: bool) -> list[str]:
    """Some names of rows; unmixed, the first half is from the first half of them all."""
    if mixed:
        return chance.sample(names, min(rows, len(names)))
    middle, half = (len(names) + 1) // 2, (rows + 1) // 2
    return chance.sample(names[:middle], half) + chance.sample(names[middle:], rows - half)


def clothes(job: Job, *, size: int = 0, looks: tuple[Rules, ...] = ()) -> Dress:
    """A dress by chance in the page's colours."""
    look, chance = job.look, job.chance
    chosen = chance.choice(looks or ("ruled", "ruled", "banded", "booktabs", "booktabs", "open"))
    style = job.style(job.words.word("city"), size or look.small)
    numbers: Align = "right" if chance.random() < 0.25 else "centre"
    plain = Dress(chosen, style, rule=look.ink, pad=(9, chance.choice((4, 6, 7))), numbers=numbers)
    if chosen == "banded":
        return _coloured(plain, look.accent, look.paper, chance)
    if chosen == "open":
        return replace(plain, rule=mix(look.grey, look.paper, 0.45), head_ink=look.accent)
    if chosen == "ruled":
        rule = chance.choice((look.ink, look.grey, mix(look.grey, look.paper, 0.4)))
        head = chance.choice(("", mix(look.paper, look.grey, 0.16)))
        return replace(plain, rule=rule, head=head, head_ink=look.ink)
    return replace(plain, head_ink=look.ink)


def _coloured(dress: Dress, accent: str, paper: str, chance: Random) -> Dress:
    return replace(
        dress,
        rule=mix(accent, paper, 0.55),
        head=accent,
        head_ink="#ffffff",
        band=mix(accent, paper, 0.9) if chance.random() < 0.7 else "",
    )


def _value(words: Words, pattern: str, row: int, column: int) -> Cell:
    value = words.grow(pattern.partition("|")[2]).text
    others = (words.grow(pattern.partition("|")[2]).text for _ in range(4))
    return Cell(row, column, value, other=next((o for o in others if o != value), ""))


def _plain(words: Words, topic: str, names: list[str], heads: list[str]) -> list[Cell]:
    cells = [Cell(0, 0, words.settled(f"{topic}.corner"))]
    cells += [Cell(0, n, head.partition("|")[0]) for n, head in enumerate(heads, 1)]
    for row, name in enumerate(names, 1):
        cells.append(Cell(row, 0, name))
        cells += [_value(words, head, row, n) for n, head in enumerate(heads, 1)]
    return cells


def _groups(words: Words, topic: str, names: list[str], heads: list[str]) -> list[Cell]:
    """Two heading rows: the upper one's cells stand over the same columns twice."""
    groups, wide = words.all(f"{topic}.group"), len(heads)
    cells = [Cell(0, 0, words.settled(f"{topic}.corner"), rows=2)]
    cells += [Cell(0, 1 + n * wide, group, columns=wide) for n, group in enumerate(groups)]
    below = [head for _ in groups for head in heads]
    cells += [Cell(1, n, head.partition("|")[0]) for n, head in enumerate(below, 1)]
    for row, name in enumerate(names, 2):
        cells.append(Cell(row, 0, name))
        cells += [_value(words, head, row, n) for n, head in enumerate(below, 1)]
    return cells


def _side(words: Words, topic: str, names: list[str], heads: list[str]) -> list[Cell]:
    """A first column whose cells stand beside several rows."""
    sides, heads = words.all(f"{topic}.side"), heads[:3]
    cells = [Cell(0, 0, words.settled(f"{topic}.corner"), columns=2)]
    cells += [Cell(0, n, head.partition("|")[0]) for n, head in enumerate(heads, 2)]
    half = (len(names) + 1) // 2
    for row, name in enumerate(names, 1):
        if row in (1, half + 1):
            tall = half if row == 1 else len(names) - half
            cells.append(Cell(row, 0, sides[row > half], rows=tall))
        cells.append(Cell(row, 1, name))
        cells += [_value(words, head, row, n) for n, head in enumerate(heads, 2)]
    return cells
