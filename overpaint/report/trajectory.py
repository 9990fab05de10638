"""An agent's trajectory (`Edit.trace`) told step by step, for the page and for a terminal.

A trace is JSON that somebody wrote: steps and keys that are not known are told plainly, and
whatever is too long is cut.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from overpaint.report.numbers import count
from overpaint.report.wording import plain, status

MOST_STEPS, MOST_ITEMS = 300, 200  # of a trace, and of a step
LONGEST = 600  # characters of one text
WRITTEN = 2000  # of a prompt that somebody else is to paint from
_QUOTED = re.compile(r"“([^”]+)”")  # in a sentence on what was left, each wish is quoted
_KNOWN = ("step", "seconds", "picture")

Trace = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Item:
    """One line of a step: what it is about, a word on how it stands, and what was said."""

    text: str
    mark: str = ""  # edit, keep, unreadable, fault, clash, ok, or another status
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """One step of a trajectory, ready to be shown."""

    kind: str
    title: str
    items: tuple[Item, ...] = ()
    mark: str = ""
    picture: str = ""
    seconds: float | None = None
    open: bool = False  # a check that found something, or that not all was done
    rest: Mapping[str, str] = field(default_factory=dict)  # keys that are not known here


def steps(trace: Trace) -> list[Step]:
    """The steps of a trace in order, at most so many."""
    teller = _Teller()
    found = [teller.step(entry) for entry in trace[:MOST_STEPS]]
    if len(trace) > MOST_STEPS:
        more = f"and {count(len(trace) - MOST_STEPS, 'more step')} that are not shown"
        found.append(Step("more", more))
    return found


def told(trace: Trace) -> list[str]:
    """The trajectory as plain lines for a terminal."""
    lines = []
    for number, step in enumerate(steps(trace), 1):
        lines.append(f"{number:>2}. {step.title}{_aside(step)}")
        for item in step.items:
            mark = f"{_MARKS.get(item.mark, item.mark)} " if item.mark else ""
            lines.append(f"    {mark}{item.text}".rstrip())
            lines += [f"      {said}" for said in item.said]
        lines += [f"    {key}: {value}" for key, value in step.rest.items()]
    return lines


def shown(trace: Trace) -> list[dict[str, Any]]:
    """The steps as the page reads them."""
    return [asdict(step) | {"rest": [*step.rest.items()]} for step in steps(trace)]


def reasoners(trace: Trace) -> tuple[str, ...]:
    """Who decided in this trace, each once."""
    named = [_text(entry.get("reasoner", "")) for entry in trace if isinstance(entry, Mapping)]
    return tuple(dict.fromkeys(name for name in named if name))


def carried_out(trace: Trace) -> tuple[int, int]:
    """How many layers were to be edited, and how many of them were."""
    tried = [one for one in trace if isinstance(one, Mapping) and one.get("step") == "edit"]
    return len(tried), sum(one.get("status") in ("ok", None) for one in tried)


_MARKS = {
    "edit": "edit", "keep": "keep", "unreadable": "unreadable:", "fault": "fault:",
    "clash": "clash:",
}  # fmt: skip


def _aside(step: Step) -> str:
    parts = [step.mark if step.mark not in ("", "ok") else ""]
    parts.append("" if step.seconds is None else f"{step.seconds:.1f} s")
    said = ", ".join(part for part in parts if part)
    return f"  ({said})" if said else ""


def not_done(trace: Trace) -> tuple[str, ...]:
    """What was asked for and not done: wishes that led to nothing, and layers as they were."""
    return tuple(wish for one in trace if isinstance(one, Mapping) for wish in _undone(one))


def _undone(entry: Mapping[str, Any]) -> Iterator[str]:
    for line in _list(entry.get("left")) if entry.get("step") == "decide" else ():
        yield from _QUOTED.findall(_text(line)) or [_text(line)]
    if entry.get("step") == "edit" and entry.get("status") not in ("ok", "", None):
        yield _text(entry.get("prompt") or entry.get("layer") or "")


# ── telling ─────────────────────────────────────────────────────────────────────────────────


class _Teller:
    """Tells one entry after the other; it remembers what layers are called and what was decided."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._decided: dict[str, tuple[Any, str]] = {}
        self._undone = 0  # wishes

    def step(self, entry: object) -> Step:
        """One entry of a trace, whatever it is."""
        if not isinstance(entry, Mapping):
            return Step("unknown", _text(entry))
        kind = _text(entry.get("step", ""))
        self._undone += len([*_undone(entry)])
        tell = _TELLERS.get(kind)
        title, items, keys, mark = tell(self, entry) if tell else (kind or "step", [], (), "")
        rest = {_text(key): _text(value) for key, value in entry.items()
                if key not in (*_KNOWN, *keys)}  # fmt: skip
        return Step(kind if tell else "unknown", title, _few(items), mark,
                    _text(entry.get("picture") or ""), _seconds(entry.get("seconds")),
                    kind == "check" and bool(items or self._undone),
                    dict([*rest.items()][:MOST_ITEMS]))  # fmt: skip

    def decide(self, entry: Mapping[str, Any]) -> "_Told":
        made = [one for one in _list(entry.get("decisions")) if isinstance(one, Mapping)]
        items = [self._decision(one) for one in made]
        counts = Counter(item.mark for item in items)
        parts = [f"{counts['edit']} to edit", f"{counts['keep']} to keep"]
        parts += [f"{counts['unreadable']} unreadable"] if counts["unreadable"] else []
        who = _text(entry.get("reasoner", "")) or "The reasoner"
        title = f"{who} decided on {count(len(items), 'layer')}: {', '.join(parts)}"
        items += [Item(_text(one), "left out:") for one in _list(entry.get("left"))]
        return title, items, ("reasoner", "decisions", "left"), ""

    def joint(self, entry: Mapping[str, Any]) -> "_Told":
        clashes = [one for one in _list(entry.get("clashes")) if isinstance(one, Mapping)]
        items = []
        for clash in clashes:
            layers = ", ".join(self._called(one) for one in _list(clash.get("layers")))
            about = f"{_text(clash.get('kind', ''))} {f'({layers})' if layers else ''}".strip()
            said = _said(clash.get("said"), clash.get("did"), *_others(
                clash, "kind", "layers", "said", "did"))  # fmt: skip
            items.append(Item(about, "clash", said))
        items += [item for one in _list(entry.get("decisions"))
                  if isinstance(one, Mapping) and self._is_new(one)
                  for item in [self._decision(one)]]  # fmt: skip
        title = f"Joint pass: {_counted(len(clashes), 'clash', 'clashes')}"
        return title, items, ("clashes", "decisions"), ""

    def edit(self, entry: Mapping[str, Any]) -> "_Told":
        how, who = _text(entry.get("status", "")), _text(entry.get("by", ""))
        layer, by = self._called(entry.get("layer", "")), f" by {who}" if who else ""
        title = f"Edited {layer}{by}" if how in ("ok", "") else f"{layer} was not edited{by}"
        items = [Item(f"→ {_text(entry['prompt'])}")] if entry.get("prompt") else []
        items += [Item(_text(one)) for one in _list(entry.get("did"))]
        items += [Item(_text(entry["reason"]))] if entry.get("reason") else []
        items += [Item(_text(one), "note") for one in _list(entry.get("notes"))]
        keys = ("layer", "prompt", "by", "status", "reason", "did", "notes")
        return title, items, keys, "" if how in ("ok", "") else status(how)

    def check(self, entry: Mapping[str, Any]) -> "_Told":
        items = []
        for fault in _list(entry.get("faults")):
            if not isinstance(fault, Mapping):
                items.append(Item(_text(fault), "fault"))
                continue
            about = " of ".join(
                part
                for part in (_text(fault.get("kind", "")), self._called(fault.get("layer") or ""))
                if part
            )
            said = _said(fault.get("said"), *_others(fault, "kind", "layer", "said"))
            items.append(Item(about, "fault", said))
        when = f"after repair {_text(entry['round'])}" if entry.get("round") else "of the result"
        title = f"Check {when}: {_counted(len(items), 'fault', 'faults')}"
        if self._undone:
            were = "wish was" if self._undone == 1 else "wishes were"
            title += f" in what was done; {self._undone:,} {were} not done"
        items += [Item(_text(one), "note") for one in _list(entry.get("notes"))]
        return title, items, ("round", "faults", "notes"), ""

    def repair(self, entry: Mapping[str, Any]) -> "_Told":
        how, kind = _text(entry.get("status", "")), _text(entry.get("kind", ""))
        number = f" {_text(entry['round'])}" if entry.get("round") else ""
        layer = self._called(entry.get("layer") or "")
        title = f"Repair{number}{f' of {layer}' if layer else ''}"
        title += f": {kind}" if kind else ""
        items = [Item(_text(one)) for one in _list(entry.get("did"))]
        keys = ("round", "layer", "kind", "did", "status")
        return title, items, keys, "" if how in ("ok", "") else status(how)

    def undo(self, entry: Mapping[str, Any]) -> "_Told":
        number = f" {_text(entry['round'])}" if entry.get("round") else ""
        return f"Repair{number} was undone: it did not help", [], ("round",), ""

    def write(self, entry: Mapping[str, Any]) -> "_Told":
        who = _text(entry.get("by", "")) or "A model"
        items = [Item(_text(one), "saw") for one in _list(entry.get("seen"))]
        prompt = _text(entry.get("prompt", ""), WRITTEN)
        items += [Item(f"→ {prompt}")] if prompt else []
        again = [Item(_text(entry["again"]), "asked again:")] if entry.get("again") else []
        title = f"{who} looked at the references and wrote one prompt"
        return title, [*again, *items], ("by", "seen", "prompt", "again"), ""

    def paint(self, entry: Mapping[str, Any]) -> "_Told":
        who = _text(entry.get("by", "")) or "A model"
        items = [Item(_text(one), "note") for one in _list(entry.get("notes"))]
        return f"{who} painted it from the prompt alone", items, ("by", "notes"), ""

    def turn(self, entry: Mapping[str, Any]) -> "_Told":
        which = " of ".join(_text(entry[key]) for key in ("number", "of") if key in entry)
        label = _text(entry.get("label", ""))
        items = [Item(f"→ {_text(entry['prompt'], WRITTEN)}")] if entry.get("prompt") else []
        items += [Item(_text(one), "note") for one in _list(entry.get("notes"))]
        title = ": ".join(filter(None, (f"Turn {which}".strip(), label)))
        return title, items, ("number", "of", "label", "prompt", "notes"), ""

    def _decision(self, one: Mapping[str, Any]) -> Item:
        key, edit = _text(one.get("layer", "")), one.get("edit")
        if name := _text(one.get("name", "")):
            self._names[key] = name
        self._decided[key] = (edit, _text(one.get("prompt", "")))
        mark = "edit" if edit is True else "keep" if edit is False else "unreadable"
        kind = _text(one.get("kind", ""))
        prompt = f"→ {_text(one['prompt'])}" if one.get("prompt") else ""
        more = _others(one, "layer", "name", "kind", "edit", "prompt", "why")
        about = f"{self._called(key)}{f' ({kind})' if kind else ''}"
        return Item(about, mark, _said(prompt, one.get("why"), *more))

    def _is_new(self, one: Mapping[str, Any]) -> bool:
        """Whether a decision is another one than the layer had before."""
        now = (one.get("edit"), _text(one.get("prompt", "")))
        return self._decided.get(_text(one.get("layer", ""))) != now

    def _called(self, layer: object) -> str:
        key = _text(layer)
        return self._names.get(key, key)


