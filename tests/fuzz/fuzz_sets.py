"""Fuzz targets: benchmarks, ratings and studies as files that somebody else wrote."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from fuzz_documents import saved, written
from fuzz_shapes import cells_shape, json_shape, lines_shape
from fuzz_target import Target, filed, spoken

from overpaint.benchmarks import (
    ebench_files,
    ebench_released,
    milde_files,
    multiref_files,
    textedit_difficulty,
    textedit_files,
    vde,
    vde_files,
)
from overpaint.benchmarks.audit import audit
from overpaint.editors.outputs import Outputs
from overpaint.engines import probes as drawn
from overpaint.engines.building import Problem
from overpaint.engines.milde import records as milde_records
from overpaint.engines.refblend import gathering
from overpaint.engines.refblend import records as refblend_records
from overpaint.engines.vde import records as vde_records
from overpaint.engines.vde.tasks import Inbox
from overpaint.errors import DataError, UserMistake
from overpaint.measures import human, rated
from overpaint.models.prices import prices
from overpaint.rating import answers, exchange, study, tasks, tokens
from overpaint.rating.exchange_annotations import read_annotations
from overpaint.rating.presets import questions_of

EBENCH, PAIRS, BOXES = (questions_of(kind) for kind in ("ebench", "pairs", "boxes"))
PICTURES = ("a.png", saved("PNG")), ("b.png", saved("PNG")), ("d.ora", written(".ora"))


def dumped(value: Any) -> bytes:
    """JSON."""
    return json.dumps(value).encode()


def lines(*values: Any) -> bytes:
    """Lines of JSON."""
    return b"\n".join(map(dumped, values))


# ── benchmarks ──────────────────────────────────────────────────────────────────────────

ANNOTATION = {
    "original_text": "Friday", "target_text": "Monday", "editing_prompt": "Change Friday to Monday",
    "knowledge_prompt": "a day", "prompt": "Change “Friday” to 'Monday'",
    "difficulty": "3+2+1=6 (medium)",
}  # fmt: skip
VDE = {
    "id": "1", "image_input": "a.png", "image_output": "b.png", "instruction": "Change 'a'.",
    "instruction_type": "change", "language": "en", "data_source": "x", "label_output": [
        {"x": 1.0, "y": 2, "width": 30, "height": 10, "original_width": 12, "original_height": 9}],
}  # fmt: skip
MILDE = {
    "form": "milde/1", "samples": [{
        "id": "s", "instruction": "Make it red.", "document": "d.ora", "truth": "d.ora",
        "layers": [{"id": "1", "kind": "image"}, {"id": "5", "kind": "text"}], "gold": ["5"],
        "layer_instructions": {"5": "red"}, "texts": {"5": "hi"},
        "steps": [{"text": "t", "kind": "text", "layer": "5"}],
        "questions": [{"layer": "5", "question": "q?", "about": "text", "expected": "yes",
                       "check": {"kind": "looks", "box": [0, 0, 5, 5]}}],
    }],
}  # fmt: skip
MULTIREF = [
    {
        "original_image_path": "a.png",
        "id": "x",
        "conditions": {
            "caption": "c",
            "depth_path": "b.png",
            "subject_paths": ["b.png"],
            "canny_path": "a.png",
        },
        "instructions": {"depth": "Use <image1>", "enhanced": "As <depth_image>", "diverse": ""},
    },
    {
        "image_path": ["a.png", "b.png"],
        "instruction": "put <image1> in <image2>",
        "category": "x",
        "task_id": 3,
        "original": "a.png",
    },
]
EBENCH_OWN = {"id": "1", "source": "a.png", "target": "b.png", "task": "Denoising",
              "instruction": "Clean it", "level": "2", "strength": 0.5}  # fmt: skip
RELEASED = {
    "query": "prompt [make it red], the source image",
    "response": "The quality score is 48.95",
    "images": ["a/model00/H_00_04.jpg", "b/model00/H_00_04.jpg"],
}


def annotated(path: Path) -> None:
    """Read an annotation of TextEditBench and what is told of its difficulty."""
    found = textedit_files.parse_annotation(textedit_files.read_bytes(path))
    for field in (*ANNOTATION, "difficulty"):
        told = found.get(field)
        textedit_difficulty.read_rating(told)
        textedit_difficulty.target_words(told, "change")
        textedit_difficulty.tags_of(textedit_difficulty.read_rating(told), told)
        textedit_files.clean(told)


def vde_list(path: Path) -> None:
    """Load a set of VDE Bench, its OCR files as well."""
    log: list[Any] = []
    vde_files.read_list(path, log)
    vde.load_set(path.parent)


def milde(path: Path) -> None:
    """Read the index of a MiLDE set."""
    milde_files.read_index(path.parent, [])


def ebench(path: Path) -> None:
    """Read a list of edits, and the released ones."""
    ebench_files.read_entries(path.parent, [])


def released(data: bytes) -> None:
    """Read EBench's released lists, all four of them of the same lines."""
    names = [f"test_{end}.json" for end, _ in ebench_released.DIMENSIONS.values()]
    feed = filed(f"released/{names[0]}", lambda path: _released(path, names, data))
    feed(data)


