"""The tiny models load like real ones, know any text, and are the same for the same seed."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("transformers")
torch = pytest.importorskip("torch")

from overpaint.models.vlm import processor_of  # noqa: E402
from overpaint.testing.__main__ import main  # noqa: E402
from overpaint.testing.tiny import tiny_text, tiny_vlm  # noqa: E402


def test_a_tiny_model_that_sees_loads_by_the_code_that_loads_the_real_one(tmp_path: Path) -> None:
    from transformers import AutoModelForImageTextToText

    torch.set_num_threads(1)
    model = AutoModelForImageTextToText.from_pretrained(tiny_vlm(tmp_path))
    assert 100_000 < model.num_parameters() < 200_000
    processor = processor_of(str(tmp_path))
    shown = [_chat(Image.fromarray(np.full((56, 56, 3), v, np.uint8))) for v in (0, 255)]
    first, second = (
        processor.apply_chat_template(
            chat, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
        )
        for chat in shown
    )
    assert first["pixel_values"].shape[0] == 16
    last = [model(**inputs).logits[0, -1] for inputs in (first, second)]
    assert not torch.equal(*last), "what it says depends on the picture"


def test_a_tiny_language_model_takes_a_chat_and_gives_text_back_unharmed(tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = tiny_text(tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    text = 'Grüße, 你好: {"layer": 12}'
    assert tokenizer.decode(tokenizer(text).input_ids) == text
    chat = [{"role": "user", "content": text}]
    prompt = tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
    assert prompt == f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n"
    model = AutoModelForCausalLM.from_pretrained(folder)
    made = model.generate(**tokenizer(prompt, return_tensors="pt"), max_new_tokens=3)
    assert made.shape[1] > len(tokenizer(prompt).input_ids)


def test_one_seed_gives_one_model_and_leaves_the_callers_random_numbers_alone(
    tmp_path: Path,
) -> None:
    before = torch.get_rng_state()
    folders = [tiny_text(tmp_path / str(at), seed=seed) for at, seed in enumerate((1, 1, 2))]
    assert torch.equal(before, torch.get_rng_state())
    one, same, other = ((f / "model.safetensors").read_bytes() for f in folders)
    assert one == same != other


def test_a_tiny_model_is_written_by_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tiny-vlm", str(tmp_path / "one")]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "one")
    tiny_vlm(tmp_path / "same")
    one, same = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("one", "same"))
    assert one == same
    main(["tiny-vlm", str(tmp_path / "other"), "--seed", "1"])
    assert (tmp_path / "other" / "model.safetensors").read_bytes() != one


def _chat(picture: Image.Image) -> list[dict[str, object]]:
    parts = [{"type": "image", "image": picture}, {"type": "text", "text": "How good is it?"}]
    return [{"role": "user", "content": parts}]
