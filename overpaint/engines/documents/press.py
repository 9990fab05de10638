"""The press: front pages of newspapers, and pages of magazines, with pictures."""

from collections.abc import Sequence
from dataclasses import replace

from overpaint.engines.documents.figures import clothes, table
from overpaint.engines.documents.job import Job
from overpaint.engines.documents.pictures import landscape
from overpaint.engines.documents.setting import Align
from overpaint.engines.documents.sheet import Flow, Page, Sheet
from overpaint.engines.documents.tables import Table
from overpaint.engines.documents.words import Said
from overpaint.engines.posters.brush import mix

WIDTH, HEIGHT = 900, 1200
MARGIN, GUTTER = 48, 26
COLUMN = (WIDTH - 2 * MARGIN - 2 * GUTTER) // 3


def newspaper(job: Job) -> Page:
    """A masthead, a lead story with a picture over two columns, shorter stories, a small table."""
    look, chance = job.look, job.chance
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    top = _masthead(job, sheet)
    stories = job.chance.sample(job.words.topics("news"), 4)
    lone = chance.choice((0, 2))  # the column that the lead story leaves free
    first, second = (0, 1) if lone == 2 else (1, 2)
    lefts = [MARGIN + n * (COLUMN + GUTTER) for n in range(3)]
    wide = Flow(sheet, lefts[first], top, 2 * COLUMN + GUTTER, HEIGHT - 52)
    job.line(
        wide, job.words.say(f"{stories[0]}.title"), look.title, gap=10, kind="doc_title",
        display=True, bold=True, leading=job.both_leading(1.16, 1.3),
    )  # fmt: skip
    _picture(job, wide, chance.randint(190, 240))
    flows = [Flow(sheet, lefts[n], wide.top, COLUMN, wide.bottom) for n in (first, second)]
    job.share(flows, f"{stories[0]}.text")
    below = max(flow.top for flow in flows) + 6
    sheet.rule(lefts[first], below, lefts[second] + COLUMN, look.ink)
    for flow, story in zip(flows, stories[1:3], strict=True):
        flow.top = below + 14
        _story(job, flow, story)
    _fillers(job, flows)
    last = Flow(sheet, lefts[lone], top, COLUMN, HEIGHT - 52)
    _story(job, last, stories[3], room=(last.room * 3) // 5)
    _box(job, last)
    last.skip(22)
    _fillers(job, [last])
    edge = lefts[lone] - GUTTER // 2 if lone else lefts[1] - GUTTER // 2
    sheet.canvas.rect((edge, top, edge + 1, HEIGHT - 56), mix(look.grey, look.paper, 0.5))
    return sheet.finish()


def _masthead(job: Job, sheet: Sheet) -> int:
    """The paper's name between rules, and the line with date and number; where it ends."""
    look, chance = job.look, job.chance
    flow = Flow(sheet, MARGIN, 30, WIDTH - 2 * MARGIN, 160)
    job.line(
        flow, job.words.word("news.name"), 40, gap=8, kind="header", display=True, bold=True,
        align="centre", leading=1.3,
    )  # fmt: skip
    sheet.rule(MARGIN, flow.top, WIDTH - MARGIN, look.ink, thick=2)
    flow.skip(6)
    size, top = max(10, look.small - 1), flow.top
    day = job.both(f"{job.words.word('weekday')}, {job.words.word('date')}", job.words.word("date"))
    number = chance.randint(4100, 18900)
    issue = job.both(f"No. {number}", f"第{number}期")
    price = job.both(
        f"Price {chance.randint(1, 3)}.{chance.randint(2, 8)}0 euros",
        f"零售价{chance.randint(1, 4)}元",
    )
    placed: tuple[tuple[str, Align], ...]
    placed = ((day, "left"), (issue, "centre"), (price, "right"))
    for words, align in placed:
        flow.top = top
        job.line(flow, words, size, kind="header", colour=look.grey, align=align)
    sheet.rule(MARGIN, flow.top + 4, WIDTH - MARGIN, look.ink)
    return flow.top + 24


def _fillers(job: Job, flows: Sequence[Flow]) -> None:
    """Pictures where columns have stayed empty: one over all of them, or one for each."""
    top, right = max(flow.top for flow in flows), flows[-1].left + flows[-1].width
    across = Flow(flows[0].sheet, flows[0].left, top, right - flows[0].left, flows[0].bottom)
    for flow in [across] if across.room > 134 else flows:
        if flow.room > 134:
            _picture(job, flow, min(flow.room - 44, round(flow.width * 0.8)))


def _picture(job: Job, flow: Flow, tall: int) -> None:
    box = (flow.left, flow.top, flow.left + flow.width, flow.top + tall)
    scene = landscape(job.chance, flow.width, tall, grey=job.chance.random() < 0.5)
    flow.sheet.canvas.patch(scene, box)
    flow.skip(tall + 6)
    size = max(10, job.look.small - 1)
    job.line(
        flow, job.words.say("news.photo"), size, gap=14, kind="figure_title", colour=job.look.grey
    )


def _story(job: Job, flow: Flow, story: str, *, room: int = 0) -> None:
    """A headline and as much of the story as the column holds."""
    if job.heading(flow, job.words.say(f"{story}.title"), size=min(24, job.look.heading + 3)):
        job.pour(flow, f"{story}.text", room or flow.room)


def _box(job: Job, flow: Flow) -> None:
    """A small table under a heading of its own."""
    look = job.look
    flow.skip(6)
    topic = job.chance.choice(("weather", "standings"))
    job.line(
        flow, job.words.word(f"{topic}.caption"), look.body + 1, gap=8, kind="figure_title",
        display=True, bold=True, colour=look.accent,
    )  # fmt: skip
    dress = clothes(job, size=max(10, look.small - 1))
    flow.lay(table(job, flow, topic, job.chance.randint(4, 6), columns=2, dress=dress))


def magazine(job: Job) -> Page:
    """A large picture, a title with a deck, prose in columns, a quotation, a box with a table."""
    look, chance, words = job.look, job.chance, job.words
    topic = chance.choice(words.topics("magazine"))
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    tall = chance.randint(300, 380)
    sheet.canvas.patch(landscape(chance, WIDTH, tall), (0, 0, WIDTH, tall))
    whole = Flow(sheet, 64, tall + 30, WIDTH - 128, HEIGHT - 76)
    job.title(whole, words.say(f"{topic}.title"), gap=10)
    deck = words.say(f"{topic}.deck")
    job.line(whole, deck, min(20, look.body + 4), gap=8, colour=look.grey)
    author = words.word("person")
    job.line(
        whole,
        job.both(f"Text: {author}", f"撰文：{author}"),
        look.small,
        gap=10,
        colour=look.accent,
    )
    sheet.rule(whole.left, whole.top, whole.left + 90, look.accent, thick=3)
    whole.skip(22)
    wide = (whole.width - GUTTER) // 2
    left, right = (
        Flow(sheet, whole.left + n * (wide + GUTTER), whole.top, wide, whole.bottom) for n in (0, 1)
    )
    panel = _panel(job, right, topic)
    tall = panel.bottom - panel.top + round(look.body * 1.4) + 70
    _quote(job, chance.choice((left, right)), words.say(f"{topic}.quote"))
    right.bottom -= tall  # the panel comes last, its room is kept
    job.share((left, right), f"{topic}.text")
    right.bottom += tall
    right.skip(10)
    _boxed(job, right, panel, words.word(f"{topic}.caption"))
    _fillers(job, (left, right))
    _folio(job, sheet)
    return sheet.finish()


def _quote(job: Job, flow: Flow, said: Said) -> None:
    """Words set large between two rules."""
    look = job.look
    sheet, right = flow.sheet, flow.left + flow.width
    sheet.rule(flow.left, flow.top, right, look.accent, thick=2)
    flow.skip(12)
    job.line(
        flow, said, min(24, look.body + 8), gap=12, display=True, colour=look.accent,
        align="centre", leading=1.35,
    )  # fmt: skip
    sheet.rule(flow.left, flow.top, right, look.accent, thick=2)
    flow.skip(22)


def _panel(job: Job, flow: Flow, topic: str) -> Table:
    """A table as it will stand in a tinted box of the column."""
    inner = replace(flow, left=flow.left + 16, width=flow.width - 32)
    dress = clothes(job, looks=("open", "booktabs", "banded"))
    return table(job, inner, topic, job.chance.randint(3, 5), columns=3, dress=dress)


def _boxed(job: Job, flow: Flow, made: Table, caption: str) -> None:
    """The tinted box, its heading and its table."""
    look, top = job.look, flow.top
    inner = replace(flow, left=made.left, width=flow.width - 32, top=top + 12)
    job.line(
        inner, caption, look.body + 2, gap=8, kind="figure_title", display=True, bold=True,
        leading=1.4,
    )  # fmt: skip
    inner.lay(replace(made, top=inner.top), gap=18)
    tint = mix(look.accent, look.paper, 0.9)
    flow.sheet.canvas.rect((flow.left, top, flow.left + flow.width, inner.top), tint)
    flow.top = inner.top + 18


def _folio(job: Job, sheet: Sheet) -> None:
    look = job.look
    foot = Flow(sheet, 64, HEIGHT - 52, WIDTH - 128, HEIGHT)
    page, month = job.chance.randint(12, 96), job.words.word("month")
    year = job.chance.randint(2017, 2025)
    size = max(10, look.small - 1)
    job.line(foot, str(page), size, kind="number", colour=look.grey)
    foot.top = HEIGHT - 52
    said = job.both(f"{month} {year}", f"{year}年{month}")
    job.line(foot, said, size, kind="footer", colour=look.grey, align="right")
