"""Glue: the words around what is meant, and phrases without them."""

import re
from collections.abc import Iterator
from functools import cache

from overpaint.editors.agent.rules.names import CALLED

VERB = (
    r"(?:change|changing|turn|turning|replace|replacing|swap|swapping|switch|exchange|substitute"
    r"|update|rework|rename|convert|transform|make|alter|trade|move|edit|modify|correct|redo|adapt"
    r"|rewrite|amend|revise|put|set|use|list|credit|rebrand|reword|relabel|transfer|shift|relocate"
    r"|retitle|recast|remake|fix|adjust)"
)
_VERBS = frozenset(re.findall(r"[a-z]+", VERB))
_LEAD = frozenset(
    """a an the this that these those our your its their his her my please kindly we you i it they
    us all every any each some same both now then also just simply only word words name names line
    lines text texts phrase wording letters lettering copy say says said saying read reads reading
    write show shows showing draw drawing put set use using have has make makes made be is are was
    were being should must shall will would can could need needs want wants like to of in on at for
    with by as from into about advertise promote announce print called named change changes changed
    replace swap update turn switch rename venue place location address date day time price title
    headline heading organiser organizer host badge sticker theme topic subject picture pictures
    image illustration photo motif graphic event events poster flyer card slide invitation design
    it's let new one there here takes take held happens happen moved move moves costs cost tickets
    ticket entry discount instead actually rather out where wherever everywhere mention mentions
    instance instances occurrence occurrences appear appears if
    old current present former previous existing original we're we've i'd i'll we'd they're let's
    that's doing charging going having running offering selling giving everything anything stands
    comes go goes gets get going here's small big large little main whole entire brand
    """.split()  # noqa: SIM905
)
_TAIL = frozenset(
    """now please instead too today everywhere throughout wherever appears appear it is stands
    printed as well also then there here anymore longer any more name names word words line text
    picture pictures image illustration drawing photo graphic motif figure icon artwork version
    edition theme and or but for from to in on at of the a an all only alone drawn shown occurs
    currently so one ones design was were be are accordingly again layer s poster flyer invitation
    itself yet still thanks thank you
    """.split()  # noqa: SIM905
)
_NAMELIKE = frozenset(
    """old new big small large little main whole day card time place house line name word host
    title event poster entry ticket date price picture image photo design slide invitation one all
    same brand
    """.split()  # noqa: SIM905
)
_SMALL = (_LEAD | _TAIL | _VERBS | {"redesigned", "redone", "reworked", "hosting"}) - _NAMELIKE
_LEAD_CHINESE = re.compile(
    r"^(?:请|把|将|从|由|原来的|原先的|原有的|现在的|目前的|所有的?|全部的?|出现的|提到的|写着"
    r"|写有|凡写|所写的|相关的|凡是|文字|文案|名称|名字|单位|字样|图片里的|图片中的|图片上的"
    r"|图里的|图中的|图上的|图中|插图里的|插图中的|插图|配图|图片|画面中的|画面里的|海报上的"
    r"|海报里的|上面的|里的|中的|整张|这张|这个|这份|该|它|活动|海报|内容|主题|题材|标题|日期|时间"
    r"|地点|场地|地址|会场|票价|价格|门票|主办方?|主办单位|承办方?|承办单位|组织者|是|为|成|叫|在"
    r"|用|要|改|换|做|办|到|的|都|写|去|也|就|现|现在|已|已经|我们|咱们|想|希望|应该|应|需要|可以"
    r"|一张|一个|一份|一只|一朵|一座|一片|一棵|一幅|一把|一台|一辆|一条|一杯|一枚|一艘|一架|一双"
    r"|一副|一盏|贴纸|标贴|徽章|印章|这里|改成|换成|改为|变成|做成|同样的版式|版式|，|,|：|:|同样"
    r"|设计|风格|那个|那只|那张|版面)"
)
_TAIL_CHINESE = re.compile(
    r"(?:的地方|所有地方|每一?处|各处|到处|之处|主办|承办|组织|的宣传|宣传|的图案|的图片|的插图|的图|的画|的主题|主题的?|题材"
    r"|版本|版|风格|字样|两个字|几个字|这几个字|这一行|这行|这句话?|三个字|四个字|这个词|一词|二字"
    r"|的字|的名字|的名称|去?举行|去?举办|去?办|进行|开展|即可|就行|就好|就可以了?|吧|了|的|全部|统统|都"
    r"|一律|处|这里|那里|，|,|。|：|:|请|开始|图|来|谢谢|可以吗|好吗|一下|也|已经?|现在?|相关内容"
    r"|内容|海报|请柬|传单|卡片)$"
)


def trims(phrase: str, *, chinese: bool) -> Iterator[str]:
    """A phrase, then with less and less of what leads to it and follows it."""
    phrase = phrase.strip(" ,，:：.。")
    yield phrase
    if chinese:
        yield from _trimmed_chinese(phrase)
        return
    left = phrase.split()
    while len(left) > 1 and _is_glue(left[0], _LEAD):
        left = left[1:]
        yield " ".join(left)
    while len(left) > 1 and _is_glue(left[-1], _TAIL):
        left = left[:-1]
        yield " ".join(left)


def _is_glue(word: str, glue: frozenset[str]) -> bool:
    """Whether a word only leads or follows; in capitals it is meant as such."""
    bare = word.strip(".,:;'’\"!?()")
    if bare[:1].isupper() and bare.casefold() in _NAMELIKE:
        return False  # "Old Mill Theatre"
    return bare.casefold() in glue and (not bare.isupper() or bare in ("A", "I"))


