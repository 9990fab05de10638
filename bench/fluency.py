"""How often a sentence as written is more fluent than the same with one thing wrong.

The sentences are those of our own document generator, English and Chinese, numbers and names
filled in. By chance alone half would be told; the 95 % interval is Wilson's (1927). What is told
best in the time it takes is the measure's default model.

    python bench/fluency.py [SENTENCES, 120 of each language unless told]
"""

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

from overpaint.engines.documents.words import Words, rules
from overpaint.errors import NotApplicable, Unavailable
from overpaint.measures.fluency import fluency_of
from overpaint.models.local import KINDS

FULL_STOPS = {"english": ".", "chinese": "。"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
FEW = 3  # words: how much a short text tells


# ── what goes wrong ─────────────────────────────────────────────────────────────────────


def swapped(words: Sequence[str], chance: Random) -> list[str]:
    """Two neighbouring letters of a word exchanged."""
    spots = [
        (at, place)
        for at, word in enumerate(words)
        for place in range(len(word) - 1)
        if word[place : place + 2].isalpha() and word[place].lower() != word[place + 1].lower()
    ]
    at, place = chance.choice(spots)
    word = words[at]
    spoilt = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return [*words[:at], spoilt, *words[at + 1 :]]


def replaced(words: Sequence[str], chance: Random) -> list[str]:
    """One letter of a word replaced by another."""
    at = chance.choice([at for at, word in enumerate(words) if word[-1].isalpha()])
    word = words[at]
    place = chance.randrange(len(word))
    other = chance.choice([letter for letter in LETTERS if letter != word[place].lower()])
    return [*words[:at], word[:place] + other + word[place + 1 :], *words[at + 1 :]]


def exchanged(words: Sequence[str], chance: Random) -> list[str]:
    """Two neighbouring words in each other's place; the last keeps its full stop."""
    at = chance.choice([at for at in range(len(words) - 2) if words[at] != words[at + 1]])
    return [*words[:at], words[at + 1], words[at], *words[at + 2 :]]


def doubled(words: Sequence[str], chance: Random) -> list[str]:
    """A word twice."""
    at = chance.randrange(len(words) - 1)
    return [*words[: at + 1], *words[at:]]


def shuffled(words: Sequence[str], chance: Random) -> list[str]:
    """All words but the last in any order."""
    return [*chance.sample(words[:-1], len(words) - 1), words[-1]]


Damage = Callable[[Sequence[str], Random], list[str]]
# In Chinese every letter is taken for a word; none is misspelt by exchanging its parts.
DAMAGES: dict[str, dict[str, Damage]] = {
    "english": {
        "letters swapped": swapped, "letter replaced": replaced,
        "words exchanged": exchanged, "word doubled": doubled, "words shuffled": shuffled,
    },
    "chinese": {
        "words exchanged": exchanged, "word doubled": doubled, "words shuffled": shuffled,
    },
}  # fmt: skip


# ── counting ────────────────────────────────────────────────────────────────────────────


def sentences(language: str, count: int) -> list[str]:
    """Sentences of the generator, drawn without repeats, the same every time."""
    chance = Random(0)
    lines = [line for said in rules(language).values() for line in said]
    whole = [line for line in lines if line.endswith(FULL_STOPS[language])]
    words = Words(chance, language)
    return [words.grow(line).text for line in chance.sample(whole, min(count, len(whole)))]


def cases(language: str, count: int) -> Iterator[tuple[str, str, str]]:
    """(what is wrong, as written, spoilt) for every sentence and every damage."""
    chance, space = Random(1), " " if language == "english" else ""
    for sentence in sentences(language, count):
        words = sentence.split(" ") if space else list(sentence)
        for name, damage in DAMAGES[language].items():
            yield name, sentence, space.join(damage(words, chance))
        if space:
            few = words[:FEW]
            yield f"{FEW} words, swapped", " ".join(few), " ".join(swapped(few, chance))


def told(model: str, language: str, count: int) -> dict[str, list[bool]]:
    """For each damage, whether the sentence as written was the more fluent one."""
    found: dict[str, list[bool]] = {}
    known: dict[str, float] = {}
    for name, right, wrong in cases(language, count):
        known[right] = known.get(right) or fluency_of(right, model)
        found.setdefault(name, []).append(known[right] > fluency_of(wrong, model))
    return found


def wilson(hits: int, of: int, z: float = 1.959964) -> tuple[float, float]:
    """The 95 % interval of a share."""
    middle = (hits + z * z / 2) / (of + z * z)
    half = z * math.sqrt(hits * (of - hits) / of + z * z / 4) / (of + z * z)
    return middle - half, middle + half


def row(model: str, language: str, count: int) -> dict[str, object]:
    """What a model tells of a language; printed as it is found."""
    began = time.perf_counter()
    try:
        found = told(model, language, count)
    except (NotApplicable, Unavailable) as error:
        print(f"\n{model}, {language}: {error}")
        return {"model": model, "language": language, "status": error.status}
    seconds = time.perf_counter() - began
    print(f"\n{model}, {language}: {seconds:.0f} s")
    shares: dict[str, list[float]] = {}
    for name, hits in found.items():
        low, high = wilson(sum(hits), len(hits))
        shares[name] = [round(part, 3) for part in (sum(hits) / len(hits), low, high)]
        print(f"  {name:20} {shares[name][0]:6.3f}  [{low:.3f}, {high:.3f}]  of {len(hits)}")
    return {"model": model, "language": language, "seconds": round(seconds), "told": shares}


def main() -> None:
    """Print the tables, and their numbers as JSON on the last line."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    print("share of pairs in which the text as written is the more fluent one")
    print(json.dumps([row(model, each, count) for each in FULL_STOPS for model in KINDS]))


if __name__ == "__main__":
    main()
