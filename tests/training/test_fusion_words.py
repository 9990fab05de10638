"""A fusion reads: where pictures have words, right ones are told from wrong ones."""

from functools import cache

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from scipy.stats import spearmanr

from overpaint import weights
from overpaint.core import Edit, Evidence, Request, Sample
from overpaint.document import Document
from overpaint.engines.ebench.sources import SETS, as_bytes, source
from overpaint.errors import Unavailable
from overpaint.measures import reading
from overpaint.measures.learned.features import DEFAULT, READ, WORDS, Features, features, needs
from overpaint.training import fusion_table
from overpaint.training.fusion import Terms, told_unseen
from overpaint.training.fusion_model import TreeTerms
from overpaint.training.fusion_table import have_words, table_of
from overpaint.training.rated import Example
from overpaint.weights.table import TABLE

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, scope="module")
def _tiny() -> None:
    for name in reading.NEEDS["tiny"]:
        try:
            weights.find(name)
        except Unavailable as error:
            pytest.skip(str(error))


DAYS = ("Friday", "Monday", "Sunday", "Tuesday", "Thursday", "Saturday")
# What becomes of the day that was asked for, and what people would say of that.
ENDS = {"{new}": 4.6, "{wrong}": 2.2, "{old}": 1.2, "{cut}": 1.8}


@cache
def page(day: str, place: str) -> Document:
    """A plain notice with a day on it."""
    font = ImageFont.truetype(str(weights.find("font-sans")), 30)
    picture = Image.new("RGB", (420, 150), (240, 236, 226))
    draw = ImageDraw.Draw(picture)
    draw.text((24, 20), f"Market in {place}", fill=(30, 30, 60), font=font)
    draw.text((24, 80), f"Open on {day}", fill=(30, 30, 60), font=font)
    return Document.of(np.asarray(picture))


def examples() -> list[Example]:
    found = []
    for at, place in enumerate(
        ("Bern", "Oslo", "Lima", "Rome", "Kyoto", "Porto", "Turin", "Delhi")
    ):
        old, new, wrong = (DAYS[(at + k) % len(DAYS)] for k in (0, 1, 2))
        asked = f"replace '{old}' with '{new}'"
        for editor, (end, score) in enumerate(ENDS.items()):
            day = end.format(new=new, wrong=wrong, old=old, cut=new[:-3])
            found.append(
                Example(f"s{at}", f"e{editor}", page(old, place), page(day, place), asked,
                        "replace", f"c{at}", {"alignment": score + 0.05 * (at % 3)})
            )  # fmt: skip
    return found


def seen(end: str) -> Features:
    edit = Edit(Sample("", Request(page("Friday", "Bern"), "replace 'Friday' with 'Monday'")), "",
                "ok", page(end, "Bern"))  # fmt: skip
    return features(edit, Evidence(), WORDS)


def test_what_is_read_tells_right_words_from_wrong_ones() -> None:
    right, wrong, same = seen("Monday"), seen("Sunday"), seen("Friday")
    assert right["evidence:IF"] == right["evidence:TA"] == 1
    assert wrong["evidence:IF"] == same["evidence:IF"] == 0
    assert same[READ] == 1
    assert 0.5 < float(right[READ] or 0) < 1


def test_words_are_looked_for_in_the_sources() -> None:
    assert have_words(examples())
    drawn = Document.of(as_bytes(source(SETS[0]).pixels))
    assert not have_words([Example("s", "e", drawn, drawn, "", "", "c", {})])


def test_a_fusion_of_pictures_with_words_learns_whether_they_are_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fusion_table, "DEFAULT", ())
    given = examples()
    scores = np.array([one.scores["alignment"] for one in given])
    terms = Terms(folds=4, trees=TreeTerms(trees=60, depth=2, rate=0.15))
    reached = {}
    for words in (True, False):
        monkeypatch.setattr(fusion_table, "have_words", lambda *_, words=words: words)
        table = table_of(given, workers=0)
        assert set(WORDS) <= set(table.names) if words else not set(WORDS) & set(table.names)
        told = told_unseen(table, scores, np.arange(len(given)), "alignment", terms)
        reached[words] = float(spearmanr(told, scores).statistic)
    assert reached[True] > max(0.8, reached[False])
    assert needs([READ]) == list(reading.NEEDS["tiny"])
    assert set(needs(DEFAULT)) <= {row.name for row in TABLE}, "as a run notes what it used"
