"""Vision-language models from a hub or a folder: configuration, weights and processor.

Weights are safetensors, code that comes with a model is never run nor asked about, and a model that
is an adapter on another one is refused: what is loaded is what was named. Stock processors of Qwen,
InternVL and others want a reader of videos, which wants torchvision. We show pictures alone, so
ours are the same classes without that part; pictures are always resized by Pillow, so that one
model sees one picture in the same way on every machine.
"""

import hashlib
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from overpaint.errors import Unavailable, UserMistake

INSTALL = "Give `pip install 'overpaint[train]'`."
SAFE = {"trust_remote_code": False}
ADAPTER_CONFIG, ADAPTER_WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
FIRST = 16  # numbers of each weight that a model is known by
EXAMPLE = "Qwen/Qwen2.5-VL-7B-Instruct"
READER = "Qwen/Qwen2.5-0.5B-Instruct"


def libraries() -> tuple[Any, Any]:
    """PyTorch and transformers, with what adapters need; without them, how to get them."""
    try:
        import accelerate  # noqa: F401
        import peft  # noqa: F401
        import torch
        import transformers
    except ImportError as error:
        raise Unavailable(
            f"{error.name} is not installed.",
            "Models that are trained or run here need PyTorch, transformers, PEFT and accelerate.",
            INSTALL,
        ) from error
    return torch, transformers


def be_quiet() -> None:
    """Let transformers draw no bars of its own among ours, and say nothing to programmers."""
    _, transformers = libraries()
    transformers.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")
    # AdaLoRA may leave a layer no rank at all, which PEFT takes for shards that were lost.
    warnings.filterwarnings("ignore", message="Adapter .* have invalid shape")


def usual_device() -> str:
    """Where models run: on a GPU where there is one."""
    torch, _ = libraries()
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def first_line(error: Exception) -> str:
    """What a library's error says first."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def revision_of(name: str) -> str | None:
    """The commit that a hub's model stands at now; None for a folder, or where no hub answers."""
    libraries()
    from transformers.utils.hub import resolve_revision

    return getattr(resolve_revision(name), "resolved", None)


def base_of(name: str) -> str:
    """A model's name as it can be found again from anywhere: of a folder its whole path."""
    return str(Path(name).resolve()) if Path(name).is_dir() else name


def config_of(name: str, revision: str | None = None, *, sees: bool = True) -> Any:
    """The configuration of a model, by hub id or folder; one that sees unless told otherwise."""
    _, transformers = libraries()
    kind = f"{EXAMPLE}, or a folder of such a model" if sees else (
        f"{READER}, a folder of such a model, or smollm2")  # fmt: skip
    try:
        if Path(name).is_absolute() and not Path(name).is_dir():
            raise OSError("there is no such folder.")
        config = transformers.AutoConfig.from_pretrained(name, revision=revision, **SAFE)
    except (OSError, ValueError) as error:
        raise UserMistake(
            f"The model {name!r} cannot be loaded: {first_line(error)}",
            f"It is a hub id such as {kind}.",
        ) from error
    if sees and getattr(config, "vision_config", None) is None:
        raise blind(type(config).__name__, "Give another model.")
    return config


def blind(what: str, todo: str) -> UserMistake:
    """What is said of a model that cannot see."""
    return UserMistake(
        f"No vision tower was found in the model ({what}).",
        f"Both pictures are looked at: that takes a vision-language model such as {EXAMPLE}.",
        todo,
    )


def skeleton_of(config: Any, *, sees: bool = True) -> Any:
    """The model without weights: what can be counted before anything is loaded."""
    _, transformers = libraries()
    from accelerate import init_empty_weights

    kind = transformers.AutoModelForImageTextToText if sees else transformers.AutoModelForCausalLM
    with init_empty_weights():
        return kind.from_config(config, **SAFE)


def fingerprint(model: Any) -> str:
    """What a model's weights are known by, in any precision: the first numbers of each."""
    import torch

    told = hashlib.sha256()
    for name, one in model.named_parameters():
        first = one.detach().flatten()[:FIRST].to("cpu", torch.bfloat16)
        told.update(f"{name} {tuple(one.shape)} {first.tolist()}".encode())
    return told.hexdigest()


def plain_words(processor: Any, words: str) -> str:
    """Words of a user as words, whatever they say: none is a picture or another's turn."""
    tokenizer = getattr(processor, "tokenizer", processor)
    found = {str(word) for word in tokenizer.all_special_tokens}
    found |= {str(getattr(processor, name, "") or "") for name in ("image_token", "video_token")}
    for special in sorted((word for word in found if len(word) > 1), key=len, reverse=True):
        words = words.replace(special, f"{special[0]} {special[1:]}")
    return words


