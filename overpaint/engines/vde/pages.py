"""From files to pages that were read: pictures and PDFs are drawn, OCR says what stands there."""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from overpaint.core import Desk, Evidence
from overpaint.document import Document
from overpaint.document.pictures import SUFFIXES, encode_png, pixel_limit
from overpaint.engines.building import unspoilt
from overpaint.engines.vde.records import Page, Place, Settings, Terms, write_bytes
from overpaint.engines.vde.wording import language_of, page_text
from overpaint.errors import OverpaintError, PictureError, Unavailable, UserMistake
from overpaint.measures.reading_model import reader
from overpaint.models.forecast import Ask, forecast
from overpaint.models.names import endpoint
from overpaint.models.own import own_desk
from overpaint.models.prices import prices
from overpaint.vision.engines_model import LONGEST, Reader
from overpaint.vision.ocr import ENGINES
from overpaint.vision.page import Block
from overpaint.work import Here, Outcome, Processes, Task, Threads

KINDS = (*SUFFIXES, ".pdf")


def files_below(inputs: Sequence[Path], out: Path, document: str) -> Iterator[tuple[Path, str]]:
    """Every picture and PDF that was named or lies in a folder that was, and its document kind.

    The kind is the name of the sub-folder a file lies in; what the build wrote is left out.
    """
    ours = out.resolve()
    for given in inputs:
        if not given.exists():
            raise UserMistake(f"{given} is not there.", "Pictures, PDFs or folders were expected.")
        if not given.is_dir():
            yield given, document
            continue
        for file in sorted(given.rglob("*")):
            hidden = any(part.startswith(".") for part in file.relative_to(given).parts)
            if hidden or file.suffix.lower() not in KINDS or not file.is_file():
                continue
            if ours not in file.resolve().parents:
                yield file, file.parent.name if file.parent != given else document


def collect(
    place: Place, files: Iterable[tuple[Path, str]], settings: Settings, terms: Terms
) -> None:
    """Draw the pages of files that gave none before."""
    first = {page.sha256: page for page in place.pages().values() if page.sha256}
    known = {page.file for page in place.pages().values() if page.sha256}
    todo: dict[Path, str] = {}  # a file named twice is one file
    for path, kind in files:
        if str(path.resolve()) not in known:
            todo.setdefault(path.resolve(), kind)
    tasks = (Task(path, (kind,)) for path, kind in todo.items())
    work = partial(_draw, place.folder.resolve(), settings)
    for done, outcome in enumerate(performed(work, tasks, terms), 1):
        for page in outcome.result or [_no_page(outcome)]:
            twin = first.setdefault(page.sha256, page) if page.sha256 else page
            if twin is not page:  # under a name of its own, so that the first stays
                same = f"the same picture as {Path(twin.file).name}"
                page = replace(page, id=f"{page.id}-{_mark(page.file)}", reason=same)
            place.add(page)
        terms.progress("pages", done, len(todo))


def _no_page(outcome: Outcome) -> Page:
    path, name = outcome.subject, _slug(outcome.subject.stem)
    return Page(
        f"{name}-{_mark(str(path))}", str(path), document=outcome.step, reason=str(outcome.error)
    )


def _mark(file: str) -> str:
    return hashlib.sha256(os.fsencode(file)).hexdigest()[:8]


def _draw(folder: Path, settings: Settings, path: Path, document: str) -> list[Page]:
    """The pages of one file, drawn and stored; inside a worker."""
    if path.suffix.lower() == ".pdf":
        return list(_pdf_pages(folder, settings, path, document))
    picture = Document(path)
    return [_stored(folder, path, picture.rgb, document, notes=picture.notes)]


def _pdf_pages(folder: Path, settings: Settings, path: Path, document: str) -> Iterator[Page]:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, OSError) as error:
        told = str(error).rstrip(".")
        raise PictureError(f"{path} cannot be opened as a PDF: {told}.",
                           "An unlocked, undamaged PDF was expected.") from None  # fmt: skip
    with closing(pdf):
        most = settings.pdf_pages
        notes = (f"first {most} of {len(pdf)} pages",) if len(pdf) > most else ()
        for number in range(1, min(len(pdf), most) + 1):
            try:
                pixels = _pdf_pixels(pdf, number, settings.dpi)
                yield _stored(folder, path, pixels, document, number=number, notes=notes)
            except (pypdfium2.PdfiumError, OverpaintError) as error:
                name = f"{_slug(path.stem)}-p{number}-unread"
                yield Page(name, str(path), number, document=document, reason=str(error))


