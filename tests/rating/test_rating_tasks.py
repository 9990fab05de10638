"""What a build asks people, answered on the page; the lines are those that a build reads."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_study import Served, make_study

from overpaint.document.pictures import encode_png
from overpaint.engines.milde.people import Check
from overpaint.engines.vde.tasks import Inbox, Task
from overpaint.errors import UserMistake
from overpaint.rating.book import Book
from overpaint.rating.tasks import pool_of_build

BLOCK = {"block_bbox": [1, 1, 9, 5], "block_content": "as read", "block_label": "text"}


def picture(folder: Path, name: str, seed: int = 0) -> dict[str, Any]:
    data = encode_png(np.random.default_rng(seed).integers(0, 255, (8, 12, 3), np.uint8))
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return {"path": name, "sha256": hashlib.sha256(data).hexdigest(), "width": 12, "height": 8}


def make_tasks(folder: Path, *kinds: str, wanted: int = 2, sample: str = "page-1") -> list[Task]:
    """Tasks of these kinds in a build's folder; the objects that its answers are read by."""
    shown, source = picture(folder, "candidates/a.png"), picture(folder, "pages/a.png", 1)
    tasks = []
    for kind in kinds:
        facts: dict[str, Any] = {"source": source, "instruction": "Delete it."}
        if kind == "text":
            facts |= {"page": [BLOCK, BLOCK], "region": [BLOCK]}
        if kind == "layers":
            facts["layer_instructions"] = {"title": "Make it red.", "logo": "Drop it."}
        made = Check if kind in ("instruction", "layers") else Task
        tasks.append(made(kind, sample, shown, wanted, facts=facts))
    write(folder, tasks)
    return tasks


def write(folder: Path, tasks: list[Task], *, closed: tuple[str, ...] = ()) -> None:
    lines = [json.dumps(one.line(0, one.kind not in closed)) + "\n" for one in tasks]
    (folder / "tasks.jsonl").write_text("".join(lines))


def serve(folder: Path) -> Served:
    return Served(Book.begin(folder, make_study("tasks"), pool_of_build(folder)))


def answer(person: Any, place: int, **answers: Any) -> Any:
    reply = person.save(place, answers, comment="thin letters")
    assert reply.status_code == 200, reply.text
    return reply.json()


SAYING: dict[str, dict[str, Any]] = {
    "rate": {"compliance": 3, "authenticity": 2, "satisfaction": 1},
    "box": {"box": {"x": 12.5, "y": 40, "width": 30, "height": 2.5}},
    "look": {"keep": False},
    "text": {"right": {"right": False, "texts": [{"id": "page:1", "text": "as it reads"}]}},
    "instruction": {
        "keep": True,
        "wording": {"right": False, "texts": [{"id": "instruction", "text": "Delete the date."}]},
    },
    "layers": {
        "keep": True,
        "wording": {"right": False, "texts": [{"id": "title", "text": "Make the title red."}]},
    },
}


@pytest.mark.parametrize("kind", SAYING)
def test_an_answer_on_the_page_is_a_line_that_a_build_takes(tmp_path: Path, kind: str) -> None:
    (task,) = make_tasks(tmp_path, kind, wanted=1)
    served = serve(tmp_path)
    person = served.join()
    item = person.get("/api/items/1").json()
    assert [one["name"] for one in item["questions"]] == list(SAYING[kind])
    assert item["source"]["url"] != item["shown"][0]["url"]
    assert answer(person, 1, **SAYING[kind])["finished"]
    inbox = Inbox(tmp_path / "answers.jsonl")
    (said,) = inbox.take(task)
    assert inbox.leave() == ()
    assert (said.by, said.note) == ("test-R01", "thin letters")
    expected = {
        "rate": (3, 2, 1), "box": (12.5, 40.0, 42.5, 42.5), "look": False,
    }  # fmt: skip
    if kind in expected:
        assert said.value == expected[kind]
    elif kind == "text":
        assert [block.text for block in said.value.page] == ["as read", "as it reads"]
        assert said.value.region is None
    else:
        assert said.value.keep
        assert "date" in said.value.instruction or said.value.layers == {
            "title": "Make the title red."
        }
    served.close()


