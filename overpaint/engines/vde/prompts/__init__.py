"""The pool of 21 prompts that ask a multimodal model for an editing instruction."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from overpaint.engines.released import TYPES

WORDINGS = ("plain", "checklist", "role")
CURRENT = "2026-11-15-instructions.md"  # a changed prompt is a new file


@cache
def pool() -> Mapping[tuple[str, str], str]:
    """Every prompt by its kind and its wording."""
    text = (files("overpaint.engines.vde.prompts") / CURRENT).read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.+)\n((?:(?!#).*\n?)*)", text, re.MULTILINE))
    return {
        (kind, wording): sections[wording].strip().format(**_slots(sections[kind]))
        for kind in TYPES
        for wording in WORDINGS
    }


def _slots(section: str) -> dict[str, str]:
    return dict(re.findall(r"^- (\w+): (.+)$", section, re.MULTILINE))
