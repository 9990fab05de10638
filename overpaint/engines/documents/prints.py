"""Printed matter: scientific papers and pages of books."""

from overpaint.engines.documents.figures import clothes, table
from overpaint.engines.documents.job import Job
from overpaint.engines.documents.setting import Align
from overpaint.engines.documents.sheet import Flow, Page, Sheet
from overpaint.engines.documents.words import Said
from overpaint.engines.posters.brush import mix

WIDTH, HEIGHT = 900, 1200
GUTTER = 30


def paper(job: Job) -> Page:
    """Title, authors, abstract, and numbered sections in two columns, one with a table."""
    look, chance, words = job.look, job.chance, job.words
    topic = chance.choice(words.topics("paper"))
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    whole = Flow(sheet, 68, 84, WIDTH - 136, HEIGHT - 64)
    _masthead(job, whole, words.word(f"{topic}.journal"))
    job.title(whole, words.say(f"{topic}.title"), gap=12, align="centre")
    authors = job.both(", ", "，").join(words.word("person") for _ in range(3))
    job.line(whole, authors, look.body + 1, gap=16, align="centre")
    inset = Flow(sheet, whole.left + 50, whole.top, whole.width - 100, whole.top + 260)
    label = job.both("Abstract", "摘要")
    job.line(inset, label, gap=4, kind="paragraph_title", bold=True, align="centre")
    job.paragraph(inset, f"{topic}.abstract", count=5, size=look.small)
    wide = (whole.width - GUTTER) // 2
    left, right = (
        Flow(sheet, whole.left + n * (wide + GUTTER), inset.top + 14, wide, whole.bottom)
        for n in (0, 1)
    )
    names = job.both(
        "1. Introduction|2. Methods|3. Results|4. Discussion", "一、引言|二、方法|三、结果|四、讨论"
    )
    rules = [f"{topic}.{rule}" for rule in ("introduction", "method", "result", "discussion")]
    parts = list(zip(names.split("|"), rules, strict=True))
    job.sections([left], parts[:2])
    _table(job, right, topic)
    job.sections([right], parts[2:])
    _references(job, left if left.room > right.room else right)
    return sheet.finish()


def _masthead(job: Job, flow: Flow, journal: str) -> None:
    look, chance = job.look, job.chance
    year, volume = chance.randint(2014, 2025), chance.randint(11, 48)
    size = max(10, look.small - 1)
    said = job.both(f"{journal}, Vol. {volume} ({year})", f"{journal}，第{volume}卷（{year}年）")
    head = Flow(flow.sheet, flow.left, 40, flow.width, 80)
    job.line(head, said, size, kind="header", colour=look.grey)
    head.top = 40
    page = str(chance.randint(101, 399))
    job.line(head, page, size, kind="number", colour=look.grey, align="right")
    flow.sheet.rule(flow.left, 66, flow.left + flow.width, mix(look.grey, look.paper, 0.4))


def _table(job: Job, flow: Flow, topic: str) -> None:
    look = job.look
    caption = job.words.say(f"{topic}.caption")
    lead, plain = job.both("Table 1. ", "表1："), caption.text.rstrip(".")
    job.line(
        flow, Said(f"{lead}{plain}{job.both('.', '')}", caption.swaps), look.small,
        gap=6, kind="figure_title",
    )  # fmt: skip
    dress = clothes(job, size=max(10, look.small - 1), looks=("booktabs", "booktabs", "ruled"))
    flow.lay(table(job, flow, topic, job.chance.randint(4, 6), columns=3, dress=dress), gap=20)


def _references(job: Job, flow: Flow) -> None:
    """What was cited, as far as the column has room."""
    if job.heading(flow, job.both("References", "参考文献")):
        said = [job.words.say("paper.reference") for _ in range(6)]
        job.items(flow, said, number=job.both("[{}] ", "[{}]"), size=job.look.small)


def book(job: Job) -> Page:
    """A page of a book: running head, perhaps the opening of a chapter, prose, a small table."""
    look, chance, words = job.look, job.chance, job.words
    topic = chance.choice(words.topics("book"))
    sheet = Sheet(840, HEIGHT, look.paper)
    sheet.canvas.fade(
        (0, 0, 36, HEIGHT), [(0, mix(look.paper, "#6b5a43", 0.14)), (1, look.paper)], angle=0
    )
    flow = Flow(sheet, 104, 92, 632, HEIGHT - 96)
    title, chapter = words.word(f"{topic}.title"), words.word(f"{topic}.chapter")
    page = chance.randint(31, 288)
    if chance.random() < 0.45:
        flow.top = 120
        opening = job.both(f"Chapter {_NUMBERS[page % 7]}", f"第{_HAN[page % 7]}章")
        job.line(
            flow,
            opening,
            look.heading,
            gap=6,
            kind="paragraph_title",
            colour=look.grey,
            align="centre",
        )
        job.title(flow, chapter, gap=46, align="centre")
    else:
        _running(job, sheet, title if page % 2 == 0 else chapter, page)
    job.pour(flow, f"{topic}.page", (flow.room * 2) // 5)
    flow.skip(10)
    narrow = Flow(sheet, flow.left + 40, flow.top, flow.width - 80, flow.bottom)
    caption = words.word(f"{topic}.caption")
    job.line(narrow, caption, look.small, gap=8, kind="figure_title", bold=True, align="centre")
    dress = clothes(job, looks=("booktabs", "booktabs", "open", "ruled"))
    narrow.lay(table(job, narrow, topic, chance.randint(3, 5), columns=3, dress=dress))
    flow.top = narrow.top + 26
    job.pour(flow, f"{topic}.page", flow.room)
    if flow.top < 400 or not any(item.kind == "number" for item in sheet.items):
        foot = Flow(sheet, flow.left, HEIGHT - 66, flow.width, HEIGHT)
        job.line(foot, str(page), look.small, kind="number", colour=look.grey, align="centre")
    return sheet.finish()


_NUMBERS = ("Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_HAN = "三四五六七八九"


def _running(job: Job, sheet: Sheet, words: str, page: int) -> None:
    look = job.look
    head = Flow(sheet, 104, 48, 632, 90)
    job.line(head, words, look.small, kind="header", colour=look.grey, align="centre")
    head.top = 48
    side: Align = "left" if page % 2 == 0 else "right"
    job.line(head, str(page), look.small, kind="number", colour=look.grey, align=side)
