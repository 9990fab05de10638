"""The joint pass: decisions that clash are settled, and all others come out as they came in."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.document import Document, Layer, Picture
from overpaint.document.contrast import contrast, luminance
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.document.render import bounds
from overpaint.editors.agent.days import days, written
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint import settle
from overpaint.editors.agent.joint.reading import parts_of
from overpaint.editors.agent.joint.words import misspelt
from overpaint.vision.layers import Kind, Seen, seen

SIZE = (400, 520)
BLACK, WHITE, NAVY = (0, 0, 0, 255), (255, 255, 255, 255), (16, 24, 72, 255)


def text(name: str, words: str, top: float, **style: object) -> Layer:
    look = Style(**{"size": 24.0, "colour": BLACK, **style})  # type: ignore[arg-type]
    return Layer(Text((Run(words, look),)), name, name, left=20.0, top=top)


def ground(colour: tuple[int, int, int, int] = WHITE, name: str = "background") -> Layer:
    return Layer(Shape("rectangle", 400.0, 520.0, fill=colour), name, name)


def picture(name: str, left: float = 100, top: float = 300) -> Layer:
    pixels = np.zeros((80, 80, 4), np.uint8)
    pixels[10:70, 10:70] = (200, 120, 40, 255)
    return Layer(Picture(pixels), name, name, left=left, top=top)


def scene_of(instruction: str, *layers: Layer) -> Scene:
    return Scene(Document(made=layers, canvas=SIZE), instruction, tuple(map(_seen, layers)))


def _seen(layer: Layer) -> Seen:
    kind: Kind = "image"
    if isinstance(layer.content, Text):
        kind = "text"
    elif isinstance(layer.content, Shape):
        kind = "decoration"
    words = layer.content.words if isinstance(layer.content, Text) else ""
    box = bounds(layer) or (0, 0, 0, 0)
    covers = (box[2] - box[0]) * (box[3] - box[1]) / (SIZE[0] * SIZE[1])
    return Seen(layer.id, layer.name, kind, words, ("#000000",), box, "", covers, kind == "text")


def decided(scene: Scene, **prompts: str) -> list[Decision]:
    return [
        Decision(layer.id, layer.id in prompts, prompts.get(layer.id, "")) for layer in scene.layers
    ]


def prompts(decisions: Sequence[Decision]) -> dict[str, str]:
    return {one.layer: one.prompt for one in decisions if one.edit}


def poster(instruction: str, **words: str) -> Scene:
    texts = [text(name, said, 60 + 90 * n) for n, (name, said) in enumerate(words.items())]
    return scene_of(instruction, ground(), *texts, picture("sun"), picture("tree", 220))


# ── what goes together ──────────────────────────────────────────────────────────────────

FINE: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("Replace 'Lisbon' with 'Porto'", {"title": "Lisbon Fest", "foot": "Meet us in LISBON"},
     {"title": "Replace 'Lisbon' with 'Porto'.", "foot": "Replace 'LISBON' with 'PORTO'."}),
    ("Change the title to 'Winter Fest'", {"title": "Summer Fest", "foot": "Summer Fest 2024"},
     {"title": "Change the text to 'Winter Fest'."}),
    ("Turn the summer camp into a winter camp", {"title": "SUMMER CAMP", "foot": "Hot summer"},
     {"title": "Change the text to 'WINTER CAMP'.", "foot": "Change the text to 'Cold winter'.",
      "sun": "Replace the sun with a snowman.", "tree": "Turn the palm tree into a pine."}),
    ("Make the title red and the footer blue", {"title": "Fest", "foot": "Join us"},
     {"title": "Make the text red.", "foot": "Make the text blue."}),
    ("Make it a night party", {"title": "Garden Party", "foot": "June 5"},
     {"title": "Change the text to 'Night Party'.", "background": "Make it light grey."}),
    ("Move the event to July 6", {"title": "June 5", "foot": "Party on 05.06."},
     {"title": "Change the text to 'July 6'.", "foot": "Replace '05.06.' with '06.07.'."}),
    ("Delete the footer", {"title": "Fest", "foot": "Sold out"}, {"foot": "Delete the text."}),
    ("Replace the photos", {"title": "Fest"},
     {"sun": "Replace the photo with a ski lodge.", "tree": "Replace the photo with a lake."}),
    ("Do something I will not explain", {"title": "Fest", "foot": "Foo"},
     {"title": "Give it an icy feel", "foot": "Make it funnier", "sun": "More drama"}),
    ("Change 'Room 10' to 'Room 12' and '10 am' to '9 am'",
     {"title": "Room 10", "foot": "Open from 10 am"},
     {"title": "Change the text to 'Room 12'.", "foot": "Replace '10 am' with '9 am'."}),
    ("把“夏季”改成“冬季”", {"title": "夏季特卖", "foot": "欢迎光临"},
     {"title": "把“夏季”改成“冬季”"}),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "words", "asked"), FINE)
def test_decisions_that_go_together_come_out_as_they_came_in(
    instruction: str, words: dict[str, str], asked: dict[str, str]
) -> None:
    scene = poster(instruction, **words)
    given_ = decided(scene, **asked)
    settled = settle(scene, given_)
    assert settled.clashes == ()
    assert settled.decisions == tuple(given_)


@given(st.lists(st.text(max_size=60), min_size=2, max_size=2), st.text(max_size=60))
def test_no_prompt_makes_it_raise_and_every_layer_keeps_its_one_decision(
    asked: list[str], instruction: str
) -> None:
    scene = poster(instruction, title="Summer Fest", foot="Meet in Lisbon")
    given_ = decided(scene, title=asked[0] or "x", foot=asked[1] or "y")
    settled = settle(scene, given_)
    assert [one.layer for one in settled.decisions] == [one.layer for one in given_]
    assert all(one.prompt for one in settled.decisions if one.edit)


# ── words ───────────────────────────────────────────────────────────────────────────────


def test_one_name_gets_one_new_name_that_of_the_instruction() -> None:
    scene = poster("The fest moves from Lisbon to Porto", title="LISBON FEST", foot="See Lisbon")
    given_ = decided(
        scene, title="Change the text to 'MADRID FEST'.", foot="Replace 'Lisbon' with 'Porto'."
    )
    settled = settle(scene, given_)
    assert prompts(settled.decisions)["title"] == "Change the text to 'PORTO FEST'."
    assert prompts(settled.decisions)["foot"] == "Replace 'Lisbon' with 'Porto'."
    assert [clash.kind for clash in settled.clashes] == ["wording"]


def test_without_the_instruction_most_layers_decide_and_then_the_most_prominent() -> None:
    scene = poster("Move it to another city", a="Lisbon", b="In Lisbon", c="Lisbon calls")
    asked = dict.fromkeys("ab", "Replace 'Lisbon' with 'Porto'.")
    settled = settle(scene, decided(scene, **asked, c="Replace 'Lisbon' with 'Faro'."))
    assert prompts(settled.decisions)["c"] == "Replace 'Lisbon' with 'Porto'."
    small, large = text("a", "In Lisbon", 60, size=12.0), text("b", "Lisbon", 150, size=48.0)
    scene = scene_of("Move it to another city", ground(), small, large)
    given_ = decided(scene, a="Replace 'Lisbon' with 'Porto'.", b="Replace 'Lisbon' with 'Faro'.")
    assert prompts(settle(scene, given_).decisions)["a"] == "Replace 'Lisbon' with 'Faro'."


def test_a_name_left_standing_in_a_kept_text_is_renamed_there_too() -> None:
    scene = poster("Replace Lisbon by Porto", title="LISBON FEST", foot="Come to Lisbon!")
    settled = settle(scene, decided(scene, title="Replace 'LISBON' with 'PORTO'."))
    assert prompts(settled.decisions)["foot"] == "Replace every 'Lisbon' with 'Porto'."
    only = replace(scene, instruction="Replace Lisbon by Porto in the title only")
    assert settle(only, decided(scene, title="Replace 'LISBON' with 'PORTO'.")).clashes == ()


def test_a_layer_does_what_the_instruction_says_of_a_name_and_nothing_else() -> None:
    scene = poster("Change 15% to 20% wherever it is printed.", title="-15%", foot="15% off")
    given_ = decided(scene, title="Replace '15%' with '25%'.", foot="Replace '15%' with '20%'.")
    new = prompts(settle(scene, given_).decisions)
    assert new == {"title": "Replace '15%' with '20%'.", "foot": "Replace '15%' with '20%'."}
    scene = poster("主题从冬季换成春季，图和文字都要改。", title="冬季计划", foot="冬季")
    given_ = decided(scene, title="把“冬季计划”改为“夏天计划”", foot="把“冬季”改为“春季”")
    assert prompts(settle(scene, given_).decisions)["title"] == "把“冬季计划”改为“春季计划”"


def test_a_new_word_is_spelt_as_the_instruction_spells_it() -> None:
    scene = poster("Rename the hotel to Marigold", title="Hotel Iris", foot="Stay at the Iris")
    given_ = decided(
        scene, title="Change the text to 'Hotel Marigold'.",
        foot="Change the text to 'Stay at the Marygold'.",
    )  # fmt: skip
    new = prompts(settle(scene, given_).decisions)
    assert new["foot"] == "Change the text to 'Stay at the Marigold'."
    assert misspelt("wintre", "winter")
    assert not misspelt("camps", "camp")
    assert not misspelt("winters", "winter")


def test_the_same_day_gets_the_same_new_day_in_the_form_it_is_written_in() -> None:
    scene = poster("Move the party to July 6", title="June 5", foot="Doors open on 05.06.")
    given_ = decided(
        scene, title="Change the text to 'July 6'.", foot="Replace '05.06.' with '07.06.'."
    )
    new = prompts(settle(scene, given_).decisions)
    assert new["foot"] == "Replace '05.06.' with '06.07.'."


@given(st.integers(1, 12), st.integers(1, 28))
def test_a_day_written_in_any_form_is_that_day(month: int, day: int) -> None:
    for like in ("June 5, 2025", "5th Jun", "2025-06-05", "05.06.2025", "6月5日", "JUNE 5"):
        (form,) = days(like)
        (again,) = days(written((month, day), form))
        assert again.value == (month, day)
        assert again.form == form.form


# ── jobs ────────────────────────────────────────────────────────────────────────────────


def test_new_words_stand_in_the_layer_they_suit_best() -> None:
    scene = poster("Turn it into a winter sale", title="Summer Sale", foot="Visit us at Dock 3")
    given_ = decided(
        scene, title="Change the text to 'Winter Sale'.", foot="Change the text to 'Winter Sale'."
    )
    settled = settle(scene, given_)
    assert prompts(settled.decisions) == {"title": "Change the text to 'Winter Sale'."}
    assert [clash.kind for clash in settled.clashes] == ["same job"]


def test_a_layer_that_took_anothers_job_gets_its_own_from_the_instruction() -> None:
    scene = poster(
        "Replace 'Fest' with 'Gala' and replace 'Dock 3' with 'Pier 9'",
        title="Fest", foot="Dock 3",
    )  # fmt: skip
    given_ = decided(scene, title="Change the text to 'Gala'.", foot="Change the text to 'Gala'.")
    new = prompts(settle(scene, given_).decisions)
    assert new == {"title": "Change the text to 'Gala'.", "foot": "Replace 'Dock 3' with 'Pier 9'."}


def test_words_are_changed_in_the_layer_that_says_them() -> None:
    scene = poster("Replace 'Dock 3' with 'Pier 9'", title="Summer Fest", foot="Dock 3")
    settled = settle(scene, decided(scene, sun="Replace 'Dock 3' with 'Pier 9'."))
    assert prompts(settled.decisions) == {"foot": "Replace 'Dock 3' with 'Pier 9'."}
    settled = settle(scene, decided(scene, title="Replace 'Dock 3' with 'Pier 9'.",
                                    foot="Replace 'Dock 3' with 'Pier 9'."))  # fmt: skip
    assert prompts(settled.decisions) == {"foot": "Replace 'Dock 3' with 'Pier 9'."}


def test_a_picture_is_not_asked_for_words_nor_a_text_for_pictures() -> None:
    scene = poster("Make it a winter fest", title="Summer Fest", foot="Dock 3")
    given_ = decided(
        scene, title="Change the text to 'Winter Fest'.", sun="Write the title 'Winter Fest'.",
        tree="Replace the tree with a snowman.", foot="Replace the tree with a snowman.",
    )  # fmt: skip
    new = prompts(settle(scene, given_).decisions)
    assert set(new) == {"title", "tree"}


def test_one_motif_becomes_one_thing() -> None:
    scene = poster("Turn the palms into pines", title="Fest")
    given_ = decided(scene, sun="Replace the palm trees with cacti.",
                     tree="Replace the palm trees with pines.")  # fmt: skip
    new = prompts(settle(scene, given_).decisions)
    assert new["sun"] == "Replace the palm trees with pines."


def test_a_single_new_thing_comes_into_one_picture() -> None:
    scene = poster("Add a snowman", title="Fest")
    given_ = decided(scene, sun="Add a snowman in front.", tree="Add a snowman in front.")
    assert len(prompts(settle(scene, given_).decisions)) == 1


def test_a_layer_is_not_deleted_and_edited() -> None:
    scene = poster("Make the footer red", title="Fest", foot="Dock 3")
    given_ = decided(scene, foot="Delete the text. Make the text red.")
    assert prompts(settle(scene, given_).decisions) == {"foot": "Make the text red."}
    scene = replace(scene, instruction="Remove the footer")
    assert prompts(settle(scene, given_).decisions) == {"foot": "Delete the text."}


def test_the_ground_takes_on_one_colour() -> None:
    scene = poster("Make the background navy", title="Fest")
    given_ = decided(scene, background="Make the background navy.",
                     tree="Make the background pink.")  # fmt: skip
    new = prompts(settle(scene, given_).decisions)
    assert new["background"] == "Make the background navy."
    assert "tree" not in new


def test_two_decisions_for_one_layer_become_one() -> None:
    scene = poster("Make the title red", title="Fest")
    given_ = [Decision("title", True, "Make the text red."), Decision("title", False)]
    settled = settle(scene, given_)
    assert settled.decisions == (given_[0],)
    assert [clash.kind for clash in settled.clashes] == ["contradiction"]


# ── looks ───────────────────────────────────────────────────────────────────────────────


def test_letters_are_not_given_the_colour_of_what_will_lie_under_them() -> None:
    scene = scene_of("Make it wintry", ground(NAVY), text("title", "Fest", 100, colour=BLACK))
    given_ = decided(scene, background="Make the shape white.", title="Make the text white.")
    settled = settle(scene, given_)
    assert [clash.kind for clash in settled.clashes] == ["contrast"]
    done = scene.document
    for one in settled.decisions:
        done = Hands().edit(done, scene.layer(one.layer), one.prompt) if one.edit else done
    title = done.layer("title").content
    assert isinstance(title, Text)
    own, below = luminance(np.array([title.style.colour[:3], (255, 255, 255)], np.uint8))
    assert float(contrast(float(own), float(below))) >= 3.0


def test_a_kept_text_is_taken_in_where_its_ground_would_swallow_it() -> None:
    scene = scene_of(
        "Make the background white", ground(NAVY), text("title", "Fest", 100, colour=WHITE)
    )
    settled = settle(scene, decided(scene, background="Make the shape white."))
    assert settled.decisions[1].edit
    assert "Make the text #" in settled.decisions[1].prompt


def test_what_was_hard_to_read_and_is_not_touched_stays() -> None:
    pale = (225, 225, 225, 255)
    scene = scene_of("Make the sun red", ground(WHITE), text("title", "Fest", 100, colour=pale),
                     picture("sun", 20, 60))  # fmt: skip
    assert settle(scene, decided(scene, sun="Recolour the shape red.")).clashes == ()


def test_long_words_are_set_smaller_where_they_would_run_into_others() -> None:
    scene = scene_of(
        "Rename it", ground(), text("title", "Fest", 100, size=40.0),
        replace(text("date", "5 June", 100, size=24.0), left=200.0),
    )  # fmt: skip
    given_ = decided(scene, title="Change the text to 'Grand Jubilee'.")
    settled = settle(scene, given_)
    assert [clash.kind for clash in settled.clashes] == ["overlap"]
    new = settled.decisions[1]
    done = Hands().edit(scene.document, scene.layer("title"), new.prompt)
    box, other = bounds(done.layer("title")), bounds(done.layer("date"))
    assert box is not None
    assert other is not None
    assert box[2] <= other[0] + 8


def test_two_layers_are_not_moved_to_one_place() -> None:
    scene = scene_of("Move the title to the top right", ground(), text("title", "Fest", 200),
                     text("date", "5 June", 400))  # fmt: skip
    given_ = decided(scene, title="Move the text to the top right.",
                     date="Move the text to the top right.")  # fmt: skip
    settled = settle(scene, given_)
    assert [clash.kind for clash in settled.clashes] == ["same place"]
    done = scene.document
    for one in settled.decisions:
        done = Hands().edit(done, scene.layer(one.layer), one.prompt) if one.edit else done
    boxes = [bounds(done.layer(name)) for name in ("title", "date")]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0][3] <= boxes[1][1] or boxes[1][3] <= boxes[0][1]


# ── reading ─────────────────────────────────────────────────────────────────────────────


def test_a_prompt_is_cut_into_jobs_but_never_in_a_quote() -> None:
    parts = parts_of(
        "Change the text to 'Rise. And make it' and make it blue; delete 'x'", "text", ""
    )
    assert [part.text for part in parts] == [
        "Change the text to 'Rise. And make it'", "make it blue", "delete 'x'",
    ]  # fmt: skip
    assert parts[0].says == "Rise. And make it"
    assert parts[1].colour == (0, 0, 255, 255)


def test_settling_twice_changes_nothing_more() -> None:
    scene = poster("The fest moves from Lisbon to Porto", title="LISBON FEST", foot="See Lisbon")
    given_ = decided(scene, title="Change the text to 'MADRID FEST'.")
    once = settle(scene, given_)
    assert settle(scene, once.decisions) == type(once)(once.decisions)


def test_new_words_that_the_instruction_says_and_more_are_no_clash() -> None:
    texts = {"a": "Piano Night", "b": "Only £5"}
    scene = _scene_of(texts, "Turn the piano night into a trumpet night on an orange background.")
    decisions = (
        Decision("a", True, 'Change the words "Piano Night" to "Trumpet Night".'),
        Decision("b", False),
    )
    assert settle(scene, decisions).decisions == decisions


def test_words_that_are_quoted_whole_are_changed_where_they_stand_whole() -> None:
    texts = {"a": "Summer item 7", "b": "Summer item 8", "c": "All summer long"}
    scene = _scene_of(texts, "replace 'Summer item 7' with 'Winter item 7'")
    decisions = (
        Decision("a", True, "replace 'Summer item 7' with 'Winter item 7'"),
        Decision("b", False),
        Decision("c", False),
    )
    assert settle(scene, decisions).decisions == decisions


def _scene_of(texts: dict[str, str], instruction: str) -> Scene:
    style = Style(size=40.0)
    layers = [
        Layer(Text((Run(words, style),)), name, name, 40.0, 100.0 * (at + 1))
        for at, (name, words) in enumerate(texts.items())
    ]
    document = Document(made=tuple(layers), canvas=(800, 600))
    return Scene(document, instruction, seen(document))
