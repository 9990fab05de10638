"""What an instruction means to go and what it means to stay: its pieces, and the layers of each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from overpaint.document.layers import plain
from overpaint.editors.agent.deciding import Scene
from overpaint.editors.agent.joint.phrases import stands
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.joint.taking import (
    ASPECT,
    BESIDE,
    DOES,
    EXCEPT,
    FIGURE,
    FOOT,
    GOES,
    IT,
    JOINT,
    LINE,
    LIST,
    NEVER,
    OF_ITS_KIND,
    PLATE,
    ROUND,
    SMALL_TITLE,
    UNDER_TITLE,
    WHAT,
    WORDS_OF,
)
from overpaint.editors.agent.rules import Rules
from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.glue import is_idle, without_names
from overpaint.editors.agent.rules.lines import FACTS, called
from overpaint.editors.agent.rules.page import Line, Page, is_round, rests_on
from overpaint.editors.agent.rules.pointing import roles_in
from overpaint.editors.agent.rules.prompts import is_chinese
from overpaint.editors.agent.rules.reading import Clause, marked, sentences
from overpaint.vision.layers import Seen

_NEAR = 85  # of 100: words that a reader may have read a little wrong
WIDE = 0.5  # of the canvas: what covers more is a ground


@dataclass(frozen=True)
class Piece:
    """Some of an instruction: whether it takes something away, and the layers that it means."""

    clause: Clause
    removes: bool
    layers: frozenset[str]

    @property
    def changes(self) -> bool:
        """Whether it does something else; what it does may be in words that nobody here knows."""
        return not self.removes and bool(DOES.search(self.clause.text) or self.clause.of("quote"))


@dataclass(frozen=True)
class Meant:
    """An instruction, held against the layers of its scene."""

    scene: Scene

    @cached_property
    def page(self) -> Page:
        """What the layers are for."""
        return Page(self.scene)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """What is said of which layers; nothing where it is told by what is left."""
        said = marked(self.scene.instruction)
        removing = GOES.search(said.text) and not NEVER.search(said.text)
        if removing and EXCEPT.search(said.text):
            return ()
        found: list[Piece] = []
        for sentence in sentences(said):
            for clause, removes in _cut(sentence):
                layers = frozenset(self._layers(clause, removes=removes))
                found = self._joined(found, Piece(clause, removes, layers))
        return self._halved(found)

    def _halved(self, pieces: list[Piece]) -> tuple[Piece, ...]:
        """The pieces; of a sticker that goes and stays, either its words go or what they are on.

        “Remove the badge, but leave the seal” and “drop its words and make the seal grey” are one.
        """
        stickers = frozenset(one.id for one in self.page.stickers)
        texts = frozenset(one.id for one in self.page.on_stickers)
        gone, kept = (
            frozenset().union(*(p.layers for p in pieces if p.removes is way)) & (stickers | texts)
            for way in (True, False)
        )
        if not gone & kept:
            return tuple(pieces)
        going, staying = (stickers, texts) if gone <= stickers else (texts, stickers)
        return tuple(
            replace(piece, layers=piece.layers - (staying if piece.removes else going))
            for piece in pieces
        )

    def _joined(self, before: list[Piece], piece: Piece) -> list[Piece]:
        """The pieces and one more, which may be about what the last one named: "delete it"."""
        rest = GOES.sub("", piece.clause.text)
        if not before or piece.layers or not (IT.search(rest) or self._idle(piece)):
            return [*before, piece]
        last = before[-1]
        layers, figures = last.layers, [f for f in self.page.figures if f.id in last.layers]
        if "text" in roles_in(piece.clause.text):
            own = [t for t in self.page.texts if any(rests_on(t, one) for one in figures)]
            layers = layers & {t.id for t in self.page.texts} or frozenset(t.id for t in own)
        elif WORDS_OF.search(last.clause.text):  # "the words on the sticker … make it blue"
            layers = frozenset(one.id for one in self.page.stickers)
        if piece.removes != last.removes:  # what is said of it later counts
            last = replace(last, layers=last.layers - layers)
        return [*before[:-1], last, replace(piece, layers=layers)]

    @cached_property
    def asked(self) -> dict[str, Wish]:
        """What is asked of layers, as the rules read it."""
        decided = Rules().decide(self.scene)
        return {one.layer: Wish(one, self.scene.layer(one.layer)) for one in decided if one.edit}

    @cached_property
    def removing(self) -> tuple[Piece, ...]:
        """The pieces that take something away."""
        return tuple(piece for piece in self.pieces if piece.removes)

    def changes(self, layer: str) -> bool:
        """Whether something else than that it goes is said of a layer."""
        return any(layer in piece.layers for piece in self.pieces if piece.changes)

    def goes(self, layer: str) -> bool:
        """Whether a layer is to go, as far as can be told."""
        gone = any(layer in piece.layers for piece in self.removing)
        return gone and not self.changes(layer)

    def stays(self, layer: Seen) -> bool:
        """Whether a layer is to stay: something else is said of it, or all that goes is known."""
        if self.goes(layer.id):
            return False
        told = any(piece.layers for piece in self.removing)
        known = told and all(piece.layers or self._idle(piece) for piece in self.removing)
        if self.removing and not layer.words and all(map(_is_about_words, self.removing)):
            known = True  # what is said of words takes no figure away
        free = self._emptied(layer) or any(_hints(piece, layer) for piece in self.removing)
        return self.changes(layer.id) or (bool(self.removing) and known and not free)

    def _emptied(self, figure: Seen) -> bool:
        """Whether what stands on a figure goes, so that it may go as well; words alone, if told."""
        going = [piece for piece in self.removing if not _is_told(piece.clause)]
        texts = {layer for piece in going for layer in piece.layers}
        return any(t.id in texts and rests_on(t, figure) for t in self.page.texts if t != figure)

    def _idle(self, piece: Piece) -> bool:
        """Whether a piece names nothing of its own: "text included"."""
        rest = re.sub(r"\b(?:included|too|inside)\b", "", GOES.sub("", piece.clause.text))
        return is_idle(rest, chinese=is_chinese(rest))

    # ── pointing ────────────────────────────────────────────────────────────────────────

    def _layers(self, clause: Clause, *, removes: bool) -> Iterator[str]:
        """The layers that a piece means; of those that go all must be meant, not a line."""
        own = _itself(clause)
        text = OF_ITS_KIND.sub("", BESIDE.sub("", SMALL_TITLE.sub("subtitle", clause.text)))
        page = self.page
        if removes and ASPECT.search(clause.text):
            return
        quotes, roles = own.of("quote"), _roles(clause, text)
        if page.stickers and ("sticker" in roles or WORDS_OF.search(clause.text)):
            yield from self._sticker(clause)
        yield from (one.id for one in page.texts if _says(own, one, whole=removes))
        if quotes and removes:
            return
        lines = [line for role in roles for line in self._lines(role)]
        if FOOT.search(text):
            lines += sorted(page.lines, key=lambda line: line.layer.box[3])[-1:]
        if removes and not lines and LINE.search(clause.text):
            lines += self._told(clause)
        yield from self._of_lines(lines, whole=removes)
        yield from (figure.id for figure in self._figures(text))

    def _sticker(self, clause: Clause) -> Iterator[str]:
        """The stickers with what they say, or only that."""
        quotes, texts, stickers = clause.of("quote"), self.page.on_stickers, self.page.stickers
        named = [one for one in texts if any(_is_all(quote, one.words) for quote in quotes)]
        if named and len(stickers) > 1:
            texts = tuple(named)
            stickers = tuple(one for one in stickers if any(rests_on(t, one) for t in named))
        yield from (one.id for one in texts)
        if not WORDS_OF.search(clause.text):
            yield from (one.id for one in stickers)

    def _lines(self, role: str) -> tuple[Line, ...]:
        """The lines of a role; where neither words nor names tell, by where they stand."""
        page = self.page
        if role == "cta":
            acting = tuple(line for line in page.lines if words.ACTING.search(line.text))
            return page.having(role) or (acting if len(acting) == 1 else ())
        if role not in ("subtitle", "organiser"):
            return page.having(role) if role in parts.TEXTS else ()
        named = tuple(line for line in page.lines if called(line.layer.name) == role)
        told = named or tuple(line for line in page.lines if role in page.roles(line))
        if told or not page.title:
            return told
        top, bottom = page.title[0].layer.box[1], page.title[-1].layer.box[3]
        free = [
            line for line in page.lines
            if line.layer not in page.on_stickers and not page.roles(line) & (FACTS | {"title"})
        ]  # fmt: skip
        if role == "organiser":
            above = [line for line in free if line.layer.box[3] <= top + 2]
            return tuple(above) if len(above) == 1 else ()
        below = [line for line in free if line.layer.box[1] >= bottom - (bottom - top) / 3]
        return tuple(sorted(below, key=lambda line: line.layer.box[1])[:1])

    def _told(self, clause: Clause) -> tuple[Line, ...]:
        """The one line that a piece tells by where it stands or by a word in it."""
        if UNDER_TITLE.search(clause.text):
            return self._lines("subtitle")
        bare = without_names(GOES.sub(" ", clause.text))
        found = {
            line for line in self.page.lines for word in _telling(bare) if stands(word, line.text)
        }  # fmt: skip
        return tuple(found) if len(found) == 1 else ()

    def _of_lines(self, lines: list[Line], *, whole: bool) -> Iterator[str]:
        """The layers of some lines; `whole`: those that say nothing else."""
        for layer in dict.fromkeys(line.layer for line in lines):
            every = [line for line in self.page.lines if line.layer is layer]
            if not whole or all(line in lines for line in every):
                yield layer.id

    def _figures(self, text: str) -> Iterator[Seen]:
        """Layers without words that a piece names, by what they are called or look like."""
        page = self.page
        yield from page.named_in(text)
        free = [one for one in page.figures if one not in page.ground and one.covers <= WIDE]
        plates = [one for one in free if any(rests_on(t, one) for t in page.texts)]
        if ROUND.search(text):
            yield from (one for one in plates if is_round(one))
        shaped = list(_shaped(page, text))
        if PLATE.search(text) and not shaped:
            yield from (one for one in plates if not is_round(one))
        yield from shaped
        if "picture" in roles_in(text) and len(page.pictures) == 1:
            yield page.pictures[0]


def _cut(sentence: Clause) -> Iterator[tuple[Clause, bool]]:
    """The pieces of a sentence, and whether each takes something away."""
    removes = False
    for text in filter(None, JOINT.split(sentence.text)):
        if NEVER.search(text):
            removes = False
        elif GOES.search(text):
            removes = True
        elif DOES.search(text) and not WHAT.match(text):
            removes = False
        items = LIST.split(text) if removes else [text]
        yield from ((sentence.only(item), removes) for item in items if item)


def _telling(text: str) -> Iterator[str]:
    """The words, or pairs of Chinese letters, that may tell one line from others."""
    yield from (
        word for word in re.findall(r"[A-Za-z]{4,}", text) if not is_idle(word, chinese=False)
    )
    for run in re.findall(r"[\u3400-\u9fff]{2,}", text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))


def _roles(clause: Clause, text: str) -> list[str]:
    """The roles of lines that a piece names, or that words of it have."""
    told = {"percent": "discount", "price": "price", "date": "date", "time": "time"}
    return [*roles_in(text), *(role for kind, role in told.items() if clause.of(kind))]


def _shaped(page: Page, text: str) -> Iterator[Seen]:
    for role in roles_in(text):
        ground = role == "ground" and PLATE.search(text)
        if role in parts.FIGURES - {"picture", "sticker"} and not ground:
            yield from page.figures_of(role)


def _itself(clause: Clause) -> Clause:
    """A piece without what it tells a thing by that stands beside it, where that is not all."""
    bare = BESIDE.sub("", clause.text)
    rest = GOES.sub("", bare)
    return clause if is_idle(rest, chinese=is_chinese(rest)) else clause.only(bare)


def _is_told(clause: Clause) -> bool:
    """Whether a piece is about words as such: it quotes them, or says on what they stand."""
    return bool(clause.of("quote")) or WORDS_OF.search(clause.text) is not None


def _is_about_words(piece: Piece) -> bool:
    """Whether a piece takes words away, and no figure that stands beside them."""
    clause = _itself(piece.clause)
    roles = roles_in(clause.text)
    figures = any(role in parts.FIGURES for role in roles) or FIGURE.search(clause.text)
    return not figures and bool(clause.of("quote") or LINE.search(clause.text))


def _hints(piece: Piece, layer: Seen) -> bool:
    """Whether a piece may speak of a layer, by a longer word that it says or is called."""
    clause = piece.clause
    said = clause.full(BESIDE.sub("", clause.text))
    if not layer.words and WORDS_OF.search(clause.text):
        return False
    if is_chinese(layer.words):
        own = [layer.words[at : at + 2] for at in range(len(layer.words) - 1)]
        return any(two in said for two in own if is_chinese(two))
    own = re.findall(r"[^\W\d_]{4,}", layer.words or layer.name)
    return any(stands(word, said) for word in own)


def _says(clause: Clause, layer: Seen, *, whole: bool) -> bool:
    """Whether a piece has all the words of a layer, or, if not `whole`, quotes some of them."""
    quotes = clause.of("quote")
    if not quotes:
        return len(plain(layer.words)) > 3 and stands(layer.words, clause.text)
    some = not whole and any(stands(quote, layer.words) for quote in quotes)
    return some or any(_is_all(quote, layer.words) for quote in quotes)


def _is_all(quote: str, words: str) -> bool:
    """Whether a quote is all that a layer says."""
    from rapidfuzz import fuzz

    one, other = ("".join(plain(text).split()) for text in (quote, words))
    return bool(one and other) and fuzz.ratio(one, other) >= _NEAR
