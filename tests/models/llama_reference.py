"""Llama in numpy, from the formulas of its paper: what a GGUF file says of a row of tokens.

Weights are unpacked to 32 bits and nothing is rounded again; llama.cpp rounds activations to
8 bits, so its numbers are near these, not equal to them.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def logprobs(path: Path, tokens: Sequence[int]) -> Floats:
    """The natural log-probability of every token but the first, given those before it."""
    reader = GGUFReader(path)
    packed = {tensor.name: tensor for tensor in reader.tensors}
    told = {key.removeprefix("llama."): field.contents() for key, field in reader.fields.items()}

    def weight(name: str) -> Floats:
        return dequantize(packed[name].data, packed[name].tensor_type)

    def normed(x: Floats, name: str) -> Floats:
        mean = np.mean(x * x, axis=-1, keepdims=True)
        return x / np.sqrt(mean + told["attention.layer_norm_rms_epsilon"]) * weight(name)

    x = weight("token_embd.weight")[list(tokens)]
    for layer in range(told["block_count"]):
        at = f"blk.{layer}"
        y = normed(x, f"{at}.attn_norm.weight")
        q, k, v = (y @ weight(f"{at}.attn_{name}.weight").T for name in "qkv")
        x = x + attention(q, k, v, told) @ weight(f"{at}.attn_output.weight").T
        y = normed(x, f"{at}.ffn_norm.weight")
        gate, up = (y @ weight(f"{at}.ffn_{name}.weight").T for name in ("gate", "up"))
        x = x + (gate / (1 + np.exp(-gate)) * up) @ weight(f"{at}.ffn_down.weight").T
    logits = normed(x, "output_norm.weight") @ weight("token_embd.weight").T
    top = logits.max(axis=1, keepdims=True)
    logits -= top + np.log(np.exp(logits - top).sum(axis=1, keepdims=True))
    return logits[np.arange(len(tokens) - 1), list(tokens[1:])]


def attention(q: Floats, k: Floats, v: Floats, told: dict[str, float]) -> Floats:
    """Each token looks at itself and those before it; several heads share one key."""
    heads, shared = int(told["attention.head_count"]), int(told["attention.head_count_kv"])
    q, k, v = (part.reshape(len(part), -1, q.shape[1] // heads) for part in (q, k, v))
    q, k = (turned(part, told["rope.freq_base"]) for part in (q, k))
    k, v = (np.repeat(part, heads // shared, axis=1) for part in (k, v))
    seen = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(q.shape[2])
    seen = np.where(np.tri(len(q), dtype=bool), seen, -np.inf)
    seen = np.exp(seen - seen.max(axis=2, keepdims=True))
    seen /= seen.sum(axis=2, keepdims=True)
    return np.einsum("hij,jhd->ihd", seen, v).reshape(len(q), -1)


def turned(x: Floats, base: float) -> Floats:
    """Neighbouring numbers turned by an angle that grows with the place (RoPE)."""
    steps = base ** (-np.arange(0, x.shape[2], 2) / x.shape[2])
    angles = np.arange(len(x))[:, None, None] * steps
    even, odd = x[..., ::2], x[..., 1::2]
    cos, sin = np.cos(angles), np.sin(angles)
    both = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
    return both.reshape(x.shape).astype(np.float32)
