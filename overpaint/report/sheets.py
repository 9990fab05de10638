"""What is known of a run's judges as sheets, which the page and the terminal show alike."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from overpaint.measures.bias import Contest, Kin, Share
from overpaint.measures.reliability import (
    PUBLISHED_BEST,
    PUBLISHED_SPREAD,
    PUBLISHED_TURNS,
    Concord,
)
from overpaint.report.judging import Judging
from overpaint.report.numbers import NO_BOUND, count, interval, number, percent
from overpaint.report.wording import status
from overpaint.stats.correlation import Correlation
from overpaint.store.calls import Bill


@dataclass(frozen=True)
class Link:
    """A cell that leads to an edit in the gallery."""

    sample: str
    editor: str


Cell = str | Link


@dataclass(frozen=True)
class Sheet:
    """A table with a title, a sentence before it and remarks after it."""

    title: str
    lead: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    remarks: tuple[str, ...] = ()


CONCORD = ("Column", "With", "Edits", "Pearson", "Spearman", "Weighted κ", "MAE", "MSE")


def sheets(judging: Judging) -> Iterator[Sheet]:
    """The sheets that have something to say."""
    made = (
        _answered(judging), _again(judging), _totals(judging), _agreed(judging),
        _disputed(judging), _people(judging), *map(_voted, judging.contests), _own(judging),
        bill_sheet(judging.bills),
    )  # fmt: skip
    yield from (sheet for sheet in made if sheet.rows or sheet.remarks)


def _answered(judging: Judging) -> Sheet:
    rows = [
        (
            one.who, one.dimension, _label(one.kind), f"{one.asked:,}",
            f"{one.scored:,} ({percent(one.scored, one.asked)})", _of(one.mean, one.best),
            interval(_Span(one.mean, one.low, one.high), 2) or NO_BOUND,
            ", ".join(f"{n:,} {status(name)}" for name, n in one.statuses.items()) or "nothing",
        )
        for one in judging.standings
    ]  # fmt: skip
    short = [
        f"{one.column} {one.statuses['undecided']:,} of {one.asked:,}"
        for one in judging.standings
        if one.kind == "panel" and "undecided" in one.statuses
    ]
    remarks = [f"Edits on which fewer judges answered than the quorum: {', '.join(short)}."]
    how = _grouped((note, one.column) for one in judging.standings for note in one.notes)
    heads = ("Judge", "Dimension", "Kind", "Edits", "Scored", "Mean", "95 % interval", "Not scored")
    lead = "What each judge answered, over all editors."
    return Sheet("Answers", lead, heads, tuple(rows), (*(remarks if short else ()), *how))


def _label(kind: str) -> str:
    return {"evidence": "evidence, no model", "panel": "mean of the judges"}.get(kind, kind)


def _again(judging: Judging) -> Sheet:
    rows = [
        (
            one.column, str(one.turns), f"{one.edits:,}", number(one.spread, 2),
            interval(_Span(one.spread, one.low, one.high), 2) or NO_BOUND,
            number(one.deviation, 2), f"{one.same:,} ({percent(one.same, one.edits)})",
        )
        for one in judging.retests
    ]  # fmt: skip
    heads = (
        "Column", "Times asked", "Edits", "Mean spread", "95 % interval", "Deviation",
        "The same each time",
    )  # fmt: skip
    lead = "Asked the same again: the largest answer less the smallest, mean over edits."
    return Sheet("Test and retest", lead, heads, tuple(rows))


def _totals(judging: Judging) -> Sheet:
    rows = [
        (
            one.who, one.editor, " + ".join(one.dimensions),
            ", ".join(number(total, 2) for total in one.totals),
            f"{number(one.spread, 2)} of {one.width:g}",
        )
        for one in judging.totals
    ]  # fmt: skip
    heads = ("Judge", "Editor", "Total of", "Each time", "Spread")
    remarks = []
    if rows:
        widest = max(judging.totals, key=lambda one: one.spread / one.width)
        remarks.append(
            f"The widest here is {number(widest.spread / widest.width * PUBLISHED_BEST, 2)} of"
            f" {PUBLISHED_BEST:g}; TextEditBench reports at most {PUBLISHED_SPREAD} of"
            f" {PUBLISHED_BEST:g} over {PUBLISHED_TURNS} times."
        )
    lead = "Each time by itself: the sum of the dimensions' means, over edits answered each time."
    return Sheet("Totals, asked again", lead, heads, tuple(rows), tuple(remarks))


def _agreed(judging: Judging) -> Sheet:
    rows = [_concord(one) for one in judging.concords]
    lead = (
        "On the edits that both scored. κ has quadratic weights; MAE and MSE are the mean absolute"
        " and squared differences."
    )
    return Sheet("Judges with one another", lead, CONCORD, tuple(rows), _why(judging.concords))


def _concord(one: Concord) -> tuple[str, ...]:
    kappa = _spanned(one.kappa) if one.kappa else NO_BOUND
    told = _spanned(one.pearson), _spanned(one.spearman), kappa
    return (one.a, one.b, f"{one.n:,}", *told, number(one.apart, 2), number(one.squared, 2))


def _why(found: Sequence[Concord]) -> tuple[str, ...]:
    """Why a coefficient or its interval is not there, each reason once."""
    return _grouped((note, f"{one.a} with {one.b}") for one in found for note in one.pearson.notes)


def _grouped(told: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Notes and whom they are about, each note once."""
    about: dict[str, list[str]] = {}
    for note, who in told:
        about.setdefault(note, []).append(who)
    return tuple(f"{', '.join(who)}: {note}." for note, who in about.items())