def test_what_a_build_would_not_take_is_refused_while_it_can_be_mended(tmp_path: Path) -> None:
    make_tasks(tmp_path, "instruction", wanted=1)
    served = serve(tmp_path)
    person = served.join()
    wording = {"right": False, "texts": [{"id": "instruction", "text": "..."}]}
    reply = person.save(1, {"keep": True, "wording": wording})
    assert reply.status_code == 422
    assert "should have words in it" in reply.json()["error"]
    assert person.save(1, {"keep": True, "wording": {"right": True}}).status_code == 200
    served.close()


def test_everybody_is_asked_until_a_task_has_as_many_answers_as_it_wants(tmp_path: Path) -> None:
    make_tasks(tmp_path, "look", wanted=2)
    served = serve(tmp_path)
    one, two, three = (served.join() for _ in range(3))
    assert answer(one, 1, keep=True)["finished"]
    assert answer(two, 1, keep=True)["finished"]
    assert three.state()["rater"]["finished"]
    assert three.get("/api/items/1").status_code == 404
    served.close()


def test_the_latest_answer_can_be_taken_back_until_the_next_is_given(tmp_path: Path) -> None:
    make_tasks(tmp_path, "rate", "look", wanted=1)
    served = serve(tmp_path)
    person = served.join()
    first = person.get("/api/items/1").json()["questions"][0]["name"]
    said = {"rate": SAYING["rate"], "look": {"keep": True}}
    kinds = ("rate", "look") if first == "compliance" else ("look", "rate")
    answer(person, 1, **said[kinds[0]])
    assert not (tmp_path / "answers.jsonl").exists()
    assert person.get("/api/items/1").json()["changeable"]
    answer(person, 2, **said[kinds[1]])
    assert len((tmp_path / "answers.jsonl").read_text().splitlines()) == 2
    assert not person.get("/api/items/1").json()["changeable"]
    changed = said[kinds[0]] | ({"keep": False} if kinds[0] == "look" else {"compliance": 1})
    reply = person.save(1, changed, revision=1)
    assert reply.status_code == 409
    assert "handed on" in reply.json()["error"]
    served.close()


def test_an_answer_that_lingers_is_handed_on_and_so_is_all_when_the_server_ends(
    tmp_path: Path,
) -> None:
    make_tasks(tmp_path, "rate", "look", wanted=3)
    served = serve(tmp_path)
    one, two = served.join(), served.join()
    for person in (one, two):
        kinds = {q["name"] for q in person.get("/api/items/1").json()["questions"]}
        answer(person, 1, **(SAYING["rate"] if "compliance" in kinds else {"keep": True}))
        assert not (tmp_path / "answers.jsonl").exists()
    served.clock.now += 130
    one.state()
    assert len((tmp_path / "answers.jsonl").read_text().splitlines()) == 2
    served.close()
    again = Served(Book.open(tmp_path, "test"))
    assert len((tmp_path / "answers.jsonl").read_text().splitlines()) == 2, "not twice"
    again.close()


def test_tasks_that_a_build_writes_later_are_picked_up_and_closed_ones_go(tmp_path: Path) -> None:
    first = make_tasks(tmp_path, "rate", wanted=1)
    served = serve(tmp_path)
    person = served.join()
    assert answer(person, 1, **SAYING["rate"])["finished"]
    more = [*first, *make_tasks(tmp_path, "box", "look", wanted=1)]
    write(tmp_path, more, closed=("rate",))
    state = person.state()["rater"]
    assert (state["finished"], state["place"], state["total"]) == (False, 2, 3)
    held = person.get("/api/items/2").json()["questions"][0]["name"]
    write(tmp_path, more, closed=("rate", {"box": "box", "keep": "look"}[held]))
    now = person.get("/api/items/2").json()["questions"][0]["name"]
    assert {held, now} == {"box", "keep"}
    served.close()


def test_withdrawal_takes_a_raters_lines_out_and_leaves_the_others(tmp_path: Path) -> None:
    make_tasks(tmp_path, "look", wanted=2)
    others = '{"task": "look:page-1", "by": "ana", "picture": "x", "keep": true}'
    (tmp_path / "answers.jsonl").write_text(others)  # without an end of line
    served = serve(tmp_path)
    person = served.join()
    answer(person, 1, keep=True)
    lines = (tmp_path / "answers.jsonl").read_text().splitlines()
    assert [json.loads(line)["by"] for line in lines] == ["ana", "test-R01"]
    person.send("POST", "/api/withdraw", {"sure": True})
    assert (tmp_path / "answers.jsonl").read_text().strip() == others
    served.close()


