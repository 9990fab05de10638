"""Refusal: what was not understood, and what near to it would have been."""

from overpaint.errors import Refused

FORMS = {
    "change": (
        "replace 'old words' with 'new words'",
        "change the title to 'New title'",
        "change the date to 12 May",
        "把“旧文字”改成“新文字”",
    ),
    "delete": (
        "delete 'some words'",
        "delete the second paragraph",
        "delete the line containing 'some words'",
        "删除“这些文字”",
    ),
    "add": (
        "add 'new words' after 'old words'",
        "insert 'new words' below the title",
        "write 'new words' in the top right corner",
        "在“这里”之后加上“新文字”",
    ),
    "move": (
        "move 'some words' below 'other words'",
        "move the title to the top right corner",
        "move 'some words' up by 20 pixels",
        "把“这些文字”移到右上角",
    ),
    "swap": (
        "swap 'these words' and 'those words'",
        "swap the first line and the third line",
        "交换“甲”和“乙”",
    ),
    "rotate": (
        "rotate 'some words' by 30 degrees clockwise",
        "tilt the title 10° counterclockwise",
        "把“这些文字”顺时针旋转30度",
    ),
    "scale": (
        "make 'some words' bigger",
        "scale the title to 150 %",
        "set the font size of 'some words' to 24 px",
        "把标题放大一倍",
    ),
    "look": (
        "make 'some words' bold and red",
        "change the font of the title to serif",
        "change the colour of 'some words' to #336699",
        "把标题改成红色",
    ),
    "table": (
        "in the table, change 'old' in the row 'Name' to 'new'",
        "delete the column 'Price' from the table",
        "add a row to the table below 'Monday': 'Tuesday', '9:00'",
        "merge the cells 'A' and 'B' into one that reads 'A and B'",
    ),
    "order": (
        "bring the logo to the front",
        "send 'some words' to the back",
        "hide the footer",
        "show the layer 'Price'",
    ),
    "picture": (
        "replace the picture with photo.png",
        "replace the logo with new-logo.png",
        "change the background to light blue",
    ),
}
_KIN = {
    "put": "move", "grow": "scale", "shrink": "scale", "double": "scale", "halve": "scale",
    "bold": "look", "unbold": "look", "italic": "look", "underline": "look", "strike": "look",
    "colour": "look", "align": "look", "hide": "order", "show": "order", "front": "order",
    "back": "order", "merge": "table", "upper": "change",
}  # fmt: skip
_FIRST = ("change", "delete", "add", "look")
SHOWN = 80  # letters of what was not understood


def refuse(said: str, kind: str = "", *, why: str = "") -> Refused:
    """That an instruction, or a part of it, is not understood; with forms of its kind that are."""
    said = " ".join(said.split())
    shown = said if len(said) <= SHOWN else said[: SHOWN - 1] + "…"
    kind = _KIN.get(kind, kind)
    near = FORMS.get(kind) or tuple(FORMS[name][0] for name in _FIRST)
    wrong = f"“{shown}” is not understood" + (f": {why}." if why else ".")
    return Refused(
        wrong,
        "These would be: " + "; ".join(near) + ".",
        "Quote the words that stand there and the words that should.",
    )
