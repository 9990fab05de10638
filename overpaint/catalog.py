"""Names -> import paths. Nothing is imported until it is asked for by name.

Outsiders add names by entry points (groups `overpaint.benchmarks`, `overpaint.editors`,
`overpaint.measures`), or with no packaging at all by a file: `my_editor.py:MyEditor`.
"""

import difflib
import hashlib
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Collection, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from overpaint.core import Benchmark, Editor, Measure
from overpaint.errors import UserMistake

BENCHMARKS = {
    "demo": "overpaint.benchmarks.demo:demo",
    "audit": "overpaint.benchmarks.audit:audit",
    "textedit": "overpaint.benchmarks.textedit:textedit",
    "textedit@official": "overpaint.benchmarks.textedit:textedit_official",
    "vde": "overpaint.benchmarks.vde:vde",
    "vde@paper": "overpaint.benchmarks.vde:vde_paper",
    "vde@official": "overpaint.benchmarks.vde:vde_official",
    "milde": "overpaint.benchmarks.milde:milde",
    "multiref": "overpaint.benchmarks.multiref:multiref",
    "multiref@photographs": "overpaint.benchmarks.multiref:multiref_photographs",
    "ebench": "overpaint.benchmarks.ebench:ebench",
    "ebench@description": "overpaint.benchmarks.ebench:ebench_description",
    "ebench@restored": "overpaint.benchmarks.ebench:ebench_restored",
    "ebench@photographs": "overpaint.benchmarks.ebench:ebench_photographs",
}
EDITORS = {
    "identity": "overpaint.editors.floors:Identity",
    "blank": "overpaint.editors.floors:Blank",
    "source-noise": "overpaint.editors.floors:SourceNoise",
    "truth": "overpaint.editors.floors:Truth",
    "outputs": "overpaint.editors.outputs:Outputs",
    "command": "overpaint.editors.command:Command",
    "typeset": "overpaint.editors.typeset:Typeset",
    "agent": "overpaint.editors.agent:Agent",
    "images": "overpaint.editors.images_api:Images",
    "diffusers": "overpaint.editors.diffusers_pipeline:Diffusers",
    "comfyui": "overpaint.editors.comfyui:ComfyUI",
    "compositional": "overpaint.editors.compositional:Compositional",
    "turns": "overpaint.editors.turns:Turns",
    "subject-paste": "overpaint.editors.floors:SubjectPaste",
    "graded": "overpaint.editors.graded:Graded",
    "released": "overpaint.editors.graded:Released",
    "imported": "overpaint.editors.imported:Imported",
}
MEASURES = {
    "mse": "overpaint.measures.background:mse",
    "mse_inside": "overpaint.measures.background:mse_inside",
    "psnr": "overpaint.measures.background:psnr",
    "psnr_mean": "overpaint.measures.background:psnr_mean",
    "ssim": "overpaint.measures.background:ssim",
    "ms_ssim": "overpaint.measures.background:ms_ssim",
    "gmsd": "overpaint.measures.background:gmsd",
    "fsim": "overpaint.measures.background:fsim",
    "fsimc": "overpaint.measures.background:fsimc",
    "lpips": "overpaint.measures.background:lpips",
    "lpips_vgg": "overpaint.measures.background:lpips_vgg",
    "brisque": "overpaint.measures.brisque:measure",
    "niqe": "overpaint.measures.niqe:measure",
    "mse@official": "overpaint.measures.textedit_official:mse",
    "psnr@official": "overpaint.measures.textedit_official:psnr",
    "ssim@official": "overpaint.measures.textedit_official:ssim",
    "lpips@official": "overpaint.measures.textedit_official:lpips",
    "success@official": "overpaint.measures.reading_official:success",
    "aesthetics": "overpaint.measures.aesthetics:aesthetics",
    "layout": "overpaint.measures.layout:layout",
    "layout@alpha": "overpaint.measures.layout:layout_alpha",
    "milde_if": "overpaint.measures.milde_answers:milde_if",
    "milde_tr": "overpaint.measures.milde_text:milde_tr",
    "milde_tr_text": "overpaint.measures.milde_text:milde_tr_text",
    "milde_score": "overpaint.measures.milde_totals:milde_score",
    "milde_partial": "overpaint.measures.milde_totals:milde_partial",
    "milde_output": "overpaint.measures.milde_totals:milde_output",
    "layer_accuracy": "overpaint.measures.milde_layers:layer_accuracy",
    "layer_balanced": "overpaint.measures.milde_layers:layer_balanced",
    "layer_recall": "overpaint.measures.milde_layers:layer_recall",
    "layer_specificity": "overpaint.measures.milde_layers:layer_specificity",
    "layer_precision": "overpaint.measures.milde_layers:layer_precision",
    "layer_exact": "overpaint.measures.milde_layers:layer_exact",
    "fluency": "overpaint.measures.fluency:fluency",
    "fluency_change": "overpaint.measures.fluency:fluency_change",
    "fluency@gemma3": "overpaint.measures.fluency:fluency_gemma3",
    "fluency_change@gemma3": "overpaint.measures.fluency:fluency_change_gemma3",
}
# What is read in the edited region (local) and on the page (global), by protocol.
_READ = {
    "": (
        "cdm", "bleu4", "teds_like", "cer", "iou", "iou_pairs", "iou_all", "teds",
        "psnr", "psnr_mean", "ssim", "lpips", "clip",
    ),
    "tiny": ("cdm", "bleu4", "teds_like", "iou"),
    "paper": ("cdm", "bleu4", "teds_like", "iou"),
    "official": ("cdm", "bleu4", "teds", "iou", "ssim"),
}  # fmt: skip
MEASURES |= {
    f"{name}_{where}{'@' if variant else ''}{variant}": (
        f"overpaint.measures.reading{'_' if variant else ''}{variant}:{name}_{where}"
    )
    for variant, names in _READ.items()
    for name in names
    for where in ("local", "global")
}
# Whether references were obeyed: one for each kind, and the errors that MultiRef tells of maps.
_REFERENCES = (
    "bbox", "mask", "semantic_map", "depth", "canny", "sketch", "caption", "pose", "subject",
    "style", "depth_mse", "canny_mse", "sketch_mse",
)  # fmt: skip
MEASURES |= {f"ref_{name}": f"overpaint.measures.references:ref_{name}" for name in _REFERENCES}
MEASURES |= {
    "subject_features": "overpaint.measures.references:subject_features",
    "style_statistics": "overpaint.measures.references:style_statistics",
    "ref_fidelity": "overpaint.measures.references_totals:ref_fidelity",
    "ref_fidelity_rules": "overpaint.measures.references_totals:ref_fidelity_rules",
    "ref_average": "overpaint.measures.references_totals:ref_average",
    "ref_pose_map": "overpaint.measures.references_sets:ref_pose_map",
    "fid": "overpaint.measures.references_sets:fid",
    "frechet_features": "overpaint.measures.references_sets:frechet_features",
}
# Held against the source, as EBench has it, also where a sample has a truth.
_BESIDE_SOURCE = (
    "mse", "psnr", "psnr_mean", "ssim", "ms_ssim", "gmsd", "fsim", "fsimc", "lpips", "lpips_vgg",
)  # fmt: skip
MEASURES |= {
    f"{name}@source": f"overpaint.measures.beside_source:{name}" for name in _BESIDE_SOURCE
}
MEASURES |= {
    "clip_description": "overpaint.measures.description:clip_description",
    "score_all": "overpaint.measures.ebench_score:score_all_people",
}
# Measures made for what they are given: `judge:textedit_if:openai/gpt-4o-2024-11-20`.
MAKERS = {
    "judge": "overpaint.measures.judge:judge",
    "evidence": "overpaint.measures.evidence:evidence",
    "pairwise": "overpaint.measures.pairwise:pairwise",
    "human": "overpaint.measures.human:human",
    "reading": "overpaint.measures.reading_model:reading",
    "layout": "overpaint.measures.layout:layout_by",
    "milde": "overpaint.measures.milde_judged:milde",
    "multiref": "overpaint.measures.references_judged:multiref",
    "learned": "overpaint.measures.learned:learned",
}
# How each is written, and what it is.
FORMS = {
    "judge:RUBRIC[.DIMENSION][;repeats=N][;quorum=N]:MODEL[,MODEL]": (
        "what a model, or a panel of them, says by a rubric; several rubrics with + are a total"
    ),
    "evidence:DIMENSION": "pass or fail, from words and pixels alone: IF, TA, VC, LP or SE",
    "reading:MEASURE:MODEL": "a measure of reading, such as cdm_local, with a model as the reader",
    "human:FILE.csv[;dimension=NAME][;scale=1-5][;as=mos]": (
        "the mean of people's ratings of an edit; as=mos: opinion scores after screening"
    ),
    "layout:FILE.py:NAME": (
        "layout consistency with masks of your own: a function of RGB pixels that gives n×H×W"
    ),
    "milde:if|tr|score|output[;repeats=N][;quorum=N]:MODEL[,MODEL]": (
        "MiLDEEval with a model as the judge: questions, text, MiLDEScore of editors, of outputs"
    ),
    "multiref:iq|if|sf[_categories][;repeats=N][;quorum=N]:MODEL[,MODEL]": (
        "MultiRef with a model as the judge, as score / 5; _categories: the plain mean over the"
        " categories of requests"
    ),
    "learned[:FOLDER][;dimension=NAME]": (
        "what a trained evaluator says, a column a dimension; without a folder the one that comes"
        " with Overpaint, which learned simulated opinion"
    ),
}
PACKAGED = ("smollm2", "gemma3")  # language models after local/
KINDS = {"benchmark": BENCHMARKS, "editor": EDITORS, "measure": MEASURES}

