"""edit --with: a whole editor is asked, as the agent is where a document has layers."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from overpaint import catalog
from overpaint.cli.paging import Turned, has
from overpaint.cli.progress import Bar
from overpaint.cli.terms import tell, tell_of_local, terms_of
from overpaint.core import Request
from overpaint.document import Document, files
from overpaint.document.containers import check_page
from overpaint.document.ops import Op
from overpaint.errors import Refused, UserMistake
from overpaint.models.forecast import forecast
from overpaint.models.own import own_desk
from overpaint.models.prices import prices
from overpaint.report.trajectory import not_done
from overpaint.report.trajectory import told as told_steps

AGENT = "agent"


@dataclass(frozen=True)
class Handed:
    """A page as an editor gave it back, and how it went, where it told."""

    turned: Turned
    trace: tuple[dict[str, Any], ...] = ()

    @property
    def did(self) -> tuple[str, ...]:
        """How it went, in lines."""
        return tuple(told_steps(self.trace))

    @property
    def not_done(self) -> tuple[str, ...]:
        """What was asked for and not done, where it told."""
        return not_done(self.trace)


def editor_for(
    args: argparse.Namespace, path: Path, refusal: Refused, ops: Sequence[Op] = ()
) -> str:
    """The agent, where a page has layers to decide about; else what the rules refused stands.

    So it does for `ops`, if all that they are about is there or nothing more can be read.
    """
    count = files.pages(path)
    if args.page is None and count > 1:
        raise refusal
    document = Document(path, page=args.page or 1)
    leaves = [layer for layer in document if layer.kind != "group"]
    if document.flat or len(leaves) < 2:
        raise refusal
    there = bool(ops) and all(has(document, op.where) for op in ops)
    if there or (ops and not _reads_more(document, args.instruction)):
        raise refusal
    tell("The rules do not understand this as one change; the agent decides layer by layer.")
    return AGENT


def _reads_more(document: Document, instruction: str) -> bool:
    from overpaint.editors.agent.deciding import Scene
    from overpaint.editors.agent.rules import reads_more
    from overpaint.vision.layers import seen

    return reads_more(Scene(document, instruction, seen(document)))


def handed(
    args: argparse.Namespace, path: Path, spec: str, refusal: Refused | None = None
) -> Handed:
    """What the editor makes of the page; whom it asks is said first.

    `refusal` is why the rules alone could not do it, which is told where nothing could be.
    """
    _, spec = catalog.editor_name(spec)
    editor: Any = catalog.editor(spec)
    if getattr(editor, "sees_target", False):
        raise UserMistake(f"{spec} needs to know the right answer.", "Here nobody does.")
    count = files.pages(path)
    check_page(path, args.page or 1, count)
    if args.page is None and count > 1:
        raise UserMistake(f"{path} has {count} pages.", "An editor is given one.", "Say: --page N")
    before = Document(path, page=args.page or 1)
    request = Request(before, args.instruction)
    after, trace = _made(args, editor, request)
    if before.layers == after.layers:
        raise _nothing(trace, refusal)
    steps = [{name: step[name] for name in step if name != "picture"} for step in trace]
    return Handed(Turned(before, after, args.page or 1, count), tuple(steps))


def _nothing(trace: Sequence[Mapping[str, Any]], why: Refused | None) -> Refused:
    """That nothing was done: no layer is concerned, or those that are could not be edited."""
    tried = [step for step in trace if step.get("step") == "edit"]
    said = " ".join(dict.fromkeys(str(step.get("reason", "")) for step in tried)).strip()
    if why is None or said:
        decided = told_steps(trace)[:1]  # "m decided on 7 layers: 7 unreadable"
        left = [one for step in trace[:1] for one in step.get("left", ())]
        return Refused(f"Nothing was changed. {said or ' '.join(left or decided)}".strip())
    return Refused(why.wrong, why.right, f"{why.todo} Nor does the agent see a layer it concerns.")


def _made(args: argparse.Namespace, editor: Any, request: Request) -> tuple[Document, Any]:
    """What it made and how; models are asked at the user's own desk."""
    if host := getattr(editor, "host", ""):
        tell(f"{host} is sent the picture and the instruction; price: unknown")
    asks = list(editor.asks(request)) if hasattr(editor, "asks") else []
    if not asks:
        traced = getattr(editor, "traced", None)
        return traced(request) if traced else (editor(request), ())
    known = prices(args.prices)
    for one in forecast(asks, known):
        tell(one.told(known.dated))
    with own_desk(replace(terms_of(args), progress=Bar())) as desk:
        made: tuple[Document, Any] = editor.traced(request, desk)
    tell_of_local({ask.endpoint.name for ask in asks})
    return made
