"""Before a run begins: its samples, its editors, and what it is about to do and to ask."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache, partial
from itertools import chain, groupby, islice, product
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overpaint import catalog
from overpaint.core import Benchmark, Loaded, Measure, Request, Sample
from overpaint.errors import DataError, UserMistake
from overpaint.measures import learned
from overpaint.models.desk import Desk, Terms
from overpaint.models.forecast import Ask, Forecast, distinct, forecast
from overpaint.models.prices import prices, unpriced
from overpaint.run.shards import in_shard
from overpaint.store import Asked, Store, has_run
from overpaint.store.record import protocol
from overpaint.store.trusting import name_code
from overpaint.work import Needs, Progress, silent

if TYPE_CHECKING:
    from overpaint.run.passes import Settings

FREE = "nothing: no paid service is asked"
MOST_LOOKED_AT = 100  # questions of a measure, to learn whom it asks


def load(bench: Benchmark, data: str | Path | None, progress: Progress = silent) -> Loaded:
    """The benchmark's samples; built-in ones may have to be made first, which takes a while."""
    if data is None and (prepare := getattr(bench, "prepare", None)):
        prepare(progress)
    return bench.load(Path(data) if data else None)


def check_ids(loaded: Loaded) -> None:
    """An id must name one sample, in letters that can be written down."""
    for name, count in Counter(sample.id for sample in loaded.samples).items():
        if count > 1 or not name.isprintable():
            wrong = f"comes {count} times" if count > 1 else "holds letters that do not print"
            raise DataError(f"The sample id {name!r} {wrong}.", "Each sample needs its own.")


def home(benchmark: str) -> Path:
    """Where a benchmark's run lies unless told otherwise."""
    return Path("runs", Path(benchmark).name.replace(".py:", "-"))


def plan(
    benchmark: str,
    *,
    data: str | Path | None = None,
    editors: Sequence[str] = (),
    out: str | Path | None = None,
    limit: int | None = None,
    shard: str | None = None,
    floors: bool = True,
    measures: Sequence[str] = (),
    asking: Terms = Terms(),  # noqa: B008  (frozen)
    progress: Progress = silent,
) -> dict[str, Any]:
    """What `run` would do, without doing it; `out` need not exist."""
    bench = catalog.benchmark(benchmark)
    chosen = chosen_editors(editors, bench if floors else None)
    loaded = load(bench, data, progress)
    _, samples = in_shard(loaded.samples[:limit], shard)
    folder = Path(out) if out else home(benchmark)
    columns = [catalog.measure(spec) for spec in columns_of((*bench.measures, *measures))]
    own_code([benchmark, *bench.measures, *measures], folder)
    known = prices(asking.prices)
    with Store.open(folder) if has_run(folder) else nullcontext() as store:
        wanted = _to_edit(store, [sample.id for sample in samples], list(chosen))
        made = store.counts() if store else {"edits": 0, "scores": 0}
        edits = _edit_asks({one.id: one for one in samples}.__getitem__, wanted, chosen)
        scores = _asks(store, samples, list(chosen), columns)
        expected = forecast(chain(edits, scores), known)
        to_edit = sum(1 for _ in wanted)
    return {
        "benchmark": protocol(bench.card, bench.measures, loaded.samples).id,
        "run": str(folder),
        "already_there": [f"{count} {what}" for what, count in made.items()],
        "samples": len(samples),
        "repairs_of_data": list(_repairs(loaded)) or "none",
        "editors": list(chosen),
        "measures": [measure.name for measure in columns],
        "edits_to_make": to_edit,
        "hosts_contacted": _hosts(expected, chosen),
        "leaves_the_machine": [one.told(known.dated) for one in expected] or "nothing",
        "price": [one.price(known.dated) for one in expected] or FREE,
        "asked": [one.data for one in expected],
    }


def _repairs(loaded: Loaded) -> Iterator[str]:
    """How often reading the data took a repair of each kind, or left a sample out; with a first."""
    first = {one.kind: one for one in reversed(loaded.repairs)}
    for kind, count in Counter(one.kind for one in loaded.repairs).most_common():
        yield f"{count} × {kind} (the first: {first[kind].where}: {first[kind].did})"


def columns_of(specs: Iterable[str]) -> list[str]:
    """The columns that measures stand for, each once and its paths absolute.

    A trained evaluator stands for one a dimension.
    """
    found = dict[str, None]()
    for spec in map(catalog.anchored, specs):
        maker, _, argument = spec.partition(":")
        found |= dict.fromkeys(learned.columns(argument) if maker == learned.LEARNED else [spec])
    return list(found)


