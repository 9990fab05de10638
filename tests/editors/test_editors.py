"""The first editors: floors, the ceiling, pictures from elsewhere, and a program of the user's."""

import json
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from conftest import make_sample, picture, write

from overpaint import catalog
from overpaint.core import Sample
from overpaint.editors.command import Command
from overpaint.editors.floors import Blank, Identity, SourceNoise, Truth
from overpaint.editors.outputs import Outputs
from overpaint.errors import (
    DataError,
    NoOutput,
    NotApplicable,
    OverpaintError,
    PictureError,
    UserMistake,
)


def test_identity_gives_back_the_very_bytes(sample: Sample) -> None:
    assert Identity()(sample.request).key == sample.request.source.key


def test_blank_is_white_and_of_the_same_size(sample: Sample) -> None:
    pixels = Blank()(sample.request).rgb
    assert pixels.shape == sample.request.source.rgb.shape
    assert (pixels == 255).all()


def test_noise_is_the_same_each_time_and_of_the_stated_strength(sample: Sample) -> None:
    one, two = SourceNoise()(sample.request), SourceNoise()(sample.request)
    assert one.key == two.key
    difference = one.rgb.astype(float) - sample.request.source.rgb
    assert 15 < difference.std() < 22  # σ 20, less what is cut off at black and white


def test_truth_is_the_target_and_the_only_editor_that_sees_it(
    sample: Sample, tmp_path: Path
) -> None:
    assert Truth()(sample).key == sample.target.key
    seeing = [n for n in catalog.EDITORS if getattr(catalog.editor_class(n), "sees_target", False)]
    assert seeing == ["truth"]
    bare = Sample("x", make_sample(tmp_path, "b/1").request)
    with pytest.raises(NotApplicable, match="no truth"):
        Truth()(bare)


def test_outputs_are_found_by_any_name_of_the_sample(sample: Sample, tmp_path: Path) -> None:
    write(tmp_path / "mine" / "a" / "001_edited.png", picture(5))
    assert np.array_equal(Outputs(str(tmp_path / "mine"))(sample.request).rgb, picture(5))


def test_outputs_can_be_listed_in_a_file(sample: Sample, tmp_path: Path) -> None:
    write(tmp_path / "pictures" / "x.png", picture(6))
    listing = tmp_path / "list.jsonl"
    listing.write_text(json.dumps({"id": "a/001", "path": "pictures/x.png"}) + "\n\n")
    assert np.array_equal(Outputs(str(listing))(sample.request).rgb, picture(6))


def test_an_output_that_is_not_there_is_no_output(sample: Sample, tmp_path: Path) -> None:
    with pytest.raises(NoOutput, match=r"no <sample id>_edited or <sample id> picture \(\.png"):
        Outputs(str(tmp_path))(sample.request)
    with pytest.raises(UserMistake, match="is not there"):
        Outputs(str(tmp_path / "gone"))


@pytest.mark.parametrize(
    "line", ["{", "[]", "3", '{"id": 3, "path": 4}', '{"id": "a"}', "[" * 5000]
)
def test_a_listing_that_cannot_be_read_names_the_line(
    sample: Sample, tmp_path: Path, line: str
) -> None:
    (tmp_path / "list.jsonl").write_text(line + "\n")
    with pytest.raises(DataError, match="line 1"):
        Outputs(str(tmp_path / "list.jsonl"))(sample.request)


def test_a_listing_that_names_a_sample_twice_or_is_no_text_is_said_at_once(tmp_path: Path) -> None:
    row = json.dumps({"id": "a/001", "path": "x.png"}) + "\n"
    (tmp_path / "list.jsonl").write_text(row + row)
    with pytest.raises(DataError, match="line 2: 'a/001' comes twice"):
        Outputs(str(tmp_path / "list.jsonl"))
    (tmp_path / "list.jsonl").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(DataError, match="cannot be read"):
        Outputs(str(tmp_path / "list.jsonl"))


def test_a_flat_folder_in_which_a_name_means_two_samples_says_so(
    sample: Sample, tmp_path: Path
) -> None:
    write(tmp_path / "flat" / "Topic" / "002_edited.jpg", picture())
    request = replace(sample.request, names=("data_manual_production/Topic/002",))
    with pytest.raises(NoOutput, match="both splits have a sample called that"):
        Outputs(str(tmp_path / "flat"))(request)


