"""Names left behind: what other layers rename is renamed in every text that says it."""

import re
from collections.abc import Iterator

from overpaint.document.instruct.quotes import quotes
from overpaint.document.layers import plain
from overpaint.editors.agent.joint.phrases import Rename, reworded, stands
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.joint.table import Clash, Table
from overpaint.editors.agent.joint.words import (
    as_written,
    asked_pairs,
    changes,
    fitted,
    is_figure,
    is_name,
)

_CLAUSE = re.compile(r"[^.;；。,，!！\n]+(?:[.,](?=\d)[^.;；。,，!！\n]*)*")
# What says that words are meant in one place and not wherever they stand.
_ONLY = re.compile(
    r"\b(?:only|just|solely|except|excluding|apart from|nothing but)\b|只|仅|除",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:title|headline|heading|subtitle|subheading|header|footer|caption|slogan|tagline|button"
    r"|label|first|second|third|last|line|paragraph|sentence|top|bottom|left|right|corner)\b"
    r"|标题|页眉|页脚|第[一二三四五]|最后|按钮|标语|口号|顶部|底部",
    re.IGNORECASE,
)
_WIDE = re.compile(
    r"\b(?:everywhere|throughout|every|all|each|wherever|any mention|consistent(?:ly)?|entire"
    r"|whole)\b|所有|全部|整个|处处|每|统一|各处",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    r"\b(?:keep|leave|retain|preserve|unchanged|untouched|stays?|remains?|do not|don't|not)\b"
    r"|保留|保持|不要|不变|不动|别动|别改|不改",
    re.IGNORECASE,
)
# What may well stay as it is while a name changes in it.
_REST = re.compile(
    r"\b(?:everything|rest|others?|else|anything|nothing|layout|design|fonts?|colou?rs?|styles?"
    r"|format(?:ting)?|background|pictures?|images?|photos?|illustrations?|sizes?|positions?"
    r"|composition|look|typography)\b|其他|其它|其余|布局|版式|字体|颜色|配色|背景|图片|样式|风格|设计|排版",
    re.IGNORECASE,
)
# Before or after a name: it is a part of another one.
_PART = re.compile(
    r"(?P<before>[@#/\w]|\w[.@-])?\0(?P<after>[@/]|\.\w|-\w|"
    r" (?:street|st\b|road|rd\b|avenue|ave\b|lane|bridge|airport|station|university|square|plaza)"
    r"|[路街桥站]|大厦|酒店|大学|机场)?",
    re.IGNORECASE,
)


def left_behind(table: Table) -> Table:
    """A name that the instruction or several layers change is changed where it is left."""
    for old, new in _general(table):
        for wish in table.texts:
            wish = table.wish(wish.id)
            renames = any(stands(old, o) and stands(new, n) for o, n in wish.renames)
            if wish.deletes or renames or not stands(old, wish.words) or _nested(new, old, wish):
                continue
            if not wish.edits and _spared(table):
                continue
            table = _taken_in(table, wish, old, new)
    return table


def _taken_in(table: Table, wish: Wish, old: str, new: str) -> Table:
    own = as_written(old, wish.words)
    fresh = fitted(new, own, "")
    fresh = fresh.lower() if own.islower() and not old.islower() else fresh
    if _part_of_another(own, wish.words):
        return table
    if wish.says:
        prompt = wish.decision.prompt
        text = reworded(wish.says, own, fresh)
        changed = wish.asking(prompt.replace(wish.says, text), f"“{own}” is renamed")
    else:
        changed = wish.also(f"Replace every '{own}' with '{fresh}'.", f"others rename “{own}”")
    clash = Clash(
        "left behind", (wish.id,), f"“{old}” is renamed elsewhere and stays here.",
        f"It becomes “{fresh}” here, too.",
    )  # fmt: skip
    return table.with_(clash, changed)


def _nested(new: str, old: str, wish: Wish) -> bool:
    """Whether the layer says the new name already, which has the old one in it."""
    return stands(old, new) and stands(new, wish.words)


