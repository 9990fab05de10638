"""edit: change a file as a sentence says, or as a plan of ops says."""

import argparse
import difflib
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overpaint.cli.paging import Turned, edited
from overpaint.document import Document, Pixels, files, plan, regular, sanity
from overpaint.document.ops import Op
from overpaint.document.pictures import is_there
from overpaint.errors import Refused, UserMistake
from overpaint.report.done import Fonts, missing_fonts, sentences
from overpaint.report.wording import plain

if TYPE_CHECKING:
    from overpaint.editors.restating import Restated

EXAMPLE = "For example: overpaint edit page.png \"replace 'Friday' with 'Monday'\" -o out.png"
LOSSY = "pixels outside the edit change a little, too; save as .png to keep them"
_NAMES_FONTS = ("PPTX", "SVG")  # whose words are drawn by whoever opens them
_LARGEST_PLAN = 16 << 20  # bytes
_PATIENCE = 1.0  # seconds until somebody who waits is told what for


def edit_command(args: argparse.Namespace) -> int:
    """Read a file, do what is asked, write the result and say what was done; the exit code.

    It is 0 where something was done: wishes that were not are told, `not_done` in JSON.
    """
    if args.ops and args.instruction is None and args.apply is None:
        args.file, args.instruction = None, args.file  # a plan takes no file
    _check_said(args)
    if args.ops:
        _say(json.dumps(plan.to_json(_ops(args)[0]), ensure_ascii=False, indent=1))
        return 0
    path, out = _paths(args)
    means = _means(args, path)
    started, was = time.perf_counter(), _state(out)
    try:
        with _waiting(f"{path}: looking for what is meant, and how it is set …"):
            told = _edit(path, out, means, args)
    except KeyboardInterrupt:
        now = "as it was" if _state(out) == was else "written"
        print(plain(f"Stopped. {out} is {now}."), file=sys.stderr)
        return 130
    if means.heard is not None and args.json:  # said already to whoever reads along
        told["notes"] = (*means.heard.notes, *told["notes"])
    _tell(told | {"seconds": round(time.perf_counter() - started, 3)}, args.json)
    return 0


def _state(path: Path) -> tuple[int, int] | None:
    """What tells whether a file was written over."""
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_ino, about.st_mtime_ns


@dataclass(frozen=True)
class _Means:
    """How it is to be done: by ops, perhaps as a model put them, or by a whole editor."""

    ops: tuple[Op, ...] = ()
    heard: "Restated | None" = None
    editor: str = ""
    refusal: Refused | None = None  # why the rules alone cannot do it


def _edit(path: Path, out: Path, means: _Means, args: argparse.Namespace) -> dict[str, Any]:
    """Do it; what there is to tell."""
    if means.editor:
        return _handed(path, out, means, args)
    try:
        turned = edited(path, args.page, means.ops)
    except Refused as refusal:
        if args.instruction is None or means.heard is not None:
            raise
        from overpaint.cli.handing import editor_for

        editor = editor_for(args, path, refusal, means.ops)
        return _handed(path, out, _Means(editor=editor, refusal=refusal), args)
    own = _own(turned.before, out)
    fonts = Fonts(_live(out), own, _point(turned.before) if own else 0.0)
    told = {"did": sentences(turned.after, fonts), "ops": plan.to_json(turned.after.history)}
    return _delivered(turned, out, told, args)


def _handed(path: Path, out: Path, means: _Means, args: argparse.Namespace) -> dict[str, Any]:
    """Have a whole editor do it; what there is to tell."""
    from overpaint.cli.handing import handed

    found = handed(args, path, means.editor, means.refusal)
    told: dict[str, Any] = {"did": found.did, "not_done": found.not_done, "trace": found.trace}
    return _delivered(found.turned, out, told, args)


def _live(out: Path) -> bool:
    return files.format_of(out).name in _NAMES_FONTS


def _delivered(
    turned: Turned, out: Path, told: dict[str, Any], args: argparse.Namespace
) -> dict[str, Any]:
    """Write the result, and a preview where one is asked for; all that there is to tell."""
    before, after = turned.before, turned.after
    live, own = _live(out), _own(before, out)
    told = {"out": str(out), **told, "page": turned.number, "notes": ()}
    if args.preview is None:
        return told | {"notes": _written(turned, out, own, live=live)}
    from overpaint.report.preview import previewing

    with previewing(args.preview) as show:  # both files are written, or none
        if files.format_of(out).name == "PDF":  # whose fonts are not those of this machine
            with files.replacing(out) as beside:
                told["notes"] = _written(turned, out, own, live=live, at=beside)
                show(before.rgb, _drawn(turned, beside))
        else:
            show(before.rgb, after.rgb)
            told["notes"] = _written(turned, out, own, live=live)
    return told | {"preview": str(args.preview)}


