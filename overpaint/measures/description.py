"""`clip_description`: whether an output shows what the description of the wanted picture says.

CLIPScore (Hessel 2021), w · max(cos, 0) with w = 2.5, of the output and the target description.
"""

from overpaint.core import Edit, Evidence, Found, Measure, each
from overpaint.errors import NotApplicable

FACT = "target_description"  # of a sample: the wanted picture in words
SCALE = 2.5


def _clip(edit: Edit, evidence: Evidence) -> Found:
    from overpaint.vision import clip

    assert edit.output is not None
    text = str(edit.sample.facts.get(FACT) or "").strip()
    if not text:
        raise NotApplicable("This sample has no description of the wanted picture.")
    cosine = clip.text_likeness(evidence, text, edit.output)
    return Found(SCALE * max(0.0, cosine), clip.notes(evidence, text))


clip_description = Measure(
    "clip_description", each("clip_description", _clip), higher_is_better=True, worst=0.0,
    best=SCALE, about="CLIPScore of the output and the target description (Hessel 2021), 0–2.5",
)  # fmt: skip
