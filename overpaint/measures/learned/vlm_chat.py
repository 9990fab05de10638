"""What a vision-language evaluator is asked, and how pictures and words become its inputs.

The order is LMM4Edit's: edited picture, source picture, instruction, dimension asked for. Scores
are read at the token just before the number, so a question for a score ends with the words that
lead up to it. The prompts are our own, in a dated file; a changed prompt is a new file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from overpaint.document import Document
from overpaint.errors import UserMistake
from overpaint.models.vlm import plain_words

PROMPT = "2026-11-18-evaluator"
OPENING, SCORE, QUESTION, ANSWER = "Opening", "score", "question", "Answer:"
YES, NO = "Yes", "No"
_SECTION = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Asked:
    """One question about an edit."""

    source: Document
    output: Document
    instruction: str
    dimension: str
    yes_no: bool = False


@dataclass(frozen=True)
class Chat:
    """Turns questions into a model's inputs."""

    processor: Any
    pixels: int  # the most that is shown of a picture; larger ones are made smaller
    prompt: str = PROMPT

    def inputs(self, asked: Asked, answer: str = "", *, ended: bool = False) -> dict[str, Any]:
        """Tensors for one question, and for the words of its answer as far as they are given."""
        opening = self.processor.apply_chat_template(
            [{"role": "user", "content": self._content(asked)}],
            add_generation_prompt=True, tokenize=False,
        )  # fmt: skip
        pictures = [shown(asked.output, self.pixels), shown(asked.source, self.pixels)]
        made = self.processor(text=[opening], images=[pictures], return_tensors="pt")
        return self._continued(dict(made), self.answer_ids(answer, ended=ended))

    def answer_ids(self, answer: str, *, ended: bool = False) -> list[int]:
        """The tokens of an answer: the words before a score by themselves, then the score."""
        tokenizer = self.processor.tokenizer
        lead, number = _led(answer)
        ids: list[int] = []
        for words in (lead, number):
            ids += tokenizer(words, add_special_tokens=False).input_ids if words else []
        return [*ids, tokenizer.eos_token_id] if ended else ids

    def yes_and_no(self) -> tuple[int, int]:
        """The tokens by which a yes and a no begin."""
        yes, no = (self.answer_ids(word)[0] for word in (YES, NO))
        return yes, no

    def _content(self, asked: Asked) -> list[dict[str, str]]:
        words = plain_words(self.processor, question(asked, self.prompt))
        return [{"type": "image"}, {"type": "image"}, {"type": "text", "text": words}]

    @staticmethod
    def _continued(made: dict[str, Any], ids: list[int]) -> dict[str, Any]:
        """Inputs with more tokens of plain text at their end."""
        import torch

        length = made["input_ids"].shape
        for name, value in made.items() if ids else ():
            if getattr(value, "shape", None) != length:
                continue
            new = ids if name == "input_ids" else [int(name == "attention_mask")] * len(ids)
            made[name] = torch.cat([value, torch.tensor([new], dtype=value.dtype)], dim=1)
        return made


def shown(document: Document, pixels: int) -> Any:
    """A document as the model sees it: flat, and of at most so many pixels.

    A copy is looked at, for a document keeps what was decoded and thousands of them are shown.
    """
    from PIL import Image

    picture = Image.fromarray(replace(document).rgb)
    wide, high = picture.size
    if wide * high <= pixels:
        return picture
    shrunk = (pixels / (wide * high)) ** 0.5
    size = max(1, int(wide * shrunk)), max(1, int(high * shrunk))
    return picture.resize(size, Image.Resampling.LANCZOS)


# ── the words ───────────────────────────────────────────────────────────────────────────


def question(asked: Asked, prompt: str = PROMPT) -> str:
    """The words that are asked."""
    words = _section(asked.dimension, asked.yes_no, prompt)[0]
    opening = _sections(prompt)[OPENING][0]
    return f"{opening}\n\n{words}".replace("{instruction}", asked.instruction.strip())


def lead(dimension: str, prompt: str = PROMPT) -> str:
    """The words of an answer that come before the score."""
    return _section(dimension, False, prompt)[1]


def told(dimension: str, value: float, *, yes_no: bool, prompt: str = PROMPT) -> str:
    """The answer in words: a whole number, or yes or no."""
    if yes_no:
        return YES if value >= 0.5 else NO
    return f"{lead(dimension, prompt)} {value:.0f}."


def _section(dimension: str, yes_no: bool, prompt: str) -> tuple[str, str]:
    found = _sections(prompt)
    usual = QUESTION if yes_no else SCORE
    words, answer = found.get(dimension, found[usual])
    if bool(answer) == yes_no:  # a score where a question has that name, or the other way round
        words, answer = found[usual]
    return words.replace("{dimension}", dimension), answer.replace("{dimension}", dimension)


@lru_cache(maxsize=8)
def _sections(prompt: str) -> Mapping[str, tuple[str, str]]:
    """Of each section its words, and the words that lead up to a score."""
    place = files("overpaint.measures.learned") / "prompts" / f"{prompt}.md"
    if not re.fullmatch(r"[\w-]+", prompt) or not place.is_file():
        raise UserMistake(
            f"The evaluator was trained with the prompt {prompt!r}, which is not known here.",
            f"This version of Overpaint has {PROMPT}.",
            "Use the version that trained it, or train it again.",
        )
    parts = _SECTION.split(place.read_text(encoding="utf-8"))[1:]
    found = {}
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        words, _, answer = body.partition(ANSWER)
        found[name.strip()] = (words.strip(), answer.strip())
    return found


def _led(answer: str) -> tuple[str, str]:
    """An answer's words before its score, and the score with the space before it."""
    match = re.fullmatch(r"(.*?)( -?\d+\.)?", answer, re.DOTALL)
    assert match is not None  # it takes any text
    return match[1], match[2] or ""
