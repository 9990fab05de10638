"""A ComfyUI workflow in its API format: which inputs take picture, mask and words.

Inputs that hold {image}, {image2}, {mask} or {instruction} take those. Where a workflow has none
of a kind, its nodes tell: LoadImage takes a picture, LoadImageMask a mask, and the text that
leads to a sampler's `positive` the instruction.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overpaint.document import regular
from overpaint.errors import UserMistake, unread

LARGEST = 16 * 1024 * 1024  # bytes of a workflow's file
SEEDS = ("seed", "noise_seed")
TEXTS = ("text", "prompt", "instruction", "clip_l", "t5xxl")
_SLOT = re.compile(r"\{(instruction|mask|image[1-9]?)\}")
_WAY = 64  # links that are followed back from a sampler
_EXPORT = "In ComfyUI, export it with File → Export (API)."

Nodes = Mapping[str, Mapping[str, Any]]
Slot = tuple[str, str]  # node, input


@dataclass(frozen=True)
class Workflow:
    """The nodes of a workflow and the inputs that a request fills."""

    nodes: Nodes
    texts: tuple[Slot, ...]
    pictures: tuple[tuple[Slot, ...], ...]  # for the source, then for each reference
    masks: tuple[Slot, ...]

    @property
    def reads_alpha(self) -> bool:
        """Whether the source's own alpha is its mask: a node takes LoadImage's second output."""
        loaders = {node for node, _ in self.pictures[0]}
        links = (value for node in self.nodes.values() for value in node["inputs"].values())
        return any(link[0] in loaders and link[1] == 1 for link in links if _is_link(link))

    def filled(self, values: Mapping[str, str], *, seed: int | None) -> dict[str, Any]:
        """The workflow with `instruction`, `image`, `image2` … and `mask` in their places."""
        made: dict[str, Any] = json.loads(json.dumps(self.nodes))
        if seed is not None:
            for node in made.values():
                node["inputs"] |= {n: seed for n in SEEDS if _is_number(node["inputs"].get(n))}
        for slots, name in self._wanted():
            for node, entry in slots:
                made[node]["inputs"][entry] = _put(self.nodes[node]["inputs"][entry], name, values)
        return made

    def _wanted(self) -> list[tuple[tuple[Slot, ...], str]]:
        numbered = [(slots, image_name(n)) for n, slots in enumerate(self.pictures, 1)]
        return [(self.texts, "instruction"), *numbered, (self.masks, "mask")]


def image_name(number: int) -> str:
    """What the picture of that number is called in a workflow: image, image2, image3 …"""
    return "image" if number == 1 else f"image{number}"


def _put(text: str, name: str, values: Mapping[str, str]) -> str:
    """The input's text with what it asks for; one pass, so that words in braces stay words."""
    if name not in values:
        return text
    if not _SLOT.search(text):
        return values[name]
    return _SLOT.sub(lambda slot: values.get(_plain(slot[1]), slot[0]), text)


def _plain(name: str) -> str:
    return "image" if name == "image1" else name


# ── reading ─────────────────────────────────────────────────────────────────────────────────


def read_workflow(path: Path) -> Workflow:
    """The workflow of a file; `UserMistake` where it cannot be used."""
    nodes = _nodes(path)
    named = _named(nodes)
    texts = named.get("instruction") or _positive(nodes)
    if not texts:
        raise UserMistake(
            f"{path} does not say which of its texts is the instruction.",
            "Exactly one text that leads to a sampler's “positive” was expected, or a placeholder.",
            "Write {instruction} into that text, in the file or in ComfyUI, and export it again.",
        )
    pictures = _pictures(nodes, named)
    if not pictures:
        raise UserMistake(
            f"{path} takes no picture.",
            "A LoadImage node was expected, or {image} where a file's name goes.",
        )
    masks = named.get("mask") or _of_kind(nodes, "LoadImageMask", "image")
    return Workflow(nodes, tuple(texts), pictures, tuple(masks))


def _nodes(path: Path) -> Nodes:
    try:
        if path.stat().st_size > LARGEST:
            raise UserMistake(f"{path} has more than {LARGEST >> 20} MB; no workflow has.")
        found = json.loads(regular.read_text(path))
    except OSError as error:
        raise UserMistake(
            f"The workflow {path} cannot be read: {error.strerror}.", _EXPORT
        ) from None
    except (ValueError, RecursionError) as error:
        raise UserMistake(f"The workflow {path} is no JSON: {unread(error)}.", _EXPORT) from None
    if isinstance(found, dict) and isinstance(found.get("nodes"), list):
        raise UserMistake(f"{path} is a drawing of a workflow, not what is run.", _EXPORT)
    if not isinstance(found, dict) or not found or not all(map(_is_node, found.values())):
        raise UserMistake(f"{path} is no workflow in the API format.", _EXPORT)
    return found


