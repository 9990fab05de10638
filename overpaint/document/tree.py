"""Rows of layers: what hangs together, and other rows; a layer that stays is the very same one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from overpaint.document.layers import Group, Layer

Layers = tuple[Layer, ...]


def with_clipped(layers: Sequence[Layer]) -> Iterator[Sequence[Layer]]:
    """Each layer with those above it that are clipped to it, bottom first."""
    at = 0
    while at < len(layers):
        end = at + 1
        while end < len(layers) and layers[end].clip:
            end += 1
        yield layers[at:end]
        at = end


def swapped(layers: Layers, old: Layer, *new: Layer) -> Layers:
    """The layers with others, or none, in one's place, wherever it stands."""
    return _changed(layers, old, lambda row, at: (*row[:at], *new, *row[at + 1 :]))


def added(layers: Layers, beside: Layer, new: Layer) -> Layers:
    """The layers with a new one right above another."""
    return _changed(layers, beside, lambda row, at: (*row[: at + 1], new, *row[at + 1 :]))


def moved(layers: Layers, layer: Layer, to: str) -> Layers:
    """The layers with one at the front or back of its group, or a step forward or backward."""

    def place(row: Layers, at: int) -> Layers:
        rest = row[:at] + row[at + 1 :]
        steps = {"front": len(rest), "back": 0, "forward": at + 1, "backward": max(0, at - 1)}
        return (*rest[: steps[to]], layer, *rest[steps[to] :])

    return _changed(layers, layer, place)


def _changed(layers: Layers, layer: Layer, change: Callable[[Layers, int], Layers]) -> Layers:
    """The layers with the row that a layer stands in changed; the same ones where it is absent."""
    for at, one in enumerate(layers):
        if one is layer:
            return change(layers, at)
        if isinstance(one.content, Group):
            inner = _changed(one.content.layers, layer, change)
            if inner is not one.content.layers:
                return (*layers[:at], replace(one, content=Group(inner)), *layers[at + 1 :])
    return layers
