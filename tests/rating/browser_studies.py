"""Studies made on the spot and served for real, and a browser that looks at them."""

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import uvicorn
from PIL import Image, ImageDraw

from overpaint.document import Document
from overpaint.rating import raters
from overpaint.rating.app import Server, make_app
from overpaint.rating.book import Book
from overpaint.rating.items import Item, Pool
from overpaint.rating.pictures import Picture, picture_of
from overpaint.rating.presets import CONSENT, questions_of
from overpaint.rating.study import Kind, Study
from overpaint.rating.tasks import pool_of_build

HOSTILE = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>"
TOLD = {"en": "Nothing was changed here.", "zh": "这里什么都没有改变。"}


def drawn(path: Path, number: int, fill: str, *, size: tuple[int, int] = (320, 240)) -> Picture:
    """A picture with a disc and a square in it, as a study has pictures."""
    image = Image.new("RGB", size, ("#cfe3f5", "#f5e6cf", "#d9f0d8")[number % 3])
    pen = ImageDraw.Draw(image)
    pen.ellipse((40 + number, 40, 140 + number, 140), fill="#e69f00")
    pen.rectangle((170, 100, 280, 200), fill=fill)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)
    return picture_of(Document(path))


def item_of(folder: Path, number: int, *, pair: bool = False, **more: Any) -> Item:
    """An item: a blue square that an editor, or two, should have made vermilion."""
    source = drawn(folder / f"{number}-source.png", number, "#0072b2")
    edit = drawn(folder / f"{number}-a.png", number, "#d55e00")
    other = drawn(folder / f"{number}-b.png", number, "#cc79a7", size=(300, 240))
    settings: dict[str, Any] = {
        "id": "", "sample": f"s{number}", "instruction": f"Make the square of {number} vermilion.",
        "shown": (edit, other) if pair else (edit,), "source": source, "editor": "good",
        "against": "poor" if pair else "", "cluster": f"s{number}",
    }  # fmt: skip
    return Item(**(settings | more))


def begin(folder: Path, kind: Kind, *, items: int = 3, training: int = 1, **more: Any) -> Book:
    """A study of that kind with so many items to rate, all of them by every rater."""
    scale = more.pop("scale", "0-3")
    rubric = more.pop("rubric", "")
    texts = more.pop("instructions", ())
    settings: dict[str, Any] = {
        "name": kind, "title": "Squares and discs", "kind": kind, "consent": dict(CONSENT),
        "questions": questions_of(kind, scale=scale, rubric=rubric), "raters": 2, "per_item": 2,
        "per_rater": items, "training": training, "repeats": 0.0,
    }  # fmt: skip
    study = Study(**(settings | more))
    pair = kind == "pairs"
    counted = [item_of(folder / "data", n, pair=pair) for n in range(items)]
    for number, text in enumerate(texts):
        counted[number] = replace(counted[number], instruction=text)
    drill = [item_of(folder / "data", 10 + n, pair=pair, feedback=TOLD) for n in range(training)]
    return Book.begin(folder, study, Pool(tuple(counted), tuple(drill)))


@dataclass
class Served:
    """A study that is being served, and the links to it."""

    book: Book
    server: Server
    address: str

    def link(self, role: str = "rater") -> str:
        """A new link."""
        made = self.at_desk(lambda: raters.make_links(self.book, role, 1))
        return raters.told(made, self.address)[0]["link"]

    def kept(self) -> list[Any]:
        """All answers, rater by rater, place by place."""
        found = self.rows("SELECT body FROM answers ORDER BY rater, place")
        return [json.loads(body) for (body,) in found]

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """What the study's book says, asked at the desk."""
        return self.at_desk(lambda: self.book.db.execute(question).fetchall())

    def at_desk(self, work: Callable[[], Any]) -> Any:
        """Do something with the book in its turn; from a thread, as the browser has this one."""
        with ThreadPoolExecutor(1) as other:
            done = other.submit(lambda: asyncio.run(self.server.desk.do(work, alone=True)))
            return done.result()


@contextlib.contextmanager
def served(book: Book) -> Iterator[Served]:
    """The study at an address of this machine, until the block ends."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = Server(book, address)
        config = uvicorn.Config(
            make_app(server, frozenset({"127.0.0.1", "localhost"})), log_level="warning",
            access_log=False, lifespan="off", ws="none",
        )  # fmt: skip
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            while not running.started:
                time.sleep(0.01)
            yield Served(book, server, address)
        finally:
            running.should_exit = True
            thread.join(10)
            server.close()
            book.db.close()


class Seen:
    """A page with all that it complained about."""

    def __init__(self, chromium: Any, **settings: Any) -> None:
        size = settings.pop("viewport", {"width": 1280, "height": 800})
        self.context = chromium.new_context(**({"viewport": size, "locale": "en-GB"} | settings))
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda told: self.errors.append(told.text))


def begin_build(folder: Path) -> Book:
    """A study of a build's tasks: rate, box, look, text and wording, one of each."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tasks(folder, "rate", "box", "look", "text", "instruction")
    study = Study(
        name="tasks", title="A build", kind="tasks", questions=(), consent=dict(CONSENT),
        raters=1, per_item=1, training=0,
    )  # fmt: skip
    return Book.begin(folder, study, pool_of_build(folder))


def write_tasks(folder: Path, *kinds: str) -> None:
    """The file in which a build says what it asks people."""
    lines = []
    for number, kind in enumerate(kinds):
        picture = drawn(folder / "candidates" / f"{kind}.png", number, "#d55e00")
        source = drawn(folder / "pages" / f"{kind}.png", number, "#0072b2")
        blocks = [{"block_bbox": [1, 2, 3, 4], "block_content": "Fridav", "block_label": "text"}]
        told = {"box": {"x": 50, "y": 40, "width": 40, "height": 45}, "page": blocks, "region": []}
        lines.append({
            "task": f"{kind}:s{number}", "kind": kind, "open": True, "wanted": 1, "answers": 0,
            "sample": f"s{number}", "question": "What do you say?",
            "instruction": 'Change the title to "Sale".',
            "picture": {"path": f"candidates/{kind}.png", "sha256": picture.sha256},
            "source": {"path": f"pages/{kind}.png", "sha256": source.sha256},
        } | (told if kind in ("look", "text") else {}))  # fmt: skip
    (folder / "tasks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
