"""The samples of a run as the page's gallery reads them: compact, every text once."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from overpaint.core import IDENTICAL, Edit, Sample
from overpaint.document import Document
from overpaint.measures.opinions import Opinion, opinions
from overpaint.report.boxes import ROOM, Shown, blocks_of, engines_of, frame_of, packed
from overpaint.report.choosing import Choice, choose, read_standings, whole
from overpaint.report.numbers import count
from overpaint.report.pictures import Shelf
from overpaint.report.references import columns_of, form_of, is_bare, shown_references
from overpaint.report.tables import Tables, told_status
from overpaint.report.trajectory import carried_out, reasoners
from overpaint.report.versus import head_to_head
from overpaint.report.wording import plain, status
from overpaint.store import Row, Store, Vote, reading, recall_evidence
from overpaint.work import Progress, silent


@dataclass(frozen=True)
class Deck:
    """What the gallery shows, and for each sample the pictures that need a thumbnail."""

    body: dict[str, Any]
    strips: tuple[tuple[Path, ...], ...]
    agents: Mapping[str, "Agency"] = field(default_factory=dict)  # by editor
    numbers: tuple[int, ...] = ()  # of the samples in the store


@dataclass(frozen=True)
class Agency:
    """Who decided for an editor, and how many of the layers that it chose it could edit."""

    reasoners: tuple[str, ...] = ()
    chosen: int = 0
    edited: int = 0


def make_deck(store: Store, tables: Tables, shelf: Shelf, *, limit: int) -> Deck:
    """All samples of a run with all that is known of them; of one with more than `limit` a choice.

    A quarter of `limit` of each kind: the worst, the most disputed, and some at random.
    """
    chosen = whole(tables.columns.ids)
    if tables.samples > limit:
        chosen = choose(read_standings(store, tables), max(1, limit // 4))
    deck = deck_of(store, tables, shelf, chosen)
    return replace(deck, body=deck.body | {"versus": head_to_head(tables)})


def deck_of(store: Store, tables: Tables, shelf: Shelf, choice: Choice) -> Deck:
    """These samples in this order, with all that is known of them."""
    words = _Words()
    samples = reading.samples_of(store, choice.ids)
    edits, rows = reading.edits_of(store, samples), reading.rows_of(store, samples)
    votes = reading.votes_of(store, samples)
    cards, strips, judges = [], [], opinions(store.measures)
    for number, sample in samples.items():
        writer = _Writer(sample, tables, shelf, words)
        voted = {"votes": writer.votes(found)} if (found := votes[number]) else {}
        cards.append(writer.card(edits[number], rows[number]) | voted)
        strips.append(tuple(writer.thumbs.values()))
    if choice.why:
        _explain(cards, choice)
    body = {
        "measures": [
            {"name": m.name, "up": m.higher_is_better, "unit": m.unit, "about": m.about,
             "decimals": tables.decimals[m.name]} | _judged(judges.get(m.name))
            for m in tables.measures
        ],
        "editors": [{"name": entry.name, "role": entry.role} for entry in tables.entries],
        "tags": list(tables.info.get("breakdowns", ())),
        "total": tables.samples,
        "words": words.list,
        "samples": cards,
    } | ({"chosen": choice.told} if choice.told else {})  # fmt: skip
    if any("refs" in card for card in cards):
        body["kinds"] = columns_of(tables.measures)
    deciding = agents(edit for made in edits.values() for edit in made)
    return Deck(body, tuple(strips), deciding, tuple(samples))


def _explain(cards: Sequence[dict[str, Any]], choice: Choice) -> None:
    """Say on each card why it is there."""
    known = dict(zip(choice.ids, zip(choice.why, choice.by, strict=True), strict=True))
    for card in cards:
        why, by = known[card["id"]]
        card["why"] = dict(why)
        if by:
            card["apart"] = by


def who_decided(found: Mapping[str, Agency], of: str = "") -> Iterator[str]:
    """Who decided for each agent, and what it could not do; `of` says of which samples it is."""
    own = {"rules": "its own rules, without a model"}
    for editor, agency in found.items():
        who = " and ".join(own.get(name, name) for name in agency.reasoners)
        line = f"Which layers {editor} edits was decided by {who}."
        if left := agency.chosen - agency.edited:
            line += (
                f" {left:,} of {count(agency.chosen, 'chosen layer')}{of} could not be edited;"
                " the sample says why, and the layer is as it was."
            )
        yield line


def agents(edits: Iterable[Edit]) -> dict[str, Agency]:
    """What the trajectories of each editor that has some say of all its edits."""
    found: dict[str, Agency] = {}
    for edit in edits:
        if names := reasoners(edit.trace):
            so_far, (chosen, edited) = found.get(edit.editor, Agency()), carried_out(edit.trace)
            found[edit.editor] = Agency(
                tuple(dict.fromkeys((*so_far.reasoners, *names))),
                so_far.chosen + chosen, so_far.edited + edited,
            )  # fmt: skip
    return found


def _judged(opinion: Opinion | None) -> dict[str, Any]:
    """Whose opinion a column is, where it is one's."""
    if opinion is None:
        return {}
    told = {"kind": opinion.kind, "who": opinion.who, "dimension": opinion.dimension,
            "title": opinion.title, "best": opinion.measure.best,
            "total": opinion.is_total}  # fmt: skip
    return {"judge": told}