# Rows every table has unless told otherwise, and what each is there for.
FLOORS = ("identity", "blank", "source-noise")
CEILINGS = ("truth",)


def competing(editors: Mapping[str, str], own: Collection[str]) -> list[str]:
    """Of a run's editors (name -> spec) those that are read against floors and ceilings.

    `own` are the specs of floors that the benchmark named as its own.
    """
    marks = (*FLOORS, *CEILINGS, *own)
    return [name for name, spec in editors.items() if spec not in marks]


@cache
def benchmark(name: str) -> Benchmark:
    """The benchmark of that name."""
    found: Any = load("benchmark", name)
    found = found() if isinstance(found, type) else found
    for part in ("card", "measures", "breakdowns", "load"):
        if not hasattr(found, part):
            raise UserMistake(f"{name} has no {part}, so it is no benchmark.")
    chosen: Benchmark = found
    return chosen


@cache
def measure(spec: str) -> Measure:
    """The measure behind a spec: a name, `maker:argument`, or `file.py:NAME`."""
    name, argument = _split(spec)
    made = name in MAKERS and (argument or name not in MEASURES)
    found = load("maker", name)(*argument or [""]) if made else load("measure", spec)
    if not isinstance(found, Measure):
        raise UserMistake(f"{spec} is a {type(found).__name__}; a Measure was expected.")
    return found


