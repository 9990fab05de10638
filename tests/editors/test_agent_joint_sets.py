"""Sets of decisions as models write them: clashes are settled, and look-alikes are left alone."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_agent_joint import decided, ground, picture, poster, prompts, scene_of, text

from overpaint.document.render import bounds
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint import settle
from overpaint.editors.agent.joint.phrases import corner_of, reworded
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.joint.told import pairs, told

Words = dict[str, str]
# Instruction, what the texts say, what is asked of the layers.
FINE: list[tuple[str, Words, Words]] = [
    ("Rename the brand from Nordwind to Fjord.",
     {"title": "Nordwind Coffee", "foot": "© Nordwind 2024"},
     {"title": "Update the text so it reads Fjord Coffee.", "foot": "Change it to: © Fjord 2024"}),
    ("Our café is now called 'Fjord'.", {"title": "Nordwind", "foot": "nordwind café, Dock 3"},
     {"title": "Change the text to 'Fjord'.", "foot": "Replace 'nordwind' with 'Fjord'."}),
    ("The bakery Krume is now Bröselhof.", {"title": "Krume", "foot": "Yours, Krume"},
     {"title": "Replace 'Krume' with 'Bröselhof'.", "foot": "Replace 'Krume' with 'Bröselhof'."}),
    ("The concert is on 9 June now.", {"title": "8 June", "foot": "Doors 8 June, 7 pm"},
     {"title": "Change the date to '9 June'.", "foot": "The date should now be 9 June."}),
    ("Tickets now cost $25.", {"title": "$20", "foot": "Only $20 at the door"},
     {"title": "Change the text to '$25'.", "foot": "Replace '$20' with '$25'."}),
    ("Turn the summer sale into a winter sale.",
     {"title": "SUMMER SALE", "sub": "Summer Sale", "foot": "The summer sale ends Sunday"},
     {"title": "Change the text to 'WINTER SALE'.", "sub": "Change the text to 'Winter Sale'.",
      "foot": "Replace 'summer' with 'winter'."}),
    ("Change only the title to 'Lisbon Nights'.", {"title": "Porto Nights", "foot": "Porto Nights"},
     {"title": "Change the text to 'Lisbon Nights'."}),
    ("Replace 'Porto' with 'Lisbon' in the headline, leave the address as it is.",
     {"title": "Porto Jazz", "foot": "Rua 5, Porto"}, {"title": "Replace 'Porto' with 'Lisbon'."}),
    ("Replace Paris with Rome everywhere.", {"title": "Paris Fest", "foot": "12 Paris Street"},
     {"title": "Replace 'Paris' with 'Rome'."}),
    ("Replace Lumina with Aurora.", {"title": "Lumina", "foot": "www.lumina.com"},
     {"title": "Replace 'Lumina' with 'Aurora'."}),
    ("Change 'Monday' to 'Friday' in the first line only.",
     {"title": "Monday Club", "foot": "Closed on Monday"},
     {"title": "Replace 'Monday' with 'Friday'."}),
    ("Make the title say 'Gala' and the footer 'Pier 9'.", {"title": "Fest", "foot": "Dock 3"},
     {"title": "Make it say 'Gala'.", "foot": "Rewrite it as 'Pier 9'."}),
    ("The speaker is Clara Stein, not Anna Weber.",
     {"title": "Anna Weber", "foot": "A talk by Anna Weber"},
     {"title": "Change the name to 'Clara Stein'.",
      "foot": "Replace 'Anna Weber' with 'Clara Stein'."}),
    ("Remove the footer and make the title red.", {"title": "Fest", "foot": "Sold out"},
     {"title": "Make the text red.", "foot": "Delete this text."}),
    ("Remove the price.", {"title": "Fest", "foot": "Only $20"},
     {"foot": "Remove this line completely."}),
    ("Replace both photos with mountains.", {"title": "Fest"},
     {"sun": "Replace the beach with mountains.", "tree": "Replace the city with mountains."}),
    ("Replace the sun with a moon and the tree with a lamp.", {"title": "Fest"},
     {"sun": "Replace the sun with a moon.", "tree": "Replace the tree with a lamp."}),
    ("Make it Christmas: the sun and the tree become stars.", {"title": "Fest"},
     {"sun": "Turn the sun into a star.", "tree": "Turn the tree into a star."}),
    ("Move the title to the top left and the date to the bottom right.",
     {"title": "Fest", "date": "5 June"},
     {"title": "Move the text to the top left.", "date": "Move the text to the bottom right."}),
    ("把品牌“北风”改成“南风”", {"title": "北风咖啡", "foot": "北风"},
     {"title": "把“北风”改成“南风”", "foot": "把文字改成“南风”"}),
    ("把夏季促销改成冬季促销，其他不变。", {"title": "夏季促销", "foot": "夏季促销进行中"},
     {"title": "将标题更新为冬季促销", "foot": "把夏季促销改为冬季促销"}),
    ("只改标题：把“上海”换成“北京”", {"title": "上海之夜", "foot": "地址：上海"},
     {"title": "把“上海”换成“北京”"}),
    ("票价改为30元", {"title": "20元", "foot": "门票20元"},
     {"title": "把文字改成“30元”", "foot": "把“20元”改成“30元”"}),
    ("日期改到6月9日", {"title": "6月8日", "foot": "6月8日 晚七点"},
     {"title": "把文字改成“6月9日”", "foot": "把“6月8日”改成“6月9日”"}),
    ("删除页脚，标题改成红色", {"title": "音乐节", "foot": "扫码报名"},
     {"title": "把文字改成红色", "foot": "删除文字"}),
    ("把“上海”换成“北京”", {"title": "上海之夜", "foot": "上海路12号"},
     {"title": "把“上海”换成“北京”"}),
    ("Change the opening hours: 'Mon 9-5' to 'Mon 10-6' and 'Tue 9-5' to 'Tue 10-6'.",
     {"title": "Mon 9-5", "foot": "Tue 9-5"},
     {"title": "Change the text to 'Mon 10-6'.", "foot": "Change the text to 'Tue 10-6'."}),
    ("Early birds pay $15 now, everybody else $30.",
     {"title": "Early birds $10", "foot": "Regular $20"},
     {"title": "Replace '$10' with '$15'.", "foot": "Replace '$20' with '$30'."}),
    ("Make the poster feel like autumn.", {"title": "Spring Walk", "foot": "Fresh spring air"},
     {"title": "Change the text to 'Autumn Walk'.",
      "foot": "Change the text to 'Crisp autumn air'."}),
    ("Swap the two names.", {"title": "Anna and Ben", "foot": "Ben sings"},
     {"title": "Change the text to 'Ben and Anna'.", "foot": "Change the text to 'Anna sings'."}),
    ("Show the new name Fjord on both lines.", {"title": "Nordwind", "foot": "Since 1990"},
     {"title": "Change the text to 'Fjord'.", "foot": "Change the text to 'Fjord'."}),
    ("Retitle it 'Night Market' and recolour the background navy.", {"title": "Flea Market"},
     {"title": "Change the text to 'Night Market'. Make the text white.",
      "background": "Make the background navy."}),
    ("Rename 'Nova' to 'Nova Prime'.", {"title": "Nova", "foot": "Meet Nova Prime"},
     {"title": "Replace 'Nova' with 'Nova Prime'."}),
]  # fmt: skip

KEPT = None
# And what each layer says afterwards: None where it is kept, "" where it is deleted.
CLASHES: list[tuple[str, Words, Words, dict[str, str | None]]] = [
    # Two names for one new thing.
    ("Turn it into the Winter Sale.", {"title": "Summer Sale", "foot": "Summer Sale ends Sunday"},
     {"title": "Update the headline so that it reads Winter Sale instead of Summer Sale.",
      "foot": "Rewrite the line as: Xmas Sale ends Sunday"},
     {"title": "Winter Sale", "foot": "Winter Sale ends Sunday"}),
    ("The concert moves to 9 June.", {"title": "8 June", "foot": "Doors open 8 June"},
     {"title": "The date should now be 9 June.", "foot": "Replace '8 June' with '10 June'."},
     {"title": "9 June", "foot": "Doors open 9 June"}),
    ("Clara Stein replaces Anna Weber.", {"title": "Anna Weber", "foot": "A talk by Anna Weber"},
     {"title": "Change the text to 'Clara Stein'.",
      "foot": "Update the name from Anna Weber to C. Stein, since the speaker changed."},
     {"title": "Clara Stein", "foot": "A talk by Clara Stein"}),
    ("Raise the price to $25.", {"title": "$20", "foot": "Just $20 at the door"},
     {"title": "Change the text to '$25'.", "foot": "Replace $20 with 25 dollars."},
     {"title": "$25", "foot": "Just $25 at the door"}),
    ("Rename the café.", {"a": "Nordwind", "b": "Visit Nordwind", "c": "© Nordwind"},
     {"a": "Change the text to 'Fjord'.", "b": 'Swap "Nordwind" for "Fjord" here.',
      "c": "Replace 'Nordwind' with 'Fjell'."},
     {"a": "Fjord", "b": "Visit Fjord", "c": "© Fjord"}),
    ("活动改名为冬日音乐节", {"title": "夏日音乐节", "foot": "夏日音乐节欢迎你"},
     {"title": "将活动名称更新为冬日音乐节", "foot": "把其中的夏日音乐节替换为圣诞音乐节"},
     {"title": "冬日音乐节", "foot": "冬日音乐节欢迎你"}),
    ("票价改为30元", {"title": "门票20元", "foot": "仅需20元"},
     {"title": "把“20元”改成“30元”", "foot": "把“20元”改成“35元”"},
     {"title": "门票30元", "foot": "仅需30元"}),
    ("Move the fest from Lisbon to Porto.", {"title": "LISBON FEST", "foot": "See you in Lisbon"},
     {"title": "The title should read PORTO FEST.", "foot": "It should say: See you in Faro"},
     {"title": "PORTO FEST", "foot": "See you in Porto"}),
    # A name left over.
    ("Rename the festival from Lumina to Aurora, keep everything else unchanged.",
     {"title": "Lumina", "sub": "Lumina Festival", "foot": "Tickets: Lumina box office"},
     {"title": "Change the text to 'Aurora'.", "sub": "Replace 'Lumina' with 'Aurora'."},
     {"title": "Aurora", "sub": "Aurora Festival", "foot": "Tickets: Aurora box office"}),
    ("The brand is now Aurora.", {"a": "Lumina", "b": "Visit Lumina", "c": "© LUMINA"},
     {"a": "Change the text to 'Aurora'.", "b": "Change it to read Visit Aurora."},
     {"a": "Aurora", "b": "Visit Aurora", "c": "© AURORA"}),
    ("Change the price from $20 to $25.", {"title": "$20", "foot": "Pay $20 at the door"},
     {"title": "Change the text to '$25'."}, {"title": "$25", "foot": "Pay $25 at the door"}),
    ("Change the date from 8 June to 9 June.", {"title": "8 June", "foot": "Party on June 8"},
     {"title": "Change the text to '9 June'."}, {"title": "9 June", "foot": "Party on June 9"}),
    ("把“上海”换成“北京”，其他不变",
     {"title": "上海之夜", "foot": "上海站欢迎你", "sub": "我爱上海"},
     {"title": "把“上海”换成“北京”"}, {"title": "北京之夜", "foot": KEPT, "sub": "我爱北京"}),
    ("品牌更名为南风。", {"a": "北风", "b": "北风咖啡", "c": "来北风坐坐"},
     {"a": "把文字改成“南风”", "b": "把“北风”改成“南风”"},
     {"a": "南风", "b": "南风咖啡", "c": "来南风坐坐"}),
    ("Turn the summer camp into a winter camp. Don't change the fonts.",
     {"title": "Summer Camp", "foot": "Our summer team"},
     {"title": "Change the text to 'Winter Camp'."},
     {"title": "Winter Camp", "foot": "Our winter team"}),
    ("Make it a jazz night.", {"title": "Rock Night", "foot": "The best rock in town"},
     {"title": "Rewrite the headline as Jazz Night"},
     {"title": "Jazz Night", "foot": "The best jazz in town"}),
    ("Change the venue from Town Hall to City Library.",
     {"title": "Town Hall", "foot": "Meet at the Town Hall, 5 pm"},
     {"title": "Change the text to 'City Library'."},
     {"title": "City Library", "foot": "Meet at the City Library, 5 pm"}),
    # One job for two.
    ("Turn it into a winter sale.", {"title": "Summer Sale", "foot": "Visit us at Dock 3"},
     {"title": "Change the headline to Winter Sale.", "foot": "Change the text to 'Winter Sale'."},
     {"title": "Winter Sale", "foot": KEPT}),
    ("Turn it into a winter sale.", {"title": "Summer Sale"},
     {"title": "The headline should say Winter Sale.", "sun": "Write 'Winter Sale' across it."},
     {"title": "Winter Sale", "sun": KEPT}),
    ("Replace the sun with a moon.", {"title": "Fest"},
     {"sun": "Replace the sun with a moon.", "tree": "Replace the tree with a moon."},
     {"sun": "", "tree": KEPT}),
    ("Replace the sun with a moon.", {"title": "Fest"},
     {"sun": "Replace the sun with a moon.", "tree": "Turn this into a moon."},
     {"sun": "", "tree": KEPT}),
    ("把太阳换成月亮", {"title": "音乐节"},
     {"sun": "把太阳换成月亮", "tree": "把大树换成月亮"}, {"sun": "", "tree": KEPT}),
    ("活动改名为冬日音乐节", {"title": "夏日音乐节", "foot": "扫码报名"},
     {"title": "将标题更新为冬日音乐节", "foot": "把文字改成“冬日音乐节”"},
     {"title": "冬日音乐节", "foot": KEPT}),
    # Deleted and edited.
    ("Change the price to $25.", {"title": "Fest", "foot": "Only $20"},
     {"foot": "This line should be removed. Make the text bold and red."}, {"foot": "Only $20"}),
    ("Remove the price line.", {"title": "Fest", "foot": "Only $20"},
     {"foot": "Remove this text completely, and set it in blue."}, {"foot": ""}),
    ("Change the price from $20 to $25.", {"title": "Fest", "foot": "Only $20"},
     {"title": "Replace '$20' with '$25'.", "foot": "Delete this line."},
     {"title": KEPT, "foot": "Only $25"}),
    ("Change the price from $20 to $25.", {"title": "Fest", "foot": "Only $20"},
     {"foot": "Remove this line, since the price is no longer valid."}, {"foot": "Only $25"}),
    ("Remove the price.", {"title": "Fest", "foot": "Only $20"},
     {"title": "Delete 'Only $20'.", "foot": "Make the text red."}, {"title": KEPT, "foot": ""}),
    ("Make the title white so that it stands out on the background.", {"title": "Fest"},
     {"background": "Delete this layer.",
      "title": "Recolour the text navy so that it is readable on the background."},
     {"background": KEPT, "title": "Fest"}),
    ("把票价改为30元", {"title": "音乐节", "foot": "门票20元"},
     {"foot": "删除这一行文字，并改成红色"}, {"foot": "门票20元"}),
    ("删除票价", {"title": "音乐节", "foot": "门票20元"},
     {"foot": "删除文字，并把文字改成红色"}, {"foot": ""}),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "words", "asked"), FINE)
def test_sets_that_go_together_come_out_as_they_came_in(
    instruction: str, words: Words, asked: Words
) -> None:
    scene = poster(instruction, **words)
    before = decided(scene, **asked)
    settled = settle(scene, before)
    assert settled.decisions == tuple(before), settled.clashes


@pytest.mark.parametrize(("instruction", "words", "asked", "wanted"), CLASHES)
def test_sets_that_clash_are_settled_as_a_reader_would(
    instruction: str, words: Words, asked: Words, wanted: dict[str, str | None]
) -> None:
    scene = poster(instruction, **words)
    settled = settle(scene, decided(scene, **asked))
    wishes = {one.layer: Wish(one, scene.layer(one.layer)) for one in settled.decisions}
    found = {name: wishes[name].words if wishes[name].edits else KEPT for name in wanted}
    assert found == wanted, settled
    again = settle(scene, settled.decisions)
    assert again.decisions == settled.decisions


CORNERS: list[Words] = [
    {"title": "Move it to the top right corner.", "date": "Place this text in the upper right."},
    {"title": "把它移到右上角", "date": "将文字放到画面右上角"},
    {"sun": "Move the sun to the top right.", "tree": "Move this picture to the top right."},
    {"sun": "把它移到左下角", "title": "Move the text to the bottom left."},
    {"sun": "Shift the sun into the bottom-left corner so it balances the page.",
     "tree": "The tree should sit in the bottom left corner."},
]  # fmt: skip


@pytest.mark.parametrize("asked", CORNERS)
def test_two_that_want_one_corner_stand_beside_each_other(asked: Words) -> None:
    scene = scene_of("Tidy up the page", ground(), text("title", "Fest", 200),
                     text("date", "5 June", 400), picture("sun"), picture("tree", 220))  # fmt: skip
    done = scene.document
    for one in settle(scene, decided(scene, **asked)).decisions:
        done = Hands().edit(done, scene.layer(one.layer), one.prompt) if one.edit else done
    one, other = (bounds(done.layer(name)) for name in asked)
    assert one is not None
    assert other is not None
    assert one[3] <= other[1] or other[3] <= one[1]


LONG = ("The title should read Grand Winter Jubilee.", "将标题更新为冬日音乐节大狂欢",
        "Update the title so it now says Grand Winter Jubilee, to match the name.")  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("prompt", LONG)
def test_words_that_are_too_long_for_their_place_are_set_smaller(prompt: str) -> None:
    date = replace(text("date", "5 June", 100), left=250.0)
    scene = scene_of("Rename it", ground(), text("title", "Fest", 100, size=60.0), date)
    new = prompts(settle(scene, decided(scene, title=prompt)).decisions)["title"]
    assert "% smaller" in new


@pytest.mark.slow
@pytest.mark.parametrize(("new", "fits"), [("Grand Jubilee", False), ("Feast", True)])
def test_letters_that_are_pixels_are_measured_by_their_number(new: str, fits: bool) -> None:
    scene = scene_of("Rename it", ground(), picture("a", 20, 50), picture("b", 220, 50))
    told_as = {"a": ("Fest", (20, 60, 120, 90)), "b": ("5 June", (220, 60, 300, 90))}
    layers = [
        replace(one, kind="text", words=told_as[one.id][0], box=told_as[one.id][1])
        if one.id in told_as
        else one
        for one in scene.layers
    ]
    scene = replace(scene, layers=tuple(layers))
    settled = settle(scene, decided(scene, a=f"Change the text to '{new}'."))
    assert ("smaller" not in prompts(settled.decisions)["a"]) is fits


def test_a_name_is_put_in_once_and_for_whole_words() -> None:
    assert reworded("Talk by A. Weber", "A. Weber", "Anna Weber") == "Talk by Anna Weber"
    assert reworded("Talk by Anna Weber", "Weber", "Anna Weber") == "Talk by Anna Weber"
    assert reworded("Nova and Novak", "Nova", "Nova Prime") == "Nova Prime and Novak"
    assert reworded("LISBON", "lisbon", "Lisbon") == "Lisbon"


@pytest.mark.parametrize(
    ("prompt", "own", "found"),
    [
        ("It should say Winter Sale.", "Summer Sale", (None, "Winter Sale")),
        ("Update the host's name to Clara Stein, matching the new speaker.",
         "Hosted by Anna Weber", (("Anna Weber", "Clara Stein"), "")),
        ("把其中的夏日替换为冬日", "夏日音乐节", (("夏日", "冬日"), "")),
        ("Use a darker font to match the Winter theme.", "Summer Sale", (None, "")),
        ("Make it livelier", "Summer Sale", (None, "")),
    ],
)  # fmt: skip
def test_free_sentences_tell_new_words(
    prompt: str, own: str, found: tuple[tuple[str, str] | None, str]
) -> None:
    assert told(prompt, own) == found


@given(st.text(max_size=200), st.text(max_size=40))
def test_no_sentence_makes_the_reader_raise(prompt: str, own: str) -> None:
    told(prompt, own)
    corner_of(prompt)
    assert all(old and new for old, new in pairs(prompt))