def test_a_listed_path_cannot_leave_its_folder(sample: Sample, tmp_path: Path) -> None:
    secret = write(tmp_path / "secret.png", picture())
    (tmp_path / "in").mkdir()
    for path in ("../secret.png", str(secret.path)):
        (tmp_path / "in" / "list.jsonl").write_text(json.dumps({"id": "a/001", "path": path}))
        with pytest.raises(DataError, match="leaves"):
            Outputs(str(tmp_path / "in" / "list.jsonl"))(sample.request)
    (tmp_path / "in" / "a").mkdir()
    (tmp_path / "in" / "a" / "001.png").symlink_to(secret.path)
    with pytest.raises(DataError, match="leaves"):
        Outputs(str(tmp_path / "in"))(sample.request)


def program(tmp_path: Path, body: str) -> str:
    path = tmp_path / "program.py"
    path.write_text("import sys\nsource, instruction, output = sys.argv[1:]\n" + body)
    return f"{sys.executable} {path} {{input}} {{instruction}} {{output}}"


INVERT = "from PIL import Image, ImageOps\nImageOps.invert(Image.open(source)).save(output)\n"


def test_a_program_gets_the_picture_and_gives_one_back(sample: Sample, tmp_path: Path) -> None:
    made = Command(program(tmp_path, INVERT))(sample.request)
    assert np.array_equal(made.rgb, 255 - sample.request.source.rgb)


def test_an_instruction_cannot_become_a_command_or_a_slot(sample: Sample, tmp_path: Path) -> None:
    wicked = f"x; touch {tmp_path}/owned $(touch {tmp_path}/owned) {{output}} '\"\n`"
    seen = tmp_path / "seen.txt"
    body = f"open({str(seen)!r}, 'w', newline='').write(instruction)\n" + INVERT
    request = type(sample.request)(sample.request.source, wicked)
    Command(program(tmp_path, body))(request)
    assert seen.read_text() == wicked
    assert not (tmp_path / "owned").exists()


def test_a_program_that_fails_or_writes_nothing_or_garbage_says_so(
    sample: Sample, tmp_path: Path
) -> None:
    with pytest.raises(OverpaintError, match="ended with 3 and said: out of luck"):
        Command(program(tmp_path, "print('out of luck', file=sys.stderr); sys.exit(3)"))(
            sample.request
        )
    with pytest.raises(NoOutput, match="wrote no {output}"):
        Command(program(tmp_path, ""))(sample.request)
    with pytest.raises(PictureError):
        Command(program(tmp_path, "open(output, 'w').write('no picture')"))(sample.request)
    with pytest.raises(UserMistake, match="cannot be started"):
        Command("no-such-program-anywhere {input} {output}")(sample.request)


@pytest.mark.slow
def test_a_slow_program_is_ended_with_all_it_started(sample: Sample, tmp_path: Path) -> None:
    late = tmp_path / "late.txt"
    child = f"import time; time.sleep(2); open({str(late)!r}, 'w')"
    body = (
        "import subprocess, time\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "time.sleep(60)\n"
    )
    with pytest.raises(OverpaintError, match=r"within 0\.7 s"):
        Command(program(tmp_path, body), timeout=0.7)(sample.request)
    time.sleep(2.5)
    assert not late.exists()


@pytest.mark.slow
def test_what_a_program_leaves_running_neither_holds_it_up_nor_stays(
    sample: Sample, tmp_path: Path
) -> None:
    note = tmp_path / "pid.txt"
    body = (
        "import subprocess\n"
        "left = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(120)'])\n"
        f"open({str(note)!r}, 'w').write(str(left.pid))\n" + INVERT
    )
    started = time.monotonic()
    Command(program(tmp_path, body))(sample.request)
    assert time.monotonic() - started < 60
    with suppress(psutil.NoSuchProcess):
        left = psutil.Process(int(note.read_text()))
        _, alive = psutil.wait_procs([left], timeout=10)
        assert alive == []


def test_an_instruction_too_long_for_a_program_costs_its_own_sample(
    sample: Sample, tmp_path: Path
) -> None:
    request = replace(sample.request, instruction="x" * 3_000_000)
    with pytest.raises(OverpaintError, match="cannot be called like this"):
        Command(program(tmp_path, INVERT))(request)


def test_editor_arguments_are_named_and_anchored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert catalog.editor_name("identity") == ("identity", "identity")
    assert catalog.editor_name("outputs:res/kontext/") == (
        "kontext",
        f"outputs:{tmp_path}/res/kontext",
    )
    assert catalog.editor_name("k=outputs:res") == ("k", f"outputs:{tmp_path}/res")
    line = "command:./edit.sh --x={input} {output}"
    assert catalog.editor_name(line) == ("edit.sh", line)
    assert catalog.editor_name("mine.py:Mine") == ("mine.py:Mine", f"{tmp_path}/mine.py:Mine")
