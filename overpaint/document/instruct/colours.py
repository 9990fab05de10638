"""Colours by name, English and Chinese, and shades of them."""

import re

from overpaint.document.layers import Colour

_NAMED = """
000000 black 黑 黑色
ffffff white 白 白色
808080 grey gray 灰 灰色
c0c0c0 silver 银 银色
ff0000 red 红 红色
dc143c crimson scarlet 绯红
800000 maroon burgundy 酒红 酒红色 栗色
ff7f50 coral 珊瑚色
ff4500 orangered 橙红 橙红色
9acd32 yellowgreen 黄绿 黄绿色
228b22 forestgreen
8a2be2 blueviolet 蓝紫 蓝紫色
fa8072 salmon
ffa500 orange 橙 橙色 橘色 橘黄色
ffbf00 amber 琥珀色
ffd700 gold golden 金 金色
ffff00 yellow 黄 黄色
f5f5dc beige 米色
fffdd0 cream 奶油色
d2b48c tan
8b4513 brown 棕 棕色 褐色 咖啡色
808000 olive 橄榄色
32cd32 lime 青柠色
008000 green 绿 绿色
50c878 emerald 翠绿色
008080 teal 蓝绿色 青绿 青绿色 孔雀绿
40e0d0 turquoise
00ffff cyan aqua 青 青色
87ceeb skyblue 天蓝 天蓝色
0000ff blue 蓝 蓝色
4169e1 royalblue 宝蓝色
000080 navy 藏青 藏青色 海军蓝
4b0082 indigo 靛蓝 靛色
800080 purple 紫 紫色
ee82ee violet 紫罗兰色
e6e6fa lavender 淡紫色 薰衣草色
ff00ff magenta fuchsia 品红 品红色 洋红色
ffc0cb pink 粉 粉色 粉红 粉红色
722f37 wine
005f6a petrol 墨青 墨青色
98ff98 mint 薄荷绿 薄荷色
36454f charcoal 炭灰 炭灰色 炭黑色
fffff0 ivory 象牙色 象牙白
f0e68c khaki 卡其 卡其色
da70d6 orchid
dda0dd plum 梅红色
dd2d4a raspberry 玫红 玫红色 桃红色
b22222 firebrick 砖红 砖红色
a0522d sienna
cd7f32 bronze 古铜色 青铜色
fbceb1 apricot 杏色
ffdab9 peach 桃色 蜜桃色
013220 墨绿 墨绿色
4b5320 军绿 军绿色
7cfc00 草绿 草绿色
0abab5 湖蓝 湖蓝色 湖绿色
e34234 vermilion 朱红 朱红色
654321 深咖色
c19a6b camel 驼色
ffdb58 mustard 姜黄 姜黄色 芥末黄
c8a2c8 lilac 丁香色
40826d viridian
0047ab cobalt 钴蓝 钴蓝色
"""
NAMES = {name: row.split()[0] for row in _NAMED.strip().splitlines() for name in row.split()[1:]}
NAMES |= {"sky blue": "87ceeb", "royal blue": "4169e1", "navy blue": "000080"}
NAMES |= {"orange red": "ff4500", "yellow green": "9acd32", "blue violet": "8a2be2"}
NAMES |= {"forest green": "228b22", "lime green": "32cd32", "golden yellow": "ffd700"}
NAMES |= {"olive green": "6b8e23", "emerald green": "50c878", "mint green": "98ff98"}
NAMES |= {"wine red": "722f37", "brick red": "b22222", "petrol blue": "005f6a"}
NAMES |= {"mustard yellow": "ffdb58", "cobalt blue": "0047ab", "bottle green": "013220"}
NAMES |= {"midnight blue": "191970", "charcoal grey": "36454f", "charcoal gray": "36454f"}

# Shades that CSS has a name for; half way to white "light blue" would be a violet. Its dark grey is
# lighter than its grey, so that one is left out.
_SHADES = """
light blue add8e6 · light green 90ee90 · light grey d3d3d3 · light gray d3d3d3 · light pink ffb6c1
light yellow ffffe0 · light cyan e0ffff · light coral f08080 · light salmon ffa07a
light skyblue 87cefa · dark blue 00008b · dark green 006400 · dark red 8b0000 · dark orange ff8c00
dark cyan 008b8b · dark magenta 8b008b · dark violet 9400d3 · dark turquoise 00ced1
dark salmon e9967a
"""
_SHADED: dict[tuple[str, str], str] = {}
for _shade, _name, _code in (row.split() for row in re.split("[·\n]", _SHADES) if row.strip()):
    _SHADED[_shade, NAMES[_name]] = _code
    NAMES |= {f"{_shade}{_name}": _code, f"{_shade} {_name}": _code}

_HEX = re.compile(r"#?([0-9a-f]{6})([0-9a-f]{2})?|#([0-9a-f]{3})")
_RGB = re.compile(r"rgba?\( *(\d{1,3}) *, *(\d{1,3}) *, *(\d{1,3}) *(?:, *([\d.]{1,8}) *)?\)")


def colour_of(code: str, shade: str = "") -> Colour | None:
    """The colour a hex code, rgb(…) or a name stands for, darker or lighter by its shade."""
    said = code.strip().lower()
    said = NAMES.get(said, said)
    if named := _SHADED.get((shade, said.removeprefix("#"))):
        said, shade = named, ""
    if rgb := _RGB.fullmatch(said):
        alpha = round(255 * _share(rgb[4])) if rgb[4] else 255
        red, green, blue = (min(255, int(part)) for part in rgb.group(1, 2, 3))
        return red, green, blue, alpha
    if not (found := _HEX.fullmatch(said)):
        return None
    digits = found[1] or "".join(2 * digit for digit in found[3])
    red, green, blue = (_shaded(int(digits[n : n + 2], 16), shade) for n in (0, 2, 4))
    return red, green, blue, int(found[2], 16) if found[2] else 255


def mixed(one: Colour, other: Colour) -> Colour:
    """The colour half way between two, as in "coral red"."""
    red, green, blue, alpha = ((a + b) // 2 for a, b in zip(one, other, strict=True))
    return red, green, blue, alpha


def _share(said: str) -> float:
    number = re.match(r"\d*\.?\d*", said)
    return min(1.0, float(number[0])) if number and number[0].strip(".") else 1.0


def _shaded(part: int, shade: str) -> int:
    """Half way to black, or half way to white."""
    if shade == "dark":
        return part * 6 // 11
    return 255 - (255 - part) // 2 if shade == "light" else part
