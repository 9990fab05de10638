"""build refblend: samples whose references together describe one picture."""

import argparse
from typing import TYPE_CHECKING, Any

from overpaint.cli.progress import Bar
from overpaint.cli.terms import print_plan, tell, terms_of
from overpaint.errors import PictureError
from overpaint.work import silent

if TYPE_CHECKING:
    from overpaint.engines.refblend.records import Settings

_KEPT = ("seed", "combinations", "per_image", "kinds", "model", "judge", "personas", "raters")


def build_blended(args: argparse.Namespace) -> int:
    """Take a build of pictures and their references as far as it goes."""
    from overpaint.cli.building import told
    from overpaint.engines.refblend.building import build
    from overpaint.engines.vde.records import Terms

    settings = _settings(args)
    if args.dry_run:
        return _foretell(args, settings)
    progress = silent if args.quiet else Bar()
    terms = Terms(
        args.workers, args.deadline, args.memory, progress, terms_of(args), tell=tell
    )  # fmt: skip
    built = build(args.pages, args.out, captions=args.captions, settings=settings, terms=terms)
    return told(args, built)


def _settings(args: argparse.Namespace) -> "Settings":
    """What was asked for; options left away keep what the build was begun with."""
    from dataclasses import fields

    from overpaint.engines.refblend.records import Settings
    from overpaint.engines.vde.records import kept_settings

    asked = {name: getattr(args, name) for name in _KEPT if getattr(args, name) is not None}
    if args.extractor is not None:
        asked["extractors"] = ",".join(sorted(args.extractor))
    known = {field.name for field in fields(Settings)}
    kept = {name: value for name, value in kept_settings(args.out).items() if name in known}
    return Settings(**(kept | asked))


def _foretell(args: argparse.Namespace, settings: "Settings") -> int:
    """Say what would be looked for, and what asked of whom, and do nothing."""
    from overpaint.engines.refblend import extracting, foretelling, gathering
    from overpaint.engines.refblend.building import check
    from overpaint.models.forecast import forecast
    from overpaint.models.prices import prices

    check(settings)
    given = gathering.gather(args.pages, args.out)
    problems, paths = given.problems, list(given.pictures)
    captioned = {path for path, one in given.pictures.items() if one.caption}
    if args.captions is not None:
        captioned |= set(gathering.captions(args.captions, paths, problems))
    found = list(foretelling.shapes(paths, captioned))
    whole = [one for one in found if not isinstance(one, PictureError)]
    unread = [one for one in found if isinstance(one, PictureError)]
    known, who = prices(args.prices), extracting.crew(settings)
    expected = forecast(foretelling.asks(whole, settings), known)
    for one in expected:
        tell(one.told(known.dated))
    for error in (*unread, *problems):
        tell(f"left out: {error}")
    for kind, why in who.missing.items():
        tell(f"no {kind}: {why}")
    plan: dict[str, Any] = {
        "pictures": len(whole), "left_out": len(unread), "captions": len(captioned),
        "looks_for": [f"{kind} by {method}" for kind, method in who.methods.items()],
        "not_here": list(who.missing), "asked": [one.data for one in expected],
    }  # fmt: skip
    return print_plan(plan, args.json)
