"""A judge looks at references, each by the rubric of its kind; any low score drops one."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from overpaint.document import Document
from overpaint.engines.milde.asking import Asker
from overpaint.engines.refblend.records import Judged, Place, Source
from overpaint.errors import Unreadable
from overpaint.measures import rubric
from overpaint.vision.references import KINDS, Kind

REPEATS = 2  # times a question is put whose answer cannot be read


@dataclass(frozen=True)
class Look:
    """One reference of one picture that a judge is to look at."""

    source: Source
    kind: Kind
    file: str = ""  # of its picture
    subject: str = ""  # the picture's SHA-256, or the caption

    @property
    def id(self) -> tuple[str, str, str]:
        """What a judgement of it is known by."""
        return self.source.id, self.kind, self.subject


def looks(place: Place) -> Iterator[Look]:
    """Every reference that was not dropped, in the order of pictures."""
    found, captions = place.found(), place.captions()
    for source in place.sources().values():
        for one in (found[source.id, kind] for kind in KINDS if (source.id, kind) in found):
            yield from (Look(source, one.kind, drawn.file, drawn.sha256)
                        for drawn in one.references if not drawn.dropped)  # fmt: skip
        if source.id in captions:
            yield Look(source, "caption", subject=captions[source.id].text)


def judge(folder: Path, look: Look, asker: Asker) -> Judged:
    """What the judge says of a reference; a reply that cannot be read, twice, drops it."""
    loaded = rubric.load(f"multiref_{look.kind}")
    pictures = [Document(folder / look.source.picture)]
    pictures += [Document(folder / look.file)] if look.file else []
    slots = {"caption": look.subject} if look.kind == "caption" else {}
    prompt = loaded.prompt(slots, truth=False, references=len(pictures) - 1)
    wrong = ""
    for turn in range(REPEATS):
        reply = asker.model.ask(prompt, pictures, loaded.schema, turn=turn)
        try:
            said = _read(loaded, reply.text, asker, reply.key)
        except Unreadable as error:
            wrong = str(error)
            continue
        return Judged(look.source.id, look.kind, look.subject, said)
    return Judged(look.source.id, look.kind, look.subject, faults=(wrong,))


def _read(loaded: rubric.Rubric, text: str, asker: Asker, key: str) -> dict[str, int]:
    try:
        return {name: round(one.value) for name, one in loaded.read(text).items()}
    except Unreadable as error:
        if asker.desk is not None:
            asker.desk.doubt(key, str(error))
        raise


def verdict(judged: Judged | None, least: int) -> str:
    """Why a reference is dropped by what a judge said, if so."""
    if judged is None:
        return ""
    if judged.faults:
        return "the judge could not be understood"
    low = [f"{name} below {least}" for name, score in judged.scores.items() if score < least]
    return ", ".join(low)