def _released(path: Path, names: list[str], data: bytes) -> None:
    for name in names[1:]:
        done = name.endswith("_yn.json")
        told = data.replace(b"The quality score is 48.95", b"Yes") if done else data
        (path.parent / name).write_bytes(told)
    ebench_released.read_opinions(path.parent)
    with suppress(DataError, UserMistake):  # their pictures are not there
        ebench_files.read_entries(path.parent, [])


def probes(path: Path) -> None:
    """Read an audit's probes."""
    audit.load(path.parent)


PROBE = next(iter(drawn.BY_NAME))
PRICES = {"dated": "2026", "models": {"m": {"in": 2.5, "out": 10, "pictures": "finest"}}}
SAMPLE = {
    "id": "a/1", "source": "a.png", "instruction": "x", "references": ["b.png"], "mask": None,
    "names": ["a/1"], "labels": [], "target": "b.png", "masks": ["a.png"],
    "tags": {"probe": PROBE, "base": "b"}, "facts": {}, "cluster": "c",
}  # fmt: skip


# ── ratings ─────────────────────────────────────────────────────────────────────────────

RATINGS = (
    b"sample,editor,rater,dimension,value,against,x,y,width,height,seconds,comment\n"
    b"s1,a,R01,quality,4.25,,,,,,3.5,=1+1\ns1,b,R02,done,0,,,,,,,\n"
    b"s1,a,R01,x,1,b,,,,,,\ns1,a,R01,box,,,10,20,30,40,,\n"
)
STUDIO = [{
    "data": {"sample": "s1", "editor": "a", "instruction": "i", "turned": False},
    "annotations": [{
        "completed_by": {"email": "a@b.c"}, "updated_at": "2026-01-01", "lead_time": 3.0,
        "was_cancelled": False, "result": [
            {"from_name": "quality", "type": "rating", "value": {"rating": 4}},
            {"from_name": "done", "type": "choices", "value": {"choices": ["yes"]}},
            {"from_name": "box", "type": "rectanglelabels", "original_width": 8,
             "original_height": 6, "value": {"x": 1, "y": 2, "width": 3, "height": 4}},
            {"from_name": "comment", "type": "textarea", "value": {"text": ["hm"]}},
        ],
    }],
}]  # fmt: skip


def ratings(path: Path) -> None:
    """Read ratings in every way that there is, and write them so that they read the same."""
    found, _ = rated.read_ratings(path)
    again = path.with_name("again.csv")
    again.write_text(rated.write_ratings(found, seconds=True, comments=True), encoding="utf-8")
    plain = [(r.sample, r.editor, r.rater, r.dimension, r.value, r.against, r.box, r.comment)
             for r in found]  # fmt: skip
    assert plain == [
        (r.sample, r.editor, r.rater, r.dimension, r.value, r.against, r.box, r.comment)
        for r in rated.read_ratings(again)[0]
    ]
    for read in (lambda: exchange.read_exchanged(path, EBENCH, {}), lambda: human.dimensions(path)):
        with suppress(UserMistake):
            read()


