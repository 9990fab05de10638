"""Paper of the office: reports with tables, and forms."""

from dataclasses import replace

from overpaint.engines.documents.figures import clothes, table
from overpaint.engines.documents.job import Job
from overpaint.engines.documents.setting import Text, lines_of
from overpaint.engines.documents.sheet import Flow, Page, Sheet
from overpaint.engines.posters.brush import mix

WIDTH, HEIGHT = 900, 1200


def report(job: Job) -> Page:
    """A title over a rule, numbered sections in one wide column, a table, a list of measures."""
    look, chance, words = job.look, job.chance, job.words
    topic = chance.choice(words.topics("report"))
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    margin = chance.choice((72, 84, 96))
    flow = Flow(sheet, margin, 96, WIDTH - 2 * margin, HEIGHT - 84)
    year = str(chance.randint(2016, 2025))
    _running(job, flow, words.word(f"{topic}.title"), year)
    title = words.word(f"{topic}.title")
    named = job.both(f"{title} {year}", f"{year}年{title}")
    job.title(flow, named, gap=18, colour=chance.choice((look.ink, look.accent)))
    sheet.rule(flow.left, flow.top - 8, flow.left + flow.width, look.accent, thick=3)
    flow.skip(14)
    names = job.both(
        "1. Summary|2. Network|3. Finances|4. Outlook", "一、概况|二、运行情况|三、财务|四、展望"
    )
    rules = ("summary", "network", "finance", "outlook")
    for name, rule in zip(names.split("|"), rules, strict=True):
        if job.heading(flow, name, colour=look.accent) is None:
            break
        job.pour(flow, f"{topic}.{rule}", 150)
        if rule == "network":
            flow.skip(6)
            _captioned(job, flow, topic, rows=chance.randint(4, 6))
        flow.skip(6)
    if job.heading(flow, job.both("5. Measures", "五、措施"), colour=look.accent):
        said = [words.say("report.measure") for _ in range(5)]
        job.items(flow, said, number=chance.choice((job.both("({}) ", "（{}）"), "")))
    return sheet.finish()


def _running(job: Job, flow: Flow, words: str, year: str) -> None:
    """The line at the top, and year and page number at the foot."""
    look, sheet = job.look, flow.sheet
    size = max(10, look.small - 1)
    head = Flow(sheet, flow.left, 44, flow.width, 90)
    job.line(head, words, size, kind="header", colour=look.grey)
    sheet.rule(flow.left, 72, flow.left + flow.width, mix(look.grey, look.paper, 0.5))
    foot = Flow(sheet, flow.left, HEIGHT - 56, flow.width, HEIGHT)
    page = job.chance.randint(4, 48)
    financial = job.both(f"Financial year {year}", f"{year}年度")
    job.line(foot, financial, size, kind="footer", colour=look.grey)
    foot.top = HEIGHT - 56
    said = job.both(f"Page {page}", f"第{page}页")
    job.line(foot, said, size, kind="number", colour=look.grey, align="right")


def _captioned(job: Job, flow: Flow, topic: str, *, rows: int) -> None:
    """A caption and the table it belongs to."""
    caption = job.words.word(f"{topic}.caption")
    said = job.both(f"Table 1: {caption}", f"表1：{caption}")
    job.line(flow, said, job.look.small, gap=6, kind="figure_title", bold=True)
    flow.lay(table(job, flow, topic, rows), gap=20)


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
    job.title(flow, title, gap=12, align="left" if chance.random() < 0.5 else "centre")
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
    gutter, tall = 36, round(look.body * 2.7)
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
            text = replace(text, style=job.style(label, look.small - 1))
        flow.sheet.add(text)
        flow.sheet.rule(left, top + style.pitch + 4, left + wide, mix(look.grey, look.paper, 0.45))
    flow.skip(3 * tall + 10)


def _whole(job: Job, pattern: str, value: str) -> tuple[tuple[str, str], ...]:
    """A field's value is replaced as a whole."""
    other = job.words.grow(pattern).text
    return ((value, other),) if other != value else ()


def _sign(job: Job, flow: Flow) -> None:
    """Two rules to sign on, and a box for the office."""
    look, sheet = job.look, flow.sheet
    right = flow.left + flow.width - 300
    places = (
        (flow.left, job.both("Place and date", "日期")),
        (right, job.both("Signature", "签名")),
    )
    for left, words in places:
        sheet.rule(left, flow.top + 34, left + 300, look.ink)
        style = job.style(words, look.small, colour=look.grey)
        sheet.add(Text((words,), left, flow.top + 38, 300, style, role="heading"))
    flow.skip(86)
    if flow.room < 90:
        return
    edge = (flow.left, flow.top, flow.left + flow.width, flow.top + 84)
    sheet.canvas.frame(edge, look.grey, width=1)
    inner = Flow(sheet, flow.left + 14, flow.top + 8, flow.width - 28, flow.bottom)
    words = job.both("For office use only", "以下由办事人员填写")
    job.line(inner, words, look.small, gap=8, bold=True, colour=look.grey)
    number = job.chance.randint(1100, 9800)
    said = job.both(
        f"Received on {job.words.word('date')}, file {number}",
        f"{job.words.word('date')}收件，档案号{number}",
    )
    job.line(inner, said, look.small)