def _disputed(judging: Judging) -> Sheet:
    rows = [
        (
            Link(one.sample, one.editor), one.editor, one.dimension,
            ", ".join(f"{who} {value:g}" for who, value in one.said.items()), f"{one.spread:g}",
        )
        for one in judging.disputes
    ]  # fmt: skip
    heads = ("Sample", "Editor", "Dimension", "Said", "Apart")
    lead = "The edits on which judges differ most."
    return Sheet("Where judges differ most", lead, heads, tuple(rows))


def _people(judging: Judging) -> Sheet:
    remarks = [
        f"{one.column}: {one.ratings:,} ratings by {one.people:,} people"
        f" of {count(one.edits, 'edit')} in this run"
        + (f"; not in it: {count(one.elsewhere, 'rated edit')}." if one.elsewhere else ".")
        for one in judging.raters
    ]
    rows = [_concord(one) for one in judging.people]
    lead = (
        "Each judge against people's means, on the edits that both have, and one rater with"
        " another, every two of an edit. TextEditBench holds the mean of its five scores against"
        " four raters' on 50 pictures."
    )
    why = _why(judging.people)
    return Sheet("Judges and people", lead, CONCORD, tuple(rows), (*remarks, *why))


def _voted(contest: Contest) -> Sheet:
    rows = [
        (
            one.editor, f"{one.votes:,}", f"{one.wins:,}", f"{one.ties:,}", f"{one.losses:,}",
            _share(one.rate, one.low, one.high),
            _share(one.expected, one.expected_low, one.expected_high),
        )
        for one in contest.winners
    ]  # fmt: skip
    heads = ("Editor", "Votes", "Won", "Tied", "Lost", "Won, ties half", "Bradley–Terry")
    asked = (
        "Which of two edits people prefer; everyone's vote counts." if contest.people else
        "Which of two edits is better, asked in both orders; where the answers differ it is a tie."
    )  # fmt: skip
    lead = f"{asked} Bradley–Terry: the share it would win against all the others alike."
    return Sheet(f"Pairwise: {contest.column}", lead, heads, tuple(rows), tuple(_place(contest)))


def _place(contest: Contest) -> Iterator[str]:
    first, apart = contest.first, contest.inconsistent
    found = contest.prefers_a_place
    if first.n:
        verdict = {True: "it prefers a place", False: "no preferred place is found",
                   None: "too few sources to tell whether it prefers a place"}[found]  # fmt: skip
        yield (
            f"Position: of {first.n:,} decided answers {_told(first)} name the first edit"
            f" (50 % would be fair): {verdict}."
        )
    if apart.n:
        yield f"Of {count(apart.n, 'pair')} {_told(apart)} have another verdict in the other order."
    if contest.same:
        yield f"{count(contest.same, 'pair')} are the same picture twice: a tie without asking."
    if contest.lacking:
        told = ", ".join(f"{n:,} {status(name)}" for name, n in contest.lacking.items())
        yield f"Without a vote: {told}."
    yield from (f"{note[:1].upper()}{note[1:]}." for note in contest.notes)


