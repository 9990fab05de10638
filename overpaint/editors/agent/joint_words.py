"""Same words for the same thing: names that several layers say are changed alike in all of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from overpaint.document.layers import plain
from overpaint.editors.agent.joint_phrases import Rename, reworded, stands
from overpaint.editors.agent.joint_reading import Wish, parts_of
from overpaint.editors.agent.joint_table import Clash, Table, listed

_MOST_WORDS = 400  # of a text that is compared word by word
_LONGEST = 4_000  # letters of an instruction that are searched
_LONGEST_NAME = 4  # words: what is longer is a new text, not a new name
_SMALL = frozenset({
    "the", "and", "for", "with", "you", "your", "our", "are", "was", "from", "this", "that", "all",
    "any", "not", "but", "has", "have", "its", "his", "her", "who", "how", "why", "when", "what",
    "will", "can", "get", "now", "new", "out", "off", "per", "one", "two", "day", "days", "more",
    "most", "very", "just", "join", "come", "here", "there", "only", "also", "into", "over", "than",
    "then", "them", "they", "their",
})  # fmt: skip
# What says that words are meant in one place and not wherever they stand.
_NARROW = re.compile(
    r"\b(?:only|just|except|excluding|apart from|title|headline|heading|subtitle|subheading"
    r"|header|footer|caption|slogan|tagline|button|label|first|second|third|last|line|paragraph"
    r"|sentence|top|bottom|left|right|corner|keep|leave|retain|preserve|unchanged|untouched"
    r"|not)\b|只|仅|标题|页眉|页脚|第[一二三四五]|最后|除|保留|保持|不要|不变|按钮|标语",
    re.IGNORECASE,
)
_WIDE = re.compile(
    r"\b(?:everywhere|throughout|every|all|each|wherever|any mention|consistent(?:ly)?|entire"
    r"|whole)\b|所有|全部|整个|处处|每",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"[$€£¥]?[\d.:]+(?:%|元|折|年|月|日)?|[A-Za-z]+|\S")
_FIGURE = re.compile(r"[$€£¥]\d[\d.,]*|\d[\d.,]*\s?(?:%|元|折)")
# "change X to Y" of an instruction that quotes neither.
_UNQUOTED = (
    re.compile(
        r"(?:[把将从]|所有)([\u3400-\u9fff\d%.]{2,12}?)(?:都|全部)?(?:改成|改为|换成|换到|更名为|变成)"
        r"([\u3400-\u9fff\d%.]{2,12})(?=[，。；,;]|$)"
    ),
    re.compile(
        r"\b(?:change|replace|rename|update|from)\s+([^'\"“”,.;]{2,40}?)\s+(?:to|with|by)\s+"
        r"([^'\"“”,.;]{2,40}?)(?=\s+(?:wherever|everywhere|throughout|in|on|for|and|at|only"
        r"|please|now|words?)\b|[,.;]|$)",
        re.IGNORECASE,
    ),
)
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
    groups: dict[str, list[Change]] = {}
    for wish in table.edited:
        for change in _changes(table, wish):
            groups.setdefault(plain(change.old), []).append(change)
    for group in groups.values():
        table = _one_name(table, group)
    return table


def _changes(table: Table, wish: Wish) -> Iterator[Change]:
    """The names that a layer changes, told or found by comparing."""
    found: dict[str, Change] = {}
    pairs = [(pair, True) for pair in wish.renames]
    if wish.says and wish.seen.words:
        pairs.append(((wish.seen.words, wish.says), False))
    for (old, new), told in pairs:
        for one, other in ((old, new), *replaced(old, new)):
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


def _words(text: str) -> list[str]:
    """The words of a text; of a Chinese one its figures with their units, and its letters."""
    return text.split() if text.isascii() else _CHINESE.findall(text)


def _stripped(word: str) -> str:
    return word.strip(" .,;:!?…。，；：！？()[]“”\"'‘’")


def is_name(words: str) -> bool:
    """Whether words are more than a small one or a figure, and no whole text."""
    said = plain(words)
    count = len(said.split())
    if not said or count > _LONGEST_NAME or said in _SMALL:
        return False
    if _FIGURE.fullmatch(said):
        return True
    letters = [c for c in said if c.isalnum()]
    if said.isascii():
        return len(letters) >= 3
    return len(letters) >= 2


def _entity(table: Table, word: str, within: str) -> bool:
    """Whether a word found by comparing names something: asked about, a figure, or capital."""
    if table.asked(word):
        return True
    if any(c.isdigit() for c in word):
        return True
    inside = within.split()[1:]
    return word[:1].isupper() and not within.isupper() and word.split()[0] in inside


def _one_name(table: Table, group: list[Change]) -> Table:
    live = [Change(table.wish(c.wish.id), c.old, c.new, c.told) for c in group]
    live = [c for c in live if c.wish.edits]
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
    """The wish with another new name in its prompt."""
    prompt = _within(change.wish.decision.prompt, change.old, change.new, new)
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


# ── left behind ─────────────────────────────────────────────────────────────────────────


def left_behind(table: Table) -> Table:
    """A name that the instruction changes is changed in every text that says it."""
    for old, new in _general(table):
        for wish in table.texts:
            wish = table.wish(wish.id)
            renames = any(stands(old, o) and stands(new, n) for o, n in wish.renames)
            if wish.deletes or renames or not stands(old, wish.words) or _nested(new, old, wish):
                continue
            own = _as_written(old, wish.words)
            fresh = fitted(new, own, "")
            if wish.says:
                prompt = wish.decision.prompt
                text = reworded(wish.says, own, fresh)
                changed = wish.asking(prompt.replace(wish.says, text), f"“{own}” is renamed")
            else:
                more = f"Replace every '{own}' with '{fresh}'."
                changed = wish.also(more, f"other layers rename “{own}”")
            clash = Clash(
                "left behind", (wish.id,), f"“{old}” is renamed elsewhere and stays here.",
                f"It becomes “{fresh}” here, too.",
            )  # fmt: skip
            table = table.with_(clash, changed)
    return table


def _nested(new: str, old: str, wish: Wish) -> bool:
    """Whether the layer says the new name already, which has the old one in it."""
    return stands(old, new) and stands(new, wish.words)


def _general(table: Table) -> list[Rename]:
    """Names that some layer changes because the instruction is about them as such."""
    instruction = table.scene.instruction
    if is_narrow(instruction):
        return []
    found: dict[str, Rename] = {}
    asked = list(_asked(table))
    for wish in table.texts:
        for old, new in asked:
            if wish.edits and stands(old, wish.seen.words) and stands(new, wish.words):
                found.setdefault(plain(old), (old, new))
        for change in _changes(table, wish) if wish.edits else ():
            pair = change.old, change.new
            named = any(plain(o) == plain(pair[0]) for o, _ in asked) or table.asked(pair[0])
            figures = all(_FIGURE.fullmatch(plain(words)) for words in pair)
            if (named or figures) and table.asked(pair[1]) and not stands(*pair):
                found.setdefault(plain(pair[0]), pair)
    shortest = sorted(found.values(), key=lambda pair: len(pair[0]))
    return [p for p in shortest if not any(stands(o, p[0]) and o != p[0] for o, _ in shortest)]


def _asked(table: Table) -> Iterator[Rename]:
    """The names that the instruction itself changes, where a text says the old one."""
    instruction = table.scene.instruction
    parts = parts_of(instruction, "text", "")
    pairs = [pair for part in parts if part.quoted for pair in part.renames]
    for form in _UNQUOTED if not any(part.quoted for part in parts) else ():
        pairs += [(found[1], found[2]) for found in form.finditer(instruction[:_LONGEST])]
    for old, new in pairs:
        if is_name(old) and any(stands(old, wish.seen.words) for wish in table.texts):
            yield old, new


def as_asked(table: Table) -> Table:
    """A name that the instruction changes is changed into what it says, and into nothing else."""
    for old, new in _asked(table):
        for wish in table.texts:
            own = table.wish(wish.id)
            for before, after in own.renames:
                right = reworded(before, old, fitted(new, _as_written(old, before), ""))
                if not stands(old, before) or stands(new, after) or stands(old, after):
                    continue
                prompt = _within(own.decision.prompt, before, after, right)
                clash = Clash("wording", (own.id,), f"“{old}” becomes “{after}”.",
                              f"It becomes “{new}”, as the instruction says.")  # fmt: skip
                table = table.with_(clash, own.asking(prompt, "as the instruction says"))
    return table


def is_narrow(instruction: str) -> bool:
    """Whether an instruction is about words in one place, and not wherever they stand."""
    told = " ".join(
        part.text if not part.quoted else _unquoted(part.text)
        for part in parts_of(instruction, "text", "")
    )
    return _NARROW.search(told) is not None and _WIDE.search(told) is None


def _unquoted(text: str) -> str:
    from overpaint.document.instruct.quotes import quotes

    for span in reversed(quotes(text)):
        text = text[: span.start] + " " + text[span.end :]
    return text


def _as_written(words: str, text: str) -> str:
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
