"""Networks of the published forms with tiny random weights, made on the spot for tests."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WORDS = ("person", "animal", "vehicle", "building", "plant", "food", "object", "red", "ball", "cat")


def needed(*names: str) -> None:
    for name in names or ("torch", "transformers", "safetensors"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not here: pip install 'overpaint[references]'")


def blobs(wide: int = 90, high: int = 60) -> np.ndarray:
    """A smooth picture that is not the same anywhere."""
    y, x = np.mgrid[:high, :wide]
    waves = [np.sin(x / 9 + k) + np.cos(y / 7 - k) for k in range(3)]
    return np.stack([np.uint8(127 + 60 * wave) for wave in waves], axis=2)


def bert_tokenizer(folder: Path) -> Any:
    """Words where BERT has its own: the full stop is token 1012, which Grounding DINO counts on."""
    from transformers import BertTokenizer

    vocabulary = [f"[unused{i}]" for i in range(1100)]
    for place, token in ((0, "[PAD]"), (100, "[UNK]"), (101, "[CLS]"), (102, "[SEP]"), (1012, ".")):
        vocabulary[place] = token
    vocabulary[1020 : 1020 + len(WORDS)] = WORDS
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    made = BertTokenizer(vocab={word: i for i, word in enumerate(vocabulary)})
    made.save_pretrained(folder)
    return made


def grounding_dino(folder: Path, seed: int = 1) -> Path:
    """A Grounding DINO of two layers that looks at pictures of 96 pixels."""
    import torch
    from transformers import BertConfig, GroundingDinoConfig, SwinConfig
    from transformers import GroundingDinoForObjectDetection as Model

    torch.manual_seed(seed)
    swin = SwinConfig(
        image_size=96, embed_dim=16, depths=[1, 1, 1, 1], num_heads=[1, 2, 2, 4], window_size=3,
        out_indices=[2, 3, 4],
    )  # fmt: skip
    bert = BertConfig(
        vocab_size=1100, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32,
    )  # fmt: skip
    config = GroundingDinoConfig(
        backbone_config=swin, text_config=bert, d_model=32, encoder_layers=1, decoder_layers=2,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=32,
        decoder_ffn_dim=32, num_queries=12, encoder_n_points=2, decoder_n_points=2,
    )  # fmt: skip
    model = Model(config)
    with torch.no_grad():  # boxes of several sizes and places, not twelve in the middle
        for head in model.bbox_embed:
            head.layers[-1].weight.normal_(std=0.4)
    model.save_pretrained(folder)
    bert_tokenizer(folder)
    size = {"shortest_edge": 96, "longest_edge": 160}
    (folder / "preprocessor_config.json").write_text(json.dumps({"size": size}))
    return folder


def sam2(folder: Path, seed: int = 2) -> Path:
    """A SAM 2 of a few blocks that looks at pictures of 64 pixels."""
    import torch
    from transformers import Sam2Config, Sam2HieraDetConfig, Sam2Model, Sam2VisionConfig

    torch.manual_seed(seed)
    backbone = Sam2HieraDetConfig(
        hidden_size=8, image_size=[64, 64], blocks_per_stage=[1, 1, 3, 1],
        embed_dim_per_stage=[8, 16, 32, 64], num_attention_heads_per_stage=[1, 1, 2, 2],
        window_size_per_stage=[8, 4, 4, 2], global_attention_blocks=[3],
        window_positional_embedding_background_size=[2, 2],
    )  # fmt: skip
    vision = Sam2VisionConfig(
        backbone_config=backbone, backbone_channel_list=[64, 32, 16, 8], fpn_hidden_size=32,
        backbone_feature_sizes=[[16, 16], [8, 8], [4, 4]],
    )  # fmt: skip
    config = Sam2Config(
        vision_config=vision,
        prompt_encoder_config={"hidden_size": 32, "image_size": 64, "patch_size": 16},
        mask_decoder_config={
            "hidden_size": 32, "mlp_dim": 32, "num_attention_heads": 2, "iou_head_hidden_dim": 32,
        },
    )  # fmt: skip
    model = Sam2Model(config)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:  # the usual start is so small that every mask is flat
                weight.normal_(std=1.2 / weight[0].numel() ** 0.5)
        model.mask_decoder.iou_prediction_head.proj_out.bias.fill_(0.6)  # some are sure
        for network in model.mask_decoder.output_hypernetworks_mlps:
            network.proj_out.weight.mul_(50)  # and most hold still
    model.save_pretrained(folder)
    return folder


def depth_anything(folder: Path, seed: int = 3, **more: Any) -> Path:
    """A Depth Anything of four layers that takes patches of 14 pixels."""
    import torch
    from transformers import DepthAnythingConfig, DepthAnythingForDepthEstimation, Dinov2Config

    torch.manual_seed(seed)
    backbone = Dinov2Config(
        hidden_size=16, num_hidden_layers=4, num_attention_heads=2, image_size=56, patch_size=14,
        out_indices=[1, 2, 3, 4], reshape_hidden_states=False, apply_layernorm=True,
    )  # fmt: skip
    config = DepthAnythingConfig(
        backbone_config=backbone, reassemble_hidden_size=16, neck_hidden_sizes=[8, 8, 16, 16],
        fusion_hidden_size=8, head_hidden_size=8, patch_size=14, **more,
    )  # fmt: skip
    model = DepthAnythingForDepthEstimation(config)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim == 4:
                weight.normal_(std=1 / weight[0].numel() ** 0.5)
        model.head.conv3.bias.fill_(2.0)
    model.save_pretrained(folder)
    size = {"size": {"height": 56, "width": 56}}
    (folder / "preprocessor_config.json").write_text(json.dumps(size))
    return folder
