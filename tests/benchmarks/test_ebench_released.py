"""EBench's released lists: four files side by side, and what happens where they do not line up."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overpaint.benchmarks.ebench import ebench, ebench_description
from overpaint.benchmarks.ebench_released import read_opinions, read_rows
from overpaint.document import Document
from overpaint.editors.graded import Released
from overpaint.errors import DataError, NoOutput, UserMistake

ASKS = {
    "v": "Rate the visual quality of it.", "e": "Rate the editing correspondence of it.",
    "c": "Rate the attribute preservation of it.", "yn": "Does it meet the editing expectations?",
}  # fmt: skip
EDITS = [(model, item) for model in ("model00", "model01") for item in ("H_00_04", "L_04_11")]
WORDS = {"H_00_04": "Add [a very large] hat", "L_04_11": "Clear  the air"}
Rows = dict[str, list[Any]]


def _rows() -> Rows:
    """What the four files hold, made here in the released form."""
    made: Rows = {}
    for end, asks in ASKS.items():
        made[end] = [
            {
                "query": f"With the prompt [{WORDS[item]}], the source image <image> is edited to"
                f" <image>. {asks}",
                "response": ("Yes" if place % 2 else "No") if end == "yn"
                else f"The quality score is {40 + place + len(end) / 4:.2f}",
                "images": [
                    f"/somewhere/else/{kind}img_{item[0].lower()}/{model}/{item}.jpg"
                    for kind in ("source", "target")
                ],
            }
            for place, (model, item) in enumerate(EDITS)
        ]  # fmt: skip
    return made


def _write(folder: Path, rows: Rows) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for end, lines in rows.items():
        text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
        (folder / f"test_{end}.json").write_text(text + "\n", encoding="utf-8")
    return folder


def _pictures(folder: Path) -> None:
    for place, (model, item) in enumerate(EDITS):
        for kind in ("source", "target"):
            path = folder / f"{kind}img_{item[0].lower()}" / model / f"{item}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            shade = 10 * place if kind == "target" else 200
            path.write_bytes(Document.of(np.full((8, 8, 3), shade, np.uint8)).encoded)


def test_opinions_come_by_sample_editor_and_dimension_without_any_picture(tmp_path: Path) -> None:
    found = read_opinions(_write(tmp_path, _rows()))
    assert len(found) == 16
    assert ("H_00_04", "model01", "quality", 42.25) in found
    assert ("L_04_11", "model00", "done", 1.0) in found
    assert {one.dimension for one in found} == {"quality", "alignment", "preservation", "done"}


def test_rows_have_task_and_instruction(tmp_path: Path) -> None:
    first, second, *_ = read_rows(_write(tmp_path / "data", _rows()).parent)
    assert (first.task, first.instruction) == ("add", "Add [a very large] hat")
    assert (second.task, second.instruction, second.split) == ("dehaze", "Clear the air", "test")


def test_samples_and_outputs_are_found_by_the_end_of_their_paths(tmp_path: Path) -> None:
    _pictures(_write(tmp_path, _rows()))
    loaded = ebench.load(tmp_path)
    assert [sample.id for sample in loaded.samples] == ["H_00_04", "L_04_11"]
    assert loaded.repairs == ()
    low = loaded.samples[1]
    assert low.tags == {"task": "dehaze", "group": "low", "split": "test"}
    assert Released("model01")(low.request).rgb.mean() == 30
    with pytest.raises(NoOutput, match="model07 has no picture"):
        Released("model07")(low.request)


@pytest.mark.parametrize("name", ["../model00", "a/b", "..", ".", "", "a\nb"])
def test_a_released_editor_s_name_leads_nowhere_else(name: str) -> None:
    with pytest.raises(UserMistake, match="names no editor"):
        Released(name)


def test_missing_pictures_are_told(tmp_path: Path) -> None:
    _pictures(_write(tmp_path, _rows()))
    for model in ("model00", "model01"):
        (tmp_path / "sourceimg_h" / model / "H_00_04.jpg").unlink()
    (tmp_path / "targetimg_l" / "model01" / "L_04_11.jpg").unlink()
    loaded = ebench.load(tmp_path)
    assert [sample.id for sample in loaded.samples] == ["L_04_11"]
    assert [(one.where, one.kind) for one in loaded.repairs] == [
        ("H_00_04", "missing picture"), ("model01", "missing outputs"),
    ]  # fmt: skip
    assert "1 of 2 outputs" in loaded.repairs[1].did


def test_lists_without_pictures_say_what_is_expected_below_them(tmp_path: Path) -> None:
    with pytest.raises(
        UserMistake, match=r"none of the 2 sources.*sourceimg_h/model00/H_00_04.jpg"
    ):
        ebench.load(_write(tmp_path, _rows()))


def test_the_released_lists_have_no_descriptions(tmp_path: Path) -> None:
    _pictures(_write(tmp_path, _rows()))
    with pytest.raises(UserMistake, match="it has no target description"):
        ebench_description.load(tmp_path)


@pytest.mark.parametrize("path", ["../../secret.jpg", "/sourceimg_h/../../x/model00/H_00_04.jpg"])
def test_no_path_leads_out_of_the_folder(tmp_path: Path, path: str) -> None:
    inside = _write(tmp_path / "set", _rows())
    _pictures(inside)
    outside = tmp_path / "x" / "model00" / "H_00_04.jpg"
    outside.parent.mkdir(parents=True)
    outside.write_bytes(Document.of(np.zeros((8, 8, 3), np.uint8)).encoded)
    rows = _rows()
    for lines in rows.values():
        for line in lines:
            if line["images"][0].endswith("H_00_04.jpg"):
                line["images"][0] = path.replace("secret", "model00/H_00_04").replace(
                    "model00/H", line["images"][0].split("/")[-2] + "/H"
                )
    found = ebench.load(_write(inside, rows)).samples
    assert all(one.request.source.path.is_relative_to(inside) for one in found)  # type: ignore[union-attr]
    assert [one.id for one in found] == ["L_04_11"]


def _lose(rows: Rows) -> None:
    rows["c"].pop()


def _swap(rows: Rows) -> None:
    rows["e"][0], rows["e"][1] = rows["e"][1], rows["e"][0]


def _other_prompt(rows: Rows) -> None:
    rows["yn"][2]["query"] = rows["yn"][2]["query"].replace("very", "rather")


def _exchange(rows: Rows) -> None:
    rows["v"], rows["e"] = rows["e"], rows["v"]


def _without(rows: Rows) -> None:
    del rows["c"], rows["yn"]


def _double(rows: Rows) -> None:
    for lines in rows.values():
        lines.append(lines[0])


def _put(end: str, **more: object) -> Callable[[Rows], None]:
    return lambda rows: rows[end][1].update(more)


def _all(**more: object) -> Callable[[Rows], None]:
    def spoil(rows: Rows) -> None:
        for lines in rows.values():
            lines[1].update(more)

    return spoil


def _text(text: str) -> Callable[[Rows], None]:
    return lambda rows: rows["e"].__setitem__(1, text)


AT = "/source/model00/L_04_11.jpg"


@pytest.mark.parametrize(
    ("spoil", "wrong"),
    [
        (_lose, r"do not line up.*test_c.json, line 4: it ends here, and test_v.json goes on"),
        (_swap, r"do not line up.*test_e.json, line 1: its pictures are not those of test_v"),
        (_other_prompt, r"do not line up.*test_yn.json, line 3: its prompt is not that of test_v"),
        (_exchange, r"test_v.json, line 1: it asks for alignment.*this file is of quality"),
        (_without, r"test_c.json, test_yn.json are not beside"),
        (_double, r"line 5: model00 edits H_00_04 twice; the first is test, line 1"),
        (_text("{"), r"test_e.json, line 2: it is no JSON"),
        (_text("[" * 19_000), r"test_e.json, line 2: it is no JSON"),
        (_text("7"), r"test_e.json, line 2: it has no query and response"),
        (_text("x" * 30_000), r"a line of more than 20,000 letters"),
        (_put("e", response="The quality score is nan"), r"'The quality score is nan' has no"),
        (_put("e", response="The quality score is 1e9"), r"line 2: .* has no opinion score"),
        (_put("e", response="The quality score is 999"), r"line 2: .* has no opinion score"),
        (_put("yn", response="Perhaps"), r"test_yn.json, line 2: 'Perhaps' is no answer"),
        (_put("v", images=["a"]), r"test_v.json, line 2: its images are not two paths"),
        (_put("v", images="ab"), r"test_v.json, line 2: its images are not two paths"),
        (_put("v", query="What?"), r"test_v.json, line 2: its query has no prompt"),
        (_all(images=[AT, AT.replace("model00", "model01")]), r"are not of one edit"),
        (_all(images=[AT.replace("L_04", "L_99")] * 2), r"there is no task L_99"),
        (_all(images=["a.jpg", "b.jpg"]), r"name no edit"),
    ],
)
def test_lists_that_are_not_what_they_should_be_are_refused_with_file_and_line(
    tmp_path: Path, spoil: Callable[[Rows], None], wrong: str
) -> None:
    rows = _rows()
    spoil(rows)
    with pytest.raises(DataError, match=wrong):
        read_opinions(_write(tmp_path, rows))


def test_a_folder_without_the_lists_is_told_their_names(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"Expected are test_v.json, test_e.json, test_c.json"):
        read_opinions(tmp_path)


def test_a_huge_list_and_one_in_no_encoding_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, _rows())
    monkeypatch.setattr("overpaint.benchmarks.ebench_released.LARGEST", 100)
    with pytest.raises(DataError, match="more than 100 bytes"):
        read_opinions(tmp_path)
    monkeypatch.undo()
    (tmp_path / "test_e.json").write_bytes(b"\xff\xff")
    with pytest.raises(DataError, match=r"test_e.json cannot be read"):
        read_opinions(tmp_path)
