"""Names of fonts: how a family is called elsewhere, and what else may stand for it."""

import re
from dataclasses import dataclass

# What a family may be set in where it is missing, best first: as wide to the last unit where
# such a font exists, else near in looks. Names as `plain` makes them.
_ARIAL = ("Liberation Sans", "Arimo", "Helvetica", "Nimbus Sans")
_TIMES = ("Liberation Serif", "Tinos", "Times New Roman", "Nimbus Roman", "PT Serif")
_COURIER = ("Liberation Mono", "Cousine", "Courier New", "Nimbus Mono PS", "Roboto Mono")
_HEI = ("Noto Sans SC", "Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Zen Hei")
_SONG = ("Noto Serif SC", "Noto Serif CJK SC", "Source Han Serif SC", "AR PL UMing CN")
_KAI = ("AR PL UKai CN", "LXGW WenKai", *_SONG)
_TRADITIONAL = ("Noto Sans TC", "Noto Sans CJK TC", *_HEI)
_JAPANESE = ("Noto Sans JP", "Noto Sans CJK JP", *_HEI)
_MINCHO = ("Noto Serif JP", "Noto Serif CJK JP", *_SONG)
_KOREAN = ("Noto Sans KR", "Noto Sans CJK KR", *_HEI)
_SUBSTITUTES: dict[tuple[str, ...], tuple[str, ...]] = {
    ("arial", "helvetica", "helveticaneue", "arialunicodems", "swiss721", "nimbussans"): _ARIAL,
    ("liberationsans", "arimo"): ("Arial", *_ARIAL),
    ("arialnarrow", "helveticacondensed"): ("Liberation Sans Narrow", "Roboto Condensed"),
    ("timesnewroman", "times", "timesroman", "nimbusroman", "timesten"): _TIMES,
    ("liberationserif", "tinos"): _TIMES,
    ("couriernew", "courier", "nimbusmono", "nimbusmonops"): _COURIER,
    ("liberationmono", "cousine"): _COURIER,
    ("calibri", "carlito"): ("Carlito", "Lato", "Open Sans"),
    ("cambria", "caladea"): ("Caladea", "PT Serif", "Noto Serif"),
    ("georgia",): ("Gelasio", "Libre Baskerville", "PT Serif"),
    ("verdana", "bitstreamverasans", "tahoma"): ("DejaVu Sans", "Noto Sans", "Open Sans"),
    ("bitstreamveraserif",): ("DejaVu Serif", "Noto Serif"),
    ("consolas", "menlo", "monaco", "bitstreamverasansmono", "lucidaconsole", "cascadiacode"):
        ("DejaVu Sans Mono", "Source Code Pro", "Roboto Mono"),
    ("sfmono",): ("JetBrains Mono", "Roboto Mono"),
    ("segoeui", "myriadpro", "frutiger", "trebuchetms", "lucidasans", "lucidagrande"):
        ("Open Sans", "Source Sans 3", "Noto Sans"),
    ("sourcesanspro",): ("Source Sans 3",),
    ("sourceserifpro",): ("Source Serif 4",),
    ("sfpro", "sfprotext", "sfprodisplay", "sanfrancisco", "systemui", "sfuitext"):
        ("Inter", "Roboto"),
    ("futura", "centurygothic", "avenir", "avenirnext", "gotham", "proximanova", "gillsans"):
        ("Montserrat", "Poppins", "Nunito"),
    ("garamond", "adobegaramondpro", "garamondpremierpro", "jenson"): ("EB Garamond",),
    ("baskerville", "newbaskerville"): ("Libre Baskerville",),
    ("minionpro", "minion", "palatino", "palatinolinotype", "bookantiqua"):
        ("Crimson Text", "EB Garamond", "Source Serif 4"),
    ("bodoni", "didot", "bodonimt"): ("Playfair Display", "DM Serif Display"),
    ("rockwell",): ("Roboto Slab", "Bitter"),
    ("impact", "haettenschweiler"): ("Anton", "Oswald"),
    ("dinnextltpro", "din", "dincondensed", "leaguegothic"): ("Oswald", "Barlow Condensed"),
    ("comicsansms", "comicsans", "chalkboard", "bradleyhand", "segoeprint"): ("Kalam",),
    ("brushscript", "brushscriptmt"): ("Pacifico", "Dancing Script"),
    ("lucidahandwriting", "segoescript", "zapfino", "snellroundhand", "applechancery"):
        ("Dancing Script", "Pacifico"),
    ("宋体", "simsun", "nsimsun", "新宋体", "songti", "songtisc", "stsong", "华文宋体", "中易宋体",
     "思源宋体", "sourcehanserif", "sourcehanserifsc", "sourcehanserifcn", "notoserifcjksc",
     "notoserifsc", "方正书宋", "方正书宋简体", "方正小标宋简体", "stzhongsong", "华文中宋",
     "adobesong", "stsongstd"): _SONG,
    ("仿宋", "fangsong", "仿宋gb2312", "fangsonggb2312", "stfangsong", "华文仿宋", "adobefangsong"):
        _SONG,
    ("黑体", "simhei", "heiti", "heitisc", "stheiti", "华文黑体", "华文细黑", "微软雅黑",
     "microsoftyahei", "microsoftyaheiui", "msyh", "pingfang", "pingfangsc", "苹方", "思源黑体",
     "sourcehansans", "sourcehansanssc", "sourcehansanscn", "notosanscjksc", "notosanssc",
     "等线", "dengxian", "方正黑体", "方正黑体简体", "hiraginosansgb", "alibabapuhuiti",
     "阿里巴巴普惠体", "harmonyossanssc", "misans", "文泉驿正黑",
     "adobeheiti"): _HEI,
    ("楷体", "kaiti", "simkai", "kaitisc", "stkaiti", "华文楷体", "楷体gb2312", "kaitigb2312",
     "adobekaiti"): _KAI,
    ("microsoftjhenghei", "微軟正黑體", "pingfangtc", "pingfanghk", "pmingliu", "mingliu",
     "notosanscjktc", "sourcehansanstc"): _TRADITIONAL,
    ("meiryo", "yugothic", "msgothic", "mspgothic", "hiraginosans", "hiraginokakugothicpro",
     "sourcehansansjp", "notosanscjkjp"): _JAPANESE,
    ("msmincho", "mspmincho", "yumincho", "hiraginominchopro", "notoserifcjkjp"): _MINCHO,
    ("malgungothic", "applesdgothicneo", "notosanscjkkr"): _KOREAN,
    ("sansserif", "uisansserif"): ("PT Sans", "Arimo"),
    ("serif", "uiserif"): ("PT Serif",),
    ("monospace", "uimonospace"): ("Roboto Mono",),
    ("cursive",): ("Kalam",),
    ("fantasy",): ("Anton",),
}  # fmt: skip
SUBSTITUTES = {name: others for names, others in _SUBSTITUTES.items() for name in names}

