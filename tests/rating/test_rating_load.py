"""Many raters at once, over HTTP, with the server killed in the middle; as `bench/rating.py`."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "rating.py"


def bench() -> Any:
    spec = importlib.util.spec_from_file_location("bench_rating", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_rating"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_no_rating_is_lost_or_doubled_when_the_server_is_killed(tmp_path: Path) -> None:
    found = bench().load(tmp_path, raters=20, seconds=8, every=1, kills=1)
    assert found["acknowledged"] > 100
    wrong = ("lost", "unwritten", "doubled", "foreign")
    assert {name: found[name] for name in wrong} == dict.fromkeys(wrong, 0)
    assert found["stored"] >= found["acknowledged"]
    assert found["broken"] > 0, "the server was gone for a while"


def test_a_kill_counts_where_an_answer_was_sent_before_it_and_never_acknowledged() -> None:
    outages = [(10.0, 12.0), (20.0, 22.0), (30.0, 32.0)]
    assert bench()._amid([9.9, 10.5, 11.9, 29.0], outages) == 2  # what came while it was gone: none
    assert bench()._amid([], []) == 0
