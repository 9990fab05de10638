"""Paper of the office: reports with tables, and forms."""

from dataclasses import replace

from overpaint.engines.documents.figures import clothes, table
from overpaint.engines.documents.job import Job
from overpaint.engines.documents.setting import Text, lines_of
from overpaint.engines.documents.sheet import Flow, Page, Sheet
from overpaint.engines.posters.brush import mix

WIDTH, HEIGHT = 900, 1200


def report(job: Job) -> Page:
    """A title band, numbered sections in one wide column, a table with its caption."""
    look, chance = job.look, job.chance
    topic = chance.choice(job.words.topics("report"))
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    margin = chance.choice((72, 84, 96))
    flow = Flow(sheet, margin, 96, WIDTH - 2 * margin, HEIGHT - 96)
    year = str(chance.randint(2016, 2025))
    _running(job, sheet, flow, job.words.word(f"{topic}.title"), year)
    title = job.words.word(f"{topic}.title")
    flow.put(
        f"{title} {year}" if job.language == "english" else f"{year}年{title}",
        job.title_style(title, colour=chance.choice((look.ink, look.accent))),
        gap=18, kind="doc_title", role="heading",
    )  # fmt: skip
    sheet.rule(flow.left, flow.top - 8, flow.left + flow.width, look.accent, thick=3)
    flow.skip(14)
    names = job.both("Summary|Network|Finances|Outlook", "一、概况|二、运行情况|三、财务|四、展望")
    rules = ("summary", "network", "finance", "outlook")
    for number, (name, rule) in enumerate(zip(names.split("|"), rules, strict=True), 1):
        numbered = f"{number}. {name}" if job.language == "english" else name
        if job.heading(flow, numbered, colour=look.accent) is None:
            break
        job.pour(flow, f"{topic}.{rule}", 150)
        if rule == "network":
            flow.skip(8)
            _captioned(job, flow, topic, number=1, rows=chance.randint(4, 7))
        flow.skip(8)
    return sheet.finish()


def _running(job: Job, sheet: Sheet, flow: Flow, words: str, year: str) -> None:
    """The line at the top, and the page number at the foot."""
    look = job.look
    size = max(10, look.small - 1)
    head = Flow(sheet, flow.left, 44, flow.width, 90)
    head.put(words, job.style(words, size, colour=look.grey), kind="header", role="heading")
    sheet.rule(flow.left, 72, flow.left + flow.width, mix(look.grey, look.paper, 0.5))
    foot = Flow(sheet, flow.left, HEIGHT - 62, flow.width, HEIGHT - 20)
    page = str(job.chance.randint(4, 48))
    said = job.both(f"Page {page}", f"第{page}页")
    foot.put(
        said, job.style(said, size, colour=look.grey, align="right"), kind="number", role="heading"
    )
    foot.top = HEIGHT - 62
    foot.put(
        job.both(f"Financial year {year}", f"{year}年度"),
        job.style(said, size, colour=look.grey),
        kind="footer", role="heading",
    )  # fmt: skip


def _captioned(job: Job, flow: Flow, topic: str, *, number: int, rows: int) -> None:
    """A caption and the table it belongs to."""
    look = job.look
    caption = job.words.word(f"{topic}.caption").rstrip(".。")
    said = job.both(f"Table {number}: {caption}", f"表{number} {caption}")
    style = job.style(said, look.small, bold=True, colour=look.ink)
    flow.put(said, style, gap=6, kind="figure_title", role="heading")
    made = table(job, flow, topic, rows)
    flow.lay(made, gap=24)


def form(job: Job) -> Page:
    """Labelled fields on rules, a table to fill in, a declaration and a place to sign."""
    look, chance = job.look, job.chance
    topic = chance.choice(job.words.topics("form"))
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    flow = Flow(sheet, 76, 60, WIDTH - 152, HEIGHT - 80)
    soft = mix(look.accent, look.paper, 0.86)
    title = job.words.word(f"{topic}.title")
    if chance.random() < 0.5:
        sheet.canvas.rect((0, 0, WIDTH, 12), look.accent)
    style = job.title_style(title, align=chance.choice(("left", "centre")))
    flow.put(title, style, gap=10, kind="doc_title", role="heading")
    job.paragraph(flow, f"{topic}.note", count=3, gap=22, size=look.small, colour=look.grey)
    parts = job.words.all(f"{topic}.part")
    for number in (1, 2):
        _bar(job, flow, parts[number - 1], soft)
        _fields(job, flow, f"{topic}.field.{number}")
    caption = job.words.word(f"{topic}.caption")
    flow.put(
        caption, job.style(caption, look.body, bold=True), gap=8,
        kind="paragraph_title", role="heading",
    )  # fmt: skip
    made = table(
        job, flow, topic, chance.randint(4, 6), dress=clothes(job, looks=("ruled", "banded"))
    )
    flow.lay(made, gap=26)
    _bar(job, flow, parts[2], soft)
    job.paragraph(flow, f"{topic}.declaration", count=4, gap=30)
    _sign(job, flow)
    return sheet.finish()


def _bar(job: Job, flow: Flow, words: str, colour: str) -> None:
    """A heading on a tinted bar."""
    style = job.style(words, job.look.body + 1, display=True, bold=True, colour=job.look.accent)
    tall = style.pitch + 10
    flow.sheet.canvas.rect((flow.left, flow.top, flow.left + flow.width, flow.top + tall), colour)
    flow.top += 5
    flow.put(words, style, gap=15, left=flow.left + 12, kind="paragraph_title", role="heading")


def _fields(job: Job, flow: Flow, rule: str) -> None:
    """Two columns of a label, a value and the rule below them."""
    look = job.look
    gutter, tall = 36, round(look.body * 2.5)
    wide = (flow.width - gutter) // 2
    fields = job.chance.sample(job.words.all(rule), 6)
    for number, field in enumerate(fields):
        label, _, pattern = field.partition("|")
        said = job.words.grow(pattern)
        left = flow.left + (number % 2) * (wide + gutter)
        top = flow.top + (number // 2) * tall
        style = job.style(label, look.body)
        text = Text(
            (label, said.text),
            left,
            top,
            wide,
            style,
            role="field",
            swaps=_whole(job, pattern, said.text),
        )
        if len(lines_of(text)) > 1:  # a long value is set smaller rather than broken
            text = replace(text, style=replace(style, size=look.small - 1))
        flow.sheet.add(text)
        flow.sheet.rule(left, top + style.pitch + 4, left + wide, mix(look.grey, look.paper, 0.45))
    flow.skip(3 * tall + 10)


def _whole(job: Job, pattern: str, value: str) -> tuple[tuple[str, str], ...]:
    """A field's value is replaced as a whole."""
    other = job.words.grow(pattern).text
    return ((value, other),) if other != value else ()


def _sign(job: Job, flow: Flow) -> None:
    look = job.look
    place = job.both("Place and date", "日期")
    for left, words in (
        (flow.left, place),
        (flow.left + flow.width - 300, job.both("Signature", "签名")),
    ):
        if flow.room < 60:
            return
        flow.sheet.rule(left, flow.top + 34, left + 300, look.ink)
        text = Text(
            (words,),
            left,
            flow.top + 38,
            300,
            job.style(words, look.small, colour=look.grey),
            role="heading",
        )
        flow.sheet.add(text)
