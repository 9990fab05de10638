"""Instruct: what a person asks for, in English or Chinese, as ops. Rules alone, no model.

    quotes → lexing → clauses → acts, changes, adds, places, tables
    (with wishes for what asks for nothing, instead for what names the new before the old,
    phrases, spots and several for what is pointed at, looks for how it is to be)

`parse("replace 'Friday' with 'Monday' and make it red")` gives a `ReplaceText` and a `Restyle`.
What asks for nothing ("keep the same font") is left out; what is not understood is refused, all
of it, with forms near to it that would be.
"""

from overpaint.document.instruct.parsing import parse

__all__ = ["parse"]
