"""Fidelity to all references of a sample, and the average over kinds."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rows_read import tabulate

from overpaint import catalog
from overpaint.core import Edit, Evidence, Request, Sample, Score
from overpaint.document import Document
from overpaint.measures.aggregate import fidelity_average
from overpaint.measures.references_totals import PARTS, RULES, from_means
from overpaint.store import Row
from overpaint.vision.own_weights import digest
from overpaint.vision.references import KINDS, Hints, Kind, edges, extractor
from overpaint.vision.references.drawing import drawn
from overpaint.vision.references.told import Told, facts_of


def picture(shift: int = 0) -> np.ndarray:
    pixels = np.full((90, 120, 3), 60, np.uint8)
    pixels[20:70, 30 + shift : 80 + shift] = (220, 200, 40)
    return pixels


def sample(*kinds: Kind) -> Sample:
    """References of these kinds found in the picture; a caption where one is named."""
    told, pictures = [], []
    for kind in kinds:
        if kind == "caption":
            told.append(Told(kind, "", None, "a yellow block"))
            continue
        found = extractor(kind).find(picture(), Hints())[0]
        told.append(Told(kind, f"<{kind}>", len(pictures), "", found.method, found.version))
        pictures.append(Document.of(drawn(found, (120, 90))))
    truth = Document.of(picture())
    return Sample("one", Request(truth, "…", tuple(pictures)), target=truth, facts=facts_of(told))


def scored(name: str, of: Sample, pixels: np.ndarray) -> Score:
    (score,) = catalog.measure(name).score([Edit(of, "me", "ok", Document.of(pixels))], Evidence())
    return score


def test_fidelity_is_the_mean_over_references_and_tells_each() -> None:
    both = sample("canny", "sketch", "sketch")
    canny, sketch = (scored(f"ref_{kind}", both, picture(9)).value for kind in ("canny", "sketch"))
    found = scored("ref_fidelity", both, picture(9))
    assert found.value == pytest.approx((canny + 2 * sketch) / 3)
    assert found.notes == (f"canny {canny:.3f}, sketch {sketch:.3f}",)
    assert scored("ref_fidelity", both, picture()).value == 1.0


def test_fidelity_tells_weights_of_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "net.onnx").write_bytes(b"weights")
    monkeypatch.setattr(edges, "canny", replace(edges.canny, own=(lambda: tmp_path / "net.onnx",)))
    found = scored("ref_fidelity", sample("canny", "sketch"), picture())
    assert found.notes[1:] == (f"by opencv 1+{digest(tmp_path / 'net.onnx')}",)


def test_one_missing_score_makes_the_whole_missing_and_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OVERPAINT_CLIP", "OVERPAINT_OPEN_CLIP", "OVERPAINT_CLIP_MODEL"):
        monkeypatch.delenv(name, raising=False)
    both = sample("canny", "caption")
    found = scored("ref_fidelity", both, picture())
    assert (found.value, found.status) == (None, "unavailable")
    assert found.reason.startswith("ref_caption: ")
    assert scored("ref_fidelity_rules", both, picture()).value == 1.0


def test_the_rules_leave_out_the_same_kinds_on_every_machine() -> None:
    assert set(KINDS) - set(RULES) == {"depth", "caption", "subject", "style"}
    found = scored("ref_fidelity_rules", sample("caption"), picture())
    assert found.status == "not_applicable"
    assert "none of these among its references: bbox, mask" in found.reason
    about = catalog.measure("ref_fidelity_rules").about
    assert "depth, caption, subject and style are outside of it by definition" in about


def test_a_sample_without_references_raises_no_question() -> None:
    assert scored("ref_fidelity", sample(), picture()).status == "not_applicable"


def test_the_average_is_table_6s_of_the_columns_means() -> None:
    values = dict(zip(PARTS, np.linspace(0.05, 0.95, 10), strict=True))
    by_paper = fidelity_average(
        bbox_iou=values["ref_bbox"], semantic_map_iou=values["ref_semantic_map"],
        mask_iou=values["ref_mask"], depth_mse=1 - values["ref_depth"],
        canny_mse=1 - values["ref_canny"], sketch_mse=1 - values["ref_sketch"],
        caption_clip=values["ref_caption"], pose_map=values["ref_pose"],
        subject_clip=values["ref_subject"], style_clip=values["ref_style"],
    )  # fmt: skip
    assert from_means(list(values.values())) == pytest.approx(by_paper)
    # One sample for each kind, so that each column has a mean over samples of its own.
    samples = [Sample(kind, sample().request) for kind in PARTS]
    rows = [
        Row(of.id, "me", name, value if of.id == name else None,
            "ok" if of.id == name else "not_applicable", "", (), 1.0, 0.0)
        for name, value in values.items()
        for of in samples
    ]  # fmt: skip
    measures = [catalog.measure(name) for name in (*PARTS, "ref_average")]
    (row,) = tabulate(measures, rows, samples)
    assert row.cells["ref_average"].value == pytest.approx(by_paper)
    (partly,) = tabulate(measures, rows[:-10], samples)
    assert partly.cells["ref_average"].value is None
    assert "ref_style has no score" in partly.cells["ref_average"].notes[0]


def test_the_average_is_of_an_editor_and_not_of_an_output() -> None:
    found = scored("ref_average", sample("canny"), picture())
    assert found.status == "not_applicable"
    assert "once, from the means of the ten kinds. ref_fidelity is that of one" in found.reason
