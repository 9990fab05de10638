"""Places: moving, swapping, turning, sizing, stacking and hiding."""

from dataclasses import replace
from typing import Literal, cast

from overpaint.document.instruct.acts import Told, aim, quoted, without_attrs, words
from overpaint.document.instruct.binding import bound
from overpaint.document.instruct.clauses import Clause
from overpaint.document.instruct.lexing import Token, Tokens
from overpaint.document.instruct.looks import PIXELS_A_POINT, Look, number, sized
from overpaint.document.instruct.phrases import chunks, content, of_page
from overpaint.document.instruct.refusal import refuse
from overpaint.document.instruct.several import targets
from overpaint.document.instruct.spots import spot
from overpaint.document.ops import Hide, Move, Op, Reorder, ReplaceText, Rotate, Swap
from overpaint.document.where import Side, Where

STEP = 40.0  # pixels of "up", where nobody says how far; "a little" is less, "much" is more
FURTHEST = 1e300  # pixels that a number may say and still be one; what no page has is told later
PIXELS = {
    "px": 1.0,
    "pt": PIXELS_A_POINT,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "inch": 96.0,
}  # of a unit
QUARTER = 90.0  # degrees of "clockwise" alone
_FACTORS = {"double": Look(factor=2.0), "halve": Look(factor=0.5)}
WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


# ── move ────────────────────────────────────────────────────────────────────────────────


def move(clause: Clause, told: Told) -> tuple[Op, ...]:
    """Somewhere else: a side of something, a place of the page, or some way off."""
    if len(apart := _each(clause.after)) > 1:
        each = (replace(clause, after=part) for part in apart)
        return tuple(op for one in each for op in move(one, told))
    if len(steps := _steps(clause.after)) > 1:
        return _moved_both(clause, steps, told)
    subject, goal = _parted(clause)
    found = aim(subject, told, kind="move")
    to = spot(chunks(goal), table=told.table)
    if to.side == "inside" and any(t.has("and") for t in goal):
        raise refuse(words(clause.tokens), "move", why="it names two places at once")
    if clause.verb in ("raise", "lower") and any(
        where.role in ("price", "number") for where in found
    ):
        raise refuse(words(clause.tokens), "change", why="the new number is not given")
    if goal and goal[-1].text == "中间" and not to.of:
        return tuple(Move(where, to="centre") for where in found)
    it = told.it if told.it not in found else None
    beside = to.of or it or spot(chunks(subject), table=told.table).of
    if beside == Where(role="line"):
        beside = Where(role="line", text=found[0].text)  # "the middle of the same line"
    if to.side and beside:
        side = cast(Side, "below" if to.side == "end" else to.side)
        return tuple(Move(where, side=side, of=beside) for where in found)
    way = {"raise": "up", "lower": "down"}.get(clause.verb) or _way(clause.tokens, to.side)
    if to.place and not to.unknown:
        return tuple(Move(where, to=to.place) for where in found)
    if way in WAYS and not _lines(clause.tokens):
        by = _far(clause.tokens)
        across, down = WAYS[way]
        return tuple(Move(where, by=(across * by, down * by)) for where in found)
    if to.unknown:
        return tuple(Move(where, side="inside", of=Where(layer=to.unknown)) for where in found)
    raise refuse(words(clause.tokens), "move", why="it does not say where to")


def _each(after: Tokens) -> list[Tokens]:
    """Several things with their goals, apart: "the title to the top and the date to the left"."""
    ways = [n for n, t in enumerate(after) if t.has("dir") or t.of("prep", "to")]
    # Beside a "to", what is "below 'A'" or "at the top" only says which thing is meant.
    ways = ways or [n for n, t in enumerate(after) if t.has("side") or t.of("prep", "in")]
    for n, token in enumerate(after):
        first = next((at for at in ways if at < n), 0)
        second = next((at for at in ways if at > n), 0)
        both = first and second and token.has("and", "comma")
        if both and _goes(after[:first], after[first:n]) and _goes(after[n:second], after[second:]):
            return [after[:n], *_each(after[n + 1 :])]
    return [after]


def _goes(thing: Tokens, goal: Tokens) -> bool:
    """Whether something is named, and a place to go to."""
    named = any(t.has("quote", "role", "page", "layer") or not t.senses for t in thing)
    return named and any(t.has("dir", "side", "place") for t in goal)


def _steps(after: Tokens) -> list[Tokens]:
    """Two moves joined: "20 px right and 10 px down"; the first with what is moved."""
    ways = [n for n, t in enumerate(after) if t.has("dir") and asks(after, n)]
    if len(ways) == 2 and ways[1] == ways[0] + 1:  # "up to the right", each as far
        return [(*after[: ways[1]], *after[ways[1] + 1 :]), after[ways[1] :]]
    for n, token in enumerate(after):
        rest = after[n + 1 :]
        alone = ("dir", "number", "unit", "much", "article", "stop", "filler", "then")
        if (
            token.has("and", "comma", "then")
            and any(t.has("dir") for t in after[:n])
            and any(t.has("dir") for t in rest)
            and all(t.has(*alone) or t.of("prep", "by") for t in rest)
        ):
            return [after[:n], rest]
    return [after]


