"""`docs/threats.md`: each line of it names a test that is there, and says what it does not stop."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "threats.md"
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def lines(text: str) -> list[list[str]]:
    """The cells of every line of the table."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows[2:]]


@cache
def named_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text())
    return frozenset(one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))


def wrong(cells: list[str]) -> str:
    """What is wrong with a line; "" if nothing is."""
    if len(cells) != 5 or not all(cells[1:]):
        return "it has not all of its cells"
    named = TEST.fullmatch(cells[4])
    if not named:
        return "it names no test"
    if not (ROOT / named[1]).is_file() or named[2] not in named_in(named[1]):
        return f"there is no {named[0]}"
    return ""


def test_every_line_of_the_threats_names_a_test_that_is_there() -> None:
    found = lines(PAGE.read_text())
    assert len(found) > 40
    assert {why for cells in found if (why := wrong(cells))} == set()
    assert found[0][0], "the first line says what it is about"


def test_every_part_that_faces_strangers_has_lines() -> None:
    parts = {cells[0].strip("*`") for cells in lines(PAGE.read_text())} - {""}
    assert parts >= {
        "Rating page", "view", "command:", "Documents", "Datasets", "Replies", "Weights",
        "A stranger's run", "What is written", "A shared machine", "A cluster", "Supply",
    }  # fmt: skip


def test_no_two_lines_are_the_same_attack() -> None:
    named = [cells[4] for cells in lines(PAGE.read_text())]
    assert len(named) == len(set(named)), "each line has a test of its own"


@pytest.mark.parametrize(
    "line",
    ["| a | b | c | d | `tests/safety/test_threats.py::test_that_is_not_there` |",
     "| a | b | c | d | `tests/nowhere.py::test_x` |", "| a | b | c | d | none |",
     "| a | b | c | `tests/safety/test_threats.py::test_no_two_lines_are_the_same_attack` |",
     "| a | b | c | | `tests/safety/test_threats.py::test_no_two_lines_are_the_same_attack` |"],
)  # fmt: skip
def test_a_line_that_rots_is_noticed(line: str) -> None:
    assert wrong(lines(f"| h |\n|---|\n{line}")[0])
