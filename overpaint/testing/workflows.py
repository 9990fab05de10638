"""A fake ComfyUI: uploads, a queue, its history and views; each job behaves as it is told."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import numpy as np

from overpaint.testing.answer import Answer, as_json, failure
from overpaint.testing.painting import Paint, decoded, png

_NODE = "9"  # the one that saves


@dataclass(frozen=True)
class Job:
    """How one workflow fares."""

    polls: int = 1  # of its history until it is there; -1: never
    answer: Answer | None = None  # what queueing it says instead
    failed: bool = False
    pictures: bool = True
    small: bool = False
    broken: bool = False
    view: Answer | None = None


def _invalid() -> Answer:
    wrong = {"type": "value_not_in_list", "message": "Value not in list", "details": "ckpt_name"}
    told: dict[str, Any] = {
        "error": {"type": "prompt_outputs_failed_validation",
                  "message": "Prompt outputs failed validation", "details": ""},
        "node_errors": {"4": {"errors": [wrong], "class_type": "CheckpointLoaderSimple"}},
    }  # fmt: skip
    return as_json(told, 400)


WORKFLOWS: Mapping[str, Job] = {
    "ok": Job(),
    "late": Job(polls=3),
    "never": Job(polls=-1),
    "failed": Job(failed=True),
    "invalid": Job(answer=_invalid()),
    "no_picture": Job(pictures=False),
    "small": Job(small=True),
    "broken_png": Job(broken=True),
    "bad_json": Job(answer=Answer(body=b'{"prompt_id": "a')),
    "no_id": Job(answer=as_json({"number": 1})),
    "server_error": Job(answer=failure(500, "The server had an error.", "server_error")),
    "hang": Job(answer=Answer(never=True)),
    "huge": Job(view=Answer(body=b" " * 8_000_000)),
}


@dataclass
class Queue:
    """What was uploaded and queued, and what has become of it."""

    paint: Paint
    files: dict[str, bytes] = field(default_factory=dict)
    prompts: list[dict[str, Any]] = field(default_factory=list)
    jobs: dict[str, Job] = field(default_factory=dict)
    polled: dict[str, int] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)

    def uploaded(self, parts: Sequence[tuple[str, bool, bytes]]) -> Answer:
        """Keep a picture under a number of its own, as ComfyUI may rename what it is sent."""
        found = next((data for name, file, data in parts if file and name == "image"), None)
        if found is None:
            return Answer(400)
        name = f"upload{len(self.files)}.png"
        self.files[name] = found
        return as_json({"name": name, "subfolder": "", "type": "input"})

    def queued(self, body: bytes, job: Job) -> Answer:
        """Queue a workflow, or say why not."""
        if job.answer is not None:
            return job.answer
        try:
            prompt = json.loads(body)["prompt"]
        except (ValueError, KeyError, TypeError):
            return Answer(400)
        key = f"job-{len(self.prompts)}"
        self.prompts.append(prompt)
        self.jobs[key], self.polled[key] = job, 0
        return as_json({"prompt_id": key, "number": len(self.prompts), "node_errors": {}})

    def answered(self, method: str, path: str, query: str) -> Answer:
        """The history of a job, the view of a picture, or the queue."""
        if method == "GET" and path.startswith("/history/"):
            return self._history(path.removeprefix("/history/"))
        if (method, path) == ("GET", "/view"):
            return self._view(parse_qs(query).get("filename", [""])[0])
        if (method, path) == ("POST", "/queue"):
            return as_json({})
        return failure(404, f"There is nothing at {path[:100]}.", "invalid_request_error")

    def _history(self, key: str) -> Answer:
        job = self.jobs.get(key)
        if job is None:
            return as_json({})
        self.polled[key] += 1
        if job.polls < 0 or self.polled[key] < job.polls:
            return as_json({})
        if job.failed:
            why = {"node_id": "3", "node_type": "KSampler", "exception_type": "OutOfMemoryError",
                   "exception_message": "Allocation on device failed"}  # fmt: skip
            status = {"status_str": "error", "completed": False,
                      "messages": [["execution_start", {}], ["execution_error", why]]}  # fmt: skip
            return as_json({key: {"outputs": {}, "status": status}})
        saved = [{"filename": f"{key}.png", "subfolder": "", "type": "output"}]
        outputs = {_NODE: {"images": saved}} if job.pictures else {}
        status = {"status_str": "success", "completed": True, "messages": []}
        return as_json({key: {"outputs": outputs, "status": status}})

    def _view(self, name: str) -> Answer:
        key = name.removesuffix(".png")
        if key not in self.jobs:
            return Answer(404)
        job, prompt = self.jobs[key], self.prompts[int(key.removeprefix("job-"))]
        if job.view is not None:
            return job.view
        made = self.paint(self._loaded(prompt), "")
        whole = png(made[::2, ::2] if job.small else made)
        return Answer(body=whole[: len(whole) // 2] if job.broken else whole, kind="image/png")

    def _loaded(self, prompt: Mapping[str, Any]) -> Any:
        """The picture that the workflow's first node of that kind loads."""
        names = [
            node["inputs"].get("image")
            for _, node in sorted(prompt.items())
            if node.get("class_type") == "LoadImage"
        ]
        if not names or names[0] not in self.files:
            return np.zeros((8, 8, 3), np.uint8)
        return decoded(self.files[names[0]])[:, :, :3]
