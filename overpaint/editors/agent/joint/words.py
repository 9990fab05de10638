"""Same words for the same thing: names that several layers say are changed alike in all of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from overpaint.document.layers import plain
from overpaint.editors.agent.joint.phrases import Rename, reworded, stands
from overpaint.editors.agent.joint.reading import Wish, parts_of
from overpaint.editors.agent.joint.table import Clash, Table, listed
from overpaint.editors.agent.joint.told import pairs

_MOST_WORDS = 400  # of a text that is compared word by word
_LONGEST_NAME = 4  # words: what is longer is a new text, not a new name
_SMALL = frozenset({
    "the", "and", "for", "with", "you", "your", "our", "are", "was", "from", "this", "that", "all",
    "any", "not", "but", "has", "have", "its", "his", "her", "who", "how", "why", "when", "what",
    "will", "can", "get", "now", "new", "out", "off", "per", "one", "two", "day", "days", "more",
    "most", "very", "just", "join", "come", "here", "there", "only", "also", "into", "over", "than",
    "then", "them", "they", "their",
})  # fmt: skip
_CHINESE = re.compile(r"[$€£¥]?[\d.:]+(?:%|元|折|年|月|日)?|[A-Za-z]+|\S")
_FIGURE = re.compile(r"[$€£¥]\d[\d.,]*|\d[\d.,]*\s?(?:%|元|折)")
_ENDINGS = ("", "s", "es", "'s", "’s", "y", "ly", "er", "ed", "ing", "n", "e", "d", "r", "al")


@dataclass(frozen=True)
class Change:
    """One name that one layer changes."""

    wish: Wish
    old: str
    new: str
    told: bool  # whether the prompt has it so, and it is not found by comparing two texts


def same_names(table: Table) -> Table:
    """One new name for each old one, and cased as the old one was."""
    olds = {plain(c.old) for wish in table.edited for c in changes(table, wish)}
    for old in sorted(olds, key=lambda old: (-len(old), old)):  # whole names before their words
        live = [c for wish in table.edited for c in changes(table, wish) if plain(c.old) == old]
        table = _one_name(table, live)
    return table


def changes(table: Table, wish: Wish) -> Iterator[Change]:
    """The names that a layer changes, told or found by comparing."""
    found: dict[str, Change] = {}
    told_pairs = [(pair, True) for pair in wish.renames]
    if wish.says and wish.seen.words:
        told_pairs.append(((wish.seen.words, wish.says), False))
    for (old, new), told in told_pairs:
        for one, other in ((old, new), *replaced(old, new), *widened(old, new)):
            sure = told and one == old
            if is_name(one) and (sure or _entity(table, one, old)):
                found.setdefault(plain(one), Change(wish, one, other, sure))
    yield from found.values()


def replaced(old: str, new: str) -> Iterator[Rename]:
    """The words that others took the place of, as two texts compared show them."""
    one, other = (_words(text)[:_MOST_WORDS] for text in (old, new))
    gap = " " if f"{old}{new}".isascii() else ""
    a, b = ([_stripped(word).casefold() for word in words] for words in (one, other))
    for op, i, j, k, m in SequenceMatcher(None, a, b, False).get_opcodes():
        if op != "replace":
            continue
        before, after = (_stripped(gap.join(words)) for words in (one[i:j], other[k:m]))
        if before and after:
            yield before, after
        if j - i == m - k > 1:
            yield from (
                (_stripped(x), _stripped(y)) for x, y in zip(one[i:j], other[k:m], strict=True)
            )


def widened(old: str, new: str) -> Iterator[Rename]:
    """Chinese letters that others took the place of, with the one after or before them."""
    if f"{old}{new}".isascii():
        return
    for op, i, j, k, m in SequenceMatcher(
        None, old[:_MOST_WORDS], new[:_MOST_WORDS], False
    ).get_opcodes():
        if op == "replace" and j - i == m - k == 1:
            if old[j : j + 1].isalpha() and old[j : j + 1] == new[m : m + 1]:
                yield old[i : j + 1], new[k : m + 1]
            if i and k and old[i - 1].isalpha() and old[i - 1] == new[k - 1]:
                yield old[i - 1 : j], new[k - 1 : m]


def _words(text: str) -> list[str]:
    """The words of a text; of a Chinese one its figures with their units, and its letters."""
    return text.split() if text.isascii() else _CHINESE.findall(text)


def _stripped(word: str) -> str:
    bare = word.strip(" .,;:!?…。，；：！？()[]“”\"'‘’")
    return f"{bare}." if len(bare) == 1 and bare.isupper() and f"{bare}." in word else bare


def is_figure(words: str) -> bool:
    """Whether words are a price or a share."""
    return _FIGURE.fullmatch(plain(words)) is not None


def is_name(words: str) -> bool:
    """Whether words are more than a small one or a figure, and no whole text."""
    said = plain(words)
    count = len(said.split())
    if not said or count > _LONGEST_NAME or said in _SMALL:
        return False
    if is_figure(said):
        return True
    letters = [c for c in said if c.isalnum()]
    if said.isascii():
        return len(letters) >= 3
    return len(letters) >= 2


def _entity(table: Table, word: str, within: str) -> bool:
    """Whether a word found by comparing names something: asked about, a figure, or capital."""
    if table.asked(word) or any(c.isdigit() for c in word):
        return True
    said = sum(stands(word, wish.seen.words) for wish in table.texts)
    if said > 1 and (word[:1].isupper() or not word.isascii()):
        return True
    inside = within.split()[1:]
    return word[:1].isupper() and not within.isupper() and word.split()[0] in inside


def _one_name(table: Table, live: list[Change]) -> Table:
    if len({c.wish.id for c in live}) < 2:
        return table
    if all(table.asked(c.wish.says or c.new) for c in live):
        return table  # the instruction itself gives them different names
    live = [c for c in live if c.told or not _wraps(c, live)]
    if len({plain(c.new) for c in live}) > 1:
        return _renamed(table, live)
    return _cased(table, live)


def _wraps(change: Change, others: list[Change]) -> bool:
    """Whether a text only says more than another's new name: "beautiful Porto"."""
    return any(plain(o.new) != plain(change.new) and stands(o.new, change.new) for o in others)


