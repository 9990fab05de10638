"""Words that are pixels and too long for their place: set as large as the hands find room for."""

import pytest
from test_agent_joint import SIZE, decided, ground, text

from overpaint.document import Document, Layer, Picture
from overpaint.document.render import bounds, sheet_of
from overpaint.editors.agent.deciding import Scene
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint import settle
from overpaint.vision.layers import seen


def drawn(live: Layer) -> Layer:
    sheet = sheet_of(live)
    assert sheet is not None
    return Layer(Picture(sheet.pixels), live.name, live.id, left=sheet.left, top=sheet.top)


@pytest.mark.slow
def test_the_hands_find_room_for_words_that_they_would_refuse() -> None:
    beside = text("place", "Hall 3", 300)
    beside = Layer(beside.content, "place", "place", left=180.0, top=300.0)
    document = Document(
        made=(ground(), drawn(text("date", "5 June", 300)), drawn(beside)), canvas=SIZE
    )
    scene = Scene(document, "Change '5 June' to 'Saturday, 5 July'.", seen(document))
    asked = decided(scene, date="Replace '5 June' with 'Saturday, 5 July'.")
    new = next(one for one in settle(scene, asked).decisions if one.layer == "date")
    done = Hands().edit(document, scene.layer("date"), new.prompt)
    box, other = bounds(done.layer("date")), bounds(done.layer("place"))
    assert box is not None
    assert other is not None
    assert box[2] <= other[0]
    said = next(one for one in seen(done) if one.id == "date").words
    assert "Saturday" in said