def own_code(specs: Sequence[str], folder: Path) -> None:
    """Note what a command itself names, or a run that names it, too, would not be opened."""
    for spec in columns_of(specs):
        name_code(spec, folder)


def plan_scores(folder: Path, measures: Sequence[str], asking: Terms) -> dict[str, Any]:
    """What `score` would do in a run, without doing it."""
    own_code(measures, folder)
    with Store.open(folder) as store:
        specs = dict.fromkeys([*store.measures.values(), *columns_of(measures)])
        columns = [catalog.measure(spec) for spec in specs]
        editors, known = list(store.editors), prices(asking.prices)
        expected = forecast(_asks(store, store.samples(), editors, columns), known)
        samples, scored = sum(1 for _ in store.samples()), store.counts()["scores"]
    return {
        "run": str(folder),
        "measures": [measure.name for measure in columns],
        "scores_to_make": samples * len(editors) * len(columns) - scored,
        "hosts_contacted": _hosts(expected, {}),
        "leaves_the_machine": [one.told(known.dated) for one in expected] or "nothing",
        "price": [one.price(known.dated) for one in expected] or FREE,
        "asked": [one.data for one in expected],
    }


def _hosts(expected: Sequence[Forecast], editors: Mapping[str, str]) -> str:
    """Whom Overpaint contacts; what a user's own program does it cannot know."""
    own = (str(getattr(catalog.editor(spec), "host", "")) for spec in editors.values())
    asked = (*(one.endpoint.host for one in expected), *filter(None, own))
    hosts = ", ".join(dict.fromkeys(asked)) or "none"
    programs = [name for name, spec in editors.items() if spec.startswith("command:")]
    return (
        f"{hosts} by Overpaint; what {', '.join(programs)} does is not known" if programs else hosts
    )


def _to_edit(
    store: Store | None, samples: Sequence[str], editors: Sequence[str]
) -> Iterable[tuple[str, str]]:
    """The (sample, editor) pairs whose edits are to be made, sample by sample."""
    if store is None:
        return Asked(lambda: product(samples, editors))
    return store.missing_edits(samples, editors)


def _asks(
    store: Store | None,
    samples: Iterable[Sample],
    editors: Sequence[str],
    columns: Sequence[Measure],
) -> Iterator[Ask]:
    """What measures would ask of models about edits that they have not scored yet."""
    asking = [measure for measure in columns if measure.asks]
    names = [measure.name for measure in asking]
    for sample in samples if asking else ():
        told = {measure.name: measure.asks(sample) for measure in asking if measure.asks}
        scored = store.scored(sample.id, names) if store else ()
        for editor in editors:
            lacking = [name for name in told if (editor, name) not in scored]
            yield from distinct(ask for name in lacking for ask in told[name])


def _edit_asks(
    sample_of: Callable[[str], Sample], pairs: Iterable[tuple[str, str]], specs: Mapping[str, str]
) -> Iterator[Ask]:
    """What editors would ask of models to make the edits of these (sample, editor) pairs."""
    asking = editors_asking(specs)
    for name, wanted in groupby(pairs if asking else (), key=itemgetter(0)):
        lacking = {editor for _, editor in wanted}
        for editor, asks in asking.items():
            if editor in lacking:
                yield from asks(sample_of(name))


Asks = Callable[[Sample], Sequence[Ask]]


def editors_asking(specs: Mapping[str, str]) -> dict[str, Asks]:
    """What editors that ask models would ask about a sample, by their names."""
    made = {name: getattr(catalog.editor(spec), "asks", None) for name, spec in specs.items()}
    return {name: partial(_of_request, asks) for name, asks in made.items() if asks}


def _of_request(asks: Callable[[Request], Sequence[Ask]], sample: Sample) -> Sequence[Ask]:
    # A fresh document each, so that what is looked at now is not held as long as the sample is.
    request = sample.request
    references = tuple(map(replace, request.references))
    return asks(replace(request, source=replace(request.source), references=references))


def measures_asking(columns: Iterable[Measure]) -> dict[str, Asks]:
    """What measures that ask models would ask about a sample, by their names."""
    return {measure.name: measure.asks for measure in columns if measure.asks}


