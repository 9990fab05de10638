"""Finds the poses of the built-in MultiRef set anew, with BlazePose, and keeps them as numbers.

    python bench/multiref_poses.py

To be run when the drawn people or the extractor change; the set's revision changes with it.
"""

import json
from pathlib import Path

from overpaint.engines import scenes
from overpaint.engines.refblend import album
from overpaint.engines.refblend.agreement import kept_up
from overpaint.vision.references import extractor

KEPT = Path(album.__file__).with_name("album_poses.json")


def main() -> None:
    """Write the joints by number of scene, to a tenth of a pixel."""
    by, joints = extractor("pose"), {}
    for number in album.PEOPLE:
        made = scenes.scene(number, seed=album.SEED)
        found = kept_up(by, made.pixels)
        joints[str(number)] = found[0].value.round(1).tolist() if found else []
        print(f"scene {number}: {len(joints[str(number)])} found of {len(made.joints)}")
    KEPT.write_text(json.dumps({"version": by.version, "joints": joints}) + "\n")


if __name__ == "__main__":
    main()
