"""`overpaint rate`: what it says, what it refuses, and how it serves."""

import asyncio
import json
import os
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_study import make_run
from starlette.testclient import TestClient

from overpaint.cli import main
from overpaint.core import Edit, Request, Sample
from overpaint.document import Document
from overpaint.rating import serving
from overpaint.rating.book import Book
from overpaint.store import Store, keep_picture
from overpaint.store.claiming import process_of


class Stopped:
    """A server that is asked nothing and ends at once; what it was told is kept."""

    told: Any = None

    def __init__(self, config: Any) -> None:
        Stopped.told = config

    def run(self, sockets: Any) -> None:
        """Serve nobody."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(serving.uvicorn, "Server", Stopped)
    return make_run(tmp_path / "run")


def said(capsys: pytest.CaptureFixture[str], *words: Any) -> tuple[int, str, str]:
    code = main(["rate", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_study_begins_with_links_and_goes_on_with_an_admins(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = said(capsys, run, "--raters", 3, "--per-item", 2, "--json")
    found = json.loads(out)
    assert code == 0
    assert [link["id"] for link in found["links"]] == ["A01", "R01", "R02", "R03"]
    assert found["links"][0]["link"].startswith(found["address"] + "/admin#")
    assert found["links"][1]["link"].startswith(found["address"] + "/rate#")
    code, out, _ = said(capsys, run)
    assert code == 0
    assert out.splitlines()[1].startswith("A02")
    assert "R01" not in out
    code, out, _ = said(capsys, run, "--renew", "R02", "--renew", "all", "--json")
    assert [link["id"] for link in json.loads(out)["links"]] == ["A03", "R01", "R02", "R03"]


def test_a_study_is_served_once_at_a_time(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, run, "--raters", 1, "--per-item", 1)
    with Book.open(run) as book:
        other = process_of(os.getppid())
        book.db.execute("INSERT INTO info VALUES ('served', ?)", (json.dumps(other),))
        code, _, err = said(capsys, run)
        assert code == 2
        assert f"being served already (process {os.getppid()})" in err
        book.db.execute(
            "UPDATE info SET value = ? WHERE key = 'served'", (json.dumps(other | {"since": 1}),)
        )
        assert said(capsys, run)[0] == 0, "that process is gone, and another has its number"


def test_one_process_serves_and_keeps_no_log_of_who_asks(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, run, "--raters", 1, "--per-item", 1)
    config = Stopped.told
    assert config.access_log is False
    assert config.workers == 1
    assert not config.proxy_headers
    browser = TestClient(config.app, base_url="http://127.0.0.1")
    assert browser.get("/rate").status_code == 200
    assert browser.get("/", headers={"Host": "rate.example.org"}).status_code == 403


def test_behind_a_proxy_links_are_https_and_cookies_secure(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--raters", 1, "--per-item", 1, "--json", "--https-behind-proxy", "rate.example.org")
    _, out, _ = said(capsys, run, *words)
    links = json.loads(out)["links"]
    assert links[0]["link"].startswith("https://rate.example.org/admin#")


def test_a_study_with_other_options_is_refused_with_what_differs(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, run, "--raters", 2, "--per-item", 2)
    code, _, err = said(capsys, run, "--raters", 5, "--minutes", 10)
    assert code == 2
    assert "raters is 2, not 5; minutes is 30.0, not 10" in err
    code, _, err = said(capsys, run, "--study", "ebench", "--kind", "pairs")
    assert code == 2
    assert "kind is ebench, not pairs" in err
    assert said(capsys, run, "--raters", 2)[0] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--consent", "nowhere.txt"), "consent text in nowhere.txt cannot be read"),
        (("--gold", "nowhere.csv"), "known answers in nowhere.csv cannot be read"),
        (("--editor", "zebra"), "no editor 'zebra'"),
        (("--study", "../up"), "'../up' is no name of a study"),
        (("--kind", "tasks"), "tasks.jsonl cannot be read"),
        (("--kind", "scale", "--rubric", "nothing"), "nothing"),
        (("--renew", "R01"), "has not begun"),
        (("--progress",), "There is no study"),
        (("--collect",), "There is no study"),
        (("--export", "x.csv"), "There is no study"),
        (("--interval", "0.2"), "--interval is about --plan"),
        (("-o", "x.csv"), "-o is where --simulate writes"),
        (("--simulate", "5"), "Say where: -o"),
        (("--plan", "--kind", "pairs"), "no scale to plan for"),
        (("--plan", "--interval", "9"), "as wide as the scale"),
        (("--repeats", "0.9"), "repeats cannot be 0.9"),
        (("--https-behind-proxy", "http://evil/ x"), "is no name of a host"),
        (("--port", "70000"), "There is no port 70000"),
        (("--host", "203.0.113.9"), "it is no address of this machine"),
        (("--study", "../run", "--progress"), "'../run' is no name of a study"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_a_sentence_and_exit_code_two(
    run: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    code, out, err = said(capsys, run, *words)
    assert (code, out) == (2, "")
    assert told in err
    assert not list((run / "studies").glob("*.db")) if (run / "studies").exists() else True


def test_fewer_links_than_raters_an_item_are_told_and_the_usual_number_fits_the_links(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, err = said(capsys, run, "--raters", 2, "--per-item", 9)
    assert "9 raters an item are wanted, and 2 get a link now" in err
    said(capsys, run, "--raters", 2, "--study", "other")
    with Book.open(run, "other") as book:
        assert book.study.per_item == 2


def test_a_folder_that_is_neither_run_nor_build_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = said(capsys, tmp_path)
    assert code == 2
    assert "neither a run nor a build" in err


def test_a_port_that_is_taken_is_told_before_a_study_begins(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = said(capsys, run, "--port", port)
    assert code == 2
    assert f"Cannot listen on 127.0.0.1 port {port}" in err
    assert not (run / "studies").exists()


def test_consent_may_be_in_two_languages(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "consent.txt"
    file.write_text("Please agree.\n---\n请同意。\n", encoding="utf-8")
    said(capsys, run, "--consent", file, "--raters", 1, "--per-item", 1)
    with Book.open(run) as book:
        assert book.study.consent == {"en": "Please agree.", "zh": "请同意。"}


def test_progress_and_export_and_import_go_round(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, run, "--raters", 2, "--per-item", 2)
    given = tmp_path / "given.csv"
    rows = [f"sample-{n},quagga,ann,quality,{1 + n}" for n in range(4)]
    given.write_text("\n".join(["sample,editor,rater,dimension,value", *rows]) + "\n")
    code, out, _ = said(capsys, run, "--import", given, "--json")
    assert (code, json.loads(out)["ratings"]) == (0, 4)
    written = tmp_path / "out.csv"
    code, out, _ = said(capsys, run, "--export", written)
    assert out == f"4 ratings are in {written}.\n"
    assert written.read_text().splitlines()[1] == "sample-0,quagga,P1,quality,1"
    code, out, _ = said(capsys, run, "--collect", "--json")
    assert (code, json.loads(out)["columns"]) == (0, ["quality@people"])
    code, out, _ = said(capsys, run, "--progress", "--json")
    assert json.loads(out)["ratings"] == {"wanted": 16, "given": 0}
    code, _, err = said(capsys, run, "--export", tmp_path / "out.txt")
    assert code == 2
    assert "no file of ratings by its name" in err


def test_a_plan_says_how_many_raters_give_which_interval(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--plan", "--interval", "1", "--interval", "0.5", "--json")
    code, out, _ = said(capsys, run, *words)
    wide, narrow = json.loads(out)["plan"]
    assert code == 0
    assert 2 <= wide["per_item"] < narrow["per_item"]
    assert narrow["ratings"] == narrow["per_item"] * 8
    assert wide["minutes"] >= 1
    assert not (run / "studies").exists()
    _, out, _ = said(capsys, run, "--plan", "--interval", "1")
    assert out.startswith("8 items on a scale of 1 to 5; 15 s an item\n")


def test_simulated_raters_answer_where_the_truth_is_known_by_construction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, file = tmp_path / "known", tmp_path / "ratings.csv"
    with Store.create(folder) as store:
        store.add_editor("identity", "identity")
        picture = keep_picture(folder, Document.of(np.zeros((4, 4, 3), np.uint8)))
        for n in range(3):
            sample = Sample(f"s{n}", Request(picture, "Denoise."), facts={"strength": 0.5})
            store.add_samples([sample])
            store.put_edit(Edit(sample, "identity", "ok", picture))
    words = ("--simulate", 4, "--per-item", 2, "-o", file, "--json")
    code, out, err = said(capsys, folder, *words)
    assert (code, json.loads(out)["ratings"]) == (0, 3 * 2 * 4)
    assert "floors and ceilings alone" in err
    lines = file.read_text().splitlines()
    assert lines[0] == "sample,editor,rater,dimension,value"
    assert {line.split(",")[3] for line in lines[1:]} == {
        "quality", "alignment", "preservation", "done",
    }  # fmt: skip
    assert all(line.split(",")[2].startswith("simulated-") for line in lines[1:])
    with Store.open(folder) as store:  # as in a study, floors are not asked about beside an editor
        store.add_editor("mine", "graded:thorough")
        for sample in store.samples():
            store.put_edit(Edit(sample, "mine", "ok", picture))
    code, out, err = said(capsys, folder, *words)
    assert (code, json.loads(out)["ratings"], err) == (0, 3 * 2 * 4, "")
    assert {line.split(",")[1] for line in file.read_text().splitlines()[1:]} == {"mine"}


@pytest.mark.parametrize(
    ("host", "told"),
    [("127.0.0.1", ""), ("::1", ""), ("localhost", ""), ("0.0.0.0", "any of its networks"),
     ("192.168.3.4", "can reach 192.168.3.4"), ("lab.example.org", "lab.example.org")],
)  # fmt: skip
def test_whoever_can_reach_the_page_is_told_when_that_is_not_this_machine_alone(
    host: str, told: str
) -> None:
    assert told in serving.reach(host)
    assert bool(told) == bool(serving.reach(host))


def test_a_server_on_all_networks_names_itself_by_its_machine(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--raters", 1, "--per-item", 1, "--json", "--host", "0.0.0.0")
    _, out, err = said(capsys, run, *words)
    assert json.loads(out)["address"].startswith(f"http://{socket.gethostname()}:")
    assert "not encrypted" in err
    browser = TestClient(Stopped.told.app, base_url=f"http://{socket.gethostname()}")
    assert browser.get("/").status_code == 200


def test_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rate", "--help"])
    out = capsys.readouterr().out
    assert "overpaint rate runs/demo --kind pairs" in out
    assert "--https-behind-proxy HOST" in out


def test_small_replies_do_not_wait_for_each_other() -> None:
    async def nodelay() -> int:
        with serving.listening("127.0.0.1", 0) as listener:
            found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

            async def accepted(_: Any, writer: asyncio.StreamWriter) -> None:
                connection = writer.get_extra_info("socket")
                found.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                writer.close()

            server = await asyncio.start_server(accepted, sock=listener)
            _, writer = await asyncio.open_connection(*listener.getsockname())
            value = await found
            writer.close()
            server.close()
            return value

    assert asyncio.run(nodelay())


def test_a_study_of_few_items_makes_fewer_links_and_says_so(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, run, "--kind", "scale", "--samples", 1, "--json")
    assert code == 0
    assert len(json.loads(out)["links"]) == 1 + 2 * 3
    assert "6 raters get a link, not 30" in err


def test_a_study_that_was_left_without_raters_gets_them_when_it_goes_on(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, run, "--raters", 2)
    with Book.open(run) as book:
        book.db.execute("DELETE FROM places")
        book.db.execute("DELETE FROM raters WHERE role = 'rater'")
    _, out, _ = said(capsys, run, "--json")
    assert [link["id"] for link in json.loads(out)["links"]] == ["A02", "R01", "R02"]


def test_a_study_is_served_again_where_its_links_lead_unless_that_is_taken(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = said(capsys, run, "--raters", 1, "--per-item", 1, "--json")
    first = json.loads(out)["address"]
    _, out, err = said(capsys, run, "--json")
    assert json.loads(out)["address"] == first
    assert err == ""
    with socket.create_server(("127.0.0.1", int(first.rpartition(":")[2]))):
        _, out, err = said(capsys, run, "--json")
    assert json.loads(out)["address"] != first
    assert "links sent before lead, is taken" in err