def _trimmed_chinese(phrase: str) -> Iterator[str]:
    seen = {phrase}
    queue = [phrase, *re.split("[：:]", phrase)[1:][-1:]]
    yield from queue[1:]
    while queue and len(seen) < 24:
        one = queue.pop(0)
        for shorter in (_LEAD_CHINESE.sub("", one, count=1), _TAIL_CHINESE.sub("", one)):
            if shorter and shorter not in seen:
                seen.add(shorter)
                queue.append(shorter)
                yield shorter


def last_of(phrase: str) -> str:
    """The end of a phrase after its last small word: "fish" of "I'd like it redone for fish"."""
    said = phrase.split()
    while len(said) > 1 and _is_glue(said[-1], _SMALL):
        said = said[:-1]
    at = len(said)
    while at > 0 and (not _is_glue(said[at - 1], _SMALL) or _joins(said, at - 1)):
        at -= 1
    return " ".join(said[at:]) or phrase


def _joins(said: list[str], at: int) -> bool:
    """Whether a small word stands inside a name: "Friends of the Park"."""
    before, after = said[at - 1 : at], said[at + 1 : at + 2]
    linked = said[at] in ("of", "the", "and", "in", "on", "at", "by", "for", "a", "&")
    named = bool(before and after) and before[0][0].isupper() and after[0][0].isupper()
    article = said[at] == "The" and bool(after) and after[0][0].isupper()
    return (linked and named and at > 1) or article


def core(phrase: str, *, chinese: bool) -> str:
    """A phrase with all that leads to it and follows it left off."""
    *_, last = trims(phrase, chinese=chinese)
    return last


_IDLE = (
    _LEAD
    | _TAIL
    | _VERBS
    | frozenset(
        """and or but not no longer also additionally moreover besides furthermore further thing
        things extra correct fix adjust amend revise edit modify accordingly up off over after
        before again once next that which who whom what when while since because so do does did
        done doing don't isn't it's that's are matching match second secondly finally lastly still
        oh hey hi hello could may might had been already thanks cheers by until than through per
        each off each other than later earlier actual keep kept right forget dropped chosen chose
        picked went decided cancelled canceled abandoned chose used mark note bring forward have't
        can't won't same idea kind becomes become becoming gets focus star plan wrong false true
        real exactly starts start starting begins begin beginning opens open doors printed
        everything anything nothing whatever incl including along edge bottom top left right upper
        lower
        middle across centre center corner side beside below above round square edges print mention
        mentions mentioned shown stated postponed postpone had rescheduled reschedule
        """.split()  # noqa: SIM905
    )
)
_IDLE_CHINESE = re.compile(
    "|".join(
        """新 作废 有误 更正 正确 整张 整个 整份 图文 统一 涨价 降价 上调 下调 提价 加大 太少
        计划有变 能不能 另外 还有 照着 底边 底部 下方 上方 顶部 下面 上面 旁边 角落 四周 周围 左边
        右边 下边 上边 那条 这条 整体 内容 主题 题材 此外 并且 而且 同时 以及 原来 现在 目前 所有
        全部 统统 凡是 不是 更新 更改 修改 替换 更换 更名 调整 一下 相应 对应 活动 海报 版式 设计
        同样 一样 风格 举行 举办 进行 开始 有变 变更 日程 其中 应该 需要 一起 一并 地方 有误 正确
        麻烦 帮忙 我们 咱们 已经 力度 提高 推迟 延期 提前 可以 今年 本次 此次 时候 希望 打算 能否
        可否 入场 一行 请 把 将 从 由 都 也 就 了 吧 的 地 得 是 不 在 到 至 为 成 改 换 变 调 并
        再 又 应 需 要 和 与 跟 及 这 那 个 张 里 上 处 写 印 错 对 已 定 提 升 降 涨 现 而 且 则
        所 它 会 能 期 延 挪 移 搬 迁 后 前 往 做 办 用 以 想 各
        """.split()  # noqa: SIM905
    )
)


def is_idle(text: str, *, chinese: bool) -> bool:
    """Whether words ask for nothing by themselves: "please update the date", 请全部替换."""
    bare = without_names(text)
    if chinese:
        return not re.search(r"\w", _IDLE_CHINESE.sub("", bare))
    return all(_is_glue(word, _IDLE) or not re.search(r"\w", word) for word in bare.split())


@cache
def names() -> re.Pattern[str]:
    """The names of parts of a design, wherever they stand."""
    every = {one for row in CALLED.values() for one in row}
    latin = sorted((re.escape(one) for one in every if one.isascii()), key=len, reverse=True)
    rest = sorted((one for one in every if not one.isascii()), key=len, reverse=True)
    # A Chinese letter beside a Latin one is no end of a word to `\b`: 把logo放大.
    edge = r"(?<![a-z0-9_]){}(?![a-z0-9_])".format(f"(?:{'|'.join(latin)})s?")
    return re.compile(f"{edge}|{'|'.join(rest)}", re.IGNORECASE)


def without_names(text: str) -> str:
    """Words without the names of parts of a design."""
    return names().sub(" ", text)


_MARKED = re.compile("[\ue000-\ue3ff]")  # what a mark stands for is asked for


def busy(text: str, *, chinese: bool) -> str:
    """Those pieces of a clause that ask for something, joined again."""
    pieces = re.split(r"(?<=[,，;；:：、])|\s+(?=and\s)", text)
    return "".join(piece if piece.startswith(("，", ",")) else f" {piece}" for piece in pieces
                   if _MARKED.search(piece) or not is_idle(piece, chinese=chinese)
                   ).strip(" ,，;；:：、")  # fmt: skip
