"""A quiz for models on this machine: how far the scores of one can be believed.

Small language models see no pictures, so the probes of an audit are not for them; but a judge that
cannot tell "Friday" from "Monday" in plain words can judge nothing. The card is printed wherever
such a model is asked by name.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from overpaint.core import Desk
from overpaint.errors import OverpaintError, Unreadable
from overpaint.models import model, replies

QUESTIONS = (
    ("A sign said FRIDAY. Now it says MONDAY. Did the word change?", "yes"),
    ("A sign said FRIDAY. Now it says FRIDAY. Did the word change?", "no"),
    ("The word asked for was 'Monday'. The picture says 'Mnoday'. Is it spelt right?", "no"),
    ("The word asked for was 'Monday'. The picture says 'Monday'. Is it spelt right?", "yes"),
    ("Someone asked: delete the word FREE. The word FREE is still there. Was it done?", "no"),
    ("Someone asked: make the title red. The title is now red. Was it done?", "yes"),
    ("Someone asked: replace 5 by 7. The price is now 9. Was it done?", "no"),
    ("Are 'OPEN DAILY' and 'CLOSED TODAY' the same words?", "no"),
)
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
ASKING = 'Answer yes or no, as JSON: {"answer": "yes"} or {"answer": "no"}.'


@dataclass(frozen=True)
class Asked:
    """One question of the quiz, what would be right, and what was said."""

    question: str
    right: str
    said: str

    @property
    def passed(self) -> bool:
        """Whether that was right."""
        return self.said == self.right


def quiz(name: str, desk: Desk) -> Iterator[Asked]:
    """Ask the model every question; no answer is as wrong as a wrong one, and told apart."""
    asked = model(name, desk)
    for question, right in QUESTIONS:
        try:
            reply = asked.ask(f"{question} {ASKING}", (), SCHEMA)
            said = str(replies.parse(reply.text, SCHEMA).values["answer"])
        except Unreadable:
            said = "nothing that could be read"
        yield Asked(question, right, said)


def card(name: str, desk: Desk) -> str:
    """The card in plain lines, or why there is none."""
    try:
        found = list(quiz(name, desk))
    except OverpaintError as error:
        return f"{name} could not be tried: {error}"
    right = sum(one.passed for one in found)
    head = (
        f"{name}: {right} of {len(found)} simple questions answered rightly, where guessing gets"
        f" {len(found) // 2}. It sees no pictures. Its scores are to be read with that in mind."
    )
    wrong = [f"  {one.question}  It said {one.said}." for one in found if not one.passed]
    return "\n".join([head, *wrong])