# What is used of each kind where nothing better is known, best first.
USUAL = {
    "sans": ("PT Sans", "Open Sans", "Noto Sans", "Arimo", "Noto Sans Arabic",
             "Liberation Sans", "DejaVu Sans", *_HEI),
    "serif": ("PT Serif", "Noto Serif", "Liberation Serif", "DejaVu Serif", *_SONG, "Arimo",
              "Noto Sans Arabic"),
    "mono": ("Roboto Mono", "Source Code Pro", "Liberation Mono", "DejaVu Sans Mono", *_HEI),
    "handwritten": ("Kalam", "Pacifico", "Dancing Script", *_KAI),
    "display": ("Anton", "Oswald", "DM Serif Display", *_HEI),
}  # fmt: skip

_HEAVY = {
    "thin": 100, "hairline": 100, "extralight": 200, "ultralight": 200, "light": 300, "book": 400,
    "regular": 400, "normal": 400, "medium": 500, "semibold": 600, "demibold": 600,
    "demi": 600, "bold": 700, "extrabold": 800, "ultrabold": 800, "black": 900, "heavy": 900,
}  # fmt: skip
_SLANTED = ("italic", "oblique", "ital", "it")
_STYLE = re.compile(
    r"[-, _]*(?:" + "|".join(sorted((*_HEAVY, *_SLANTED), key=len, reverse=True)) + r")$"
)
_SUBSET = re.compile(r"^[A-Z]{6}\+")  # as PDF marks a font of which it holds a part
_MAKER = re.compile(r"(?<=[a-z])(?:PSMT|PS|MT|Std|LT)(?=$|-)")  # TimesNewRomanPS-BoldMT


@dataclass(frozen=True)
class Named:
    """What a font's name says: its family, and a weight and a slant where it gives them."""

    family: str
    weight: int | None = None
    italic: bool = False


def plain(name: str) -> str:
    """A name without what people write in different ways: case, spaces, hyphens."""
    return re.sub(r"[\s_\-.,'’]+", "", name).casefold()


def parts(name: str) -> Named:
    """A family with the weight and slant that stand in its name: Helvetica-BoldOblique."""
    rest, weight, italic = _MAKER.sub("", _SUBSET.sub("", name.strip())), None, False
    while found := _STYLE.search(low := rest.lower()):
        if not found.start() or (found[0][0].isalpha() and not rest[found.start()].isupper()):
            break  # the whole name, or the end of another word: Semibold, but not Rit
        word = found[0].lstrip("-, _")
        weight = weight or _HEAVY.get(word)
        italic = italic or word in _SLANTED
        rest = rest[: len(low[: found.start()])]
    return Named(rest, weight, italic)


_VARIANT = re.compile(r" (?:SC|TC|HK|JP|KR)$")


def native(family: str, words: str) -> str:
    """The family's variant for the language that Chinese, Japanese or Korean words are in."""
    likely = "SC" if _writes("gb2312", _han(words)) else "TC"
    return _VARIANT.sub(f" {variant(words) or likely}", family)


def variant(words: str) -> str:
    """The language that words can only be in, as families name it; "" where it is not sure."""
    if any("\u3040" <= letter <= "\u30ff" for letter in words):
        return "JP"
    if any("\uac00" <= letter <= "\ud7a3" for letter in words):
        return "KR"
    letters = _han(words)
    ways = [way for way in ("gb2312", "big5", "shift_jis") if _writes(way, letters)]
    return {"gb2312": "SC", "big5": "TC"}.get(ways[0], "") if len(ways) == 1 else ""


def _han(words: str) -> str:
    return "".join(letter for letter in words if "\u4e00" <= letter <= "\u9fff")


def _writes(encoding: str, letters: str) -> bool:
    try:
        letters.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
