"""Audits: what the card says of measures whose virtues and faults are known."""

import html
import json
import re
import shutil
from pathlib import Path

import audited
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint import run
from overpaint.core import Measure
from overpaint.engines.damages import DAMAGES
from overpaint.engines.probes import PROBES, make_probes, picked
from overpaint.report.audit import AuditCard, as_data, read_audit, sorted_out
from overpaint.report.audit.numbers import Scores
from overpaint.report.audit.page import write_audit
from overpaint.report.audit.text import audit_text
from overpaint.report.audit.verdicts import Column, Grade, Line, column_of
from overpaint.run import Settings
from overpaint.store import Row, Store

MADE = ("whole", "inverted", "constant", "broken", "fussy", "reader", "lookup")
FORMULAS = ("mse", "mse_inside", "ssim", "gmsd", "psnr", "psnr_mean")

pytestmark = pytest.mark.slow  # the probes of three samples are drawn and scored


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The run of an audit of all these measures on four samples."""
    folder = tmp_path_factory.mktemp("audit")
    return audit(folder, [*FORMULAS, *(f"{audited.HERE}:{name}" for name in MADE)])


def audit(folder: Path, measures: list[str], count: int = 4) -> Store:
    samples = audited.words.load(audited.draw(folder / "data", count)).samples
    make_probes(picked(samples, count), folder / "run")
    editor = f"probe=outputs:{folder / 'run' / PROBES}"
    done = run("audit", data=folder / "run", editors=[editor], out=folder / "run", floors=False,
               measures=measures, settings=Settings(workers=0))  # fmt: skip
    return Store.open(done.folder)


@pytest.fixture(scope="module")
def card(store: Store) -> AuditCard:
    return read_audit(store)


def column(card: AuditCard, name: str) -> Column:
    return next(column for column in card.columns if column.measure == name)


def verdicts(card: AuditCard, name: str) -> dict[str, str]:
    """Probe or damage -> verdict."""
    found = column(card, name).findings
    return {one.damage if isinstance(one, Grade) else one.probe: one.verdict for one in found}


def line(card: AuditCard, name: str, probe: str) -> Line:
    return next(one for one in column(card, name).lines if one.probe == probe)


def grade(card: AuditCard, name: str, damage: str) -> Grade:
    return next(one for one in column(card, name).grades if one.damage == damage)


# ── what is known of our own measures ───────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["mse", "ssim", "gmsd", "psnr"])
def test_measures_of_the_background_cannot_see_that_nothing_was_done(
    card: AuditCard, name: str
) -> None:
    found = verdicts(card, name)
    assert found["nothing"] == found["letters"] == found["swapped"] == "not its job"
    assert found["patch"] == found["white"] == found["shuffled"] == "noticed"


def test_the_measure_of_the_region_sees_that_nothing_was_done_and_no_patch_beside_it(
    card: AuditCard,
) -> None:
    found = verdicts(card, "mse_inside")
    assert found["nothing"] == found["letters"] == found["swapped"] == "noticed"
    assert found["patch"] == "not its job"


@pytest.mark.parametrize("name", FORMULAS)
def test_equal_pixels_in_other_bytes_have_the_same_score_to_the_last_digit(
    card: AuditCard, name: str
) -> None:
    found = verdicts(card, name)
    assert {found[probe] for probe in ("png", "again-truth", "again-noise")} == {"the same"}


def test_a_shift_is_noticed_unless_it_was_aligned_away(card: AuditCard) -> None:
    assert verdicts(card, "whole")["shift"] == "noticed"
    shifted = grade(card, "mse", "shift")
    aligned = [level for level in shifted.levels if level.notes.get("aligned") == 4]
    assert aligned
    assert all(level.verdict == "did not notice" for level in aligned)
    assert all("aligned 4 of 4" in level.why for level in aligned)


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_does_not_look_at_the_instruction_which_is_a_fact_and_no_fault(
    card: AuditCard, name: str
) -> None:
    found = line(card, name, "instruction")
    assert (found.verdict, found.why) == ("not its job", "it does not look at the instruction")


def test_no_error_is_the_best_psnr_there_is_though_it_is_no_number(card: AuditCard) -> None:
    for name in ("psnr", "psnr_mean"):
        truth = line(card, name, "truth")
        assert truth.verdict == "full marks"
        assert truth.statuses == {"identical": 4}
        assert truth.median is None
        assert verdicts(card, name)["noise"] == "noticed"


@pytest.mark.slow
def test_lpips_notices_what_it_looks_at(tmp_path: Path) -> None:
    card = read_audit(audit(tmp_path, ["lpips"]))
    found = verdicts(card, "lpips")
    assert found["truth"] == "full marks"
    assert found["noise"] == found["blur"] == found["white"] == "noticed"
    assert found["nothing"] == "not its job"
    assert found["jpeg95"] == "harmless"


# ── measures with known faults ──────────────────────────────────────────────────────────────


def test_a_measure_of_everything_notices_every_damage_of_the_picture(card: AuditCard) -> None:
    found = verdicts(card, "whole")
    harm = {"nothing", "white", "black", "mean", "shuffled", "swapped", *(d.name for d in DAMAGES)}
    assert {found[name] for name in harm} == {"noticed"}
    assert found["instruction"] == "not its job"
    for damage in ("noise", "blur", "letters", "patch", "cast"):
        graded = grade(card, "whole", damage)
        assert graded.noticed_from == 1
        assert graded.in_order == graded.steps == 20


def test_a_constant_notices_nothing(card: AuditCard) -> None:
    told = column(card, "constant")
    assert told.headline == "It notices nothing: every probe has the score 3."
    assert {one.verdict for one in told.findings if isinstance(one, Grade)} == {"did not notice"}
    assert line(card, "constant", "white").verdict == "did not notice"
    assert {sight.looks for sight in told.sights} == {None}


def test_a_measure_that_raises_gives_no_score_and_its_reason_is_told(card: AuditCard) -> None:
    told = column(card, "broken")
    assert told.headline == "It gave no score to any probe."
    assert {one.verdict for one in told.findings} == {"no score"}
    assert set(told.statuses) == {"measure_failed"}
    assert "a bug of mine" in audit_text(card)


def test_a_measure_that_is_upside_down_is_told_so(card: AuditCard) -> None:
    told = column(card, "inverted")
    assert told.headline.startswith("It scores the wrong way round: ")
    assert line(card, "inverted", "white").verdict == "wrong way round"
    assert line(card, "inverted", "jpeg85").verdict == "taken for harm"
    assert grade(card, "inverted", "noise").verdict == "wrong way round"


def test_what_was_refused_or_left_open_is_counted_and_takes_part_in_no_share(
    card: AuditCard,
) -> None:
    assert line(card, "fussy", "white").verdict == "no score"
    assert line(card, "fussy", "white").statuses == {"refused": 4}
    assert line(card, "fussy", "half").statuses == {"undecided": 4}
    assert line(card, "fussy", "half").share is None


def test_a_measure_to_which_a_copy_of_the_truth_is_worse_than_no_edit_does_not_tell_it_from_harm(
    card: AuditCard,
) -> None:
    soft, nothing = (line(card, "whole", probe) for probe in ("enlarged", "nothing"))
    assert (soft.median or 0.0) > (nothing.median or 0.0) > 0  # all edges against a single word
    assert soft.verdict == "not told from harm"  # four sources settle no more
    assert soft.why == "better than a white page in 100 % of 4, the untouched source in 25 % of 4"
    lone = line(card, "fussy", "enlarged").why  # which has no score for blank pages
    assert lone == "better than the untouched source in 25 % of 4"


def test_a_measure_that_reads_the_instruction_notices_a_wrong_one_and_nothing_else(
    card: AuditCard,
) -> None:
    found = verdicts(card, "reader")
    assert found["instruction"] == "noticed"
    assert found["white"] == found["nothing"] == "did not notice"


# ── the numbers behind the verdicts ─────────────────────────────────────────────────────────


def rows(values: dict[str, list[float | None]]) -> Scores:
    """A measure of which higher is better, with these scores of the probes."""
    made = {
        probe: {
            f"s{n}": Row(f"{probe}/s{n}", "probe", "m", value,
                         "ok" if value is not None else "undecided", "", (), 1.0, 0.0)
            for n, value in enumerate(column)
        }
        for probe, column in values.items()
    }  # fmt: skip
    bases = [f"s{n}" for n in range(max(map(len, values.values())))]
    measure = Measure("m", lambda edits, evidence: (), True, 0.0, 1.0)
    return Scores(measure, made, dict.fromkeys(values, bases), {b: b for b in bases}, 0)


values = st.lists(st.floats(0, 1), min_size=1, max_size=8)


@settings(max_examples=30)
@given(values, values)
def test_a_share_and_its_opposite_make_one(first: list[float], second: list[float]) -> None:
    scores = rows({"truth": list(first), "noise-1": list(second)})
    for number in (scores.share, scores.auc):
        there, back = number("truth", "noise-1"), number("noise-1", "truth")
        there, back = (getattr(one, "value", one) for one in (there, back))
        assert there + back == pytest.approx(1)


def test_ties_count_half_and_the_missing_take_no_part() -> None:
    scores = rows({"truth": [1.0, 1.0, 1.0, 1.0], "blur-1": [0.5, 1.0, None, 0.9]})
    share = scores.share("truth", "blur-1")
    assert share is not None
    assert (share.value, share.pairs) == (pytest.approx(2.5 / 3), 3)


def test_a_difference_too_slight_to_mean_anything_is_a_tie() -> None:
    scores = rows({"truth": [1.0], "white": [0.0], "shift-1": [0.99995], "shift-2": [0.9998]})
    assert scores.pairs("truth", "shift-1") == {"s0": 0.5}
    assert scores.pairs("truth", "shift-2") == {"s0": 1.0}


@pytest.mark.parametrize(
    ("right", "verdict"),
    [(20, "noticed"), (18, "noticed"), (17, "in part"), (11, "did not notice"),
     (10, "did not notice"), (9, "did not notice"), (3, "wrong way round")],
)  # fmt: skip
def test_verdicts_follow_the_thresholds_on_the_card(right: int, verdict: str) -> None:
    probed = [0.1] * right + [0.9] * (20 - right)
    found = column_of(rows({"truth": [0.5] * 20, "white": probed}))
    assert found.lines[1].verdict == verdict


def test_few_sources_have_no_interval_and_only_what_is_nearly_always_so_is_told() -> None:
    found = column_of(rows({"truth": [0.5] * 3, "white": [0.1, 0.1, 0.9]})).lines[1]
    assert found.share is not None
    assert (found.share.low, found.verdict) == (None, "did not notice")
    found = column_of(rows({"truth": [0.5] * 3, "white": [0.9] * 3})).lines[1]
    assert found.verdict == "wrong way round"


def test_steps_that_go_the_wrong_way_are_counted() -> None:
    levels = {f"noise-{level}": [0.9 - 0.1 * level] * 6 for level in range(1, 6)}
    levels["noise-3"] = [0.85] * 6  # better than the level before it
    found = column_of(rows({"truth": [1.0] * 6, "white": [0.0] * 6, **levels})).grades[0]
    assert (found.in_order, found.steps, found.noticed_from) == (24, 30, 1)
    assert "6 of 30 steps are scored better with more of it" in found.why


# ── the card as page and JSON ───────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def page(store: Store, card: AuditCard) -> str:
    return write_audit(store, card).read_text(encoding="utf-8")


def test_the_page_needs_nothing_else_and_runs_nothing(store: Store, page: str) -> None:
    assert "default-src 'none'" in html.unescape(page)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert re.findall(r'src="(?!data:image/webp;base64,)', page) == []
    hrefs = re.findall(r'href="([^"]+)"', page)
    assert hrefs
    assert all((store.folder / href).is_file() for href in hrefs)
    for title in ("What it noticed", "What it did not notice", "Where it failed or gave no score"):
        assert title in page


def test_what_a_judge_said_stands_beside_the_picture(page: str) -> None:
    assert "of this one: “&lt;b&gt;It is 0 apart.&lt;/b&gt;”" in page


def test_the_json_is_the_card_with_its_findings_sorted_out(
    store: Store, card: AuditCard, page: str
) -> None:
    data = json.loads((store.folder / "audit.json").read_text(encoding="utf-8"))
    assert data == json.loads(json.dumps(as_data(card)))
    whole = next(one for one in data["columns"] if one["measure"] == "whole")
    assert "a white page: noticed (truth better in 100 % of 4)" in whole["noticed"]
    assert all(line["expected"] for line in whole["lines"])
    assert len(data["rules"]) >= 5
    everything = sorted_out(column(card, "whole"))
    assert set(everything) == {"noticed", "missed", "not_its_job", "no_score"}


def test_the_table_fits_a_terminal(card: AuditCard) -> None:
    text = audit_text(card)
    assert max(map(len, text.splitlines())) <= 100
    for name in (*FORMULAS, *MADE):
        assert f"\n{name}: " in text


@pytest.mark.slow
def test_the_page_is_quiet_and_fits_a_phone(store: Store, page: str) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next((found for name in names if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": 400, "height": 800})
        told: list[str] = []
        shown.on("console", lambda message: told.append(message.text))
        shown.goto((store.folder / "audit.html").resolve().as_uri())
        assert shown.evaluate("document.documentElement.scrollWidth") == 400
        assert shown.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
        assert told == []
        browser.close()
