"""TextEditBench: editing the text in pictures, 1,196 samples with all their dirt.

Rui Gui et al., "TextEditBench: Evaluating Reasoning-aware Text Editing Beyond Rendering".
A sample is known by its split and path, never by the id in its file: ids repeat.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from overpaint.benchmarks.textedit_difficulty import (
    UNKNOWN,
    check_difficulty,
    rating_notes,
    read_rating,
    tags_of,
)
from overpaint.benchmarks.textedit_files import (
    MANUAL,
    SPLITS,
    Annotation,
    Folder,
    Note,
    clean,
    closest,
    find_tree,
    parse_annotation,
    read_bytes,
    walk,
)
from overpaint.benchmarks.textedit_pictures import find_pictures
from overpaint.core import Card, Loaded, Repair, Request, Sample
from overpaint.document import Document
from overpaint.errors import DataError, PictureError, UserMistake
from overpaint.measures.alignment import ALIGNMENT

MISSPELT = "knowledge_prompt_misspelt"
# What the release's 1,197 annotation files hash to, paths and bytes: the revision on the card.
REVISION = "4099f5731a05"

TOPICS = (
    "Art & Creative Expression", "Business & Advertising", "Crafts & Personal Creations",
    "Data & Analytics", "Digital Interfaces & Interaction", "Documents & Credentials",
    "Education & Instruction", "Environmental & Spatial Signage", "Media & Publishing",
    "Merchandise & Apparel", "Packaging & Logistics", "Personal Communication & Social Media",
    "Professional Documents & Reports", "Scientific & Technical Diagrams",
)  # fmt: skip
# The second five are what judges call the methods; the data has the first six.
OPERATIONS = {
    "text_delete": "delete", "text_insert": "insert", "text_change": "change",
    "text_relocation": "relocation", "scaling": "scaling", "text_attribute": "attribute",
    "text_correction": "change", "translation": "change", "font_change": "attribute",
    "position_shift": "relocation", "rotation": "relocation",
}  # fmt: skip
# Not near enough to its right name to be known by spelling alone.
TOPIC_ALIASES = {"digtialinterfacesreports": "Digital Interfaces & Interaction"}
TIERS = ("easy", "medium", "hard")
BREAKDOWNS = ("split", "operation", "topic", "difficulty", "language")
FOUR = ("textedit_if", "textedit_ta", "textedit_vc", "textedit_lp")
FIVE = (*FOUR, "textedit_se")
RUBRICS = (*FIVE, "+".join(FOUR), "+".join(FIVE))  # the totals of 20 and of 25 come last
OFFICIAL = tuple(f"{name};official=1" for name in (*FIVE, "+".join(FIVE)))
SOURCE_TAGS = ("human_annotation", "model_generated")


@dataclass(frozen=True)
class TextEdit:
    """A TextEditBench protocol: the same samples under the card it is given."""

    card: Card
    measures: tuple[str, ...]
    breakdowns: tuple[str, ...] = BREAKDOWNS
    rubrics: tuple[str, ...] = RUBRICS
    exact_keys: bool = False  # a knowledge prompt under a misspelt key is not seen

    def load(self, data: Path | None) -> Loaded:
        """The samples of the official tree at or below `data`, and every repair it took."""
        loaded = load(data)
        if not self.exact_keys:
            return loaded
        return replace(loaded, samples=tuple(map(_as_spelt, loaded.samples)))

    def check(self, samples: Iterable[Sample]) -> list[Repair]:
        """Where annotated difficulty disagrees with what can be computed (reads the masks)."""
        return [repair for sample in samples for repair in check_difficulty(sample)]


def load(data: Path | None) -> Loaded:
    """The samples of the official tree at or below `data`; what cannot be read is reported."""
    root, splits = find_tree(data)
    log: list[Repair] = []
    folders = walk(root, splits, log)
    annotated, files = _read_all(folders, log)
    if not files:
        raise UserMistake(f"No annotation (.json) was found below {root}.")
    log += _tree_repairs(folders, annotated, splits)
    samples = [_sample(folder, annotated[folder.where], log) for folder in folders
               if folder.where in annotated and not _is_copy(folder, annotated)]  # fmt: skip
    kept = _with_names([sample for sample in samples if sample])
    log += _id_repairs(kept)
    return Loaded(tuple(_with_clusters(kept)), tuple(sorted(log, key=lambda r: r.where)), files)


# ── annotations ─────────────────────────────────────────────────────────────────────────


def _read_all(folders: Sequence[Folder], log: list[Repair]) -> tuple[dict[str, Annotation], int]:
    """The annotation of every folder that has one, and how many files were seen."""
    annotated, files, digest = {}, 0, hashlib.sha256()
    for folder in folders:
        files += len(folder.annotations)
        if folder.annotations and len(folder.parts) < 3:
            log.append(Repair(folder.where, "misplaced annotation", "Not in a sample's folder."))
            continue
        for name in folder.annotations[1:]:
            log.append(Repair(folder.where, "extra annotation", f"{clean(name)} was not read."))
        for name in folder.annotations[:1]:
            try:
                data = read_bytes(folder.path / name)
                digest.update(f"{folder.where}\0{hashlib.sha256(data).hexdigest()}\n".encode())
                annotated[folder.where] = parse_annotation(data)
            except DataError as error:
                log.append(Repair(folder.where, "unreadable", f"{clean(name)}: {error}"))
    if files and (found := digest.hexdigest()[:12]) != REVISION:
        did = f"{files:,} files with revision {found}; the card describes {REVISION}."
        log.append(Repair("all annotations", "other data", did))
    return annotated, files


def _is_copy(folder: Folder, annotated: Mapping[str, Annotation]) -> bool:
    """Whether a nested folder repeats the annotation of the sample it is named after."""
    split, topic, *_ = folder.parts
    twin = annotated.get(f"{split}/{topic}/{folder.parts[-1]}")
    return len(folder.parts) > 3 and twin is not None and (
        twin.texts == annotated[folder.where].texts
    )  # fmt: skip


def _tree_repairs(
    folders: Sequence[Folder], annotated: Mapping[str, Annotation], splits: Sequence[str]
) -> Iterator[Repair]:
    for split in SPLITS:
        if split not in splits:
            yield Repair(split, "missing split", f"Only {', '.join(splits)} was read.")
    for folder in folders:
        depth, name = len(folder.parts), folder.parts[-1]
        topic = _topic_of(name) if depth == 2 else None
        if topic and name != topic.replace(" & ", "_").replace(" ", "_"):
            yield Repair(folder.where, "misspelt folder", f"Read as the topic {topic!r}.")
        if depth > 2 and folder.pictures and not folder.annotations:
            yield Repair(folder.where, "no annotation", "Its pictures were left out.")
        if depth > 3 and folder.where in annotated:
            if _is_copy(folder, annotated):
                did = f"The same annotation as {folder.parts[1]}/{name}: not counted."
                yield Repair(folder.where, "nested copy", did)
            else:
                yield Repair(folder.where, "nested sample", "It is a sample of its own: counted.")


# ── samples ─────────────────────────────────────────────────────────────────────────────


def _sample(folder: Folder, annotation: Annotation, log: list[Repair]) -> Sample | None:
    """The sample of a folder; None where an unsafe path is all there is to find its source."""
    notes = list(annotation.notes)
    method = _mended(annotation, "editing_method", OPERATIONS, notes)
    tags = {"split": SPLITS[folder.parts[0]], "operation": OPERATIONS.get(method, UNKNOWN)}
    tags |= {"topic": _topic(folder, annotation, notes)} | _difficulty_tags(annotation, notes)
    facts = _facts(folder, annotation, notes)
    pictures = find_pictures(folder, method, annotation)
    unsafe = ("unsafe path", "Without what leads out of its folder it has no pictures: left out.")
    notes += pictures.notes if pictures else [unsafe]
    log += [Repair(folder.where, kind, did) for kind, did in notes]
    if pictures is None:
        return None
    return Sample(
        id=folder.where,
        request=Request(Document(pictures.source), annotation.get("prompt")),
        target=Document(pictures.target) if pictures.target else None,
        masks=tuple(Document(mask) for mask in pictures.masks),
        tags=tags,
        facts=facts,
    )


def _mended(annotation: Annotation, field: str, choices: Iterable[str], notes: list[Note]) -> str:
    """The choice a field means, with a note where it is not spelt like that; or nothing."""
    raw, name = annotation.get(field), field.removeprefix("editing_")
    near = closest(raw, tuple(choices), 0.7 if field == "difficulty" else 0.8)
    if near and raw != near:
        notes.append((f"misspelt {name}", f"{raw[:60]!r} was read as {near!r}."))
    elif raw and not near and field == "editing_method":
        notes.append(("unknown method", f"{raw[:60]!r}: no operation of the benchmark."))
    return near or ""


def _topic(folder: Folder, annotation: Annotation, notes: list[Note]) -> str:
    """The folder's topic; the annotation's is only checked, for some were copied over."""
    raw = annotation.get("topic")
    said, topic = _topic_of(raw), _topic_of(folder.parts[1])
    if raw and topic and raw != topic:
        kind = "misspelt topic" if said == topic else "topic disagrees"
        notes.append((kind, f"{raw[:60]!r} was read as {topic!r}."))
    return topic or said or folder.parts[1].replace("_", " ")


@cache
def _topic_of(text: str) -> str | None:
    """The topic a text or folder name means, however it is spaced or spelt."""
    letters = {_letters(topic): topic for topic in TOPICS} | TOPIC_ALIASES
    near = closest(_letters(text), tuple(letters), 0.75)
    return letters[near] if near else None


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", text[:80].lower())


def _difficulty_tags(annotation: Annotation, notes: list[Note]) -> dict[str, str]:
    label = _mended(annotation, "difficulty", TIERS, notes)
    text = annotation.get("difficulty_score")
    rating = read_rating(text)
    notes += rating_notes(rating, text, label)
    tier, language = tags_of(rating, label)
    return {"difficulty": tier, "language": language}


def _facts(folder: Folder, annotation: Annotation, notes: list[Note]) -> dict[str, Any]:
    """What the annotation says, as written, but for the knowledge prompt and the source tag."""
    rating = read_rating(annotation.get("difficulty_score"))
    tag = _mended(annotation, "source_tag", SOURCE_TAGS, notes)
    linked = annotation.get("knowledge_prompt").strip()
    if not linked and "knowledge_prompt" in annotation.texts:
        notes.append(("empty knowledge prompt", "It counts as a sample without one."))
    name = annotation.get("id")
    if name and not re.fullmatch(rf"\w.*_0*{re.escape(folder.number)}", name):
        notes.append(("odd id", f"{name[:80]!r} is not this folder's; the path counts."))
    if folder.parts[0] == MANUAL and "output_image" not in annotation.texts:
        notes.append(("missing field", "There is no output_image."))
    return {
        **annotation.texts,
        "knowledge_prompt": linked or None,
        "source_tag": tag or annotation.get("source_tag"),
        "difficulty_values": list(rating.values) if rating else None,
        MISSPELT: any(
            k == "misspelt key" and "'knowledge_prompt'" in d for k, d in annotation.notes
        ),
    }


def _as_spelt(sample: Sample) -> Sample:
    """The sample as the official script reads it: by exact keys alone."""
    lost = {"knowledge_prompt": None} if sample.facts[MISSPELT] else {}
    return replace(sample, facts={**sample.facts, **lost})


def _id_repairs(samples: Sequence[Sample]) -> Iterator[Repair]:
    """Ids that do not tell samples apart."""
    users: dict[str, list[str]] = defaultdict(list)
    for sample in samples:
        if name := sample.facts.get("id"):
            users[name].append(sample.id)
    for name, ids in users.items():
        first: dict[str, str] = {}
        for user in ids:
            earlier = first.setdefault(user.split("/")[0], user)
            if earlier != user:
                yield Repair(user, "duplicate id", f"{name[:80]!r} is also {earlier}.")
        if len(first) > 1:
            earlier, user = list(first.values())[:2]
            yield Repair(user, "shared id", f"{name[:80]!r} is also {earlier}.")


def _with_names(samples: Sequence[Sample]) -> list[Sample]:
    """Each sample with the names outputs may be filed under: its path, and its tail if unique."""
    tails = {sample.id: sample.id.split("/", 1)[1] for sample in samples}
    count = Counter(tails.values())
    return [
        replace(s, request=replace(s.request, names=(
            (s.id, tails[s.id]) if count[tails[s.id]] == 1 else (s.id,)
        )))
        for s in samples
    ]  # fmt: skip


def _with_clusters(samples: Sequence[Sample]) -> Iterator[Sample]:
    """Samples of byte-identical sources share the first one's id as cluster."""
    sizes = {sample.id: _size(sample.request.source.path) for sample in samples}
    count = Counter(sizes.values())
    first: dict[str, str] = {}
    for sample in samples:
        source, size = sample.request.source, sizes[sample.id]
        # Only pictures of equal size can be equal; the others need not be read.
        key = _key(source) if size is not None and count[size] > 1 else None
        yield replace(sample, cluster=first.setdefault(key or sample.id, sample.id))