def _way(tokens: Tokens, side: str) -> str:
    """Up, down, left or right: the direction that says where to, else any, else the side."""
    dirs = [n for n, t in enumerate(tokens) if t.has("dir")]
    found = [n for n in dirs if asks(tokens, n)] or dirs
    return (
        tokens[found[0]].get("dir") if found else {"below": "down", "above": "up"}.get(side, side)
    )


def asks(tokens: Tokens, n: int) -> bool:
    """Whether a direction says where to: "from the left" and "the left title" do not."""
    before = tokens[n - 1] if n else None
    return before is None or not (before.has("article") or before.of("prep", "in", "from"))


def _moved_both(clause: Clause, steps: list[Tokens], told: Told) -> tuple[Op, ...]:
    """To the right and down at once."""
    by = [0.0, 0.0]
    for step in steps:
        way, far = next(t.get("dir") for t in step if t.has("dir")), _far(step)
        by = [old + far * part for old, part in zip(by, WAYS[way], strict=True)]
    bare = tuple(t for t in clause.before + steps[0] if t.has("quote") or not _amount(t))
    return tuple(Move(where, by=(by[0], by[1])) for where in aim(bare, told, kind="move"))


def _amount(token: Token) -> bool:
    return token.has("dir", "much", "unit", "number") or token.of("prep", "by")


def _parted(clause: Clause) -> tuple[Tokens, Tokens]:
    """What is moved, and where to."""
    before, after = clause.before, clause.after
    if any(t.has("quote", "role", "it", "page") for t in before) and not _to(after):
        return tuple(t for t in before if not t.has("dir", "much", "unit", "number")), after
    at = _goal(after)
    if at < 0:
        every = before + after
        return tuple(t for t in every if not t.has("dir", "much", "unit", "number")), ()
    return before + tuple(t for t in after[:at] if not t.has("dir")), after[at:]


def _to(after: Tokens) -> bool:
    return bool(after) and any(t.text.lower() in ("to", "into") for t in after[1:])


def _goal(after: Tokens) -> int:
    """Where the goal begins: at the last "to", else at a side or "in the middle"."""
    ways = [n for n, t in enumerate(after) if t.of("prep", "to") or _says_to(t.text)]
    if ways:
        return ways[-1]
    dirs = [n for n, t in enumerate(after) if t.has("dir") and not t.has("place")]
    if dirs:
        return -1
    sides = [n for n, t in enumerate(after) if t.has("side") and n]
    spots = [
        n for n, t in enumerate(after) if t.of("prep", "in") and n and _place_follows(after, n)
    ]
    return (sides or spots or [-1])[0]


def _says_to(text: str) -> bool:
    return text.lower().startswith("to ")


def _place_follows(after: Tokens, n: int) -> bool:
    return any(t.has("place") for t in after[n + 1 : n + 4])


def _far(tokens: Tokens) -> float:
    for n, token in enumerate(tokens):
        unit = tokens[n + 1].get("unit") if n + 1 < len(tokens) else ""
        value = number(token) if token.has("number") and unit in ("", *PIXELS) else None
        if value or (value is not None and unit):
            return min(abs(value) * PIXELS.get(unit, 1.0), FURTHEST)
    return STEP * next((float(t.get("much")) for t in tokens if t.has("much")), 1.0)


def _lines(tokens: Tokens) -> bool:
    """Whether a distance is in lines or letters, which only the page could tell."""
    return any(
        (t.of("prep", "by") and any(x.has("role") for x in tokens[n + 1 : n + 4]))
        or (n and t.of("role", "line") and tokens[n - 1].text.lower() in ("one", "1", "一"))
        for n, t in enumerate(tokens)
    )


def put(clause: Clause) -> bool:
    """Whether "put" moves something that is there, rather than adding new words."""
    said = tuple(t for t in content(clause.tokens) if not t.has("and"))
    bare = bool(said) and said[0].has("quote")
    return not bare or any(t.has("it") for t in clause.after[:1])


# ── swap ────────────────────────────────────────────────────────────────────────────────


def swap(clause: Clause, told: Told) -> tuple[Op, ...]:
    """Two things in each other's place."""
    tokens = tuple(t for t in clause.tokens if not t.of("attr", "place"))
    ends = [n for n, t in enumerate(tokens) if t.has("quote")]
    if quoted(tokens) and len(quoted(tokens)) != 2:
        raise refuse(words(tokens), "swap", why="it takes two things, both quoted")
    between = range(ends[0], ends[1]) if ends else range(len(tokens))
    at = next((n for n in between if tokens[n].has("and") or tokens[n].of("prep", "with")), -1)
    if ends:
        tokens = (
            tokens[: ends[1] + 1]
            if any(t.has("and", "clash") for t in tokens[ends[1] :])
            else tokens
        )
    pair = list(targets(tokens[:at], table=told.table)) + list(
        targets(tokens[at + 1 :], table=told.table)
    )
    first, second = pair if at >= 0 and len(pair) == 2 else (None, None)
    if first is None or second is None or first == second:
        raise refuse(words(tokens), "swap", why="it takes two things, both quoted or named")
    if first.nth and not first.role and second.role:
        first = replace(first, role=second.role)
    return (Swap(first, second),)