def _is_node(found: object) -> bool:
    return (
        isinstance(found, dict)
        and isinstance(found.get("class_type"), str)
        and isinstance(found.get("inputs"), dict)
    )


def _named(nodes: Nodes) -> dict[str, list[Slot]]:
    """The inputs that hold a placeholder, by what it asks for."""
    found: dict[str, list[Slot]] = {}
    for key, node in nodes.items():
        for entry, value in node["inputs"].items():
            for name in _SLOT.findall(value) if isinstance(value, str) else ():
                found.setdefault(_plain(name), []).append((key, entry))
    return found


def _pictures(nodes: Nodes, named: Mapping[str, list[Slot]]) -> tuple[tuple[Slot, ...], ...]:
    if "image" in named:
        numbers = [n for n in range(1, 10) if image_name(n) in named]
        if numbers != [*range(1, len(numbers) + 1)]:
            raise UserMistake(
                f"The workflow asks for {{image{numbers[-1]}}} but not for all before."
            )
        return tuple(tuple(named[image_name(n)]) for n in numbers)
    taken = {slot for slots in named.values() for slot in slots}
    loaders = [slot for slot in _of_kind(nodes, "LoadImage", "image") if slot not in taken]
    return tuple((slot,) for slot in loaders)


def _of_kind(nodes: Nodes, kind: str, entry: str) -> list[Slot]:
    """Inputs of the nodes of one kind, in the order of their numbers."""
    found = [
        key for key, node in nodes.items()
        if node["class_type"] == kind and isinstance(node["inputs"].get(entry), str)
    ]  # fmt: skip
    return [(key, entry) for key in sorted(found, key=lambda key: (len(key), key))]


def _positive(nodes: Nodes) -> list[Slot]:
    """The only text there is, or those that lead to a `positive` input and to no `negative`."""
    texts = [
        (key, entry)
        for key, node in nodes.items()
        for entry in TEXTS
        if isinstance(node["inputs"].get(entry), str)
    ]
    if len({key for key, _ in texts}) <= 1:
        return texts
    leading = _before(nodes, "positive") - _before(nodes, "negative")
    chosen = [slot for slot in texts if slot[0] in leading]
    return chosen if len({key for key, _ in chosen}) == 1 else []


def _before(nodes: Nodes, entry: str) -> set[str]:
    """Every node whose output reaches an input of that name."""
    now = {_link(node["inputs"].get(entry)) for node in nodes.values()} - {""}
    found: set[str] = set()
    for _ in range(_WAY):
        found |= now
        known = (nodes[key]["inputs"].values() for key in now if key in nodes)
        now = {_link(value) for values in known for value in values} - found - {""}
    return found


def _link(value: object) -> str:
    return value[0] if isinstance(value, list) and _is_link(value) else ""


def _is_link(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# ── what became of one ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Saved:
    """A picture that a workflow saved, as `/view` wants it named."""

    filename: str
    subfolder: str
    type: str

    @property
    def query(self) -> dict[str, str]:
        """The address's query."""
        return {"filename": self.filename, "subfolder": self.subfolder, "type": self.type}


def saved(outputs: object) -> list[Saved]:
    """The pictures in a history's outputs, those that are kept before previews."""
    found = []
    for node in outputs.values() if isinstance(outputs, dict) else ():
        pictures = node.get("images") if isinstance(node, dict) else None
        for one in pictures if isinstance(pictures, list) else ():
            if isinstance(one, dict) and isinstance(one.get("filename"), str):
                told = (str(one.get(name) or "")[:500] for name in ("subfolder", "type"))
                found.append(Saved(one["filename"][:500], *told))
    return sorted(found, key=lambda one: one.type != "output")


def fault(status: object) -> str:
    """Why a workflow failed, in ComfyUI's words; "" where it did not."""
    if not isinstance(status, dict) or status.get("status_str") != "error":
        return ""
    messages = status.get("messages")
    for message in messages if isinstance(messages, list) else ():
        if _is_link(message) and isinstance(message[1], dict):
            kind, told = message
            if kind == "execution_error":
                node = f"{told.get('node_type')} (node {told.get('node_id')})"
                return f"{node}: {told.get('exception_message')}".strip()
            if kind == "execution_interrupted":
                return "somebody interrupted it"
    return "it does not say why"


def invalid(reply: Mapping[str, Any]) -> str:
    """Why a workflow was not queued, node by node; "" where it was."""
    nodes, error = reply.get("node_errors"), reply.get("error")
    if not error and not nodes:
        return ""
    said = [str(error.get("message") if isinstance(error, dict) else error)] if error else []
    for key, node in nodes.items() if isinstance(nodes, dict) else ():
        errors = node.get("errors") if isinstance(node, dict) else None
        for one in errors if isinstance(errors, list) else ():
            if isinstance(one, dict):
                what = f"{one.get('message')} {one.get('details') or ''}".strip()
                said.append(f"{node.get('class_type')} (node {key}): {what}")
    return "; ".join(said[:4])
