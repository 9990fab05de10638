"""What is held out was frozen before any rule was written against it, and has not changed since."""

import hashlib
from importlib import resources

import pytest

from overpaint.engines.milde.content import LANGUAGES, themes, wordings

FROZEN = {  # since 16 November 2026
    "held_out_themes.json": "f373eb6f4c1024ee27b2d757f1c7ccc6e94d2024b553a1ed6e3b97925a81e885",
    "held_out_wordings.json": "ac46de845092d010769ad276e65dc4f40741adb234cb374d53ccd0063227f252",
}


@pytest.mark.parametrize("name", FROZEN)
def test_the_held_out_files_are_as_they_were_frozen(name: str) -> None:
    data = resources.files("overpaint.engines.milde").joinpath(name).read_bytes()
    assert hashlib.sha256(data).hexdigest() == FROZEN[name]


def test_at_least_two_in_five_wordings_and_themes_are_held_out_and_none_is_known() -> None:
    known, held = (
        {way for ways in wordings(split).values() for one in ways.values() for way in one}
        for split in ("known", "held-out")
    )
    assert not known & held
    assert len(held) >= 0.4 * len(known | held)
    for part in ("families", "things"):
        ours, theirs = set(themes("known")[part]), set(themes("held-out")[part])
        assert not ours & theirs
        assert len(theirs) >= 0.4 * len(ours | theirs)


def test_both_splits_ask_for_the_same_kinds_in_both_languages() -> None:
    known, held = wordings("known"), wordings("held-out")
    assert set(known) == set(held)
    for kind in known:
        for language in LANGUAGES:
            assert bool(known[kind][language]) == bool(held[kind][language]), (kind, language)
            assert bool(known[kind][language]) or (kind, language) == ("capitals", "Chinese")
