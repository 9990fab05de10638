"""Fuzz targets: what people, models and servers say: instructions, replies, names, numbers."""

import argparse
import json
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from fuzz_documents import saved
from fuzz_shapes import cells_shape, json_shape, lines_shape, words_shape, xml_shape
from fuzz_target import HERE, Target, filed, spoken

from overpaint.cli import numbers
from overpaint.document.instruct.parsing import parse
from overpaint.document.plan import from_json, loads, to_json
from overpaint.editors import comfyui, compositional, images_api, servers, workflows
from overpaint.editors.agent import options as agent_options
from overpaint.editors.agent.deciding import read_decision
from overpaint.editors.options import given, number, one_of, sizes, whole
from overpaint.errors import DataError, OverpaintError, Unreadable, UserMistake
from overpaint.measures import (
    human,
    judge,
    references_judged,
    rubric,
    rubric_scale,
    trees,
    vde_official,
)
from overpaint.models import names, replies, server
from overpaint.vision.engines_tesseract import parse as tesseract
from overpaint.vision.references import captions, grounded
from overpaint.weights import npm

ENDPOINT = names.Endpoint("mine", "mine", "http://localhost:1/v1", "m")


def lines_of(name: str) -> list[str]:
    """The lines of a golden file that are not indented."""
    said = (HERE.parent / "golden" / name).read_text(encoding="utf-8").splitlines()
    return [line for line in said if line and not line.startswith((" ", "#"))]


# ── instructions and plans ──────────────────────────────────────────────────────────────


def instructed(said: str) -> None:
    """Read an instruction; its ops are a plan that reads back as the same ops."""
    ops = parse(said)
    told = to_json(ops)
    assert from_json(json.loads(json.dumps(told))) == ops


def planned(said: str) -> None:
    """Read a plan; it is written as one that reads the same."""
    ops = loads(said)
    assert loads(json.dumps(to_json(ops))) == ops


@lru_cache(maxsize=1)
def instruction_seeds() -> list[bytes]:
    """Instructions of the golden list, English and Chinese."""
    chinese = [
        "把标题改成“你好”",
        "删除第二行，然后把“周五”换成红色",
        "将左上角的图片向右移动10像素",
    ]
    return [line.encode() for line in (*lines_of("instructions.txt"), *chinese)]


@lru_cache(maxsize=1)
def known_words() -> tuple[str, ...]:
    """The words that instructions are made of, and marks."""
    from overpaint.document.instruct.chinese import LEXICON as CHINESE
    from overpaint.document.instruct.english import LEXICON as ENGLISH

    found: list[str] = []
    for line in (*ENGLISH.splitlines(), *CHINESE.splitlines()):
        found += [part.strip() for part in line.partition(":")[2].split("|")]
    marks = ["'a'", "“b”", "'", "“", "”", ",", ".", ";", "，", "。", "1", "99999999999999999999",
             "½", "²", "10%", "#ff0000", "rgb(1,2,3)", "12pt", "\u202e", "\x00", "\n"]  # fmt: skip
    return tuple(filter(None, found)) + tuple(marks) * 4


PLAN = [
    {"op": "replace-text", "where": {"text": "Friday", "of": {"role": "title"}}, "text": "Monday"},
    {"op": "move", "where": {"role": "logo", "nth": 2}, "by": [1.0, 2.5]},
    {"op": "restyle", "where": {"text": "a", "every": True}, "colour": [1, 2, 3, 255]},
    {"op": "delete", "where": {"row": "2"}},
]


# ── replies ─────────────────────────────────────────────────────────────────────────────

SCHEMA = {
    "type": "object",
    "properties": {
        "score": {"type": "integer", "enum": [1, 2, 3]}, "why": {"type": "string"},
        "list": {"type": "array", "items": {"type": "string"}},
        "inner": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]},
    },
    "required": ["score"],
}  # fmt: skip
REPLIES = (
    b'{"score": 2, "why": "because", "list": ["a"], "inner": {"n": 1.5}}',
    b'<think>{"score": 1}</think>Here:\n```json\n{"score": 3}\n```\ndone',
    b'{"caption": "a red cat"}',
    b'{"prompt": "a cat", "seen": ["a", "b"]}',
    b"<think>well</think><decision>EDIT</decision><prompt>make it red</prompt>",
    '{"score": "２", "why": "\\ud83d\\ude00"}'.encode(),
    b"I cannot help with that.",
)
REPLY_WORDS = (b"```json", b"```", b"<think>", b"</think>", b"<decision>", b"<prompt>", b"{", b"}",
               b'"score":', b"\\ud800", b"1e999", b"NaN")  # fmt: skip


