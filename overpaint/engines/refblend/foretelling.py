"""What a build may ask of models, before it asks: how many questions, pictures, dollars."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from overpaint.document.pictures import read_size
from overpaint.engines.refblend import extracting, rewriting
from overpaint.engines.refblend.instructions import WORDS
from overpaint.engines.refblend.judging import REPEATS
from overpaint.engines.refblend.records import Place, Settings
from overpaint.engines.refblend.sources import MOST_GIVEN
from overpaint.errors import PictureError
from overpaint.measures import rubric
from overpaint.models import words_of
from overpaint.models.forecast import Ask
from overpaint.models.names import Endpoint, endpoint
from overpaint.vision.references import Kind

_PROMPT = 2_000  # bytes of the question for a caption, about
_TEXT = 600  # and of an instruction
# How many references of a kind a picture may have: all people and each, and what came with it.
_LOOKS = {"pose": 1 + extracting.PEOPLE, "subject": MOST_GIVEN, "style": MOST_GIVEN}


@dataclass(frozen=True)
class Shape:
    """As much of a picture as its questions depend on."""

    size: tuple[int, int]
    captioned: bool = False


def shapes(paths: Iterable[Path], captioned: set[Path]) -> Iterator[Shape | PictureError]:
    """The pictures of some files, or what keeps one from being read; nothing is kept."""
    for path in paths:
        try:
            yield Shape(read_size(path), path in captioned)
        except PictureError as error:
            yield error


def missing(place: Place, settings: Settings) -> list[Shape]:
    """The pictures of a build about which the model or the judge has not been asked yet."""
    captions = place.captions()
    voiced = {one.source for one in place.voiced().values()} if settings.model else None
    judged = {one.source for one in place.judged().values()} if settings.judge else None
    return [
        Shape((one.width, one.height), one.id in captions)
        for one in place.sources().values()
        if any(done is not None and one.id not in done for done in (voiced, judged))
    ]


def asks(found: Sequence[Shape], settings: Settings) -> list[Ask]:
    """The most that may be asked about pictures of these shapes."""
    asked: list[Ask] = []
    kinds = extracting.wanted(settings)
    for one in found:
        if settings.model:
            where = endpoint(settings.model)
            if "caption" in kinds and not one.captioned:
                asked.append(Ask(where, "caption", _PROMPT, (one.size,)))
            voices = settings.per_image * settings.personas * rewriting.TRIES
            asked += [_rubric(rewriting.RUBRIC, where, ())] * voices
        if settings.judge:
            asked += _judged(kinds, one, endpoint(settings.judge))
    return asked


def _judged(kinds: Sequence[Kind], shape: Shape, where: Endpoint) -> Iterator[Ask]:
    for kind in kinds:
        pictures = (shape.size,) * (1 if kind == "caption" else 2)
        yield from [_rubric(f"multiref_{kind}", where, pictures)] * _LOOKS.get(kind, 1) * REPEATS


def _rubric(name: str, where: Endpoint, pictures: tuple[tuple[int, int], ...]) -> Ask:
    loaded = rubric.load(name)
    slots = {slot.name: "word " * WORDS for slot in loaded.slots}
    prompt = loaded.prompt(slots, truth=False, references=max(0, len(pictures) - 1))
    words = words_of(prompt, loaded.schema, len(pictures)) + _TEXT
    return Ask(where, name, words, pictures)
