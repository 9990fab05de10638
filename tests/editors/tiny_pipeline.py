"""A diffusion pipeline of a few thousand random weights, for tests only: it edits, but badly."""

import json
from pathlib import Path


def write_tiny(folder: Path, *, edits: bool = True) -> Path:
    """An InstructPix2Pix pipeline, or one from text to images, written as diffusers writes them."""
    import torch
    from diffusers import (
        AutoencoderKL,
        DDIMScheduler,
        StableDiffusionInstructPix2PixPipeline,
        StableDiffusionPipeline,
        UNet2DConditionModel,
    )
    from transformers import CLIPTextConfig, CLIPTextModel

    torch.manual_seed(0)
    unet = UNet2DConditionModel(
        block_out_channels=(8, 16), layers_per_block=1, sample_size=8,
        in_channels=8 if edits else 4,
        out_channels=4, norm_num_groups=4, cross_attention_dim=16, attention_head_dim=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
    )  # fmt: skip
    vae = AutoencoderKL(
        block_out_channels=(8, 16), latent_channels=4, norm_num_groups=4, layers_per_block=1,
        down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2,
    )  # fmt: skip
    tokenizer = _tokenizer(folder)
    last = len(tokenizer)
    config = CLIPTextConfig(
        hidden_size=16, intermediate_size=32, num_attention_heads=2, num_hidden_layers=1,
        vocab_size=last, max_position_embeddings=16, bos_token_id=last - 2, eos_token_id=last - 1,
        pad_token_id=last - 1,
    )  # fmt: skip
    kind = StableDiffusionInstructPix2PixPipeline if edits else StableDiffusionPipeline
    pipeline = kind(
        vae=vae, text_encoder=CLIPTextModel(config), tokenizer=tokenizer, unet=unet,
        scheduler=DDIMScheduler(steps_offset=1, clip_sample=False), safety_checker=None,
        feature_extractor=None, requires_safety_checker=False,
    )  # fmt: skip
    pipeline.save_pretrained(folder / "tiny")
    return folder / "tiny"


def _tokenizer(folder: Path):  # type: ignore[no-untyped-def]
    """A tokenizer that knows the letters a to z and no more."""
    from transformers import CLIPTokenizer

    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    words = [*letters, *(f"{letter}</w>" for letter in letters)]
    vocabulary = {word: n for n, word in enumerate([*words, "<|startoftext|>", "<|endoftext|>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    return CLIPTokenizer(
        vocab=str(folder / "vocab.json"),
        merges=str(folder / "merges.txt"),
        model_max_length=16,
    )
