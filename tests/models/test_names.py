"""Names of models: whom they mean, and where keys come from."""

from pathlib import Path

import pytest

from overpaint.errors import Unavailable, UserMistake
from overpaint.models.names import endpoint


def test_a_vendors_model_goes_to_the_vendor_under_its_own_name() -> None:
    found = endpoint("openai/gpt-4o-2024-11-20")
    assert (found.host, found.model) == ("api.openai.com", "gpt-4o-2024-11-20")
    assert found.short == "gpt-4o-2024-11-20"
    assert endpoint("openrouter/qwen/qwen2.5-vl-72b").short == "qwen2.5-vl-72b"


def test_an_address_names_its_model_after_a_hash() -> None:
    found = endpoint("http://localhost:8000/v1/#Qwen/qwen2.5-vl")
    assert (found.address, found.model) == ("http://localhost:8000/v1", "Qwen/qwen2.5-vl")
    assert (found.host, found.short, found.key()) == ("localhost:8000", "qwen2.5-vl", "")


def test_a_name_of_ones_own_is_what_columns_bear() -> None:
    found = endpoint("mini=openai/gpt-4o-mini")
    assert (found.short, found.name) == ("mini", "openai/gpt-4o-mini")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("gpt-4o", "'gpt-4o' names no model. A model is VENDOR/MODEL"),
        ("nobody/model", "vendors: openai, gemini"),
        ("http://localhost:8000/v1", "does not say which model.*# and the model's name"),
        ("http://me:secret@host/v1#m", "holds a user name, a password or a query.*environment"),
        ("http://host/v1?key=secret#m", "holds a user name, a password or a query"),
        ("http://[::1/v1#m", "address is not one"),
        ("openai/", "names no model"),
        ("", "names no model"),
    ],
)
def test_a_name_that_means_nobody_is_refused_with_what_would_be_right(name: str, told: str) -> None:
    with pytest.raises(UserMistake, match=told) as caught:
        endpoint(name)
    assert "secret" not in str(caught.value)


def test_a_missing_key_is_named_and_how_to_set_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(Unavailable, match=r"OPENAI_API_KEY is not set.*export OPENAI_API_KEY=…"):
        endpoint("openai/gpt-4o").key()


def test_keys_come_from_the_environment_and_else_from_a_file_beside_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    Path(".env").write_text("# keys\nexport GOOGLE_API_KEY='from-file'\nnonsense\n")
    assert endpoint("gemini/gemini-2.5-pro").key() == "from-file"
    monkeypatch.setenv("GEMINI_API_KEY", "from-environment")
    assert endpoint("gemini/gemini-2.5-pro").key() == "from-environment"
    assert "from" not in repr(endpoint("gemini/gemini-2.5-pro"))


def test_a_key_that_no_request_can_carry_is_told_without_showing_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-se…cret")
    with pytest.raises(Unavailable, match="holds letters that no request can carry") as caught:
        endpoint("openai/gpt-4o").key()
    assert "cret" not in str(caught.value)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret\n")
    assert endpoint("openai/gpt-4o").key() == "sk-secret"


def test_a_vendor_moved_to_another_server_is_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://proxy:1/v1")
    found = endpoint("openai/gpt-4o")
    assert (found.name, found.host) == ("http://proxy:1/v1#gpt-4o", "proxy:1")
    assert found.keys == ("OPENAI_API_KEY",)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:secret@proxy/v1")
    with pytest.raises(UserMistake, match="holds a user name") as caught:
        endpoint("openai/gpt-4o")
    assert "secret" not in str(caught.value)
