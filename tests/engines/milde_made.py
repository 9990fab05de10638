"""Two small designs, a model that answers all of a build as a script has it, and builds by it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.document import Document, Layer, Picture, files
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.engines.milde.building import build
from overpaint.engines.milde.records import Settings
from overpaint.engines.vde import Built
from overpaint.engines.vde.records import Terms
from overpaint.testing import Question, Scripted

PHRASES = {
    "class": "Say which of three classes",
    "persona": "Imagine this person",
    "transfer": "needs it once more",
    "rank": "Judge the request",
    "steps": "Take the request apart",
    "applies": "Is this the layer it has to be made on?",
    "questions": "You write the questions of a test",
}
STEPS = [
    {"text": "Replace “Summer Jazz” with “Winter Jazz”.", "kind": "text"},
    {"text": "Replace the sun at the top left with a snowflake", "kind": "image"},
    {"text": "Make the street in front of the café icy.", "kind": "image"},
]


def words(text: str, name: str, at: tuple[int, int]) -> Layer:
    return Layer(Text((Run(text, Style(size=30)),)), text, name, *at)


def summer() -> Document:
    """A photograph, a sun, a rule, a headline and a date; text live."""
    return Document(
        made=(
            Layer(Picture(np.full((300, 240, 4), (240, 230, 200, 255), np.uint8)), "photo", "1"),
            Layer(Shape("ellipse", 50, 50, (250, 200, 40, 255)), "sun", "2", 10, 10),
            Layer(Shape("rectangle", 200, 3, (20, 20, 60, 255)), "rule", "3", 20, 200),
            words("Summer Jazz", "4", (20, 120)),
            words("12 June", "5", (20, 260)),
        ),
        canvas=(240, 300),
    )


def chinese() -> Document:
    """A headline on a panel, in Chinese."""
    panel = Layer(Shape("rectangle", 200, 200, (200, 40, 40, 255)), "panel", "a")
    return Document(made=(panel, words("夏季特卖", "b", (20, 80))), canvas=(200, 200))


def written(folder: Path) -> Path:
    """A folder with the two of them, one in a sub-folder that says what kind it is."""
    (folder / "posters").mkdir(parents=True)
    files.write(summer(), folder / "posters" / "summer.ora")
    files.write(chinese(), folder / "sale.ora")
    return folder


def asked_about(prompt: str) -> str:
    """Which of the questions of a build a prompt puts."""
    (found,) = [name for name, phrase in PHRASES.items() if phrase in prompt]
    return found


def quoted(prompt: str) -> list[str]:
    """The texts that were put into a prompt."""
    return [line[2:] for line in prompt.splitlines() if line.startswith("> ")]


def script(**replies: Any) -> Callable[[Question], Any]:
    """A function that answers like a sensible model, but for what is given here by question.

    A reply that is a function is called with the question.
    """

    def answer(question: Question) -> Any:
        name = asked_about(question.prompt)
        reply = replies.get(name, _SENSIBLE[name])
        return reply(question) if callable(reply) else reply

    return answer


def _request(question: Question) -> Mapping[str, str]:
    cue = next(line for line in quoted(question.prompt) if line.startswith(("a", "the")))
    mark = f"{sum(map(ord, cue)) % 977:03}"
    text = f"Turn it into a winter night for guests number {mark}"
    if "Chinese" in question.prompt:
        text = f"把它改成第{mark}号冬季特卖的海报"
    return {"purpose": "a concert", "becomes": "a winter concert", "instruction": text}


def _rank(question: Question) -> Any:
    score = 3 + sum(map(ord, quoted(question.prompt)[0])) % 3
    names = ("clarity", "specificity", "realism")
    return {name: {"rationale": "it says so", "score": score} for name in names}


def _applies(question: Question) -> Any:
    told, step = quoted(question.prompt)
    things = {"Summer": "Summer Jazz", "sun": "decoration", "夏季": "夏季特卖", "street": "street"}
    thing = next(thing for word, thing in things.items() if word in step)
    return {"rationale": "seen", "answer": "yes" if thing in told else "no"}


def _steps(question: Question) -> Any:
    if "夏季" in question.prompt:
        return {"steps": [{"text": "把“夏季特卖”改为“冬季特卖”。", "kind": "text"}]}
    return {"steps": STEPS}


def _questions(question: Question) -> Any:
    one = {"before": "summer", "about": "text", "expected": "yes"}
    about = "snowflake" if "snowflake" in question.prompt else "Winter Jazz"
    if about == "snowflake":
        one["about"] = "entity"
        return {"questions": [{**one, "question": "Is there a snowflake at the top left?"}]}
    new = "冬季特卖" if "夏季" in question.prompt else "Winter Jazz"
    old = "夏季特卖" if "夏季" in question.prompt else "Summer Jazz"
    return {"questions": [
        {**one, "question": f"Does the headline read '{new}'?"},
        {**one, "question": f"Does '{old}' stand anywhere?", "expected": "no"},
    ]}  # fmt: skip


_SENSIBLE: dict[str, Any] = {
    "class": {"shows": "something", "kind": "decoration"},
    "persona": _request, "transfer": _request, "rank": _rank, "steps": _steps,
    "applies": _applies, "questions": _questions,
}  # fmt: skip


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


# ── builds ──────────────────────────────────────────────────────────────────────────────

HERE = Terms(workers=0)
ALONE = Settings(raters=0, personas=2, near=1, per_document=1)


def made(
    inputs: Path | list[Path], out: Path, model: Scripted | None = None, settings: Settings = ALONE
) -> Built:
    given = inputs if isinstance(inputs, list) else [inputs]
    asked = model or Scripted(script())
    return build(given, out, model=asked, settings=settings, terms=HERE)


def samples(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / "set/samples.json").read_text("utf-8"))[
        "samples"
    ]
    return found
