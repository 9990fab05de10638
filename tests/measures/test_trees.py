"""True TEDS: apted as reference, broken and hostile HTML, and the laws of a similarity."""

import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from apted import APTED, Config
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from overpaint.errors import DataError, NotApplicable
from overpaint.measures import text, trees
from overpaint.measures.trees import Node, Tree

Label = tuple[str, int, int]

nodes = st.recursive(
    st.builds(
        lambda label, words: Node((label, 1, 1), [words]),
        st.sampled_from("abc"),
        st.sampled_from(["", "x", "xy", "今天"]),
    ),
    lambda inner: st.builds(
        lambda label, below: Node((label, 1, 1), [], below),
        st.sampled_from("abc"),
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)
cells = st.tuples(
    st.sampled_from(["td", "td", "th"]),
    st.sampled_from(["", "", ' colspan="2"', " rowspan=3"]),
    st.sampled_from(["", "1", "12.5", "net income", "net incone", "合计"]),
)


@st.composite
def tables(draw: st.DrawFn) -> str:
    rows = draw(st.lists(st.lists(cells, max_size=5), max_size=6))
    lines = [
        "<tr>" + "".join(f"<{tag}{span}>{words}</{tag}>" for tag, span, words in row) + "</tr>"
        for row in rows
    ]
    head = draw(st.integers(0, len(lines)))
    parts = ["".join(lines[:head]), "".join(lines[head:])]
    if draw(st.booleans()):
        parts = [f"<thead>{parts[0]}</thead>", f"<tbody>{parts[1]}</tbody>"]
    return f"<table>{parts[0]}{parts[1]}</table>"


# ── references ──────────────────────────────────────────────────────────────────────────


class Plain:
    """A node as apted wants it."""

    def __init__(self, label: Label, words: str, children: list["Plain"]) -> None:
        self.label, self.words, self.children = label, words, children


class Costs(Config):  # type: ignore[misc]
    """Between like labels the normalised distance of their texts, else 1."""

    def rename(self, a: Plain, b: Plain) -> float:
        if a.label != b.label:
            return 1.0
        return float(Levenshtein.normalized_distance(a.words, b.words))

    def children(self, node: Plain) -> list[Plain]:
        return node.children


def nested(tree: Tree) -> Plain:
    """The tree from its postorder."""
    open_: list[tuple[int, Plain]] = []
    for label, words, leaf in zip(tree.labels, tree.texts, tree.leftmost, strict=True):
        children = []
        while open_ and open_[-1][0] >= leaf:
            children.append(open_.pop()[1])
        open_.append((leaf, Plain(label, words, children[::-1])))
    return open_[0][1]


def apted_distance(a: Tree, b: Tree) -> float:
    return float(APTED(nested(a), nested(b), Costs()).compute_edit_distance())


@pytest.mark.slow
@given(nodes, nodes)
@settings(max_examples=200, deadline=None)
def test_the_distance_of_any_two_trees_equals_that_of_apted_to_six_digits(
    one: Node, other: Node
) -> None:
    a, b = trees.tree(one), trees.tree(other)
    assert trees.distance(a, b) == pytest.approx(apted_distance(a, b), abs=1e-6)


@given(tables(), tables())
@settings(max_examples=60, deadline=None)
def test_the_similarity_of_any_two_tables_is_that_of_apted_and_zhong_to_six_digits(
    one: str, other: str
) -> None:
    a, b = trees.table(one), trees.table(other)
    assert a is not None
    assert b is not None
    larger = max(one.count("<t"), other.count("<t")) - 1
    expected = max(0.0, 1 - apted_distance(a, b) / larger) if larger else 1.0
    assert text.teds(one, other) == pytest.approx(expected, abs=1e-6)


def test_tables_of_real_documents_have_the_distance_of_apted(fixtures: Path) -> None:
    pages = json.loads((fixtures / "omnidocbench" / "OmniDocBench_demo.json").read_text())
    found = [part["html"] for page in pages for part in page["layout_dets"] if part.get("html")]
    read = [tree for html in found if (tree := trees.table(html))]
    assert len(read) == len(found) >= 10
    for a, b in pairwise(read):
        assert trees.distance(a, b) == pytest.approx(apted_distance(a, b), abs=1e-6)
    assert all(text.teds(html, html) == 1 for html in found)


def test_a_similarity_worked_out_by_hand() -> None:
    true = "<table><tr><td>a</td><td>bcde</td></tr><tr><td>f</td><td>g</td></tr></table>"
    found = "<table><tr><td>a</td><td>bcdX</td></tr><tr><td colspan=2>f</td></tr></table>"
    # A quarter of a cell, a cell with another span, a cell gone; two rows and four cells.
    assert text.teds(found, true) == pytest.approx(1 - 2.25 / 6)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@given(tables(), tables())
@settings(max_examples=50, deadline=None)
def test_a_table_is_most_like_itself_and_likeness_is_mutual(one: str, other: str) -> None:
    assert text.teds(one, one) == 1
    assert 0 <= text.teds(one, other) <= 1
    assert text.teds(one, other) == pytest.approx(text.teds(other, one), abs=1e-12)


@given(nodes, nodes, nodes)
@settings(max_examples=50, deadline=None)
def test_the_way_over_a_third_tree_is_never_shorter(one: Node, other: Node, third: Node) -> None:
    a, b, c = trees.tree(one), trees.tree(other), trees.tree(third)
    assert trees.distance(a, b) <= trees.distance(a, c) + trees.distance(c, b) + 1e-9


def test_spans_belong_to_a_cell_and_its_tag_does_not() -> None:
    plain = "<table><tr><td>a</td></tr></table>"
    for span in ("colspan", "rowspan"):
        assert text.teds(plain, f"<table><tr><td {span}=2>a</td></tr></table>") == 0.5
    assert text.teds(plain, "<table><tr><th>a</th></tr></table>") == 1


# ── whatever stands in the HTML ─────────────────────────────────────────────────────────

WHOLE = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"


@pytest.mark.parametrize(
    "html",
    [
        "<TABLE><TR><TD>a<TD>b<TR><TD>c<TD>d",
        "<tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>",
        "<td>a<td>b</tr><td>c<td>d",
        "<html><body>before" + WHOLE + "after</body></html>",
        "<table border=1 class='x'><tr><td> a\n</td><td style='x'><b>b</b></td></tr>"
        "<tr><td><p>c</p></td><td>d<br></td></tr></table>",
        "<table><tr><td>a</td><td>b</td></tr></table><table><tr><td>c</td><td>d</td></tr></table>",
        "<table><tr><td>a</td><td>&#98;</td></tr><tr>lost<td>c</td>lost<td>d</td></tr></table>",
        "<table><!-- x --><tr><td>a<script>alert(1)</script></td><td>b<style>p{}</style></td></tr>"
        "<tr><td>c</td></b></i><td>d</td></tr></table></table></td>",
        "<table><tr><td colspan='-5'>a</td><td colspan=0>b</td></tr>"
        "<tr><td colspan=x rowspan=''>c</td><td colspan>d</td></tr></table>",
    ],
)
def test_broken_tables_are_read_as_a_browser_shows_them(html: str) -> None:
    assert trees.table(html) == trees.table(WHOLE)


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<td>a<table><tr><td>b</td><td>c</td></tr></table>d", ("a b c d",)),
        ("<td>a<table><td>b", ("a b",)),
        ("<td>x &lt; y &amp;&nbsp;z&#x4e2d;", ("x < y & z中",)),
        ("<td>a < b", ("a < b",)),
        ("<td>R&D", ("R&D",)),
        ("<td>a<br>b<p>c</p>d<li>e", ("a b c d e",)),
        ("<td>\ud800\x00", ("\ud800\x00",)),
        ("<td>a<![x", ("a",)),
        ("<td>a<!-- b", ("a",)),
    ],
)
def test_a_cell_is_its_plain_text(html: str, texts: tuple[str, ...]) -> None:
    found = trees.table(html)
    assert found is not None
    assert found.texts[:-2] == texts


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("colspan=3", ("td", 1, 3)),
        ("colspan='9999999'", ("td", 1, 1000)),
        ("rowspan=99999999999999999999", ("td", 65_534, 1)),
        ("rowspan=0", ("td", 0, 1)),
        ("colspan=' +2x'", ("td", 1, 2)),
        ("colspan=2.9", ("td", 1, 2)),
        ("rowspan=-1", ("td", 1, 1)),
        ("colspan=٣", ("td", 1, 1)),
    ],
)
def test_spans_are_read_as_the_html_standard_says(written: str, label: Label) -> None:
    found = trees.table(f"<td {written}>")
    assert found is not None
    assert found.labels[0] == label


