"""TextEditBench's difficulty: the ten annotated values, and what can be computed of them.

Attributes, their levels and the tiers follow TextEditBench (section 3.3, table 2, appendix B).
Font, surface, occlusion, context, clutter and language are taken as annotated.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from overpaint.core import Repair, Sample
from overpaint.document import Document
from overpaint.errors import PictureError

ATTRIBUTES = (
    "num_text_regions", "text_length", "font_complexity", "language", "surface_geometry",
    "occlusion", "context_dependency", "background_clutter", "task_category", "semantic_linkage",
)  # fmt: skip
LANGUAGES = ("English", "one other", "mixed")
UNKNOWN = "unknown"
LENGTH = len(ATTRIBUTES)
LEVELS = dict.fromkeys(ATTRIBUTES, (0, 1, 2)) | dict.fromkeys(
    ("context_dependency", "semantic_linkage"), (0, 2)
)
# The release's six methods do not say which kind of change or move it is: sets, not values.
TASK_LEVELS = {
    "delete": (0,),
    "insert": (0,),
    "change": (0, 2),
    "scaling": (1,),
    "attribute": (1,),
    "relocation": (1, 2),
}
MASK_THRESHOLD = 128
SPECK = 64  # connected parts of fewer pixels are JPEG noise
PROMPT_READ = 4_000  # characters; the release's longest prompt has a tenth of that

_RATING = re.compile(r"\s*(\d{0,3})\s*\(([\d\s,]{0,200})\)\s*")
_WIDE = str.maketrans("（），", "(),")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}][^\s{_CJK}]*")
_QUOTED = re.compile(
    r"(?:(?<!\w)|(?<=\bof))'(?=\S)([^'\n]+(?:'\w[^'\n]*)*)'(?!\w)"  # an apostrophe may stand inside
    r"|‘([^‘’\n]+(?:’\w[^‘’\n]*)*)’(?!\w)"
    r"|\"([^\"\n]+)\"|“([^”\n]+)”|「([^」\n]+)」"
)
_JOINED = re.compile(r"[\s,;、，&]*(?:and)?[\s,;]*")
_INTO = re.compile(r"\b(?:to|with|into|as|by)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Rating:
    """A difficulty score as written: "12(0,0,2,…)" has a sum and its parts."""

    total: int | None
    values: tuple[int, ...]
    tidy: bool = True  # False where a stray comma had to be passed over


def read_rating(text: str) -> Rating | None:
    """The rating in this text, or None where there is none."""
    found = _RATING.fullmatch(text.strip()[:300].translate(_WIDE))
    if not found:
        return None
    parts = [part.strip() for part in found[2].split(",")]
    values = [part for part in parts if part]
    if not values or not all(re.fullmatch(r"[0-9]{1,3}", part) for part in values):
        return None
    total = int(found[1]) if found[1] else None
    return Rating(total, tuple(int(value) for value in values), len(values) == len(parts))


def tier(total: int) -> str:
    """The tier of a summed score: easy 0–5, medium 6–10, hard from 11."""
    return "easy" if total <= 5 else "medium" if total <= 10 else "hard"


def tags_of(rating: Rating | None, label: str) -> tuple[str, str]:
    """Tier and language: of the values where there are ten, else the label, else unknown."""
    if rating is None or len(rating.values) != LENGTH:
        return label or UNKNOWN, UNKNOWN
    language = rating.values[ATTRIBUTES.index("language")]
    return tier(sum(rating.values)), LANGUAGES[language] if language < 3 else UNKNOWN


def rating_notes(rating: Rating | None, text: str, label: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a rating by itself, as kinds of repair and what was done."""
    if rating is None:
        if text:
            yield "odd score", f"difficulty_score {text[:60]!r} could not be read."
        return
    if not rating.tidy:
        yield "odd score", f"A stray comma in {text[:60]!r} was passed over."
    if len(rating.values) != LENGTH:
        kept = f"the tier stays {label!r} as annotated" if label else "no tier"
        yield "wrong length", f"{len(rating.values)} values instead of {LENGTH}; {kept}."
        return
    total = sum(rating.values)
    if rating.total != total:
        stated = "No sum is given" if rating.total is None else f"The sum says {rating.total}"
        yield "wrong sum", f"{stated}; the ten values make {total}, which counts."
    if label and tier(total) != label:
        yield "tier disagrees", f"Annotated {label!r}; the sum {total} makes it {tier(total)!r}."


