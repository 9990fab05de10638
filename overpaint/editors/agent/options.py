"""How an agent is set up, from the words of its spec: who reasons, judges and paints."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from overpaint import catalog
from overpaint.editors.options import Reader, given, one_of, whole
from overpaint.errors import UserMistake
from overpaint.models.names import endpoint

RULES = "rules"
ROUNDS = 2  # of repair, at most, unless told otherwise
MOST_ROUNDS = 10


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

    The reasoner may be left out. An image editor's own options may follow it, so it comes last.
    """
    before, _, image = f";{argument}".partition(";image=")
    told = before.removeprefix(";")
    head = told.split(";")[0]
    if re.match(r"\s*judge\s*=", head) or ("=" in head and "/" not in head):  # as no model is
        told = f";{told}"
    found = given(told, "agent", _READ)
    more = {name: found.options[name] for name in found.options if name != "checks"}
    rounds = found.options.get("checks", ROUNDS)
    chosen = Options(found.head or RULES, rounds, **more, image=image.strip())
    for name in chosen.models:
        endpoint(name)  # a wrong one is found out now
    if chosen.image:
        painter = catalog.editor(chosen.image)
        if getattr(painter, "sees_target", False) or hasattr(painter, "traced"):
            raise UserMistake(
                f"{chosen.image} cannot paint a layer.",
                "An editor of pictures was expected: images, diffusers, comfyui, command or your"
                " own.",
            )
    return chosen


def _yes(text: str) -> bool:
    found: str = one_of("yes", "no")(text)
    return found == "yes"


# `image` is read before them all; it stands here to be named where an option is not known.
_READ: Mapping[str, Reader] = {
    "checks": whole(0, MOST_ROUNDS), "joint": _yes, "judge": str, "image": str,
}  # fmt: skip
