"""Models trained here, run by transformers: greedy, on a GPU where there is one.

A folder that `overpaint train reasoner` wrote is asked as `local/FOLDER`. The base model is the
packaged SmolLM2, a folder or a hub id; the folder's adapter goes on top.
"""

import base64
import functools
import io
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext, redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overpaint import weights
from overpaint.errors import Unavailable, UserMistake
from overpaint.models import Reply
from overpaint.models.trained_card import FILE, TrainedCard, read_card
from overpaint.models.vlm import (
    SAFE,
    be_quiet,
    fingerprint,
    first_line,
    libraries,
    load_base,
    plain_words,
    processor_of,
    refuse_adapter,
    usual_device,
    with_adapter,
)

SMOLLM2 = "smollm2"
START = "<think>"  # how every answer in the form begins
_ONE_AT_A_TIME = threading.RLock()


class Trained:
    """The model in a folder; loaded when first asked, once a process, and safe among threads."""

    def __init__(self, folder: Path) -> None:
        self.card = read_card(folder)

    def ask(
        self,
        prompt: str,
        pictures: Sequence[object] = (),
        schema: Mapping[str, Any] | None = None,
        *,
        turn: int = 0,
    ) -> Reply:
        """The reply, the same at every turn; it knows one form of answer, and no schema."""
        name = f"local/{self.card.folder}"
        if schema is not None or bool(pictures) != self.card.sees:
            what = "answers in one form only" if schema is not None else (
                "was trained with pictures" if self.card.sees else "sees no pictures")  # fmt: skip
            raise Unavailable(f"{name} {what}.", "", "Ask it as a reasoner: agent:" + name)
        started = time.monotonic()
        with _ONE_AT_A_TIME:
            running = _running(self.card)
            shown = [[_picture(part, self.card.pixels) for part in pictures]] if pictures else None
            text = answers(running, [prompt], shown, longest=self.card.longest)[0]
            used = running.length(prompt), running.length(text)
        return Reply(text, *used, 0.0, time.monotonic() - started)


# ── loading ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Running:
    """A model in memory, and what turns words (and pictures) into its numbers."""

    model: Any
    processor: Any  # of a model that sees; a tokenizer otherwise

    @property
    def tokenizer(self) -> Any:
        """What takes text apart."""
        return getattr(self.processor, "tokenizer", self.processor)

    def length(self, text: str) -> int:
        """Tokens of a text."""
        return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def chat(self, prompt: str, pictures: int = 0) -> str:
        """The prompt as the model's own chat template puts it, ready for the answer."""
        return str(
            self.processor.apply_chat_template(
                self.conversation(prompt, pictures), tokenize=False, add_generation_prompt=True
            )
        )

    def conversation(self, prompt: str, pictures: int = 0) -> list[dict[str, Any]]:
        """What is said before the answer; pictures stand before the words.

        Of a text its first paragraph, which says what to do, is the system's turn where the model
        knows one: templates such as SmolLM2's put a longer text of their own there otherwise.
        """
        prompt = plain_words(self.processor, prompt)
        if pictures:
            parts: list[dict[str, Any]] = [{"type": "image"} for _ in range(pictures)]
            return [{"role": "user", "content": [*parts, {"type": "text", "text": prompt}]}]
        job, _, rest = prompt.partition("\n\n")
        if not rest or "system" not in str(self.tokenizer.chat_template):
            return [{"role": "user", "content": prompt}]
        return [{"role": "system", "content": job}, {"role": "user", "content": rest.strip()}]


def base_model(name: str, *, sees: bool, half: bool, revision: str | None = None) -> Running:
    """A model to train or to put an adapter on: "smollm2", a folder, or a hub id."""
    torch, _ = libraries()
    # Numbers of half the length are for processors that reckon with them; adapters stay float32.
    dtype = torch.bfloat16 if half else torch.float32
    if sees:
        model = load_base(name, dtype=str(dtype).rpartition(".")[2], revision=revision)
        running = Running(model, processor_of(name, revision))
    else:
        running = _text_model(name, dtype, revision)
    running.tokenizer.padding_side = "left"
    if running.tokenizer.pad_token is None:
        running.tokenizer.pad_token = running.tokenizer.eos_token
    return running