def replied(said: str) -> None:
    """Read a reply in each form in which one is asked for; each says itself why it cannot."""
    readers: tuple[Callable[[str], object], ...] = (
        lambda text: replies.parse(text, SCHEMA), replies.one_object, captions.read,
        compositional.read, partial(read_decision, "layer"), rubric.load("judge1").read
        if "judge1" in rubric.names() else rubric.load(rubric.names()[0]).read,
    )  # fmt: skip
    for reader in readers:
        try:
            reader(said)
        except Unreadable as error:
            assert str(error)
            str(error).encode("utf-8", "backslashreplace")
    replies.cleaned(said)
    captions.words_in(said)
    grounded.cleaned(said)


WIRE = (
    b'{"choices": [{"message": {"content": "hi", "refusal": null}, "finish_reason": "stop"}],'
    b' "usage": {"prompt_tokens": 3, "completion_tokens": 4}}',
    b'{"choices": [{"message": {"content": [{"type": "text", "text": "hi"}]}}]}',
    b'{"data": [{"b64_json": "iVBORw0KGgo="}], "created": 1}',
    b'{"outputs": {"9": {"images": [{"filename": "a.png", "subfolder": "", "type": "output"}]}},'
    b' "status": {"status_str": "error", "messages": [["execution_error", {"node_id": "3"}]]},'
    b' "node_errors": {"3": {"class_type": "KSampler", "errors": [{"message": "m"}]}},'
    b' "error": {"message": "bad"}}',
    b'{"error": {"code": "E404", "summary": "not found"}}',
)


def wired(said: str) -> None:
    """Read what a server sent: of a model, of pictures, of ComfyUI, of npm."""
    found = server.json_object(said)
    npm._error_in(said)
    if found is None:
        return
    # Only what has choices gets further than `_other_dialect`.
    choices = found.get("choices")
    if isinstance(choices, list) and choices:
        _said(server.spoken, said)
    server.tokens_of(said)
    workflows.saved(found.get("outputs"))
    workflows.fault(found.get("status"))
    workflows.invalid(found)
    _said(images_api.picture_in, found, ENDPOINT, "/images/edits")


def _said(reader: Callable[..., object], *given: Any) -> None:
    try:
        reader(*given)
    except OverpaintError as error:
        assert str(error)


def based(said: str) -> None:
    """Read a picture in base64."""
    servers.picture(ENDPOINT, servers.from_base64(ENDPOINT, said))


# ── names, settings, numbers ────────────────────────────────────────────────────────────

KNOWN = {"steps": whole(1, 100), "guidance": number(0, 30), "fit": one_of("pad", "crop"),
         "sizes": sizes}  # fmt: skip
NAMES = (
    b"openai/gpt-4o", b"mine=http://localhost:8000/v1#qwen", b"local/smollm2", b"http://[::1]:8#m",
    b"HEAD;steps=3;guidance=1.5;fit=pad;sizes=512x512,1024x768", b"rules;checks=2;joint=yes",
    b"alignment+quality;repeats=2;quorum=1:openai/a,b=openai/c", b"a.csv;dimension=q;scale=1-5",
    b"coherence_overall:openai/x", b"1-5 whole", b"yes/no", b"bad=0, good=1", b"http://a:99999/#m",
)  # fmt: skip


def named(said: str) -> None:
    """Read a name as a model's, an editor's, a measure's; each may be a mistake of the user's."""
    readers: tuple[Callable[[str], object], ...] = (
        names.endpoint, lambda text: given(text, "e", KNOWN, passing="x"), human.read_argument,
        judge.read_judge, references_judged.read_multiref, rubric_scale.read_scale,
    )  # fmt: skip
    for reader in readers:
        _said(reader, said)
    if "image=" not in said:  # which would start an editor
        _said(agent_options.read_options, said)
    _said(comfyui.ComfyUI, said) if ";" not in said else None


def counted(said: str) -> None:
    """Read a number of the command line; argparse tells a ValueError as it tells its own."""
    for reader in (numbers.count, numbers.some, numbers.seconds, numbers.whole, numbers.positive):
        try:
            assert reader(said) >= 0
        except (argparse.ArgumentTypeError, ValueError) as error:
            assert str(error)


def environment(path: Path) -> None:
    """Read a `.env`."""
    for name, value in names._env_file(path).items():
        assert name
        assert isinstance(value, str)


WORKFLOW = {
    "3": {"class_type": "KSampler", "inputs": {"seed": 1, "positive": ["6", 0], "negative":
          ["7", 0]}},
    "6": {"class_type": "CLIPTextEncode", "inputs": {"text": "{instruction}", "clip": ["4", 1]}},
    "7": {"class_type": "CLIPTextEncode", "inputs": {"text": "", "clip": ["4", 1]}},
    "10": {"class_type": "LoadImage", "inputs": {"image": "a.png"}},
    "11": {"class_type": "LoadImageMask", "inputs": {"image": "m.png", "channel": "alpha"}},
}  # fmt: skip