def _part_of_another(name: str, text: str) -> bool:
    """Whether every mention is a part of another name, as of a street or of an address."""
    masked = re.sub(re.escape(name), "\0", text, flags=re.IGNORECASE)
    return all(
        (found["before"] and name.isascii()) or found["after"] for found in _PART.finditer(masked)
    )


def _general(table: Table) -> list[Rename]:
    """Names that are changed as such: by the instruction, or alike by several layers."""
    found: dict[str, Rename] = {}
    asked = list(asked_pairs(table))
    for pair, count in _told(table).items():
        named = any(plain(o) == plain(pair[0]) for o, _ in asked) or table.asked(pair[0])
        meant = named or is_figure(pair[0]) or count > 1 or not quotes(table.scene.instruction)
        if _quoted_longer(table, pair[0]):
            continue
        if meant and (count > 1 or table.asked(pair[1])) and not stands(*pair):
            found.setdefault(plain(pair[0]), pair)
    for old, new in asked:
        if any(w.edits and stands(old, w.seen.words) and stands(new, w.words) for w in table.texts):
            found[plain(old)] = (old, new)
    broad = [pair for pair in found.values() if not restricted(table, pair)]
    broad = [pair for pair in broad if not any(_is_half(pair, other) for other in broad)]
    broad.sort(key=lambda pair: len(pair[0]))
    return [p for p in broad if not any(stands(o, p[0]) and o != p[0] for o, _ in broad)]


def _quoted_longer(table: Table, old: str) -> bool:
    """Whether the instruction quotes more than that name, as it stands in a layer."""
    said = [span.text for span in quotes(table.scene.instruction) if stands(old, span.text)]
    longer = [words for words in said if plain(words) != plain(old)]
    return any(stands(words, wish.seen.words) for words in longer for wish in table.texts)


def _is_half(pair: Rename, whole: Rename) -> bool:
    """Whether a word only changes with the rest of a name of which nothing stays."""
    old, new = (set(plain(words).split()) for words in whole)
    return plain(pair[0]) in old and len(old) > 1 and not old & new


def _told(table: Table) -> dict[Rename, int]:
    """The names that layers change into one new one, and how many layers do."""
    news: dict[str, dict[str, Rename]] = {}
    counts: dict[str, int] = {}
    for wish in table.texts:
        for change in changes(table, wish) if wish.edits else ():
            old, new = plain(change.old), plain(change.new)
            news.setdefault(old, {}).setdefault(new, (change.old, change.new))
            counts[old] = counts.get(old, 0) + 1
    return {
        next(iter(forms.values())): counts[old]
        for old, forms in news.items()
        if len(forms) == 1 and is_name(old)
    }


def restricted(table: Table, pair: Rename) -> bool:
    """Whether the instruction changes a name in one place only."""
    instruction = table.scene.instruction
    if _WIDE.search(unquoted(instruction)) and not _ONLY.search(unquoted(instruction)):
        return False
    for clause in clauses(instruction):
        bare = unquoted(clause)
        keeps = _KEEPS.search(bare) is not None
        if _ONLY.search(bare) and not (keeps and _REST.search(bare)):
            return True
        about = stands(pair[0], clause) or stands(pair[1], clause)
        if about and not keeps and _PLACE.search(_without(bare, pair)):
            return True
    return False


def _spared(table: Table) -> bool:
    """Whether the instruction says of something named that it stays."""
    for clause in clauses(table.scene.instruction):
        if _KEEPS.search(unquoted(clause)) and not _REST.search(clause):
            return True
    return False


def clauses(instruction: str) -> Iterator[str]:
    """The instruction from comma to comma, but never cut in a quote."""
    closed = quotes(instruction)
    masked = list(instruction)
    for span in closed:
        for at in range(span.start, span.end):
            masked[at] = "_"
    for found in _CLAUSE.finditer("".join(masked)):
        yield instruction[found.start() : found.end()]


def unquoted(text: str) -> str:
    """The text without what stands in quotes."""
    for span in reversed(quotes(text)):
        text = text[: span.start] + " " + text[span.end :]
    return text


def _without(text: str, pair: Rename) -> str:
    for words in sorted(pair, key=len, reverse=True):
        text = re.sub(re.escape(words), " ", text, flags=re.IGNORECASE)
    return text
