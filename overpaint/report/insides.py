"""What is inside a sample's results, for the page: their layers and the agents' trajectories."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from overpaint.core import Sample
from overpaint.document import Document
from overpaint.report.boxes import ROOM, Shown, packed
from overpaint.report.deck import Deck
from overpaint.report.layers import Stack, compared, kept_stack, stack_of
from overpaint.report.pictures import KEPT, Shelf
from overpaint.report.trajectory import shown
from overpaint.report.wording import plain
from overpaint.store import Store, picture_path
from overpaint.work import Backend, Here, Processes, Progress, Task, silent

_WORTH_WORKERS = 40  # documents; below that, starting processes takes longer than the work
_MOST_TOLD = 500  # layers of a sample's facts that are looked at

Stacks = Mapping[int, Stack]  # by the number of a picture among its sample's


def inside_at(store: Store, deck: Deck, shelf: Shelf, place: int, folder: Path) -> Shown | None:
    """The layers and trajectories of one sample; the layers' pictures lie below `folder`."""
    card = deck.body["samples"][place]
    if "inside" not in card:
        return None
    stacks = _drawn((place, _layered(deck, place)), folder)
    for stack in stacks.values():
        for layer in stack.get("layers", ()):
            if layer["picture"]:
                shelf.name(Document(picture_path(folder, layer["picture"])))
    return _told(store, deck, card, shelf, stacks)


def packed_insides(
    store: Store, deck: Deck, shelf: Shelf, drawn: Mapping[int, Stacks]
) -> list[str]:
    """The same for every sample as the page carries it, as far as there is room."""
    cards = deck.body["samples"]
    left, lines = ROOM, []
    for place, card in enumerate(cards):
        found = _told(store, deck, card, shelf, drawn.get(place, {})) if "inside" in card else None
        line = packed(found)
        left -= len(line)
        lines.append(line if left >= 0 else "")
    return lines


# ── layers ──────────────────────────────────────────────────────────────────────────────────


def drawn_layers(
    deck: Deck, folder: Path, *, workers: int | None = None, progress: Progress = silent
) -> dict[int, Stacks]:
    """The stacks of every sample that has some, by its place; their pictures below `folder`."""
    made: dict[int, Stacks] = {}
    todo = {}
    for place in range(len(deck.strips)):
        if (kept := _kept(deck, place, folder)) is not None:
            made[place] = kept
        else:
            todo[place] = _layered(deck, place)
    tasks = (Task((place, found), (folder,)) for place, found in todo.items())
    many = sum(map(len, todo.values()))
    for done, outcome in enumerate(_backend(many, workers).perform(tasks), 1):
        place, found = outcome.subject
        lost = {number: {"error": plain(str(outcome.error))} for number, _ in found}
        made[place] = outcome.result if outcome.error is None else lost
        progress("layers", done, len(todo))
    return made


def _kept(deck: Deck, place: int, folder: Path) -> Stacks | None:
    """The stacks of a sample, if all were drawn for an earlier report."""
    names, kept = deck.body["samples"][place]["pictures"], {}
    for number, _ in _layered(deck, place):
        if (stack := kept_stack(names[number][:64], folder)) is None:
            return None
        kept[number] = stack
    return kept


def drawn_strips(deck: Deck, folder: Path) -> list[list[Path]]:
    """The pictures that need a thumbnail; of layers, the one that was drawn of them all."""
    strips = [list(strip) for strip in deck.strips]
    for card, strip in zip(deck.body["samples"], strips, strict=True):
        for number in card.get("inside", {}).get("layered", ()):
            path = picture_path(folder, card["pictures"][number])
            strip[number] = path if path.exists() else strip[number]
    return strips


def _backend(documents: int, workers: int | None) -> Backend:
    if workers is None:
        workers = min(os.cpu_count() or 1, 8) if documents > _WORTH_WORKERS else 0
    return Processes(_drawn, workers, deadline=300) if workers else Here(_drawn)


def _layered(deck: Deck, place: int) -> tuple[tuple[int, Path], ...]:
    card, strip = deck.body["samples"][place], deck.strips[place]
    return tuple((number, strip[number]) for number in card.get("inside", {}).get("layered", ()))


def _drawn(subject: tuple[int, tuple[tuple[int, Path], ...]], folder: Path) -> dict[int, Stack]:
    """The stacks of a sample's documents; a layer that several share is written once."""
    known: dict[str, str] = {}
    return {number: stack_of(Document(path), folder, known) for number, path in subject[1]}


# ── put together ────────────────────────────────────────────────────────────────────────────


def _told(store: Store, deck: Deck, card: Mapping[str, Any], shelf: Shelf, stacks: Stacks) -> Shown:
    sample = store.sample(card["id"])
    editors = [one["name"] for one in deck.body["editors"]]
    return {"stacks": _marked(sample, card["source"], stacks),
            "traces": dict(_traces(store, sample, editors, shelf))}  # fmt: skip


def _marked(sample: Sample, source: int | None, stacks: Stacks) -> dict[int, Stack]:
    """The stacks with what the sample knows of their layers: class, gold, and what was edited."""
    kinds, gold = _kinds(sample), _gold(sample)
    before = stacks.get(-1 if source is None else source)
    made = {}
    for number, stack in stacks.items():
        stack = stack if before is None or number == source else compared(stack, before)
        told = [
            layer | {"kind": kinds.get(layer["id"], layer["kind"])}
            | ({"gold": layer["id"] in gold} if gold is not None else {})
            for layer in stack.get("layers", ())
        ]  # fmt: skip
        made[number] = stack | {"layers": told} if told else stack
    return made


def _kinds(sample: Sample) -> dict[str, str]:
    listed = sample.facts.get("layers")
    if not isinstance(listed, list | tuple):
        return {}
    return {
        str(one["id"]): plain(str(one["kind"]))
        for one in listed[:_MOST_TOLD]
        if isinstance(one, Mapping) and "id" in one and "kind" in one
    }


def _gold(sample: Sample) -> set[str] | None:
    """The layers that must change, if the sample says so."""
    listed = sample.facts.get("gold")
    return {str(one) for one in listed} if isinstance(listed, list | tuple) else None


def _traces(
    store: Store, sample: Sample, editors: Sequence[str], shelf: Shelf
) -> Iterator[tuple[int, list[Any]]]:
    """By the number of their editor: the steps of each trajectory, with names of their pictures."""
    for number, editor in enumerate(editors):
        edit = store.edit(sample, editor)
        if edit is None or not edit.trace:
            continue
        steps = shown(edit.trace)
        for step in steps:
            kept = bool(KEPT.fullmatch(step["picture"]))
            path = picture_path(store.folder, step["picture"]) if kept else None
            step["picture"] = (shelf.name(Document(path)) if path else None) or ""
        yield number, steps
