"""What an answer about one layer is worth: MiLDE's reward, equations 5 and 6.

    r_f   1 if the answer has the form, which `read_decision` reads
    r_d   1 if the decision is right
    r_p   BLEU of the prompt with the reference, `bleu4` on lower-cased words
    R     (r_f + r_d + r_p) / 3 where the decision is right, (r_f + r_d) / 2 where it is wrong

A layer that is rightly kept has no prompt to compare: r_p is 1 if none was written, else 0. Where
the decision cannot be read, r_f and r_d are 0. It can be read where the tags stand as the form has
them and one of the two decisions stands in its place. That an answer keeps a layer and yet says how
to edit it, or edits it and does not say how, makes the form wrong and leaves the decision readable.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from overpaint.editors.agent.deciding import Form, read_form
from overpaint.errors import Unreadable
from overpaint.measures.text import bleus


@dataclass(frozen=True)
class Truth:
    """What is right for a layer."""

    edit: bool
    prompt: str = ""  # how it is edited; empty for a layer that is kept


@dataclass(frozen=True)
class Reward:
    """The three parts, each from 0 to 1."""

    form: float
    decision: float
    prompt: float

    @property
    def total(self) -> float:
        """R; where the decision is wrong the prompt does not count."""
        if not self.decision:
            return (self.form + self.decision) / 2
        return (self.form + self.decision + self.prompt) / 3


def reward(reply: str, truth: Truth) -> Reward:
    """What one answer is worth."""
    return rewards([reply], [truth])[0]


def rewards(replies: Sequence[str], truths: Sequence[Truth]) -> list[Reward]:
    """What each answer is worth; the same as one by one, and faster."""
    forms = [_form(reply) for reply in replies]
    pairs = list(zip(forms, truths, strict=True))
    compared = [
        (at, form.prompt, truth.prompt) for at, (form, truth) in enumerate(pairs)
        if form and form.edit and truth.edit and form.prompt
    ]  # fmt: skip
    mine = [prompt.lower() for _, prompt, _ in compared]
    likeness = bleus(mine, [reference.lower() for _, _, reference in compared])
    bleu = dict(zip((at for at, _, _ in compared), likeness, strict=True))
    return [_reward(form, truth, bleu.get(at, 0.0)) for at, (form, truth) in enumerate(pairs)]


def _form(reply: str) -> Form | None:
    try:
        return read_form(reply)
    except Unreadable:
        return None


def _reward(form: Form | None, truth: Truth, bleu: float) -> Reward:
    if form is None:
        return Reward(0.0, 0.0, 0.0)
    valid = bool(form.prompt) if form.edit else form.prompt is None
    right = form.edit == truth.edit
    kept = float(right and not form.edit and form.prompt is None)
    return Reward(float(valid), float(right), bleu if truth.edit else kept)
