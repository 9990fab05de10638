"""Rated edits become examples; sources are dealt whole; ratings without pictures are refused."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import calibrating_toy as toy
import numpy as np
import pytest
from evaluator_toy import examples

from overpaint import catalog
from overpaint.core import Edit
from overpaint.document import Document
from overpaint.errors import UserMistake
from overpaint.measures.people import published
from overpaint.store import Store
from overpaint.training.rated import by_picture, digest, fewer, read_examples, split, without_test


def test_every_rated_edit_of_a_run_is_an_example(tmp_path: Path) -> None:
    people = toy.people()
    with Store.open(toy.make_run(tmp_path)) as store:
        found, _ = read_examples(store, [people])
    assert {one.key: one.scores["quality"] for one in found} == dict(people.scores)
    assert {one.task for one in found} == set(toy.TASKS)
    assert len({one.cluster for one in found}) == toy.SAMPLES // 2


def test_ratings_of_edits_without_a_picture_are_refused(tmp_path: Path) -> None:
    people = toy.people()
    with Store.open(toy.make_run(tmp_path)) as store:
        first = next(iter(store.edits()))
        store.put_edit(Edit(first.sample, first.editor, "no_output", None, "Nothing came."))
        unknown = published("quality", dict(people.scores) | {("s99", "fine"): 50.0}, "")
        with pytest.raises(UserMistake, match="2 rated edits have no picture in") as error:
            read_examples(store, [unknown])
        rest, told = read_examples(store, [unknown], leave_out=True)
    assert f"{first.sample.id} by {first.editor}" in error.value.wrong
    assert "leave their ratings out" in error.value.todo
    assert len(rest) == len(people.scores) - 1
    every = len(people.scores) + 1
    assert told == [f"2 of {every} rated edits have no picture and are left out."]


def test_a_score_outside_the_scale_is_refused(tmp_path: Path) -> None:
    with Store.open(toy.make_run(tmp_path)) as store:
        wrong = published("quality", {("s00", "fine"): 480.0}, "")
        with pytest.raises(UserMistake, match="quality of s00 by fine is 480"):
            read_examples(store, [wrong])


def test_sources_are_dealt_whole_and_by_task() -> None:
    # As in EBench: 8 of 40 sources of one task, 14 of 70 of another.
    every = list(examples(110, 2))
    every = [replace(one, task="high" if int(one.cluster[1:]) < 40 else "low") for one in every]
    train, test = split(every)
    assert not {one.cluster for one in train} & {one.cluster for one in test}
    held = Counter(task for _, task in {(one.cluster, one.task) for one in test})
    assert held == {"high": 8, "low": 14}
    assert len(train) + len(test) == len(every)
    assert split(every) == (train, test)
    assert split(every, seed=1) != (train, test)


def test_a_published_split_is_kept() -> None:
    every = [replace(one, split="test" if one.cluster == "c03" else "train")
             for one in examples(6, 2)]  # fmt: skip
    _, test = split(every)
    assert {one.cluster for one in test} == {"c03"}
    halves = [replace(one, split="test") for one in every]
    assert len(split(halves)[0]) > 0, "a part that was published alone is dealt as any other"


def test_a_published_test_is_not_learned_from_whatever_else_is_tagged() -> None:
    tags = {"c03": "test", "c04": "val"}
    every = [replace(one, split=tags.get(one.cluster, "train")) for one in examples(8, 2)]
    train, test = split(every)
    assert {one.cluster for one in test} == {"c03"}
    assert {one.split for one in train} == {"train"}
    learned, told = without_test(every)
    assert learned == train
    assert told == ["The 2 edits of the published test are not learned from."]
    plain = [replace(one, split="") for one in every]
    assert without_test(plain) == (plain, [])


def test_one_picture_under_two_names_is_on_one_side_also_of_a_published_split() -> None:
    chance = np.random.default_rng(0)
    pictures = [chance.integers(0, 256, (48, 64, 3), np.uint8) for _ in range(3)]
    pictures.append(pictures[0][:, ::-1])  # the first one mirrored, under another name
    found = [
        replace(one, cluster=f"c{n}", source=Document.of(np.ascontiguousarray(pixels)), split=side)
        for n, (one, pixels, side) in enumerate(
            zip(examples(4)[:4], pictures, ("test", "train", "train", "train"), strict=True)
        )
    ]
    kept, told = by_picture(found)
    assert [one.cluster for one in kept] == ["c0", "c1", "c2", "c0"]
    assert "1 of 4 sources are pictures under a second name" in told[0]
    assert "c3 looks like c0" in told[0]
    train, test = split(kept)
    assert ([one.key for one in train], [one.key for one in test]) == (
        [kept[1].key, kept[2].key], [kept[0].key],
    )  # fmt: skip


def test_what_a_benchmark_has_as_well_is_left_out_and_told() -> None:
    sample = catalog.benchmark("demo").load(None).samples[0]
    mine, other = examples(2)[0], examples(2)[-1]
    known = replace(mine, cluster="known", source=Document.of(sample.request.source.rgb))
    kept, told = by_picture([known, other], ["demo"])
    assert [one.key for one in kept] == [other.key]
    assert told[0].startswith("1 of 2 sources look like ones of demo and are left out")


def test_a_picture_that_cannot_be_seen_is_named(tmp_path: Path) -> None:
    found = examples(3, 1)
    (tmp_path / "broken.png").write_bytes(b"no picture")
    for path in (tmp_path / "broken.png", tmp_path / "gone.png"):
        wrong = [replace(found[0], output=Document(path)), *found[1:]]
        with pytest.raises(UserMistake, match="output of s.. by e0 cannot be seen") as error:
            by_picture(wrong)
        assert "both of its pictures" in error.value.right


def test_pictures_that_were_looked_at_are_not_kept_in_memory(tmp_path: Path) -> None:
    (tmp_path / "one.png").write_bytes(examples(1, 1)[0].source.encoded)
    found = [replace(one, output=Document(tmp_path / "one.png")) for one in examples(3, 1)]
    kept, _ = by_picture(found)
    assert not any("_picture" in vars(one.output) or "rgb" in vars(one.output) for one in kept)


def test_too_few_sources_are_told() -> None:
    with pytest.raises(UserMistake, match="of 4 sources") as error:
        split(examples(4, 5))
    assert "At least 5" in error.value.right


def test_fewer_edits_are_drawn_by_whole_sources() -> None:
    every = examples(10, 4)
    some = fewer(every, 8)
    assert len({one.cluster for one in some}) == 2
    assert fewer(every, 8) == some
    assert len(fewer(every, 1000)) == 40


def test_the_digest_minds_pictures_words_and_scores() -> None:
    every = examples(5, 1)
    known = digest(every)
    assert known == digest(examples(5, 1))
    changed = (
        {"instruction": "Paint it blue."}, {"scores": {"quality": 1.0}},
        {"output": every[1].output}, {"source": every[1].source}, {"cluster": "other"},
    )  # fmt: skip
    for change in changed:
        assert digest([replace(every[0], **change), *every[1:]]) != known  # type: ignore[arg-type]


def test_a_broken_picture_is_refused_or_left_out(tmp_path: Path) -> None:
    every = list(examples(6, 2))
    path = tmp_path / "cut.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    every[3] = replace(every[3], output=Document(path))
    with pytest.raises(UserMistake, match="cannot be seen.*--leave-out-missing"):
        by_picture(every)
    kept, told = by_picture(every, leave_out=True)
    assert len(kept) == len(every) - 1
    assert told[-1] == "1 rated edits have a broken picture and are left out."
