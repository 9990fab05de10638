"""Numbers of sets: Fréchet distances of all outputs to all truths, and OKS mAP over all people.

`fid` is of Inception features (Heusel et al. 2017), resized as Clean-FID does. A covariance of
2,048 features has full rank only from 2,049 different pictures on; below that the number says more
about how many pictures there are than about how they look, so it is refused. `frechet_features` is
the same distance of MobileNetV2's 1,280 features. It is another number and never called FID; it may
be had of smaller sets, and says so, because it falls as sets grow: hold it only against sets of the
same size. `ref_pose_map` is COCO's number of a set, where ref_pose is the mean of pictures'.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Edit, Evidence, Found, Measure, finding, together
from overpaint.document import Document
from overpaint.errors import NotApplicable
from overpaint.measures import references
from overpaint.measures.frechet import frechet_distance
from overpaint.measures.oks import JOINTS, People, oks_map
from overpaint.vision.references import Extractor, extracted, extractor

INCEPTION, MOBILENET = 2_048, 1_280  # features
FEWEST_FID = INCEPTION + 1
FEWEST = 32  # pictures for a distance of another name; of fewer, not even their mean is settled


@dataclass(frozen=True)
class _Features:
    """What finds the features of a picture, how many, who that is, and the smallest set of them."""

    find: Callable[[Evidence, Document], NDArray[np.float32]]
    told: Callable[[], str]
    count: int
    fewest: int


def _inception(evidence: Evidence, document: Document) -> NDArray[np.float32]:
    from overpaint.vision import inception

    return inception.inception(evidence, document)


def _inception_told() -> str:
    from overpaint.vision import inception

    return inception.told()


def _mobilenet(evidence: Evidence, document: Document) -> NDArray[np.float32]:
    from overpaint.vision import features

    return features.features(evidence, document)


def _look(of: _Features, edit: Edit, evidence: Evidence) -> None:
    """See both pictures once; what is found is kept."""
    for document in _pair(edit):
        of.find(evidence, document)


def _pair(edit: Edit) -> tuple[Document, Document]:
    assert edit.output is not None
    if edit.sample.target is None:
        raise NotApplicable("There is no truth that the output could be like.")
    return edit.output, edit.sample.target


def _distance(of: _Features, edits: Sequence[Edit], evidence: Evidence) -> Found:
    pairs = [_pair(edit) for edit in edits]
    different = len({truth.key for _, truth in pairs})
    if different < of.fewest:
        raise NotApplicable(
            f"The set has {different:,} different truths.",
            f"At least {of.fewest:,} are needed for this distance.",
            "Score a larger set.",
        )
    outputs, truths = (
        np.stack([of.find(evidence, document) for document in side])
        for side in zip(*pairs, strict=True)
    )
    note = f"{len(pairs):,} outputs, {different:,} different truths"
    if different <= of.count:
        note += f", {of.count:,} features: to be held against sets of this size only"
    return Found(frechet_distance(outputs, truths), (note, f"by {of.told()}"))


def _frechet(name: str, of: _Features, about: str, *needs: str) -> Measure:
    return Measure(
        name, together(name, partial(_distance, of)), higher_is_better=False, worst=None,
        best=0.0, scope="set", look=partial(_look, of), needs=needs, about=about,
    )  # fmt: skip


# ── poses ───────────────────────────────────────────────────────────────────────────────


@finding(version="2", keep=True)  # 2: OpenPose's colours are read
def _asked(evidence: Evidence, picture: Document, size: tuple[int, int]) -> list[Any]:
    joints: list[Any] = references.shown(evidence, picture, "pose", size).tolist()
    return joints


@finding(keep=True)
def _found(evidence: Evidence, document: Document, method: str, version: str) -> list[Any]:
    people = extracted(evidence, document, extractor("pose", method))
    return [person for one in people for person in one.value.tolist()]


def _people(edit: Edit, evidence: Evidence) -> People:
    told = references.asked_for("pose", edit.sample)
    output, _ = references.at_size(edit, evidence)
    by = _finder(edit)
    pictures = references.pictures(told, edit.sample)
    asked = [person for one in pictures for person in _asked(evidence, one, output.size)]
    if not asked:
        raise references.nothing_shown("pose")
    return People(_joints(asked), _joints(_found(evidence, output, by.method, by.exact)))


def _finder(edit: Edit) -> Extractor:
    return references.looks(references.asked_for("pose", edit.sample)[0])[0]


def _joints(people: Iterable[Any]) -> NDArray[np.float64]:
    return np.array(list(people), np.float64).reshape(-1, JOINTS, 3)


def _map(edits: Sequence[Edit], evidence: Evidence) -> Found:
    crowds = [_people(edit, evidence) for edit in edits]
    value = oks_map(crowds)
    if value is None:
        raise references.nothing_shown("pose")
    asked = [one for crowd in crowds for one in crowd.asked]
    found = [one for crowd in crowds for one in crowd.found]
    by = sorted({f"by {one.method} {one.exact}" for one in map(_finder, edits)})
    return Found(value, (references.counted("person", "people", asked, found), *by))


fid = _frechet(
    "fid", _Features(_inception, _inception_told, INCEPTION, FEWEST_FID),
    f"FID of all outputs to all truths (Heusel 2017), Clean-FID's resizing; from {FEWEST_FID:,}"
    " pictures on",
)  # fmt: skip
frechet_features = _frechet(
    "frechet_features", _Features(_mobilenet, lambda: "MobileNetV2", MOBILENET, FEWEST),
    f"Fréchet distance of all outputs to all truths by MobileNetV2's features; not FID; from"
    f" {FEWEST} pictures on", "features",
)  # fmt: skip
ref_pose_map = Measure(
    "ref_pose_map", together("ref_pose_map", _map), higher_is_better=True, worst=0.0, best=1.0,
    scope="set", look=_people, version=references.ref_pose.version, needs=references.ref_pose.needs,
    about="people's joints found again: OKS mAP over the whole set (COCO)",
)  # fmt: skip
