"""`command:…` under attack: by what it is given, and by what the program leaves behind."""

import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from conftest import picture, write

from overpaint.core import Sample
from overpaint.editors.command import Command
from overpaint.errors import NoOutput, OverpaintError

posix = pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
INVERT = "from PIL import Image, ImageOps\nImageOps.invert(Image.open(source)).save(output)\n"


def program(folder: Path, body: str) -> Command:
    path = folder / "program.py"
    path.write_text("import os, sys\nsource, instruction, output = sys.argv[1:]\n" + body)
    return Command(f"'{sys.executable}' '{path}' {{input}} {{instruction}} {{output}}")


@pytest.mark.parametrize(
    "wicked",
    [
     "; touch {owned}", "$(touch {owned})", "`touch {owned}`", "| touch {owned}",
     "&& touch {owned}",
     "\n touch {owned}\n", "' ; touch {owned} ; '", '" ; touch {owned} ; "', "> {owned}",
     "--output={owned}", "-c 'touch {owned}'", "$IFS$(touch${{IFS}}{owned})", "%COMSPEC%",
     "{output}{input}", "\x1b]0;owned\x07\u202e"],
)  # fmt: skip
def test_no_instruction_is_more_than_one_argument(
    sample: Sample, tmp_path: Path, wicked: str
) -> None:
    owned, seen = tmp_path / "owned", tmp_path / "seen"
    said = wicked.replace("{owned}", str(owned))
    # The quickest program that shows what it was given; a line without {output} is refused.
    keep = f"""/bin/sh -c 'printf %s "$1" > {seen}; cp "$0" "$2"'"""
    Command(keep + " {input} {instruction} {output}")(replace(sample.request, instruction=said))
    assert seen.read_bytes() == said.encode()
    assert not owned.exists()


def test_a_nul_in_an_instruction_costs_its_own_sample(sample: Sample, tmp_path: Path) -> None:
    with pytest.raises(OverpaintError, match="cannot be called like this"):
        program(tmp_path, INVERT)(replace(sample.request, instruction="a\0; touch b"))


def test_ids_and_file_names_of_a_sample_never_reach_the_program(
    sample: Sample, tmp_path: Path
) -> None:
    source = write(tmp_path / "$(touch owned) ; 'x'.png", picture())
    asked = replace(sample.request, source=source, names=("../../; touch owned", "$(id)"))
    show = '/bin/sh -c \'printf %s\\\\n "$@" > {}; cp "$1" "$2"\' x {{input}} {{output}}'
    Command(show.format(tmp_path / "seen"))(asked)
    given = (tmp_path / "seen").read_text()
    assert "touch" not in given
    assert "$(" not in given


# ── what it leaves ──────────────────────────────────────────────────────────────────────


@posix
def test_a_link_to_somebody_elses_file_is_not_taken_for_the_output(
    sample: Sample, tmp_path: Path
) -> None:
    private = write(tmp_path / "private.png", picture())
    for goal in ("/etc/passwd", str(private.path), "/nowhere", "output.png"):
        left = program(tmp_path, f"os.symlink({goal!r}, output)")
        with pytest.raises(NoOutput, match="is a link"):
            left(sample.request)


@posix
@pytest.mark.parametrize("body", ["os.mkfifo(output)", "os.mkdir(output)"])
def test_a_pipe_or_a_folder_is_neither_waited_for_nor_taken(
    sample: Sample, tmp_path: Path, body: str
) -> None:
    with pytest.raises(NoOutput, match="and no file"):
        program(tmp_path, body)(sample.request)


@posix
def test_ten_gigabytes_of_nothing_are_not_read(sample: Sample, tmp_path: Path) -> None:
    before = psutil.Process().memory_info().rss
    body = "open(output, 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n'); os.truncate(output, 10 * 2**30)"
    with pytest.raises(OverpaintError, match=r"wrote 10\.0 GB"):
        program(tmp_path, body)(sample.request)
    assert psutil.Process().memory_info().rss - before < 2**28


def test_what_lies_beside_the_output_goes_with_its_folder(sample: Sample, tmp_path: Path) -> None:
    body = f"open({str(tmp_path / 'where')!r}, 'w').write(os.path.dirname(output))\n"
    body += "open(os.path.join(os.path.dirname(output), 'more'), 'w')\n" + INVERT
    program(tmp_path, body)(sample.request)
    assert not Path((tmp_path / "where").read_text()).exists()


@posix
def test_nobody_else_on_the_machine_can_look_into_its_folder(
    sample: Sample, tmp_path: Path
) -> None:
    seen = str(tmp_path / "mode")
    body = f"open({seen!r}, 'w').write(oct(os.stat(os.path.dirname(source)).st_mode & 0o777))\n"
    program(tmp_path, body + INVERT)(sample.request)
    assert (tmp_path / "mode").read_text() == "0o700"


def test_keys_that_stand_in_a_file_are_not_handed_to_the_program(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overpaint.models.names import endpoint

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / ".env").write_text("OPENAI_API_KEY=sk-swordfish")
    assert endpoint("openai/gpt-4o-2024-11-20").key() == "sk-swordfish"
    body = f"open({str(tmp_path / 'seen')!r}, 'w').write(repr(dict(os.environ)))\n"
    program(tmp_path, body + INVERT)(sample.request)
    assert "swordfish" not in (tmp_path / "seen").read_text()


@posix
@pytest.mark.slow
def test_a_child_that_leaves_its_session_is_found_while_its_parent_lives(
    sample: Sample, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    body = (
        "import subprocess, time\n"
        "one = subprocess.Popen(['sleep', '120'], start_new_session=True)\n"
        f"open({str(note)!r}, 'w').write(str(one.pid))\ntime.sleep(60)\n"
    )
    with pytest.raises(OverpaintError, match="did not finish"):
        replace(program(tmp_path, body), timeout=3.0)(sample.request)
    with suppress(psutil.NoSuchProcess):  # gone, or dead and not yet buried
        assert psutil.Process(int(note.read_text())).status() == psutil.STATUS_ZOMBIE
