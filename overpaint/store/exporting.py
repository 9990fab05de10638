"""Writing a bundle: what a run's editors made and its models replied, without what is private."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overpaint import catalog
from overpaint.errors import StoreError, UserMistake
from overpaint.store.bodies import KEPT
from overpaint.store.bundles import (
    CALLS,
    EDITS,
    FORM,
    MANIFEST,
    PROMPTS,
    Discretion,
    content_of,
    maker_of,
    member_of,
    shown_spec,
)
from overpaint.store.calls import REPLIED
from overpaint.store.heads import Head, head_of
from overpaint.store.pictures import ANEW, picture_path, unwritable, whole
from overpaint.store.reading import check_whole
from overpaint.store.samples import load_sample
from overpaint.store.schema import Database, connect, explained, undamaged
from overpaint.store.unpacking import DIRECTORY

Progress = Callable[[str, int, int], None]
# Replies that can be used; a model in a folder of this machine is called by that folder.
_USABLE = (
    f"state = '{REPLIED}' AND reason = '' AND NOT (host = 'this machine' AND model LIKE '%@%')"
)

_ENTRY = 46 + 20  # bytes of a member in a zip's table of contents beside its name, at most


@dataclass(frozen=True)
class Chosen:
    """What of a run goes out."""

    editors: tuple[str, ...] = ()  # none: all but floors and ceilings
    pictures: bool = True  # what editors made
    replies: bool = True  # what models replied


def export_bundle(run: Path, out: Path, chosen: Chosen, progress: Progress) -> dict[str, int]:
    """Write the bundle, whole or not at all; gives how many of what are in it."""
    if not (chosen.pictures or chosen.replies):
        raise UserMistake(
            "Without pictures and without replies nothing is left to export.",
            "One of the two was expected.",
            "Leave --no-pictures or --no-replies away.",
        )
    with undamaged(run):
        head = head_of(run)
        editors = _editors(head, chosen.editors) if chosen.pictures else []
    try:
        with (
            undamaged(run),
            closing(connect(run)) as database,
            whole(out) as partial,
            zipfile.ZipFile(partial, "w") as archive,
        ):
            database.execute("BEGIN")  # the run as it is at one moment
            check_whole(database, run)
            return _Writing(database, archive, head, progress).all(editors, chosen)
    except OSError as error:
        raise unwritable(error, out) from error


def _editors(head: Head, asked: Sequence[str]) -> list[str]:
    if unknown := [name for name in asked if name not in head.editors]:
        raise UserMistake(
            f"The run in {head.folder} has no editor {unknown[0]!r}.",
            f"It has {', '.join(head.editors)}.",
        )
    return list(asked) or catalog.competing(head.editors, head.info.get("floors", ()))


def _gone(path: Path) -> StoreError:
    return StoreError(
        f"The picture {path} of an edit is gone.",
        "An edit without its picture is taken into no run.",
        ANEW,
    )


class _Writing:
    """One bundle while it is written."""

    def __init__(
        self, database: Database, archive: zipfile.ZipFile, head: Head, progress: Progress
    ) -> None:
        self._db, self._archive, self._head, self._progress = database, archive, head, progress
        self._clean = Discretion(head.folder.absolute(), str(head.info["data"]))
        self._lists: dict[str, dict[str, Any]] = {}

    def all(self, editors: Sequence[str], chosen: Chosen) -> dict[str, int]:
        """Write all of it; the manifest comes last."""
        pictures = self._named(editors)
        counts = {
            "edits": self._list(EDITS, self._edits(editors)),
            "pictures": self._pictures(pictures),
            "replies": self._list(CALLS, self._calls() if chosen.replies else ()),
        }
        self._list(PROMPTS, self._prompts() if chosen.replies else ())
        info, specs = self._head.info, self._head.editors
        manifest = {
            "overpaint": FORM, "card_id": info["card_id"], "revision": info["revision"],
            "editors": {
                name: {"spec": shown_spec(name, specs[name]), "maker": maker_of(name, specs[name])}
                for name in editors
            },
            "lists": self._lists,
        }  # fmt: skip
        self._archive.writestr(
            zipfile.ZipInfo(MANIFEST), json.dumps(manifest, ensure_ascii=False, indent=1)
        )
        return counts

    def _list(self, name: str, lines: Iterable[Mapping[str, Any]]) -> int:
        """Write a list, and note its size and hash."""
        digest, size, count = hashlib.sha256(), 0, 0
        entry = zipfile.ZipInfo(name)
        entry.compress_type = zipfile.ZIP_DEFLATED
        with self._archive.open(entry, "w", force_zip64=True) as file:
            for line in lines:
                data = json.dumps(line).encode() + b"\n"
                digest.update(data)
                file.write(data)
                size, count = size + len(data), count + 1
        self._lists[name] = {"sha256": digest.hexdigest(), "bytes": size, "lines": count}
        return count

    def _rows(self, columns: str, editors: Sequence[str]) -> Iterator[Any]:
        """Edits of these editors, in the order of samples."""
        marks = ", ".join("?" * len(editors))
        yield from self._db.rows(
            f"SELECT {columns} FROM edits JOIN samples ON samples.n = edits.sample"
            f" JOIN editors ON editors.n = edits.editor WHERE editors.name IN ({marks})"
            " ORDER BY edits.sample, edits.editor",
            editors,
        )

    def _edits(self, editors: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        columns = "samples.body, editors.name, status, output, reason, notes, trace, seconds"
        last, content = "", ""
        for body, editor, status, output, reason, notes, trace, seconds in self._rows(
            columns, editors
        ):
            if body != last:
                sample = load_sample(body)
                last, content = body, content_of(sample.id, sample.request)
            yield {
                "sample": sample.id, "content": content, "editor": editor, "status": status,
                "output": output, "reason": self._clean.told(reason),
                "notes": self._clean.told([*map(str, json.loads(notes))]),
                "trace": self._clean.told(json.loads(trace)), "seconds": seconds,
            }  # fmt: skip

    def _named(self, editors: Sequence[str]) -> Mapping[str, bool]:
        """Every picture that those edits name, each once, and whether it is an edit's own."""
        found: dict[str, bool] = {}
        for output, trace in self._rows("output, trace", editors):
            for name in KEPT.findall(trace):
                found.setdefault(name, False)
            if output:
                found[output] = True
        if sum(_ENTRY + len(member_of(name)) for name in found) > DIRECTORY:
            raise UserMistake(
                f"A bundle of {len(found):,} pictures would be taken by no `overpaint import`.",
                f"Its table of contents may have {DIRECTORY // 2**20} MiB.",
                "Export a few editors at a time: --editor NAME.",
            )
        return found

    def _pictures(self, named: Mapping[str, bool]) -> int:
        """Write those that are there; an edit cannot be read without its own, a trace can."""
        done = 0
        for number, (name, own) in enumerate(named.items(), 1):
            self._progress("exporting", number, len(named))
            path = picture_path(self._head.folder, name)
            if path.is_file():
                self._picture(name, path)
                done += 1
            elif own:
                raise _gone(path)
        return done

    def _picture(self, name: str, path: Path) -> None:
        digest = hashlib.sha256()
        entry = zipfile.ZipInfo(member_of(name))
        try:
            source = path.open("rb")
        except OSError as error:
            raise explained(error, self._head.folder) from error
        with source, self._archive.open(entry, "w", force_zip64=True) as file:
            while data := source.read(2**20):
                digest.update(data)
                file.write(data)
        if digest.hexdigest() != name.partition(".")[0]:
            raise StoreError(
                f"The picture {path} is damaged: its sha256 is {digest.hexdigest()}.",
                "A picture is called by its hash.",
                ANEW,
            )

    def _calls(self) -> Iterator[Mapping[str, Any]]:
        columns = ("key", "model", "host", "prompt", "pictures", "asked", "started", "reply",
                   "tokens_in", "tokens_out", "price", "seconds")  # fmt: skip
        done = ""
        query = f"SELECT {', '.join(columns)} FROM calls WHERE {_USABLE} ORDER BY key, n"
        for row in self._db.rows(query):
            told = dict(zip(columns, row, strict=True))
            if told["key"] != done:  # of the same question one reply is used
                done = told["key"]
                parsed = {name: json.loads(told[name]) for name in ("pictures", "asked")}
                yield told | parsed

    def _prompts(self) -> Iterator[Mapping[str, Any]]:
        asked = f"SELECT prompt FROM calls WHERE {_USABLE}"
        query = f"SELECT hash, text FROM prompts WHERE hash IN ({asked}) ORDER BY hash"
        for digest, text in self._db.rows(query):
            yield {"hash": digest, "text": text}
