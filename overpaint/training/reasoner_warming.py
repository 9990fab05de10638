"""The first stage: right answers are shown, and only their tokens are learned.

TRL's SFTTrainer reckons the likelihood of every token of the vocabulary at every place, the
question's too; with a small model and short answers that is two thirds of the time. Here answers
stand at the right end of a row, and the model is asked for its last places alone.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from overpaint.models.trained import Running
from overpaint.training.reasoner_data import Row
from overpaint.training.reasoner_pictures import shown

_AHEAD = 8  # batches among which rows are put together by length


def batched(rows: Sequence[Row], batch: int, seed: int) -> list[Row]:
    """The rows in an order in which those of about one length stand together: little padding."""
    chance, found = Random(seed), list[Row]()
    for start in range(0, len(rows), _AHEAD * batch):
        some = sorted(rows[start : start + _AHEAD * batch], key=lambda row: len(row.question))
        parts = [some[at : at + batch] for at in range(0, len(some), batch)]
        whole = [part for part in parts if len(part) == batch]
        found += [row for part in chance.sample(whole, len(whole)) for row in part]
        found += [row for part in parts if len(part) < batch for row in part]
    return found


def warm_trainer(
    running: Running, rows: Sequence[Row], args: Any, *, pixels: int, callbacks: Sequence[Any]
) -> Any:
    """A trainer that shows these rows in their order."""
    import torch
    from transformers import Trainer

    class Warming(Trainer):  # type: ignore[misc]
        def compute_loss(
            self, model: Any, inputs: Any, return_outputs: bool = False, **more: Any
        ) -> Any:
            answered = inputs.pop("answered")
            labels = inputs["input_ids"][:, -int(answered.max()) :]
            logits = model(**inputs, logits_to_keep=labels.shape[1] + 1).logits
            logits = logits[:, -labels.shape[1] - 1 : -1]
            places = torch.arange(labels.shape[1], 0, -1, device=labels.device)
            told = places[None] <= answered[:, None]
            loss = torch.nn.functional.cross_entropy(logits[told].float(), labels[told])
            return (loss, {}) if return_outputs else loss

    trainer = Warming(
        model=running.model, args=args, train_dataset=_Rows(rows), callbacks=list(callbacks),
        data_collator=_Batches(running, pixels if _sees(running) else 0),
    )  # fmt: skip
    trainer.model_accepts_loss_kwargs = False  # the loss is a mean, not a sum over all devices
    return trainer


def _sees(running: Running) -> bool:
    return running.tokenizer is not running.processor


class _Rows:
    """The rows as a trainer takes them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, at: int) -> Row:
        return self._rows[at]


class _Batches:
    """Makes tensors of rows: questions with their answers, at the right end."""

    def __init__(self, running: Running, pixels: int) -> None:
        self._running, self._pixels = running, pixels

    def __call__(self, rows: Sequence[Row]) -> dict[str, Any]:
        import torch

        end = self._running.tokenizer.eos_token
        answers = [row.answer + end for row in rows]
        pictures = 2 if self._pixels else 0
        texts = [self._running.chat(row.question, pictures) for row in rows]
        told: dict[str, Any] = {
            "text": [text + answer for text, answer in zip(texts, answers, strict=True)],
            "return_tensors": "pt", "padding": True, "add_special_tokens": False,
        }  # fmt: skip
        if self._pixels:
            told["images"] = [shown(row, self._pixels) for row in rows]
        inputs = dict(self._running.processor(**told))
        inputs["answered"] = torch.tensor([self._running.length(one) for one in answers])
        return inputs
