"""Trains the fusion that comes with Overpaint: `--measure learned` without a folder.

python bench/learned_embedded.py FOLDER    some ten minutes on two cores

It learns from scenes that the built-in set of EBench does not have (`engines/ebench/scenes.py`),
edited by graded editors and by others of any habit, and rated by the simulated raters that the
built-in set has as well. The same seed gives the same folder.
"""

import sys
from pathlib import Path

from learned_raters import MODELS, rated

from overpaint.cli.progress import Bar
from overpaint.engines.ebench.scenes import Known, edits, scenes
from overpaint.training.fusion import Terms
from overpaint.training.fusion_card import Lesson, train_fusion
from overpaint.training.rated import Example

SCENES, SEED = 16, 1


def known() -> list[Known]:
    """All edits, scene by scene."""
    bar, found = Bar(), []
    for done, scene in enumerate(scenes(SCENES, seed=SEED), 1):
        found += edits(scene, seed=SEED)
        bar("drawing", done, SCENES)
    return found


def main() -> None:
    """Draw, rate, train and write."""
    made = known()
    people = rated(MODELS[0], [((one.sample, one.editor), one.made, one.strength) for one in made])
    examples = [
        Example(one.sample, one.editor, one.source, one.output, one.instruction, one.task,
                one.scene, {name: said.scores[one.sample, one.editor]
                            for name, said in people.items()})
        for one in made
    ]  # fmt: skip
    whose = f"{SCENES} drawn scenes, 30 raters of the built-in model, all simulated"
    lesson = Lesson(examples, list(people.values()), whose, simulated=True, name="simulated")
    package = train_fusion(lesson, Path(sys.argv[1]), Terms(), progress=Bar())
    print(package.folder)


if __name__ == "__main__":
    main()
