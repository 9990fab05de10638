"""The long chaos: commands killed at random moments, and whatever else can befall a run.

    python tests/chaos/run.py [--kills 200] [--seed 1] [--minutes 60] [--only SCENE] [--trial NAME]
                              [--allow-skips] [--json]

Every figure is held against a run that was left in peace. The last line is JSON; the exit code
is 1 where anything was lost, doubled, different, or asked for again, where fewer were killed than
was asked for, and where something was not tried.
"""

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from chaos_bed import Skipped  # noqa: E402
from chaos_kills import Stuck  # noqa: E402
from chaos_rating import NAME, SHARE, play_rating  # noqa: E402
from chaos_scenes import SCENES, Bed, Scene, play  # noqa: E402
from chaos_state import Account, said  # noqa: E402
from chaos_trials import TRIALS  # noqa: E402

HEAD = (
    "scene", "kills", "runs", "lost", "doubled", "different", "again", "twice", "listed",
    "unlisted", "unfounded", "",
)  # fmt: skip


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
                 told["after_recorded"], told["doubles"], told["listed"], told["unlisted"],
                 told["unfounded"])  # fmt: skip
        verdict = "ok" if one["right"] else "WRONG"
        lines.append(f"{one['scene']:24} " + " ".join(f"{n:>9}" for n in cells) + f" {verdict:>9}")
        lines.append("    " + ", ".join(f"{many} {name}" for name, many in one["phases"].items()))
        why = (one["first"], one["hurt"],
               f"{one['left_behind']} processes stayed" if one["left_behind"] else "")  # fmt: skip
        lines += [f"    ! {told}" for told in why if told]
    return "\n".join(lines)


def played(
    name: str, scene: Scene | None, bed: Bed, kills: int, told: Callable[[int], None], until: float
) -> dict[str, Any]:
    """The row of a scene; whatever goes wrong with it stands there."""
    try:
        if time.monotonic() > until:
            raise Stuck("It was not played: the time was up. Raise --minutes.")
        if scene is None:
            play_rating(bed, kills)
        else:
            play(scene, bed, kills, told, until)
        if bed.right and bed.log.kills < kills:
            raise Stuck(f"{bed.log.kills} of {kills} kills were made. Raise --minutes.")
    except (Exception, SystemExit) as error:  # noqa: BLE001
        bed.hurt = what(error)
    return row(name, bed)


def what(error: BaseException) -> str:
    """What went wrong, as a table tells it."""
    if isinstance(error, Stuck):
        return str(error)[:2000]
    at = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error}"[:2000] + f" ({Path(at.filename).name}:{at.lineno})"


def tried(folder: Path, trials: Mapping[str, Callable[[Path], None]]) -> Iterator[dict[str, Any]]:
    """Whatever is tried once each, and what came of it."""
    for name, test in trials.items():
        print(name, file=sys.stderr, flush=True)
        began, told = time.monotonic(), ""
        try:
            test(folder / name.replace(" ", "-"))
            verdict = "ok"
        except Skipped as why:
            verdict, told = "skipped", str(why)
        except (Exception, SystemExit) as error:  # noqa: BLE001
            verdict, told = "WRONG", what(error)
        seconds = round(time.monotonic() - began, 1)
        yield {"trial": name, "seconds": seconds, "verdict": verdict, "told": told}


def tried_table(rows: Sequence[dict[str, Any]]) -> str:
    """What was tried, a line each."""
    return "\n".join(
        f"{one['trial']:60} {one['seconds']:>6} s {one['verdict']:>8}"
        + (f"\n    {one['told']}" if one["told"] else "")
        for one in rows
    )


def asked_for(words: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="no kill after these")
    names = [*(scene.name for scene in SCENES), NAME]
    parser.add_argument("--only", action="append", default=[], choices=names)
    parser.add_argument("--trial", action="append", default=[], choices=[*TRIALS])
    parser.add_argument("--allow-skips", action="store_true", help="0 though a trial was skipped")
    parser.add_argument("--json", action="store_true", help="nothing but the last line")
    parser.add_argument("--keep", type=Path, help="work here, and leave what went wrong")
    return parser.parse_args(words)


def figures(
    args: argparse.Namespace, rows: Sequence[dict[str, Any]], trials: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """The last line."""
    fine = ("ok", "skipped") if args.allow_skips else ("ok",)
    account = {name: sum(one["account"][name] for one in rows) for name in vars(Account())}
    return {
        "kills": sum(one["kills"] for one in rows), "wanted": args.kills, "seed": args.seed,
        **{name: sum(one[name] for one in rows) for name in ("lost", "doubled", "different")},
        "asked_after_recorded": account["after_recorded"], "doubles": account["doubles"],
        "possibly_paid_twice": account["listed"], "unlisted": account["unlisted"],
        "skipped": sum(one["verdict"] == "skipped" for one in trials),
        "right": all(one["right"] for one in rows)
        and all(one["verdict"] in fine for one in trials),
        "scenes": rows, "trials": trials,
    }  # fmt: skip


def main(words: Sequence[str] | None = None) -> int:
    """Play all scenes; 1 where one of them went wrong."""
    args, started = asked_for(words), time.monotonic()
    scenes = {scene.name: (scene.share, scene) for scene in SCENES} | {NAME: (SHARE, None)}
    both = not args.only and not args.trial
    chosen = {name: scene for name, scene in scenes.items() if both or name in args.only}
    shares, bar = [share for share, _ in chosen.values()], Bar(args.kills)
    rows, trials = list[dict[str, Any]](), list[dict[str, Any]]()
    with tempfile.TemporaryDirectory() as made:
        place, until = args.keep or Path(made), started + args.minutes * 60
        for (name, (_, scene)), kills in zip(
            chosen.items(), shared(args.kills, shares), strict=True
        ):
            bed = Bed(place / name.replace(" ", "-"), random.Random(f"{args.seed} {name}"))
            rows.append(played(name, scene, bed, kills, bar.scene(name), until))
            print(table(rows[-1:]).partition("\n")[2], file=sys.stderr, flush=True)
        chosen_trials = TRIALS if both else {name: TRIALS[name] for name in args.trial}
        trials = list(tried(place, chosen_trials))
    told = figures(args, rows, trials) | {"minutes": round((time.monotonic() - started) / 60, 1)}
    if not args.json:
        print("\n\n".join(filter(None, (rows and table(rows), tried_table(trials)))))
        print(f"\n{told['kills']} random kills: {told['lost']} rows lost,"
              f" {told['doubled']} doubled, {told['different']} different")  # fmt: skip
    print(json.dumps(told))
    return 0 if told["right"] else 1


if __name__ == "__main__":
    sys.exit(main())
