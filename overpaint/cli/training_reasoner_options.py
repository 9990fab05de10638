"""What can be said after `overpaint train reasoner`; imports nothing heavy."""

import argparse
from pathlib import Path

from overpaint.cli.numbers import count, positive, whole
from overpaint.cli.training_options import against_option

EXAMPLES = (
    "  overpaint train reasoner --dry-run\n"
    "  overpaint train reasoner -o runs/reasoner             SmolLM2 on designs drawn for it\n"
    "  overpaint train reasoner --data built -o runs/reasoner\n"
    "  overpaint train reasoner --base Qwen/Qwen2.5-VL-7B-Instruct --pictures --data built\n"
    '  overpaint edit poster.psd "make it a winter sale" --with agent:local/runs/reasoner'
)


def reasoner_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes; what is not said is as the recipe of SmolLM2 has it."""
    parser.add_argument("-o", "--out", type=Path, default=Path("runs/reasoner"),
                        help="the folder of the reasoner; the same command goes on where it"
                        " stopped (default runs/reasoner)")  # fmt: skip
    parser.add_argument("--data", type=Path, metavar="FOLDER",
                        help="a MiLDE set, as `overpaint build milde` writes it (default: designs"
                        " drawn for it, in English)")  # fmt: skip
    parser.add_argument("--base", metavar="MODEL",
                        help="smollm2 (the default), a folder, or a hub id of a chat model"
                        )  # fmt: skip
    parser.add_argument("--pictures", action="store_true",
                        help="show it the document and the layer; the model must see")  # fmt: skip
    parser.add_argument("--seed", type=whole, metavar="N")
    parser.add_argument("--workers", type=whole, default=0, metavar="N",
                        help="processes that look at layers")  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="print the plan and do nothing")
    against_option(parser)
    _sizes(parser.add_argument_group("how much"))
    _reward(parser.add_argument_group("GRPO"))
    _shape(parser.add_argument_group("the model"))


def _sizes(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--documents", type=count, metavar="N", help="drawn to learn from")
    group.add_argument("--validation", type=whole, metavar="N", help="documents to choose by")
    group.add_argument("--held-out", type=count, metavar="N", help="documents of the last table")
    group.add_argument("--warm-steps", type=whole, metavar="N", help="of the first stage")
    group.add_argument("--warm-batch", type=count, metavar="N", help="answers a step and device")
    group.add_argument("--warm-rate", type=positive, metavar="X", help="its learning rate")


def _reward(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--steps", type=whole, metavar="N", help="of the second stage")
    group.add_argument("--prompts", type=count, metavar="N", help="layers a step and device")
    group.add_argument("--rollouts", type=count, metavar="N", help="answers to each (5)")
    group.add_argument("--rate", type=positive, metavar="X", help="its learning rate")
    group.add_argument("--passes", type=count, metavar="N",
                       help="over the same answers (1); with one, nothing is clipped")  # fmt: skip
    group.add_argument("--epsilon", type=float, metavar="X", help="where ratios are clipped (0.2)")
    group.add_argument("--beta", type=float, metavar="X", help="weight of the KL term (0.02)")
    group.add_argument("--temperature", type=positive, metavar="X", help="of the answers (1.0)")
    group.add_argument("--at-once", type=count, metavar="N",
                       help="answers learned from at once, whole groups (10)")  # fmt: skip
    group.add_argument("--save-every", type=count, metavar="N", help="steps between checkpoints")


def _shape(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--rank", type=count, metavar="N", help="of the adapters (6)")
    group.add_argument("--alpha", type=count, metavar="N", help="their weight (12)")
    group.add_argument("--longest", type=count, metavar="N", help="tokens of an answer (96)")
    group.add_argument("--pixels", type=count, metavar="N", help="of a picture's longer side")
    group.add_argument("--full", dest="half", action="store_false", default=None,
                       help="float32 weights, for processors without bfloat16")  # fmt: skip
