"""EBench: its cards, its variants, folders of one's own, and measures beside the source."""

import json
from pathlib import Path

import numpy as np
import pytest

from overpaint import catalog
from overpaint.benchmarks.ebench import MEASURES, ebench, ebench_description, ebench_restored
from overpaint.core import IDENTICAL, Edit, Evidence, Sample
from overpaint.document import Document
from overpaint.errors import UserMistake


def _picture(path: Path, value: int, size: tuple[int, int] = (48, 64)) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(value).integers(0, 255, (*size, 3), np.uint8)
    path.write_bytes(Document.of(pixels).encoded)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b", "c"):
        _picture(tmp_path / f"{name}.png", ord(name))
    return tmp_path


def _listed(folder: Path, *lines: object, name: str = "metadata.jsonl") -> Path:
    told = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / name).write_text("\n".join(told), encoding="utf-8")
    return folder


FULL = {
    "id": "one", "source": "a.png", "target": "b.png", "task": "denoise", "level": 2,
    "instruction": "Clean it.", "source_description": "Noise.", "target_description": "No noise.",
}  # fmt: skip


def test_a_folder_of_one_s_own_gives_its_samples(folder: Path) -> None:
    loaded = ebench.load(_listed(folder, FULL, {"file_name": "c.png", "prompt": "Add a cat."}))
    first, second = loaded.samples
    assert (first.id, first.request.instruction) == ("one", "Clean it.")
    assert first.tags == {"task": "denoise", "group": "low", "level": "2"}
    assert first.facts["target_description"] == "No noise."
    assert first.target is not None
    assert (second.id, second.cluster, second.target) == ("c", "c", None)
    assert [(one.kind, one.where) for one in loaded.repairs] == [
        ("unknown task", "metadata.jsonl, line 2")
    ]


@pytest.mark.parametrize(
    ("text", "task"),
    [("Colour", "color"), ("low-light", "low_light"), ("Weather/Season", "weather_season"),
     ("H_12", "size"), ("l_04", "dehaze"), ("shadow removal", "shadow_removal"), ("juggle", "")],
)  # fmt: skip
def test_tasks_are_known_by_other_spellings_and_by_number(
    folder: Path, text: str, task: str
) -> None:
    (sample,) = ebench.load(_listed(folder, {**FULL, "task": text})).samples
    assert sample.tags.get("task", "") == task


def test_a_csv_is_read_as_well(folder: Path) -> None:
    lines = ("source,task,instruction,target_description", 'a.png,add,"Add a cat, please.",A cat.',
             "", "b.png,remove,,x")  # fmt: skip
    loaded = ebench.load(_listed(folder, *lines, name="tasks.csv"))
    (sample,) = loaded.samples
    assert sample.request.instruction == "Add a cat, please."
    assert [one.did for one in loaded.repairs] == [
        "Left out: it has no instruction. Each entry has source, task and instruction;"
        " both descriptions and a target may be there."
    ]


def test_a_description_driven_editor_is_told_the_target_description(folder: Path) -> None:
    bare = {"source": "c.png", "task": "add", "instruction": "Add a cat."}
    loaded = ebench_description.load(_listed(folder, FULL, bare))
    (sample,) = loaded.samples
    assert sample.request.instruction == "No noise."
    assert sample.facts["instruction"] == "Clean it."
    assert [one.kind for one in loaded.repairs] == ["no description"]


def test_restored_needs_the_truth_and_says_where_there_is_none(folder: Path) -> None:
    bare = {"source": "c.png", "task": "add", "instruction": "Add a cat."}
    loaded = ebench_restored.load(_listed(folder, FULL, bare))
    assert [sample.id for sample in loaded.samples] == ["one"]
    assert [one.kind for one in loaded.repairs] == ["no truth"]
    with pytest.raises(UserMistake, match=r"no edit that ebench@restored can use.*truth is needed"):
        ebench_restored.load(_listed(folder, bare))


def test_a_folder_without_a_list_is_told_what_is_expected(folder: Path) -> None:
    with pytest.raises(UserMistake, match=r"no list of edits. Expected is one of metadata.jsonl"):
        ebench.load(folder)
    with pytest.raises(UserMistake, match="is not there, or is no folder"):
        ebench.load(folder / "nowhere")


