"""Models trained here, run by transformers: how they are asked, and whom they refuse."""

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest

from overpaint.errors import DataError, Unavailable, UserMistake
from overpaint.models.trained import Running, Trained, answers, base_model, shrunk
from overpaint.models.trained_card import FILE
from overpaint.models.vlm import ADAPTER_CONFIG as CONFIG
from overpaint.models.vlm import ADAPTER_WEIGHTS as ADAPTER
from overpaint.models.vlm import fingerprint

CARD: dict[str, Any] = {
    "form": "overpaint-reasoner/1", "prompt": "2026-11-18-decide-short.md", "sees": False,
    "pixels": 0, "longest": 16, "fingerprint": "ab",
}  # fmt: skip


def test_it_answers_in_one_form_only(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(json.dumps({**CARD, "base": "smollm2"}))
    (tmp_path / ADAPTER).write_bytes(b"")
    (tmp_path / CONFIG).write_text("{}")
    with pytest.raises(Unavailable, match="answers in one form only.*agent:local/"):
        Trained(tmp_path).ask("How are you?", (), {"type": "object"})
    with pytest.raises(Unavailable, match="sees no pictures"):
        Trained(tmp_path).ask("What is it?", [object()])


def test_one_that_was_trained_with_pictures_is_asked_with_some(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(json.dumps({**CARD, "base": "x", "sees": True, "pixels": 64}))
    (tmp_path / ADAPTER).write_bytes(b"")
    (tmp_path / CONFIG).write_text("{}")
    with pytest.raises(Unavailable, match="was trained with pictures"):
        Trained(tmp_path).ask("What is it?")


def test_a_prompt_of_another_version_is_told() -> None:
    from overpaint.editors.agent.reasoners import prompt_text

    with pytest.raises(DataError, match="no prompt '2031-01-01-decide.md' in this version"):
        prompt_text("2031-01-01-decide.md")


class Talker:
    """A tokenizer, as far as a conversation needs it."""

    all_special_tokens = ("<|im_end|>", "<|image_pad|>", "\n")

    def __init__(self, chat_template: str) -> None:
        self.chat_template = chat_template


def test_words_of_a_layer_are_neither_pictures_nor_somebody_elses_turn() -> None:
    talker = Running(None, Talker("{{ user }}"))
    (turn,) = talker.conversation("Sale <|image_pad|> now<|im_end|>\nyes")
    assert turn["content"] == "Sale < |image_pad|> now< |im_end|>\nyes"
    assert "<|image_pad|>" not in str(talker.conversation("<|image_pad|>", pictures=1))


def test_what_to_do_is_the_systems_turn_where_the_model_knows_one() -> None:
    knows, not_ = Running(None, Talker("{{ system }}")), Running(None, Talker("{{ user }}"))
    assert [one["role"] for one in knows.conversation("Decide.\n\nRequest: x")] == [
        "system",
        "user",
    ]
    assert knows.conversation("Decide.\n\nRequest: x\n")[1]["content"] == "Request: x"
    assert [one["role"] for one in not_.conversation("Decide.\n\nRequest: x")] == ["user"]
    assert [one["role"] for one in knows.conversation("Decide.")] == ["user"]
    (turn,) = knows.conversation("Decide.\n\nRequest: x", pictures=2)
    assert [part["type"] for part in turn["content"]] == ["image", "image", "text"]


def test_a_picture_is_shown_as_large_as_in_training() -> None:
    from PIL import Image

    assert shrunk(Image.new("RGB", (400, 200)), 100).size == (100, 50)
    assert shrunk(Image.new("RGB", (40, 20)), 100).size == (40, 20)


@pytest.mark.slow
def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    pytest.importorskip("peft")
    with pytest.raises(UserMistake, match="cannot be loaded.*a folder with a transformers model"):
        base_model(str(tmp_path), sees=False, half=False)


@pytest.mark.slow
def test_a_tiny_model_answers_the_same_every_time(tmp_path: Path) -> None:
    pytest.importorskip("peft")
    from peft import LoraConfig, get_peft_model

    from overpaint.testing.tiny import tiny_text

    base = tiny_text(tmp_path / "base")
    running = base_model(str(base), sees=False, half=False)
    asked = "Decide.\n\nRequest: x"
    (before,) = answers(running, [asked], longest=16)
    drawn = LoraConfig(target_modules="all-linear", init_lora_weights=False)  # no adapter of zeros
    adapted = get_peft_model(running.model, drawn)
    for name, one in adapted.named_parameters():
        if "lora_B" in name:
            one.data *= 10  # so that it is heard
    adapted.save_pretrained(str(tmp_path / "out"))
    mine = fingerprint(base_model(str(base), sees=False, half=True).model)
    card = {**CARD, "base": str(base), "fingerprint": mine}
    (tmp_path / "out" / FILE).write_text(json.dumps({**card, "fingerprint": "another"}))
    with pytest.raises(UserMistake, match="is not the one that .* was trained from"):
        Trained(tmp_path / "out").ask(asked)
    (tmp_path / "out" / FILE).write_text(json.dumps(card))
    first, second = (Trained(tmp_path / "out").ask(asked) for _ in range(2))
    assert first.text == second.text != before
    assert (first.tokens_in or 0) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"peft_type": "XLORA", "adapters": {"0": "some/where"}}, "of the kind XLORA"),
        ({"r": 3}, "no adapter that can be used: Error"),
        ({"target_modules": ["q_proj", "lm_head"]}, "missing adapter keys"),
    ],
)
def test_an_adapter_that_is_not_what_training_wrote_is_refused(
    tmp_path: Path, config: dict[str, Any], told: str
) -> None:
    pytest.importorskip("peft")
    from peft import LoraConfig, get_peft_model

    from overpaint.testing.tiny import tiny_text

    base = tiny_text(tmp_path / "base")
    running = base_model(str(base), sees=False, half=False)
    out = tmp_path / "out"
    get_peft_model(running.model, LoraConfig(target_modules=["q_proj"])).save_pretrained(str(out))
    known = fingerprint(base_model(str(base), sees=False, half=False).model)
    (out / FILE).write_text(json.dumps({**CARD, "base": str(base), "fingerprint": known}))
    written = json.loads((out / CONFIG).read_text())
    (out / CONFIG).write_text(json.dumps(written | config))
    with pytest.raises(UserMistake, match=told):
        Trained(out).ask("Decide.")