def load_base(name: str, *, dtype: str, revision: str | None = None) -> Any:
    """The model with its weights, from safetensors alone."""
    torch, transformers = libraries()
    config = config_of(name, revision)
    refuse_adapter(name, revision)
    try:
        return transformers.AutoModelForImageTextToText.from_pretrained(
            name, config=config, dtype=getattr(torch, dtype), use_safetensors=True,
            revision=revision, **SAFE,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        raise UserMistake(
            f"The weights of {name!r} cannot be loaded: {first_line(error)}",
            "They are safetensors of a model that sees and chats.",
        ) from error


def refuse_adapter(name: str, revision: str | None = None) -> None:
    """Refuse an adapter, which transformers would put on whatever model it names."""
    from transformers.utils import find_adapter_config_file

    if find_adapter_config_file(name, revision=revision):
        raise UserMistake(
            f"{name!r} is an adapter on a model, or holds one.",
            "A whole model was expected: an adapter may name any other to be put on.",
            "Merge it into its model first (PEFT's merge_and_unload).",
        )


def with_adapter(model: Any, folder: Path, kinds: Sequence[str]) -> Any:
    """The model with the adapter in a folder; one of another kind may load what it likes."""
    from peft import PeftModel
    from safetensors import SafetensorError

    spoilt = OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError, UserWarning
    try:
        kind = json.loads((folder / ADAPTER_CONFIG).read_text(encoding="utf-8"))["peft_type"]
        if kind not in kinds or not (folder / ADAPTER_WEIGHTS).is_file():
            raise ValueError(f"it is of the kind {kind}, or has no {ADAPTER_WEIGHTS}")
        with warnings.catch_warnings():
            # PEFT takes AdaLoRA's ranks for LoRA's, says it ignores them, and goes on to use them.
            warnings.filterwarnings("ignore", message="The following rank_pattern keys")
            # What is missing in the file would be left as it was drawn, with a mere warning.
            warnings.filterwarnings("error", message="Found missing adapter keys")
            return PeftModel.from_pretrained(model, str(folder))
    except spoilt as error:
        raise UserMistake(
            f"{folder} has no adapter that can be used: {first_line(error)}",
            f"{ADAPTER_CONFIG} of the kind {' or '.join(kinds)} and {ADAPTER_WEIGHTS} that fit the"
            " model were expected.",
            "Copy the folder again, or train it again.",
        ) from error


def processor_of(name: str, revision: str | None = None) -> Any:
    """The processor of a chat model that sees pictures, by hub id or folder."""
    _, transformers = libraries()
    from transformers.models.auto.processing_auto import PROCESSOR_MAPPING

    try:
        config = transformers.AutoConfig.from_pretrained(name, revision=revision, **SAFE)
        stock = PROCESSOR_MAPPING.get(type(config), None)
        kind = _without_videos(stock) if stock else transformers.AutoProcessor
        processor = kind.from_pretrained(name, backend="pil", revision=revision, **SAFE)
    except (OSError, ValueError, ImportError) as error:
        raise UserMistake(
            f"The processor of the model {name!r} cannot be loaded: {first_line(error)}",
            f"It is a hub id such as {EXAMPLE}, or a folder with the files of a model that sees"
            " pictures.",
        ) from error
    return _checked(processor, name)


def _checked(processor: Any, name: str) -> Any:
    """The processor, if it can read pictures and write a chat."""
    if not hasattr(processor, "image_processor"):
        raise UserMistake(
            f"The model {name!r} came with a {type(processor).__name__}, which reads no pictures.",
            "A model that sees has an image processor beside its tokenizer.",
            "Give a vision-language model, or add its preprocessor_config.json to the folder.",
        )
    if not (processor.chat_template or processor.tokenizer.chat_template):
        raise UserMistake(
            f"The model {name!r} has no chat template.",
            f"It must be one that was made for conversation, such as {EXAMPLE}.",
        )
    return processor


def _without_videos(stock: Any) -> Any:
    """A processor class without its reader of videos, saved and loaded under the same name."""

    def get_attributes(cls: Any) -> list[str]:
        return [part for part in super(pictures, cls).get_attributes() if part != "video_processor"]

    pictures: Any = type(stock.__name__, (stock,), {"get_attributes": classmethod(get_attributes)})
    return pictures
