"""Classes of layers: text, image or decoration, as rules have it or as a model says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from overpaint.document import Document
from overpaint.engines.milde.asking import Asker, persistently, shown, told
from overpaint.engines.milde.records import Place, Source
from overpaint.engines.milde.sources import read_layers
from overpaint.engines.vde.records import read_json, write_json
from overpaint.errors import Refused, Unreadable
from overpaint.vision.layers import KINDS, Kind, Seen

RULES, MODEL = "rules", "model"


@dataclass(frozen=True)
class Classed:
    """The class of each layer, and where a model gave none and the rules stand in, saying why."""

    kinds: Mapping[str, Kind]
    notes: tuple[str, ...] = ()


def by_rules(layers: Sequence[Seen]) -> Classed:
    """What `vision.layers` makes of metadata, alpha and OCR."""
    return Classed({layer.id: layer.kind for layer in layers})


def by_model(document: Document, layers: Sequence[Seen], asker: Asker) -> Classed:
    """What a model says that sees the document and each layer by itself."""
    pictures = shown(document)
    kinds: dict[str, Kind] = {}
    notes = []
    for layer in layers:
        slots = {"told": told(layer, document.size)}
        both = (Document.of(document.rgb), pictures[layer.id])
        ask = partial(_asked, asker, both, slots)
        try:
            kinds[layer.id] = persistently(ask)
        except (Unreadable, Refused) as error:
            kinds[layer.id] = layer.kind
            notes.append(f"layer {layer.id} is classed by rules ({error.status})")
    return Classed(kinds, tuple(notes))


def _asked(asker: Asker, pictures: Sequence[Document], slots: Mapping[str, str], turn: int) -> Kind:
    said = asker.answer("milde_class", pictures, slots, turn=turn)["kind"]
    return next(kind for kind in KINDS if kind == said)


def classed(place: Place, source: Source, asker: Asker | None) -> Classed:
    """The classes of a document's layers; a model's are kept, so that it is asked once."""
    layers = read_layers(place, source.id)
    if asker is None:
        return by_rules(layers)
    file = place.folder / "sources" / f"{source.id}.classes.json"
    if file.exists():
        kept = read_json(file)
        return Classed(dict(kept["kinds"]), tuple(kept["notes"]))
    found = by_model(Document(place.source(source.id)), layers, asker)
    write_json(file, {"kinds": dict(found.kinds), "notes": list(found.notes)})
    return found
