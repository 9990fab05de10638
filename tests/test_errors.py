"""What is wrong with JSON from outside is told in words of ours, wherever it is read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from overpaint.benchmarks import ebench_files, milde_files, vde_files
from overpaint.document import crello, plan
from overpaint.document.codec import parse_json
from overpaint.editors.workflows import read_workflow
from overpaint.engines.vde import records
from overpaint.errors import OverpaintError
from overpaint.models.prices import prices
from overpaint.rating.study import load_study
from overpaint.store.unpacking import parsed

FAULTS = {
    "nested": (b"[" * 100_000, "it is nested too deep"),
    "a long number": (b'[{"id": 1' + b"0" * 5_000 + b"}]", "a number in it is too long"),
    "broken": (b'{"id": 1 "title"', "Expecting ',' delimiter: line 1 column 10 (char 9)"),
}
OF_BYTES: list[Callable[[bytes], object]] = [
    lambda data: parsed(data, "bundle.json"),
    lambda data: parse_json(data, "overpaint.json"),
    lambda data: load_study(data.decode()),
    lambda data: plan.loads(data.decode()),
]
OF_FILES: list[Callable[[Path], object]] = [
    crello.read, milde_files.read_json, prices, read_workflow, records.read_json,
    vde_files.read_json, lambda file: ebench_files.read_entries(file.parent, []),
]  # fmt: skip


@pytest.mark.parametrize(("data", "told"), FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("read", [*OF_BYTES, *OF_FILES])
def test_json_that_is_not_read_is_told_without_pythons_inside(
    tmp_path: Path, read: Callable[..., object], data: bytes, told: str
) -> None:
    file = tmp_path / "samples.json"
    file.write_bytes(data)
    with pytest.raises(OverpaintError) as refused:
        read(file if read in OF_FILES else data)
    assert told in str(refused.value)
