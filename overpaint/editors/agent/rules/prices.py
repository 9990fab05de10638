"""Prices and hours: which of several are meant, and wishes that would need sums."""

import re
from itertools import pairwise

from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.rules.finding import Found, replaced
from overpaint.editors.agent.rules.page import Line, Page
from overpaint.editors.agent.rules.pointing import roles_in
from overpaint.editors.agent.rules.prompts import Hit, Tongue
from overpaint.editors.agent.rules.reading import MARK, TIME, Clause

_RAISED = re.compile(
    rf"\bby (?:about |another |a further )?(?P<a>{MARK})|(?P<b>{MARK})\s*(?:more\b|less\b|cheaper"
    rf"|dearer|higher\b|lower\b|extra\b|off each)|(?:涨价?|上涨|提高|上调|加价?|增加|降价?|下降"
    rf"|下调|降低|减价?|减少|便宜|贵)了?(?P<c>{MARK})",
    re.IGNORECASE,
)
_FOR_ANOTHER = re.compile(rf"\breplac\w+ .*{MARK}\s*by {MARK}", re.IGNORECASE)
_FREE = re.compile(
    r"\b(?:free(?: of charge)?|gratis|costs? nothing)"
    r"(?: now| today| instead| for (?:all|everyone|everybody))*\W*$|(?:免费|不收费|不要钱)了?\W*$",
    re.IGNORECASE,
)
_PRICED = re.compile(
    rf"(?:\b(?:from|only|just|at|for) )?(?:{PATTERNS['price'].pattern})(?: each\b| per \w+)?起?",
    re.IGNORECASE,
)
_EVERY = re.compile(
    r"\b(?:all|every|each|everything)\b|所有|全部|每|一律|统一|都|全场", re.IGNORECASE
)
_CLOSES = re.compile(
    r"\b(?:clos\w+|until|till|ends?|finish\w*)\b|关门|打烊|结束|收摊|关店", re.IGNORECASE
)
_OPENS = re.compile(
    r"\b(?:opens?|opening|from|starts?|begins?|doors)\b|开门|开始|开店|开场", re.IGNORECASE
)
_BETWEEN = re.compile(r"^\s*(?:-|–|—|~|～|to|until|till|至|到)\s*$")
_DIGITS = "零一二三四五六七八九"


def raised(clause: Clause) -> bool:
    """Whether a clause wants a price so much higher or lower, and not a new one."""
    match = None if _FOR_ANOTHER.search(clause.text) else _RAISED.search(clause.text)
    mark = match and (match["a"] or match["b"] or match["c"])
    return bool(mark) and clause.kind(mark or "") in ("price", "percent")


def freed(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """No price any more: "tickets are free now"."""
    told = _FREE.search(clause.text) and "price" in roles_in(clause.text)
    if not told or clause.of("price") or clause.of("quote"):
        return []
    hits = []
    for line in meant(page.having("price"), clause):
        for match in _PRICED.finditer(line.text):
            free = "免费" if tongue.chinese else "Free" if match.start() == 0 else "free"
            place = Found(line.layer, match[0].strip())
            hits += replaced([place], match[0], free, tongue, "there is no price any more")
    return hits


def meant(lines: tuple[Line, ...], clause: Clause) -> tuple[Line, ...]:
    """Of several prices those that are meant: of the item that is named, or of all of them."""
    prices = {match[0] for line in lines for match in PATTERNS["price"].finditer(line.text)}
    if len(prices) < 2 or _EVERY.search(clause.text):
        return lines
    shares = [_shared(PATTERNS["price"].sub("", line.text), clause.text) for line in lines]
    best = max(shares)
    return (
        tuple(line for line, share in zip(lines, shares, strict=True) if share == best)
        if best and shares.count(best) == 1
        else ()
    )


def _shared(item: str, said: str) -> int:
    """How much of an item's name is said: letters of its longest run, or of its words."""
    if item.isascii():
        known = set(re.findall(r"[a-z]{3,}", said.casefold()))
        return sum(len(word) for word in re.findall(r"[a-z]{3,}", item.casefold()) if word in known)
    item = "".join(item.split())[:40]
    runs = (
        b - a for a in range(len(item)) for b in range(a + 2, len(item) + 1) if item[a:b] in said
    )
    return max(runs, default=0)


def hours(places: list[Found], clause: Clause) -> list[Found]:
    """Of times from one to another that of which a clause speaks; none where it does not say."""
    kept = []
    for place in places:
        times = list(TIME.finditer(place.layer.words))
        pairs = [
            (one[0], two[0]) for one, two in pairwise(times)
            if _BETWEEN.match(place.layer.words[one.end() : two.start()])
        ]  # fmt: skip
        own = next((pair for pair in pairs if place.piece in pair), None)
        closing, opening = _CLOSES.search(clause.text), _OPENS.search(clause.text)
        wanted = own and (own[1] if closing and not opening else own[0] if opening else "")
        if own is None or place.piece == wanted:
            kept.append(place)
    return kept


def ranges(lines: tuple[Line, ...]) -> list[tuple[Found, str]]:
    """Times from one to another on some lines, and what stands between the two."""
    found = []
    for line in lines:
        for one, two in pairwise(TIME.finditer(line.text)):
            middle = line.text[one.end() : two.start()]
            if _BETWEEN.match(middle):
                found.append((Found(line.layer, line.text[one.start() : two.end()]), middle))
    return found


def clock(new: str, printed: str) -> str:
    """A time said in Chinese as a printed one of digits has it: 22:00 for 晚上十点."""
    said = re.fullmatch(
        r"(?P<part>上午|早上|凌晨|中午|下午|傍晚|晚上)?"
        r"(?P<hour>[一二三四五六七八九十]{1,3}|\d{1,2})点(?P<half>半|整)?",
        new,
    )
    if said is None or not re.fullmatch(r"\d{1,2}[:：]\d{2}", printed):
        return new
    hour = _number(said["hour"])
    late = said["part"] in ("下午", "傍晚", "晚上") and hour < 12
    return f"{hour + 12 * late:02d}{printed[-3]}{'30' if said['half'] == '半' else '00'}"


def _number(said: str) -> int:
    if said.isdigit():
        return int(said)
    tens, ten, ones = said.rpartition("十")
    many = _DIGITS.find(tens) if tens else 1
    return (10 * many if ten else 0) + (max(0, _DIGITS.find(ones)) if ones else 0)
