"""What people say of things that go, and what they call them: patterns, in English and Chinese."""

import re

from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.glue import VERB
from overpaint.editors.agent.rules.reading import MARK

JOINT = re.compile(
    r"\s*[,，](?!\d)\s*(?:and |but |then )?|\s+(?:and|but|then|while)\s+|并且?|同时|但是?",
    re.IGNORECASE,
)
# The items of a Chinese list go together, before the verb or after it.
LIST = re.compile(r"、|以及|[和与及](?!\w{0,6}(?:相同|一样|同样|一致))")
GOES = re.compile(
    rf"{words.REMOVE.pattern}|\b(?:delet|remov|eras)(?:e[ds]?|ing|al)\b"
    r"|\b(?:hide|dropped|cancell?ed|no longer (?:needed|wanted|required|valid|offered))\b"
    r"|\b(?:clear|wipe|empty|blank out) (?:the|all|its|this|that)\b"
    r"|\b(?:take|taking|leave|leaving|get)\b(?=.{1,80}?\b(?:out|off|away|down)\b)"
    r"|\bgoes(?=\s*(?:$|[.,;!]))|\bnot (?:be )?(?:shown?|appear|printed|mentioned)\b"
    r"|删|清空|隐藏|[去拿撤抹擦清除摘取划砍剪抠丢扔消略][掉去走除]|取下|摘下|略过|消失|留白|空着"
    r"|(?:不|别)再?(?:出现|显示|保留|放|印)|不用(?:了|再|保留|显示)|用不着|免了",
    re.IGNORECASE,
)
NEVER = re.compile(
    r"(?:\b(?:not|never|instead of|rather than|without)|n't) (?:\w+ )?"
    r"(?:remov|delet|tak|eras|drop)\w*"
    r"|(?:不要|别|勿|不得|不能|不可)(?!的|了)(?:再|把|将)?[^，。的]{0,8}?(?:删|去掉|移除|拿掉)"
    r"|不(?:删|去掉|移除|拿掉)",
    re.IGNORECASE,
)
# Whoever takes all away but something names what stays.
EXCEPT = re.compile(
    r"\b(?:except|apart from|other than|besides|(?:any|every|no)thing but|all but|keep only"
    r"|only keep)\b|除了|除.{1,8}外|只留|仅留|只保留",
    re.IGNORECASE,
)
# A piece that does something of its own goes on with nothing that was said before it.
DOES = re.compile(
    rf"\b(?:{VERB}|keep|leave|retain|preserve|let|should|must|has to|says?|reads?|write|add|show"
    r"|colou?r|recolou?r|paint|print|give|is|are|be|stays?|remains?|becomes?|draw|place|bring)\b"
    r"|改|换|变|保留|保持|不变|不动|写|用|加|放|移|涂|设|留|是|为|成|画",
    re.IGNORECASE,
)
WHAT = re.compile(r"what(?:ever)?\b", re.IGNORECASE)  # "… and what it says"
IT = re.compile(r"\b(?:it|its|this|that|them|they)\b|它|上面|字", re.IGNORECASE)
# What something stands beside is not meant itself.
BESIDE = re.compile(
    r"\b(?:from|under|underneath|below|above|beneath|beside|next to|near|behind|around|between"
    r"|after|before)\b.*|[^，。和与及]*?(?:下面|上面|旁边|后面|下方|上方|左边|右边|周围|背后|之下|之上)的?",
    re.IGNORECASE,
)
# How something looks: that may go while the thing itself stays.
ASPECT = re.compile(
    r"\b(?:shadows?|glow|gradient|bold|italics?|underlin\w*|stroke|effects?|capitals?|colou?rs?"
    r"|spacing|gap|blur|texture)\b|阴影|投影|渐变|加粗|斜体|下划线|效果|颜色|发光|间距",
    re.IGNORECASE,
)
_WORDING = r"(?:texts?|words?|wording|lettering|letters|writing|line|copy|contents?|inscription)"
_SAYS = r"(?:what (?:it|is written|stands)|\bsays\b)"
_STICKER = "|".join(one for one in parts.CALLED["sticker"] if one.isascii())
WORDS_OF = re.compile(
    rf"(?:\b{_WORDING}\b|{MARK})[^,;]*?\b(?:on|in|of|inside|within|from|off)"
    rf" (?:(?!with\b|and\b|along\b|together\b)\w+ ){{0,3}}(?:{_STICKER})\b"
    rf"|\bempty [^,;]*\b(?:{_STICKER})\b|\b(?:{_STICKER})(?:['’]s)? {_WORDING}\b"
    rf"|{_SAYS}[^,;]*\b(?:on|in) [^,;]*\b(?:{_STICKER})\b"
    rf"|\bwhat [^,;]*?\b(?:{_STICKER})\b[^,;]*? says\b"
    r"|(?:贴纸|标贴|徽章|印章|圆标|标签|角标|圆章|徽标|贴标|圆贴)(?:上面?|里面?|中|内)?的?(?:那?[行句])?"
    rf"(?:文字|文案|字样|字|内容|文本|(?<=的){MARK})",
    re.IGNORECASE,
)
ROUND = re.compile(
    r"\b(?:circle|disc|disk|roundel|ellipse|oval)s?\b"
    r"|\bround (?:thing|shape|spot|patch|plate|field|mark|sign|element)\b"
    r"|圆形|圆圈|圆盘|圆片|圆底|圆块|圆点",
    re.IGNORECASE,
)
_PLATES = "panel|box|plate|rectangle|block|bar|band|strip|banner|backing"
PLATE = re.compile(
    rf"\b(?:{_PLATES})s?\b|色块|底框|方框|面板|底板|矩形|横条|色条|底条", re.IGNORECASE
)
# "The date panel" is a panel.
OF_ITS_KIND = re.compile(
    rf"\b\w+ (?=(?:{_PLATES}|{_STICKER})s?\b)"
    r"|(?:价格|票价|日期|标题|时间|地点)(?=的?(?:贴纸|标贴|标签|色块|底框|方框|面板|底板))",
    re.IGNORECASE,
)
FIGURE = re.compile(
    rf"{ROUND.pattern}|{PLATE.pattern}|\b(?:shape|form|its ground)s?\b|形状|图形|底",
    re.IGNORECASE,
)
FOOT = re.compile(
    r"\b(?:footer|bottom line|last line|fine print|small print)\b|页脚|底部文字|最后一行|末行",
    re.IGNORECASE,
)
LINE = re.compile(
    r"\b(?:line|texts?|words?|wording|sentence|phrase|note|notice|remark|mention|sub-?heading)\b"
    r"|[一这那整]行|[一这那整]句|行字|句话|文字|字样|文案|的字|那段|说明",
    re.IGNORECASE,
)
SMALL_TITLE = re.compile(r"\bsmall(?:er)? (?:title|headline|heading|header)\b", re.IGNORECASE)
UNDER_TITLE = re.compile(
    r"\b(?:under|below|beneath|underneath) the (?:main )?(?:title|headline|heading)\b"
    r"|标题(?:的?下面|下方|之下|底下)",
    re.IGNORECASE,
)