@cache
def editor(spec: str) -> Editor:
    """The editor behind a spec: a name, `name:argument`, or `file.py:Class`."""
    name, argument = _split(spec)
    try:
        made: Editor = editor_class(name)(*argument)
    except TypeError as error:
        raise UserMistake(
            f"No editor can be made from {spec!r}: {error}.",
            "An editor is NAME, or NAME:ARGUMENT such as outputs:FOLDER.",
            "`overpaint list editors` shows what each does.",
        ) from None
    return made


def editor_class(name: str) -> type:
    """What makes the editors of that name."""
    found: type = load("editor", name)
    if not isinstance(found, type):
        raise UserMistake(f"{name} is a {type(found).__name__}; an editor's class was expected.")
    return found


def editor_name(text: str) -> tuple[str, str]:
    """The (name, spec) of an --editor argument: `SPEC` or `NAME=SPEC`.

    A name may hold anything but a colon, which is where a spec's argument begins.
    """
    if match := re.match(r"([^:=]+)=(.+)", text, re.DOTALL):
        return match[1], anchored(match[2])
    name, argument = _split(text)
    short = argument[0].split()[0] if argument and argument[0].strip() else name
    return Path(short).name, anchored(text)


def anchored(spec: str) -> str:
    """The spec with its path made absolute, so that it means the same from any folder."""
    name, argument = _split(spec)
    if ".py:" in spec:
        maker = f"{name}:" if argument else ""
        file, _, attribute = spec.removeprefix(maker).rpartition(":")
        return f"{maker}{Path(file).resolve()}:{attribute}"
    if name in ("judge", "pairwise"):  # a rubric of one's own
        return re.sub(r"(?<=[:+])[^:+;]+?\.md(?=[.+;:])", lambda m: os.path.abspath(m[0]), spec)
    if name == "turns" and argument:
        return f"{name}:{anchored(argument[0])}"
    if name in ("agent", "compositional"):  # a reasoner of one's own
        spec = re.sub(r"(?<=[:=]local/)[^;]+", _anchored_reasoner, spec)
    if name in ("agent", "compositional") and ";image=" in spec:
        before, image, painter = spec.partition(";image=")
        return f"{before}{image}{anchored(painter)}"
    folder = argument[0].split(";")[0] if name == "diffusers" and argument else ""
    if folder and Path(folder).is_dir():
        return f"{name}:{Path(folder).resolve()}{argument[0].removeprefix(folder)}"
    if name == "comfyui":
        path = r"(?<=;workflow=)[^;]+"
        return re.sub(path, lambda m: os.path.abspath(os.path.expanduser(m[0])), spec)
    if name == "learned" and argument and argument[0].split(";")[0].strip():
        folder, semicolon, dimension = argument[0].partition(";")
        return f"{name}:{Path(folder).resolve()}{semicolon}{dimension}"
    here = name in ("outputs", "human") and argument and argument[0].strip()
    return f"{name}:{Path(argument[0]).resolve()}" if here else spec