def worked(path: Path) -> None:
    """Read a ComfyUI workflow and fill it in."""
    flow = workflows.read_workflow(path)
    flow.filled({"instruction": "x", "image": "a", "image1": "a", "mask": "m"}, seed=3)
    assert flow.reads_alpha in (True, False)


# ── rubrics, tables of words ────────────────────────────────────────────────────────────


def rubrics() -> list[bytes]:
    """The rubrics that come with the package."""
    return [(rubric.FOLDER / f"{name}.md").read_bytes() for name in rubric.names()]


HTML = (
    b"<table><tr><td rowspan=2>a</td><td colspan='3'>b</td></tr><tr><th>c</th></tr></table>",
    b"<html><body><table border=1><thead><tr><td>1</td></tr></thead></table></body></html>",
    b"<table><tr><td><table><tr><td>&amp;&#x41;&bogus;</td></tr></table></td></tr>",
    b"| a | b |\n|---|---|\n| 1 | 2 |",
)
HTML_WORDS = (b"<table>", b"<tr>", b"<td", b" rowspan=999999999", b" colspan='-1'", b"</table>",
              b"<!--", b"<script>", b"&#x110000;", b"<td colspan=\xc2\xb2>")  # fmt: skip


def tabled(said: str) -> None:
    """Read an HTML table, and hold it against another."""
    from overpaint.vision.layout import Block

    found, other = trees.table(said[:3000]), trees.table(HTML[0].decode())
    if found is not None and other is not None:
        assert 0 <= trees.similarity(found, other) <= 1
    block, usual = (Block((0, 0, 9, 9), what, "table") for what in (said[:3000], HTML[0].decode()))
    vde_official.teds_official(block, usual)


TSV = (
    b"level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    b"5\t1\t1\t1\t1\t1\t10\t20\t30\t12\t96.5\tHello\n5\t1\t1\t1\t1\t2\t45\t20\t30\t12\t91\tyou\n"
)

PARSE = "document/instruct/parsing.py"
TARGETS = (
    Target("instruction", spoken(instructed), instruction_seeds,
           (PARSE, "document/instruct/colours.py", "document/plan.py"),
           shape=lambda data, rng: words_shape(known_words())(data, rng)),
    Target("plan", spoken(planned), lambda: [json.dumps(PLAN).encode()], ("document/plan.py",),
           (UserMistake,), json_shape),
    Target("reply", spoken(replied), lambda: REPLIES,
           ("models/replies.py", "editors/compositional.py", "vision/references/captions.py",
            "editors/agent/deciding.py", "measures/rubric.py", "vision/references/grounded.py"),
           (), json_shape, REPLY_WORDS),
    Target("wire", spoken(wired), lambda: WIRE,
           ("models/server.py", "editors/images_api.py", "editors/workflows.py", "weights/npm.py"),
           (), json_shape),
    Target("base64", spoken(based), lambda: [
           b64encode(saved("PNG")), b"data:image/png;base64,iVBORw0KGgo="],
           ("editors/servers.py",), (Unreadable,)),
    Target("name", spoken(named), lambda: NAMES,
           ("models/names.py", "editors/options.py", "measures/human.py", "measures/judge.py",
            "measures/references_judged.py", "measures/rubric_scale.py", "editors/comfyui.py",
            "editors/agent/options.py"),
           (), words=(b";", b"=", b",", b":", b"http://", b"#", b"@", b"[", b"]", b"%")),
    Target("number", spoken(counted), lambda: [b"1", b"12.5", b"1e3", "²".encode(), b"9" * 5000],
           ("cli/numbers.py",), (), words=(b"_", b"inf", b"nan", "٣".encode())),
    Target("env", filed(".env", environment), lambda: [b"export A='b c'\nB=\"x\"\n# no\nC\n"],
           ("models/names.py",), ()),
    Target("workflow", filed("flow.json", worked), lambda: [json.dumps(WORKFLOW).encode()],
           ("editors/workflows.py",), (UserMistake,), json_shape),
    Target("rubric", lambda data: rubric.loads(data, "r.md"), rubrics,
           ("measures/rubric.py", "measures/rubric_file.py"), (UserMistake,),
           lines_shape(partial(cells_shape, between=b": ")),
           (b"---", b"## ", b"```json", b"{source}", b"scale: 1-5", b"reply: ", b"slots: ")),
    Target("table", spoken(tabled), lambda: HTML,
           ("measures/trees.py", "measures/vde_official.py"), (DataError,), xml_shape, HTML_WORDS,
           slow=True),
    Target("tesseract", spoken(tesseract), lambda: [TSV], ("vision/engines_tesseract.py",), (),
           lines_shape(partial(cells_shape, between=b"\t"))),
)  # fmt: skip