_Told = tuple[str, list[Item], tuple[str, ...], str]  # title, items, keys that are told, mark
_TELLERS: Mapping[str, Any] = {
    "decide": _Teller.decide, "joint": _Teller.joint, "edit": _Teller.edit,
    "check": _Teller.check, "repair": _Teller.repair, "undo": _Teller.undo,
    "write": _Teller.write, "paint": _Teller.paint, "turn": _Teller.turn,
}  # fmt: skip


def _text(value: object, longest: int = LONGEST) -> str:
    """Any value on one line, cut where it is long."""
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, default=str)
    short = plain(value[: 4 * longest])
    return short if len(short) <= longest else short[: longest - 1] + "…"


def _list(value: object) -> Sequence[Any]:
    """A list as it is, nothing as none, anything else as the only one."""
    if value is None or value == "":
        return ()
    return value if isinstance(value, list | tuple) else (value,)


def _few(items: Sequence[Item]) -> tuple[Item, ...]:
    if len(items) <= MOST_ITEMS:
        return tuple(items)
    return (*items[:MOST_ITEMS], Item(f"and {len(items) - MOST_ITEMS:,} more"))


def _said(*parts: object) -> tuple[str, ...]:
    return tuple(_text(part) for part in parts if part)


def _others(one: Mapping[str, Any], *known: str) -> Iterator[str]:
    """What else somebody wrote down, plainly."""
    return (f"{_text(key)}: {_text(value)}" for key, value in one.items() if key not in known)


def _seconds(value: object) -> float | None:
    ok = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9
    return round(float(value), 3) if ok and isinstance(value, int | float) else None


def _counted(n: int, one: str, many: str) -> str:
    return f"no {one}" if n == 0 else f"1 {one}" if n == 1 else f"{n:,} {many}"