def _key(picture: Document) -> str | None:
    try:
        return picture.key
    except PictureError:
        return None


def _size(path: Path | None) -> int | None:
    try:
        return path.stat().st_size if path else None
    except OSError:
        return None


# ── protocol cards ──────────────────────────────────────────────────────────────────────

_PAPER = ("Gui et al.: TextEditBench: Evaluating Reasoning-aware Text Editing Beyond Rendering",)
_CARD = Card(
    name="textedit",
    data=(
        f"TextEditBench, annotations {REVISION}: 1,196 samples, 691 synthetic with a truth and 505"
        " real-world without. Identity is split and path. Topic: the folder's. Difficulty tier: of"
        " the sum of the ten values, as annotated where there are not ten. Language: as annotated."
    ),
    reference="the truth where there is one, else the input",
    region=(
        "outside the editable region, which is the union of both masks at 128 and above (white ="
        " may change); a window or cell counts only if all its pixels do"
    ),
    resizing="an output of another size is resized to the reference's by Lanczos, noted 'resized'",
    alignment=f"output to reference for every measure: {ALIGNMENT}",
    aggregation=(
        "mean over samples; PSNR is that of the mean MSE, with the median of per-image values and"
        " the count of identical pictures beside it; intervals by bootstrap over source pictures"
    ),
    failures=(
        "a missing score is never a number and stays in the denominator; only a sample for which"
        " the question does not arise (not_applicable) leaves it; coverage and bounds are shown"
    ),
    sources=_PAPER,
)