def annotations(path: Path) -> None:
    """Read ratings made with Label Studio, for a study and for none."""
    for questions in (EBENCH, PAIRS, BOXES):
        with suppress(UserMistake):
            read_annotations(path, questions, {})
    read_annotations(path)


ANSWER = {"answers": {"quality": 3.5, "alignment": 2.0, "preservation": 4.25, "done": True},
          "comment": "c", "seconds": 4, "revision": 0}  # fmt: skip


def answered(data: bytes) -> None:
    """Read the body that the rating page sends, for each kind of study."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return
    tokens.well_formed(said)
    for questions in (EBENCH, PAIRS, BOXES, questions_of("scale", scale="0-3")):
        try:
            answers.read_said(said, questions, ties=True, comments=True)
        except DataError as error:
            assert str(error)


def studies() -> list[bytes]:
    """A study's description."""
    from made_study import make_study

    return [made.dumped().encode() for made in (make_study(), make_study("boxes"))]


TASK = {
    "task": "rate:s", "kind": "rate", "open": True, "wanted": 3, "answers": 0, "question": "q?",
    "sample": "s", "round": 1, "picture": {"path": "a.png"}, "source": {"path": "b.png"},
    "instruction": "i", "box": [0, 0, 10, 10], "page": [], "region": [],
}  # fmt: skip


# ── builds ──────────────────────────────────────────────────────────────────────────────


def captioned(path: Path) -> None:
    """Read captions of pictures."""
    problems: list[Problem] = []
    gathering.captions(path, [path.parent / "a.png"], problems)


def gathered(path: Path) -> None:
    """Gather pictures by a released list."""
    list(gathering._released(path, []))


def inbox(path: Path) -> None:
    """Take people's answers to a build's tasks."""
    for problem in Inbox(path).leave():
        assert str(problem)


def kept(path: Path) -> None:
    """Read what builds kept in their folders, as if it were theirs."""
    for kind in (vde_records.Page, vde_records.Instruction, vde_records.Candidate):
        vde_records._records(path, kind)
    for one in (milde_records.Source, milde_records.Candidate, milde_records.Plan):
        milde_records._records(path, one)
    for line in path.read_bytes().splitlines():
        whole = path.with_name("whole.json")
        whole.write_bytes(line)
        try:
            milde_records.told_layers(vde_records.read_json(whole), whole)
        except DataError as error:
            assert str(error)
    found = path.with_name("captions.jsonl")
    found.write_bytes(path.read_bytes())
    refblend_records._records(path.parent, refblend_records.Caption)


KEPT = lines(
    {"name": "p", "path": "a.png", "number": 1, "sha256": "x", "notes": []},
    {"layers": [{"id": "1", "kind": "text", "box": [0, 0, 1, 1], "colours": ["red"]}]},
    {"source": "s", "text": "t", "by": "b", "notes": ["n"]},
)

