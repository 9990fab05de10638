"""Words that people ask with: tables only, English and Chinese."""

import re

# ── what can be pointed at ──────────────────────────────────────────────────────────────

# What the parts of a design are called, by people who ask and in the names of layers.
CALLED: dict[str, tuple[str, ...]] = {
    "title": ("main title", "title", "headline", "main heading", "heading", "header", "head line",
              "big text", "main text", "big words", "top line",
              "大标题", "主标题", "标题", "题目", "大字", "抬头", "主题字", "海报名", "题头"),
    "subtitle": ("subtitle", "subheading", "sub-heading", "subheadline", "sub-headline", "tagline",
                 "strapline", "slogan", "副标题", "小标题", "标语", "口号"),
    "deadline": ("deadline", "closing date", "registration date", "last day", "booking period",
                 "registration", "截止日期", "截止时间", "截止日", "报名截止", "截止", "报名日期"),
    "date": ("event date", "date", "day", "活动日期", "日期", "举办日期", "日子", "活动时间"),
    "time": ("starting time", "start time", "starting hour", "kick-off", "time", "hour", "doors",
             "开始时间", "开场时间", "时间", "钟点", "几点"),
    "place": ("venue", "location", "address", "place", "meeting point", "site", "where",
              "活动地点", "地点", "场地", "会场", "地址", "场馆", "举办地", "位置"),
    "price": ("ticket price", "entry fee", "entrance fee", "admission", "price tag", "price",
              "fee", "cost", "ticket", "tickets", "entry", "票价", "价格", "门票", "费用", "售价",
              "价钱", "入场费", "单价"),
    "discount": ("discount", "reduction", "rebate", "saving", "savings", "percentage", "per cent",
                 "percent", "markdown", "price cut", "折扣", "优惠", "减价", "降价", "让利", "力度",
                 "幅度", "百分比"),
    "contact": ("telephone number", "phone number", "contact details", "contact information",
                "contact line", "contact data", "contact info", "telephone", "phone", "contact",
                "contacts", "hotline", "number", "number to call", "call line", "how to reach us",
                "联系方式", "联系电话", "电话号码", "电话", "热线", "联系信息", "联络方式", "号码",
                "手机号"),
    "organiser": ("organiser's name", "organiser", "organizer", "organisers", "organizers", "host",
                  "hosts", "presenter", "sponsor", "promoter", "who organises it", "who hosts it",
                  "who presents it", "who is behind it", "who runs it", "name of the host", "credit",
                  "主办方", "主办单位", "主办者", "承办单位", "承办方", "组织者", "主办", "承办",
                  "举办方", "单位名称", "落款", "出品方", "协办"),
    "cta": ("call to action", "call-to-action", "invitation line", "行动号召", "号召语"),
    "ground": ("background colour", "background color", "background", "backdrop", "back ground",
               "ground", "canvas", "paper", "backing", "背景颜色", "背景色", "背景", "底色", "底图",
               "底板", "底子", "画布", "衬底"),
    "frame": ("frame", "border", "outline", "edging", "surround", "box around", "line around",
              "rim", "边框", "外框", "框线", "框子", "边线", "相框", "描边", "围框", "框"),
    "band": ("colour bar", "color bar", "band", "bar", "stripe", "strip", "banner", "footer bar",
             "色带", "横条", "色条", "色块", "横幅", "条带", "底条", "长条", "彩条", "条块", "色杠"),
    "sticker": ("sticker", "badge", "seal", "stamp", "roundel", "burst", "medallion", "rosette",
                "button", "label", "tag", "round sign", "贴纸", "标贴", "徽章", "印章", "圆标", "标签",
                "角标", "圆章", "徽标", "贴标", "圆贴", "章"),
    "bunting": ("bunting", "pennants", "flags", "garland", "string of flags", "彩旗", "三角旗", "拉旗",
                "旗子", "挂旗"),
    "pattern": ("pattern", "scattered motifs", "dots", "confetti", "图案", "花纹", "纹样", "点缀"),
    "corners": ("corner ornaments", "corner decorations", "corners", "边角", "角花", "四角"),
    "rule": ("divider", "separator", "rule", "thin line", "underline", "分割线", "分隔线", "横线",
             "细线"),
    "ribbon": ("ribbon", "丝带", "缎带", "飘带", "绶带"),
    "picture": ("illustration", "picture", "image", "drawing", "photograph", "photo", "graphic",
                "artwork", "motif", "visual", "figure", "icon", "clipart", "clip art", "symbol",
                "插图", "图片", "配图", "插画", "图画", "图像", "照片", "主图", "画面", "图形", "小图"),
    "text": ("texts", "text", "words", "word", "wording", "lettering", "letters", "copy", "type",
             "writing", "font", "print", "characters", "line", "lines", "文字", "文案", "字体", "字样", "字",
             "文本", "字眼"),
}  # fmt: skip
TEXTS = ("title", "subtitle", "deadline", "date", "time", "place", "price", "discount", "contact",
         "organiser", "cta")  # fmt: skip