def test_a_withdrawal_that_the_disk_refuses_can_be_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tasks(tmp_path, "look", wanted=2)
    served = serve(tmp_path)
    person = served.join()
    answer(person, 1, keep=True)
    refused = PermissionError(13, "Permission denied")
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(refused))
        assert person.send("POST", "/api/withdraw", {"sure": True}).status_code == 503
    assert person.send("POST", "/api/withdraw", {"sure": True}).status_code == 200
    assert (tmp_path / "answers.jsonl").read_text() == ""
    served.close()


def test_a_revoked_raters_lines_go_and_the_task_is_free_again_but_the_book_keeps_them(
    tmp_path: Path,
) -> None:
    make_tasks(tmp_path, "look", wanted=1)
    served = serve(tmp_path)
    person, admin = served.join(), served.join(role="admin")
    answer(person, 1, keep=True)
    assert served.join().state()["rater"]["total"] == 0
    line = (tmp_path / "answers.jsonl").read_text()
    assert admin.send("POST", "/api/admin/revoke", {"rater": "R01"}).status_code == 200
    assert (tmp_path / "answers.jsonl").read_text() == ""
    assert served.join().state()["rater"]["total"] == 1
    assert served.book.db.execute("SELECT count(*) FROM answers").fetchone() == (1,)
    served.close()
    (tmp_path / "answers.jsonl").write_text(line)  # as if we had been stopped just before
    Served(Book.open(tmp_path, "test")).close()
    assert (tmp_path / "answers.jsonl").read_text() == ""


def test_a_build_that_asks_nothing_and_a_folder_that_is_none_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match=r"tasks.jsonl cannot be read"):
        pool_of_build(tmp_path)
    (tmp_path / "tasks.jsonl").write_text("no json\n[1]\n\n")
    with pytest.raises(UserMistake, match="asks people nothing now"):
        pool_of_build(tmp_path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"picture": {"path": "../../etc/passwd"}}, "outside the folder"),
        ({"picture": {"path": "/etc/passwd"}}, "outside the folder"),
        ({"picture": None}, "without a picture"),
        ({"picture": {"path": "gone.png"}}, "cannot be read"),
        ({"picture": {"path": "candidates/a.png", "sha256": "0" * 64}}, "not the one"),
        ({"task": 7}, "'task' should be a text"),
        ({"page": [{"block_content": "a"}, 7]}, "'page' should be a list of blocks"),
        ({"region": "all of it"}, "'region' should be a list of blocks"),
        ({"round": "two"}, "'round' should be a whole number"),
        ({"wanted": -1}, "'wanted' should be a whole number"),
        ({"question": "?" * 200_000}, "'question' should be a text"),
        ({"task": "look:page-1"}, "stands there already"),
    ],
)
def test_a_task_that_cannot_be_shown_costs_itself_alone(
    tmp_path: Path, change: Any, told: str
) -> None:
    (task,) = make_tasks(tmp_path, "look")
    line = task.line(0, True)
    rows = [line, line | {"task": "look:other"} | change]
    (tmp_path / "tasks.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pool = pool_of_build(tmp_path)
    assert len(pool.items) == 1
    assert told in pool.notes[0]
    assert "line 2" in pool.notes[0]


def test_tasks_that_cannot_be_read_any_more_leave_the_old_ones_and_are_told_once_and_not_to_raters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_tasks(tmp_path, "look", "rate", wanted=1)
    served = serve(tmp_path)
    person = served.join()
    (tmp_path / "tasks.jsonl").unlink()
    (tmp_path / "tasks.jsonl").mkdir()
    for _ in range(3):
        reply = person.get("/api/items/1")
        assert reply.status_code == 200
        assert str(tmp_path) not in reply.text
    assert capsys.readouterr().err.count("cannot be read") == 1
    served.close()


def test_a_task_that_comes_twice_while_it_is_served_is_one_task(tmp_path: Path) -> None:
    first = make_tasks(tmp_path, "look", wanted=1)
    served = serve(tmp_path)
    person = served.join()
    more = [*first, *make_tasks(tmp_path, "box", wanted=1)]
    write(tmp_path, [*more, *more])
    assert person.state()["rater"]["total"] == 2
    served.close()
