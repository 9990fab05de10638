"""The files for Slurm and Kubernetes parse, say what is so, and give commands that are some."""

import os
import re
import shlex
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from overpaint.cli.parser import build
from overpaint.store.claiming import TAKE

FILES = Path(__file__).parent.parent.parent / "docs" / "guides" / "cluster"
# Fields of KubeRay 1.5.1 and newer, as its reference of the API names them.
KNOWN = {
    "RayJob": {"entrypoint", "shutdownAfterJobFinishes", "ttlSecondsAfterFinished", "backoffLimit",
               "rayClusterSpec"},
    "RayCluster": {"rayVersion", "authOptions", "headGroupSpec", "workerGroupSpecs",
                   "enableInTreeAutoscaling"},
    "head": {"rayStartParams", "template"},
    "worker": {"groupName", "replicas", "minReplicas", "maxReplicas", "rayStartParams", "template"},
}  # fmt: skip


def read(name: str) -> Any:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((FILES / name).read_text())


def image() -> tuple[str, str]:
    """The versions of Ray and Overpaint in the image."""
    text = (FILES / "Dockerfile").read_text()
    found = re.search(r"overpaint\[ray\]==([\d.]+)' 'ray\[default\]==([\d.]+)'", text)
    assert found
    assert f"FROM rayproject/ray:{found[2]}-py311" in text
    return found[2], found[1]


@pytest.mark.parametrize("name", ["rayjob.yaml", "raycluster.yaml"])
def test_clusters_for_kubernetes_say_what_kuberay_knows(name: str) -> None:
    ray, ours = image()
    told = read(name)
    assert (told["apiVersion"], ours) == ("ray.io/v1", version("overpaint"))
    spec = told["spec"]
    assert set(spec) <= KNOWN[told["kind"]]
    cluster = spec.get("rayClusterSpec", spec)
    assert set(cluster) <= KNOWN["RayCluster"]
    assert (cluster["rayVersion"], cluster["authOptions"]) == (ray, {"mode": "token"})
    head, workers = cluster["headGroupSpec"], cluster["workerGroupSpecs"]
    assert set(head) == KNOWN["head"]
    for one in (head, *workers):
        assert all(isinstance(value, str) for value in one["rayStartParams"].values())
        pod = one["template"]["spec"]
        (container,), (volume,) = pod["containers"], pod["volumes"]
        assert container["image"] == f"overpaint-ray:{ours}"
        assert container["volumeMounts"] == [{"name": volume["name"], "mountPath": "/shared"}]
        assert container["resources"]["limits"] == container["resources"]["requests"]
    assert all(set(one) == KNOWN["worker"] for one in workers)
    assert all(one["minReplicas"] <= one["replicas"] <= one["maxReplicas"] for one in workers)


def test_a_job_that_is_started_again_takes_its_run_over() -> None:
    head = read("rayjob.yaml")["spec"]["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]
    (container,) = head["containers"]
    assert {"name": TAKE, "value": "take"} in container["env"]


def test_the_jobs_command_is_one_and_writes_where_all_can_see() -> None:
    words = shlex.split(read("rayjob.yaml")["spec"]["entrypoint"])
    assert words[0] == "overpaint"
    args = build().parse_args(words[1:])
    assert args.on == "ray"
    assert str(args.out).startswith("/shared/")
    assert str(args.data).startswith("/shared/")


SRUN = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
echo "claims: $OVERPAINT_CLAIM"
printf '%s\\n' "$@" > "$WORDS"
"""


def test_the_script_for_slurm_gives_the_command_on_all_nodes(tmp_path: Path) -> None:
    script = FILES / "slurm.sh"
    subprocess.run(["bash", "-n", script], check=True)
    told = re.findall(r"^#SBATCH (--[a-z-]+)", script.read_text(), re.MULTILINE)
    assert {"--nodes", "--ntasks-per-node", "--no-kill", "--requeue", "--exclusive"} <= set(told)
    tools, venv = tmp_path / "tools", tmp_path / "venv" / "bin"
    for folder, name, text in (
        (tools, "srun", SRUN), (tools, "scontrol", "#!/bin/sh\nprintf 'n7\\nn8\\n'\n"),
        (venv, "activate", ""),
    ):  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    env = {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "SLURM_JOB_NODELIST": "n[7-8]",
        "SLURM_JOB_NUM_NODES": "2", "SLURM_CPUS_PER_TASK": "16",
        "OVERPAINT_VENV": str(venv.parent), "WORDS": str(tmp_path / "words"),
    }  # fmt: skip
    asked = ["run", "textedit", "-o", "/shared/my runs/one"]
    for again, claims in ({}, ""), ({"SLURM_RESTART_COUNT": "1"}, "take"):
        done = subprocess.run(
            ["bash", script, *asked], env=env | again, check=True, capture_output=True, text=True
        )
        assert done.stdout == f"claims: {claims}\n"
    words = (tmp_path / "words").read_text().splitlines()
    given = words.index("--")
    assert words[:given] == ["ray", "symmetric-run", "--address", "n7:6379", "--min-nodes", "2",
                             "--num-cpus", "16"]  # fmt: skip
    assert words[given + 1 :] == ["overpaint", *asked, "--on", "ray"]
    assert build().parse_args(words[given + 2 :]).on == "ray"
