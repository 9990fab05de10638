"""Fusion: our own measures and looks of an edit, weighed together to what people would say of it.

A fusion is one file, `fusion.json`: the features it wants, and for each dimension its members and
how much each counts. A member is trees or curves (`training/fusion_model.py` grows them); what is
told is their weighted mean, with an interval as wide as the errors were on sources left out. It
runs with numpy alone. The file is plain JSON, and every number in it is checked before use.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Edit, Evidence
from overpaint.errors import OverpaintError, UserMistake, unread
from overpaint.measures.learned import YES_NO, Package, Told
from overpaint.measures.learned.features import KNOWN, VERSION, features, version_of

FILE = "fusion.json"
MODEL_FORMAT = "overpaint fusion 1"
LARGEST = 64 * 2**20  # bytes
LARGEST_NUMBER = 1e12
DEEPEST, MOST_TREES, MOST_FEATURES = 8, 20_000, 5_000

Floats = NDArray[np.float64]


# ── members ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Trees:
    """Full binary trees that add up, by tree and node; the root first, then level by level."""

    start: float
    feature: NDArray[np.int64]  # -1: everything goes to the left
    threshold: Floats  # up to and with it an edit goes to the left
    missing_left: NDArray[np.bool_]
    leaves: Floats

    def __call__(self, values: Floats) -> Floats:
        """What they tell of each edit (edits × features, NaN where one is missing)."""
        inner, tree = self.feature.shape[1], np.arange(len(self.feature))
        row = np.arange(len(values))[:, None]
        at = np.zeros((len(values), len(tree)), np.int64)
        for _ in range((inner + 1).bit_length() - 1):
            feature = self.feature[tree, at]
            value = values[row, feature]
            left = np.where(
                np.isnan(value), self.missing_left[tree, at], value <= self.threshold[tree, at]
            )
            at = 2 * at + np.where(left | (feature < 0), 1, 2)
        return np.asarray(self.start + self.leaves[tree, at - inner].sum(axis=1))

    def to_json(self) -> dict[str, Any]:
        """As plain values; a threshold beyond everything is None."""
        ends = [[None if math.isinf(x) else x for x in row] for row in self.threshold.tolist()]
        return {
            "kind": "trees", "start": self.start, "feature": self.feature.tolist(),
            "threshold": ends, "missing_left": self.missing_left.astype(int).tolist(),
            "leaves": self.leaves.tolist(),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Curves:
    """A sum of curves of one feature each: straight between knots and level beyond them."""

    start: float
    curves: Mapping[int, tuple[Floats, Floats]]  # feature -> knots, heights

    def __call__(self, values: Floats) -> Floats:
        """What they tell of each edit; a missing feature adds nothing."""
        told = np.full(len(values), self.start)
        for feature, (knots, heights) in self.curves.items():
            column = values[:, feature]
            there = ~np.isnan(column)
            told[there] += np.interp(column[there], knots, heights)
        return told

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        drawn = [[at, knots.tolist(), heights.tolist()] for at, (knots, heights) in
                 self.curves.items()]  # fmt: skip
        return {"kind": "curves", "start": self.start, "curves": drawn}


Member = Trees | Curves


@dataclass(frozen=True, eq=False)
class Dimension:
    """What tells one dimension: members, what each counts for, and how far they may be wrong."""

    members: Sequence[Member]
    weights: Sequence[float]
    reach: float | None = None  # half of the 95 % interval; None where it is not known

    def __call__(self, values: Floats) -> Floats:
        """What is told of each edit."""
        parts = zip(self.weights, self.members, strict=True)
        return np.asarray(sum(weight * member(values) for weight, member in parts))


@dataclass(frozen=True, eq=False)
class Fusion:
    """A trained fusion."""

    features: tuple[str, ...]
    measures: tuple[str, ...]
    dimensions: Mapping[str, Dimension]
    scales: Mapping[str, tuple[float, float]]

    def __call__(self, edit: Edit, evidence: Evidence) -> dict[str, Told]:
        """What it says of an edit, in every dimension."""
        found = features(edit, evidence, self.measures)
        if unknown := sorted(set(self.features) - found.keys()):
            raise UserMistake(
                f"The fusion asks for the feature {unknown[0][:60]!r}, which is not known here.",
                "Features are those of the version of Overpaint that trained it.",
                "Use that version, or train it again.",
            )
        values = as_row(found, self.features)[None]
        return {name: self._told(name, values) for name in self.dimensions}

    def _told(self, name: str, values: Floats) -> Told:
        one = self.dimensions[name]
        value = float(one(values)[0])
        if self.scales[name] == YES_NO:
            return Told(min(max(value, 0.0), 1.0))
        return (
            Told(value) if one.reach is None else Told(value, value - one.reach, value + one.reach)
        )


def as_row(found: Mapping[str, float | None], names: Sequence[str]) -> Floats:
    """Features in the order of names; what is missing is NaN, what is endless as well."""
    row = np.array([math.nan if found[name] is None else found[name] for name in names], np.float64)
    row[~np.isfinite(row)] = math.nan
    return row


# ── the file ────────────────────────────────────────────────────────────────────────────


def write(path: Path, fusion: Fusion) -> None:
    """Keep a fusion as plain JSON, with nine digits a number; curves keep all of theirs."""
    told = {
        "format": MODEL_FORMAT, "features": list(fusion.features),
        "measures": list(fusion.measures), "versions": versions(fusion.measures),
        "dimensions": {name: {"weights": list(one.weights), "reach": one.reach,
                              "members": [member.to_json() for member in one.members]}
                       for name, one in fusion.dimensions.items()},
    }  # fmt: skip
    text = json.dumps(_rounded(told), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def versions(measures: Sequence[str]) -> dict[str, str]:
    """What would make other numbers of the same features if it changed."""
    return {"features": VERSION, **{spec: version_of(spec) for spec in measures}}


def _rounded(value: Any) -> Any:
    if isinstance(value, dict) and value.get("kind") == "curves":
        return value  # whose knots may be closer together
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return {key: _rounded(one) for key, one in value.items()} if isinstance(value, dict) else value


def load(package: Package) -> Fusion:
    """The fusion of a package; a file in which anything is not as it is written is refused."""
    path = package.part(FILE)
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"it has more than {LARGEST >> 20} MB")
        return read(json.loads(path.read_bytes()), package.scales)
    except OSError as error:
        raise _unusable(path, str(error.strerror)) from None
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise _unusable(path, unread(error) or "it is not as training writes it") from None


def read(told: Any, scales: Mapping[str, tuple[float, float]]) -> Fusion:
    """A fusion from plain values; ValueError, TypeError or KeyError where they make none."""
    _want(told["format"] == MODEL_FORMAT, f"it is not of the form {MODEL_FORMAT!r}")
    names, specs = tuple(told["features"]), tuple(told["measures"])
    _want(0 < len(names) <= MOST_FEATURES, "it has no features, or too many")
    _want(all(isinstance(one, str) for one in (*names, *specs)), "a feature has no name")
    _want(set(specs) <= set(KNOWN), "it wants a measure that no fusion is made of")
    _want(told["versions"] == versions(specs), "it was trained with other versions of its measures")
    _want(set(told["dimensions"]) == set(scales), "its dimensions are not those of its package")
    count = len(names)
    return Fusion(
        names, specs, {name: _dimension(told["dimensions"][name], count) for name in scales}, scales
    )


def _dimension(told: Any, count: int) -> Dimension:
    weights, reach = _numbers(told["weights"], 1), told["reach"]
    members = [_member(one, count) for one in told["members"]]
    _want(len(members) == len(weights) > 0, "its members and their weights are not as many")
    _want(reach is None or 0 <= float(reach) < LARGEST_NUMBER, "its reach is no width")
    return Dimension(members, weights.tolist(), None if reach is None else float(reach))


def _member(told: Any, count: int) -> Member:
    start = float(_numbers([told["start"]], 1)[0])
    if told["kind"] == "curves":
        return Curves(start, dict(_curve(one, count) for one in told["curves"]))
    _want(told["kind"] == "trees", "a member is of no known kind")
    ends = [[math.inf if x is None else x for x in row] for row in told["threshold"]]
    threshold = np.array(ends, np.float64)
    feature = np.array(told["feature"], np.int64)
    leaves, side = _numbers(told["leaves"], 2), np.array(told["missing_left"], np.bool_)
    _want(len(feature) <= MOST_TREES and feature.ndim == 2, "its trees are no trees, or too many")
    inner = feature.shape[1]
    _want(inner + 1 in [2**deep for deep in range(1, DEEPEST + 1)], "its trees are not full")
    right = threshold.shape == side.shape == feature.shape
    _want(right and leaves.shape == (len(feature), inner + 1), "its trees do not fit together")
    _want(not np.isnan(threshold).any(), "a threshold is no number")
    _want(bool(((feature >= -1) & (feature < count)).all()), "a tree asks for no known feature")
    return Trees(start, feature, threshold, side, leaves)


def _curve(told: Any, count: int) -> tuple[int, tuple[Floats, Floats]]:
    at, knots, heights = told
    _want(type(at) is int and 0 <= at < count, "a curve is of no known feature")
    x, y = _numbers(knots, 1), _numbers(heights, 1)
    _want(len(x) == len(y) > 0 and bool((np.diff(x) > 0).all()), "a curve has no knots in order")
    return at, (x, y)


def _numbers(told: Any, dimensions: int) -> Floats:
    found = np.array(told, np.float64)
    # Sums of larger ones would be endless; NaN is not below anything.
    _want(found.ndim == dimensions and bool((np.abs(found) < LARGEST_NUMBER).all()),
          "a number in it is none, or too large")  # fmt: skip
    return found


def _want(right: bool, why: str) -> None:
    if not right:
        raise ValueError(why)


def _unusable(path: Path, why: str) -> OverpaintError:
    return UserMistake(
        f"{path} cannot be used: {why}.",
        "It stands as `overpaint train fusion` wrote it.",
        "Copy the folder again, or train it again.",
    )
