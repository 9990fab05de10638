"""Networks in ONNX form, made ready to run on one thread: processes share the cores."""

from pathlib import Path
from typing import Any

from overpaint.errors import Unavailable


def started(model: Path | bytes, name: str = "", *, lean: bool = False) -> Any:
    """An onnxruntime session of a model in a file or in memory; whoever asks keeps it.

    A lean one gives its memory back after each run, for networks that take a gigabyte.
    """
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as refusals

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 4
    settings.enable_cpu_mem_arena = settings.enable_mem_pattern = not lean
    given = model if isinstance(model, bytes) else str(model)
    try:
        return onnxruntime.InferenceSession(given, settings, providers=["CPUExecutionProvider"])
    except (
        refusals.Fail, refusals.InvalidArgument, refusals.InvalidGraph, refusals.InvalidProtobuf,
        refusals.NotImplemented,
    ) as error:  # fmt: skip
        raise Unavailable(f"{name or model!s} is no ONNX model: {error}.") from None
