"""The instructions of the built-in documents are understood, every wording of every edit."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

import pytest

from overpaint.document.instruct import parse
from overpaint.document.ops import Delete, Insert, Merge, Op, ReplaceText
from overpaint.document.where import Where
from overpaint.engines.documents import KINDS, compose, edits
from overpaint.engines.documents.words import rules

Said = Mapping[str, str]


def find_field(said: Said) -> Where:
    return Where(text=said["old"], side="right", of=Where(text=said["anchor"]))


def in_row(said: Said) -> Where:
    return Where(role="cell", text=said["old"], row=said["row"])


EXPECTED: dict[str, Callable[[Said, tuple[str, ...]], Op]] = {
    "replace": lambda s, v: ReplaceText(Where(text=s["old"]), s["new"]),
    "add sentence": lambda s, v: Insert(
        Where(role="paragraph", text=s["anchor"]), s["new"], side="after", what="sentence"
    ),
    "add item": lambda s, v: Insert(Where(text=s["anchor"]), s["new"], side="below", what="line"),
    "add field": lambda s, v: Insert(Where(text=s["anchor"]), s["new"], side="right"),
    "delete sentence": lambda s, v: Delete(Where(text=s["old"])),
    "delete item": lambda s, v: Delete(Where(text=s["old"])),
    "delete field": lambda s, v: Delete(find_field(s)),
    "replace cell": lambda s, v: ReplaceText(in_row(s), s["new"]),
    "fill cell": lambda s, v: Insert(
        Where(role="cell", row=s["row"], column=s["column"]), s["new"], side="inside"
    ),
    "empty cell": lambda s, v: Delete(in_row(s)),
    "remove row": lambda s, v: Delete(Where(role="row", row=s["row"])),
    "add row": lambda s, v: Insert(
        Where(role="row", row=s["anchor"]), side="below", what="row", values=v
    ),
    "remove column": lambda s, v: Delete(Where(role="column", column=s["column"])),
    "add column": lambda s, v: Insert(
        Where(role="column", column=s["anchor"]),
        s["column"],
        side="right",
        what="column",
        values=v,
    ),
    "merge cells": lambda s, v: Merge(
        Where(role="cell", text=s["first"]), Where(role="cell", text=s["second"]), s["new"]
    ),
}


def settled(ops: tuple[Op, ...]) -> tuple[Op, ...]:
    """With "after a label" as "to the right of it", which both are said."""
    return tuple(
        replace(op, where=replace(op.where, side="right"))
        if isinstance(op, Delete) and op.where.side == "after"
        else op
        for op in ops
    )


def wishes(kind: str, language: str, seed: int) -> list[edits.Wish]:
    """A few edits of every sort that a page offers."""
    chance = Random(f"{kind}/{language}/{seed}")
    page = compose(kind, language, chance)
    found: dict[str, list[edits.Wish]] = {}
    for make in edits._WISHES.values():
        for wish in make(page):
            found.setdefault(wish.wording, []).append(wish)
    return [wish for some in found.values() for wish in chance.sample(some, min(3, len(some)))]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["english", "chinese"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_wording_of_every_edit_of_a_page_is_understood(kind: str, language: str) -> None:
    check(kind, language, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["english", "chinese", "mixed"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_wording_is_understood_on_more_pages(kind: str, language: str) -> None:
    for seed in range(1, 9):
        check(kind, language, seed)


def check(kind: str, language: str, seed: int) -> None:
    """Every wording of a few edits of a page gives the op its wish stands for."""
    tongue = "english" if language == "english" else "chinese"
    for wish in wishes(kind, language, seed):
        said = {key: value for key, value in wish.said.items() if isinstance(value, str)}
        values = wish.said.get("values", ())
        assert isinstance(values, tuple)
        for pattern in rules(f"asked_{tongue}")[wish.wording]:
            slots = {key: edits._listed(value, tongue) for key, value in wish.said.items()}
            instruction = pattern.format(**slots)
            assert settled(parse(instruction)) == (EXPECTED[wish.wording](said, values),), (
                instruction
            )


def test_every_edit_that_can_be_asked_for_has_its_op_here() -> None:
    for tongue in ("english", "chinese"):
        assert set(rules(f"asked_{tongue}")) == set(EXPECTED)