FIGURES = ("ground", "frame", "band", "sticker", "bunting", "pattern", "corners", "rule", "ribbon",
           "picture")  # fmt: skip
WHOLE = ("poster", "flyer", "card", "slide", "invitation", "design", "layout", "event", "it", "this",
         "everything", "page", "document", "leaflet", "piece", "thing", "one", "那个", "这张", "这个",
         "海报", "活动", "它", "整张", "版式", "设计")  # fmt: skip

# ── what is asked for ───────────────────────────────────────────────────────────────────

REMOVE = re.compile(
    r"^(?:please,? )?no (?!longer\b|need\b|one\b|changes?\b)|\b(?:remove|removing|delete|deleting|erase|drop|ditch|lose|omit|scrap|strip|eliminate|cut"
    r"|take (?=.{1,80}\b(?:out|off|away|down)\b)|(?:take|taking|leave|leaving|cut|cross) "
    r"(?:out|off|away)"
    r"|get rid of|do away with|clear away|no more|without|dispense with|rid .{1,20} of"
    r"|(?:do not|don't|no longer) (?:want|need|show|print|mention|name|list)"
    r"|(?:can|should|must|has to|have to|may|needs to|will) (?:go|disappear|vanish|come off|be gone)"
    r"|is not needed|are not needed|isn't needed|not wanted)\b"
    r"|去掉|删掉|删除|去除|移除|拿掉|撤掉|撤下|取消|抹掉|清除|除去|摘掉|剔除|拆掉|擦掉|不需要|不要(?!动|改|碰|变)"
    r"|别要|不用写|不必|不想要|(?:可以|全部|都|一并|一起)?(?:删|去)了|不再(?:显示|出现|写|需要)|隐去|省去",
    re.IGNORECASE,
)
# A clause that says what stays.
KEEP = re.compile(
    r"\b(?:keep|keeping|(?:leave|leaving)(?! out| off)|preserve|retain|maintain|without (?:touching|changing)"
    r"|(?:do not|don't|never|no need to|please not|not to) "
    r"(?:touch|change|alter|edit|modify|redraw|replace|swap|recolou?r|move|mess)"
    r"|(?:stays?|remains?|is|are|be) (?:untouched|unchanged|the same|as (?:it|they|is|before)"
    r"|as is|exactly|how)|stays?|remains?|untouched|unchanged|unaltered|intact|hands off|as (?:it|they)"
    r" (?:is|are|was|were)|nothing else|no changes? to|(?:is|are) fine|as before|off limits)\b"
    r"|不要动|不要改|不要碰|别动|别改|别碰|不动|不变|不改|不用(?:动|改|换)|无需(?:动|改|换)|保持|保留|留着|照旧"
    r"|照原样|原样|维持|不必(?:动|改|换)|勿动|不碰|还是原来|依旧|不受影响",
    re.IGNORECASE,
)
# Who says so wants nothing but this.
ONLY = re.compile(
    r"\b(?:only|just|solely|nothing but|merely|alone)\b|只|仅|单单|光是|光改|光换", re.IGNORECASE
)
BOTH = re.compile(
    r"\b(?:(?:picture|illustration|image|drawing|artwork|graphic|motif)s?,? (?:too|as well|included"
    r"|also|along)|(?:text|words?|wording|lettering|copy) (?:and|as well as|plus) (?:the )?"
    r"(?:picture|illustration|image|drawing|art|artwork|graphic|motif)"
    r"|(?:picture|illustration|image|drawing|artwork|graphic|motif)s? (?:and|as well as|plus) (?:the )?"
    r"(?:text|words?|wording|lettering|copy)|both|including the (?:picture|illustration|image)"
    r"|(?:also|and) (?:swap|change|replace|update) the (?:picture|illustration|image|drawing))\b"
    r"|图文|图和文字|图和字|文字和图|文字与图|插图(?:也|一起|一并|同步|都)|图片(?:也|一起|一并|同步|都)|图(?:也|都)|连图",
    re.IGNORECASE,
)
THEME = re.compile(
    r"\b(?:theme|topic|subject|about|version|edition|rework|adapt|transform|convert|turn|advertise"
    r"|promote|announce|repurpose|reuse|same (?:design|layout|poster|flyer|card|style|slide)|motto"
    r"|make (?:it|this|that|the \w+) (?:a|an|for|into)|for (?:our|a|an|the) (?:\w+ ){1,3}instead"
    r"|redo|remake|recast|becomes?|all about|needs? to be (?:a|an|for|about)|redesign|rebrand)\b"
    r"|主题|题材|版|做成|变成|改做|改办|换个|内容|宣传|同样的|同款|套用|翻成|转成|转为|办成",
    re.IGNORECASE,
)
SHOW = re.compile(
    r"\bshow (?=(?:an?|the|some|us|me|two|three|our)\b)|\b(?:draw|drawn|picture|illustration|image|drawing|artwork|photo|depict|paint|graphic|motif"
    r"|redraw|sketch|illustrate)\b"
    r"|插图|图片|配图|插画|图[里中上]的?|图画|画面|画成|改画|的图|照片|图案|画(?=[一个只张])|^画",
    re.IGNORECASE,
)
DRAW = re.compile(
    r"\b(?:draw|illustrate|depict|sketch|picture|illustration|image|drawing|artwork)\b|画|插图|配图|图片",
    re.IGNORECASE,
)
CAPITALS = re.compile(
    r"\b(?:(?:in|into|to|with|use|using|all) (?:all |block )?(?:capitals?|caps|upper[- ]?case|block letters)"
    r"(?: letters?)?|capitali[sz]e|upper[- ]?cased?|capital letters|all[- ]caps|majuscules)\b|大写",
    re.IGNORECASE,
)
LATER = re.compile(
    r"\b(?:later|postpone[sd]?|put off|put back|push(?:ed)? back|delay(?:ed|s)?|defer(?:red)?|after"
    r"|follow(?:s|ing)|moves? back|slip(?:s|ped)?|shift(?:s|ed)?|add|next|on from|further|hold off)\b"
    r"|推迟|延后|延期|往后|推后|顺延|延迟|后挪|后延|晚|之后|后移|再过",
    re.IGNORECASE,
)
EARLIER = re.compile(
    r"\b(?:earlier|sooner|before|bring forward|brought forward|move up|moved up|ahead|advance[ds]?)\b"
    r"|提前|往前|提早|前移|早|前挪",
    re.IGNORECASE,
)
SPAN = re.compile(
    r"\b(?P<n>a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|\d{1,3})"
    r"[- ](?:full |whole |more |single )?(?P<unit>day|week|fortnight|month)s?\b"
    r"|\b(?:the )?(?P<next>following|next) (?P<unit3>day|week)\b"
    r"|(?P<n2>[一二两三四五六七八九十]{1,2}|\d{1,3})\s?个?(?P<unit2>天|日|周|星期|礼拜|月)(?![一二三四五六日天\d])",
    re.IGNORECASE,
)
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fourteen": 14, "一": 1, "二": 2, "两": 2,
    "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "十四": 14,
}  # fmt: skip
DAYS = {"day": 1, "week": 7, "fortnight": 14, "天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7}

# ── what lines of a design look like ────────────────────────────────────────────────────

CLOSING = re.compile(
    r"\b(?:by|until|till|before|close[sd]?|closing|deadline|ends?|register|registration|appl(?:y|"
    r"ications?)|early|book(?:ing)?|rsvp|entries|sign up|latest)\b|截止|截至|报名|早鸟|之前|为止|至|前",
    re.IGNORECASE,
)
ORGANISED = re.compile(
    r"^(?P<lead>(?:\w+ ){0,3}?(?:by|with|from|of|for|courtesy of|partner:?|organi[sz]ers?:?|hosts?:?)"
    r"(?: the)? )(?P<name>[A-Z].*)$"
    r"|^(?P<name2>.+?)(?P<tail> (?:presents|invites(?: you)?|proudly presents|welcomes you|is hosting"
    r"|hosts)\b.*)$"
    r"|^(?P<lead3>.{0,6}(?:主办|承办|协办|举办|出品|策划|制作|组织|主持|呈现|荣誉出品|发起|单位|方)[：: ]\s*)"
    r"(?P<name3>.+)$"
    r"|^(?P<lead5>由)(?P<name5>.+?)(?P<tail5>(?:主办|承办|举办|出品|策划|呈现|倾情呈现|组织|发起).*)$"
    r"|^(?P<name4>.+?)(?P<tail4>(?:联合|荣誉|倾情|隆重|诚意|匠心)?(?:主办|承办|协办|举办|出品|策划|呈现|敬邀|诚邀|敬上"
    r"|发起|制作|组织|献映|邀您|特约|巨献))$"
)
VENUE = re.compile(
    r"\b(?:hall|park|theatre|theater|square|library|church|gardens?|road|street|avenue|lane|house"
    r"|centre|center|museum|gallery|arena|stadium|school|college|university|hotel|castle|barn|farm"
    r"|mill|pier|harbour|harbor|beach|station|market|plaza|court|yard|courtyard|club|room|rooms|hill"
    r"|green|field|fields|lawn|terrace|tower|bridge|chapel|abbey|cathedral|pavilion|warehouse|factory"
    r"|studio|studios|campus|gym|lodge|manor|palace|inn|pub|cafe|quay|dock|docks|wharf|place|forum"
    r"|auditorium|conservatory|orangery|greenhouse|ballroom|lounge|rooftop|boathouse|depot|villa"
    r"|row|drive|way|close|crescent|embankment|promenade|riverside|common|building|floor|hub|st)\b"
    r"|(?:中心|公园|剧场|剧院|广场|图书馆|大厅|园|宫|馆|厅|路\d*号?|街|巷|楼|院|场|店|酒店|学校|大学|教堂|礼堂|码头"
    r"|车站|村|寺|庙|塔|桥|湖|山庄|农场|仓库|工厂|体育场|美术馆|博物馆|校区|社区|书院|会堂|会所|天台|花房|温室|号"
    r"|坊|里|湾|港|阁|苑|城|堂|亭|台|滩|庭|站|岛|室|营地)$",
    re.IGNORECASE,
)
ACTING = re.compile(
    r"^(?:book|sign|come|reserve|save|join|call|visit|register|buy|get|order|scan|see|find|meet|learn"
    r"|discover|try|bring|enjoy|shop|don't|apply|ask|grab|secure|claim|pick|check|follow|be|let's|"
    r"start|stop|drop|win|rsvp|hurry|give|take|make|tell|head|click|read|listen|watch|taste)\b"
    r"|^(?:即刻|立即|马上|快来|欢迎|扫码|预约|报名|点击|现场|敬请|不要错过|等你|座位|先到|速来|赶快|抢|期待|详询|请)",
    re.IGNORECASE,
)
PHONE = re.compile(
    r"\+?\d[\d ()\-–.]{6,18}\d|\S+@\S+\.\w+|\bwww\.|https?://|\.(?:com|org|net|co)\b"
)
PERCENT = re.compile(r"\d{1,3}(?:\.\d+)?\s?(?:%|％|per cent\b|percent\b)")
ZHE = re.compile(r"(?:\d(?:\.\d)?|[一二三四五六七八九](?:点?[一二三四五六七八九])?)\s?折")
