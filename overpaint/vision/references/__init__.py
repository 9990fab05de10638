"""References: what of a picture can guide the making of another, and who finds it there.

MultiRef's ten kinds. What stands in `Reference.value`, and how `drawing` shows it:

    bbox          tuple of Box: the main things of a picture        coloured frames on black
    mask          bool H×W: one thing                               white on black
    pose          float n×17×3: x, y, how sure; COCO's joints       coloured skeletons on black
    caption       str, at most 20 words                             no picture
    subject       uint8 H×W×3: the same thing in another picture    itself
    semantic_map  int32 H×W: 1 … n are regions, 0 is none           one colour a region
    depth         uint8 H×W, nearer is brighter                     grey
    canny         uint8 H×W, 255 on edges                           white on black
    sketch        uint8 H×W, 0 on lines                             black on white
    style         uint8 H×W×3: a picture of the same style          itself

An extractor looks at pixels and gives what it finds, largest or surest first; nothing is an empty
list: it looked, and there is none. Second thoughts (`maybe`) come last. Weights that are not here
are `Unavailable`. Method and version of whoever found a reference stay with it, and a generated
picture is looked at in the same way.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from overpaint import weights
from overpaint.core import Evidence, finding
from overpaint.document import Document, Pixels
from overpaint.errors import UserMistake
from overpaint.models import Model
from overpaint.vision.own_weights import versioned

Kind = Literal[
    "bbox", "mask", "pose", "caption", "subject",
    "semantic_map", "depth", "canny", "sketch", "style",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
SURE = 0.8  # how sure a mask or a region must be to be a reference, as MultiRef has it

# Who finds each kind, the default first; that one needs no download where such a one is honest. A
# pose needs `overpaint get pose` and overpaint[pose]; for depth and captions there is none.
EXTRACTORS: Mapping[Kind, Mapping[str, str]] = {
    "canny": {"opencv": "edges:canny"},
    "sketch": {"xdog": "edges:sketch", "informative": "line_drawings:sketch"},
    "bbox": {
        "salient": "things:boxes", "isnet": "isnet:boxes", "coco": "coco_ssd:boxes",
        "grounded": "grounded:boxes",
    },
    "mask": {"salient": "things:masks", "isnet": "isnet:masks", "grounded": "grounded:masks"},
    "semantic_map": {
        "areas": "areas:semantic_map", "deeplab": "deeplab:semantic_map",
        "sam2": "sam2:semantic_map",
    },
    "pose": {"blazepose": "blazepose:poses", "dwpose": "dwpose:poses"},
    "depth": {"depth-anything-v2": "depth_anything:depth"},
    "caption": {"model": "captions:caption"},
    "subject": {"cutout": "subjects:subject"},
    "style": {"swatch": "styles:style"},
}  # fmt: skip


class Box(NamedTuple):
    """A thing's box in pixels; right and bottom are the first pixels outside of it."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, eq=False)
class Reference:
    """One reference as it was found, not yet drawn."""

    kind: Kind
    value: Any
    method: str
    version: str
    label: str = ""  # what it shows, in words, where that is known
    confidence: float | None = None  # 0–1, where its method has one
    # What may be there as well: no reference is made of it, but one may be met by it. So a thing
    # that is barely seen in one picture and barely not in the next makes no difference.
    maybe: bool = False


@dataclass(frozen=True)
class Hints:
    """What an extractor may be told beside the pixels; most need nothing."""

    model: Model | None = None  # whom to ask, for those that ask
    subject: bool = False  # whether its subject comes as a picture of its own


@dataclass(frozen=True)
class Extractor:
    """Someone who finds one kind of reference in RGB pixels."""

    kind: Kind
    method: str
    version: str  # the same on every machine
    find: Callable[[Pixels, Hints], Sequence[Reference]]
    about: str = ""
    needs: tuple[str, ...] = ()  # names in the table of weights
    own: tuple[Callable[[], Path | str], ...] = ()  # where weights of the user's own are, or words
    runs: Callable[[], object] | None = None  # `Unavailable` where what runs it is not installed

    @property
    def exact(self) -> str:
        """The version and what of the user's own it goes by, as far as they are here."""
        return versioned(self.version, *self.own)

    def check(self) -> None:
        """`Unavailable` where something it needs is not here; nothing is loaded."""
        for name in self.needs:
            weights.find(name)
        for check in (*self.own, *filter(None, [self.runs])):
            check()


def extractor(kind: Kind, method: str = "") -> Extractor:
    """The extractor of that kind and method; "" is the default one."""
    known = EXTRACTORS[kind]
    chosen = method or next(iter(known))
    if chosen not in known:
        raise UserMistake(
            f"There is no way {method!r} to find a {kind}.", f"Known are {', '.join(known)}."
        )
    module, _, name = known[chosen].partition(":")
    found: Extractor = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    return found


def extracted(evidence: Evidence, document: Document, by: Extractor) -> Sequence[Reference]:
    """What the extractor finds in a document's picture with no hint, once for all who ask."""
    found: Sequence[Reference] = _kept(evidence, document, by.kind, by.method, by.exact)
    return found


@finding()
def _kept(
    evidence: Evidence, document: Document, kind: Kind, method: str, exact: str
) -> Sequence[Reference]:
    return extractor(kind, method).find(document.rgb, Hints())
