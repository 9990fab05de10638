"""The second stage: what an answer is worth as TRL asks for it, and the rows as TRL takes them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from overpaint.models.trained import Running
from overpaint.training.reasoner_data import Row
from overpaint.training.reasoner_pictures import shown
from overpaint.training.reasoner_settings import Settings
from overpaint.training.reward import Truth, rewards

Worth = Callable[..., list[float]]  # of answers, with the columns of their rows, as TRL asks


def milde_worth(
    completions: Sequence[Any], edit: Sequence[bool], reference: Sequence[str], **more: Any
) -> list[float]:
    """The reward of each answer, as TRL asks for it."""
    said = [answer if isinstance(answer, str) else answer[0]["content"] for answer in completions]
    truths = [Truth(*one) for one in zip(edit, reference, strict=True)]
    return [one.total for one in rewards(said, truths)]


def dataset(rows: Sequence[Row], running: Running, settings: Settings) -> Any:
    """The rows as TRL takes them; pictures are drawn when a row is looked at."""
    from datasets import Dataset

    pictures = 2 if settings.sees else 0
    told = [
        {"prompt": running.conversation(row.question, pictures), "edit": row.truth.edit,
         "reference": row.truth.prompt, "row": at}
        for at, row in enumerate(rows)
    ]  # fmt: skip
    made = Dataset.from_list(told)
    return made.with_transform(_with_pictures(rows, settings)) if settings.sees else made


def _with_pictures(rows: Sequence[Row], settings: Settings) -> Callable[[Any], Any]:
    def look(batch: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
        return {**batch, "images": [shown(rows[at], settings.pixels) for at in batch["row"]]}

    return look
