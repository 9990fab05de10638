"""Instructions in a persona's voice: asked for, checked, and asked for again with what was lost."""

from dataclasses import dataclass
from random import Random

from overpaint.engines.milde.asking import Asker
from overpaint.engines.refblend.instructions import Instruction, faults, personas
from overpaint.errors import Unreadable

RUBRIC = "multiref_persona"
TRIES = 3


@dataclass(frozen=True)
class Rewritten:
    """What became of an instruction: a text, or what every attempt had wrong."""

    text: str  # "": the structured form stands
    attempts: int
    faults: tuple[str, ...] = ()  # of the last attempt


def persona(seed: str, number: int = 0) -> str:
    """The persona that the seed draws; other numbers draw others."""
    known = list(personas())
    Random(f"{seed}:persona").shuffle(known)
    return known[number % len(known)]


def rewritten(asker: Asker, instruction: Instruction, voice: str) -> Rewritten:
    """The instruction in that voice, or why it cannot be had."""
    wrong: tuple[str, ...] = ()
    for turn in range(TRIES):
        slots = {"instruction": instruction.text, "persona": voice, "lost": "; ".join(wrong)}
        try:
            said = asker.answer(RUBRIC, (), slots, turn=turn)["instruction"]
        except Unreadable as error:
            wrong = (str(error),)
            continue
        text = " ".join(said.split())
        wrong = faults(instruction, text)
        if not wrong:
            return Rewritten(text, turn + 1)
    return Rewritten("", TRIES, wrong)
