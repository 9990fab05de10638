"""Words: sentences grown from rules, drawn by chance, never twice on a page while others are left.

A rule file has a line `# name` and below it one alternative a line. In an alternative `{name}`
stands for any alternative of that rule, `{=name}` for the one this page settled on, `{20-90}`,
`{1.2-4.8}` and `{1,200-9,800}` for a number in that range.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random

SLOT = re.compile(r"\{([^{}]+)\}")
RANGE = re.compile(r"([\d.,]*\d)-([\d.,]*\d)")
Rules = dict[str, tuple[str, ...]]


@cache
def rules(name: str) -> Rules:
    """The rules of a file of this package."""
    text = resources.files(__package__).joinpath(f"{name}.md").read_text("utf-8")
    found: dict[str, list[str]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("# "):
            current = found.setdefault(line[2:], [])
        else:
            current.append(line)
    return {key: tuple(lines) for key, lines in found.items()}


@dataclass(frozen=True)
class Said:
    """A grown text, and what its slots could have said instead."""

    text: str
    swaps: tuple[tuple[str, str], ...] = ()


class Words:
    """What one page says, in one language."""

    def __init__(self, chance: Random, language: str) -> None:
        self.chance, self.language = chance, language
        self._rules = rules(language)
        self._used: dict[str, list[str]] = {}
        self._settled: dict[str, str] = {}

    def has(self, rule: str) -> bool:
        """Whether there is such a rule."""
        return rule in self._rules

    def all(self, rule: str) -> tuple[str, ...]:
        """Every alternative of a rule, as written."""
        return self._rules[rule]

    def left(self, rule: str) -> int:
        """How many alternatives this page has not used yet."""
        return len(self._rules[rule]) - len(self._used.get(rule, ()))

    def topics(self, kind: str) -> list[str]:
        """What a kind of document can be about: the names between `kind.` and `.title`."""
        return [r[: -len(".title")] for r in self._rules if re.fullmatch(rf"{kind}\.\w+\.title", r)]

    def say(self, rule: str) -> Said:
        """An alternative of a rule that this page has not used yet, its slots filled."""
        return self.grow(self._fresh(rule))

    def next(self, rule: str) -> Said:
        """As `say`, but in the order of the file, so that sentences follow from one another."""
        used = self._used.setdefault(rule, [])
        line = next(line for line in self._rules[rule] if line not in used)
        used.append(line)
        return self.grow(line)

    def skip(self, rule: str, share: float) -> None:
        """Leave out some sentences of a rule, so that two pages of a topic differ."""
        used = self._used.setdefault(rule, [])
        if not used:
            used += [line for line in self._rules[rule][1:] if self.chance.random() < share]

    def word(self, rule: str) -> str:
        """As `say`, the words alone."""
        return self.say(rule).text

    def settled(self, rule: str) -> str:
        """The alternative this page keeps to."""
        if rule not in self._settled:
            self._settled[rule] = self.word(rule)
        return self._settled[rule]

    def pattern(self, rule: str) -> str:
        """An alternative that this page has not used yet, its slots still open."""
        return self._fresh(rule)

    def grow(self, pattern: str) -> Said:
        """The pattern with every slot filled."""
        parts, swaps, at = [], [], 0
        for slot in SLOT.finditer(pattern):
            value, other, inner = self._fill(slot[1])
            swaps += [(value, other)] if other and other != value else []
            swaps += inner
            parts += [pattern[at : slot.start()], value]
            at = slot.end()
        return Said("".join([*parts, pattern[at:]]), tuple(swaps))

    def _fill(self, slot: str) -> tuple[str, str, list[tuple[str, str]]]:
        """A slot's value, another it could have, and the swaps inside it."""
        if span := RANGE.fullmatch(slot):
            return self._number(span), self._number(span), []
        if slot.startswith("="):
            return self.settled(slot[1:]), "", []
        said = self.say(slot)
        left = [line for line in self._rules[slot] if line not in self._used[slot]]
        other = self.grow(self.chance.choice(left)).text if left else ""
        return said.text, other, list(said.swaps)

    def _fresh(self, rule: str) -> str:
        lines, used = self._rules[rule], self._used.setdefault(rule, [])
        if len(used) == len(lines):
            used.clear()
        line = self.chance.choice([line for line in lines if line not in used])
        used.append(line)
        return line

    def _number(self, span: re.Match[str]) -> str:
        low, high = (float(end.replace(",", "")) for end in span.groups())
        digits = len(span[1].partition(".")[2])
        value = round(self.chance.uniform(low, high), digits)
        return f"{value:,.{digits}f}" if "," in span[0] else f"{value:.{digits}f}"