def _drawn(turned: Turned, out: Path) -> Pixels:
    """The page that was written, as its file is drawn, where that has the same resolution."""
    number = turned.number if turned.count == files.pages(out) else 1
    pixels = Document(out, page=number).rgb
    return pixels if pixels.shape == turned.before.rgb.shape else turned.after.rgb


def _written(
    turned: Turned, out: Path, own: frozenset[str], *, live: bool, at: Path | None = None
) -> tuple[str, ...]:
    """Write the result, perhaps at another place first; notes on it, each said once."""
    before, after, known = turned.before, turned.after, files.format_of(out)
    was = _kind(before)  # known before the file may be written over
    keeping = out.name if live else ""
    notes = [*before.notes, *after.notes, *missing_fonts(after, own=own, keeping=keeping)]
    notes += files.write(after, at or out)
    if known.name == "JPEG":
        notes.append(LOSSY)
    if turned.count > 1 and known != was:
        notes.append(f"only page {turned.number} of {turned.count} is in {out}")
    if before.layers == after.layers:
        notes.append("nothing in it has changed")
    return tuple(dict.fromkeys(notes))


def _own(before: Document, out: Path) -> frozenset[str]:
    """The layers whose words keep the font that is in their file: a PDF's, in a PDF."""
    known = _kind(before)
    stays = known is not None and known.name == files.format_of(out).name == "PDF"
    return frozenset(layer.id for layer in before) if stays else frozenset()


def _point(before: Document) -> float:
    """Pixels in a point of the page of a PDF."""
    from overpaint.document.pdf import point

    assert before.path is not None
    return point(before.path, before.page)


def _kind(before: Document) -> files.Format | None:
    """The format of the file that a document came from; None: some flat picture."""
    origin = before.opened.origin
    return files.kind(origin) if origin else None


# ── what was asked ──────────────────────────────────────────────────────────────────────


def _check_said(args: argparse.Namespace) -> None:
    if (args.instruction is None) == (args.apply is None):
        raise UserMistake(
            "It is not said what to do." if args.apply is None else "What to do is said twice.",
            "Either an instruction or --apply PLAN was expected.",
            EXAMPLE,
        )
    if args.instruction is not None and not args.instruction.strip():
        raise UserMistake("The instruction is empty.", "A sentence was expected.", EXAMPLE)
    if args.editor is not None and not args.editor.strip():
        raise UserMistake("--with names no editor.", "For example: --with agent")
    if args.editor and (args.apply is not None or args.ops or args.parser):
        raise UserMistake("An editor named by --with needs no plan and no --parser.", "", EXAMPLE)
    if args.parser is None:
        return
    from overpaint.models.names import endpoint

    endpoint(args.parser)  # a wrong one is found out now, not when the rules need it
    if args.apply is not None:
        raise UserMistake("A plan needs no --parser.", "It goes with an instruction.", EXAMPLE)


def _means(args: argparse.Namespace, path: Path) -> _Means:
    """The editor that was named, or ops; or the agent, where the rules refuse a layered page."""
    if args.editor:
        return _Means(editor=args.editor)
    try:
        return _Means(*_ops(args))
    except Refused as refusal:
        if args.instruction is None or args.parser is not None:
            raise
        from overpaint.cli.handing import editor_for

        return _Means(editor=editor_for(args, path, refusal), refusal=refusal)


def _ops(args: argparse.Namespace) -> "tuple[tuple[Op, ...], Restated | None]":
    """What to do, within reason, and what a model made of it where the rules could not."""
    ops, heard = _asked(args)
    for op in ops:
        sanity.check(op)
    return ops, heard


def _asked(args: argparse.Namespace) -> "tuple[tuple[Op, ...], Restated | None]":
    if args.apply is None:
        from overpaint.document.instruct import PageNamed, parse

        try:
            return parse(args.instruction), None
        except Refused as refusal:
            if args.parser is None or isinstance(refusal, PageNamed):
                raise
            from overpaint.cli.asking import understood

            heard = understood(args, refusal)
            return heard.ops, heard
    ops = plan.loads(_plan(args.apply))
    if not ops:
        raise UserMistake(f"The plan {args.apply} is empty.", "At least one op was expected.")
    return ops, None


