"""What every Python that a case starts imports first: it is watched as the case itself is."""

import os
import sys
from pathlib import Path

if _told := os.environ.get("HOSTILE_WATCH"):
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from hostile_watching import forbid, told

    sys.path.pop(0)
    forbid(told(_told))
