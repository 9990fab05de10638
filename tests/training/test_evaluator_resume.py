"""A training that was stopped goes on as if it had not been; one of another run is refused."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("peft")

from evaluator_toy import short_data, short_settings  # noqa: E402

from overpaint.errors import UserMistake  # noqa: E402
from overpaint.measures.learned.vlm import ADAPTER, HEADS, WEIGHTS  # noqa: E402
from overpaint.testing.tiny import tiny_vlm  # noqa: E402
from overpaint.training.evaluator import train_evaluator  # noqa: E402
from overpaint.training.evaluator_settings import SCORES, TEXT  # noqa: E402

pytestmark = pytest.mark.slow


class Stopped(Exception):
    """As if the machine had been switched off."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    return tiny_vlm(tmp_path_factory.mktemp("base"))


def stop_after(stage: str, step: int) -> Callable[[str, int, int], None]:
    def progress(label: str, done: int, total: int) -> None:
        if (label, done) == (stage, step):
            raise Stopped

    return progress


def weights(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in (f"{ADAPTER}/{WEIGHTS}", HEADS, "losses.csv")]


@pytest.mark.parametrize("adapter", ["adalora", "lora"])
def test_a_training_stopped_thrice_ends_bit_for_bit_as_one_that_was_not(
    base: Path, tmp_path: Path, adapter: str
) -> None:
    # With dropout: the random numbers have to go on as well.
    settings = short_settings(base, adapter=adapter, dropout=0.1, every=2)
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    train_evaluator(short_data(), whole, settings)
    # The first stop is at a checkpoint, the others one step after: that step is taken again.
    # AdaLoRA is looking at the first, taking ranks away at the second, settled at the third.
    for stage, step in ((TEXT, 2), (SCORES, 3), (SCORES, 3)):
        with pytest.raises(Stopped):
            train_evaluator(short_data(), parted, settings, progress=stop_after(stage, step))
        assert not (parted / "learned.json").exists()
        assert (parted / "checkpoint").is_dir()
    train_evaluator(short_data(), parted, settings)
    assert weights(parted) == weights(whole)


def test_a_stop_while_it_is_tried_out_costs_no_step(base: Path, tmp_path: Path) -> None:
    settings, seen = short_settings(base), []
    with pytest.raises(Stopped):
        train_evaluator(short_data(), tmp_path, settings, progress=stop_after("tried", 1))
    train_evaluator(short_data(), tmp_path, settings,
                    progress=lambda label, done, total: seen.append(label))  # fmt: skip
    assert set(seen) == {"tried"}


@pytest.fixture(scope="module")
def stopped(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("stopped")
    settings = short_settings(base, every=1)
    with pytest.raises(Stopped):
        train_evaluator(short_data(), out, settings, progress=stop_after(TEXT, 1))
    return out


def test_a_checkpoint_of_other_settings_is_refused(base: Path, stopped: Path) -> None:
    with pytest.raises(UserMistake, match="checkpoint of another run") as error:
        train_evaluator(short_data(), stopped, short_settings(base, rate=1e-3))
    assert error.value.right
    assert "another folder" in error.value.todo


def test_a_checkpoint_of_other_data_is_refused(base: Path, stopped: Path) -> None:
    from evaluator_toy import toy_data

    with pytest.raises(UserMistake, match="checkpoint of another run"):
        train_evaluator(toy_data(sources=7, editors=2), stopped, short_settings(base))


def test_how_often_checkpoints_are_written_makes_no_other_run(base: Path, stopped: Path) -> None:
    state = json.loads((stopped / "checkpoint" / "state.json").read_text())
    from overpaint.training.evaluator_settings import run_of

    assert run_of(short_data(), short_settings(base, every=7)) == state["run"]


def test_a_checkpoint_of_another_model_under_the_same_name_is_refused(
    base: Path, stopped: Path, tmp_path: Path
) -> None:
    state = stopped / "checkpoint" / "state.json"
    told = json.loads(state.read_text())
    other = Path(shutil.copytree(stopped, tmp_path / "other"))
    (other / "checkpoint" / "state.json").write_text(json.dumps(told | {"base": "another"}))
    with pytest.raises(UserMistake, match="is of another model, or of other numbers"):
        train_evaluator(short_data(), other, short_settings(base))


def test_a_folder_that_cannot_be_written_to_is_told_before_anything_is_trained(
    base: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserMistake, match="cannot be written to") as error:
        train_evaluator(short_data(), tmp_path / "file", short_settings(base))
    assert "-o FOLDER" in error.value.todo


def test_a_broken_checkpoint_is_told(base: Path, stopped: Path) -> None:
    (stopped / "checkpoint" / "state.safetensors").write_bytes(b"nothing")
    with pytest.raises(UserMistake, match="cannot be read") as error:
        train_evaluator(short_data(), stopped, short_settings(base))
    assert error.value.todo == "Remove it to begin again."


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from evaluator_toy import short_data, short_settings
from overpaint.training.evaluator import train_evaluator
train_evaluator(short_data(), Path(sys.argv[3]), short_settings(Path(sys.argv[2])))
from accelerate import PartialState
assert PartialState().num_processes == 2
"""


def test_two_processes_learn_what_one_does(base: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    train_evaluator(short_data(), tmp_path / "one", short_settings(base))
    words = ["--nproc_per_node", "2", "--master_port", "0", "--rdzv_backend", "c10d",
             "--rdzv_endpoint", "localhost:0", str(script), str(Path(__file__).parent),
             str(base), str(tmp_path / "two")]  # fmt: skip
    told = os.environ | {"ACCELERATE_USE_CPU": "true", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", *words],
        env=told, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    from safetensors.torch import load_file

    one, two = (load_file(tmp_path / name / ADAPTER / WEIGHTS) for name in ("one", "two"))
    assert one.keys() == two.keys()
    for name, value in one.items():
        assert torch.allclose(value, two[name], atol=1e-5), name