TARGETS = (
    Target("textedit", filed("a.json", annotated), lambda: [
           dumped(ANNOTATION), dumped([ANNOTATION])],
           ("benchmarks/textedit_files.py", "benchmarks/textedit_difficulty.py"), (DataError,),
           json_shape),
    Target("vde", filed("vde/list.json", vde_list, *PICTURES), lambda: [dumped([VDE, VDE])],
           ("benchmarks/vde_files.py", "benchmarks/vde.py"), shape=json_shape),
    Target("milde", filed("milde/samples.json", milde, *PICTURES), lambda: [dumped(MILDE)],
           ("benchmarks/milde_files.py",), shape=json_shape),
    Target("multiref", filed("multi/list.json", lambda path: multiref_files.read_lists(path, []),
                             *PICTURES), lambda: [dumped(MULTIREF)],
           ("benchmarks/multiref_files.py",), shape=json_shape),
    Target("ebench", filed("ebench/tasks.jsonl", ebench, *PICTURES), lambda: [lines(EBENCH_OWN)],
           ("benchmarks/ebench_files.py",), shape=lines_shape(json_shape)),
    Target("ebench-csv", filed("ebench-csv/tasks.csv", ebench, *PICTURES),
           lambda: [b"id,source,target,task,instruction\n1,a.png,b.png,Denoising,Clean it\n"],
           ("benchmarks/ebench_files.py",), shape=cells_shape),
    Target("ebench-released", released,
           lambda: [lines(RELEASED, RELEASED | {"images": ["m/L_07_1.png"] * 2})],
           ("benchmarks/ebench_released.py",), shape=lines_shape(json_shape)),
    Target("probes", filed("audit/probes.jsonl", probes), lambda: [lines({"sample":
           json.dumps(SAMPLE)})], ("benchmarks/audit.py", "store/samples.py"), (DataError,),
           lambda data, rng: lines({"sample": json_shape(json.dumps(SAMPLE).encode(), rng).decode()
                                    }) if rng.random() < 0.7 else json_shape(data, rng)),
    Target("outputs", filed("listed.jsonl", lambda path: Outputs(str(path))),
           lambda: [lines({"id": "a", "path": "a.png"}, {"id": "b", "path": "b.png"})],
           ("editors/outputs.py",), shape=lines_shape(json_shape)),
    Target("prices", filed("prices.json", prices.__wrapped__), lambda: [dumped(PRICES)],
           ("models/prices.py",), (UserMistake,), json_shape),
    Target("ratings", filed("ratings.csv", ratings), lambda: [RATINGS],
           ("measures/rated.py", "measures/human.py", "rating/exchange.py"), (UserMistake,),
           cells_shape),
    Target("label-studio", filed("studio.json", annotations), lambda: [dumped(STUDIO)],
           ("rating/exchange_annotations.py",), (UserMistake,), json_shape),
    Target("answer", answered, lambda: [dumped(ANSWER), dumped({"answers": {"choice": "left"}}),
           dumped({"answers": {"box": {"x": 1, "y": 2, "width": 3, "height": 4}}})],
           ("rating/answers.py", "rating/tokens.py"), (), json_shape),
    Target("study", spoken(study.load_study), studies, ("rating/study.py",),
           shape=json_shape, slow=True),
    Target("tasks", filed("tasks/tasks.jsonl", lambda path: tasks.open_items(path.parent),
                          *PICTURES), lambda: [lines(TASK, TASK)],
           ("rating/tasks.py",), shape=lines_shape(json_shape)),
    Target("captions", filed("captions/c.jsonl", captioned, *PICTURES),
           lambda: [lines({"image": "a.png", "caption": "c"})],
           ("engines/refblend/gathering.py", "engines/vde/lines.py"),
           shape=lines_shape(json_shape)),
    Target("captions-csv", filed("captions/c.csv", captioned, *PICTURES),
           lambda: [b"image,caption\na.png,a cat\n"], ("engines/refblend/gathering.py",),
           shape=cells_shape),
    Target("gathered", filed("gathered/list.json", gathered, *PICTURES),
           lambda: [dumped(MULTIREF)], ("engines/refblend/gathering.py",), shape=json_shape),
    Target("inbox", filed("answers.jsonl", inbox), lambda: [lines({"task": "t", "by": "b"})],
           ("engines/vde/lines.py", "engines/vde/tasks.py"), (), lines_shape(json_shape)),
    Target("kept", filed("kept/pages.jsonl", kept), lambda: [KEPT],
           ("engines/vde/records.py", "engines/milde/records.py", "engines/refblend/records.py"),
           (), lines_shape(json_shape)),
)  # fmt: skip
