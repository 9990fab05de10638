"""The table that decisions are held against each other on: wishes, clashes, who is prominent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from overpaint.document.layers import Text, plain
from overpaint.editors.agent.deciding import Scene
from overpaint.editors.agent.joint.meant import Meant
from overpaint.editors.agent.joint.phrases import stands
from overpaint.editors.agent.joint.reading import Wish


@dataclass(frozen=True)
class Clash:
    """Decisions that did not go together: of which layers, what was wrong, what was done."""

    kind: str
    layers: tuple[str, ...]
    said: str
    did: str


@dataclass(frozen=True)
class Table:
    """All wishes for one document, and what was found of them so far."""

    meant: Meant  # read once for all tables of a scene
    wishes: tuple[Wish, ...]
    clashes: tuple[Clash, ...] = ()

    @property
    def scene(self) -> Scene:
        """The document, and what is asked of it."""
        return self.meant.scene

    def having(self, *changed: Wish) -> "Table":
        """The table with other wishes for some layers."""
        new = {wish.id: wish for wish in changed}
        return replace(self, wishes=tuple(new.get(wish.id, wish) for wish in self.wishes))

    def with_(self, clash: Clash, *changed: Wish) -> "Table":
        """The table with a clash settled by other wishes for some layers."""
        return replace(self.having(*changed), clashes=(*self.clashes, clash))

    def wish(self, name: str) -> Wish:
        """The wish for a layer."""
        return next(wish for wish in self.wishes if wish.id == name)

    @property
    def texts(self) -> tuple[Wish, ...]:
        """The wishes for layers of text."""
        return tuple(wish for wish in self.wishes if wish.seen.kind == "text")

    @property
    def edited(self) -> tuple[Wish, ...]:
        """The wishes for layers that are to be edited."""
        return tuple(wish for wish in self.wishes if wish.edits)

    def asked(self, words: str) -> bool:
        """Whether the instruction itself says these words."""
        return stands(words, self.scene.instruction)

    def prominence(self, wish: Wish) -> float:
        """How much a layer is looked at: the size of its letters, or of itself."""
        for layer in self.scene.document:
            if layer.id == wish.id and isinstance(layer.content, Text) and layer.content.runs:
                return max(run.style.size for run in layer.content.runs)
        left, top, right, bottom = wish.seen.box
        if wish.seen.kind == "text":
            return max(0, bottom - top) / (1 + wish.seen.words.strip().count("\n"))
        return float(max(0, right - left) * max(0, bottom - top))

    def chosen(self, candidates: Sequence[tuple[Wish, str]]) -> tuple[Wish, str]:
        """Whose new words stand: the instruction's, else most layers', else the most prominent."""
        forms = {plain(new) for _, new in candidates}
        named = [form for form in forms if self.asked(form)]
        longest = [form for form in named if not any(form != o and form in o for o in named)]
        if len(longest) == 1:
            candidates = [one for one in candidates if plain(one[1]) == longest[0]]
        else:
            votes = {form: sum(plain(new) == form for _, new in candidates) for form in forms}
            most = max(votes.values())
            candidates = [one for one in candidates if votes[plain(one[1])] == most]
        return max(candidates, key=lambda one: self.prominence(one[0]))


def listed(words: Iterable[str]) -> str:
    """Words in quotation marks, one after the other."""
    return ", ".join(f"“{one}”" for one in words)