def blocks_at(store: Store, deck: Deck, place: int) -> Shown | None:
    """What stands where on the pages of one sample, as far as it is known."""
    card = deck.body["samples"][place]
    if "frame" not in card:
        return None
    pictures = dict(zip(card["pictures"], deck.strips[place], strict=True))
    recall = partial(recall_evidence, store.folder.resolve())
    engines = engines_of(store.measures)
    return blocks_of(store.sample(card["id"]), pictures, recall, engines=engines)


def packed_blocks(store: Store, deck: Deck, progress: Progress = silent) -> Iterator[str]:
    """The same for one sample after the other, until they take all the room there is."""
    left, total = ROOM, len(deck.strips)
    if not any("frame" in card for card in deck.body["samples"]):
        return
    for place in range(total):
        line = packed(blocks_at(store, deck, place))
        progress("boxes", place + 1, total)
        left -= len(line)
        if left < 0:
            return
        yield line


class _Words:
    """Texts that come often, each kept once; on the page they go by their number."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self._places.setdefault(plain(text), len(self._places))

    @property
    def list(self) -> list[str]:
        return [*self._places]


class _Writer:
    """Writes one sample; pictures with a thumbnail come first among its pictures."""

    def __init__(self, sample: Sample, tables: Tables, shelf: Shelf, words: _Words) -> None:
        self._sample, self._tables, self._shelf, self._words = sample, tables, shelf, words
        self._editors = {entry.name: place for place, entry in enumerate(tables.entries)}
        self._measures = {measure.name: place for place, measure in enumerate(tables.measures)}
        self.thumbs: dict[str, Path] = {}

    def card(self, edits: Sequence[Edit], rows: Sequence[Row]) -> dict[str, Any]:
        sample, tags = self._sample, self._tables.info.get("breakdowns", ())
        source, target = self._thumb(sample.request.source), self._thumb(sample.target)
        references = [self._thumb(document) for document in sample.request.references]
        made = self._edits(edits)
        masks = map(self._shelf.name, sample.masks or (sample.request.mask,))
        card = {
            "id": sample.id,
            "say": plain(sample.request.instruction),
            "tags": [self._words(sample.tags.get(tag, "") or f"no {tag}") for tag in tags],
            "source": source,
            "target": target,
            "references": references,
            "edits": made,
            "scores": self._scores(rows),
            "pictures": [*self.thumbs],
            "masks": [name for name in masks if name],
        }
        frame = {"frame": found} if (found := frame_of(sample)) else {}
        return card | frame | self._references() | self._inside(edits)

    def _references(self) -> dict[str, Any]:
        """What each reference is, where that is told; and whether there is a source to look at."""
        told = [
            {"picture": self._thumb(one.picture), "form": form_of(one), "name": plain(one.name),
             "kind": self._words(one.kind), "by": self._words(one.by), "text": plain(one.text)}
            for one in shown_references(self._sample)
        ]  # fmt: skip
        return {"refs": told, "bare": is_bare(self._sample)} if told else {}

    def _inside(self, edits: Sequence[Edit]) -> dict[str, Any]:
        """Which of the pictures have layers, where any has or an editor left a trajectory."""
        layered = [n for n, name in enumerate(self.thumbs) if self._shelf.is_layered(name)]
        traced = any(edit.trace for edit in edits)
        return {"inside": {"layered": layered}} if layered or traced else {}

    def _thumb(self, document: Document | None) -> int | None:
        """The number of a picture among this sample's; the same picture has the same number."""
        name = self._shelf.name(document)
        if name is None or document is None or document.path is None:
            return None
        self.thumbs.setdefault(name, document.path)
        return [*self.thumbs].index(name)

    def _edits(self, edits: Sequence[Edit]) -> list[Any]:
        """By editor: [picture, status, reason, seconds, notes …], or None where none was made."""
        made: list[Any] = [None] * len(self._editors)
        for edit in edits:
            if edit.editor not in self._editors:  # it came after the tables were read
                continue
            notes = [self._words(note) for note in edit.notes]
            made[self._editors[edit.editor]] = [
                self._thumb(edit.output), self._words(status(edit.status)),
                self._words(edit.reason), round(edit.seconds, 3), *notes,
            ]  # fmt: skip
        return made

    def _scores(self, rows: Sequence[Row]) -> list[list[Any]]:
        """By editor and measure: a number, None, or [number, status, reason, notes …]."""
        scores: list[list[Any]] = [[None] * len(self._measures) for _ in self._editors]
        for row in rows:
            if row.measure in self._measures and row.editor in self._editors:
                scores[self._editors[row.editor]][self._measures[row.measure]] = self._score(row)
        return scores

    def votes(self, votes: Sequence[Vote]) -> list[list[Any]]:
        """Each as [editor, the other, column, number or None, status, reason, notes …]."""
        return [
            [
                self._editors[vote.editor], self._editors[vote.against],
                self._words(vote.measure), vote.value, self._words(status(vote.status)),
                self._words(vote.reason), *map(self._words, vote.notes),
            ]
            for vote in votes
            if {vote.editor, vote.against} <= self._editors.keys()
        ]  # fmt: skip

    def _score(self, row: Row) -> Any:
        value = None if row.value is None else float(f"{row.value:.6g}")
        if row.status == "ok" and not row.notes:
            return value
        told, notes = told_status(row.status, row.reason), map(self._words, row.notes)
        reason = "no error, so no PSNR" if told == IDENTICAL else row.reason
        return [value, self._words(status(told)), self._words(reason), *notes]


def in_script(value: Any) -> str:
    """JSON that can stand inside a script element, whatever texts it carries."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
