"""`python -m overpaint`."""

import sys

from overpaint.cli import main

if __name__ == "__main__":
    sys.exit(main())