def exchange(clause: Clause, told: Told) -> tuple[Op, ...]:
    """ "swap 'A' for 'B'": the second comes, the first goes."""
    at = next(n for n, t in enumerate(clause.after) if t.of("prep", "for"))
    new = quoted(clause.after[at + 1 :])
    if len(new) != 1:
        raise refuse(words(clause.tokens), "swap", why="the new words are not given")
    return tuple(ReplaceText(where, new[0]) for where in aim(clause.after[:at], told, kind="swap"))


# ── rotate ──────────────────────────────────────────────────────────────────────────────


def rotate(clause: Clause, told: Told) -> tuple[Op, ...]:
    """A turn by so many degrees; clockwise where nobody says."""
    tokens = clause.tokens
    way = next((float(t.get("turn")) for t in tokens if t.has("turn")), 0.0)
    leaning = next((t.get("dir") for t in tokens if t.has("dir")), "")
    way = way or {"left": -1.0, "right": 1.0}.get(leaning, 0.0)
    slanted = next((float(t.get("slant")) for t in tokens if t.has("slant")), None)
    if slanted is not None:
        way = way or {"up": -1.0, "down": 1.0}.get(leaning, 0.0)
    degrees = slanted or next(
        (number(t) for n, t in enumerate(tokens) if t.has("number") and _is_angle(tokens, n)), None
    )
    if degrees is None and not way:
        raise refuse(words(tokens), "rotate", why="it does not say by how many degrees")
    turned = way if abs(way) > 1 else (way or 1.0) * (QUARTER if degrees is None else degrees)
    bare = tuple(
        t
        for t in tokens
        if t.has("quote") or not t.has("turn", "dir", "unit", "number", "much", "slant")
    )
    bare = tuple(t for t in bare if not t.of("prep", "by"))
    return tuple(Rotate(where, turned) for where in aim(bare, told, kind="rotate"))


def _is_angle(tokens: Tokens, n: int) -> bool:
    return (tokens[n + 1].get("unit") if n + 1 < len(tokens) else "") in ("°", "")


# ── scale ───────────────────────────────────────────────────────────────────────────────


def scale(clause: Clause, told: Told, way: int) -> tuple[Op, ...]:
    """Larger or smaller, by a factor or to a size."""
    if len(parts := bound(clause.after)) > 1:
        each = (replace(clause, before=(), after=part) for part in parts)
        return tuple(op for one in each for op in scale(one, told, way))
    tokens = clause.tokens
    wanted = _FACTORS.get(clause.verb) or sized(tokens, way=way, sized_by_verb=True)
    first = chunks(tokens)[0].tokens if chunks(tokens) else ()
    counted = not quoted(first) and any(t.of("role", "number", "price", "time") for t in first)
    compared = any(t.has("vague") or t.of("prep", "as") for t in tokens) or _sized_as(tokens)
    if not wanted.said or compared or (counted and not any(t.of("attr", "size") for t in tokens)):
        raise refuse(words(tokens), "scale", why="it does not say how large")
    drop = ("number", "unit", "much", "factor", "attr", "grow", "points")
    bare = tuple(t for t in without_attrs(tokens) if t.has("quote", "role") or not t.has(*drop))
    bare = _before_amount(bare)
    whole = None if told.it else of_page(bare)
    found = (whole,) if whole is not None else aim(bare, told, kind="scale")
    return tuple(op for where in found for op in wanted.ops(where))


def _sized_as(tokens: Tokens) -> bool:
    """Whether a size is that of something else: "to the size of 'B'"."""
    to = next((n for n, t in enumerate(tokens) if t.of("prep", "to")), len(tokens))
    return any(t.of("attr", "size") for t in tokens[to:]) and bool(quoted(tokens[to:]))


def _before_amount(tokens: Tokens) -> Tokens:
    """Without the "to", "by" and "of its original size" that the amount left behind."""
    held = list(tokens)
    while held and (
        held[-1].has("prep", "it", "filler", "article", "stop") and not held[-1].has("quote")
    ):
        held.pop()
    return tuple(held)


# ── order ───────────────────────────────────────────────────────────────────────────────


def reorder(clause: Clause, told: Told, to: str) -> tuple[Op, ...]:
    """To the front or the back."""
    to = to or next((t.get("front") for t in clause.tokens if t.has("front")), "")
    bare = tuple(t for t in clause.tokens if not t.has("front"))
    if not to:
        raise refuse(words(clause.tokens), "order", why="it does not say where to")
    way = cast(Literal["front", "back", "forward", "backward"], to)
    return tuple(Reorder(where, way) for where in aim(bare, told, kind="order"))


def hide(clause: Clause, told: Told, *, visible: bool) -> tuple[Op, ...]:
    """Out of sight, or back."""
    return tuple(Hide(where, visible) for where in aim(clause.tokens, told, kind="order"))
