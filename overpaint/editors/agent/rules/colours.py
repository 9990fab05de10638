"""Colours that an instruction names, and which layers have one."""

import colorsys
import re

from overpaint.document.instruct.colours import NAMES, colour_of
from overpaint.document.layers import Colour

# Names that designers use and the rules for words do not know.
_MORE_NAMED = """
005f6a petrol · petrol blue · 墨青色 · 墨青
722f37 wine red · wine
5a2a62 plum · 绛紫色
c8ecd6 mint · mint green · 薄荷绿 · 薄荷绿色
ffcba4 peach
b7410e rust
d9a520 mustard · 姜黄色
c77722 ochre
c8553d terracotta
a63a2b brick red · 砖红色 · 砖红
c2182b cherry red
9b111e ruby · ruby red
e8638c rose · rose pink
ff4fa0 hot pink
c8a2d8 lilac
b784b7 mauve
472c4c aubergine · eggplant
36393f charcoal · 炭灰色
5a6672 slate · slate grey
fffff0 ivory
f7f4ea off-white
e3d3b0 sand
4e2e1e chocolate · chocolate brown · 巧克力色
b5793f caramel
a9712f bronze
b06a3b copper
2fa374 jade
11442f bottle green
6d7a34 moss green
2e8b64 sea green
01796f pine green
a8b89a sage · sage green
7fb93c apple green
4c9a3a grass green
d6ecf7 ice blue · 冰蓝色
bcdcf2 baby blue
f8cfd8 baby pink
c3dcec powder blue
1f4fa8 cobalt · cobalt blue
16224f midnight blue
4682b4 steel blue
2a6cf0 electric blue
b8a878 khaki · 卡其色
fbbf8c apricot
f28500 tangerine
fdf0a0 lemon
fae34b lemon yellow · 柠檬黄
fcd116 sunny yellow · 明黄色
fffafa snow white
000000 pitch black · 纯黑
0a0a0a jet black
8a0f14 blood red
d4231c fire red
ff9a8d salmon pink
f0584a coral red
0d8f88 blue-green · blue green · bluish green · 青绿色 · 青绿
e34234 vermilion · 朱红色 · 朱红
14432f 墨绿 · 墨绿色
0b0b0b 墨黑
2a8fbd 湖蓝色 · 湖蓝
0d6e7d 孔雀蓝
d7191c 大红 · 大红色
e0457b 玫红色 · 玫红
d6336c 玫瑰红
f0689a 桃红色 · 桃红
f3d9b1 杏色
b98e5f 驼色
e2c9d8 藕荷色
f7f2e4 米白色 · 米白
f3e5bd 米黄色
fffbe8 象牙白
fbf6ea 奶白色
6fae3c 草绿色 · 草绿
6b8e23 橄榄绿
4b5a2a 军绿色
c79a3b 土黄色
222222 炭黑
8d9094 烟灰色
6b4a33 咖色
a3195b 紫红色
8c1d2c 绛红色
2b3a8c 靛蓝色
1d6fa5 海蓝色
ffffff 雪白 · 纯白
b87a78 豆沙色
"""
_MORE = {
    name.strip(): row[:6] for row in _MORE_NAMED.strip().splitlines() for name in row[7:].split("·")
}
_DARK = ("dark", "deep", "darker", "深", "暗", "墨")
_LIGHT = ("light", "pale", "soft", "lighter", "pastel", "浅", "淡", "亮", "嫩")
_BRIGHT = ("bright", "vivid", "rich", "strong", "鲜", "亮")
_ALL = {**NAMES, **_MORE}
_ENGLISH = sorted((name for name in _ALL if name.isascii()), key=len, reverse=True)
_CHINESE = sorted(
    (name for name in _ALL if not name.isascii() and len(name) > 1), key=len, reverse=True
)
_HUES = "红橙黄绿青蓝紫粉灰黑白棕褐金银"
_TONES = "|".join((*_DARK[:3], *_LIGHT[:5], *_BRIGHT[:4]))
_LATIN = "|".join(map(re.escape, _ENGLISH))
COLOUR = re.compile(
    r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b"
    rf"|\b(?:(?:{_TONES}) )?(?:{_LATIN})\b"
    rf"|[深浅淡暗亮鲜嫩墨]?(?:{'|'.join(_CHINESE)})|[深浅淡暗亮鲜嫩]?[{_HUES}]色"
    rf"|[深浅淡暗亮][{_HUES}]"
)
TONE = re.compile(
    r"\b(?P<dark>dark|deep)\b|\b(?P<light>light|bright|pale)\b|(?P<d>深色|暗色)|(?P<l>浅色|亮色"
    r"|淡色)"
)


def valued(name: str) -> Colour | None:
    """What a name of a colour stands for, with its shade."""
    said = name.strip().casefold()
    if known := colour_of(_ALL.get(said, said)):
        return known
    shade, rest = ("", said)
    for tone, marks in (("dark", _DARK), ("light", _LIGHT), ("", _BRIGHT)):
        mark = next((one for one in marks if said.startswith(one)), "")
        if mark:
            shade, rest = tone, said.removeprefix(mark).strip()
            break
    rest = _ALL.get(rest) or _ALL.get(rest.removesuffix("色"), rest)
    return colour_of(rest, shade)


def spelt(name: str) -> str:
    """The colour as a prompt has it: by the name that everybody knows, or by its code."""
    if name.casefold() in NAMES:
        return name
    value = valued(name)
    return f"#{value[0]:02x}{value[1]:02x}{value[2]:02x}" if value else name


def alike(code: str, name: str) -> bool:
    """Whether a layer's colour would be called so: the same tone, and light or dark alike."""
    value = valued(name)
    if value is None:
        return False
    one, other = _toned(code), colorsys.rgb_to_hls(*(part / 255 for part in value[:3]))
    return _apart(one, other) < 0.34


def is_dark(code: str) -> bool:
    """Whether a colour is dark."""
    return _toned(code)[1] < 0.38


def distance(code: str, name: str) -> float:
    """How unlike a layer's colour and a named one are."""
    value = valued(name)
    if value is None:
        return 9.0
    return _apart(_toned(code), colorsys.rgb_to_hls(*(part / 255 for part in value[:3])))


def _toned(code: str) -> tuple[float, float, float]:
    return colorsys.rgb_to_hls(*(int(code[n : n + 2], 16) / 255 for n in (1, 3, 5)))


def _apart(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """Hue counts where both have one, lightness always."""
    (h, light, s), (h2, light2, s2) = one, other
    turn = min(abs(h - h2), 1 - abs(h - h2)) * 2
    hued = min(s * (1 - abs(2 * light - 1)), s2 * (1 - abs(2 * light2 - 1)))
    grey = abs(s * (1 - abs(2 * light - 1)) - s2 * (1 - abs(2 * light2 - 1)))
    return abs(light - light2) + (turn if hued > 0.12 else 1.6 * grey)
