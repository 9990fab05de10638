"""Full and locked disks, steps and servers that misbehave, clocks that jump, two at once."""

from pathlib import Path

import pytest
from chaos_bed import Skipped
from chaos_trials import SHORT, TRIALS


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_the_run_ends_as_if_nothing_had_happened_after(name: str, tmp_path: Path) -> None:
    try:
        TRIALS[name](tmp_path / "trial")
    except Skipped as why:
        pytest.skip(str(why))
