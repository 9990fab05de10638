"""School and study: examinations and notes."""

from dataclasses import replace

from overpaint.engines.documents.figures import clothes, table
from overpaint.engines.documents.job import Job, Look
from overpaint.engines.documents.setting import Text, advance, chinese, lines_of
from overpaint.engines.documents.sheet import Flow, Page, Sheet
from overpaint.engines.documents.tables import Table
from overpaint.engines.documents.words import Said
from overpaint.engines.posters.brush import mix

WIDTH, HEIGHT = 900, 1200
HAN_MARKS = {"{}. ": "（{}）", "- ": "{}、"}  # what stands before an item in Chinese


def exam(job: Job) -> Page:
    """A head with name and class, questions with four answers, a table, short questions."""
    look, chance, words = job.look, job.chance, job.words
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    flow = Flow(sheet, 76, 52, WIDTH - 152, HEIGHT - 76)
    job.line(flow, words.say("exam.school"), look.body + 1, gap=4, align="centre", colour=look.grey)
    subject, year = words.word("exam.subject"), chance.randint(2015, 2025)
    title = job.both(f"{subject}: Final Examination {year}", f"{year}年{subject}期末考试")
    job.title(flow, title, gap=14, align="centre")
    _name_line(job, flow)
    job.paragraph(flow, "exam.rule", count=3, gap=16, size=look.small, colour=look.grey)
    asked = 0
    job.heading(flow, job.both("Part A", "第一部分：选择题"))
    for _ in range(chance.choice((3, 4))):
        asked += 1
        _choice(job, flow, asked)
    job.heading(flow, job.both("Part B", "第二部分：读表"))
    job.line(flow, words.say("exam.data"), gap=10)
    caption = words.word("exam.caption")
    job.line(flow, caption, look.small, gap=6, kind="figure_title", bold=True)
    made = table(
        job,
        flow,
        "exam",
        chance.randint(4, 5),
        dress=clothes(job, looks=("ruled", "ruled", "booktabs")),
    )
    flow.lay(made, gap=20)
    while flow.room > 110 and words.left("exam.short"):
        asked += 1
        _short(job, flow, asked)
    foot = Flow(sheet, flow.left, HEIGHT - 56, flow.width, HEIGHT)
    page = chance.randint(1, 4)
    said = job.both(f"Page {page} of 4", f"第{page}页，共4页")
    job.line(foot, said, max(10, look.small - 1), kind="number", colour=look.grey, align="centre")
    return sheet.finish()


def _name_line(job: Job, flow: Flow) -> None:
    """Labels with rules to write on."""
    look, top = job.look, flow.top
    labels = job.both("Name:|Class:|Points:", "姓名：|班级：|得分：").split("|")
    step = flow.width // 3
    for number, label in enumerate(labels):
        left = flow.left + number * step
        text = Text((label,), left, top, step, job.style(label), role="heading")
        flow.sheet.add(text)
        end = lines_of(text)[0].box[2] + 8
        flow.sheet.rule(end, text.bottom - 3, left + step - 24, look.grey)
    flow.top = top + round(look.body * 2.3)


def _choice(job: Job, flow: Flow, number: int) -> None:
    """A question and its four answers in two columns."""
    tongue = job.tongue("exam.choice")
    pattern, *answers = tongue.pattern("exam.choice").split("|")
    said = tongue.grow(pattern)
    points = job.chance.randint(2, 5)
    words = _led(str(number), said.text)
    marks = f"（{points}分）" if chinese(words) else f"({points} points)"
    style = job.style(words)
    flow.put(
        (words, marks), style, gap=round(style.size * 0.35), role="question", swaps=said.swaps,
        hang=round(style.size * 1.2),
    )  # fmt: skip
    inset, step = round(style.size * 1.2), flow.width // 2
    for place, answer in enumerate(answers):
        row, column = divmod(place, 2)
        flow.sheet.add(
            Text(
                (_led("ABCD"[place], answer),), flow.left + inset + column * step,
                flow.top + row * style.pitch, step - inset, style, role="answer",
            )
        )  # fmt: skip
    flow.skip(2 * style.pitch + round(style.size * 0.8))


def _led(mark: str, words: str) -> str:
    """Words after a number or letter, which Chinese follows without a space."""
    return f"{mark}.{words}" if chinese(words) else f"{mark}. {words}"


