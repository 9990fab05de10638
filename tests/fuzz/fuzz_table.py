"""The table of all fuzz targets."""

import fuzz_documents
import fuzz_kept
import fuzz_sets
import fuzz_shared
import fuzz_texts
from fuzz_target import Target

TARGETS: tuple[Target, ...] = (
    *fuzz_documents.TARGETS,
    *fuzz_texts.TARGETS,
    *fuzz_sets.TARGETS,
    *fuzz_kept.TARGETS,
    *fuzz_shared.TARGETS,
)
