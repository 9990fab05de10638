"""The admin's figures: how far, how careful, how far they agree."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_study import SAID, Served, begin, make_run, make_study

from overpaint.rating.assigning import Showing
from overpaint.rating.book import Book, Given
from overpaint.rating.checks import attention, right
from overpaint.rating.items import Item
from overpaint.rating.presets import questions_of
from overpaint.rating.progress import as_text, progress

ASKED = {one.name: one for one in questions_of("ebench")}
ITEM = Item("i", "s", "Do.", ())


def told(number: int, showing: Showing = "rating", seconds: float = 9.0, **answers: Any) -> Given:
    said = SAID | {"quality": 1 + number % 4} | answers
    return Given("R01", number, number, ITEM, showing, 1, said, "", seconds, 0)


def test_a_careful_rater_has_no_flags() -> None:
    found = attention([told(n) for n in range(12)], ASKED, 9.0)
    assert found.median_seconds == 9.0
    assert found.flags == ("alignment, preservation, done: nearly always the same answer.",)
    varied = [
        told(n, alignment=1 + n % 5, preservation=5 - n % 4, done=n % 2 == 0) for n in range(12)
    ]
    assert attention(varied, ASKED, 9.0).flags == ()


def test_answers_that_are_all_equal_are_told() -> None:
    given = [replace(told(n), answers=SAID) for n in range(8)]
    assert attention(given, ASKED, 9.0).flags == ("All 8 items have the same answers.",)
    assert attention(given[:7], ASKED, 9.0).flags == (), "too few to say"


def test_a_rater_much_faster_than_the_others_is_told() -> None:
    given = [told(n, seconds=2.0, alignment=1 + n % 5, preservation=1 + n % 3, done=n % 2 == 0)
             for n in range(9)]  # fmt: skip
    assert attention(given, ASKED, 9.0).flags == ("Half of the answers took under 2.0 s.",)
    assert attention(given, ASKED, 4.0).flags == ()


def test_known_answers_are_right_within_their_ends() -> None:
    item = replace(ITEM, expected={"alignment": (1.0, 2.5), "done": False})
    good = replace(told(1, "gold", alignment=2.5, done=False), item=item)
    bad = replace(told(2, "gold", alignment=2.6, done=False), item=item)
    assert right(good)
    assert not right(bad)
    found = attention([good, bad, bad], ASKED, None)
    assert found.gold == (1, 3)
    assert found.flags == ("1 of 3 items with known answers are right.",)


def test_repeats_are_held_against_their_first_showing() -> None:
    first = [told(n, quality=5, alignment=5, preservation=5) for n in (1, 2)]
    again = [told(n, "repeat", quality=1, alignment=1, preservation=5) for n in (1, 2)]
    found = attention([*first, *again], ASKED, None)
    assert found.repeats == (0.5, 2)
    assert "differ by 50% of the scale" in found.flags[0]


def test_the_admin_sees_items_raters_and_agreement(tmp_path: Path) -> None:
    served = Served(begin(make_run(tmp_path / "run")))
    one, other = served.join(), served.join()
    admin = served.join(role="admin")
    begun = admin.get("/api/admin/progress").json()
    assert begun["items"] == {"total": 8, "complete": 0}
    assert begun["ratings"] == {"wanted": 16, "given": 0}
    assert begun["agreement"][0]["value"] is None
    assert begun["agreement"][0]["notes"] == ["no item has been rated by two people yet"]
    assert begun["eta_minutes"] is None
    for place in range(1, 9):
        for person in (one, other):
            shown = person.get(f"/api/items/{place}").json()["shown"][0]["url"]
            person.save(place, SAID | {"quality": 1 + int(shown[-1], 16) % 5})
    found = progress(served.book, served.clock())
    assert found["items"]["complete"] == 8
    assert found["ratings"]["given"] == 16
    assert [row["state"] for row in found["raters"][:2]] == ["finished", "finished"]
    agreed = {row["question"]: row for row in found["agreement"]}
    assert agreed["quality"]["value"] == pytest.approx(1.0)
    assert agreed["quality"]["measure"] == "Krippendorff's α (interval)"
    assert agreed["done"]["value"] is None, "all said the same: there is nothing to agree on"
    assert agreed["done"]["notes"]
    text = as_text(found)
    assert "8 of 8 items complete, 16 of 16 ratings given" in text
    assert "R01   finished" in text
    assert "quality: Krippendorff's α (interval) 1.000" in text
    served.close()


def test_boxes_agree_by_their_mean_pairwise_iou(tmp_path: Path) -> None:
    study = make_study("boxes", editors=("quagga",))
    served = Served(begin(make_run(tmp_path / "run", samples=2), study))
    for person in (served.join(), served.join()):
        for place in (1, 2):
            person.save(place, {"box": {"x": 0, "y": 0, "width": 50, "height": 50}})
    (found,) = progress(served.book, 0.0)["agreement"]
    assert (found["measure"], found["value"]) == ("mean pairwise IoU", 1.0)
    served.close()


def test_new_links_are_told_once_and_a_revoked_raters_answers_no_longer_count(
    tmp_path: Path,
) -> None:
    served = Served(begin(make_run(tmp_path / "run")))
    admin = served.join(role="admin")
    (made,) = admin.send("POST", "/api/admin/links", {"role": "rater", "count": 1}).json()["links"]
    assert made["id"] == "R01"
    assert made["link"].startswith("http://127.0.0.1/rate#")
    rater = served.join(made["link"].partition("#")[2])
    rater.save(1)
    assert admin.get("/api/admin/export.csv").text.count("\n") == 5
    assert admin.send("POST", "/api/admin/revoke", {"rater": "R01"}).json() == {"revoked": "R01"}
    assert served.book.ratings() == []
    assert admin.send("POST", "/api/admin/revoke", {"rater": "A01"}).status_code == 422
    assert admin.send("POST", "/api/admin/revoke", {"rater": "R77"}).status_code == 422
    served.close()


def test_the_export_names_no_rater_as_the_page_does(tmp_path: Path) -> None:
    served = Served(begin(make_run(tmp_path / "run")))
    served.join().save(1, comment="mine")
    reply = served.join(role="admin").get("/api/admin/export.csv")
    assert reply.headers["content-disposition"] == 'attachment; filename="test.csv"'
    assert reply.text.splitlines()[0] == "sample,editor,rater,dimension,value"
    assert "R01" not in reply.text
    assert "mine" not in reply.text
    served.close()


def test_progress_can_be_read_while_a_server_writes(tmp_path: Path) -> None:
    served = Served(begin(make_run(tmp_path / "run")))
    rater = served.join()
    with Book.open(served.book.folder, "test") as reader:
        rater.save(1)
        assert progress(reader, 0.0)["ratings"]["given"] == 1
        rater.save(2)
        assert progress(reader, 0.0)["ratings"]["given"] == 2
    served.close()
