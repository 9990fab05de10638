"""Corpus statistics: equal to an independent computation, and sound at the edges."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from overpaint.core import Request, Sample
from overpaint.document import Document
from overpaint.document.pictures import encode_png
from overpaint.engines.corpus import (
    FIGURES,
    VISUAL,
    Layout,
    describe,
    entropy,
    layouts_of,
    scaled,
)
from overpaint.vision.page import Block

KINDS = ("text", "title", "table", "figure", "footer")


def made(seed: int, pages: int = 40) -> list[Layout]:
    """Pages of four sources, blocks anywhere, some beyond the page's edge."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(pages):
        width, height = rng.integers(300, 900, 2)
        blocks = []
        for _ in range(rng.integers(1, 12)):
            left, top = rng.uniform(-50, 400, 2)
            box = (left, top, left + rng.uniform(1, 300), top + rng.uniform(1, 300))
            blocks.append(Block(box, "", str(rng.choice(KINDS))))
        source = f"source {rng.integers(4)}"
        found.append(Layout(source, float(width), float(height), tuple(blocks)))
    return found


def shares(page: Layout) -> np.ndarray:
    """The share of the page that each kind takes, with every pixel's corners as arrays."""
    boxes = np.array([block.box for block in page.blocks])
    sides = np.clip(boxes, 0, [page.width, page.height] * 2)
    areas = np.maximum(sides[:, 2:] - sides[:, :2], 0).prod(1) / (page.width * page.height)
    kinds = np.array([block.kind for block in page.blocks])
    return np.array([areas[kinds == kind].sum() for kind in KINDS])


@pytest.mark.parametrize("seed", range(5))
def test_density_and_z_scores_equal_numpy_and_scipy(seed: int) -> None:
    pages = made(seed)
    corpus = describe(pages)
    sources = sorted({page.source for page in pages})
    expected = np.array(
        [np.mean([shares(p) for p in pages if p.source == source], axis=0) for source in sources]
    )
    found = np.array([[corpus.densities[s][kind] for kind in KINDS] for s in sources])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    z = np.array([[corpus.z[s][kind] for kind in KINDS] for s in sources], dtype=float)
    np.testing.assert_allclose(z, stats.zscore(expected, axis=0), rtol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_six_figures_equal_an_independent_computation(seed: int) -> None:
    pages = made(seed)
    corpus = describe(pages)
    for source in sorted({page.source for page in pages}):
        mine = [page for page in pages if page.source == source]
        area = np.array([shares(page) for page in mine])
        counts = np.array(
            [[sum(b.kind == kind for b in page.blocks) for kind in KINDS] for page in mine]
        )
        visual = area[:, [kind in VISUAL for kind in KINDS]].sum()
        expected = (
            area.sum(1).mean(),
            (counts > 0).sum(1).mean(),
            counts.sum(1).mean(),
            stats.entropy(counts.sum(0), base=2),
            1 - visual / area.sum(),
            visual / area.sum(),
        )
        found = [corpus.figures[source][name] for name in FIGURES]
        np.testing.assert_allclose(np.array(found, float), expected, rtol=1e-9)


def test_what_does_not_exist_is_none_and_not_a_number() -> None:
    empty = describe([Layout("a", 100, 100, ())])
    assert empty.figures["a"] == {
        "density": 0.0, "complexity": 0.0, "richness": 0.0, "entropy": None,
        "text ratio": None, "visual ratio": None,
    }  # fmt: skip
    one = describe([Layout("a", 100, 100, (Block((0, 0, 50, 50), ""),))])
    assert one.z == {"a": {"text": None}}  # one source has nothing to be compared with
    assert describe([]).pages == {}
    assert set(scaled(one.figures)["a"].values()) == {None}


@given(st.dictionaries(st.sampled_from(KINDS), st.integers(0, 50)))
def test_entropy_is_least_for_one_kind_and_at_most_that_of_equal_shares(
    counts: dict[str, int],
) -> None:
    found = entropy(counts)
    if found is None:
        assert not sum(counts.values())
    else:
        there = sum(count > 0 for count in counts.values())
        assert -1e-12 <= found <= np.log2(there) + 1e-12


@given(seed=st.integers(0, 50))
def test_columns_are_scaled_from_least_to_most(seed: int) -> None:
    corpus = describe(made(seed))
    for name in FIGURES:
        column = [scaled(corpus.figures)[source][name] for source in corpus.figures]
        assert (min(column), max(column)) == (0, 1) or column == [None] * len(column)


def test_samples_of_one_page_count_it_once(tmp_path: Path) -> None:
    file = tmp_path / "page.png"
    file.write_bytes(encode_png(np.full((50, 100, 3), 255, np.uint8)))
    blocks = [{"block_bbox": [0, 0, 50, 50], "block_content": "a", "block_label": "text"}]
    samples = [
        Sample(
            name, Request(Document(file), "x"), target=Document(file), tags={"document": "book"},
            facts={"page_blocks": blocks}, cluster=cluster,
        )
        for name, cluster in (("a", "page 1"), ("b", "page 1"), ("c", "page 2"))
    ]  # fmt: skip
    samples.append(Sample("d", Request(Document(file), "x"), cluster="page 3"))  # knows no blocks
    found = layouts_of(samples)
    assert [(page.source, page.width, page.height) for page in found] == [("book", 100, 50)] * 2
    assert describe(found).densities == {"book": {"text": 0.5}}
