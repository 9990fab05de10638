"""What can be said after `overpaint train evaluator`; imports nothing heavy."""

import argparse

from overpaint.cli.numbers import count, positive, whole
from overpaint.cli.training_options import rated_options

EXAMPLES = (
    "  overpaint train evaluator runs/ebench --ratings ratings.csv -o evaluator --dry-run\n"
    "  overpaint train evaluator runs/ebench --study first -o evaluator\n"
    "  overpaint train evaluator runs/released --opinions EBench -o evaluator\n"
    "  accelerate launch --num_processes 8 -m overpaint train evaluator runs/released \\\n"
    "      --opinions EBench -o evaluator"
)


def evaluator_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes; what is left out is as in LMM4Edit."""
    rated_options(parser, "the evaluator's folder; a training that was stopped there goes on")
    _model(parser.add_argument_group("the model"))
    _course(parser.add_argument_group("the course of training"))


def _model(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--base", metavar="MODEL",
        help="a chat model that sees, by hub id or folder (default Qwen/Qwen2.5-VL-7B-Instruct)",
    )  # fmt: skip
    group.add_argument("--name", help="as columns bear it (default lmm4edit)")
    group.add_argument(
        "--towers", choices=("both", "vision", "language"), help="where adapters sit (default both)"
    )
    group.add_argument(
        "--no-projector", dest="projector", action="store_const", const=False,
        help="leave what joins the towers as it is",
    )  # fmt: skip
    for what in ("vision-layers", "language-layers", "projector-modules"):
        group.add_argument(
            f"--{what}", default="", metavar="PATTERN",
            help="of their names, where looking through the model finds the wrong ones",
        )  # fmt: skip
    group.add_argument("--adapter", choices=("adalora", "lora"), help="default adalora")
    group.add_argument(
        "--rank", type=count, help="of the adapters; AdaLoRA's on average, at the end (default 8)"
    )
    group.add_argument(
        "--first-rank", type=count, help="AdaLoRA's at the beginning (default 12, or half as much"
        " again as the rank)",
    )  # fmt: skip
    group.add_argument("--alpha", type=count, help="by which adapters are scaled (default 32)")
    group.add_argument(
        "--pixels", type=count, help="the most that is shown of a picture (default 262144: 512²)"
    )
    group.add_argument("--dtype", choices=("auto", "bfloat16", "float32"),
                       help="auto: bfloat16 on a GPU")  # fmt: skip


def _course(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--limit", type=count, metavar="N", help="learn from N edits only, and try it on as few"
    )
    group.add_argument(
        "--text-epochs", type=_some, metavar="N", help="of answers in words (default 1)"
    )
    group.add_argument("--score-epochs", type=positive, metavar="N", help="of scores (default 3)")
    group.add_argument("--rate", type=positive, help="at which it learns (default 1e-4)")
    group.add_argument(
        "--batch", type=count, help="questions a step, shared among all GPUs (default 16)"
    )
    group.add_argument(
        "--no-checkpointing", dest="checkpointing", action="store_const", const=False,
        help="keep all activations: more memory, less time",
    )  # fmt: skip
    group.add_argument(
        "--every", type=count, metavar="N", help="steps between checkpoints (default 100)"
    )
    group.add_argument("--seed", type=whole, default=0, help="of the split and the training")


def _some(text: str) -> float:
    return 0.0 if text == "0" else positive(text)
