"""Slides: a title, a few points, a table, a line at the foot."""

from dataclasses import replace

from overpaint.engines.documents.figures import clothes, table
from overpaint.engines.documents.job import Job
from overpaint.engines.documents.sheet import Flow, Page, Sheet
from overpaint.engines.documents.words import Said
from overpaint.engines.posters.brush import mix

WIDTH, HEIGHT = 1280, 720


def slide(job: Job) -> Page:
    """Points on one side, a table on the other or below, in one of three designs."""
    look, chance, words = job.look, job.chance, job.words
    topic = chance.choice(words.topics("slide"))
    sheet = Sheet(WIDTH, HEIGHT, look.paper)
    flow, colour = chance.choice((_band, _side, _plain))(job, sheet)
    job.title(flow, words.say(f"{topic}.title"), colour=colour)
    flow.top = 168
    said = job.points(f"{topic}.point", 9)
    chosen = [said[n] for n in sorted(chance.sample(range(9), 6))]
    if look.body > 34:  # letters so large leave no room for a table
        job.items(flow, chosen, gap=14)
    elif chance.random() < 0.6:
        _beside(job, flow, topic, chosen)
    else:
        _below(job, flow, topic, chosen)
    foot = Flow(sheet, flow.left, HEIGHT - 50, WIDTH - flow.left - 70, HEIGHT)
    size = max(12, look.small - 8)
    job.line(foot, words.say(f"{topic}.note"), size, kind="footer", colour=look.grey)
    foot.top = HEIGHT - 50
    job.line(foot, str(chance.randint(2, 38)), size, kind="number", colour=look.grey, align="right")
    return sheet.finish()


def _band(job: Job, sheet: Sheet) -> tuple[Flow, str]:
    """A title in white on a band of colour."""
    sheet.canvas.rect((0, 0, WIDTH, 128), job.look.accent)
    sheet.canvas.rect((0, 128, WIDTH, 132), mix(job.look.accent, "#ffffff", 0.4))
    return Flow(sheet, 70, 36, WIDTH - 140, HEIGHT - 64), "#ffffff"


def _side(job: Job, sheet: Sheet) -> tuple[Flow, str]:
    """A bar of colour down the left edge."""
    sheet.canvas.rect((0, 0, 28, HEIGHT), job.look.accent)
    sheet.canvas.rect((28, 0, 34, HEIGHT), mix(job.look.accent, job.look.paper, 0.6))
    return Flow(sheet, 90, 54, WIDTH - 160, HEIGHT - 64), job.look.ink


def _plain(job: Job, sheet: Sheet) -> tuple[Flow, str]:
    """A short rule under the title on softly shaded paper."""
    paper = job.look.paper
    sheet.canvas.fade((0, 0, WIDTH, HEIGHT), [(0, paper), (1, mix(paper, job.look.accent, 0.07))])
    sheet.rule(70, 126, 190, job.look.accent, thick=5)
    return Flow(sheet, 70, 54, WIDTH - 140, HEIGHT - 64), job.look.accent


def _beside(job: Job, flow: Flow, topic: str, said: list[Said]) -> None:
    gap, share = 60, (flow.width - 60) // 2
    left = Flow(flow.sheet, flow.left, flow.top + 10, share, flow.bottom)
    job.items(left, said, gap=22)
    right = Flow(flow.sheet, flow.left + share + gap, flow.top, share, flow.bottom)
    _table(job, right, topic, rows=5, columns=3)


def _below(job: Job, flow: Flow, topic: str, said: list[Said]) -> None:
    job.items(flow, said[:4], gap=10)
    flow.skip(12)
    _table(job, flow, topic, rows=3, columns=3)


def _table(job: Job, flow: Flow, topic: str, *, rows: int, columns: int) -> None:
    look = job.look
    caption = job.words.word(f"{topic}.caption")
    job.line(
        flow, caption, look.small - 2, gap=10, kind="figure_title", bold=True, colour=look.grey
    )
    dress = clothes(job, size=look.small - 4, looks=("banded", "banded", "ruled", "open"))
    dress = replace(dress, pad=(10, 11 if rows > 3 else 6))
    flow.lay(table(job, flow, topic, rows, columns=columns, dress=dress))
