"""`overpaint doctor`: what is here, and whether a judge could be asked; never a key."""

from pathlib import Path

import pytest

from overpaint.cli import main, upkeep


def test_the_doctor_says_whose_key_is_set_and_not_what_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "judges of openai         a key is set" in said
    assert "judges of anthropic      ANTHROPIC_API_KEY is not set" in said
    assert "sk-secret" not in said


def test_the_doctor_says_what_aesthetics_and_image_editors_lack_and_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("OVERPAINT_AESTHETICS", raising=False)
    monkeypatch.setattr(upkeep, "_installed", lambda name: upkeep.ABSENT)
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert (
        "diffusers                not installed; get it: pip install 'overpaint[diffusers]'" in said
    )
    assert (
        "transformers             not installed; get it: pip install 'overpaint[aesthetics]'"
        in said
    )
    assert "aesthetics head          The head of Aesthetic Predictor V2.5 is not here." in said
    head = tmp_path / "head.safetensors"
    head.touch()
    monkeypatch.setenv("OVERPAINT_AESTHETICS", str(head))
    monkeypatch.setattr(upkeep, "_installed", lambda name: "9.8")
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "diffusers                9.8" in said
    assert f"aesthetics head          {head}" in said