def check_difficulty(sample: Sample) -> list[Repair]:
    """Where the annotated values disagree with what can be computed; raw values are kept."""
    values = sample.facts.get("difficulty_values")
    if values is None or len(values) != LENGTH:
        return []
    annotated = dict(zip(ATTRIBUTES, values, strict=True))
    found = []
    for attribute, allowed, because in _expected(sample):
        if annotated[attribute] not in allowed:
            right = " or ".join(str(level) for level in allowed) or "no level"
            did = f"Annotated {annotated[attribute]}, expected {right} ({because}); kept."
            found.append(Repair(sample.id, f"difficulty {attribute}", did))
    for attribute, levels in LEVELS.items():
        if annotated[attribute] not in levels:
            did = f"{attribute} is {annotated[attribute]}, which the table does not have; kept."
            found.append(Repair(sample.id, "difficulty value", did))
    return found


def _expected(sample: Sample) -> Iterator[tuple[str, tuple[int, ...], str]]:
    """Attribute, the values it may have, and why; nothing where it cannot be computed."""
    operation = sample.tags["operation"]
    regions = count_regions(sample.masks[-1]) if sample.masks else None
    if regions is not None:
        level = 0 if regions == 1 else 1 if regions <= 3 else 2
        yield "num_text_regions", (level,) if regions else (), f"white regions: {regions}"
    words = target_words(sample.request.instruction, operation)
    if words is not None:
        level = 0 if words <= 2 else 1 if words <= 4 else 2
        yield "text_length", (level,), f"quoted words: {words}"
    if operation in TASK_LEVELS:
        yield "task_category", TASK_LEVELS[operation], f"operation {operation}"
    linked = bool(sample.facts.get("knowledge_prompt"))
    yield (
        "semantic_linkage",
        (2,) if linked else (0,),
        f"{'a' if linked else 'no'} knowledge prompt",
    )


def count_regions(mask: Document) -> int | None:
    """Connected white parts (8-neighbours, threshold 128, no specks); None without a picture."""
    if mask.path is not None and not mask.path.is_file():
        return None
    import cv2
    import numpy as np

    try:
        # A document of its own, so that a thousand masks are not all kept decoded.
        pixels = Document(mask.path, mask.made).rgb
    except PictureError:
        return None
    red, green, blue = (pixels[:, :, at] >= MASK_THRESHOLD for at in range(3))
    white = (red | green | blue).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(white, connectivity=8)
    return int((stats[1:, cv2.CC_STAT_AREA] >= SPECK).sum())


def target_words(prompt: str, operation: str) -> int | None:
    """Words of the quoted text the edit is about; a CJK character is a word; None if unquoted.

    A change is about the new text, which stands last or after "to"; anything else about the
    text quoted first. Quotations joined by commas or "and" count together.
    """
    runs = _quoted_runs(prompt[:PROMPT_READ])
    if not runs:
        return None
    if operation != "change":
        return runs[0][1]
    before, words = runs[-1]
    return words if len(runs) > 1 or _INTO.search(before) else None


def _quoted_runs(prompt: str) -> list[tuple[str, int]]:
    """For each run of quotations the text before it and the words in it."""
    runs: list[tuple[str, int]] = []
    end = 0
    for found in _QUOTED.finditer(prompt):
        words = len(_WORD.findall(next(group for group in found.groups() if group)))
        before = prompt[end : found.start()]
        if runs and _JOINED.fullmatch(before):
            runs[-1] = (runs[-1][0], runs[-1][1] + words)
        else:
            runs.append((before, words))
        end = found.end()
    return runs