def _pdf_pixels(pdf: Any, number: int, dpi: int) -> Any:
    page = pdf[number - 1]
    width, height = (side * dpi / 72 for side in page.get_size())
    if not 0 < width * height <= pixel_limit():
        raise PictureError(
            f"Page {number} would be drawn with {width:.0f}×{height:.0f} pixels.",
            f"The limit is {pixel_limit():,}.", "A lower --dpi draws it smaller.",
        )  # fmt: skip
    return page.render(scale=dpi / 72, rev_byteorder=True).to_numpy()[:, :, :3]


def _stored(
    folder: Path, path: Path, pixels: Any, document: str, *, number: int = 0,
    notes: tuple[str, ...] = (),
) -> Page:  # fmt: skip
    data = encode_png(pixels)
    sha = hashlib.sha256(data).hexdigest()
    part = f"-p{number}" if number else ""
    name = f"{_slug(path.stem)}{part}-{sha[:8]}"
    write_bytes(Place(folder).picture("pages", name), data)
    height, width = pixels.shape[:2]
    return Page(name, str(path), number, sha, width, height, document, notes=notes)


def _slug(text: str) -> str:
    """A short name that is safe in any path: letters, digits and hyphens."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:24].strip("-").lower() or "page"


# ── reading ─────────────────────────────────────────────────────────────────────────────────


def read_pages(place: Place, settings: Settings, terms: Terms) -> None:
    """Read the pages that were not read before."""
    todo = [
        page for page in place.pages().values()
        if page.sha256 and not page.reason.startswith("the same picture")
        and not ((page.language or page.reason)
                 and (place.folder / "blocks" / f"{page.id}.json").exists())
    ]  # fmt: skip
    sizes = [(page.width, page.height) for page in todo]
    work = partial(_read, place.folder.resolve())
    for done, outcome in enumerate(looked(work, todo, sizes, settings.ocr, terms), 1):
        page: Page = outcome.subject
        if isinstance(outcome.error, Unavailable):  # no page could be read without it
            raise outcome.error
        if outcome.error:
            place.add(replace(page, reason=str(outcome.error)))
        else:
            place.keep_blocks(page.id, outcome.result)
            language = language_of(page_text(outcome.result))
            reason = "" if language else "nothing on it could be read as English or Chinese"
            place.add(replace(page, language=language, reason=reason))
        terms.progress("reading", done, len(todo))


def _read(folder: Path, page: Page, engine: "str | Asked") -> tuple[Block, ...]:
    return blocks_on(Document(Place(folder).picture("pages", page.id)), engine)


@dataclass(frozen=True)
class Asked:
    """A model that reads pages, and the desk at which it is asked."""

    reader: Reader
    desk: Desk


def blocks_on(document: Document, engine: str | Asked) -> tuple[Block, ...]:
    """What stands on a picture, in blocks."""
    from overpaint.vision import layout

    if isinstance(engine, Asked):
        return layout.blocks(Evidence(megabytes=16, desk=engine.desk), document, engine.reader)
    return layout.blocks(_evidence(), document, engine)


@cache
def _evidence() -> Evidence:
    return Evidence(megabytes=128)


# ── who works ───────────────────────────────────────────────────────────────────────────────


def looked(
    work: Any, subjects: Sequence[Any], sizes: Iterable[tuple[int, int]], engine: str, terms: Terms
) -> Iterator[Outcome]:
    """The outcomes of reading these subjects: by processes, or by a model asked from threads.

    `sizes` are those of all pictures that are read; they are told before they leave the machine.
    """
    if engine in ENGINES or not subjects:
        yield from performed(work, (Task(one, (engine,)) for one in subjects), terms)
        return
    asked = reader(engine)
    known, where = prices(terms.asking.prices), endpoint(engine)
    words = len(asked.prompt.encode())
    asks = (Ask(where, asked.version, words, (size,), LONGEST) for size in sizes)
    with own_desk(terms.asking) as desk:
        for one in forecast(asks, known):
            terms.tell(one.told(known.dated))
        backend = Threads(work, terms.asking.concurrency)
        yield from unspoilt(backend, [Task(one, (Asked(asked, desk),)) for one in subjects])


def performed(work: Any, tasks: Iterable[Task], terms: Terms) -> Iterator[Outcome]:
    """The outcomes of tasks under supervision; a mistake that would spoil all of them is raised."""
    workers = (os.cpu_count() or 1) if terms.workers is None else terms.workers
    tasks = list(tasks)
    if not tasks:
        return
    backend = (Processes(work, min(workers, len(tasks)), terms.deadline, terms.memory)
               if workers else Here(work))  # fmt: skip
    for outcome in backend.perform(tasks):
        if isinstance(outcome.error, UserMistake):
            raise outcome.error
        yield outcome
