"""Tiny models with random weights, for tests of training: they know nothing, load like real ones.

Each is written to a folder as transformers writes its own, with a tokenizer that is built on the
spot, so that the code that loads Qwen2.5-VL or SmolLM2 from a hub loads these as well.
"""

import json
from pathlib import Path
from typing import Any

from overpaint.models.vlm import libraries, processor_of

VOCABULARY = 512
SPECIAL = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>",
    "<|image_pad|>", "<|video_pad|>",
)  # fmt: skip
# What the tokenizer knows as whole words: its merges are learned from this text alone.
WORDS = """
system user assistant The edited picture comes first, the source picture second. The instruction
was: replace remove add change the text of the layer to. How good is the quality? How well was the
instruction followed, and how much of the rest was preserved? The quality score is 48. The alignment
score is 71. The preservation score is 35. Answer with a number from 0 to 100. Was the edit done as
asked? Answer with Yes or No. Yes. No. Edit this layer. Don't Edit. {"layer": 1, "decision": "Edit"}
title photo background logo button price date name colour red green blue white black large small
"""
CHAT = """
{%- for message in messages -%}
<|im_start|>{{ message['role'] }}
{% if message['content'] is string -%}
{{ message['content'] }}
{%- else -%}
{%- for part in message['content'] -%}
{%- if part['type'] == 'image' -%}<|vision_start|><|image_pad|><|vision_end|>
{%- else -%}{{ part['text'] }}{%- endif -%}
{%- endfor -%}
{%- endif -%}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}
"""


def tiny_vlm(folder: Path, *, seed: int = 0) -> Path:
    """Write a random Qwen2.5-VL of about 150,000 parameters to the folder, which is given back."""
    _library()
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    tokenizer = tokenizer_of()
    ids = dict(zip(SPECIAL, tokenizer.convert_tokens_to_ids(list(SPECIAL)), strict=True))
    text = text_sizes(tokenizer) | {
        "rope_parameters": {
            "rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [2, 1, 1],
        },
    }  # fmt: skip
    vision = {
        "depth": 2, "hidden_size": 32, "intermediate_size": 64, "num_heads": 4,
        "out_hidden_size": text["hidden_size"], "fullatt_block_indexes": [1],
        "initializer_range": 0.1,
    }  # fmt: skip
    config = Qwen2_5_VLConfig(
        text_config=text, vision_config=vision, tie_word_embeddings=True,
        image_token_id=ids["<|image_pad|>"], video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"], vision_end_token_id=ids["<|vision_end|>"],
    )  # fmt: skip
    write_model(Qwen2_5_VLForConditionalGeneration, config, folder, seed)
    tokenizer.save_pretrained(folder)
    pixels = {"shortest_edge": 56 * 56, "longest_edge": 56 * 56}
    facts = {"image_processor_type": "Qwen2VLImageProcessor", "size": pixels}
    (folder / "preprocessor_config.json").write_text(json.dumps(facts, indent=2))
    processor_of(str(folder))  # what cannot be loaded again is not handed out
    return folder


def tiny_text(folder: Path, *, seed: int = 0) -> Path:
    """Write a random Llama of about 40,000 parameters to the folder, which is given back."""
    _library()
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = tokenizer_of()
    config = LlamaConfig(**text_sizes(tokenizer), tie_word_embeddings=True)
    write_model(LlamaForCausalLM, config, folder, seed)
    tokenizer.save_pretrained(folder)
    return folder


def _library() -> None:
    """Load what models are made of; its bars on the screen would be longer than the models."""
    libraries()
    from transformers.utils import logging

    logging.disable_progress_bar()


def text_sizes(tokenizer: Any) -> dict[str, Any]:
    """The sizes of a tiny language model with this tokenizer."""
    return {
        "vocab_size": len(tokenizer), "hidden_size": 32, "intermediate_size": 64,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
        "max_position_embeddings": 4096, "initializer_range": 0.1,
        "bos_token_id": None, "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }  # fmt: skip


def write_model(kind: Any, config: Any, folder: Path, seed: int = 0) -> None:
    """Weights drawn with the seed, and without touching the random numbers of the caller."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        kind(config).save_pretrained(folder)


def tokenizer_of() -> Any:
    """Bytes, and some merges: any text can be told, and ours in few tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=list(SPECIAL), show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    made.train_from_iterator(WORDS.splitlines(), trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>",
        extra_special_tokens=[SPECIAL[1], *SPECIAL[3:]],
        chat_template=CHAT.strip("\n"), padding_side="left",
    )  # fmt: skip
