"""People's votes: which of two edits is better, counted from lines of ratings with `against`.

A spec is `human:FILE.csv[;dimension=NAME];as=votes`. One vote of a run stands for all who compared
the same two edits: its value is the mean of what they said, 1 for the editor, 0 for the other and
½ for neither, and its note how many said which, so that each of them counts where editors' wins
are told.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from overpaint.core import Edit, Evidence, Score, failed
from overpaint.errors import NotApplicable, UserMistake
from overpaint.measures.rated import Rating, fault
from overpaint.store import Store, Vote

Pair = tuple[str, str, str]  # sample, editor, the other
_TOLD = re.compile(r"(\d{1,6}) for it, (\d{1,6}) for neither, (\d{1,6}) for the other")


class Tally(NamedTuple):
    """How many said what of two edits."""

    wins: int
    ties: int
    losses: int

    @property
    def value(self) -> float:
        """The share that prefers the edit, a tie being half."""
        return (self.wins + self.ties / 2) / sum(self)

    @property
    def note(self) -> str:
        """It as a note of a vote, which `tally` reads."""
        return "{} for it, {} for neither, {} for the other".format(*self)


def tally(notes: Sequence[str]) -> Tally | None:
    """How many said what, from a vote's notes; None where it is no vote of people's."""
    match = _TOLD.fullmatch(notes[0]) if notes else None
    found = Tally(*map(int, match.groups())) if match else None
    return found if found and sum(found) else None


def each_vote(votes: Iterable[Vote]) -> Iterator[Vote]:
    """Votes of many people as one for each of them, all others as they are."""
    for vote in votes:
        if (found := tally(vote.notes)) is None:
            yield vote
            continue
        for value, times in zip((1.0, 0.5, 0.0), found, strict=True):
            yield from [vote._replace(value=value)] * times


def counted(path: Path, rows: Sequence[Rating], dimension: str) -> dict[Pair, Tally]:
    """The votes on each pair in a file; nobody votes twice on one, in whatever order it stands."""
    named = dict.fromkeys(row.dimension for row in rows if row.against)
    wanted = dimension or (next(iter(named)) if len(named) == 1 else "")
    if wanted not in named:
        known = ", ".join(name or "none" for name in named)
        raise UserMistake(
            f"{path} has no votes of {dimension or 'no dimension'}.",
            f"Its dimensions: {known}." if named else "Its lines have no editor in `against`.",
            f"human:{path};dimension=NAME" if named else "",
        )
    said: dict[Pair, Counter[float]] = {}
    seen: dict[tuple[str, frozenset[str], str], int] = {}
    for row in rows:
        if not row.against or row.dimension != wanted or row.value is None:
            continue
        who = (row.sample, frozenset((row.editor, row.against)), row.rater)
        if who in seen:
            wrong = f"{row.rater[:40]} has voted on these two on line {seen[who]} already."
            fault(path, row.line, wrong, "A rater votes on two edits once.")
        seen[who] = row.line
        turned = (row.sample, row.against, row.editor) in said
        pair = (row.sample, *((row.against, row.editor) if turned else (row.editor, row.against)))
        said.setdefault(pair, Counter())[1 - row.value if turned else row.value] += 1
    return {pair: Tally(n[1.0], n[0.5], n[0.0]) for pair, n in said.items()}


def vote_score(
    name: str, votes: Mapping[Pair, Tally], edits: Sequence[Edit], evidence: Evidence
) -> Iterable[Score]:
    """The vote on the first edit, held against the second."""
    if len(edits) != 2:
        raise UserMistake(
            f"{name} holds an edit against another and got {len(edits)}.", "",
            "Add it to a run: overpaint score RUN --pairwise human:FILE.csv",
        )  # fmt: skip
    edit, other = edits
    here, there = (votes.get((edit.sample.id, *who)) for who in (
        (edit.editor, other.editor), (other.editor, edit.editor)
    ))  # fmt: skip
    found = here or (there and Tally(*reversed(there)))
    if found is None:
        yield failed(edit, name, NotApplicable("Nobody compared these two."))
    else:
        yield Score(edit, name, found.value, notes=(found.note,), against=other.editor)


def file_votes(store: Store, name: str, votes: Mapping[Pair, Tally]) -> tuple[int, int]:
    """Write the votes on a run's edits under that name; how many, and how many are of others.

    A pair stands in the order in which the run has its editors, as judges' votes do.
    """
    place = {editor: at for at, editor in enumerate(store.editors)}
    samples = {sample.id: sample for sample in store.samples()}
    scores, elsewhere = [], 0
    for (sample, editor, against), found in sorted(votes.items()):
        if sample not in samples or not {editor, against} <= place.keys():
            elsewhere += 1
            continue
        if place[editor] > place[against]:
            editor, against, found = against, editor, Tally(*reversed(found))
        edit = store.edit(samples[sample], editor)
        if edit is None or store.edit(samples[sample], against) is None:
            elsewhere += 1
            continue
        scores.append(Score(edit, name, found.value, notes=(found.note,), against=against))
    store.put_scores(scores, {})
    return len(scores), elsewhere
