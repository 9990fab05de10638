"""`overpaint train fusion`: our own measures learn what people think of edits."""

import argparse
import json
import sys

from overpaint.cli.opinions import people_of
from overpaint.cli.progress import Bar
from overpaint.errors import UserMistake
from overpaint.measures.learned import FILE, check_name
from overpaint.measures.learned.features import DEFAULT, WORDS
from overpaint.report.numbers import count
from overpaint.report.wording import plain
from overpaint.store import Store
from overpaint.training.evaluator_card import CARD, agreement_table
from overpaint.training.fusion import Terms
from overpaint.training.fusion_card import Lesson, train_fusion
from overpaint.training.rated import by_picture, read_examples, without_test
from overpaint.work import Progress


def fusion_command(args: argparse.Namespace) -> int:
    """Train a fusion on a run's rated edits, or say what that would be."""
    check_name(args.name)
    terms = Terms(members=args.members, folds=args.folds, seed=args.seed)
    bar = Bar()
    with Store.open(args.run) as store:
        lesson = _lesson(store, args, bar)
        for note in lesson.notes:
            print(plain(note), file=sys.stderr)
        if args.dry_run:
            _print_plan(lesson, args)
            return 0
        package = train_fusion(
            lesson, args.out, terms, store=store, workers=args.workers, progress=bar
        )
    if args.json:
        print(json.dumps(package.facts, ensure_ascii=False, indent=1))
        return 0
    print("\n".join(map(plain, agreement_table(package.facts["agreement"]))))
    print(f"\nThe card:  {args.out / CARD}\nWhat it is:  {args.out / FILE}", file=sys.stderr)
    print(f"Use it:  overpaint score ANOTHER-RUN --measure learned:{args.out}", file=sys.stderr)
    return 0


def _lesson(store: Store, args: argparse.Namespace, bar: Progress) -> Lesson:
    whose, people, simulated = people_of(store, args)
    examples, left_out = read_examples(store, people, leave_out=args.leave_out_missing)
    examples, compared = by_picture(
        examples, args.against, leave_out=args.leave_out_missing, progress=bar
    )
    examples, kept_back = without_test(examples)
    if not examples:
        raise UserMistake(
            "No rated edit is left to learn from.",
            "A fusion learns from edits that were rated and have a picture in the run.",
        )
    notes = (*left_out, *compared, *kept_back)
    return Lesson(examples, people, whose, simulated, notes, args.name)


def _print_plan(lesson: Lesson, args: argparse.Namespace) -> None:
    sources = len({one.cluster for one in lesson.examples})
    facts = {
        "edits": len(lesson.examples), "sources": sources, "whose": lesson.whose,
        "dimensions": list(lesson.dimensions), "measures": list(DEFAULT), "of_words": list(WORDS),
        "folds": args.folds, "members": args.members, "hosts": [],
    }  # fmt: skip
    if args.json:
        print(json.dumps(facts, ensure_ascii=False, indent=1))
        return
    print(plain(f"{count(len(lesson.examples), 'edit')} of {count(sources, 'source')}"))
    print(plain(f"Whose opinion:  {lesson.whose}"))
    print(plain(f"Dimensions:     {', '.join(lesson.dimensions)}"))
    print(f"Measures:       {', '.join(DEFAULT)}")
    print(f"If they have words:  {', '.join(WORDS)}")
    print(f"Tried in:       {args.folds} folds by source; members: {args.members}")
    print("Nothing leaves this machine, and nothing is paid for.")
