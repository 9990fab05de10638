"""BRISQUE against its package, the regression against scikit-learn's, and when it says nothing."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from natural_pictures import (
    GOLDEN,
    PHOTOGRAPHS,
    blurred,
    noisy,
    photograph,
    recorded,
    weights_or_skip,
)

from overpaint import catalog, weights
from overpaint.benchmarks.demo import demo
from overpaint.core import Edit, Evidence, Request, Sample, Score
from overpaint.document import Document
from overpaint.errors import NotApplicable, Unavailable, UserMistake
from overpaint.measures import natural
from overpaint.measures.brisque import NEEDS, brisque, features, model


@pytest.fixture
def here() -> None:
    weights_or_skip(*NEEDS)


def score(source: np.ndarray, output: np.ndarray, name: str = "brisque") -> Score:
    sample = Sample("a", Request(Document.of(source), "…"))
    (row,) = catalog.measure(name).score([Edit(sample, "e", "ok", Document.of(output))], Evidence())
    return row


# ── references ──────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", GOLDEN["brisque"])
def test_brisque_is_what_its_package_gives(name):
    """To .001 of about 100; theirs looks for a shape by iteration, ours in a table."""
    assert brisque(recorded(name)) == pytest.approx(GOLDEN["brisque"][name], abs=1e-3)


@pytest.mark.slow
def test_the_regression_predicts_what_scikit_learn_predicts_from_the_same_vectors(tmp_path):
    svm = pytest.importorskip("sklearn.svm")
    rng = np.random.default_rng(5)
    train, wanted = rng.uniform(-1, 1, (80, 36)), rng.uniform(0, 100, 80)
    fitted = svm.SVR(gamma=0.05, C=50).fit(train, wanted)
    lines = [
        "svm_type epsilon_svr", "kernel_type rbf", "gamma 0.05", "nr_class 2",
        f"total_sv {len(fitted.support_vectors_)}", f"rho {float(-fitted.intercept_[0])!r}", "SV",
    ]  # fmt: skip
    for coefficient, row in zip(fitted.dual_coef_[0], fitted.support_vectors_, strict=True):
        numbers = " ".join(f"{i}:{value!r}" for i, value in enumerate(row.tolist(), 1))
        lines.append(f"{float(coefficient)!r} {numbers}")
    found = model(*written(tmp_path, "\n".join(lines)))
    new = rng.uniform(-1, 1, (5, 36))
    halves = [found.predict((row + 1) * 5) for row in new]  # the ranges are 0–10
    assert halves == pytest.approx(fitted.predict(new).tolist(), abs=1e-8)


def written(folder: Path, text: str, between: object = None) -> tuple[Path, Path]:
    vectors, ranges = folder / "svm.txt", folder / "range.pickle"
    vectors.write_text(text + "\n")
    between = between or {"min_": [0.0] * 36, "max_": [10.0] * 36}
    ranges.write_bytes(pickle.dumps(between))
    return vectors, ranges


# ── laws ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("damage", "steps"), [(blurred, (1, 2, 4)), (noisy, (10, 20, 40))], ids=["blur", "noise"]
)
def test_on_average_photographs_get_worse_with_every_step_of_damage(damage, steps):
    some = [photograph(name)[:200, :200] for name in PHOTOGRAPHS]
    means = [np.mean([brisque(p) for p in some])]
    means += [np.mean([brisque(damage(p, step)) for p in some]) for step in steps]
    assert all(np.diff(means) > 5)


def test_mirrored_pictures_have_the_same_shapes():
    """The statistics know no left and right, but for which diagonal is which."""
    picture = np.ascontiguousarray(photograph("chelsea")[:120, :160])
    ours, mirrored = features(picture), features(np.ascontiguousarray(picture[:, ::-1]))
    swap = [*range(10), 14, 15, 16, 17, 10, 11, 12, 13]
    assert mirrored[:18] == pytest.approx(ours[:18][swap], rel=1e-6)


# ── when it says nothing ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_photographs_are_photographs_also_when_damaged(name):
    whole = photograph(name)
    for picture in (whole, blurred(whole, 6), noisy(whole, 40), whole // 3):
        assert natural.not_a_photograph(picture) == ""


def test_drawn_pages_are_not_photographs():
    pages = [s.reference.rgb for s in demo.load(None).samples if s.id.startswith("document")]
    reasons = [natural.not_a_photograph(page) for page in pages]
    assert len(pages) > 3
    assert all(reasons)
    assert sum("one flat ground, as of a page of text" in reason for reason in reasons) > 3


def test_a_flat_drawing_of_many_colours_is_not_a_photograph():
    stripes = np.repeat(np.arange(0, 250, 10, dtype=np.uint8), 12)
    drawing = np.stack([np.tile(stripes, (200, 1))] * 3, axis=2)
    assert "no grain at all, as of a drawing" in natural.not_a_photograph(drawing)


@pytest.mark.parametrize("measure", ["brisque", "niqe"])
def test_on_a_page_of_text_the_question_does_not_arise(measure):
    page = next(s for s in demo.load(None).samples if s.id == "document-001").reference.rgb
    row = score(page, page, measure)
    assert row.status == "not_applicable"
    assert (
        f"{measure.upper()} is for photographs, and this sample has none: 81% of it" in row.reason
    )


@pytest.mark.usefixtures("here")
def test_an_output_cannot_leave_the_table_by_being_flat_or_small():
    source = np.ascontiguousarray(photograph("chelsea")[:200, :200])
    blank = score(source, np.full_like(source, 255))
    assert blank.status == "undecided"
    assert "Only 0.0% of the picture differs" in blank.reason
    small = score(source, np.ascontiguousarray(source[:20, :20]))
    assert small.status == "undecided"
    assert "at least 28×28 pixels; this picture has 20×20" in small.reason


@pytest.mark.usefixtures("here")
def test_a_sample_that_is_too_small_itself_is_not_applicable():
    tiny = np.ascontiguousarray(photograph("chelsea")[:27, :60])
    row = score(tiny, tiny)
    assert row.status == "not_applicable"


@pytest.mark.parametrize("level", [0, 7, 255])
def test_a_constant_picture_is_never_a_number(level):
    with pytest.raises(NotApplicable, match="differs from its surroundings"):
        features(np.full((60, 60, 3), level, np.uint8))


@pytest.mark.parametrize(
    "picture", [np.zeros((60, 60), np.uint8), np.zeros((60, 60, 3)), np.zeros((0, 9, 3), np.uint8)]
)
def test_what_is_no_rgb_picture_is_a_mistake(picture):
    with pytest.raises(UserMistake, match="H×W×3"):
        features(picture)


# ── weights ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("measure", ["brisque", "niqe"])
def test_without_its_files_a_score_is_unavailable_and_names_the_command(
    measure, tmp_path, monkeypatch
):
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    photo = np.ascontiguousarray(photograph("chelsea")[:200, :200])
    row = score(photo, photo, measure)
    assert row.status == "unavailable"
    assert f"overpaint get {measure}" in row.reason


def test_plain_get_fetches_them_because_they_are_small():
    rows = [weights.row(name) for name in weights.expand()]
    assert {"brisque-svm", "brisque-range", "niqe"} <= {row.name for row in rows}
    assert all(weights.row(name).size < 200_000 for name in (*NEEDS, "niqe"))


def test_ranges_that_ask_for_anything_but_numbers_are_refused(tmp_path):
    with pytest.raises(pickle.UnpicklingError, match="not allowed in a file of ranges"):
        model(*written(tmp_path, "svm_type epsilon_svr\nSV\n1 1:2", between=Path))


def test_a_model_of_another_kind_is_refused(tmp_path):
    text = "svm_type c_svc\nkernel_type rbf\ngamma 1\ntotal_sv 1\nrho 0\nSV\n1 1:2"
    with pytest.raises(Unavailable, match="no regression on 36 features"):
        model(*written(tmp_path, text))
