"""What a fusion knows of an edit: our own measures of it, signs of harm, and how far it went.

Every number comes from the source, the output and the instruction alone. Where pictures have words
in them, what is read counts as well, and what the evidence judge decides. A measure that cannot say
anything of an edit (not applicable, undecided, identical) is missing there, which a fusion can deal
with; one whose weights are not here makes the whole edit `unavailable`, since a number told without
it would be another number.
"""

from collections.abc import Iterable, Sequence

from overpaint import catalog
from overpaint.core import Edit, Evidence, Request, Sample, finding
from overpaint.document import Document, Pixels
from overpaint.errors import OverpaintError, Unavailable, Undecided
from overpaint.measures import reading, text
from overpaint.measures.background import resized
from overpaint.measures.learned import fusion_harm, fusion_progress
from overpaint.vision import features as network
from overpaint.vision import ocr

Features = dict[str, float | None]

# Of the output beside the source.
BESIDE = (
    "mse@source", "ssim@source", "ms_ssim@source", "gmsd@source", "fsim@source", "lpips@source",
)  # fmt: skip
ALONE = ("niqe", "brisque")  # of a picture by itself: of the output, and less the source's
LIKENESS = "likeness"  # of both pictures' features by MobileNetV2
DEFAULT = (*BESIDE, *ALONE, LIKENESS)
JUDGED = ("evidence:IF", "evidence:TA", "evidence:VC")  # by words and pixels
READ = "read alike"  # what is read in the output beside what is read in the source
WORDS = (*JUDGED, READ)
KNOWN = (*DEFAULT, *WORDS)
READER = "tiny"  # the engine that reads
FEWEST_LETTERS = 8  # below which what is read is taken for a pattern
VERSION = "1"  # of what is not a measure of the catalogue
MISSING = ("not_applicable", "undecided")
# What is no measure of the catalogue, and its weights.
_OWN = {LIKENESS: (network.NEEDS,), READ: reading.NEEDS[READER]}


def features(edit: Edit, evidence: Evidence, measures: Sequence[str] = DEFAULT) -> Features:
    """Every feature of an edit that is made of these measures, or of none."""
    assert edit.output is not None
    request = edit.sample.request
    seen = request.source, edit.output, request.instruction
    found: Features = dict(_seen(evidence, *seen))
    for spec in measures:
        found[spec] = _value(evidence, *seen, spec, version_of(spec))
    for spec in (one for one in ALONE if one in measures):
        same = request.source, request.source, request.instruction
        before = _value(evidence, *same, spec, version_of(spec))
        after = found[spec]
        found[f"{spec} gain"] = None if before is None or after is None else after - before
    return found


def version_of(spec: str) -> str:
    """The version of a measure that features are made of."""
    # What reads is pinned with the package: its version is no part of ours, or the lack of its
    # weights would be another version.
    return VERSION if spec in _OWN else catalog.measure(spec).version


def needs(measures: Iterable[str]) -> list[str]:
    """Names in the table of weights that measures need."""
    each = (_OWN[spec] if spec in _OWN else catalog.measure(spec).needs for spec in measures)
    return list(dict.fromkeys(name for names in each for name in names))


def words_in(evidence: Evidence, picture: Document) -> str:
    """What is read in a picture, in one normal form; nothing where it is hardly a word."""
    said = text.normalised(" ".join(line.text for line in ocr.lines(evidence, picture, READER)))
    return said if sum(map(str.isalnum, said)) >= FEWEST_LETTERS else ""


@finding(version=VERSION, keep=True)
def _seen(evidence: Evidence, source: Document, output: Document, instruction: str) -> Features:
    """How far it went, and what it harmed."""
    before, after = map(fusion_progress.reduced, _pair(source, output))
    given = fusion_harm.laid(before, after)
    found = fusion_progress.of_request(given, instruction)
    return {**found, **fusion_harm.of_harm(given)}


def _pair(source: Document, output: Document) -> tuple[Pixels, Pixels]:
    """Both pictures, the output in the source's size."""
    before, after = source.rgb, output.rgb
    if after.shape != before.shape:
        after = resized(after, before.shape[1], before.shape[0])
    return before, after


@finding(keep=True)
def _value(
    evidence: Evidence, source: Document, output: Document, instruction: str, *which: str
) -> float | None:
    """What a measure says of an edit that it knows nothing else of; None where it says nothing."""
    spec, _ = which  # and its version
    if spec == LIKENESS:
        return _likeness(evidence, source, output)
    if spec == READ:
        return _read_alike(evidence, source, output)
    edit = Edit(Sample("", Request(source, instruction)), "", "ok", output)
    (score,) = catalog.measure(spec).score([edit], evidence)
    if score.value is not None or score.status in MISSING:
        return score.value
    if score.status == "unavailable":
        raise Unavailable(score.reason)
    raise OverpaintError(f"{spec} is a part of this evaluator, and failed: {score.reason}")


def _likeness(evidence: Evidence, source: Document, output: Document) -> float | None:
    try:
        return network.likeness(evidence, source, output)
    except Undecided:
        return None


def _read_alike(evidence: Evidence, source: Document, output: Document) -> float | None:
    """How much of what is read is read in both, 0 to 1; None where nothing is read in the source.

    1 less the edit distance of both texts over the length of the longer.
    """
    from rapidfuzz.distance import Levenshtein

    before, after = words_in(evidence, source), words_in(evidence, output)
    return float(Levenshtein.normalized_similarity(before, after)) if before else None