def check_asked(asking: Mapping[str, Asks], samples: Iterable[Sample], terms: Terms) -> None:
    """Find out now, not after hours of work, that a model cannot be asked on these terms."""
    known = prices(terms.prices)
    for name, asks in asking.items():
        told = (ask for sample in samples for ask in asks(sample))
        for ask in islice(told, MOST_LOOKED_AT):
            where = ask.endpoint
            where.key()
            if ask.pictures and not where.address:
                raise UserMistake(
                    f"{where.name} sees no pictures, and {name} shows it {len(ask.pictures)}.",
                    "A model on this machine can be asked about words alone.",
                    "Name a model behind a server.",
                )
            if terms.cost_limit is not None and known.of(where.name) is None:
                raise unpriced(where.name, known)


def announced(
    store: Store,
    columns: Sequence[str],
    editors: Sequence[str],
    wanted: Iterable[tuple[str, str]],
    settings: "Settings",
) -> "Settings":
    """Say, before anything else is done, what will leave the machine; it is not said again.

    `wanted` are the (sample, editor) pairs of the edits to be made.
    """
    # Where no edit is made no editor is asked, and of a run from elsewhere one may not be here.
    anything = any(True for _ in wanted)
    makers = {name: store.editors[name] for name in editors} if anything else {}
    specs = store.measures
    measures = [catalog.measure(specs[name]) for name in columns]
    _tell_of_memory({name: catalog.editor(spec) for name, spec in makers.items()}, settings)
    _tell_of_memory({measure.name: measure for measure in measures}, settings)
    if not measures_asking(measures) and not editors_asking(makers):
        return settings
    known = prices(settings.asking.prices)
    edits = _edit_asks(store.sample, wanted, makers)
    scores = _asks(store, store.samples(), editors, measures)
    for one in forecast(chain(edits, scores), known):
        settings.tell(one.told(known.dated))
    return replace(settings, tell=lambda line: None)


def needs_of(maker: object, settings: "Settings") -> Needs:
    """What an editor or a measure says that whoever runs it must have; here it is as it is."""
    if not settings.on:
        return Needs()
    return Needs(getattr(maker, "gpus", 0.0), getattr(maker, "gigabytes", 0.0))


def _tell_of_memory(makers: Mapping[str, object], settings: "Settings") -> None:
    """Say for whom a cluster cannot be asked for memory: weights are weighed where they are."""
    for name, maker in makers.items():
        needs = needs_of(maker, settings)
        if needs.gpus and not needs.gigabytes:
            settings.tell(
                f"{name} needs a GPU, and how much memory is not known: its weights are not on this"
                f" machine. Each of its workers may hold {settings.memory:g} GB; --memory raises"
                " it."
            )


def foretold(store: Store, wanted: Iterable[tuple[str, str, list[str]]], desk: Desk) -> list[str]:
    """A line for each model that is about to be asked for these (sample, editor, measures)."""
    specs, known = {**store.measures, **store.contests}, prices(desk.terms.prices)

    def asks() -> Iterator[Ask]:
        for sample, edits in groupby(wanted, key=itemgetter(0)):
            about = cache(partial(_about, store.sample(sample)))  # the same for every editor
            for _, _, columns in edits:
                yield from distinct(ask for name in columns for ask in about(specs[name]))

    return [one.told(known.dated) for one in forecast(asks(), known)]


def _about(sample: Sample, spec: str) -> Sequence[Ask]:
    """What a measure asks of models about a sample."""
    asks = catalog.measure(spec).asks
    return asks(sample) if asks else ()


def own_floors(bench: Benchmark) -> list[str]:
    """The specs of the floors that a benchmark names as its own."""
    return [catalog.editor_name(text)[1] for text in getattr(bench, "floors", ())]


def chosen_editors(editors: Sequence[str], floors: Benchmark | None) -> dict[str, str]:
    """Name and spec of the editors asked for, and of the rows a benchmark's tables have anyway."""
    texts = list(editors)
    if floors is not None:
        texts += (*catalog.FLOORS, *getattr(floors, "floors", ()), *catalog.CEILINGS)
    if not texts:
        raise UserMistake("No editor was named.", "At least one --editor was expected.")
    chosen: dict[str, str] = {}
    for name, spec in map(catalog.editor_name, texts):
        if chosen.setdefault(name, spec) != spec:
            raise UserMistake(
                f"Two editors are called {name!r}: {chosen[name]} and {spec}.",
                "Each needs a name of its own.",
                f"Name one of them: --editor OTHERNAME={spec}",
            )
        catalog.editor(spec)  # a wrong one is found out now, not row by row
    return chosen
