"""What a run is about to ask of models: whom, how many pictures of what size, for how much."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from overpaint.models import LONGEST_ANSWER
from overpaint.models.names import Endpoint
from overpaint.models.pictures import LONGEST
from overpaint.models.prices import Prices


@dataclass(frozen=True)
class Ask:
    """A question as far as it can be foretold: its words in bytes, its pictures' sizes."""

    endpoint: Endpoint
    what: str  # questions about one edit that say the same here are one question
    words: int
    pictures: tuple[tuple[int, int], ...]
    longest: int = LONGEST_ANSWER


@dataclass
class Forecast:
    """All that will be asked of one model."""

    endpoint: Endpoint
    questions: int = 0
    pictures: int = 0
    smallest: tuple[int, int] = (0, 0)
    largest: tuple[int, int] = (0, 0)
    at_most: float | None = field(default=0.0)  # dollars; None: not known

    def add(self, ask: Ask, prices: Prices) -> None:
        """Count one more question."""
        self.questions += 1
        self.pictures += len(ask.pictures)
        sizes = [_fitted(size) for size in ask.pictures]
        price = prices.of(ask.endpoint.name)
        if price is None or self.at_most is None:
            self.at_most = None
        else:
            self.at_most += price.at_most(ask.words, sizes, ask.longest)
        for size in sizes:
            known = self.largest != (0, 0)
            self.smallest = min(self.smallest, size, key=_area) if known else size
            self.largest = max(self.largest, size, key=_area)

    def told(self, dated: str) -> str:
        """One line for people."""
        seen = "no pictures"
        if self.pictures:
            small, large = (f"{w}×{h}" for w, h in (self.smallest, self.largest))
            sizes = large if small == large else f"{small} to {large}"
            seen = f"{self.pictures:,} pictures of {sizes} pixels"
        return (
            f"{self.endpoint.host} is asked up to {self.questions:,} questions of"
            f" {self.endpoint.model} with {seen}; price: {self.price(dated)}"
        )

    def price(self, dated: str) -> str:
        """What it costs at most, or that nobody knows."""
        if not self.endpoint.address:
            return "none, it runs on this machine"
        if self.at_most is None:
            return "unknown (--prices FILE gives one)"
        return f"about ${self.at_most:,.2f} at most, by the list of {dated}"

    @property
    def data(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "model": self.endpoint.name, "host": self.endpoint.host, "questions": self.questions,
            "pictures": self.pictures, "smallest": self.smallest, "largest": self.largest,
            "price_at_most": "unknown" if self.at_most is None else round(self.at_most, 4),
        }  # fmt: skip


def forecast(asks: Iterable[Ask], prices: Prices) -> list[Forecast]:
    """What is asked of each model, in the order in which they are named."""
    found: dict[Endpoint, Forecast] = {}
    for ask in asks:
        found.setdefault(ask.endpoint, Forecast(ask.endpoint)).add(ask, prices)
    return list(found.values())


def distinct(asks: Iterable[Ask]) -> Sequence[Ask]:
    """The asks about one edit, each question once."""
    return list({(ask.endpoint, ask.what): ask for ask in asks}.values())


def _fitted(size: tuple[int, int]) -> tuple[int, int]:
    """The size at which a picture is sent."""
    shrink = min(1.0, LONGEST / max(size))
    return max(1, round(size[0] * shrink)), max(1, round(size[1] * shrink))


def _area(size: tuple[int, int]) -> int:
    return size[0] * size[1]
