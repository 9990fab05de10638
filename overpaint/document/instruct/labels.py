"""Labels: a bare noun names what stands beside it, and is not itself what should change.

"票价改为280元" is no wish that the word 票价 should go. What has a role is found by it; of all else
nobody can tell whether the noun is meant or what it is the name of.
"""

import re
from collections.abc import Iterable

from overpaint.document.instruct.acts import quoted, words
from overpaint.document.instruct.lexing import Tokens, cut
from overpaint.document.instruct.refusal import refuse
from overpaint.document.where import Where

_VALUE = re.compile(
    r".*\d.*|(?:星期|周|礼拜)[一二三四五六日天]|[零〇一二三四五六七八九十百千万两]+"
)


def check_no_label(subject: Tokens, found: Iterable[Where]) -> None:
    """Refuse to write over words that were not quoted and may be a label: 嘉宾, the IBAN."""
    if quoted(subject) or any(token.has("role") for token in subject):
        return
    bare = next((w.text for w in found if w.text and not _VALUE.fullmatch(w.text)), "")
    if bare and (bare[0] >= "⺀" or (subject and subject[0].has("article"))):
        named = cut(tuple(t for t in subject if not t.has("prep", "article", "filler", "verb")))
        why = f"“{named or bare}” may be a label, and what stands beside it is not quoted"
        raise refuse(words(subject), "change", why=why)
