"""Pairs: what goes and what comes, however a clause puts it.

"A instead of B", "from A to B", "not A but B", "A becomes B"; 把A改成B, 由A改为B, 不在A了，改在B.
"""

import re
from collections.abc import Iterator

from overpaint.editors.agent.rules.glue import VERB, last_of

_S = r"(?P<{}>.{{1,90}}?)"
_OLD, _NEW = _S.format("old"), _S.format("new")
_ENGLISH = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"^.*?\b(?:instead|in place|in lieu) of {_OLD}\s*[,:;]\s*(?:please |we |you |now |it "
        rf"|just |simply |should |must |to |want |is |'s |are |will |say |says |read |write |use "
        rf"|put |show |have |be |there |go with )*{_NEW}$",
        rf"^{_NEW},? (?:instead of|rather than|in place of|in lieu of|in (?:the )?stead of"
        rf"|as opposed to) {_OLD}$",
        rf"\bsubstitut(?:e|ing) {_NEW} for {_OLD}$",
        rf"^(?:please )?(?:make|have|let) {_OLD} (?:say|read) {_NEW}$",
        rf"\bfrom {_OLD} (?:over |on |across |up |down |it )?(?:to|into|onto) {_NEW}$",
        rf"\bwhere(?:ver|ever)? (?:it says|it said|it reads|there is|you (?:see|find)|we say"
        rf"|we have|it has) {_OLD}(?: now| today| at the moment)?,? (?:it should |it must "
        rf"|please |should |now |we want )*(?:say|says|write|put|use|read|have|show|be) {_NEW}$",
        rf"^{_NEW} (?:where(?:ver|ever)?) (?:it says |it said |it reads |there is |you (?:see"
        rf"|find) |we have |we say |it has )?(?:now )?{_OLD}(?: is| stands| was| appears| are"
        rf"| sits| occurs| comes up)?(?: now| today| at the moment| printed)?$",
        rf"\b(?:no longer|not|isn't|aren't|never|won't be|wasn't|are not"
        rf"|is not) {_OLD}(?: any ?more| any longer)?\s*[,:;]?\s*\b(?:but|it is|it's|rather"
        rf"|it will be|they are|this is|now it is|now) (?:rather |now |instead "
        rf"|actually )*{_NEW}$",
        rf"^{_NEW}(?:,| and|;| –| -)? (?:not|no longer|isn't|never) {_OLD}$",
        rf"\b{VERB} {_OLD} (?:to|into|with|by|for|as|in favou?r of) {_NEW}$",
        rf"^{_OLD} (?:is|are|has been|have been|was|were|will be|gets|goes|should be|must be"
        rf"|needs to be) (?:now |being )?(?:called|named|replaced (?:by|with)|renamed(?: to| as)?"
        rf"|changed (?:to|into)|known as|turned into|swapped for|switched to|superseded by"
        rf"|exchanged for|converted (?:to|into)) {_NEW}$",
        rf"^{_NEW} (?:has |have )?(?:taken over from|takes over from|took over from|replaces"
        rf"|succeeds|supersedes|replaced|stands in for) {_OLD}$",
        rf"^{_OLD} (?:becomes?|turns into|gives way to|makes way for|changes (?:to|into)"
        rf"|has become|now goes by|goes by|has changed its name to|changed its name to|now reads"
        rf"|→|->|=>|⇒|➜|➔|>) {_NEW}$",
        rf"^(?:out with|goodbye|forget|no more|drop|remove|lose|take out|scrap|delete) {_OLD}(?:,"
        rf"|;| and|:|,? in)+ (?:in with |hello |welcome |use |put |write |show |add |draw "
        rf"|insert |have |it is |it's |now |with ){_NEW}$",
        rf"\bwhere(?:ver|ever)? {_OLD} (?:is|are|appears?|stands?|occurs?|comes? up)(?: mentioned"
        rf"| printed| written| named| shown)?,? (?:please |it should |should |must )*(?:say|write"
        rf"|put|use|print|read) {_NEW}$",
        rf"^{_OLD} (?:→|->|=>|⇒|➜|➔|>) {_NEW}$",
        r"^(?:and )?(?P<old>(?:the |our |its |an? )?[\w'’-]{2,20}(?: [\w'’-]{2,20})?)"
        rf"(?<!want)(?<!need)(?<!like)(?<!have)(?<!has) to {_NEW}$",
        rf"^{_OLD}\s?[:：]\s?{_NEW}$",
        rf"^{_OLD} (?:is|are) now {_NEW}$",
        rf"^{_OLD} (?:is|are) {_NEW} now$",
        rf"^{_OLD} (?:should|must|has to|have to|needs to|ought to|shall|will)(?: now)? (?:be"
        rf"|become|read|say|show) {_NEW}$",
    )
)
_TO = r"(?:成|为|作|到|至|做|叫|称|在|上(?!海)|用)"
_TURN = (
    r"(?:更名|改名|改写|改画|替换|更换|调整|更新|更改|修改|变更|转换|换|改|变|转|调|移|搬|挪|升|降"
    r"|涨|提高?|写|画|做|定|迁)"
)
_CHINESE = tuple(
    re.compile(form)
    for form in (
        rf"(?:把|将){_OLD}(?:从原来的样子)?(?:全部|统统|全都|都|一律|统一|一并|也)?用{_NEW}"
        r"(?:来)?(?:代替|替换|取代|替代|换掉|顶替)(?:掉)?$",
        rf"(?:用|以|拿){_NEW}(?:来|去)?(?:代替|替换|取代|替代|换掉|换下|顶替|换)(?:掉)?(?:原来的"
        rf"|现在的)?{_OLD}$",
        rf"(?:从|由|自){_OLD}(?:全部|统统|都|一律|统一|直接|临时)?{_TURN}{_TO}*了?{_NEW}$",
        rf"(?:把|将){_OLD}(?:全部|统统|全都|都|一律|统一|一并|也|直接)?{_TURN}{_TO}*了?{_NEW}$",
        rf"(?:不再|不)(?:是|在|叫|要|用|写|为|办|卖|做|讲)?{_OLD}了?[，,：:；;]\s*(?:而是|而|现在"
        rf"|现|已经?|应该?|要|请|如今|今年)*(?:改|换|搬|移|变|转)?(?:是|在|成|为|到|叫|用|要|写"
        rf"|去|至|办|卖|做|讲)+{_NEW}$",
        rf"(?:不是|并非){_OLD}而是{_NEW}$",
        rf"^{_NEW}[，,；;]?\s*(?:而不是|而非|不是|不要|不再是|不叫|不用|别写|别用|不写|不再用"
        rf"|不在){_OLD}了?$",
        rf"^(?:去掉|删掉|撤下|别写|不写|不要|拿掉|别用){_OLD}[，,]\s*(?:请|就|都)*(?:换|改|写|用"
        rf"|画|放)(?:上|成|为)?{_NEW}$",
        rf"^{_OLD}(?:[，,])?(?:全部|统统|全都|都|一律|统一|一并|也|已|已经|现|现在|正式|请|要"
        rf"|需)*(?:{_TURN}{_TO}+|→|->|=>|⇒)了?{_NEW}$",
        rf"^(?:由)?{_NEW}(?:接替|取代|顶替|代替|接手)(?:了)?{_OLD}$",
        rf"^{_OLD}(?:不要|不用|不做|不办|取消|去掉|撤掉)了?[，,](?:全部|都|请|统一|一律)*(?:换"
        rf"|改){_TO}*{_NEW}$",
        rf"^{_OLD}(?:全部|统统|都|一律|统一)?(?:改|换|变){_NEW}$",
        rf"^{_OLD}[:：]{_NEW}$",
        rf"^{_OLD}(?:现在|现|已|应该?|就|请|要)*(?:是|为|叫|写|用|署){_NEW}$",
    )
)


_SAYS = re.compile(r"[\w\ue000-\ue3ff]")  # a letter, or a mark that stands for some
_COUNT = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3})\b", re.IGNORECASE
)


def _counts(old: str, new: str, said: str) -> tuple[str, str]:
    """Of two numbers the numbers alone: "two days of music, not three"."""
    count = _COUNT.search(said)
    if not _COUNT.fullmatch(old) or count is None:
        return old, new
    return old, count[0].casefold()


def pairs(text: str, *, chinese: bool) -> Iterator[tuple[str, str]]:
    """What may be meant to go and to come, the surest first, as the clause has it."""
    seen = set()
    for form in _CHINESE if chinese else _ENGLISH:
        found = form.search(text)
        if found:
            new = found["new"].strip(" ,，:：")
            if not chinese and found.start("new") < found.start("old"):
                new = last_of(
                    re.split(r" (?:who|which) ", new)[0]
                )  # what leads to it stands in the way
            pair = _counts(found["old"].strip(" ,，:："), new, found["new"])
            if pair not in seen and all(map(_SAYS.search, pair)):
                seen.add(pair)
                yield pair
