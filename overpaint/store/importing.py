"""Taking a bundle into a run: edits that it lacks, and replies, so that none is asked for again."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

from overpaint.core import RETRY_EDITS, EditStatus
from overpaint.errors import StoreError
from overpaint.store import Store
from overpaint.store.bodies import KEPT
from overpaint.store.bundles import (
    CALLS,
    EDITS,
    IMPORTED,
    PROMPTS,
    content_of,
    maker_of,
)
from overpaint.store.calls import REPLIED
from overpaint.store.calls_merged import add_call
from overpaint.store.claiming import claimed
from overpaint.store.forgetting import forget_edit
from overpaint.store.pictures import is_sound, picture_path
from overpaint.store.reading import check_whole, wrong_in
from overpaint.store.samples import load_sample
from overpaint.store.schema import Database, connect
from overpaint.store.unpacking import Bundle, checked, opened, refused

Progress = Callable[[str, int, int], None]
LONGEST = 2_000  # characters of a reason or a note
_HASH = 64
_MAKER = re.compile("[0-9a-f]{32}")
_HARMLESS = ("identity", "blank", "source-noise", "truth", "subject-paste", "typeset")
_NUMBER = (int, float)
_MAYBE = (int, float, type(None))
_EDIT = {"sample": str, "content": str, "editor": str, "status": str, "output": str,
         "reason": str, "notes": list, "trace": list, "seconds": _NUMBER}  # fmt: skip
_CALL = {"key": str, "model": str, "host": str, "prompt": str, "pictures": list, "asked": dict,
         "started": str, "reply": str, "tokens_in": _MAYBE, "tokens_out": _MAYBE,
         "price": _MAYBE, "seconds": _NUMBER}  # fmt: skip


def import_bundle(run: Path, file: Path, progress: Progress) -> Counter[str]:
    """Take in what the run lacks, all or nothing; gives how many of what came, and what not."""
    with Store.open(run) as store, claimed(store), opened(file) as bundle:
        for key, what in (("card_id", "protocol"), ("revision", "revision of the data")):
            if (here := store.fact(key)) != (there := bundle.manifest[key]):
                raise StoreError(
                    f"The bundle is of another {what}: {there!s:.80}, not {here}.",
                    "What was made under one protocol says nothing under another.",
                    "Take it into a run of that protocol.",
                )
        with closing(connect(run)) as database:
            check_whole(database, run)
            taking, taken = _Taking(database, run, bundle, progress), False
            try:
                with database.transaction():
                    counts = taking.all()
                    if wrong := wrong_in(database):
                        raise refused(f"the run would have {wrong}")
                    taken = True  # from here on a row may name them
            finally:
                for path in () if taken else taking.pictures:
                    path.unlink(missing_ok=True)
            return counts


class _Taking:
    """One bundle on its way into a run."""

    def __init__(self, database: Database, run: Path, bundle: Bundle, progress: Progress) -> None:
        self._db, self._run, self._bundle, self._progress = database, run, bundle, progress
        self._editors: dict[str, int] = {}
        self.counts: Counter[str] = Counter()
        self.pictures: list[Path] = []  # that were not there before

    def all(self) -> Counter[str]:
        """Take edits and replies."""
        last: tuple[str, int | None] = ("", None)
        for number, line in enumerate(self._bundle.lines(EDITS), 1):
            name, content, *_ = checked(line, _EDIT, f"{EDITS}, line {number}")
            if (name + content) != last[0]:
                last = name + content, self._sample(name, content)
            self._edit(line, last[1], f"{EDITS}, line {number}")
            self._progress("edits", number, max(number, self._bundle.count(EDITS)))
        prompts = self._prompts()
        for number, line in enumerate(self._bundle.lines(CALLS), 1):
            self._call(line, prompts, f"{CALLS}, line {number}")
            self._progress("replies", number, max(number, self._bundle.count(CALLS)))
        return self.counts

    # ── edits ───────────────────────────────────────────────────────────────────────────

    def _sample(self, name: str, content: str) -> int | None:
        """The run's number of the sample; None where it has none of that name."""
        query = "SELECT n, body FROM samples WHERE id = ?"
        if (known := self._db.execute(query, (name,)).fetchone()) is None:
            return None
        sample = load_sample(known[1])
        if content_of(name, sample.request) != content:
            raise StoreError(
                f"The sample {name} is another one in the bundle: other words or pictures.",
                "Edits belong to the very sample they were made of.",
                "Check that both have the same revision of the benchmark's files"
                " (`overpaint validate`).",
            )
        return int(known[0])

    def _edit(self, line: Mapping[str, Any], sample: int | None, where: str) -> None:
        name, status, output = line["editor"], line["status"], line["output"]
        named = [output] if output else []
        if status not in get_args(EditStatus) or (status == "ok") != bool(output):
            raise refused(f"{where} has the status {status[:40]!r} and the output {output[:80]!r}")
        if not all(KEPT.fullmatch(one) for one in named) or len(line["reason"]) > LONGEST:
            raise refused(f"{where} has no edit that a run could hold")
        if not all(isinstance(one, str) and len(one) <= LONGEST for one in line["notes"]):
            raise refused(f"{where} has notes that are none")
        if not all(isinstance(one, dict) for one in line["trace"]):
            raise refused(f"{where} has a trace that is none")
        if sample is None:
            self.counts["of samples that are not in the run"] += 1
            return
        editor = self._editor(name)
        trace = json.dumps(line["trace"], ensure_ascii=False)
        query = "SELECT output, status, trace FROM edits WHERE sample = ? AND editor = ?"
        if known := self._db.execute(query, (sample, editor)).fetchone():
            if status != "ok" or known[1] not in RETRY_EDITS:
                if output and known[0] == output:  # what it names may be gone or damaged here
                    self._take((output, *KEPT.findall(known[2])), output)
                self.counts["known" if known[0] == output else "kept as they are here"] += 1
                return
            forget_edit(self._db, sample, editor)  # here it failed by accident
        self._take((*named, *KEPT.findall(trace)), output)
        row = (sample, editor, status, output, line["reason"],
               json.dumps(line["notes"], ensure_ascii=False), trace, line["seconds"])  # fmt: skip
        self._db.write(f"INSERT INTO edits VALUES ({', '.join('?' * len(row))})", [row])
        self.counts["edits"] += 1

    def _take(self, pictures: Sequence[str], output: str) -> None:
        """Keep those that the run lacks; an edit's own must be in the bundle then."""
        for picture in pictures:
            if is_sound(self._run, picture):
                continue
            path = picture_path(self._run, picture)
            if self._bundle.has(picture):
                if not path.exists():
                    self.pictures.append(path)
                self._bundle.take(picture, self._run)
            elif picture == output:
                raise refused(f"the picture {picture} is not in it")

    def _editor(self, name: str) -> int:
        """The run's number of an editor, which is registered if need be."""
        if name not in self._editors:
            self._editors[name] = self._registered(name)
        return self._editors[name]

    def _registered(self, name: str) -> int:
        told = self._bundle.manifest["editors"].get(name)
        if not isinstance(told, dict):
            raise refused(f"it does not say what the editor {name[:60]!r} is")
        given, maker = checked({"spec": "", "maker": ""} | told, {"spec": str, "maker": str}, name)
        if not (name and name.isprintable() and len(name) <= LONGEST and _MAKER.fullmatch(maker)):
            raise refused(f"{name[:60]!r}, made by {maker[:60]!r}, is no editor")
        # A stranger's spec is never asked from here: it could name a host, and be sent a key.
        spec = given if given in _HARMLESS else f"{IMPORTED}:{maker}"
        query = "SELECT n, spec FROM editors WHERE name = ?"
        if known := self._db.execute(query, (name,)).fetchone():
            if known[1] != spec and maker_of(name, known[1]) != maker:
                raise StoreError(
                    f"In this run the editor {name!r} is {known[1]!r}; in the bundle it is"
                    f" {given[:LONGEST]!r}.",
                    "One name means one editor.",
                    "Take the bundle into a run of its own; `overpaint compare` holds two against"
                    " each other.",
                )
            return int(known[0])
        self._db.write("INSERT INTO editors (name, spec) VALUES (?, ?)", [(name, spec)])
        return int(self._db.execute(query, (name,)).fetchone()[0])

    # ── replies ─────────────────────────────────────────────────────────────────────────

    def _prompts(self) -> Callable[[str], bool]:
        """Take in the prompts; the function says whether a hash is that of one."""

        def rows() -> Iterator[tuple[str, str]]:
            for number, line in enumerate(self._bundle.lines(PROMPTS), 1):
                digest, text = checked(line, {"hash": str, "text": str}, f"{PROMPTS}, {number}")
                found = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
                if found != digest:
                    raise refused(f"the prompt {digest[:_HASH]!r} is {found}")
                yield digest, text

        self._db.write("INSERT OR IGNORE INTO prompts VALUES (?, ?)", rows())

        def known(digest: str) -> bool:
            query = "SELECT 1 FROM prompts WHERE hash = ?"
            return bool(self._db.execute(query, (digest,)).fetchone())

        return known

    def _call(
        self, line: Mapping[str, Any], known_prompt: Callable[[str], bool], where: str
    ) -> None:
        (key, model, host, prompt, pictures, asked, started, reply, tokens_in, tokens_out, price,
         seconds) = checked(line, _CALL, where)  # fmt: skip
        if not (len(key) == _HASH and known_prompt(prompt)):
            raise refused(f"{where} answers no question that is in it")
        if not all(isinstance(one, dict) for one in pictures):
            raise refused(f"{where} has pictures that are none")
        if not all(one.isprintable() and len(one) <= LONGEST for one in (model, host, started)):
            raise refused(f"{where} names no model and host")
        query = f"SELECT 1 FROM calls WHERE key = ? AND state = '{REPLIED}'"
        if self._db.execute(query, (key,)).fetchone():
            self.counts["replies known"] += 1
            return
        # Nothing was asked or paid by this run; what others paid is kept for the transcript.
        asked = asked | {"imported": True, "paid": price}
        row = (key, model, host, REPLIED, prompt, json.dumps(pictures), json.dumps(asked), started,
               reply, "", tokens_in, tokens_out, 0.0, seconds, 0, 0, 0.0)  # fmt: skip
        add_call(self._db, row)
        self.counts["replies"] += 1
