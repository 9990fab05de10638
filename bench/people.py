"""What people's ratings are made into, held against simulated people: one table, one line of JSON.

python bench/people.py            about eight minutes on one core
python bench/people.py --quick    smaller numbers, no verdict on coverage
"""

import json
import sys
import time

import people_intervals
import people_opinion

NAMES = ("what", "asked", "measured", "kept")


def main() -> None:
    """Print the table, and its numbers as JSON on the last line."""
    quick = "--quick" in sys.argv[1:]
    started = time.perf_counter()
    rows, figures = people_opinion.measure(quick)
    more, numbers = people_intervals.measure(quick)
    clash = figures.keys() & numbers.keys()
    assert not clash, f"two figures are called {sorted(clash)}"
    table = [NAMES, *rows, *more]
    widths = [max(len(row[k]) for row in table) for k in range(len(NAMES))]
    for row in table:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
    print(f"\n{time.perf_counter() - started:.0f} s")
    print(json.dumps(figures | numbers))


if __name__ == "__main__":
    main()