def _short(job: Job, flow: Flow, number: int) -> None:
    """A question and rules to write the answer on."""
    look = job.look
    said = job.tongue("exam.short").say("exam.short")
    words = _led(str(number), said.text)
    style = job.style(words)
    flow.put(words, style, gap=6, role="item", swaps=said.swaps, hang=round(style.size * 1.2))
    for _ in range(2):
        flow.skip(round(look.body * 2))
        flow.sheet.rule(
            flow.left + 20, flow.top, flow.left + flow.width, mix(look.grey, look.paper, 0.45)
        )
    flow.skip(18)


def notes(job: Job) -> Page:
    """A page of a notebook on ruled or plain paper: a list, a paragraph, a small table."""
    chance, words = job.chance, job.words
    if chance.random() < 0.5:
        job.look = _handwritten(job)
    look = job.look
    topic = chance.choice(words.topics("notes"))
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    pitch = round(look.body * 1.75)
    flow = Flow(sheet, 128, 2 * pitch, WIDTH - 200, HEIGHT - 2 * pitch)
    leading = pitch / look.body
    title = words.say(f"{topic}.title")
    job.line(
        flow,
        title,
        look.heading,
        gap=0,
        kind="doc_title",
        bold=True,
        colour=look.accent,
        leading=2 * pitch / look.heading,
    )
    day = words.word("date")
    job.line(flow, day, gap=pitch, colour=look.grey, leading=leading)
    said = job.points(f"{topic}.point", 10)
    mark = chance.choice(("", "{}. ", "- "))
    few = look.body > 28
    _ruled_items(job, flow, said[: 3 if few else 5], mark, leading)
    flow.skip(pitch)
    job.paragraph(
        flow, f"{topic}.text", count=1 if few else 4, gap=pitch, align="left", leading=leading
    )
    job.line(
        flow, words.word(f"{topic}.caption"), gap=0, kind="figure_title", bold=True, leading=leading
    )
    dress = replace(clothes(job, size=look.body - 1, looks=("ruled", "ruled", "open")), pad=(10, 4))
    dress = replace(dress, style=replace(dress.style, leading=(pitch - 8) / (look.body - 1)))
    narrow = Flow(sheet, flow.left, flow.top + 4, flow.width - 60, flow.bottom)
    made = narrow.lay(table(job, narrow, topic, chance.randint(3, 5), columns=3, dress=dress))
    flow.top += -(-(made.bottom - flow.top) // pitch) * pitch + pitch
    _ruled_items(job, flow, said[5:], mark if mark != "{}. " else "- ", leading)
    if chance.random() < 0.7:
        _ruling(job, sheet, pitch, made)
    return sheet.finish()


def _handwritten(job: Job) -> Look:
    """A pen's letters and ink."""
    ink = job.pick("#1f3a7a", "#22314f", "#2b2b33")
    return replace(job.look, latin="Kalam", latin_display="Kalam", ink=ink)


def _ruled_items(job: Job, flow: Flow, said: list[Said], mark: str, leading: float) -> None:
    for place, one in enumerate(said, 1):
        lead = (HAN_MARKS if chinese(one.text) else {}).get(mark, mark).format(place)
        text = lead + one.text
        style = job.style(text, leading=leading)
        shift = 0 if mark else round(style.size * 1.3)
        item = flow.text(
            text, style, left=flow.left + shift, width=flow.width - shift, role="item",
            hang=round(advance(lead, style)), swaps=one.swaps,
            marker="" if mark else job.look.accent,
        )  # fmt: skip
        if item.bottom > flow.bottom:
            return
        flow.sheet.add(item)
        flow.top = item.bottom


def _ruling(job: Job, sheet: Sheet, pitch: int, table: Table) -> None:
    """Pale rules under the lines, but not through the table, and a red margin."""
    pale = mix("#7aa7d6", job.look.paper, 0.55)
    low = round(job.look.body * 0.35 + pitch * 0.5) + 5
    for top in range(3 * pitch + low, HEIGHT - pitch, pitch):
        if not table.top - 4 < top < table.bottom + 4:
            sheet.rule(0, top, WIDTH, pale)
    sheet.canvas.rect((100, 0, 101.5, HEIGHT), mix("#d9534f", job.look.paper, 0.5))