def _text_model(name: str, dtype: Any, revision: str | None) -> Running:
    _, transformers = libraries()
    where, more = _where(name, transformers)
    if name != SMOLLM2:
        refuse_adapter(name, revision)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            where, revision=revision, gguf_file=more.get("gguf_file"), **SAFE
        )
        # Whoever unpacks a GGUF draws a bar of their own, which nothing turns off.
        with redirect_stderr(io.StringIO()) if name == SMOLLM2 else nullcontext():
            model = transformers.AutoModelForCausalLM.from_pretrained(
                where, dtype=dtype, revision=revision, **SAFE, **more
            )
    except (OSError, ValueError, KeyError) as error:
        raise UserMistake(
            f"The model {name!r} cannot be loaded: {first_line(error)}",
            "A model is smollm2, a folder with a transformers model, or a hub id.",
        ) from error
    if not tokenizer.chat_template:
        raise UserMistake(
            f"The model {name!r} has no chat template.",
            "A reasoner is asked and answers, so a chat or instruct model was expected.",
            "Name its instruct version.",
        )
    return Running(model, tokenizer)


def _where(name: str, transformers: Any) -> tuple[str, dict[str, Any]]:
    """What transformers loads, and how: SmolLM2 comes as a GGUF, unpacked when it is loaded."""
    if name != SMOLLM2:
        return name, {"use_safetensors": True}
    path = weights.find(SMOLLM2)
    unpacked = transformers.GgufConfig(dequantize=True)
    return str(path.parent), {"gguf_file": path.name, "quantization_config": unpacked}


@functools.lru_cache(maxsize=1)
def _running(card: TrainedCard) -> Running:
    """A trained model, loaded."""
    be_quiet()
    device = usual_device()
    half = device != "cpu"
    running = base_model(card.base, sees=card.sees, half=half, revision=card.revision)
    if fingerprint(running.model) != card.fingerprint:
        raise UserMistake(
            f"The model {card.base!r} is not the one that {card.folder} was trained from.",
            "An adapter fits the weights it was trained on, and no others.",
            f"Name the right one as `base` in {card.folder / FILE}.",
        )
    # The adapter melts into the weights: answers come quicker.
    model = with_adapter(running.model, card.folder, ("LORA",)).merge_and_unload()
    return Running(model.to(device).eval(), running.processor)


# ── asking ──────────────────────────────────────────────────────────────────────────────


def answers(
    running: Running,
    prompts: Sequence[str],
    pictures: Sequence[Sequence[Any]] | None = None,
    *,
    longest: int,
) -> list[str]:
    """What the model answers to each prompt, the likeliest token each time.

    Answers of the form begin with <think>; one that begins otherwise can never be read and is not
    written to its end.
    """
    import torch

    shown = [len(some) for some in pictures] if pictures else [0] * len(prompts)
    texts = [running.chat(text, count) for text, count in zip(prompts, shown, strict=True)]
    told = {"text": texts, "return_tensors": "pt", "padding": True, "add_special_tokens": False}
    if pictures:
        told["images"] = [list(some) for some in pictures]
    inputs = running.processor(**told).to(running.model.device)
    start = inputs["input_ids"].shape[1]
    with torch.no_grad():
        said = running.model.generate(
            **inputs, max_new_tokens=longest, do_sample=False, temperature=None, top_p=None,
            top_k=None, pad_token_id=running.tokenizer.pad_token_id,
            stopping_criteria=[_Hopeless(running.tokenizer, start)],
        )  # fmt: skip
    return [str(text) for text in
            running.tokenizer.batch_decode(said[:, start:], skip_special_tokens=True)]  # fmt: skip


class _Hopeless:
    """Ends answers that do not begin as the form does."""

    LOOK = 8  # tokens by which <think> has been written

    def __init__(self, tokenizer: Any, start: int) -> None:
        self._tokenizer, self._start = tokenizer, start

    def __call__(self, tokens: Any, scores: Any, **more: Any) -> Any:
        """Which answers need not go on."""
        import torch

        if tokens.shape[1] - self._start != self.LOOK:
            return torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)
        begun: Iterable[str] = self._tokenizer.batch_decode(
            tokens[:, self._start :], skip_special_tokens=True
        )
        told = [text.lstrip() for text in begun]
        hopeless = [not (text.startswith(START) or START.startswith(text)) for text in told]
        return torch.tensor(hopeless, device=tokens.device)


def _picture(part: Any, pixels: int) -> Any:
    """The picture in a part of a message, which holds it as the text of a data URL."""
    from PIL import Image

    data = base64.b64decode(part["image_url"]["url"].partition(",")[2])
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    return shrunk(picture, pixels)


def shrunk(picture: Any, pixels: int) -> Any:
    """The picture with a longer side of at most so many pixels, as models here are shown it."""
    from PIL import Image

    picture.thumbnail((pixels, pixels), Image.Resampling.LANCZOS)
    return picture