def _plan(path: Path) -> str:
    """The text of a plan's file."""
    try:
        if path.is_file() and path.stat().st_size > _LARGEST_PLAN:
            raise OSError(0, f"it has more than {_LARGEST_PLAN:,} bytes")
        return regular.read_text(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise UserMistake(
            f"The plan {path} cannot be read: {why}.", "`overpaint edit --ops` prints one."
        ) from None


def _paths(args: argparse.Namespace) -> tuple[Path, Path]:
    """The file to read and the one to write, checked before any work is done."""
    if args.file is None:
        raise UserMistake("There is no file to edit.", "", EXAMPLE)
    path = Path(args.file)
    for named in filter(None, (path, args.out, args.preview)):
        _check_name(named)
    if not path.exists():
        raise _absent(path, args.instruction)
    out = _named(path) if args.out is None else args.out
    if is_there(out, "folder") and not path.is_dir() and not (out / "document.json").is_file():
        out = out / _named(path).name
    known = files.format_of(out)
    for new in filter(None, (out, args.preview)):
        if known.name != "folder" and not new.parent.is_dir():
            raise UserMistake(f"{new} cannot be written: there is no folder {new.parent}.")
    if args.preview is not None:
        _check_preview(args.preview, path, out)
    return path, out


def _check_name(path: Path) -> None:
    """Refuse a name that no file can have."""
    try:
        path.exists()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UserMistake(
            f"{str(path)[:60]!r} cannot be the name of a file: {why}.", "", EXAMPLE
        ) from None


def _absent(path: Path, instruction: str | None) -> UserMistake:
    if path.is_symlink():
        return UserMistake(f"{path} is a link that leads to no file.")
    if instruction and is_there(Path(instruction)):
        return UserMistake(f"There is no file {path}.", "The file comes first.", EXAMPLE)
    names = [one.name for one in path.parent.iterdir()] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, names, 1)
    return UserMistake(
        f"There is no file {path}.",
        f"{path.with_name(near[0])} is there." if near else "",
    )


def _named(path: Path) -> Path:
    """FILE-edited beside FILE, in its format, or in the nearest that can be written."""
    if path.name == "document.json":
        path = path.parent
    suffix = "" if path.is_dir() else path.suffix
    writes = any(suffix.lower() in one.suffixes for one in files.FORMATS if one.writes)
    if path.is_file() and not (suffix and writes):
        suffix = ".ora" if files.kind(path) else ".png"
    return path.with_name(f"{path.stem}-edited{suffix}")


def _check_preview(preview: Path, path: Path, out: Path) -> None:
    if preview.suffix.lower() != ".png":
        raise UserMistake(f"The preview is to be {preview}.", "A name ending in .png was expected.")
    if preview.is_dir():
        raise UserMistake(f"The preview {preview} is a folder.", "Give it another name.")
    for other, what in ((path, "the file that is edited"), (out, "the result")):
        if preview.resolve() == other.resolve():
            raise UserMistake(f"The preview {preview} is also {what}.", "Give it another name.")


# ── what is said ────────────────────────────────────────────────────────────────────────


@contextmanager
def _waiting(what: str) -> Iterator[None]:
    """Say what is going on to somebody who has waited for a second."""
    timer = threading.Timer(_PATIENCE, lambda: print(plain(what), file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell(told: dict[str, Any], as_json: bool) -> None:
    if as_json:
        _say(json.dumps(told, ensure_ascii=False, indent=1), but=f"{told['out']} is written. ")
        return
    for note in told["notes"]:
        print(plain(f"note: {note}"), file=sys.stderr)
    shown = f"  preview {told['preview']}" if "preview" in told else ""
    lines = [*told["did"], f"{told['out']}  ({told['seconds']:.1f} s){shown}"]
    _say("\n".join(map(_line, lines)), but=f"{told['out']} is written. ")


def _line(text: str) -> str:
    """One line, with its indentation."""
    return " " * (len(text) - len(text.lstrip(" "))) + plain(text)


def _say(words: str, *, but: str = "") -> None:
    """Print it all, or say why that cannot be, and what was done all the same."""
    try:
        print(words, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()  # or Python would try once more, and complain, when it ends
        raise UserMistake(
            f"{but}What there is to say cannot be printed: {error.strerror}."
        ) from None
