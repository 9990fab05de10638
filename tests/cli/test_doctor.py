"""`overpaint doctor`: what is here, and whether a judge could be asked; never a key."""

from pathlib import Path

import pytest

from overpaint.cli import main


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