def test_sections_and_captions_are_nodes_of_their_own() -> None:
    html = "<table><caption>Sales</caption><thead><th>a<tbody><tr><td>b</table>"
    found = trees.table(html)
    assert found is not None
    names = [label[0] for label in found.labels]
    assert names == ["caption", "td", "tr", "thead", "td", "tr", "tbody", "table"]
    assert found.texts[0] == "Sales"


fragments = st.sampled_from(
    ["<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<td colspan='2'", ">", "<", "</",
     "<!--", "-->", "<![CDATA[", "<!DOCTYPE", "<script>", "</script>", "&", "&#", "\x00", "\ud800",
     "a", "\"", "'", "<br/>", "<thead>", "<caption>", "</caption>", "<?", "]]>", "=", " "]
)  # fmt: skip


@given(st.lists(st.one_of(fragments, st.text(max_size=3)), max_size=40).map("".join))
@settings(max_examples=300, deadline=None)
def test_no_text_makes_reading_or_comparing_raise(html: str) -> None:
    found = trees.table(html)
    assert found is None or trees.similarity(found, found) == 1
    assert 0 <= text.teds(html, WHOLE) <= 1


def test_a_candidate_without_a_table_has_nothing_and_a_truth_without_one_no_question() -> None:
    assert text.teds("plain words", WHOLE) == 0
    assert text.teds("", WHOLE) == 0
    with pytest.raises(NotApplicable, match="The truth has no table"):
        text.teds(WHOLE, "plain words")
    assert text.teds("<table></table>", "<table></table>") == 1
    assert text.teds("<table></table>", WHOLE) == 0


@pytest.mark.parametrize(
    "piece", ["<", "</", "<!--", "<a ", "<p a='", "&", "< x", "<b>", "<script>"]
)
def test_half_a_million_characters_of_broken_tags_take_seconds_at_most(piece: str) -> None:
    start = time.process_time()
    trees.table("<td>" + piece * (400_000 // len(piece)))
    assert time.process_time() - start < 5


def test_what_is_too_large_is_refused_with_its_size() -> None:
    with pytest.raises(DataError, match="A table of 500,001 characters"):
        trees.table("x" * 500_001)
    with pytest.raises(DataError, match="more than 3,000 rows and cells"):
        trees.table("<td>" * 3_001)


def test_the_largest_table_takes_seconds() -> None:
    html = "<table>" + ("<tr>" + "<td>some words" * 29) * 99
    start = time.process_time()
    found: Any = text.teds(html.replace("words", "word"), html)
    assert time.process_time() - start < 10
    assert 0.7 < found < 1