@pytest.mark.parametrize(
    ("entry", "did"),
    [
        ({"source": "gone.png"}, "its source 'gone.png' is not there"),
        ({"source": "../outside.png"}, "its source '../outside.png' leads out of the folder"),
        ({"source": "OUT"}, "leads out of the folder"),
        ({"source": "link.png"}, "its source 'link.png' leads out of the folder"),
        ({"source": "a\0.png"}, "is not there"),
        ({"source": "x" * 5000}, "its source is no path"),
        ({"source": 7}, "its source is no path"),
        ({"source": "broken.png"}, "broken.png cannot be decoded"),
        ({"source": "huge.png"}, "pixels"),
        ({"target": "gone.png"}, "its target 'gone.png' is not there"),
        ({"instruction": " \n"}, "it has no instruction"),
        ({"instruction": "x" * 20_000}, "a text of it has 20,000 letters"),
        ("[1, 2]", "it is a list, not an object"),
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        (FULL, "its id 'one' is taken already"),
    ],
)
def test_what_cannot_be_used_is_left_out_with_a_sentence(
    folder: Path, entry: object, did: str
) -> None:
    inside = folder / "set"
    for name in ("a", "b"):
        _picture(inside / f"{name}.png", ord(name))
    _picture(folder / "outside.png", 3)
    (inside / "link.png").symlink_to(folder / "outside.png")
    (inside / "broken.png").write_bytes(b"no picture")
    (inside / "huge.png").write_bytes(_huge())
    if isinstance(entry, dict) and entry is not FULL:
        entry = {**FULL, "id": "two", **entry}
        if entry["source"] == "OUT":
            entry["source"] = str(folder / "outside.png")
    loaded = ebench.load(_listed(inside, FULL, entry))
    assert [sample.id for sample in loaded.samples] == ["one"]
    (repair,) = loaded.repairs
    assert repair.kind == "unreadable"
    assert did in repair.did


def _huge() -> bytes:
    """A PNG that says it has ten thousand million pixels."""
    import struct
    import zlib

    head = b"IHDR" + struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    chunks = ((13, head), (0, b"IDAT"), (0, b"IEND"))
    told = (struct.pack(">I", n) + b + struct.pack(">I", zlib.crc32(b)) for n, b in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(told)


@pytest.mark.parametrize(
    ("name", "data", "wrong"),
    [
        ("samples.json", b"{}", "holds a dict. A list was expected"),
        ("samples.json", b"[", "is no JSON"),
        ("metadata.jsonl", b"\xff\xfe\x00", "cannot be read"),
        ("tasks.csv", b"picture,words\na.png,x\n", "has no column source"),
        ("tasks.csv", b'source\n"' + b"x" * 200_000, "is no CSV"),
    ],
)
def test_a_list_that_is_none_is_refused(folder: Path, name: str, data: bytes, wrong: str) -> None:
    (folder / name).write_bytes(data)
    with pytest.raises(Exception, match=wrong):
        ebench.load(folder)


# ── beside the source ───────────────────────────────────────────────────────────────────


def _edit(folder: Path, output: str) -> Edit:
    (sample,) = ebench.load(_listed(folder, FULL)).samples
    return Edit(sample, "mine", "ok", Document(folder / output))


def test_the_table_holds_outputs_against_the_source_and_restored_against_the_truth(
    folder: Path,
) -> None:
    idle, right = _edit(folder, "a.png"), _edit(folder, "b.png")

    def value(name: str, edit: Edit) -> float | None:
        (score,) = catalog.measure(name).score([edit], Evidence())
        assert score.edit is edit
        assert score.measure == name
        return score.value

    assert (value("mse@source", idle), value("mse", right)) == (0, 0)
    assert value("mse@source", right) == value("mse", idle) != 0
    assert value("ssim@source", idle) == pytest.approx(1)
    (same,) = catalog.measure("psnr@source").score([idle], Evidence())
    assert (same.status, same.reason) == ("not_applicable", IDENTICAL)


def test_a_description_is_what_clip_is_asked_about_and_without_one_it_is_not_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overpaint.vision import clip

    asked = []

    def likeness(evidence: Evidence, text: str, document: Document) -> float:
        asked.append(text)
        return 0.3

    monkeypatch.setattr(clip, "text_likeness", likeness)
    monkeypatch.setattr(clip, "notes", lambda e, *texts: ())
    edit = _edit(folder, "a.png")
    (score,) = catalog.measure("clip_description").score([edit], Evidence())
    assert score.value == pytest.approx(0.75)
    assert asked == ["No noise."]
    bare = Edit(Sample("s", edit.sample.request), "mine", "ok", edit.output)
    (none,) = catalog.measure("clip_description").score([bare], Evidence())
    assert none.status == "not_applicable"


def test_every_column_of_every_variant_is_catalogued_and_ids_differ() -> None:
    names = [name for name in catalog.BENCHMARKS if name.startswith("ebench")]
    assert len({catalog.benchmark(name).card.id for name in names}) == len(names) == 4
    assert {"fsim@source", "brisque", "niqe", "clip_description"} <= {*MEASURES}
    assert "psnr" in ebench_restored.measures
