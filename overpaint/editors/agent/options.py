"""How an agent is set up, from the words of its spec: who reasons, judges and paints."""

from dataclasses import dataclass
from functools import cache

from overpaint import catalog
from overpaint.errors import UserMistake
from overpaint.models.names import endpoint

RULES = "rules"
ROUNDS = 2  # of repair, at most, unless told otherwise
MOST_ROUNDS = 10
EXAMPLE = "For example: agent:rules;checks=2;joint=yes;image=images:openai/gpt-image-1"


@dataclass(frozen=True)
class Options:
    """Who decides, whether decisions are settled jointly, how often the result is repaired."""

    reasoner: str = RULES  # or a model's name
    rounds: int = ROUNDS
    joint: bool = True
    judge: str = ""  # a model that looks at the result as well
    image: str = ""  # the spec of the editor for what pictures show

    @property
    def models(self) -> tuple[str, ...]:
        """Whom it asks."""
        return tuple(name for name in (self.reasoner, self.judge) if name not in ("", RULES))


@cache
def read_options(argument: str) -> Options:
    """The options in `REASONER;checks=2;joint=yes;judge=MODEL;image=EDITOR`, checked.

    An image editor's own options may follow it, so it comes last.
    """
    before, _, image = argument.partition("image=")
    reasoner, *parts = before.rstrip("; ").split(";")
    told = {"checks": str(ROUNDS), "joint": "yes", "judge": ""}
    for name, _, value in (part.strip().partition("=") for part in parts):
        if name not in told:
            raise UserMistake(
                f"The agent has no option {name!r}.", f"It has {', '.join(told)}, image.", EXAMPLE
            )
        told[name] = value
    chosen = Options(
        reasoner.strip() or RULES, _count(told["checks"]), _yes(told["joint"]), told["judge"],
        image.strip(),
    )  # fmt: skip
    for name in chosen.models:
        endpoint(name)  # a wrong one is found out now
    if chosen.image:
        catalog.editor(chosen.image)
    return chosen


def _count(words: str) -> int:
    if not (words.isdecimal() and int(words) <= MOST_ROUNDS):
        raise UserMistake(
            f"checks is {words!r}.", f"A number from 0 to {MOST_ROUNDS} was expected.", EXAMPLE
        )
    return int(words)


def _yes(word: str) -> bool:
    if word not in ("yes", "no"):
        raise UserMistake(f"joint is {word!r}.", "yes or no was expected.", EXAMPLE)
    return word == "yes"
