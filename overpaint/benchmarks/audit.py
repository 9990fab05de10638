"""The benchmark of probes: what `overpaint audit` asks of a measure, as samples like any other.

Its samples are what `overpaint.engines.probes` drew into a run; each names its probe by a tag.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from overpaint.core import Card, Loaded, Sample
from overpaint.engines.probes import BY_NAME, PROBES, VERSION
from overpaint.errors import DataError, StoreError, UserMistake
from overpaint.store.samples import load_sample

LARGEST = 256 * 2**20  # bytes of a list of probes; 24 samples take three megabytes


@dataclass(frozen=True)
class Audit:
    """The probes in a run's folder; which measures meet them is the command's to say."""

    card: Card
    measures: tuple[str, ...] = ()
    breakdowns: tuple[str, ...] = ("probe",)

    def load(self, data: Path | None) -> Loaded:
        """The probes listed in the folder `data`."""
        if data is None:
            raise UserMistake(
                "The benchmark audit has no built-in data.",
                "Its probes are drawn from another benchmark's samples.",
                "`overpaint audit MEASURE` draws and runs them.",
            )
        path = data / PROBES
        return Loaded(tuple(_samples(path)), files=1)


def _samples(path: Path) -> list[Sample]:
    try:
        if path.stat().st_size > LARGEST:
            raise DataError(f"{path} has more than {LARGEST:,} bytes.", _RIGHT, _TODO)
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}.", _RIGHT, _TODO) from error
    found = [_sample(path, at, line) for at, line in enumerate(lines, 1) if line]
    if not found:
        raise DataError(f"{path} lists no probes.", _RIGHT, _TODO)
    return found


def _sample(path: Path, at: int, line: str) -> Sample:
    try:
        sample = load_sample(json.loads(line)["sample"])
        if BY_NAME[sample.tags["probe"]] and sample.tags["base"]:
            return sample
        raise ValueError("its sample has no name")
    except (ValueError, KeyError, TypeError, RecursionError, StoreError) as error:
        raise DataError(f"{path}, line {at} is no probe: {error!r}.", _RIGHT, _TODO) from error


_RIGHT = "A list that `overpaint audit` wrote was expected."
_TODO = "Give the audit another folder with -o, and it draws its probes anew."

audit = Audit(
    Card(
        name="audit",
        data=(
            f"probes drawn from samples with a truth, version {VERSION}: identical, blank, wrong"
            " instruction, shuffled, swapped, re-encoded, resized, graded damage, repeats"
        ),
        reference="the truth of the sample a probe is drawn from",
        region="the measure's own",
        resizing="the measure's own",
        alignment="the measure's own",
        aggregation=(
            "each probe against the truth of the same sample: the share of pairs in which the"
            " truth is scored better, a tie counting half; intervals by bootstrap over sources"
        ),
        failures=(
            "a probe without a score is counted under its status and never takes part in a share"
        ),
        sources=("Overpaint's own probes",),
    )
)
