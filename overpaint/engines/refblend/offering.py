"""What every picture offers, when all that speaks against a reference has been heard."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from overpaint.engines.building import Standing
from overpaint.engines.refblend import judging, people
from overpaint.engines.refblend.choosing import Offer
from overpaint.engines.refblend.extracting import wanted
from overpaint.engines.refblend.records import Caption, Drawn, Found, Judged, Place, Settings
from overpaint.vision.references import Kind


@dataclass(frozen=True)
class Offered:
    """What pictures offer, what was dropped of what kind and why, and where people stand."""

    offers: Sequence[Offer]
    dropped: Counter[tuple[str, str]]
    standing: Standing[people.Fate]


def offer(place: Place, settings: Settings, *, judged: bool) -> Offered:
    """The references of every picture that may be used; `judged`: only those a judge has seen."""
    said, dropped = place.judged(), Counter[tuple[str, str]]()
    found = place.found()
    kept = {
        drawn.file: _kept(one, drawn, said, (settings.least, judged), dropped)
        for one in found.values() for drawn in one.references
    }  # fmt: skip
    standing = people.follow(place, settings, kept)
    for fate in standing.fates:
        kept[fate.file] = fate.stage == "done" and not fate.rejected
        if fate.rejected:
            dropped[fate.kind, f"people said no: {fate.rejected}"] += 1
    captions = {
        one.source: one for one in place.captions().values()
        if _usable(one, said, (settings.least, judged), dropped)
    }  # fmt: skip
    return Offered(_offers(place, settings, kept, captions), dropped, standing)


def _offers(
    place: Place, settings: Settings, kept: Mapping[str, bool], captions: Mapping[str, Caption]
) -> list[Offer]:
    found, said = defaultdict[str, list[Found]](list), defaultdict[str, list[Judged]](list)
    for one in place.found().values():
        found[one.source].append(one)
    for judged in place.judged().values():
        said[judged.source].append(judged)
    kinds, offers = wanted(settings), []
    for name, source in place.sources().items():
        own = {one.kind: one for one in found[name] if one.kind in kinds}
        references: dict[Kind, Sequence[Drawn]] = {
            kind: _usable_of(own[kind], kept) for kind in sorted(own)
        }
        caption = captions.get(name) if "caption" in kinds else None
        offers.append(Offer(source, references, own, caption, said[name]))
    return offers


def _usable_of(found: Found, kept: Mapping[str, bool]) -> list[Drawn]:
    """The references that are kept; people one by one only where all of them are, and together."""
    usable = [one for one in found.references if kept.get(one.file)]
    if found.kind == "pose" and len(usable) < len(found.references):
        return [one for one in usable if one.whole]
    return usable


def _kept(
    found: Found,
    drawn: Drawn,
    said: Mapping[tuple[str, str, str], Judged],
    asked: tuple[int, bool],
    dropped: Counter[tuple[str, str]],
) -> bool:
    """Whether a reference is used so far; one that a judge could not be asked about waits."""
    verdict, seen = said.get((found.source, found.kind, drawn.sha256)), asked[1]
    why = drawn.dropped or judging.verdict(verdict, asked[0])
    if why:
        dropped[found.kind, why] += 1
    return not why and not (seen and verdict is None)


def _usable(
    caption: Caption,
    said: Mapping[tuple[str, str, str], Judged],
    asked: tuple[int, bool],
    dropped: Counter[tuple[str, str]],
) -> bool:
    verdict = said.get((caption.source, "caption", caption.text))
    why = judging.verdict(verdict, asked[0])
    if why:
        dropped["caption", why] += 1
    return not why and not (asked[1] and verdict is None)