def _renamed(table: Table, group: list[Change]) -> Table:
    giver, new = table.chosen([(c.wish, c.new) for c in group])
    losers = [c for c in group if plain(c.new) != plain(new)]
    changed = [_reasked(c, fitted(new, c.old, giver.seen.words)) for c in losers]
    old = group[0].old
    clash = Clash(
        "wording", tuple(c.wish.id for c in group),
        f"“{old}” becomes {listed(dict.fromkeys(c.new for c in group))}.",
        f"It becomes “{new}” everywhere.",
    )  # fmt: skip
    return table.with_(clash, *changed) if _differ(table, changed) else table


def _cased(table: Table, group: list[Change]) -> Table:
    """Capitals where the old name had them, where two layers differ in nothing else."""
    for old in dict.fromkeys(c.old for c in group):
        same = [c for c in group if c.old == old]
        if len({c.new for c in same}) < 2:
            continue
        _, new = table.chosen([(c.wish, c.new) for c in same])
        new = fitted(new, old, "")
        changed = [_reasked(c, new) for c in same if c.new != new]
        clash = Clash(
            "spelling", tuple(c.wish.id for c in same),
            f"“{old}” becomes {listed(dict.fromkeys(c.new for c in same))}.",
            f"It is written “{new}”.",
        )  # fmt: skip
        table = table.with_(clash, *changed) if _differ(table, changed) else table
    return table


def _reasked(change: Change, new: str) -> Wish:
    """The wish with another new name in its prompt; told plainly where it is not found there."""
    wish, prompt = change.wish, change.wish.decision.prompt
    prompt = _within(prompt, change.old, change.new, new)
    if prompt == wish.decision.prompt and not stands(new, wish.words):
        prompt = f"Replace '{as_written(change.old, wish.seen.words)}' with '{new}'."
    return change.wish.asking(prompt, f"“{change.old}” becomes “{new}” in every layer")


def _within(prompt: str, old: str, said: str, new: str) -> str:
    """The prompt with a new name; words that stand in the old name are left alone."""
    at = prompt.find(old) + len(old) if old in prompt else 0
    return prompt[:at] + reworded(prompt[at:], said, new)


