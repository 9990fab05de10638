"""Words of a picture made larger or smaller: their line makes room and stays aligned."""

from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.geometry import scaled_style
from overpaint.document.layers import Colour, Run, Style, Text
from overpaint.document.ops import Delete, Restyle, Scale
from overpaint.document.text.fonts import here
from overpaint.document.where import Where
from overpaint.editors.typeset import perform
from overpaint.errors import Refused

pytestmark = pytest.mark.slow  # each test reads and matches a page

INK: Colour = (30, 40, 60, 255)
RED: Colour = (220, 0, 0, 255)
LINE = Style("PT Sans", 24, colour=INK)


def page(*texts: tuple[Text, float, float]) -> Document:
    """Texts on plain paper, each with the first pen's place, 440×200."""
    ground = Layer(Picture(np.full((200, 440, 4), (250, 247, 240, 255), np.uint8)), "ground", "0")
    laid = (Layer(text, f"{n}", f"{n}", x, y) for n, (text, x, y) in enumerate(texts, 1))
    return Document(made=(ground, *laid), canvas=(440, 200))


def said(words: str, style: Style = LINE) -> Text:
    return Text((Run(words, style),))


def grown(before: str, words: str, after: str, style: Style, factor: float) -> Text:
    large = scaled_style(style, factor)
    return Text((Run(before, style), Run(words, large), Run(after, style)))


def error(one: Document, other: Document) -> float:
    return float(((one.rgb.astype(float) - other.rgb) ** 2).mean())


def flat(document: Document) -> Document:
    return Document.of(document.rgb)


BELOW = (said("Every morning from nine to noon"), 40, 140)


@pytest.mark.parametrize("factor", [1.25, 0.8])
def test_a_word_inside_a_line_moves_what_follows_when_its_size_changes(factor: float) -> None:
    before = page((said("Save half on everything"), 40, 80), BELOW)
    after = page((grown("Save ", "half", " on everything", LINE, factor), 40, 80), BELOW)
    done = perform(flat(before), (Scale(Where(text="half"), factor),))
    assert error(done, after) < 5
    assert error(done, before) > 300


def test_a_line_in_the_middle_stays_there_when_a_word_of_it_grows() -> None:
    middle = replace(LINE, align="centre")
    rest = (said("Monday to Friday", middle), 220, 150)
    before = page((said("Up to 50% off it all", middle), 220, 80), rest)
    after = page((grown("Up to ", "50%", " off it all", middle, 1.25), 220, 80), rest)
    assert error(perform(flat(before), (Scale(Where(text="50%"), 1.25),)), after) < 3


def test_a_line_in_the_middle_stays_there_when_a_word_of_it_becomes_bold() -> None:
    middle = replace(LINE, align="centre")
    rest = (said("Monday to Friday", middle), 220, 150)
    before = page((said("Up to 50% off it all", middle), 220, 80), rest)
    runs = (Run("Up to ", middle), Run("50% off", replace(middle, weight=700)),
            Run(" it all", middle))  # fmt: skip
    done = perform(flat(before), (Restyle(Where(text="50% off"), weight=700),))
    assert error(done, page((Text(runs), 220, 80), rest)) < 3
    assert error(before, page((Text(runs), 220, 80), rest)) > 100


def test_letters_of_an_unknown_font_grow_and_close_up_as_they_are() -> None:
    hand = replace(LINE, family="Kalam", size=30.0)
    rest = (said("Every morning from nine", hand), 40, 140)
    before = flat(page((said("Save half on everything", hand), 40, 80), rest))
    unknown = here().without("Kalam*")
    large = page((grown("Save ", "half", " on everything", hand, 1.25), 40, 80), rest)
    done = perform(before, (Scale(Where(text="half"), 1.25),), library=unknown)
    assert error(done, large) < 0.3 * error(before, large)
    short = page((said("Save everything", hand), 40, 80), rest)
    done = perform(before, (Delete(Where(text="half on")),), library=unknown)
    assert error(done, short) < 0.3 * error(before, short)


def test_a_title_at_the_left_grows_from_its_left_edge_on_its_baseline() -> None:
    title = replace(LINE, size=40.0, weight=700)
    before = page((said("INVOICE", title), 40, 70), BELOW)
    after = page((said("INVOICE", scaled_style(title, 1.25)), 40, 70), BELOW)
    assert error(perform(flat(before), (Scale(Where(role="title"), 1.25),)), after) < 1


def test_a_word_in_another_colour_than_its_line_keeps_it_when_it_grows() -> None:
    source = flat(page((said("Save half on everything"), 40, 80), BELOW))
    where = Where(text="half")
    done = perform(source, (Restyle(where, colour=RED), Scale(where, 1.25)))
    large = scaled_style(LINE, 1.25)
    runs = (
        Run("Save ", LINE),
        Run("half", replace(large, colour=RED)),
        Run(" on everything", LINE),
    )
    assert error(done, page((Text(runs), 40, 80), BELOW)) < 5


def test_words_that_would_not_fit_or_would_lie_over_others_are_not_made_larger() -> None:
    source = flat(page((said("Save half on everything"), 40, 110), (said("From nine"), 40, 140)))
    with pytest.raises(Refused, match="“Save half on everything” would not fit: it would need"):
        perform(source, (Scale(Where(text="everything"), 2.5),))
    with pytest.raises(Refused, match="“Save half on everything” is in the way"):
        perform(source, (Scale(Where(text="nine"), 2.5),))


def test_words_that_stand_twice_in_a_centred_line_are_both_set_in_bold() -> None:
    middle = replace(LINE, family="PT Serif", size=22.0, align="centre")
    rest = (said("Monday to Friday", middle), 220, 150)
    bold = Run("off", replace(middle, weight=700))
    before = page((said("one off and two off and all", middle), 220, 80), rest)
    runs = (Run("one ", middle), bold, Run(" and two ", middle), bold, Run(" and all", middle))
    after = page((Text(runs), 220, 80), rest)
    done = perform(flat(before), (Restyle(Where(text="off", every=True), weight=700),))
    assert error(done, after) < 0.2 * error(before, after)  # some letters are a quarter pixel off


def test_slanted_words_shrink_once_where_others_run_down_the_page() -> None:
    chinese = replace(LINE, family="Noto Sans SC", size=40.0)
    ground = Layer(Picture(np.full((340, 440, 4), 255, np.uint8)))
    slanted = Layer(said("春风新茶上市", chinese), left=120, top=70, angle=10)
    down = (Layer(said(w, chinese), left=60, top=160 + 48 * n) for n, w in enumerate("春风新茶"))
    before = flat(Document(made=(ground, slanted, *down), canvas=(440, 340)))
    done = perform(before, (Scale(Where(text="春风新茶", every=True), 0.8),))
    changed = (done.rgb != before.rgb).any(axis=2)
    assert changed[:120, 120:270].any()
    assert changed[120:, :110].any()
    assert not changed[:, 290:].any()  # what the slanted line says after them
