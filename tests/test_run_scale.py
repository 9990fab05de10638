"""Large runs: what is missing is found page by page, and the parent's memory stays as it is."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.core import Card, Edit, Loaded, Measure, Request, Sample, Score, each
from overpaint.document import Document
from overpaint.document.pictures import encode_png
from overpaint.errors import StoreError
from overpaint.run import Settings, run
from overpaint.store import Recall, Store, lacking
from overpaint.store.lacking import Asked

EDITORS, MEASURES = ("one", "two"), ("a", "b", "c")
PICTURE = Document(Path("pictures/ab/abc.png"))


# ── what is missing ─────────────────────────────────────────────────────────────────────────


def sample(name: str) -> Sample:
    return Sample(name, Request(PICTURE, "Change it."))


@contextmanager
def paged(names: list[str]) -> Iterator[Store]:
    """A store of these samples whose pages are short, so that a few samples fill several."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(lacking, "PAGE", 3)
        with Store.create(Path(folder)) as store:
            store.add_samples(map(sample, names))
            for editor in EDITORS:
                store.add_editor(editor, editor)
            for measure in MEASURES:
                store.add_measure(measure, measure, "1")
            yield store


names = st.lists(st.text("xyzé", min_size=1, max_size=3), unique=True, max_size=11)
few = settings(max_examples=25, deadline=None)


@few
@given(names, st.data())
def test_missing_edits_are_those_a_list_of_all_would_name(ids: list[str], data: st.DataObject):
    done = data.draw(st.sets(st.sampled_from([*product(ids, EDITORS)]))) if ids else set()
    asked = data.draw(st.permutations(ids))[: data.draw(st.integers(0, 11))]
    with paged(ids) as store:
        for name, editor in sorted(done):
            store.put_edit(Edit(sample(name), editor, "ok", PICTURE))
        naive = [pair for pair in product(asked, EDITORS) if pair not in done]
        found = store.missing_edits(asked, EDITORS)
        assert list(found) == naive
        while_written = []
        for name, editor in found:
            while_written.append((name, editor))
            store.put_edit(Edit(sample(name), editor, "refused", None, "no"))
        assert while_written == naive
        assert list(found) == []


@few
@given(names, st.data())
def test_missing_scores_are_those_a_list_of_all_would_name(ids: list[str], data: st.DataObject):
    edited, scored, voted = {}, set(), set()
    for pair in product(ids, EDITORS):
        if (made := data.draw(st.sampled_from([None, False, True]))) is not None:
            edited[pair] = made
            scored |= {(*pair, one) for one in data.draw(st.sets(st.sampled_from(MEASURES)))}
            voted |= {(*pair, one) for one in data.draw(st.sets(st.sampled_from(MEASURES)))}
    wanted = data.draw(st.lists(st.sampled_from(MEASURES), unique=True))
    with paged(ids) as store:
        edits = {
            (name, editor): Edit(sample(name), editor, "ok", PICTURE if made else None)
            for (name, editor), made in edited.items()
        }
        for edit in edits.values():
            store.put_edit(edit)
        store.put_scores([Score(edits[one[:2]], one[2], 0.5) for one in sorted(scored)], {})
        other = [Score(edits[one[:2]], one[2], 1.0, against="two") for one in sorted(voted)]
        store.put_scores(other, {})  # a vote is no score of the edit alone
        naive = [
            (*pair, made, lacks)
            for pair, made in edited.items()
            if (lacks := [one for one in wanted if (*pair, one) not in scored])
        ]
        found = store.missing_scores(wanted)
        assert list(found) == naive
        while_written = []
        for name, editor, made, lacks in found:
            while_written.append((name, editor, made, lacks))
            store.put_scores([Score(edits[name, editor], one, 0.5) for one in lacks], {})
        assert while_written == naive
        assert list(found) == []
        for name in ids:
            all_of_it = {pair[1:] for pair in scored if pair[0] == name and pair[2] in wanted}
            fresh = {(row[1], one) for row in naive if row[0] == name for one in row[3]}
            assert store.scored(name, wanted) == all_of_it | fresh


def test_rows_that_are_asked_for_anew_are_never_held() -> None:
    times = []

    def ask() -> Iterator[int]:
        times.append(1)
        yield from range(3)

    rows = Asked(ask)
    assert [*rows, *rows] == [0, 1, 2, 0, 1, 2]
    assert len(times) == 2


def test_a_row_of_a_sample_that_is_not_there_is_refused() -> None:
    with paged(["x"]) as store:
        with pytest.raises(StoreError, match=r"edits\.sample"):
            store.put_edit(Edit(sample("never"), "one", "ok", PICTURE))
        with pytest.raises(StoreError, match=r"scores\.sample"):
            store.put_scores([Score(Edit(sample("never"), "one", "ok"), "a", 0.5)], {"k": "1"})
        assert store.counts() == {"edits": 0, "scores": 0}
        assert Recall(store.folder)("k") is None


def test_evidence_is_recalled_over_one_connection_that_keeps_nobody_waiting(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store:
        recall = Recall(tmp_path)
        assert recall("k") is None
        store.put_scores([], {"k": "1"})
        assert recall("k") == "1"
        # A reader that still held its place would keep the log from being emptied.
        assert store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
        recall.close()
        assert recall("k") == "1"


# ── memory ──────────────────────────────────────────────────────────────────────────────────


def _nothing(edit: object, evidence: object) -> float:
    return 0.0


nothing = Measure("nothing", each("nothing", _nothing), True, 0.0, 1.0)


CARD = Card("many", "", "source", "all", "none", "none", "mean", "counted", ())


@dataclass(frozen=True)
class Many:
    """As many samples of one picture as the data folder's name says."""

    measures: tuple[str, ...] = (f"{__file__}:nothing",)
    breakdowns: tuple[str, ...] = ()
    card: Card = CARD

    def load(self, data: Path | None) -> Loaded:
        assert data is not None
        source = Document(data / "source.png")
        request = Request(source, "Change it.")
        return Loaded(tuple(Sample(f"{n:06}", request) for n in range(int(data.name))))


many = Many()


def main(data: Path) -> None:
    """A whole run; prints what the parent held at the first row of it and at the last."""
    held = []

    def progress(label: str, done: int, total: int) -> None:
        if done in (1, total):
            held.append(psutil.Process().memory_info().rss / 2**20)

    run(f"{__file__}:many", data=data, editors=["identity"], floors=False, out=data / "run",
        settings=Settings(workers=2, progress=progress))  # fmt: skip
    print(json.dumps(held))


@pytest.mark.slow
def test_the_parent_holds_no_more_for_ten_thousand_samples_than_for_two(tmp_path: Path) -> None:
    grown, peak = {}, {}
    for size in (2_000, 10_000):
        data = tmp_path / str(size)
        data.mkdir()
        (data / "source.png").write_bytes(encode_png(np.zeros((8, 8, 3), np.uint8)))
        command = [sys.executable, __file__, str(data)]
        held = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        grown[size], peak[size] = held[-1] - held[0], max(held)
    assert grown[10_000] <= grown[2_000] + 2, grown
    # Before its first row a run reads the benchmark, which has all its samples at hand: 1 kB each.
    assert peak[10_000] <= peak[2_000] + 12, peak


if __name__ == "__main__":
    main(Path(sys.argv[1]))
