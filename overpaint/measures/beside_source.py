"""Measures that hold an output against the source, under names that say so: `psnr@source`.

EBench compares with the source, to learn how much of it was preserved, also where the truth is
known. Each is the measure of the same name, asked about the sample as if it had no truth.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from overpaint.core import Edit, Evidence, Measure, Score
from overpaint.measures import background


def beside_source(measure: Measure) -> Measure:
    """The same measure, with the source in place of the truth."""
    name = f"{measure.name}@source"

    def score(edits: Sequence[Edit], evidence: Evidence) -> Iterable[Score]:
        for edit in edits:
            blind = replace(edit, sample=replace(edit.sample, target=None))
            for found in measure.score([blind], evidence):
                yield replace(found, edit=edit, measure=name)

    about = f"{measure.about}; against the source, as EBench has it"
    return replace(measure, name=name, score=score, about=about)


mse = beside_source(background.mse)
psnr = beside_source(background.psnr)
psnr_mean = beside_source(background.psnr_mean)
ssim = beside_source(background.ssim)
ms_ssim = beside_source(background.ms_ssim)
gmsd = beside_source(background.gmsd)
fsim = beside_source(background.fsim)
fsimc = beside_source(background.fsimc)
lpips = beside_source(background.lpips)
lpips_vgg = beside_source(background.lpips_vgg)
