"""Words that people ask with: tables only, English and Chinese."""

import re

# ── what is asked for ───────────────────────────────────────────────────────────────────

REMOVE = re.compile(
    r"\b(?:be|have|want) no (?=[a-z])|^(?:please,? )?no (?!longer\b|need\b|one\b|changes?\b)"
    r"|\b(?:remove|removing|delete|deleting|erase|drop|kill|ditch|lose|omit|scrap|strip|eliminate"
    r"|cut|take (?=.{1,80}\b(?:out|off|away|down)\b)|(?:take|taking|leave|leaving|cut"
    r"|cross) (?:out|off|away)|no need to (?:mention|show|print|name|list|say)|get rid of"
    r"|do away with|clear away|no more|without|dispense with|rid .{1,20} of|(?:do not|don't"
    r"|no longer) (?:want|need|have|show|print|mention|name|list)|(?:can|should|must|has to|have to"
    r"|may|needs to|will) (?:go|disappear|vanish|come off|be gone)|is not needed|are not needed"
    r"|isn't needed|not wanted)\b|别留|不留|移走|拿走|移掉|除掉|裁掉|不写|别写|不提|去掉|删掉"
    r"|删除|去除|移除|拿掉|撤掉|撤下|取消|抹掉|清除|除去|摘掉|剔除|拆掉|擦掉|不需要|不要(?!动|改"
    r"|碰|变)|别要|不用写|不必|不想要|(?:可以|全部|都|一并|一起)?(?:删|去)了|不再(?:显示|出现|写"
    r"|需要)|隐去|省去",
    re.IGNORECASE,
)
# A clause that says what stays.
KEEP = re.compile(
    r"\b(?:keep|keeping|(?:leave|leaving)(?! out| off)|preserve|retain|maintain"
    r"|without (?:touching|changing)|(?:do not|don't|never|no need to|please not|not to) (?:touch"
    r"|change|alter|edit|modify|redraw|replace|swap|recolou?r|move|mess)|(?:stays?|remains?|is"
    r"|are|be) (?:untouched|unchanged|the same|as (?:it|they|is|before)|as is|exactly|how)"
    r"|(?:stays?|remains?)(?= *(?:$|[.,;]| put| where| there| in place| here| alone))|untouched"
    r"|unchanged|unaltered|intact|hands off|as (?:it|they) (?:is|are|was|were)|nothing else"
    r"|no changes?|(?:is|are) fine|as before|off limits)\b|不要动|不要改|不要碰|别动|别改|别碰"
    r"|不动|不变|不改|不用(?:动|改|换)|无需(?:动|改|换)|保持|保留|留着|照旧|照原样|原样|维持"
    r"|不必(?:动|改|换)|勿动|不碰|还是原来|依旧|不受影响",
    re.IGNORECASE,
)
# Who says so wants nothing but this.
ONLY = re.compile(
    r"\b(?:only|just|solely|nothing but|merely|alone)\b|只|仅|单单|光是|光改|光换", re.IGNORECASE
)
OTHERS = re.compile(r"\b(?:others?|rest|remaining)\b|其他|其余|别的", re.IGNORECASE)
BOTH = re.compile(
    r"\b(?:(?:picture|illustration|image|drawing|artwork|graphic|motif)s?,? (?:too|as well"
    r"|included|also|along)|(?:text|words?|wording|lettering|copy) (?:and|as well as"
    r"|plus) (?:the )?(?:picture|illustration|image|drawing|art|artwork|graphic|motif)|(?:picture"
    r"|illustration|image|drawing|artwork|graphic|motif)s? (?:and|as well as"
    r"|plus) (?:the )?(?:text|words?|wording|lettering|copy)|both|including the (?:picture"
    r"|illustration|image)|(?:also|and) (?:swap|change|replace|update) the (?:picture"
    r"|illustration|image|drawing))\b|图文|图和文字|图和字|文字和图|文字与图|插图(?:也|一起|一并"
    r"|同步|都)|图片(?:也|一起|一并|同步|都)|图(?:也|都)|连图",
    re.IGNORECASE,
)
THEME = re.compile(
    r"\b(?:theme|topic|subject|(?:be|is|it|this|that|all|talks?|something) about|version|edition"
    r"|rework|adapt|transform|convert|turn|advertise|promote|announce|repurpose|reuse|retheme"
    r"|counterpart|devoted|dedicated|focus(?:es)?|same (?:thing|idea|design|layout|poster|flyer"
    r"|card|style|slide)|motto|make (?:it|this|that|the \w+) (?:a|an|for|into)|for (?:our|a|an"
    r"|the) (?:\w+ ){1,3}instead|redo|remake|recast|becomes?|all about|needs? to be (?:a|an|for"
    r"|about)|redesign|rebrand)\b|主题|题材|版|做成|变成|改做|改办|换个|内容|宣传|同样的|同款"
    r"|套用|翻成|转成|转为|办成",
    re.IGNORECASE,
)
SHOW = re.compile(
    r"\bshow (?=(?:an?|the|some|us|me|two|three|our)\b)|\b(?:draw|drawn|picture|illustration"
    r"|image|drawing|artwork|photo|depict|paint|graphic|motif|redraw|sketch|illustrate)\b|插图"
    r"|图片|配图|插画|图[里中上]的?|图画|画面|画成|改画|的图|照片|图案|画(?=[一个只张])|^画",
    re.IGNORECASE,
)
DRAW = re.compile(
    r"\b(?:draw|illustrate|depict|sketch|picture|illustration|image|drawing|artwork)\b|画|插图"
    r"|配图|图片",
    re.IGNORECASE,
)
CAPITALS = re.compile(
    r"\b(?:(?:in|into|to|with|use|using|all) (?:all |block )?(?:capitals?|caps|upper[- ]?case"
    r"|block letters)(?: letters?)?|capitali[sz]\w*|upper[- ]?cased?|capital letters|all[- ]caps"
    r"|majuscules)\b|大写",
    re.IGNORECASE,
)
# What no rule can do: it would need to know a language or what is beautiful.
_TONGUE = r"(?:English|German|French|Spanish|Italian|Chinese|Japanese|Korean|Portuguese|Russian)"
TRANSLATE = re.compile(
    rf"\btranslat(?:e|ed|es|ing|ion)\b|\b(?:it|this|everything|all|texts?|words|poster|flyer|card"
    rf"|slide) (?:in|into|to) {_TONGUE}\b(?! [a-z])|翻译|译[成为]"
    r"|[改换变]成(?:中|英|法|德|日|韩)文",
    re.IGNORECASE,
)
TASTE = re.compile(
    r"\b(?:make|makes|let) (?:it|this|that|them|everything|the \w+)(?: all)?(?: really| just)?"
    r" (?:pop|rock|sing|shine|sparkle|glow|fly|work|stand out)(?: out| more| a bit"
    r"| a little)*\s*[.!]*$|\b(?:jazz|spice|spruce|liven|tone|dress|pep|soup) (?:it"
    r"|this|that|things) (?:up|down)\b",
    re.IGNORECASE,
)
TAGGED = re.compile(r"</?\s*(?:think|decision|prompt|system|edit|why|answer|tool)\b", re.IGNORECASE)
LATER = re.compile(
    r"\b(?:(?:push|mov|put|set)\w* .{0,30}\b(?:back|off)|another|extra|later|postpone[sd]?"
    r"|put off|put back|push(?:ed)? back|delay(?:ed|s)?|defer(?:red)?|after|follow(?:s|ing)"
    r"|moves? back|slip(?:s|ped)?|shift(?:s|ed)?|add|next|on from|further|hold off)\b|推迟|延后"
    r"|延期|往后|推后|顺延|延迟|后挪|后延|加|晚|之后|后移|再过",
    re.IGNORECASE,
)
EARLIER = re.compile(
    r"\b(?:earlier|sooner|before|bring forward|brought forward|move up|moved up|ahead"
    r"|advance[ds]?)\b|提前|往前|提早|前移|早|前挪",
    re.IGNORECASE,
)
SPAN = re.compile(
    r"\b(?P<n>another|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen"
    r"|\d{1,3})[- ](?:full |whole |more |single )?(?P<unit>day|week|fortnight|month)s?\b"
    r"|\b(?:the )?(?P<next>following|next) (?P<unit3>day|week)\b"
    r"|(?P<n2>[一二两三四五六七八九十]{1,2}|\d{1,3})\s?个?(?P<unit2>天|日|周|星期|礼拜"
    r"|月)(?![一二三四五六日天\d])",
    re.IGNORECASE,
)
NUMBERS = {
    "another": 1, "a": 1, "an": 1, "one": 1,
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fourteen": 14, "一": 1, "二": 2, "两": 2,
    "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "十四": 14,
}  # fmt: skip
DAYS = {"day": 1, "week": 7, "fortnight": 14, "天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7}

# ── what lines of a design look like ────────────────────────────────────────────────────

CLOSING = re.compile(
    r"\b(?:by|until|till|before|close[sd]?|closing|deadline|ends?|register|registration|appl(?:y"
    r"|ications?)|early|book(?:ing)?|rsvp|entries|sign up|latest)\b|截止|截至|报名|早鸟|之前|为止"
    r"|至|前",
    re.IGNORECASE,
)
ORGANISED = re.compile(
    r"^(?P<lead>(?i:(?:[\w' ]{0,24} )?(?:by|courtesy of|partner:|organi[sz]ers?:"
    r"|hosts?:)(?: the)?) )"
    r"(?P<name>[A-Z].*)$"
    r"|^(?P<lead1>(?i:(?:an? |the )?(?:project|production|event|initiative|gift|work|programme"
    r"|offer) (?:of|from|by)) )(?P<name1>[A-Z].*)$|^(?P<name2>.+?)(?P<tail> (?:presents"
    r"|invites(?: you)?|proudly presents|welcomes you|is hosting|hosts)\b.*)$"
    r"|^(?P<lead3>.{0,6}(?:主办|承办|协办|举办|出品|策划|制作|组织|主持|呈现|荣誉出品|发起|单位"
    r"|方)[：: ]\s*)(?P<name3>.+)$|^(?P<lead5>由)(?P<name5>.+?)(?P<tail5>(?:主办|承办|举办|出品"
    r"|策划|呈现|倾情呈现|组织|发起).*)$|^(?P<name4>.+?)(?P<tail4>(?:联合|荣誉|倾情|隆重|诚意"
    r"|匠心)?(?:主办|承办|协办|举办|出品|策划|呈现|敬邀|诚邀|敬上|发起|制作|组织|献映|邀您|特约"
    r"|巨献))$"
)
VENUE = re.compile(
    r"\b(?:hall|park|theatre|theater|square|library|church|gardens?|road|street|avenue|lane|house"
    r"|centre|center|museum|gallery|arena|stadium|school|college|university|hotel|castle|barn"
    r"|farm|mill|pier|harbour|harbor|beach|station|market|plaza|court|yard|courtyard|club|room"
    r"|rooms|hill|green|field|fields|lawn|terrace|tower|bridge|chapel|abbey|cathedral|pavilion"
    r"|warehouse|factory|studio|studios|campus|gym|lodge|manor|palace|inn|pub|cafe|quay|dock"
    r"|docks|wharf|place|forum|auditorium|conservatory|orangery|greenhouse|ballroom|lounge"
    r"|rooftop|boathouse|depot|villa|row|drive|way|close|crescent|embankment|promenade|riverside"
    r"|common|building|floor|hub|st)\b|(?:中心|公园|剧场|剧院|广场|图书馆|大厅|园|宫|馆|厅"
    r"|路\d*号?|街|巷|楼|院|场|店|酒店|学校|大学|教堂|礼堂|码头|车站|村|寺|庙|塔|桥|湖|山庄|农场"
    r"|仓库|工厂|体育场|美术馆|博物馆|校区|社区|书院|会堂|会所|天台|花房|温室|号|坊|里|湾|港|阁"
    r"|苑|城|堂|亭|台|滩|庭|站|岛|室|营地)$",
    re.IGNORECASE,
)
ACTING = re.compile(
    r"^(?:book|sign|come|reserve|save|join|call|visit|register|buy|get|order|scan|see|find|meet"
    r"|learn|discover|try|bring|enjoy|shop|don't|apply|ask|grab|secure|claim|pick|check|follow|be"
    r"|let's|start|stop|drop|win|rsvp|hurry|give|take|make|tell|head|click|read|listen|watch"
    r"|taste)\b|^(?:即刻|立即|马上|快来|欢迎|扫码|预约|报名|点击|现场|敬请|不要错过|等你|座位"
    r"|先到|速来|赶快|抢|期待|详询|请)",
    re.IGNORECASE,
)
PHONE = re.compile(
    r"\+?\d[\d ()\-–.]{6,18}\d|\S+@\S+\.\w+|\bwww\.|https?://|\.(?:com|org|net|co)\b"
)
NUMBER = re.compile(r"\+?\d[\d ()\-–.]{4,18}\d")
PERCENT = re.compile(r"\d{1,3}(?:\.\d+)?\s?(?:%|％|per cent\b|percent\b)")
ZHE = re.compile(r"(?:\d(?:\.\d)?|[一二三四五六七八九](?:点?[一二三四五六七八九])?)\s?折")
