"""Checks of what is left to see: a page that was emptied unasked, and an edit that nobody sees."""

import re
from collections.abc import Iterator

from overpaint.editors.agent.checking.sight import lies_over
from overpaint.editors.agent.checking.views import Fault, Pair

_TAKES = re.compile(
    r"\b(?:(?:delet|remov|eras|drop|clear|clean|strip|wip|hid|omit|blank|empt|scrap|leav)\w*"
    r"|los(?:e|es|t|ing)|gone|rid|cut|cuts|without|no|not|\w+n['’]t|nothing|none|out|away|only|just)\b"
    r"|[删去除移撤拿掉清空隐藏无没不只光留]",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all|every\w*|any\w*|whole|entire|nothing|none|blank|empty|only|just|clear|bare"
    r"|texts|words|layers|lettering|writing|wording)\b"
    r"|[所全]|一切|任何|清空|空白|都|只|光|文字|字",
    re.IGNORECASE,
)
_AND = re.compile(r"\band\b|\bor\b|[,;&/+，；、和与及并]", re.IGNORECASE)
ALL = "all that stood on the page, or all its text"
_GROUND = 0.9  # of the canvas: what covers more is the ground that the others stand on
_HIDDEN = 0.002  # of what a layer paints: with less to see it is under others


def emptied(pair: Pair) -> frozenset[str]:
    """The layers that go, where with them all that stands on the page goes, or all its text.

    None where the instruction asks for as much: it names that many things, or all of them.
    """
    there = frozenset(pair.before.leaves)
    going = {
        name
        for name in there & pair.wishes.keys()
        if pair.wishes[name].deletes or name not in pair.after.leaves
    }
    covers = {seen.id: seen.covers for seen in pair.scene.layers if seen.kind != "text"}
    things = {name for name in there if covers.get(name, 0.0) <= _GROUND} or there
    texts = there & set(pair.texts)
    gone = going if going >= things else texts if len(texts) > 1 and going >= texts else ()
    return frozenset(gone) if len(gone) > _asked(pair.scene.instruction) else frozenset()


def _asked(instruction: str) -> float:
    """How many things an instruction may want to go, at most."""
    if not _TAKES.search(instruction):
        return 0
    return float("inf") if _ALL.search(instruction) else 1 + len(_AND.findall(instruction))


def shown(pair: Pair) -> Iterator[Fault]:
    """Faults in what is left to see."""
    for name in emptied(pair):
        if name not in pair.after.leaves:
            yield Fault("lost", name, f"It is gone, and with it {ALL}, which nobody asked for.")
    for name in pair.changed:
        if (
            pair.both(name) is not None
            and max(pair.before.seen[name], pair.after.seen[name]) < _HIDDEN
        ):
            above = _cover(pair, name)
            by = f"“{pair.after.layers[above].name}”" if above else "other layers"
            told = f"It lies wholly under {by}: what was changed does not show."
            yield Fault("unseen", name, told, against=above)


def _cover(pair: Pair, name: str) -> str:
    """The one layer that hides another by itself, where there is one."""
    order, leaf = list(pair.after.leaves), pair.after.leaves[name]
    above = order[order.index(name) + 1 :]
    return next((o for o in above if lies_over(pair.after, o, leaf) > 1 - _HIDDEN), "")
