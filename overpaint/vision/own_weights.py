"""Weights of the user's own: found where a setting says, loaded strictly, known by their hash.

Nothing is downloaded and no pickle is run. A checkpoint with gaps is refused: a library fills them
at random, and whatever it then finds in a picture is random, too.
"""

import hashlib
import json
import os
import pickle
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from overpaint.errors import Unavailable
from overpaint.weights.registry import sha256

Refuse = Callable[[str], Unavailable]  # makes the error from a half sentence on why

SETTINGS_FILE = "preprocessor_config.json"  # how pictures are to be prepared, beside the weights
LARGEST_SETTINGS = 256 * 1024
# What transformers and safetensors raise over files that are not there, or not what they should be.
UNLOADABLE = (OSError, ValueError, KeyError, AttributeError, RuntimeError, TypeError)
# What torch raises besides on a pickle that is not whole.
_BROKEN = (
    pickle.UnpicklingError, struct.error, EOFError, IndexError, AssertionError, MemoryError,
    OverflowError,
)  # fmt: skip


@dataclass(frozen=True)
class Own:
    """A model that the user has from a hub: a folder, or its name in the hub's cache."""

    what: str
    setting: str  # the environment's variable that names it
    usual: str  # its name on the hub, where nothing is set
    extra: str = "references"
    get: str = ""  # the command that gets it, where it is not the usual one

    @property
    def name(self) -> str:
        """What the user has named, or else the usual one."""
        return os.environ.get(self.setting, "").strip() or self.usual

    def folder(self) -> Path:
        """Where its files are; `Unavailable` where they are not on this machine."""
        return folder(self.name, extra=self.extra, refuse=self.refused)

    def model(self, kind: str, at: Path) -> Any:
        """The model in that folder, by the class of transformers that it is for."""
        return pretrained(kind, str(at), extra=self.extra, refuse=self.refused)

    def tokenizer(self, at: Path) -> Any:
        """The tokenizer in that folder."""
        return pretrained("AutoTokenizer", str(at), extra=self.extra, refuse=self.refused)

    def refused(self, why: str) -> Unavailable:
        """Why it cannot be used, and the command that gets it."""
        return Unavailable(
            f"{self.what} ({self.name}) cannot be loaded from this machine: {why}.",
            f"Its weights were expected as safetensors, as in {self.usual}.",
            self.get or f"hf download {self.usual}, or set {self.setting} to its folder.",
        )


def folder(name: str, *, extra: str, refuse: Refuse) -> Path:
    """The folder of that name, or of that model in the hub's cache."""
    if Path(name).expanduser().is_dir():
        return Path(name).expanduser()
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import LocalEntryNotFoundError
    except ImportError as error:
        raise without(extra, error) from None
    try:
        return Path(snapshot_download(name, local_files_only=True))
    except LocalEntryNotFoundError:
        raise refuse("neither a folder nor the hub's cache has it") from None
    except (OSError, ValueError) as error:
        raise refuse(_short(error)) from None


def pretrained(kind: str, name: str, *, extra: str, refuse: Refuse) -> Any:
    """What a class of transformers loads from a folder or the cache, whole and in float32."""
    try:
        import transformers
        from huggingface_hub.errors import StrictDataclassError
        from safetensors import SafetensorError

        import torch  # isort: skip  (it takes seconds, and is in vain without the others)
    except ImportError as error:
        raise without(extra, error) from None
    told: Mapping[str, Any] = {"missing_keys": (), "mismatched_keys": ()}
    transformers.utils.logging.disable_progress_bar()
    before = transformers.utils.logging.get_verbosity()
    transformers.utils.logging.set_verbosity_error()
    try:
        load = getattr(transformers, kind).from_pretrained
        if "Tokenizer" in kind:
            return load(name, local_files_only=True, trust_remote_code=False)
        model, told = load(
            name, dtype=torch.float32, local_files_only=True, use_safetensors=True,
            trust_remote_code=False, output_loading_info=True,
        )  # fmt: skip
    except (*UNLOADABLE, ImportError, SafetensorError, StrictDataclassError) as error:
        raise refuse(_short(error)) from None
    finally:
        transformers.utils.logging.set_verbosity(before)
    if missing := sorted(map(str, [*told["missing_keys"], *told["mismatched_keys"]])):
        raise refuse(f"{len(missing)} of its weights are missing, as {missing[0]}")
    return model.eval()


def without(extra: str, error: ImportError) -> Unavailable:
    """The error of an extra that is not installed."""
    return Unavailable(
        f"Weights of your own cannot be loaded: {error}.", f"This needs overpaint[{extra}].",
        f"pip install 'overpaint[{extra}]'",
    )  # fmt: skip


def named_file(setting: str, missing: Unavailable) -> Path:
    """The file that a setting names; `missing` where it is not set."""
    chosen = os.environ.get(setting, "").strip()
    if not chosen:
        raise missing
    if not Path(chosen).expanduser().is_file():
        wrong = f"{setting} names {chosen}, which is no file."
        raise Unavailable(wrong, missing.right, missing.todo)
    return Path(chosen).expanduser()


def tensors(path: Path, *, largest: int, refuse: Refuse) -> dict[str, Any]:
    """The tensors of a file, safetensors or PyTorch's; of a pickle only tensors are taken."""
    if path.stat().st_size > largest:
        raise refuse(f"it has more than {largest >> 20} MB")
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        if path.suffix == ".safetensors":
            found = load_file(path)
        else:
            found = torch.load(path, map_location="cpu", weights_only=True)
    except (*UNLOADABLE, *_BROKEN, SafetensorError) as error:
        raise refuse(str(error).splitlines()[0][:200] if str(error) else "it breaks off") from None
    plain = found if isinstance(found, dict) else {}
    return {str(name): value for name, value in plain.items() if isinstance(value, torch.Tensor)}


def preparation(at: Path) -> Mapping[str, Any]:
    """How pictures are to be prepared, as the folder says; nothing where it does not."""
    path = at / SETTINGS_FILE
    if not path.is_file() or path.stat().st_size > LARGEST_SETTINGS:
        return {}
    try:
        told = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


# ── which weights they are ──────────────────────────────────────────────────────────────


def digest(at: Path, *, digits: int = 12) -> str:
    """The first digits of a hash over a file of weights, or over those in a folder."""
    files = [at] if at.is_file() else sorted((*at.glob("*.safetensors"), *at.glob("*.json")))
    known = [(file.name, _hash(file, file.stat().st_mtime_ns)) for file in files]
    whole = known[0][1] if at.is_file() else hashlib.sha256(repr(known).encode()).hexdigest()
    return whole[:digits]


def versioned(version: str, *own: Callable[[], Path | str]) -> str:
    """A version with hashes of the weights and words it goes by; bare where one is not here."""
    try:
        found = [one() for one in own]
    except Unavailable:
        return version
    told = (digest(one) if isinstance(one, Path) else _of_words(one) for one in found)
    return "+".join([version, *filter(None, told)])


def _of_words(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:8] if words else ""


@lru_cache(maxsize=256)
def _hash(path: Path, changed: int) -> str:
    return sha256(path)


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:300].rstrip(".") or type(error).__name__
