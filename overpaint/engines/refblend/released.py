"""MultiRef's released form, as RefBlend writes it: set/samples.json is a list, one entry a sample.

    id                     ours
    original_image_path    the picture all references are of: the target. All paths are below set/
    conditions             always these ten; null, or [] of a list, where the sample has none:
        semantic_map_path, sketch_path, canny_path, bbox_path, depth_path, mask_path    a path
        caption            a text
        style_path, subject_paths    lists of paths
        pose_path          a path, or a list of paths where there are several poses
    instructions
        conditions         the kinds used, by name in alphabetical order; two subjects stand twice
        image_path_mapping {"canny_image": path, "subject_1": path, …} in the sentence's order
        original_prompts   the structured instruction, a text
        enhance_prompts    the same in personas' voices, a list of texts; [] without a model
    judge                  {"Canny Alignment": 4, …}, whole scores of 1 to 5; {} without a judge
    results                {}: for those who file outputs there

Beside them, ours:

    extractors             {"canny": "opencv/1", …}, method and version by kind; of a caption, too
    labels                 {"<mask_image>": "a dog", …} where it is known what a reference shows
    confidences            {"<mask_image>": 0.91, …} where the method gives one
    size                   [width, height] of the original
    source                 what samples of one picture share
    combination            "canny+caption"
    notes                  what a reader should know, a list of texts

Placeholders: <style_image>, <sketch_image>, <depth_image>, <semantic_image>, <canny_image>,
<bbox_image>, <mask_image>; numbered <subject_1>, <pose_1>. A caption has none: its words follow
"following the caption:" at the end of an instruction.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from overpaint.vision.references import Kind

PLACEHOLDERS: Mapping[Kind, str] = {
    "style": "<style_image>", "sketch": "<sketch_image>", "depth": "<depth_image>",
    "semantic_map": "<semantic_image>", "canny": "<canny_image>", "bbox": "<bbox_image>",
    "mask": "<mask_image>",
}  # fmt: skip
NUMBERED: Mapping[Kind, str] = {"subject": "<subject_{}>", "pose": "<pose_{}>"}
SAMPLES, METADATA = "samples.json", "metadata.jsonl"

# Where each kind stands among the conditions, and whether that is a list.
CONDITIONS: Mapping[Kind, tuple[str, bool]] = {
    "semantic_map": ("semantic_map_path", False), "sketch": ("sketch_path", False),
    "canny": ("canny_path", False), "bbox": ("bbox_path", False), "depth": ("depth_path", False),
    "mask": ("mask_path", False), "caption": ("caption", False), "style": ("style_path", True),
    "pose": ("pose_path", False), "subject": ("subject_paths", True),
}  # fmt: skip


def placeholder(kind: Kind, number: int = 1) -> str:
    """What an instruction calls a reference; "" of a caption."""
    return NUMBERED[kind].format(number) if kind in NUMBERED else PLACEHOLDERS.get(kind, "")


def conditions(given: Mapping[Kind, Sequence[str]]) -> dict[str, Any]:
    """All ten conditions of a sample: paths by kind, and the caption's words."""
    found: dict[str, Any] = {}
    for kind, (key, listed) in CONDITIONS.items():
        values = list(given.get(kind, ()))
        several = kind == "pose" and len(values) > 1
        found[key] = values if listed or several else values[0] if values else None
    return found
