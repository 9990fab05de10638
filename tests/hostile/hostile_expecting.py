"""What must come of each case: its code and words that stand in its sentence, a line each.

A new case has no line: `hostile_corpus.py --expect` tells one for it, to be read and put into
expected.tsv.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hostile_case import Case

TABLE = Path(__file__).with_name("expected.tsv")
LONGEST = 70  # letters of the words that are kept
# What differs from one machine, or one time, to another.
_OTHERWISE = re.compile(
    r"\S*/tmp/\S*|\S*127\.0\.0\.1\S*|\([\d,. ]+(?:bytes|s)[^)]*\)|\b[0-9a-f]{40,}\S*|Line \d+ of|"
    r"[^.]*\b(?:not on this machine|no font here)\b[^.]*|━\S*|\(asked before[^)]*\)|"
    r"PNG, JPEG[^.]*|Ask whoever[^.]*|\d+/\d+ .* in all"
)
_DONE = re.compile(r"note: .*|repaired: .*?(?= annotated)|[\d.]+ alike|no table|file: no OCR")
_BEFORE = re.compile(
    r".*(?:did not help: |Nothing was changed\. |1 × \w+: |The first: (?:Left out: )?|overpaint: )",
    re.DOTALL,
)


def expected() -> dict[tuple[str, str], tuple[tuple[int, ...], str]]:
    """Codes and words, by kind and name."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        kind, name, codes, says = line.split("\t")
        found[kind, ast.literal_eval(name)] = (tuple(map(int, codes.split(","))), says)
    return found


def pinned(cases: Sequence[Case]) -> list[Case]:
    """The cases with what must come of each."""
    known = expected()
    return [
        case._replace(codes=known[case.kind, case.name][0], says=known[case.kind, case.name][1])
        if (case.kind, case.name) in known else case
        for case in cases
    ]  # fmt: skip


def unknown(cases: Sequence[Case]) -> Iterator[str]:
    """Cases without a line, and lines without a case."""
    known, there = expected(), {(case.kind, case.name) for case in cases}
    for kind, name in sorted(there ^ known.keys()):
        where = "expected.tsv" if (kind, name) in there else "the corpus"
        yield f"crash: {kind}: {name!r} is not in {where}"


def line(case: Case, code: int, said: str) -> str:
    """The line of a case that said this at last."""
    return "\t".join((case.kind, ascii(case.name), str(code), _words(code, said)))


def _words(code: int, said: str) -> str:
    """Some words that are the case's own and the same everywhere."""
    text = said.partition("The exit code is 1")[0] if code == 1 else said
    text = _BEFORE.sub("", text, count=1) if code else " ".join(_DONE.findall(text))
    parts = [part.strip(" ,;:.'\"") for part in _OTHERWISE.split(text)][:3]
    long = max(parts, key=len)
    return long[:LONGEST].rsplit(" ", 1)[0] if len(long) > LONGEST else long
