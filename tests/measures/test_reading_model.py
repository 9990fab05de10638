"""`reading:NAME:MODEL`: the measures by reading, with a model behind a server as the reader."""

import base64
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from test_reading import BLOCKS, REGION, SOURCE, TRUTH, edit_of

from overpaint import catalog, open_run
from overpaint.core import Card, Evidence, Loaded, Request, Sample
from overpaint.document import Document
from overpaint.document.pictures import encode_png
from overpaint.errors import CostLimit, Unreadable, UserMistake
from overpaint.measures.reading_model import reader
from overpaint.models import Question, Reply
from overpaint.models.desk import Terms
from overpaint.run import Settings, plan, run, score
from overpaint.store import Store
from overpaint.testing import Asked, FakeServer
from overpaint.vision.page import Block, to_json

MODEL = "http://localhost:8000/v1#org/PaddleOCR-VL"
HERE = str(Path(__file__))
CARD = Card("pages", "made in tests", "target", "", "", "", "", "", ())
MEASURES = ("cdm_local", "cdm_global", "iou_global", "cer_local")


@dataclass(frozen=True)
class Pages:
    """One page with an edited line, as files in the data folder."""

    measures: tuple[str, ...] = ()
    breakdowns: tuple[str, ...] = ()
    card: Card = CARD

    def load(self, data: Path | None) -> Loaded:
        assert data is not None
        facts: dict[str, Any] = {
            "region": list(REGION), "instruction type": "text replacement",
            "page_blocks": to_json(BLOCKS)["parsing_res_list"],
            "region_blocks": to_json(BLOCKS[1:2])["parsing_res_list"],
        }  # fmt: skip
        source, target = (Document(data / name) for name in ("source.png", "target.png"))
        return Loaded((Sample("s", Request(source, "…"), target, facts=facts),))


pages = Pages()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, pixels in (("source.png", SOURCE), ("target.png", TRUTH)):
        (tmp_path / name).write_bytes(encode_png(pixels))
    return tmp_path


def thousandths(block: Block, frame: tuple[int, int, int, int]) -> dict[str, Any]:
    """A line as a model that reads well gives it."""
    left, top, right, bottom = frame
    sides = (right - left, bottom - top)
    moved = (block.box[0] - left, block.box[1] - top, block.box[2] - left, block.box[3] - top)
    box = [round(1000 * edge / sides[n % 2]) for n, edge in enumerate(moved)]
    return {"text": block.text, "box": box}


def reads(asked: Asked) -> dict[str, Any]:
    """What stands on the picture that was sent: the page, or the part that was edited."""
    (url,) = asked.pictures
    seen = np.asarray(
        Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGB")
    )
    part = seen.shape != TRUTH.shape
    frame = REGION if part else (0, 0, TRUTH.shape[1], TRUTH.shape[0])
    left, top, right, bottom = frame
    true = np.abs(seen.astype(int) - TRUTH[top:bottom, left:right]).max() < 100
    second = BLOCKS[1] if true else Block(BLOCKS[1].box, "and approved the budget of 9,870")
    listed = [second] if part else [BLOCKS[0], second, BLOCKS[2]]
    return {"lines": [thousandths(block, frame) for block in listed]}


def rows(folder: Path) -> dict[tuple[str, str], Any]:
    with Store.open(folder) as store:
        return {(row.editor, row.measure): row for row in store.rows()}


def test_true_lines_read_by_a_server_score_1_and_the_source_less(data: Path) -> None:
    out, told = data / "run", list[str]()
    with FakeServer(reads, process=False) as server:
        name = f"{server.url}#org/PaddleOCR-VL"
        what: dict[str, Any] = {
            "data": data, "editors": ["truth", "identity"], "floors": False, "out": out,
            "measures": [f"reading:{one}:{name}" for one in MEASURES],
        }  # fmt: skip
        (line,) = plan(f"{HERE}:pages", **what)["leaves_the_machine"]
        assert line == (
            f"127.0.0.1:{server.port} is asked up to 4 questions of org/PaddleOCR-VL with"
            " 4 pictures of 440×40 to 520×260 pixels; price: unknown (--prices FILE gives one)"
        )
        run(f"{HERE}:pages", **what, settings=Settings(workers=0, tell=told.append))
        assert told == [line]
        assert server.counts().total == 4  # two pictures of each edit, for four measures
    found = rows(out)
    for measure in ("cdm_local", "cdm_global"):
        assert found["truth", f"{measure}@PaddleOCR-VL"].value == 1.0
        assert 0 < found["identity", f"{measure}@PaddleOCR-VL"].value < 1.0
    assert found["truth", "iou_global@PaddleOCR-VL"].value > 0.9
    assert found["truth", "cer_local@PaddleOCR-VL"].value == 0.0
    assert found["identity", "cer_local@PaddleOCR-VL"].value == 3 / 32


