"""How natural the words in the edited region are to a small language model.

    fluency         Σ log₂ p(token | all tokens before it) / n, over the tokens of the n characters
                    read; in bits a character, 0 where every letter was certain, and below
    fluency_change  that of the output minus that of the truth, or of the source where there is no
                    truth, read in the same place: what the topic costs cancels out

It is the negative of the bits per character that language models are compared by (Graves 2013,
arXiv:1308.0850). Characters are counted and not tokens, because a misspelt word has more tokens
than the word itself. What is read are whole lines that the region touches, as one word says
little on its own.

SmolLM2 judges English. Gemma 3 judges English and Chinese at a third of the speed and under terms
of its own, so it is asked by name: `fluency@gemma3`. `bench/fluency.py` says how well they tell.
"""

import math
import unicodedata
from collections.abc import Callable
from functools import partial

from overpaint.core import Edit, Evidence, Found, Measure, each, finding
from overpaint.document import Document
from overpaint.errors import NotApplicable, Undecided
from overpaint.measures.background import editable, picture
from overpaint.measures.pixel import Mask
from overpaint.measures.reading import region_of, sized
from overpaint.models.local import Local
from overpaint.vision import layout, ocr
from overpaint.vision.joining import joined
from overpaint.vision.page import Line

MODEL = "smollm2"
LONGEST = 1000  # letters; what follows is not judged
FEWEST = 12  # letters that tell anything
KNOWN = 0.8  # of the letters have to be of the model's scripts
HAN = 2  # Latin letters that a Chinese one counts for
TOUCHED = 0.5  # of a line's height lies in the region somewhere
VERSION = f"1+page{layout.REVISION}"
LANGUAGES = {"smollm2": "English", "gemma3": "English and Chinese"}


def fluency_of(text: str, model: str = MODEL) -> float:
    """The mean log₂-probability a character of a text, which is not empty."""
    return sum(Local(model).logprobs(text)) / math.log(2) / len(text)


@finding(version=VERSION, keep=True)
def _fluency(evidence: Evidence, text: str, model: str) -> float:
    return fluency_of(text, model)


# ── reading ─────────────────────────────────────────────────────────────────────────────


def region(edit: Edit, evidence: Evidence) -> Mask | None:
    """Where the edit was to be, in pixels of the reference; None where nobody says."""
    import numpy as np

    reference = edit.sample.reference
    if edit.sample.masks:
        found: Mask = editable(evidence, reference, *edit.sample.masks)
        return found
    if not edit.sample.facts.get("region") or edit.sample.target is None:
        return None
    left, top, right, bottom = region_of(edit, evidence)
    box = np.zeros(picture(evidence, reference).shape[:2], bool)
    box[top:bottom, left:right] = True
    return box


def text_in(evidence: Evidence, document: Document, where: Mask | None) -> str:
    """What the lines that a region touches say, a paragraph a line."""
    lines = [
        line
        for line in ocr.lines(evidence, document)
        if line.text and (where is None or touched(line, where))
    ]
    texts = [joined(line.text for line in part) for part in layout.paragraphs(lines)]
    return "\n".join(unicodedata.normalize("NFC", text).strip() for text in texts).strip()


def touched(line: Line, where: Mask) -> bool:
    """Whether the region covers half of a line's height somewhere; its neighbour it may graze."""
    left, top, right, bottom = (max(0, round(edge)) for edge in line.box)
    part = where[top:bottom, left:right]
    return bool(part.size) and float(part.mean(axis=0).max()) >= TOUCHED


def checked(text: str, model: str = MODEL) -> tuple[str, tuple[str, ...]]:
    """The text as far as it is judged, with a note where that is not all of it."""
    letters = [letter for letter in text if letter.isalpha()]
    if not letters:
        raise Undecided("No words were read where the edit was to be.")
    latin = sum(letter < "\u0250" for letter in letters)
    han = sum("\u3400" <= letter <= "\u9fff" for letter in letters)
    known = latin + (han if model == "gemma3" else 0)
    if known < KNOWN * len(letters):
        raise NotApplicable(
            f"The language model {model} knows {LANGUAGES[model]}, and"
            f" {known / len(letters):.0%} of the letters read are of that kind.",
            f"At least {KNOWN:.0%} were expected.",
        )
    if len(letters) + (HAN - 1) * han < FEWEST:
        raise Undecided(f"{text!r} was read: too short to be natural or not.")
    if len(text) <= LONGEST:
        return text, ()
    return text[:LONGEST], (f"of {len(text):,} letters the first {LONGEST:,} are judged",)


# ── measures ────────────────────────────────────────────────────────────────────────────


def _of_output(model: str, edit: Edit, evidence: Evidence) -> Found:
    assert edit.output is not None
    output = sized(evidence, edit.output, edit.sample.reference)
    return _of(evidence, output, region(edit, evidence), model)


def _of_both(model: str, edit: Edit, evidence: Evidence) -> Found:
    output, reference = (of(model, edit, evidence) for of in (_of_output, _of_reference))
    notes = tuple(dict.fromkeys(output.notes + reference.notes))
    return Found(output.value - reference.value, notes)


def _of_reference(model: str, edit: Edit, evidence: Evidence) -> Found:
    """What an output is held against; whether it can be says the sample, not the output."""
    try:
        return _of(evidence, edit.sample.reference, region(edit, evidence), model)
    except Undecided as error:
        which = "truth" if edit.sample.target else "source"
        raise NotApplicable(f"Nothing in the {which} can be held against it. {error}") from None


def _of(evidence: Evidence, document: Document, where: Mask | None, model: str) -> Found:
    text, notes = checked(text_in(evidence, document, where), model)
    return Found(_fluency(evidence, text, model), notes)


def both(model: str) -> tuple[Measure, Measure]:
    """Fluency to a model, and its change."""
    variant = "" if model == MODEL else f"@{model}"
    natural = f"how natural the words in the edited region are to {model} ({LANGUAGES[model]})"
    change = f"fluency to {model} minus that of the truth, or of the source where there is none"

    def made(name: str, score: Callable[..., Found], best: float | None, about: str) -> Measure:
        name += variant
        return Measure(
            name, each(name, partial(score, model)), higher_is_better=True, worst=None, best=best,
            version=VERSION, needs=(model,), unit="bits", about=about,
        )  # fmt: skip

    return (
        made("fluency", _of_output, 0.0, natural),
        made("fluency_change", _of_both, None, change),
    )


fluency, fluency_change = both("smollm2")
fluency_gemma3, fluency_change_gemma3 = both("gemma3")
