"""The hostile corpus: every case ends with a status and a sentence, soon, and gets out nowhere."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from overpaint.cli import editing, main
from overpaint.document import files, regular
from overpaint.document.layers import Run, Text
from overpaint.document.pictures import read_picture
from overpaint.document.text.setting import lay
from overpaint.errors import PictureError, Refused, TooLarge, UserMistake

CORPUS = Path(__file__).with_name("hostile_corpus.py")


def tried(*how: str) -> tuple[dict[str, Any], str]:
    """The figures of the corpus, and what it printed."""
    done = subprocess.run(
        [sys.executable, CORPUS, *how], capture_output=True, text=True, check=False, timeout=1800
    )
    return json.loads(done.stdout.splitlines()[-1]), done.stdout + done.stderr[-2000:]


def test_a_few_of_every_kind_are_refused_or_done_and_get_out_nowhere() -> None:
    figures, told = tried("--quick")
    assert figures["cases"] >= 10
    assert (figures["crashes"], figures["hangs"], figures["escapes"]) == (0, 0, 0), told


@pytest.mark.slow
def test_a_third_of_the_corpus_crashes_nothing_hangs_nowhere_and_gets_out_nowhere() -> None:
    figures, told = tried("--every", "3")  # `make chaos` tries them all
    assert figures["cases"] >= 200
    assert figures["from_a_shell"] >= 10
    assert (figures["crashes"], figures["hangs"], figures["escapes"]) == (0, 0, 0), told


@pytest.mark.slow
def test_whatever_does_what_none_may_is_found_out() -> None:
    from hostile_misdeeds import CASES

    figures, told = tried("--self")
    missed = [case.name for case in CASES if f"WRONG misdeeds: {case.name!r}:" not in told]
    assert not missed, told
    assert "the canary was asked for GET /x" in told
    assert figures["hangs"] >= 3
    for name, why in (
        ("renames_out", "os.rename"), ("has_a_child_read_a_secret", "opened"),
        ("has_children_work", "hang"), ("has_children_grow", "it held"),
        ("leaves_a_child", "it left"), ("stammers", "without a sentence"),
    ):  # fmt: skip
        assert re.search(f"'{name}': .*{why}", told), told


# ── what the corpus has mended ──────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_jpeg_that_is_drawn_over_and_over_is_refused(tmp_path: Path) -> None:
    from hostile_of_pictures import _scans

    (tmp_path / "a.jpg").write_bytes(_scans())
    with pytest.raises(TooLarge, match=r"a.jpg has 20,0\d\d scans of 4000×4000 pixels\. A progr"):
        read_picture(tmp_path / "a.jpg")


def test_a_text_of_more_letters_than_a_page_has_is_not_set() -> None:
    wrong = "A text of 20,001 letters is too long to set. It may have 20,000. Take it apart."
    with pytest.raises(Refused, match=wrong):
        lay(Text((Run("x" * 20_001),)))


def test_an_error_that_repeats_a_page_of_digits_is_said_in_short(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuses(_: object) -> int:
        raise UserMistake(f"There is no {'9' * 5_000}.", "Less was expected.")

    monkeypatch.setattr(editing, "edit_command", refuses)
    assert main(["edit", "a.png", "x"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("overpaint: There is no 999")
    assert told.endswith("999. Less was expected.\n")
    assert " … " in told
    assert len(told) < 2000


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", ".", "none", "a\0b"):
        with pytest.raises(OSError, match=r"no file|No such|null"):
            regular.opened(tmp_path / name)
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    assert regular.read_text(tmp_path / "a.txt") == "one\ntwo"


@pytest.mark.slow
def test_an_ora_of_too_many_layers_is_refused_before_they_are_decoded(tmp_path: Path) -> None:
    from hostile_of_zips import ORAS, ora, zipped

    (tmp_path / "a.ora").write_bytes(zipped(dict(ORAS["of 100,000 layers"](dict(ora())))))
    with pytest.raises(PictureError, match="has more than 10,000 layers"):
        files.read(tmp_path / "a.ora")
