"""The published averages of MultiRef's Table 6 from their columns, and its 32 combinations."""

import csv
from pathlib import Path
from typing import Any

from overpaint.engines.refblend.compatibility import PAPER, name_of
from overpaint.measures.aggregate import fidelity_average

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"


def _rows(name: str) -> list[dict[str, str]]:
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def table(limit: int | None = None) -> dict[str, Any]:
    """How far each average is from the published one, and whether the combinations are those."""
    print("Table 6: AVG of the ten columns, beside the published one")
    worst = 0.0
    for row in _rows("multiref_table6.csv"):
        system, published, *_ = row.values()
        own = fidelity_average(**{k: float(v) for k, v in list(row.items())[2:]})
        worst = max(worst, abs(own - float(published)))
        print(f"  {system:18} {own:.4f}  {float(published):.3f}")
    told = {row["combination"] for row in _rows("multiref_combinations.csv")}
    same = told == {name_of(one) for one in PAPER}
    print(f"  largest difference {worst:.4f}; the 32 combinations: {'the same' if same else 'not'}")
    return {"largest_difference": round(worst, 5), "combinations": len(told), "same": same}
