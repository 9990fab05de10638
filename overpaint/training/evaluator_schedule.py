"""What is learned when: the steps of both stages, their rates, and the questions of each step.

All of it follows from the step's number and the seed, so that a training that was stopped goes on
with what it would have learned next, on however many GPUs.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from overpaint.errors import UserMistake
from overpaint.training.evaluator_settings import SCORES, TEXT, Data, Settings, Stage

FEWEST_STEPS = 4  # with which AdaLoRA can look, take ranks away, and go on with those left
# AdaLoRA looks for a while before it takes ranks away, and ends with those that are left.
LOOKING, SETTLED = 0.15, 0.4  # of all steps
ALLOCATIONS = 100  # how often ranks are given anew, at most


@dataclass(frozen=True)
class Schedule:
    """The steps of both stages."""

    questions: int
    words: int
    scores: int
    settings: Settings

    @property
    def total(self) -> int:
        """Steps in all."""
        return self.words + self.scores

    def place(self, step: int) -> tuple[Stage, int, int]:
        """The stage of a step (from 0 on), how many of its steps are done, and how many it has."""
        if step < self.words:
            return TEXT, step, self.words
        return SCORES, step - self.words, self.scores

    def rate(self, step: int) -> float:
        """Rising while a stage warms up, then falling with a cosine to nothing."""
        _, done, steps = self.place(step)
        warm = math.ceil(self.settings.warm_up * steps)
        if done < warm:
            return self.settings.rate * (done + 1) / warm
        return self.settings.rate * (1 + math.cos(math.pi * (done - warm) / (steps - warm))) / 2

    def asked(self, step: int) -> list[int]:
        """The questions of a step, by number: each epoch has all of them in an order of its own."""
        stage, done, _ = self.place(step)
        first = done * self.settings.batch
        return [
            _order(self.questions, f"{stage} {at // self.questions} {self.settings.seed}")[
                at % self.questions
            ]
            for at in range(first, first + self.settings.batch)
        ]

    def ranks(self) -> dict[str, int]:
        """When AdaLoRA takes ranks away, as PEFT has it."""
        changing = self.total - int(SETTLED * self.total) - int(LOOKING * self.total)
        return {
            "total_step": self.total, "tinit": int(LOOKING * self.total),
            "tfinal": int(SETTLED * self.total), "deltaT": max(1, changing // ALLOCATIONS),
        }  # fmt: skip


@lru_cache(maxsize=2)
def _order(count: int, which: str) -> list[int]:
    order = list(range(count))
    Random(f"order {which}").shuffle(order)
    return order


def schedule_of(data: Data, settings: Settings) -> Schedule:
    """The steps that the data and the settings make."""
    count = len(data.questions)
    words, scores = (
        math.ceil(epochs * count / settings.batch)
        for epochs in (settings.text_epochs, settings.score_epochs)
    )
    if settings.adapter == "adalora" and words + scores < FEWEST_STEPS:
        raise UserMistake(
            f"{count:,} questions, {settings.batch} a step, make {words + scores} steps.",
            f"AdaLoRA needs {FEWEST_STEPS} or more to tell which ranks are of use.",
            "Give a smaller batch or more epochs, or take LoRA.",
        )
    return Schedule(count, words, scores, settings)
