"""Shards: every so-many-th sample of a benchmark, for machines that share nothing."""

import re
from collections.abc import Sequence

from overpaint.core import Sample
from overpaint.errors import UserMistake
from overpaint.store import Store


def shard_of(text: str | None) -> tuple[int, int]:
    """What 3/16 means: begin with the third, and take every sixteenth; all where it is None."""
    if text is None:
        return 1, 1
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text.strip())
    number, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= of:
        raise UserMistake(
            f"{text!r} is no shard.",
            "It is the number of the part, counted from 1, and the number of parts.",
            "--shard 3/16 is the third of sixteen.",
        )
    return number, of


def in_shard(samples: Sequence[Sample], shard: str | None) -> tuple[range, list[Sample]]:
    """The samples of a shard, and their places in the benchmark, counted from 1."""
    number, of = shard_of(shard)
    if shard is not None and number > len(samples):
        raise UserMistake(
            f"Shard {shard} would be empty: there are {len(samples)} samples.",
            "Each shard needs a sample at least.",
            f"Take no more than {len(samples)} parts.",
        )
    return range(number, len(samples) + 1, of), list(samples[number - 1 :: of])


def note_shard(store: Store, shard: str | None, whole: int) -> None:
    """Record which parts of a benchmark the run has, until it has them all."""
    known = store.info
    whole = max(whole, known.get("whole") or 0)
    shards = list(known.get("shards") or ())
    if shard is not None and shard.strip() not in shards:
        shards.append(shard.strip())
    complete = store.size() >= whole
    store.note(shards=None if complete else shards, whole=None if complete else whole)


def told_of_shards(store: Store) -> str:
    """A line that says a run is only a part of its benchmark; nothing where it is not."""
    known = store.info
    if not (shards := known.get("shards")):
        return ""
    name = "shard" if len(shards) == 1 else "shards"
    return (
        f"This is {name} {', '.join(shards)}: {store.size():,} of {known['whole']:,} samples."
        " `overpaint merge` puts shards together."
    )