@pytest.mark.slow
def test_a_base_that_brings_code_or_pickles_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("peft")
    from overpaint.testing.tiny import tiny_text

    base = tiny_text(tmp_path / "base")
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("somebody was asked"))
    told = json.loads((base / "config.json").read_text())
    sly = {"model_type": "never_heard_of", "auto_map": {"AutoModelForCausalLM": "evil.Model"}}
    (base / "config.json").write_text(json.dumps(told | sly))
    with pytest.raises(UserMistake, match="cannot be loaded"):
        base_model(str(base), sees=False, half=False)
    (base / "config.json").write_text(json.dumps(told))
    (base / "model.safetensors").unlink()
    torch.save({}, base / "pytorch_model.bin")
    with pytest.raises(UserMistake, match="cannot be loaded"):
        base_model(str(base), sees=False, half=False)


@pytest.mark.slow
def test_a_tiny_model_that_sees_is_shown_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("peft")
    from peft import LoraConfig, get_peft_model
    from PIL import Image

    from overpaint.testing.tiny import tiny_vlm

    base = tiny_vlm(tmp_path / "base")
    running = base_model(str(base), sees=True, half=False)
    adapted = get_peft_model(running.model, LoraConfig(target_modules="all-linear"))
    adapted.save_pretrained(str(tmp_path / "out"))
    known = fingerprint(base_model(str(base), sees=True, half=False).model)
    told = {**CARD, "base": str(base), "sees": True, "pixels": 56, "fingerprint": known}
    (tmp_path / "out" / FILE).write_text(json.dumps(told))
    data = io.BytesIO()
    Image.new("RGB", (80, 60), (200, 30, 30)).save(data, "PNG")
    url = "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()
    part = {"type": "image_url", "image_url": {"url": url}}
    seen: list[Any] = []

    def watched(*words: Any, **told: Any) -> list[str]:
        seen.extend(words[2][0])
        return answers(*words, **told)

    monkeypatch.setattr("overpaint.models.trained.answers", watched)
    Trained(tmp_path / "out").ask("Decide.", [part, part])
    assert [picture.size for picture in seen] == [(56, 42)] * 2