def _anchored_reasoner(match: re.Match[str]) -> str:
    """The folder of a trained reasoner made absolute; other names after local/ are no folders.

    A bare name of a packaged model is that model, also where a folder is called so.
    """
    folder, at, digest = match[0].partition("@")
    trained = folder not in PACKAGED and (Path(folder) / "reasoner.json").is_file()
    return f"{Path(folder).resolve()}{at}{digest}" if trained else match[0]


def names(kind: str) -> dict[str, str]:
    """Every name of a kind, ours and outsiders', with where it comes from."""
    outside = {point.name: point.value for point in entry_points(group=f"overpaint.{kind}s")}
    return KINDS[kind] | outside


def _split(spec: str) -> tuple[str, list[str]]:
    name, colon, argument = spec.partition(":")
    if ".py:" in spec and name != "layout":  # whose argument is such a file
        return spec, []
    return name, [argument] if colon else []


def load(kind: str, name: str) -> Any:
    """What stands behind a name of that kind, or behind FILE.py:NAME."""
    known = MAKERS if kind == "maker" else names(kind) if kind in KINDS else {}
    path = name if ".py:" in name else known.get(name)
    if path is None:
        close = difflib.get_close_matches(name, known, 1)
        raise UserMistake(
            f"There is no {kind} {name!r}.",
            f"Did you mean {close[0]!r}?" if close else f"Known are {', '.join(known)}.",
            f"`overpaint list {kind}s` shows them all; a file of your own is FILE.py:NAME.",
        )
    where, _, attribute = path.rpartition(":")
    module = _module_of_file(Path(where)) if where.endswith(".py") else _import(where)
    try:
        return getattr(module, attribute)
    except AttributeError:
        raise UserMistake(
            f"{where} has no {attribute!r}.", f"Expected there: the {kind}."
        ) from None


def _import(module: str) -> ModuleType:
    return importlib.import_module(module)


def _module_of_file(path: Path) -> ModuleType:
    """A user's own file, imported under a name of its own; workers find it by the same path."""
    path = path.resolve()
    # Two files of one name in two folders are two modules.
    name = f"overpaint_user_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    if not path.is_file():
        raise UserMistake(f"The file {path} is not there.")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (SyntaxError, ImportError, NameError, AttributeError, TypeError, ValueError) as error:
        del sys.modules[name]
        raise UserMistake(f"{path} cannot be imported: {type(error).__name__}: {error}.") from error
    return module
