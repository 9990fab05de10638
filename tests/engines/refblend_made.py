"""Small pictures with something in them, builds of them in this process, and a model's replies."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.document import Pixels
from overpaint.document.pictures import encode_png
from overpaint.engines.refblend.building import build
from overpaint.engines.refblend.records import Settings
from overpaint.engines.vde import Built
from overpaint.engines.vde.records import Terms
from overpaint.testing import Question

HERE = Terms(workers=0)
QUICK = "canny,sketch,caption,subject,style"  # kinds that take hundredths of a second


def scene(seed: int = 0, size: tuple[int, int] = (120, 96)) -> Pixels:
    """A disc and a box on a soft ground."""
    rng, (wide, high) = np.random.default_rng(seed), size
    y, x = np.mgrid[0:high, 0:wide]
    ground = rng.integers(90, 200, 3) + 30 * (y / high)[:, :, None]
    made = np.clip(ground, 0, 255).astype(np.uint8)
    middle = rng.uniform(0.3, 0.5, 2) * (wide, high)
    made[np.hypot(x - middle[0], y - middle[1]) < 0.22 * min(size)] = rng.integers(0, 90, 3)
    left, top = (int(v) for v in (0.6 * wide, 0.55 * high))
    made[top : top + high // 4, left : left + wide // 4] = rng.integers(200, 255, 3)
    return made


def put(path: Path, pixels: Pixels) -> Path:
    """The pixels as a PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_png(pixels))
    return path


def photos(folder: Path, count: int = 2) -> Path:
    """A folder of pictures, each with a style; the first has a caption and two subjects, too."""
    for number in range(count):
        put(folder / f"scene{number}.png", scene(number))
        put(folder / f"scene{number}" / "styles" / "wall.png", scene(9 + number, (50, 50)))
    (folder / "scene0.txt").write_text("A disc beside a box on soft ground.", encoding="utf-8")
    put(folder / "scene0" / "subjects" / "disc.png", scene(7, (64, 64)))
    put(folder / "scene0" / "subjects" / "other.png", scene(8, (40, 80)))
    return folder


def built(folder: Path, out: Path, **more: Any) -> Built:
    """A build in this process; what is no setting goes to `build`."""
    own = {name: more.pop(name) for name in ("model", "judge", "captions") if name in more}
    given = more.pop("inputs", [folder])
    terms = more.pop("terms", HERE)
    settings = Settings(**({"kinds": QUICK} | more))
    return build(given, out, settings=settings, terms=terms, **own)


def samples(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / "set" / "samples.json").read_text("utf-8"))
    return found


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }  # fmt: skip


def voiced(question: Question) -> Any:
    """A sensible model: it captions, and says an instruction again with all its names."""
    if "Say the same instruction again" in question.prompt:
        line = next(one for one in question.prompt.splitlines() if one.startswith("> "))
        return {"instruction": f"Dear friend, {line[2:]}"}
    return {"caption": "A plain scene of simple forms."}


def scored(score: int, low: str = "") -> Any:
    """A judge that gives every reference that score, and one dimension a 2."""

    def judge(question: Question) -> Any:
        assert question.schema is not None
        names = question.schema["properties"]
        if "score" in names:  # of rubrics with one dimension
            return {"rationale": "seen", "score": score}
        return {name: {"rationale": "seen", "score": 2 if name == low else score} for name in names}

    return judge
