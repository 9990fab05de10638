"""How fast the text measures and the tree edit distance are beside what one would write or call.

One process, one thread. Contestants take turns, round after round; what counts is the median of
the processor time they used. Each runs once before the clock starts, so numba's compiling on its
first call is left out. Every contestant must give the same numbers, or the bench fails.

The page has 500 blocks, from a heading of 20 characters to a column of 500, half of them English
and half Chinese; in each, one character of thirty is wrong, so that no pair is equal. The table
has 25 rows of 12 cells, some spanning columns or rows, forty of them edited, and one row moved.
The last line is one JSON object.
"""

import json
import math
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from apted import APTED, Config
from rapidfuzz.distance import Levenshtein

from overpaint.measures import text, trees

BLOCKS, ROWS, COLUMNS = 500, 25, 12
ROUNDS = 5
LETTERS = "etaoinshrdlucmfwypvbgkjqxz"


# ── what is measured ────────────────────────────────────────────────────────────────────


def page(seed: int) -> tuple[list[str], list[str]]:
    """The blocks as read and as they are."""
    rng = random.Random(seed)
    words = ["".join(rng.choices(LETTERS, k=rng.randint(2, 10))) for _ in range(3000)]
    true = []
    for block in range(BLOCKS):
        size = round(math.exp(rng.uniform(math.log(20), math.log(500))))
        if block % 2:
            letters = (chr(0x4E00 + int(rng.paretovariate(0.5)) % 3000) for _ in range(size))
            true.append("".join("，" if rng.random() < 0.07 else letter for letter in letters))
        else:
            line = " ".join(rng.choices(words, k=size // 7 + 1))
            true.append(line[:size].strip().capitalize() + ".")
    return [damaged(block, rng) for block in true], true


def damaged(block: str, rng: random.Random) -> str:
    letters = list(block)
    for place in rng.sample(range(len(letters)), len(letters) // 30 + 1):
        letters[place] = rng.choice("#~01")
    return "".join(letters)


def tables(seed: int) -> tuple[str, str]:
    """A table as read and as it is."""
    rng = random.Random(seed)
    words = ["net", "income", "total", "12.5", "3,400", "year", "合计", "—", "share", "growth"]
    true = [
        [(" ".join(rng.choices(words, k=rng.randint(1, 4))), span(rng)) for _ in range(COLUMNS)]
        for _ in range(ROWS)
    ]
    found = [list(row) for row in true]
    for _ in range(40):
        row, column = rng.randrange(ROWS), rng.randrange(COLUMNS)
        cell, spans = found[row][column]
        found[row][column] = (damaged(cell, rng), spans)
    found.insert(3, found.pop(17))
    return html(found), html(true)


def span(rng: random.Random) -> str:
    return rng.choice(["", "", "", "", "", "", "", ' colspan="2"', ' rowspan="2"'])


def html(rows: list[list[tuple[str, str]]]) -> str:
    lines = ("".join(f"<td{spans}>{cell}</td>" for cell, spans in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


# ── what one would write or call ────────────────────────────────────────────────────────


def plain_distance(a: Sequence[str], b: Sequence[str]) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b):
            row.append(min(above[j + 1] + 1, row[j] + 1, above[j] + (x != y)))
    return row[-1]


def plain_likeness(a: Sequence[str], b: Sequence[str]) -> float:
    longer = max(len(a), len(b))
    return 1 - plain_distance(a, b) / longer if longer else 1.0


def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + n]) for start in range(len(words) - n + 1))


def plain_bleu(mine: list[str], true: list[str]) -> float:
    logs, orders, halvings, some = 0.0, 0, 1, False
    for n in range(1, 5):
        found = grams(mine, n)
        if not found:
            break
        orders += 1
        matches = sum((found & grams(true, n)).values())
        some = some or matches > 0
        if not matches:
            halvings *= 2
        logs += math.log((matches or 1 / halvings) / sum(found.values()))
    brevity = min(0.0, 1 - len(true) / len(mine)) if mine else 0.0
    return math.exp(brevity + logs / orders) if some else float(not mine and not true)


def plainly(found: list[str], true: list[str]) -> list[tuple[float, float, float]]:
    scores = []
    for a, b in zip(found, true, strict=True):
        mine, theirs = text.tokens(a), text.tokens(b)
        scores.append(
            (plain_likeness(a, b), plain_bleu(mine, theirs), plain_likeness(mine, theirs))
        )
    return scores


class Node:
    """A node as apted wants it."""

    def __init__(self, label: tuple[str, int, int], words: str, children: list["Node"]) -> None:
        self.label, self.words, self.children = label, words, children


class Costs(Config):  # type: ignore[misc]
    """TEDS's costs, the distance of texts by rapidfuzz."""

    def rename(self, a: Node, b: Node) -> float:
        if a.label != b.label:
            return 1.0
        return float(Levenshtein.normalized_distance(a.words, b.words))

    def children(self, node: Node) -> list[Node]:
        return node.children


def nested(tree: trees.Tree) -> Node:
    """The tree from its postorder."""
    done: list[tuple[int, Node]] = []
    for label, words, leaf in zip(tree.labels, tree.texts, tree.leftmost, strict=True):
        children = []
        while done and done[-1][0] >= leaf:
            children.append(done.pop()[1])
        done.append((leaf, Node(label, words, children[::-1])))
    return done[0][1]


def read(table: str) -> trees.Tree:
    found = trees.table(table)
    assert found is not None
    return found


def with_apted(found: str, true: str) -> float:
    """TEDS from the same two texts by the same reading."""
    a, b = read(found), read(true)
    distance = APTED(nested(a), nested(b), Costs()).compute_edit_distance()
    return 1 - float(distance) / (max(len(a.labels), len(b.labels)) - 1)


# ── the clock ───────────────────────────────────────────────────────────────────────────


def race(contestants: dict[str, Callable[[], Any]]) -> dict[str, list[float]]:
    """Milliseconds of every run, the contestants taking turns after one run to warm up."""
    for run in contestants.values():
        run()
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, run in contestants.items():
            for _ in range(5 if times[name] and times[name][0] < 100 else 1):
                start = time.process_time()
                run()
                times[name].append((time.process_time() - start) * 1e3)
    return times


def ratio(times: dict[str, list[float]], name: str) -> float:
    """How many times as long as ours."""
    return round(statistics.median(times[name]) / statistics.median(times["overpaint"]), 1)


def table(title: str, times: dict[str, list[float]]) -> None:
    print(f"\n{title}")
    for name, runs in times.items():
        line = f"  {name:20} {statistics.median(runs):8.1f} ms (quickest {min(runs):.1f})"
        print(f"{line:50} {ratio(times, name):6.1f}×")


# ── the races ───────────────────────────────────────────────────────────────────────────


def bench_page() -> dict[str, float]:
    found, true = page(1)
    own, theirs = text.compare(found, true), plainly(found, true)
    worst = max(
        abs(a - b) for x, y in zip(own, theirs, strict=True) for a, b in zip(x, y, strict=True)
    )
    assert worst < 1e-9, f"the scores differ by {worst}"
    times = race(
        {
            "overpaint": lambda: text.compare(found, true),
            "one pair at a time": lambda: [
                (text.cdm(a, b), text.bleu4(a, b), text.teds_like(a, b))
                for a, b in zip(found, true, strict=True)
            ],
            "plain Python": lambda: plainly(found, true),
        }
    )
    letters = sum(map(len, true))
    table(f"CDM, BLEU-4 and TEDS-like of {BLOCKS} blocks, {letters:,} characters", times)
    means = [statistics.mean(column) for column in zip(*own, strict=True)]
    print(f"  means {', '.join(f'{mean:.4f}' for mean in means)}; they differ by {worst:.0e}")
    return {
        "page_vs_plain_python": ratio(times, "plain Python"),
        "page_ms": round(statistics.median(times["overpaint"]), 2),
    }


def bench_table() -> dict[str, float]:
    found, true = tables(1)
    a, b = read(found), read(true)
    far = abs(text.teds(found, true) - with_apted(found, true))
    assert far < 1e-6, f"TEDS differs by {far}"
    whole = race(
        {
            "overpaint": lambda: text.teds(found, true),
            "apted": lambda: with_apted(found, true),
        }
    )
    table(f"TEDS of two HTML tables of {ROWS * COLUMNS} cells, reading included", whole)
    print(f"  TEDS {text.teds(found, true):.6f}; they differ by {far:.0e}")
    left, right = nested(a), nested(b)
    only = race(
        {
            "overpaint": lambda: trees.distance(a, b),
            "apted": lambda: APTED(left, right, Costs()).compute_edit_distance(),
        }
    )
    table("The distance of the two trees alone", only)
    return {
        "teds_vs_apted": ratio(whole, "apted"),
        "tree_distance_vs_apted": ratio(only, "apted"),
        "teds_ms": round(statistics.median(whole["overpaint"]), 2),
    }


def main() -> None:
    result = {**bench_page(), **bench_table()}
    print()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
