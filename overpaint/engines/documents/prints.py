"""Printed matter: papers, book pages, newspapers, magazines."""

from overpaint.engines.documents.figures import clothes, table
from overpaint.engines.documents.job import Job
from overpaint.engines.documents.sheet import Flow, Page, Sheet
from overpaint.engines.posters.brush import mix

WIDTH, HEIGHT = 900, 1200


def paper(job: Job) -> Page:
    """Title, authors, abstract, and numbered sections in two columns, one with a table."""
    look, chance, words = job.look, job.chance, job.words
    topic = chance.choice(words.topics("paper"))
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    whole = Flow(sheet, 68, 84, WIDTH - 136, HEIGHT - 80)
    _masthead(job, sheet, whole, words.word(f"{topic}.journal"))
    title = words.word(f"{topic}.title")
    whole.put(
        title, job.title_style(title, align="centre"), gap=12, kind="doc_title", role="heading"
    )
    authors = job.both(", ", "　").join(words.word("person") for _ in range(3))
    whole.put(authors, job.style(authors, look.body + 1, align="centre"), gap=18, role="heading")
    inset = Flow(sheet, whole.left + 60, whole.top, whole.width - 120, whole.top + 260)
    label = job.both("Abstract", "摘要")
    inset.put(
        label,
        job.style(label, look.body, bold=True, align="centre"),
        gap=4,
        kind="paragraph_title",
        role="heading",
    )
    job.paragraph(inset, f"{topic}.abstract", count=5, size=look.small)
    gutter = 30
    wide = (whole.width - gutter) // 2
    top = inset.top + 18
    flows = [Flow(sheet, whole.left + n * (wide + gutter), top, wide, whole.bottom) for n in (0, 1)]
    names = job.both("Introduction|Methods|Results|Discussion", "引言|方法|结果|讨论").split("|")
    rules = [f"{topic}.{r}" for r in ("introduction", "method", "result", "discussion")]
    parts = [
        (f"{n}. {name}" if job.language == "english" else f"{n} {name}", rule)
        for n, (name, rule) in enumerate(zip(names, rules, strict=True), 1)
    ]
    job.sections(flows[:1], parts[:2])
    right = flows[1]
    caption = words.word(f"{topic}.caption").rstrip("。.")
    said = job.both(f"Table 1. {caption}.", f"表1　{caption}")
    right.put(said, job.style(said, look.small), gap=6, kind="figure_title", role="heading")
    dress = clothes(job, size=max(10, look.small - 1), looks=("booktabs", "booktabs", "ruled"))
    right.lay(table(job, right, topic, chance.randint(4, 7), columns=3, dress=dress), gap=22)
    job.sections(flows[1:], parts[2:])
    return sheet.finish()


def _masthead(job: Job, sheet: Sheet, flow: Flow, journal: str) -> None:
    look = job.look
    volume, page = job.chance.randint(11, 48), job.chance.randint(101, 399)
    year = job.chance.randint(2014, 2025)
    size = max(10, look.small - 1)
    head = Flow(sheet, flow.left, 40, flow.width, 80)
    said = job.both(f"{journal}, Vol. {volume} ({year})", f"{journal}　第{volume}卷（{year}年）")
    head.put(said, job.style(said, size, colour=look.grey), kind="header", role="heading")
    head.top = 40
    head.put(
        str(page),
        job.style(said, size, colour=look.grey, align="right"),
        kind="number",
        role="heading",
    )
    sheet.rule(flow.left, 66, flow.left + flow.width, mix(look.grey, look.paper, 0.4))