def test_another_formula_costs_no_further_question(data: Path) -> None:
    with FakeServer(reads, process=False) as server:
        what: dict[str, Any] = {
            "data": data, "editors": ["truth"], "floors": False, "out": data / "run",
            "settings": Settings(workers=0),
        }  # fmt: skip
        run(f"{HERE}:pages", **what, measures=[f"reading:cdm_local:{server.url}#m"])
        score(data / "run", [f"reading:bleu4_local:{server.url}#m"], Settings(workers=0))
        assert server.counts().total == 1
        (bill,) = open_run(data / "run").bill()
        assert bill.calls == 1
    assert rows(data / "run")["truth", "bleu4_local@m"].value == 1.0


@pytest.mark.parametrize(
    ("behaviour", "status"),
    [("prose", "unreadable"), ("cut_off", "unreadable"), ("refusal", "refused"),
     ("bad_key", "unavailable")],
)  # fmt: skip
def test_a_reply_that_is_no_reading_is_a_status(data: Path, behaviour: str, status: str) -> None:
    with FakeServer({"reply": {"behaviour": behaviour}}, process=False) as server:
        run(
            f"{HERE}:pages", data=data, editors=["truth"], floors=False, out=data / "run",
            measures=[f"reading:cdm_local:{server.url}#m"], settings=Settings(workers=0),
        )  # fmt: skip
    row = rows(data / "run")["truth", "cdm_local@m"]
    assert (row.value, row.status) == (None, status)


def test_a_cost_limit_stops_the_run_and_is_no_row(data: Path) -> None:
    listed = data / "prices.json"
    with FakeServer(reads, process=False) as server:
        name = f"{server.url}#m"
        listed.write_text(
            json.dumps({"dated": "today", "models": {name: {"in": 1000, "out": 1000}}})
        )
        terms = Terms(cost_limit=0.01, prices=listed)
        with pytest.raises(CostLimit):
            run(
                f"{HERE}:pages", data=data, editors=["truth"], floors=False, out=data / "run",
                measures=[f"reading:cdm_local:{name}"], settings=Settings(workers=0, asking=terms),
            )  # fmt: skip
        assert server.counts().total == 0
    assert rows(data / "run") == {}


def test_the_measure_says_what_it_is() -> None:
    ours, theirs = catalog.measure(f"reading:cdm_local:{MODEL}"), catalog.measure("cdm_local")
    assert ours.name == "cdm_local@PaddleOCR-VL"
    assert ours.where == "thread"
    assert ours.about == f"{theirs.about}, as {MODEL} reads it"
    assert (ours.worst, ours.best) == (theirs.worst, theirs.best)
    assert ours.version == f"{theirs.version}+{reader(MODEL).version}"
    assert catalog.measure(f"reading:cer_global:vl={MODEL}").name == "cer_global@vl"


@pytest.mark.parametrize(
    "spec", ["", "cdm_local", "cdm:m", "psnr_local:m", "cdm_here:m", "_local:m"]
)
def test_a_measure_that_cannot_be_made_is_said_with_those_that_can(spec: str) -> None:
    with pytest.raises(UserMistake) as caught:
        catalog.measure(f"reading:{spec}")
    told = str(caught.value)
    assert told.startswith(
        f"The measure reading:{spec} is not understood. It is reading:NAME:MODEL"
    )
    assert "cdm, bleu4" in told
    assert told.endswith("For example reading:cdm_local:http://localhost:8000/v1#PaddleOCR-VL")
    with pytest.raises(UserMistake, match="'gpt' names no model"):
        catalog.measure("reading:cdm_local:gpt")


def test_what_will_be_asked_depends_on_what_the_data_knows() -> None:
    asks = catalog.measure(f"reading:cdm_local:{MODEL}").asks
    assert asks is not None
    sizes = [[ask.pictures for ask in asks(edit_of(TRUTH, **facts).sample)] for facts in (
        {}, {"region_blocks": None}, {"region": None}, {"region": None, "page_blocks": None},
    )]  # fmt: skip
    assert sizes == [[((440, 40),)], [((440, 40),), ((440, 40),)], [], []]


def test_without_a_desk_it_is_a_mistake_and_no_score() -> None:
    measure = catalog.measure(f"reading:cdm_local:{MODEL}")
    with pytest.raises(UserMistake, match="outside of a run"):
        list(measure.score([edit_of(TRUTH)], Evidence()))


def test_a_truth_that_is_not_annotated_is_read_by_the_model_too() -> None:
    class Told:
        asked = 0

        def ask(self, question: Question, /) -> Reply:
            self.asked += 1
            (picture,) = question.pictures
            url = "data:image/png;base64," + base64.b64encode(encode_png(picture.rgb)).decode()
            return Reply(json.dumps(reads(Asked("", (url,)))))

        def doubt(self, key: str, why: str, /) -> None:
            raise Unreadable(why)

    desk = Told()
    measure = catalog.measure(f"reading:cdm_local:{MODEL}")
    edit = edit_of(SOURCE, region_blocks=None)
    (found,) = measure.score([edit], Evidence(desk=desk))
    assert found.value is not None
    assert 0 < found.value < 1
    assert found.notes == ("what the truth says was read by OCR, not annotated",)
    assert desk.asked == 2
