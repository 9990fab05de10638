"""Cards of trained reasoners: what is read of them, and hostile ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from overpaint import catalog
from overpaint.errors import DataError, UserMistake
from overpaint.models.names import endpoint
from overpaint.models.trained_card import FILE, read_card, trained_card
from overpaint.models.vlm import ADAPTER_CONFIG as CONFIG
from overpaint.models.vlm import ADAPTER_WEIGHTS as ADAPTER

GOOD: dict[str, Any] = {
    "form": "overpaint-reasoner/1", "base": "smollm2", "prompt": "2026-11-18-decide-short.md",
    "sees": False, "pixels": 0, "longest": 96, "revision": None,
    "fingerprint": "ab", "stage": "after GRPO",
    "table": [
        {"who": "always keep", "on": "held out", "accuracy": 62.5, "documents": 120},
        {"who": "after GRPO", "on": "held out", "accuracy": 84.0, "documents": 120},
        {"who": "rules", "on": "held out", "accuracy": 93.0, "documents": 120},
        {"who": "after GRPO", "on": "validation", "accuracy": 99.0, "documents": 40},
    ],
}  # fmt: skip


def written(folder: Path, **changed: Any) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_text(json.dumps({**GOOD, **changed}))
    (folder / ADAPTER).write_bytes(b"weights")
    (folder / CONFIG).write_text('{"peft_type": "LORA", "lora_alpha": 12}')
    return folder


def test_a_card_is_read(tmp_path: Path) -> None:
    card = read_card(written(tmp_path / "mine"))
    assert (card.base, card.sees, card.longest, card.revision) == ("smollm2", False, 96, None)
    assert card.told == (
        "mine: trained from smollm2; right about 84.0 % of the layers of 120 documents held out,"
        " where keeping all of them is right about 62.5 % and the rules about 93.0 %."
    )


def test_other_weights_or_another_weight_of_them_are_another_model(tmp_path: Path) -> None:
    first = read_card(written(tmp_path)).digest
    (tmp_path / CONFIG).write_text('{"peft_type": "LORA", "lora_alpha": 1}')
    second = read_card(tmp_path).digest
    (tmp_path / ADAPTER).write_bytes(b"others")
    assert len({first, second, read_card(tmp_path).digest}) == 3


def test_a_folder_here_does_not_take_the_place_of_a_packaged_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "smollm2")
    assert trained_card(endpoint("local/smollm2")) is None
    card = trained_card(endpoint("local/./smollm2"))
    assert card is not None
    assert card.folder == Path("smollm2")


def test_a_card_without_a_table_says_so(tmp_path: Path) -> None:
    assert "does not tell how well" in read_card(written(tmp_path, table=None)).told


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"form": "overpaint-reasoner/2"}, "another form"),
        ({"prompt": "../../../etc/passwd"}, "is no name of a file"),
        ({"prompt": "/etc/passwd.md"}, "is no name of a file"),
        ({"prompt": "..\\x.md"}, "is no name of a file"),
        ({"prompt": ["a.md"]}, "its prompt is .* no str"),
        ({"sees": "false"}, "its sees is 'false', no bool"),
        ({"longest": 10**9}, "longest 1000000000"),
        ({"longest": -1}, "longest -1"),
        ({"longest": True}, "its longest is 'True', no int"),
        ({"pixels": 10**6}, "pixels 1000000"),
        ({"base": ""}, "base ''"),
        ({"revision": "../main"}, "is no commit"),
    ],
)
def test_a_card_that_training_never_wrote_is_refused(
    tmp_path: Path, changed: dict[str, Any], why: str
) -> None:
    with pytest.raises(DataError, match=f"{FILE} cannot be read: .*{why}"):
        read_card(written(tmp_path, **changed))


@pytest.mark.parametrize("text", ["", "[]", "3", "null", "{", "[" * 100_000])
def test_a_card_that_is_no_object_is_refused(tmp_path: Path, text: str) -> None:
    (written(tmp_path) / FILE).write_text(text)
    with pytest.raises(DataError, match="cannot be read"):
        read_card(tmp_path)


def test_a_card_without_weights_is_refused(tmp_path: Path) -> None:
    (written(tmp_path) / ADAPTER).rename(tmp_path / "adapter_model.bin")
    with pytest.raises(DataError, match=f"no {ADAPTER} lies beside it"):
        read_card(tmp_path)


def test_a_folder_without_a_card_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="holds no trained reasoner.*overpaint train reasoner"):
        read_card(tmp_path)


def test_other_weights_in_the_same_folder_are_another_model(tmp_path: Path) -> None:
    name = f"local/{written(tmp_path)}"
    first = endpoint(name)
    (tmp_path / ADAPTER).write_bytes(b"others")
    assert endpoint(name).name != first.name
    assert endpoint(name).short == first.short == tmp_path.name


def test_a_name_as_runs_write_it_down_means_the_same_folder(tmp_path: Path) -> None:
    first = endpoint(f"local/{written(tmp_path)}")
    assert "@" in first.name
    assert endpoint(first.name) == first


def test_only_a_trained_model_has_a_card(tmp_path: Path) -> None:
    assert trained_card(endpoint(f"local/{written(tmp_path)}")) is not None
    assert trained_card(endpoint("local/smollm2")) is None
    assert trained_card(endpoint("openai/gpt-4o-mini")) is None


def test_a_trained_reasoner_means_the_same_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    spec = catalog.anchored("agent:local/mine;checks=0")
    assert spec == f"agent:local/{tmp_path / 'mine'};checks=0"
    assert trained_card(endpoint(f"local/{tmp_path / 'mine'}")) is not None
    digest = "@0123456789abcdef"
    assert catalog.anchored(f"agent:me=local/mine{digest}") == (
        f"agent:me=local/{tmp_path / 'mine'}{digest}"
    )
    written(tmp_path / "smollm2")  # a folder of that name is ./smollm2
    for other in ("agent:local/smollm2", "agent:local/nowhere", "agent"):
        assert catalog.anchored(other) == other
