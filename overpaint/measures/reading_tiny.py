"""The measures of `reading` with the tiny OCR model: faster, for a first look."""

from overpaint.measures.reading import both

cdm_local, cdm_global = both("cdm", "tiny")
bleu4_local, bleu4_global = both("bleu4", "tiny")
teds_like_local, teds_like_global = both("teds_like", "tiny")
iou_local, iou_global = both("iou", "tiny")
