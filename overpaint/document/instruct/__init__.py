"""Instruct: what a person asks for, in English or Chinese, as ops. Rules alone, no model.

    quotes → lexing (english, chinese, families, colours)
    → clauses (wishes, instead), each with its halves and wholes
    → acts, changes (pairs), dressing (binding), adds, places, tables
    with phrases, spots, several and counts for what is pointed at, looks for how it is to be
    → ledger (no word is lost), ordering (all is counted on the page as it was)

`parse("replace 'Friday' with 'Monday' and make it red")` gives a `ReplaceText` and a `Restyle`.
What asks for nothing ("keep the same font") is left out; what is not understood is refused, all
of it, with forms near to it that would be.
"""

from overpaint.document.instruct.pages import PageNamed
from overpaint.document.instruct.parsing import parse

__all__ = ["PageNamed", "parse"]
