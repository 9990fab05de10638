"""`overpaint build refblend` on pictures of 1024×1024: seconds an extractor, cores, memory."""

import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import psutil

from overpaint.document.pictures import encode_png
from overpaint.engines import scenes
from overpaint.engines.scenes.compose import drawn

PICTURES, SIDE, SEED = 200, 1024, 808
LOOK = 1.0  # seconds between two looks at the memory


def paint(folder: Path, number: int) -> str:
    """Draw one picture of 1024×1024 into a folder; its caption."""
    bare = replace(scenes.plan(number, seed=SEED), size=(SIDE, SIDE), pieces=())
    chance = Random(f"build {number}")
    people = number % 3 if bare.place != "table" else 0
    made = drawn(scenes.filled(bare, people, 2, chance))
    (folder / f"picture-{number:03}.png").write_bytes(encode_png(made.pixels))
    return made.caption


def table(limit: int | None) -> dict[str, Any]:
    """One build, watched."""
    count = limit or PICTURES
    with tempfile.TemporaryDirectory() as work:
        pictures, out = Path(work) / "pictures", Path(work) / "out"
        pictures.mkdir()
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(2, mp_context=context) as pool:
            captions = list(pool.map(partial(paint, pictures), range(count)))
        lines = [json.dumps({"image": f"picture-{n:03}.png", "caption": caption})
                 for n, caption in enumerate(captions)]  # fmt: skip
        (Path(work) / "captions.jsonl").write_text("\n".join(lines) + "\n")
        figures = _watched([
            sys.executable, "-m", "overpaint", "build", "refblend", str(pictures), "-o", str(out),
            "--captions", str(Path(work) / "captions.jsonl"), "--json",
        ])  # fmt: skip
        figures |= {"pictures": count, "report": json.loads((out / "report.json").read_text())}
    return _told(figures)


def _watched(command: list[str]) -> dict[str, Any]:
    """Wall clock and CPU of a command and its workers, and the most memory they held, over time."""
    started, held, used = time.perf_counter(), list[float](), dict[int, float]()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        top = psutil.Process(child.pid)
        while child.poll() is None:
            try:
                family = [top, *top.children(recursive=True)]
                held.append(sum(one.memory_info().rss for one in family) / 2**30)
                used |= {one.pid: sum(one.cpu_times()[:2]) for one in family}
            except psutil.Error:  # one ended between two looks
                pass
            time.sleep(LOOK)
    wall = time.perf_counter() - started
    third = max(1, len(held) // 3)
    return {
        "exit": child.returncode, "seconds": round(wall, 1),
        "cores": round(sum(used.values()) / wall, 2),
        "gb_middle_third": round(max(held[third : 2 * third], default=0.0), 2),
        "gb_last_third": round(max(held[2 * third :], default=0.0), 2),
    }  # fmt: skip


def _told(figures: dict[str, Any]) -> dict[str, Any]:
    report = figures.pop("report")
    figures["seconds_a_picture"] = report["references"]["seconds a picture"]
    each = figures["seconds"] / figures["pictures"]
    print(f"\n{figures['pictures']} pictures of {SIDE}×{SIDE}: {figures['seconds']} s in all,"
          f" {each:.2f} s each, {figures['cores']} cores used")  # fmt: skip
    print(f"memory: {figures['gb_middle_third']} GB at most in the middle third,"
          f" {figures['gb_last_third']} GB in the last")  # fmt: skip
    print("seconds a picture, by extractor; what several share, the first of them has paid:")
    for name, seconds in figures["seconds_a_picture"].items():
        print(f"  {name:24} {seconds:6.2f}")
    return figures
