"""Colours that an instruction names, and which layers have one."""

import colorsys
import re

from overpaint.document.instruct.colours import NAMES, colour_of
from overpaint.document.layers import Colour

# Names that designers use and the rules for words do not know.
_MORE = {
    "petrol": "005f6a", "petrol blue": "005f6a", "wine red": "722f37", "wine": "722f37",
    "plum": "5a2a62", "mint": "c8ecd6", "mint green": "c8ecd6", "peach": "ffcba4", "rust": "b7410e",
    "mustard": "d9a520", "ochre": "c77722", "terracotta": "c8553d", "brick red": "a63a2b",
    "cherry red": "c2182b", "ruby": "9b111e", "ruby red": "9b111e", "rose": "e8638c",
    "rose pink": "e8638c", "hot pink": "ff4fa0", "lilac": "c8a2d8", "mauve": "b784b7",
    "aubergine": "472c4c", "eggplant": "472c4c", "charcoal": "36393f", "slate": "5a6672",
    "slate grey": "5a6672", "ivory": "fffff0", "off-white": "f7f4ea", "sand": "e3d3b0",
    "chocolate": "4e2e1e", "chocolate brown": "4e2e1e", "caramel": "b5793f", "bronze": "a9712f",
    "copper": "b06a3b", "jade": "2fa374", "bottle green": "11442f", "moss green": "6d7a34",
    "sea green": "2e8b64", "pine green": "01796f", "sage": "a8b89a", "sage green": "a8b89a",
    "apple green": "7fb93c", "grass green": "4c9a3a", "ice blue": "d6ecf7", "baby blue": "bcdcf2",
    "baby pink": "f8cfd8", "powder blue": "c3dcec", "cobalt": "1f4fa8", "cobalt blue": "1f4fa8",
    "midnight blue": "16224f", "steel blue": "4682b4", "electric blue": "2a6cf0", "khaki": "b8a878",
    "apricot": "fbbf8c", "tangerine": "f28500", "lemon": "fdf0a0", "lemon yellow": "fae34b",
    "sunny yellow": "fcd116", "snow white": "fffafa", "pitch black": "000000", "jet black": "0a0a0a",
    "blood red": "8a0f14", "fire red": "d4231c", "salmon pink": "ff9a8d", "coral red": "f0584a",
    "blue-green": "0d8f88", "blue green": "0d8f88", "bluish green": "0d8f88", "vermilion": "e34234",
    "薄荷绿": "c8ecd6", "薄荷绿色": "c8ecd6", "墨青色": "005f6a", "墨青": "005f6a", "墨绿": "14432f",
    "墨绿色": "14432f", "墨黑": "0b0b0b", "青绿色": "0d8f88", "青绿": "0d8f88", "湖蓝色": "2a8fbd",
    "湖蓝": "2a8fbd", "孔雀蓝": "0d6e7d", "砖红色": "a63a2b", "砖红": "a63a2b", "大红": "d7191c",
    "大红色": "d7191c", "朱红色": "e34234", "朱红": "e34234", "玫红色": "e0457b", "玫红": "e0457b",
    "玫瑰红": "d6336c", "桃红色": "f0689a", "桃红": "f0689a", "杏色": "f3d9b1", "驼色": "b98e5f",
    "卡其色": "b8a878", "藕荷色": "e2c9d8", "米白色": "f7f2e4", "米白": "f7f2e4", "米黄色": "f3e5bd",
    "象牙白": "fffbe8", "奶白色": "fbf6ea", "草绿色": "6fae3c", "草绿": "6fae3c", "橄榄绿": "6b8e23",
    "军绿色": "4b5a2a", "明黄色": "fcd116", "柠檬黄": "fae34b", "土黄色": "c79a3b", "姜黄色": "d9a520",
    "炭灰色": "36393f", "炭黑": "222222", "烟灰色": "8d9094", "咖色": "6b4a33", "巧克力色": "4e2e1e",
    "紫红色": "a3195b", "绛红色": "8c1d2c", "绛紫色": "5a2a62", "靛蓝色": "2b3a8c", "海蓝色": "1d6fa5",
    "冰蓝色": "d6ecf7", "雪白": "ffffff", "纯白": "ffffff", "纯黑": "000000", "豆沙色": "b87a78",
}  # fmt: skip
_DARK = ("dark", "deep", "darker", "深", "暗", "墨")
_LIGHT = ("light", "pale", "soft", "lighter", "pastel", "浅", "淡", "亮", "嫩")
_BRIGHT = ("bright", "vivid", "rich", "strong", "鲜", "亮")
_ALL = {**NAMES, **_MORE}
_ENGLISH = sorted((name for name in _ALL if name.isascii()), key=len, reverse=True)
_CHINESE = sorted(
    (name for name in _ALL if not name.isascii() and len(name) > 1), key=len, reverse=True
)
_HUES = "红橙黄绿青蓝紫粉灰黑白棕褐金银"
COLOUR = re.compile(
    r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b"
    rf"|\b(?:(?:{'|'.join((*_DARK[:3], *_LIGHT[:5], *_BRIGHT[:4]))}) )?"
    rf"(?:{'|'.join(map(re.escape, _ENGLISH))})\b"
    rf"|(?:[深浅淡暗亮鲜嫩墨])?(?:{'|'.join(_CHINESE)})|[深浅淡暗亮鲜嫩]?[{_HUES}]色|[深浅淡暗亮][{_HUES}]"
)
TONE = re.compile(
    r"\b(?P<dark>dark|deep)\b|\b(?P<light>light|bright|pale)\b|(?P<d>深色|暗色)|(?P<l>浅色|亮色|淡色)"
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
    return abs(light - light2) + (1.6 * turn if hued > 0.12 else 0.5 * grey)