# The VGG LPIPS costs about 15 s a pair on one core; `overpaint score --measure lpips_vgg`.
textedit = TextEdit(_CARD, ("mse", "psnr", "ssim", "ms_ssim", "gmsd", "lpips", "mse_inside"))
textedit_official = TextEdit(
    card=replace(
        _CARD,
        name="textedit@official",
        reference="the input, also where there is a truth",
        resizing=(
            "MSE and PSNR: none, alignment brings an output of any size to the input's; SSIM and"
            " LPIPS: an output of another size is skipped"
        ),
        region=(
            "outside the union of both masks at 128 and above for MSE and PSNR; for SSIM and LPIPS"
            " the region is blackened in both pictures and counts as perfect"
        ),
        alignment=(
            "MSE and PSNR: SIFT, FLANN with ratio 0.7, a similarity by LMEDS, borders reflected, a"
            " sample skipped where that fails; SSIM and LPIPS: none"
        ),
        aggregation=(
            "mean of per-image values, PSNR too, over the samples that could be scored; a pair that"
            " is identical leaves the mean of PSNR, which officially becomes infinite; judges: sum"
            " of the five means, SE over samples whose knowledge prompt's key is spelt right"
        ),
        failures=(
            "left out of the mean, as the official scripts do; coverage is shown beside it. Of a"
            " judge: a reply that cannot be had or read counts as 0, a missing picture as nothing"
        ),
        sources=(*_PAPER, "the evaluation scripts published with TextEditBench"),
    ),
    measures=("mse@official", "psnr@official", "ssim@official", "lpips@official"),
    rubrics=OFFICIAL,
    exact_keys=True,
)
