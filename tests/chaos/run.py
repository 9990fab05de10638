"""The long chaos: commands killed at random moments, and whatever else can befall a run.

    python tests/chaos/run.py [--kills 200] [--seed 1] [--minutes 30] [--only SCENE] [--json]

Every figure is held against a run that was left in peace. The last line is JSON; the exit code
is 1 where anything was lost, doubled, different, or asked for again.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from chaos_bed import Skipped  # noqa: E402
from chaos_kills import Stuck  # noqa: E402
from chaos_rating import NAME, SHARE, play_rating  # noqa: E402
from chaos_scenes import SCENES, Bed, play  # noqa: E402
from chaos_state import said  # noqa: E402
from chaos_trials import TRIALS  # noqa: E402

HEAD = ("scene", "kills", "runs", "lost", "doubled", "different", "again", "twice", "listed", "")


def shared(kills: int, shares: Sequence[int]) -> list[int]:
    """How many of the kills each scene gets; they add up."""
    given = list[int]()
    for number in range(len(shares)):
        given.append(round(kills * sum(shares[: number + 1]) / sum(shares)) - sum(given))
    return given


class Bar:
    """A line with what is being done and how long the rest will take."""

    def __init__(self, kills: int) -> None:
        self._kills, self._before, self._started = kills, 0, time.monotonic()
        self._drawn = 0.0

    def scene(self, name: str) -> Any:
        """What draws the line of one scene, told of its kills."""
        before = self._before

        def draw(done: int) -> None:
            self._before = before + done
            here, now = self._before, time.monotonic()
            left = (now - self._started) / max(here, 1) * (self._kills - here)
            if sys.stderr.isatty() or now - self._drawn > 20:
                self._drawn = now
                end = "\r" if sys.stderr.isatty() else "\n"
                print(f"{name:24} {here:>4}/{self._kills} kills, {left / 60:4.1f} min left ",
                      end=end, file=sys.stderr, flush=True)  # fmt: skip

        return draw


def row(name: str, bed: Bed) -> dict[str, Any]:
    """A scene's line of the table."""
    return {
        "scene": name, "kills": bed.log.kills, "runs": bed.rounds,
        "phases": dict(bed.log.phases.most_common()), "lost": bed.difference.lost,
        "doubled": bed.difference.doubled, "different": bed.difference.different,
        "first": bed.difference.first, "left_behind": bed.log.left_behind,
        "account": said(bed.account), "hurt": bed.hurt, "right": bed.right,
    }  # fmt: skip


def table(rows: Sequence[dict[str, Any]]) -> str:
    """All scenes, and below each what the kills met."""
    lines = [" ".join(f"{head:>9}" if n else f"{head:24}" for n, head in enumerate(HEAD))]
    for one in rows:
        told = one["account"]
        cells = (one["kills"], one["runs"], one["lost"], one["doubled"], one["different"],
                 told["after_recorded"], told["doubles"], told["listed"])  # fmt: skip
        verdict = "ok" if one["right"] else "WRONG"
        lines.append(f"{one['scene']:24} " + " ".join(f"{n:>9}" for n in cells) + f" {verdict:>9}")
        lines.append("    " + ", ".join(f"{many} {name}" for name, many in one["phases"].items()))
        why = (one["first"], one["hurt"],
               f"{one['left_behind']} processes stayed" if one["left_behind"] else "")  # fmt: skip
        lines += [f"    ! {told}" for told in why if told]
    return "\n".join(lines)


def tried(folder: Path) -> Iterator[dict[str, Any]]:
    """Whatever is tried once each, and what came of it."""
    for name, test in TRIALS.items():
        print(name, file=sys.stderr, flush=True)
        began, told = time.monotonic(), ""
        try:
            test(folder / name.replace(" ", "-"))
            verdict = "ok"
        except Skipped as why:
            verdict, told = "skipped", str(why)
        except (AssertionError, Stuck) as error:
            verdict, told = "WRONG", str(error)[:2000]
        seconds = round(time.monotonic() - began, 1)
        yield {"trial": name, "seconds": seconds, "verdict": verdict, "told": told}


def tried_table(rows: Sequence[dict[str, Any]]) -> str:
    """What was tried, a line each."""
    return "\n".join(
        f"{one['trial']:60} {one['seconds']:>6} s {one['verdict']:>8}"
        + (f"\n    {one['told']}" if one["told"] else "")
        for one in rows
    )


def main() -> int:
    """Play all scenes; 1 where one of them went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=30.0, help="no kill after these")
    names = [*(scene.name for scene in SCENES), NAME]
    parser.add_argument("--only", action="append", default=[], choices=names)
    parser.add_argument("--json", action="store_true", help="nothing but the last line")
    parser.add_argument("--keep", type=Path, help="work here, and leave what went wrong")
    args = parser.parse_args()
    scenes = {scene.name: (scene.share, scene) for scene in SCENES} | {NAME: (SHARE, None)}
    chosen = {name: scene for name, scene in scenes.items() if name in (args.only or scenes)}
    started, bar, rows = time.monotonic(), Bar(args.kills), list[dict[str, Any]]()
    given = shared(args.kills, [share for share, _ in chosen.values()])
    with tempfile.TemporaryDirectory() as made:
        for (name, (_, scene)), kills in zip(chosen.items(), given, strict=True):
            if time.monotonic() - started > args.minutes * 60:
                break  # what is missing shows in the number of kills
            folder = (args.keep or Path(made)) / name.replace(" ", "-")
            bed = Bed(folder, random.Random(f"{args.seed} {name}"))
            if scene is None:
                play_rating(bed, kills)
            else:
                play(scene, bed, kills, bar.scene(name), started + args.minutes * 60)
            rows.append(row(name, bed))
            print(table(rows[-1:]).partition("\n")[2], file=sys.stderr, flush=True)
        trials = list(tried(Path(made))) if not args.only else []
    figures = {
        "kills": sum(one["kills"] for one in rows), "wanted": args.kills, "seed": args.seed,
        **{name: sum(one[name] for one in rows) for name in ("lost", "doubled", "different")},
        "asked_after_recorded": sum(one["account"]["after_recorded"] for one in rows),
        "doubles": sum(one["account"]["doubles"] for one in rows),
        "possibly_paid_twice": sum(one["account"]["listed"] for one in rows),
        "minutes": round((time.monotonic() - started) / 60, 1),
        "right": all(one["right"] for one in rows)
        and not any(one["verdict"] == "WRONG" for one in trials),
        "scenes": rows, "trials": trials,
    }  # fmt: skip
    if not args.json:
        print(table(rows))
        print(f"\n{tried_table(trials)}" if trials else "")
        if figures["kills"] < args.kills:
            print(f"\nNot all of the {args.kills} kills that were wanted: raise --minutes.")
        print(f"\n{figures['kills']} random kills: {figures['lost']} rows lost,"
              f" {figures['doubled']} doubled, {figures['different']} different")  # fmt: skip
    print(json.dumps(figures))
    return 0 if figures["right"] else 1


if __name__ == "__main__":
    sys.exit(main())