def _differ(table: Table, changed: list[Wish]) -> bool:
    return any(w.decision.prompt != table.wish(w.id).decision.prompt for w in changed)


def fitted(new: str, old: str, giver: str) -> str:
    """The new name in capitals where the old one is, and not because its giver is."""
    if old.isupper() and len(old) > 1:
        return new.upper()
    if new.isupper() and len(new) > 3 and not old.isupper() and (not giver or giver.isupper()):
        return new.title() if old[:1].isupper() else new.lower()
    if new.islower() and old[:1].isupper():
        return new[:1].upper() + new[1:]
    return new


# ── as the instruction says ─────────────────────────────────────────────────────────────


def asked_pairs(table: Table) -> Iterator[Rename]:
    """The names that the instruction itself changes, where a text says the old one."""
    parts = parts_of(table.scene.instruction, "text", "")
    found = [pair for part in parts if part.quoted for pair in part.renames]
    found += [] if any(part.quoted for part in parts) else pairs(table.scene.instruction)
    for old, new in dict.fromkeys(found):
        if is_name(old) and any(stands(old, wish.seen.words) for wish in table.texts):
            yield old, new


def as_asked(table: Table) -> Table:
    """A name that the instruction changes is changed into what it says, and into nothing else."""
    asked: dict[str, set[str]] = {}
    for old, new in asked_pairs(table):
        for one, other in ((old, new), *replaced(old, new), *widened(old, new)):
            asked.setdefault(plain(one), set()).add(other)
    for name, news in sorted(asked.items(), key=lambda item: -len(item[0])):
        for wish in table.texts if len(news) == 1 else ():
            own, new = table.wish(wish.id), next(iter(news))
            found = [c for c in changes(table, own) if plain(c.old) == name] if own.edits else []
            for change in found[:1]:
                if stands(new, own.words) or stands(change.old, change.new):
                    continue
                if stands(change.new, new):  # the sentence goes on: "a trumpet night on orange"
                    continue
                clash = Clash("wording", (own.id,), f"“{change.old}” becomes “{change.new}”.",
                              f"It becomes “{new}”, as the instruction says.")  # fmt: skip
                table = table.with_(clash, _reasked(change, fitted(new, change.old, "")))
    return table


def as_written(words: str, text: str) -> str:
    """The words as a text has them, with its capitals."""
    found = re.search(r"\s+".join(map(re.escape, words.split())), text, re.IGNORECASE)
    return found[0] if found else words


# ── spelling ────────────────────────────────────────────────────────────────────────────


def one_spelling(table: Table) -> Table:
    """A new word that is nearly one that the instruction gives is written as there."""
    given = {w.casefold(): w for w in map(_stripped, table.scene.instruction.split()) if _long(w)}
    known = {_stripped(w).casefold() for wish in table.wishes for w in wish.seen.words.split()}
    for wish in table.edited:
        new = [text for _, text in wish.renames] + [wish.says]
        for word in dict.fromkeys(_stripped(w) for text in new for w in text.split()):
            low = word.casefold()
            if not _long(word) or low in given or low in known:
                continue
            right = next((w for g, w in given.items() if misspelt(low, g)), "")
            if not right or stands(right, " ".join(new)):
                continue
            own = table.wish(wish.id)
            fresh = fitted(right, word, "")
            prompt = reworded(own.decision.prompt, word, fresh)
            clash = Clash(
                "spelling", (wish.id,), f"“{word}” is nearly “{right}”.", f"It is “{fresh}” now.",
            )  # fmt: skip
            table = table.with_(clash, own.asking(prompt, f"“{word}” is spelt “{fresh}”"))
    return table


def _long(word: str) -> bool:
    return len(word) >= 5 and word.isalpha()


def misspelt(word: str, right: str) -> bool:
    """Whether a word is another but for one letter, and no form of it ("camps")."""
    from rapidfuzz.distance import OSA

    if word == right or word[0] != right[0] or abs(len(word) - len(right)) > 1:
        return False
    stem = min(len(word), len(right)) - 1
    ends = {word[stem:], right[stem:]}
    if word[:stem] == right[:stem] and all(end[1:] in _ENDINGS or end in _ENDINGS for end in ends):
        return False
    return int(OSA.distance(word, right)) == 1
