"""Weights of the user's own: where they are looked for, and all that is refused of them."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from overpaint.errors import Unavailable
from overpaint.vision.own_weights import (
    Own,
    digest,
    named_file,
    preparation,
    pretrained,
    versioned,
)

OWN = Own("A small network", "OVERPAINT_OF_A_TEST", "someone/small-network")
MISSING = Unavailable("It is not here.", "A file was expected.", "get it")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("transformers", "torch", "safetensors"):
        pytest.importorskip(name)
    from transformers import BertConfig, BertModel

    made = tmp_path_factory.mktemp("bert")
    shape = {"hidden_size": 8, "num_attention_heads": 1, "num_hidden_layers": 1}
    BertModel(BertConfig(vocab_size=9, intermediate_size=8, **shape)).save_pretrained(made)
    return made


# ── files ───────────────────────────────────────────────────────────────────────────────


def test_a_file_is_where_its_setting_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(OWN.setting, raising=False)
    with pytest.raises(Unavailable, match="It is not here. A file was expected. get it"):
        named_file(OWN.setting, MISSING)
    monkeypatch.setenv(OWN.setting, str(tmp_path))
    with pytest.raises(Unavailable, match=f"names {tmp_path}, which is no file.*get it"):
        named_file(OWN.setting, MISSING)
    (tmp_path / "it").write_bytes(b"x")
    monkeypatch.setenv(OWN.setting, f" {tmp_path / 'it'} ")
    assert named_file(OWN.setting, MISSING) == tmp_path / "it"


def test_other_weights_and_other_settings_have_another_hash(tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes(b"one")
    (tmp_path / "config.json").write_text("{}")
    first = digest(tmp_path)
    assert first == digest(tmp_path)
    assert len(first) == 12
    (tmp_path / "config.json").write_text('{"changed": 1}')
    os.utime(tmp_path / "config.json", (1, 1))
    second = digest(tmp_path)
    (tmp_path / "b.safetensors").write_bytes(b"two")
    assert len({first, second, digest(tmp_path)}) == 3
    assert digest(tmp_path / "a.safetensors", digits=64).startswith("7692c3ad3540")  # of "one"
    assert versioned("1", lambda: tmp_path) == f"1+{digest(tmp_path)}"


@pytest.mark.parametrize("text", ["", "[1]", "{", "[" * 100_000, "{}" + " " * 300_000])
def test_settings_of_pictures_that_are_none_are_left_alone(text: str, tmp_path: Path) -> None:
    assert preparation(tmp_path) == {}
    (tmp_path / "preprocessor_config.json").write_text(text)
    assert preparation(tmp_path) == {}


# ── folders and the hub's cache ─────────────────────────────────────────────────────────


def refused(at: Path | str, monkeypatch: pytest.MonkeyPatch, kind: str = "BertModel") -> str:
    monkeypatch.setenv(OWN.setting, str(at))
    with pytest.raises(Unavailable) as caught:
        OWN.model(kind, OWN.folder())
    assert str(caught.value).startswith(f"A small network ({at}) cannot be loaded from this mach")
    assert str(caught.value).endswith(
        "hf download someone/small-network, or set OVERPAINT_OF_A_TEST to its folder."
    )
    return str(caught.value)


@pytest.mark.slow
def test_a_whole_folder_is_loaded_and_anything_less_is_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.torch import load_file, save_file

    monkeypatch.setenv(OWN.setting, str(folder))
    assert not OWN.model("BertModel", OWN.folder()).training
    bad = shutil.copytree(folder, tmp_path / "bad")
    weights = load_file(bad / "model.safetensors")
    name = next(name for name in weights if name.endswith("pooler.dense.bias"))
    fewer = {**weights, name: weights[name][:3].clone()}
    save_file(fewer, bad / "model.safetensors", metadata={"format": "pt"})
    assert "mismatch" in refused(bad, monkeypatch)
    (bad / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:-40])
    refused(bad, monkeypatch)
    (bad / "model.safetensors").write_bytes(b"\xff" * 64)
    refused(bad, monkeypatch)
    shutil.copy(folder / "model.safetensors", bad)
    for text in ("", "{", "[]", '{"model_type": "bert", "hidden_size": "wide"}'):
        (bad / "config.json").write_text(text)
        refused(bad, monkeypatch)
    refused(tmp_path / "empty", monkeypatch)
    refused("no/such/name/at all", monkeypatch)


class Harm:
    def __reduce__(self) -> Any:
        return Path.touch, (Path("harmed"),)


@pytest.mark.slow
def test_no_pickle_and_no_code_of_a_model_is_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bad = shutil.copytree(folder, tmp_path / "bad")
    (bad / "model.safetensors").unlink()
    (bad / "pytorch_model.bin").write_bytes(pickle.dumps({"weight": Harm()}, 2))
    assert "safetensors" in refused(bad, monkeypatch)
    config = json.loads((bad / "config.json").read_text())
    config |= {"model_type": "mine", "auto_map": {"AutoConfig": "mine.C", "AutoModel": "mine.M"}}
    (bad / "config.json").write_text(json.dumps(config))
    (bad / "mine.py").write_text("open('harmed', 'w')\nclass C: pass\nclass M: pass\n")
    refused(bad, monkeypatch, "AutoModel")
    refused(bad, monkeypatch, "AutoTokenizer")
    assert not (tmp_path / "harmed").exists()


@pytest.mark.slow
def test_a_name_is_found_in_the_hubs_cache_and_nothing_is_asked_of_the_hub(
    folder: Path, tmp_path: Path
) -> None:
    commit = "0" * 40
    place = tmp_path / "hub" / "models--someone--small-network"
    (place / "refs").mkdir(parents=True)
    (place / "refs" / "main").write_text(commit)
    shutil.copytree(folder, place / "snapshots" / commit)
    script = f"""
import socket
def never(*a, **k): raise SystemExit("the network was asked")
socket.socket.connect = socket.getaddrinfo = never
from overpaint.vision.own_weights import Own
own = Own("A small network", "{OWN.setting}", "{OWN.usual}")
print(own.folder().name, type(own.model("BertModel", own.folder())).__name__)
try:
    Own("Another", "{OWN.setting}", "someone/else").folder()
except Exception as error:
    print(type(error).__name__)
"""
    told = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", OWN.setting))}
    done = subprocess.run(
        [sys.executable, "-c", script], env=told | {"HF_HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == f"{commit} BertModel\nUnavailable\n", done.stderr


def test_without_the_libraries_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(Unavailable, match=r"This needs overpaint\[extra\]. pip install 'overpaint"):
        pretrained("BertModel", "x", extra="extra", refuse=OWN.refused)
