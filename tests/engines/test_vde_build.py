"""VDE's construction pipeline: pages in, people asked, a set out that is the page elsewhere."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from vde_made import CHINESE, ENGLISH, GOOD

from overpaint import catalog
from overpaint.document import Document
from overpaint.document.pictures import encode_png
from overpaint.engines import documents, vde
from overpaint.engines.released import TYPES
from overpaint.engines.vde import Built, build, pages
from overpaint.engines.vde.records import Place, Settings, Terms
from overpaint.errors import Unavailable, UserMistake
from overpaint.vision.page import Block

HERE = Terms(workers=0)


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> Callable[[Document, str], tuple[Block, ...]]:
    """OCR that knows two pages by their first pixel, and finds one word in any part of them."""

    def blocks_on(document: Document, engine: str) -> tuple[Block, ...]:
        if document.rgb.shape[0] < 200:
            return (Block((1, 2, 9, 8), "word"),)
        return CHINESE if document.rgb[0, 0, 0] == 250 else ENGLISH

    monkeypatch.setattr(pages, "blocks_on", blocks_on)
    return blocks_on


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    """A folder with an English and a Chinese page."""
    for name, shade in (("notes/english.png", 255), ("chinese.png", 250)):
        page = np.full((300, 400, 3), shade, np.uint8)
        page[60:130, 20:380:3] = 40
        file = tmp_path / "scans" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(encode_png(page))
    return tmp_path / "scans"


def edit_all(out: Path, edited: Path) -> None:
    """For every accepted instruction a picture that is darker all over and inverted in one part."""
    edited.mkdir(exist_ok=True)
    place = Place(out)
    for one in place.instructions().values():
        if not one.faults:
            pixels = Document(place.picture("pages", one.page)).rgb // 2
            pixels[100:150, 40:200] = 255 - pixels[100:150, 40:200]
            (edited / f"{one.id}.png").write_bytes(encode_png(pixels))


def tasks_of(out: Path, *, is_open: bool = True) -> list[dict[str, Any]]:
    lines = (out / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    return [task for task in map(json.loads, lines) if task["open"] == is_open]


def answer(task: dict[str, Any], by: str, **values: Any) -> dict[str, Any]:
    base = {"task": task["task"], "picture": task["picture"]["sha256"], "by": by}
    return base | (values or GOOD[task["kind"]])


def say(out: Path, *rows: Any) -> None:
    with open(out / "answers.jsonl", "a", encoding="utf-8") as file:
        for row in rows:
            file.write((row if isinstance(row, str) else json.dumps(row)) + "\n")


def answer_all(out: Path, *, but: str = "") -> None:
    """Three people say yes to all that is asked."""
    for task in tasks_of(out):
        if task["sample"] != but:
            say(out, *(answer(task, who) for who in "abc"[: task["wanted"]]))


@pytest.fixture
def asked(scans: Path, tmp_path: Path) -> Path:
    """A build whose candidates are made: people are asked to rate them."""
    out = tmp_path / "out"
    build([scans], out, terms=HERE)
    edit_all(out, tmp_path / "edited")
    build([], out, editor=f"hand=outputs:{tmp_path / 'edited'}", terms=HERE)
    return out


def go_on(out: Path) -> Built:
    return build([], out, terms=HERE)


# ── the whole way ───────────────────────────────────────────────────────────────────────────


def test_a_build_goes_from_pages_to_a_set_that_loads_again(asked: Path) -> None:
    for kind in ("rate", "box", "look", "text"):
        assert {task["kind"] for task in tasks_of(asked)} == {kind}
        answer_all(asked)
        built = go_on(asked)
    assert not tasks_of(asked)
    assert built.next.startswith("The set is finished")
    loaded = catalog.benchmark("vde").load(asked / "set")
    assert not loaded.repairs
    samples = {sample.id: sample for sample in loaded.samples}
    assert len(samples) == built.report["samples"] == 14
    assert {sample.tags["edit"] for sample in loaded.samples} == set(TYPES)
    assert {sample.tags["document"] for sample in loaded.samples} == {"notes", "document"}
    assert len({sample.cluster for sample in loaded.samples}) == 2  # one a page
    for sample in loaded.samples:
        assert sample.facts["region"] == [40, 100, 200, 150]
        assert [block["block_bbox"] for block in sample.facts["region_blocks"]] == [
            [41, 102, 49, 108]
        ]


def test_the_truth_is_the_page_outside_the_box_bit_for_bit(asked: Path) -> None:
    for _ in range(4):
        answer_all(asked)
        go_on(asked)
    for sample in catalog.benchmark("vde").load(asked / "set").samples:
        assert sample.target is not None
        source, truth = sample.request.source.rgb, sample.target.rgb
        left, top, right, bottom = sample.facts["region"]
        differs = (source != truth).any(axis=2)
        assert differs[top:bottom, left:right].all()
        differs[top:bottom, left:right] = False
        assert not differs.any()


def test_running_again_makes_nothing_twice(asked: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in asked.rglob("*.png")}
    lines = {name: (asked / f"{name}.jsonl").read_text() for name in
             ("pages", "instructions", "candidates", "tasks")}  # fmt: skip
    go_on(asked)
    assert {path: path.stat().st_mtime_ns for path in asked.rglob("*.png")} == before
    for name, text in lines.items():
        assert (asked / f"{name}.jsonl").read_text() == text


def test_a_line_cut_off_by_a_stop_is_made_again(asked: Path) -> None:
    file = asked / "candidates.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    edited = asked.parent / "edited"
    built = build([], asked, editor=f"hand=outputs:{edited}", terms=HERE)
    assert len(Place(asked).candidates()) == 14
    assert built.steps["candidates"].startswith("14 made")


def test_what_the_editor_did_not_make_is_asked_for_again(scans: Path, tmp_path: Path) -> None:
    out, edited = tmp_path / "out", tmp_path / "edited"
    edited.mkdir()
    built = build([scans], out, editor=f"hand=outputs:{edited}", terms=HERE)
    assert built.report["candidates"]["statuses"] == {"no_output": 14}
    assert built.next.startswith("No candidate is left")
    edit_all(out, edited)
    built = build([], out, editor=f"hand=outputs:{edited}", terms=HERE)
    assert built.report["candidates"]["statuses"] == {"ok": 14}


def test_an_editor_that_changes_nothing_gives_people_nothing_to_do(
    scans: Path, tmp_path: Path
) -> None:
    built = build([scans], tmp_path / "out", editor="identity", terms=HERE)
    assert built.report["candidates"]["statuses"] == {"unchanged": 14}
    assert not tasks_of(tmp_path / "out")


def test_a_candidate_of_another_size_is_laid_on_the_page(scans: Path, tmp_path: Path) -> None:
    out, edited = tmp_path / "out", tmp_path / "edited"
    build([scans], out, terms=HERE)
    edit_all(out, edited)
    for file in edited.iterdir():
        Image.open(file).resize((200, 150)).save(file)
    build([], out, editor=f"hand=outputs:{edited}", terms=HERE)
    place = Place(out)
    for one in place.candidates().values():
        assert one.notes == ("resized from 200×150",)
        assert Document(place.picture("candidates", one.id)).rgb.shape == (300, 400, 3)


# ── people ──────────────────────────────────────────────────────────────────────────────────


def first_of(out: Path, kind: str) -> dict[str, Any]:
    return next(task for task in tasks_of(out) if task["kind"] == kind)


def test_only_nines_go_on_and_the_others_keep_their_reason(asked: Path) -> None:
    task = first_of(asked, "rate")
    low = GOOD["rate"] | {"authenticity": 2}
    say(asked, answer(task, "a"), answer(task, "b", **low), answer(task, "c"))
    built = go_on(asked)
    (rejected,) = built.report["people"]["rejected"]
    assert rejected == {
        "id": task["sample"],
        "at": "rate",
        "reason": "rated 9, 8, 9 of 9; the raters are split",
    }
    assert not any(t["sample"] == task["sample"] for t in tasks_of(asked))


def test_boxes_that_disagree_go_back_and_the_largest_of_the_agreeing_is_kept(asked: Path) -> None:
    answer_all(asked)
    go_on(asked)
    task = first_of(asked, "box")
    far = {"box": {"x": 60, "y": 60, "width": 20, "height": 20}}
    say(asked, answer(task, "a"), answer(task, "b"), answer(task, "c", **far))
    built = go_on(asked)
    assert list(built.report["people"]["boxes that disagreed"]) == [task["sample"]]
    again = next(t for t in tasks_of(asked) if t["sample"] == task["sample"])
    assert (again["task"], again["round"], again["answers"]) == (f"{task['task']}:2", 2, 0)
    wider = {"box": {"x": 10, "y": 33, "width": 40.5, "height": 17}}
    say(asked, answer(again, "a"), answer(again, "b"), answer(again, "c", **wider))
    go_on(asked)
    look = next(t for t in tasks_of(asked) if t["sample"] == task["sample"])
    assert look["kind"] == "look"
    assert (look["box"]["x"], look["box"]["width"]) == (10, 40.5)


def test_a_box_beside_the_change_is_no_truth(asked: Path, tmp_path: Path) -> None:
    name = tasks_of(asked)[0]["sample"]
    place = Place(asked)
    page = Document(place.picture("pages", place.instructions()[name].page)).rgb.copy()
    page[0, 0] = 0
    picture = place.picture("candidates", name)
    picture.write_bytes(encode_png(page))
    sha = hashlib.sha256(picture.read_bytes()).hexdigest()
    text = (asked / "candidates.jsonl").read_text()
    old = place.candidates()[name].sha256
    (asked / "candidates.jsonl").write_text(text.replace(old, sha))
    go_on(asked)
    for _ in range(2):
        answer_all(asked)
        built = go_on(asked)
    (rejected,) = built.report["people"]["rejected"]
    assert rejected["reason"] == "nothing differs inside the agreed box"


def test_one_no_at_the_last_look_rejects_and_keeps_the_note(asked: Path) -> None:
    for _ in range(2):
        answer_all(asked)
        go_on(asked)
    task = first_of(asked, "look")
    no = answer(task, "c", keep=False, note="the letters are too thin")
    say(asked, answer(task, "a"), answer(task, "b"), no)
    built = go_on(asked)
    (rejected,) = built.report["people"]["rejected"]
    assert rejected["reason"] == "1 of 3 said no: the letters are too thin"


def test_a_person_corrects_what_was_read(asked: Path) -> None:
    for _ in range(3):
        answer_all(asked)
        go_on(asked)
    task = first_of(asked, "text")
    assert task["region"] == [
        {"block_bbox": [41, 102, 49, 108], "block_content": "word", "block_label": "text"}
    ]
    right = [task["region"][0] | {"block_content": "sword"}]
    say(asked, answer(task, "a", right=False, region=right))
    go_on(asked)
    local = json.loads((asked / "set" / "ocr_local" / f"{task['sample']}.json").read_text())
    assert local == {"parsing_res_list": right}
    (sample,) = catalog.benchmark("vde").load(asked / "set").samples
    assert sample.facts["region_blocks"][0]["block_content"] == "sword"


def test_bad_lines_are_told_by_number_and_the_rest_goes_on(asked: Path) -> None:
    task = first_of(asked, "rate")
    say(
        asked, "{no json", json.dumps([1]), answer(task, "a"), answer(task, "a"),
        {"task": "rate:nobody", "by": "a"}, {"by": "a"}, answer(task, "b"), "[" * 100_000, "",
    )  # fmt: skip
    with open(asked / "answers.jsonl", "ab") as file:
        file.write(b"\xff\xfe\n")
    built = go_on(asked)
    told = [str(problem) for problem in built.problems]
    assert [line.split(":")[0] for line in told] == [
        f"answers.jsonl, line {n}" for n in (1, 2, 4, 5, 6, 8, 10)
    ]
    assert "has answered rate:" in told[2]
    assert "there is no task 'rate:nobody'" in told[3]
    assert "'task' should be a text, not nothing" in told[4]
    again = next(t for t in tasks_of(asked) if t["task"] == task["task"])
    assert again["answers"] == 2


# ── pages ───────────────────────────────────────────────────────────────────────────────────


def test_a_pdf_gives_its_pages_up_to_the_limit(tmp_path: Path) -> None:
    sheets = [Image.new("RGB", (400, 300), (shade, 255, 255)) for shade in (255, 254, 253)]
    sheets[0].save(tmp_path / "a.pdf", save_all=True, append_images=sheets[1:], resolution=72)
    asked = Settings(dpi=72, pdf_pages=2)
    built = build([tmp_path / "a.pdf"], tmp_path / "out", settings=asked, terms=HERE)
    found = list(Place(tmp_path / "out").pages().values())
    assert [(page.number, page.width, page.height) for page in found] == [
        (1, 400, 300),
        (2, 400, 300),
    ]
    assert found[0].notes == ("first 2 of 3 pages",)
    assert built.report["pages"]["read"] == 2


def test_what_is_no_page_is_left_out_with_a_reason(
    scans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scans / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (scans / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (scans / "again.png").write_bytes((scans / "chinese.png").read_bytes())
    Image.new("RGB", (400, 300)).save(scans / "wide.pdf", resolution=72)
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "120000")
    built = build([scans], tmp_path / "out", terms=HERE)
    reasons = {Path(one["file"]).name: one["reason"] for one in built.report["pages"]["left out"]}
    assert "cannot be decoded" in reasons["broken.png"] or "no picture" in reasons["broken.png"]
    assert "cannot be opened as a PDF" in reasons["broken.pdf"]
    assert "would be drawn with 833×625 pixels. The limit is 120,000." in reasons["wide.pdf"]
    assert reasons["chinese.png"] == "the same picture as again.png"
    assert built.report["pages"]["read"] == 2


def test_links_and_names_that_are_none_cost_themselves_alone(scans: Path, tmp_path: Path) -> None:
    (scans / "loop.png").symlink_to("loop.png")
    odd = os.fsdecode(b"odd\xff.png")
    try:
        (scans / odd).write_bytes(b"no picture")
    except OSError:
        pytest.skip("this disk has no such names")
    built = build([scans], tmp_path / "out", terms=HERE)
    left_out = json.loads((tmp_path / "out/report.json").read_text("utf-8"))["pages"]["left out"]
    assert [Path(one["file"]).name for one in left_out] == [odd]
    assert "2 read" in built.steps["pages"]


def test_a_place_that_cannot_be_written_is_a_sentence(scans: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserMistake, match="The build in .* stopped"):
        build([scans], tmp_path / "file", terms=HERE)


def test_pages_nobody_can_read_are_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"no PDF")
    built = build([tmp_path / "bad.pdf"], tmp_path / "out", terms=HERE)
    assert built.next.startswith("No page could be read")


@pytest.mark.parametrize(
    ("file", "line"),
    [("pages", b"\xff\xfe"), ("pages", b'{"id": 5, "file": "x"}'), ("pages", b"[" * 100_000),
     ("pages", b'{"id": "a", "file": "b", "width": "c"}'),
     ("instructions", b'{"id": "i", "page": "gone", "kind": "k", "text": "t"}'),
     ("candidates", b'{"id": "i", "editor": "hand", "status": "ok"}'),
     ("candidates", b'{"id": "i", "editor": "hand", "status": [1]}')],
    ids=range(7),
)  # fmt: skip
def test_a_line_of_a_record_edited_by_hand_is_passed_over(
    asked: Path, file: str, line: bytes
) -> None:
    before = go_on(asked).steps["people"]
    with open(asked / f"{file}.jsonl", "ab") as records:
        records.write(line + b"\n")
    assert go_on(asked).steps["people"] == before


def test_a_page_given_twice_is_not_lost(scans: Path, tmp_path: Path) -> None:
    twin = tmp_path / "more" / "chinese.png"
    twin.parent.mkdir()
    twin.write_bytes((scans / "chinese.png").read_bytes())
    (tmp_path / "more/link.png").symlink_to(scans / "chinese.png")
    built = build([scans, scans / "chinese.png", twin.parent], tmp_path / "out", terms=HERE)
    assert built.steps["pages"].startswith("2 read")
    assert built.steps["pages"].endswith("1 left out")


def test_a_page_whose_reading_was_cut_off_before_it_was_noted_is_read_again(asked: Path) -> None:
    before = go_on(asked).steps["pages"]
    rows = (asked / "pages.jsonl").read_bytes().splitlines(keepends=True)
    (asked / "pages.jsonl").write_bytes(b"".join(rows[:2]))
    assert go_on(asked).steps["pages"] == before


def test_the_build_does_not_read_its_own_folder(scans: Path) -> None:
    out = scans / "out"
    build([scans], out, terms=HERE)
    before = len(Place(out).pages())
    build([scans], out, terms=HERE)
    assert len(Place(out).pages()) == before == 2


def test_a_build_keeps_its_settings(scans: Path, tmp_path: Path) -> None:
    build([scans], tmp_path / "out", terms=HERE)
    with pytest.raises(UserMistake, match="begun with seed = 0, not 1"):
        build([], tmp_path / "out", settings=Settings(seed=1), terms=HERE)
    with pytest.raises(UserMistake, match="holds no build"):
        build([scans], scans, terms=HERE)
    with pytest.raises(UserMistake, match="There is no page in"):
        build([], tmp_path / "empty", terms=HERE)


def test_a_ceiling_cannot_make_candidates(scans: Path, tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="needs a truth to show"):
        build([scans], tmp_path / "out", editor="truth", terms=HERE)


def test_instructions_from_elsewhere_are_taken_and_checked(scans: Path, tmp_path: Path) -> None:
    rows = [
        {"page": "english.png", "instruction": 'Delete "318" from the text.',
         "instruction type": "text deletion"},
        {"page": "english.png", "instruction": "Be nicer.", "instruction type": "text addition"},
        {"page": "nobody.png", "instruction": "x", "instruction type": "text addition"},
    ]  # fmt: skip
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join([*map(json.dumps, rows), "{", "7"]), encoding="utf-8")
    for _ in range(2):
        built = build([scans], tmp_path / "out", instructions=file, terms=HERE)
        assert {problem.where for problem in built.problems} == {
            f"mine.jsonl, line {n}" for n in (3, 4, 5)
        }
        found = list(Place(tmp_path / "out").instructions().values())
        assert [bool(one.faults) for one in found] == [False, True]
        assert found[0].origin == "mine.jsonl"
    build([], tmp_path / "out", terms=HERE)
    assert len(Place(tmp_path / "out").instructions()) == 2  # the rules add none


# ── real pages ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def real_pages(fixtures: Path) -> list[Path]:
    found = sorted((fixtures / "omnidocbench" / "images").glob("notes_*.jpg"))
    if not found:
        pytest.skip("there are no pages of OmniDocBench")
    return found


@pytest.mark.slow
def test_real_pages_are_read_and_get_sound_instructions(
    real_pages: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # the real reader
    built = vde.build(real_pages, tmp_path / "out", settings=Settings(), terms=HERE)
    assert built.report["pages"]["read"] == len(real_pages)
    assert sum(built.report["instructions"]["accepted"].values()) >= 4
    assert built.next.startswith("An editor is needed")


@pytest.mark.slow
def test_generated_documents_go_the_whole_way_and_come_out_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages of the generator, its truths as candidates, its boxes as answers, real OCR."""
    monkeypatch.undo()
    made, out, edited = tmp_path / "made", tmp_path / "out", tmp_path / "edited"
    try:
        documents.write(made, count=4, seed=3)
    except Unavailable as error:
        pytest.skip(str(error))
    rows = {row["id"]: row for row in json.loads((made / "samples.json").read_text())}
    wanted = [row | {"page": Path(row["image_input"]).name} for row in rows.values()]
    lines = tmp_path / "instructions.jsonl"
    lines.write_text("\n".join(map(json.dumps, wanted)), encoding="utf-8")
    build([made / "inputs"], out, instructions=lines, terms=HERE)
    edited.mkdir()
    truth_of = {}
    for one in Place(out).instructions().values():
        row = next(row for row in rows.values() if row["instruction"] == one.text)
        truth_of[one.id] = row
        (edited / f"{one.id}.png").write_bytes((made / row["image_output"]).read_bytes())
    build([], out, editor=f"generator=outputs:{edited}", terms=HERE)
    for _ in range(4):
        for task in tasks_of(out):
            box = {"box": truth_of[task["sample"]]["label_output"][0]}
            values = box if task["kind"] == "box" else GOOD[task["kind"]]
            say(out, *(answer(task, who, **values) for who in "abc"[: task["wanted"]]))
        go_on(out)
    loaded = catalog.benchmark("vde").load(out / "set")
    assert loaded.samples
    assert not loaded.repairs
    for sample in loaded.samples:
        row = truth_of[sample.id]
        assert sample.target is not None
        assert np.array_equal(sample.target.rgb, Document(made / row["image_output"]).rgb)
        assert sample.tags["language"] == row["language"]
