"""Judging that is killed in the middle: what was answered is never asked again."""

import sys
from pathlib import Path

import pytest

from overpaint.run import Settings, open_run, run
from overpaint.store import Store
from overpaint.testing import FakeServer

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))  # the bench keeps the account

import judge_data
from judge_killed import BEHAVING, account, killed

CALLS, KILLS, AT_ONCE = 200, 2, 16
RUBRICS = ("textedit_if", "textedit_ta", "textedit_vc", "textedit_lp", "textedit_se")
pytestmark = pytest.mark.slow


def test_a_recorded_reply_is_never_asked_for_again_however_often_judging_is_killed(
    tmp_path: Path,
) -> None:
    samples = CALLS // len(RUBRICS)
    editors = judge_data.make(tmp_path / "data", samples, judge_data.EDITORS[:1])
    folder = run(
        judge_data.BENCHMARK, data=tmp_path / "data", editors=editors, floors=False,
        out=tmp_path / "run", settings=Settings(workers=0),
    ).folder  # fmt: skip
    with FakeServer(BEHAVING) as server:
        specs = [f"judge:{rubric}:{server.url}#fake" for rubric in RUBRICS]
        flying = killed(folder, specs, server, AT_ONCE, kills=KILLS, calls=CALLS)
        found = account(folder, server)
    assert len(flying) == KILLS, "it was done before it could be killed"
    assert all(many <= AT_ONCE for many in flying), "no more than may be in flight"
    assert found.asked_after_recorded == found.unexplained == 0
    assert found.calls == CALLS
    # Whatever the server worked for in vain is on the bill; what a kill met before it was sent too.
    assert found.twice_counted <= found.twice_listed <= found.twice_counted + sum(flying)
    assert sum(one.replies for one in open_run(folder).bill()) == found.recorded
    with Store.open(folder) as store:
        rows = list(store.rows())
    assert len(rows) == CALLS
    assert all(row.value is not None or row.reason for row in rows)
    known = {"ok", "unreadable", "refused", "unreachable", "unavailable"}
    assert {row.status for row in rows} <= known
