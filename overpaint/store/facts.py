"""A run's facts: what it says of itself, each of the kind that whoever reads it counts on."""

import json
from pathlib import Path
from typing import Any

from overpaint.store.schema import Database, damaged

_KINDS = {"card_id": str, "revision": str, "benchmark": str, "created": str, "data": str,
          "seed": int, "whole": int, "card": dict, "weights": dict, "floors": list, "kin": list,
          "shards": list, "commands": list, "breakdowns": list}  # fmt: skip
_PARTS = {"floors": str, "kin": list, "shards": str, "commands": dict, "breakdowns": str}


def read_facts(database: Database, folder: Path) -> dict[str, Any]:
    """What was recorded of the run; StoreError where a fact is none, or of another kind."""
    rows = database.rows("SELECT key, value FROM info WHERE value != 'null'")
    facts = {name: _read(name, value, folder) for name, value in rows}
    for name, kind in _KINDS.items():
        value = facts.get(name, kind())
        parts = value if isinstance(value, list) else ()
        if not isinstance(value, kind) or not all(isinstance(p, _PARTS[name]) for p in parts):
            raise damaged(folder, f"its {name} is {str(value)[:60]!r}")
    return facts


def _read(name: str, value: Any, folder: Path) -> Any:
    try:
        return json.loads(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise damaged(folder, f"its {name} is no JSON: {str(value)[:60]!r}") from error
