"""Tiny random models of other makes than Qwen's: Idefics3 (SmolVLM's) and LLaVA."""

import json
from pathlib import Path
from typing import Any

from overpaint.testing.tiny import CHAT, text_sizes, tokenizer_of, write_model

PICTURE = "<image>"
MARKS = ("<fake_token_around_image>", PICTURE, "<end_of_utterance>", "<global-img>")
VISION = {
    "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "image_size": 56, "patch_size": 14, "initializer_range": 0.1,
}  # fmt: skip


def tiny_idefics(folder: Path) -> Path:
    """An Idefics3, whose projector stands beside both towers."""
    from transformers import Idefics3Config, Idefics3ForConditionalGeneration

    tokenizer = _tokenizer()
    config = Idefics3Config(
        text_config=text_sizes(tokenizer) | {"model_type": "llama"}, vision_config=VISION,
        scale_factor=2, image_token_id=tokenizer.convert_tokens_to_ids(PICTURE),
        tie_word_embeddings=True,
    )  # fmt: skip
    write_model(Idefics3ForConditionalGeneration, config, folder)
    side = {"longest_edge": 56}
    pictures = {"image_processor_type": "Idefics3ImageProcessor", "size": side,
                "max_image_size": side, "do_image_splitting": False}  # fmt: skip
    return _written(folder, tokenizer, pictures, {"image_seq_len": 4})


def tiny_llava(folder: Path) -> Path:
    """A LLaVA, which never reads the last layer of its vision tower."""
    from transformers import LlavaConfig, LlavaForConditionalGeneration

    tokenizer = _tokenizer()
    config = LlavaConfig(
        text_config=text_sizes(tokenizer) | {"model_type": "llama"},
        vision_config=VISION | {"model_type": "clip_vision_model"}, vision_feature_layer=-2,
        image_token_id=tokenizer.convert_tokens_to_ids(PICTURE), image_seq_length=16,
    )  # fmt: skip
    write_model(LlavaForConditionalGeneration, config, folder)
    side = {"height": 56, "width": 56}
    pictures = {"image_processor_type": "CLIPImageProcessor", "size": {"shortest_edge": 56},
                "crop_size": side}  # fmt: skip
    more = {"patch_size": 14, "vision_feature_select_strategy": "default",
            "num_additional_image_tokens": 1}  # fmt: skip
    return _written(folder, tokenizer, pictures, more)


def _tokenizer() -> Any:
    tokenizer = tokenizer_of()
    tokenizer.add_tokens(list(MARKS), special_tokens=True)
    shown = "<|vision_start|><|image_pad|><|vision_end|>"
    tokenizer.chat_template = CHAT.strip("\n").replace(shown, PICTURE)
    return tokenizer


def _written(
    folder: Path, tokenizer: Any, pictures: dict[str, Any], more: dict[str, Any]
) -> Path:  # fmt: skip
    tokenizer.save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(pictures))
    (folder / "processor_config.json").write_text(json.dumps(more))
    return folder