def _own(judging: Judging) -> Sheet:
    rows = [
        (
            one.kin.who, ", ".join(one.kin.editors), _known(one.kin), one.others,
            f"{one.kin_edits:,} / {one.other_edits:,}",
            f"{number(one.difference, 2)} of {one.width:g}",
            interval(_Span(one.difference, one.low, one.high), 2) or NO_BOUND,
            {True: "found", False: "not found", None: "too few sources to tell"}[one.found],
        )
        for one in judging.preferences
    ]  # fmt: skip
    heads = (
        "Judge", "Its kin", "How that is known", "Against", "Edits (kin / not)",
        "More for its kin", "95 % interval", "Self-preference",
    )  # fmt: skip
    lead = (
        "Whether a judge gives editors of its own family more, beyond what the others give them,"
        " than it gives the rest."
    )
    alone = {one.kin.who for one in judging.preferences}
    remarks = [
        f"{one.who} has kin here ({', '.join(one.editors)}, {_known(one)}), but nobody else judged"
        " the same."
        for one in judging.kin
        if one.who not in alone
    ]
    return Sheet("Self-preference", lead, heads, tuple(rows), tuple(remarks))


def _known(kin: Kin) -> str:
    return "declared" if kin.how == "declared" else f"guessed: both names say {kin.family}"


# ── the bill ────────────────────────────────────────────────────────────────────────────


def bill_sheet(bills: Sequence[Bill]) -> Sheet:
    """What each model was asked and what that cost; what is not known is never 0."""
    heads = ("Model", "Host", "Calls", "Replies", "Attempts", "Tokens in", "Tokens out", "Price")
    rows = [
        (
            bill.model, bill.host, f"{bill.calls:,}", f"{bill.replies:,}", f"{bill.attempts:,}",
            *(f"{n:,}" if n else "unknown" for n in (bill.tokens_in, bill.tokens_out)),
            _price(bill),
        )
        for bill in bills
    ]  # fmt: skip
    return Sheet(
        "Bill", "What models were asked in this run.", heads, tuple(rows), tuple(_due(bills))
    )


def _price(bill: Bill) -> str:
    if not bill.replies:
        return "nothing came back"
    if bill.unpriced == bill.replies:
        return "unknown"
    rest = f" + {bill.unpriced:,} unknown" if bill.unpriced else ""
    return f"${bill.price:,.4f}{rest}"


def _due(bills: Sequence[Bill]) -> Iterator[str]:
    known = sum(bill.price for bill in bills)
    unknown = sum(bill.unpriced for bill in bills)
    if len(bills) > 1 and known:
        beside = f", and {unknown:,} times what is not known" if unknown else ""
        yield f"In all ${known:,.4f}{beside}."
    if unknown:
        yield "A price is unknown where the list of prices lacks the model: --prices gives yours."
    if twice := sum(bill.possibly_paid_twice for bill in bills):
        yield (
            f"Possibly paid twice: {count(twice, 'attempt')} went out and nothing came back, by a"
            " kill, a cut or a deadline; whether they were charged only the vendor knows."
        )


# ── numbers ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Span:
    value: float | None
    low: float | None
    high: float | None


def _of(value: float | None, best: float | None) -> str:
    return number(value, 2) + (f" of {best:g}" if best is not None and value is not None else "")


def _spanned(found: Correlation) -> str:
    span = interval(found, 2)
    return f"{number(found.value, 2)} ({span})" if span else number(found.value, 2)


def _share(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return NO_BOUND
    ends = "" if low is None or high is None else f" ({100 * low:.0f} – {100 * high:.0f})"
    return f"{100 * value:.0f} %{ends}"


def _told(share: Share) -> str:
    return _share(share.value, share.low, share.high)
