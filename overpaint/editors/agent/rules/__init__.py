"""The rule reasoner: decides without a model which layers an instruction is about, and how.

    reading    clauses, with quotes, dates, prices and colours marked; what is said to stay
    page       which line is the title, the date, the place; which layer the frame, the picture
    facts      dates, times, prices, discounts          looks     colours, capitals, what goes
    wording    quotes, pairs, names, places, pictures   theme     what the design is about
    dates      from one day to another, later, on another weekday
    excepting  what a wish spares          leaving   what of it led to nothing, and is told

A wish that none of them understands is left to the rules for words (`document.instruct`); what
they do not understand either changes nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from overpaint.document.instruct import parse
from overpaint.document.ops import Delete, Op, ReplaceText
from overpaint.document.where import hits as hit_by
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.alone import (
    drawn_alone,
    moved,
    named_alone,
    placed,
    titled_alone,
)
from overpaint.editors.agent.rules.dates import another_weekday, shifted
from overpaint.editors.agent.rules.excepting import excepted, spared
from overpaint.editors.agent.rules.facts import facts
from overpaint.editors.agent.rules.glue import busy
from overpaint.editors.agent.rules.glue import names as part_names
from overpaint.editors.agent.rules.leaving import is_act, told, unused
from overpaint.editors.agent.rules.looks import capitals, ground, recoloured, removed
from overpaint.editors.agent.rules.names import FIGURES, TEXTS
from overpaint.editors.agent.rules.page import Page
from overpaint.editors.agent.rules.pointing import roles_in, thing_of, with_it
from overpaint.editors.agent.rules.prices import freed, raised
from overpaint.editors.agent.rules.prompts import Hit, Tongue, is_chinese
from overpaint.editors.agent.rules.reading import (
    LONGEST,
    Clause,
    Scope,
    marked,
    scoped,
    sentences,
)
from overpaint.editors.agent.rules.theme import kin, lone_topic, new_topic, shown, stray, themed
from overpaint.editors.agent.rules.wishing import wishes
from overpaint.editors.agent.rules.wording import adds, paired, quoted, reached, shows_only
from overpaint.errors import OverpaintError
from overpaint.vision.layers import Seen

_MOST_SENTENCES = 40
_MAKES = re.compile(r"\b(?:make|turn|change|replace|rename|paint)\b|改|换|变", re.IGNORECASE)


@dataclass(frozen=True)
class Rules:
    """Decides by words and colours, and asks nobody."""

    name: str = "rules"

    def decide(self, scene: Scene) -> Sequence[Decision]:
        """One decision for each layer of the scene, in its order."""
        _, hits, _ = _read(scene)
        tongue = Tongue(is_chinese(scene.instruction[:LONGEST]))
        return [_decision(layer.id, hits, tongue) for layer in scene.layers]

    def left(self, scene: Scene) -> Sequence[str]:
        """What of the instruction led to no decision, in a sentence or two."""
        _, hits, left = _read(scene)
        return [*told(Page(scene), left), *dict.fromkeys(hit.note for hit in hits if hit.note)]


def reads_more(scene: Scene) -> bool:
    """Whether there is more in an instruction than one plain act, and a layer for all it quotes.

    Of a plain act whose target is not there, and of words that stand nowhere, whoever wrote it
    should hear rather than have something else done.
    """
    asked, hits, left = _read(scene)
    plain = len(asked) == 1 and is_act(asked[0])
    return bool(hits) and not plain and not any(clause.of("quote") for clause in left)


def _decision(layer: str, hits: Sequence[Hit], tongue: Tongue) -> Decision:
    own = [hit for hit in hits if hit.layer == layer]
    own = [hit for hit in own if not hit.gone] or own  # what is drawn anew does not go as well
    if not own:
        return Decision(layer, False, "", "Nothing in the instruction points at it.")
    why = "; ".join(dict.fromkeys(hit.why for hit in own))
    prompt = tongue.joined([hit.prompt for hit in own])
    return Decision(layer, True, prompt, f"{why[:1].upper()}{why[1:]}.")


def _read(scene: Scene) -> tuple[list[Clause], list[Hit], list[Clause]]:
    """The wishes of an instruction, what they ask of the layers, and what led to nothing."""
    scene = replace(scene, instruction=scene.instruction[:LONGEST])
    page, tongue = Page(scene), Tongue(is_chinese(scene.instruction))
    whole = excepted(marked(scene.instruction))
    if words.TAGGED.search(scene.instruction):
        return [whole], [], [whole]
    asked = _asked(whole)
    found, left = list[Hit](), list[Clause]()
    before: Clause | None = None  # points at words and asks for nothing
    spoken = ""  # of what the wish before is: "move the moon up and make it white"
    for clause, scope in asked:
        clause = with_it(clause, spoken)
        spoken = thing_of(page, clause) or spoken
        joined = clause
        if before and clause.of("quote"):
            joined = clause.only(f"{before.text}; {clause.text}")
        hits = _asked_of(page, joined, scope, tongue)
        if words.OTHERS.search(clause.text):
            hits = [hit for hit in hits if hit.layer not in {one.layer for one in found}]
        if hits and joined is not clause:
            left = [one for one in left if one is not before]
        before = clause if clause.of("quote") and not hits else None
        found += hits
        left += unused(clause, hits, chinese=tongue.chinese)
    return [clause for clause, _ in asked], found, left


def _asked_of(page: Page, clause: Clause, scope: Scope, tongue: Tongue) -> list[Hit]:
    """What a clause asks of the layers, without those that it excepts; nothing where it adds."""
    if adds(clause):
        return []
    if clause.of("but"):
        return spared(page, clause, understood(page, clause.without("but"), scope, tongue))
    return understood(page, clause, scope, tongue) or _parsed(page, clause, tongue)


def _asked(whole: Clause) -> list[tuple[Clause, Scope]]:
    """The wishes of all sentences, each with what it lets alone."""
    scope, asked = Scope(), list[tuple[Clause, Scope]]()
    for sentence in sentences(whole)[:_MOST_SENTENCES]:
        for wish in wishes(sentence):
            clause, own = scoped(wish, Scope())
            if clause is None:
                scope = _narrower(scope, own)  # a sentence of its own is about all of them
            else:
                asked.append((clause, own))
    return [(clause, _narrower(scope, own)) for clause, own in asked]


def _narrower(one: Scope, other: Scope) -> Scope:
    return replace(
        one, words=one.words and other.words, pictures=one.pictures and other.pictures,
        both=one.both or other.both, kept=(*one.kept, *other.kept),
    )  # fmt: skip


def understood(page: Page, clause: Clause, scope: Scope, tongue: Tongue) -> list[Hit]:
    """What one clause asks of the layers."""
    if raised(clause) or words.TASTE.search(clause.full(clause.text)):
        return []
    if words.TRANSLATE.search(clause.text):  # a wish that is quoted is none
        return []
    day, clause = another_weekday(page, clause, tongue)
    if day and not _MAKES.search(clause.text):
        return day
    if hits := shifted(page, clause, tongue) or freed(page, clause, tongue):
        return day + hits
    done, clause = ground(page, clause, tongue)
    done = day + done
    clause = clause.only(busy(clause.text, chinese=tongue.chinese)) if done else clause
    if not clause.text:
        return done
    pair = kin(page, clause)
    if all(pair) and not clause.of("quote") and not clause.of("colour"):
        return done + _about(page, pair, clause, (scope, tongue))
    for look in (quoted, capitals, recoloured):
        if look is quoted and _is_look(page, clause, tongue):
            continue
        if hits := look(page, clause, tongue):
            return done + hits
    if hits := reached(page, clause, tongue):
        return done + hits
    goes = removed(page, clause, tongue)
    if goes:  # or makes way for something else
        return done + (paired(page, clause, scope, tongue, drawn=False, pointed=False) or goes)
    dated = bool(clause.of("date"))
    known, clause = facts(page, clause, tongue)
    done += known
    clause = clause.only(busy(clause.text, chinese=tongue.chinese)) if known else clause
    if not clause.text:
        return done
    return done + _worded(
        page, clause, scope, tongue, after=("date" if dated else "fact") if known else ""
    )


def _about(
    page: Page, pair: tuple[str, str], clause: Clause, how: tuple[Scope, Tongue]
) -> list[Hit]:
    """What becomes of two topics of a family: all that names and shows the old one, or less."""
    scope, tongue = how
    done, _ = facts(page, clause, tongue)
    if shows_only(clause, scope):
        return done + (shown(page, pair, tongue)[:1] if scope.pictures else [])
    return done + themed(page, pair, scope, tongue)


def _is_look(page: Page, clause: Clause, tongue: Tongue) -> bool:
    """Whether a quote is pointed at, to be coloured or to go, and not written."""
    return bool(clause.of("quote")) and bool(
        recoloured(page, clause, tongue) or removed(page, clause, tongue)
    )


def _worded(page: Page, clause: Clause, scope: Scope, tongue: Tongue, *, after: str) -> list[Hit]:
    """Pairs, places, names and topics; after a date only places are looked for."""
    there = [] if after else moved(page, clause, tongue)
    if hits := paired(page, clause, scope, tongue, drawn=not after and not there) or there:
        return hits
    if after != "fact" and (hits := placed(page, clause, tongue, after=after == "date")):
        return hits
    if after:
        return []
    if hits := named_alone(page, clause, tongue):
        return hits
    old, new = new_topic(page, clause, tongue) if scope.words else ("", "")
    if new:
        pair = (old, new)
        return (themed(page, pair, scope, tongue) if old
                else titled_alone(page, clause, scope, tongue))  # fmt: skip
    if hits := drawn_alone(page, clause, scope, tongue):
        return hits
    pair = lone_topic(page, clause) if scope.words else ("", "")
    plain = not words.REMOVE.search(clause.text)  # what is to go does not become another
    if not all(pair) and not tongue.chinese and scope.words and plain:
        pair = stray(page, clause)
    return themed(page, pair, scope, tongue) if all(pair) else []


def _parsed(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """What the rules for words understand of a clause: moves, sizes, fonts and the like."""
    if named := page.named_in(clause.text):
        return [hit for layer in named for hit in _called(layer, layer.name, clause, tongue)]
    pictured = {"picture", "logo", "code"} & set(roles_in(clause.text))
    if pictured - {"picture"} or (pictured and page.unnamed):
        return _by_role(page, clause, tongue)  # the rules for words take all or any for it
    figures = [role for role in roles_in(clause.text) if role in FIGURES]
    try:
        ops = parse(clause.said)
        if figures and any(isinstance(op, Delete) for op in ops):
            return []  # of 标题外框 they take the title
        hits = [hit for op in ops for hit in _pointed(page.scene, clause.said, op)]
    except OverpaintError:
        hits = []
    return hits or _by_role(page, clause, tongue)


def _by_role(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """The one layer that has the role a clause names, which the rules for words do not find."""
    roles = roles_in(clause.text)
    if len(roles) != 1 or clause.of("quote"):
        return []
    lines = page.having(roles[0]) if roles[0] in TEXTS else ()
    figures = page.unnamed if roles == ["picture"] else ()
    figures = page.figures_of(roles[0]) if roles[0] in ("logo", "code") else figures
    layers = {one.id: one for one in figures} | {line.layer.id: line.layer for line in lines}
    if len(layers) != 1:
        return []
    (layer,) = layers.values()
    if len(lines) < sum(line.layer is layer for line in page.lines):
        return []  # it says more than that
    return _called(layer, "", clause, tongue)


def _called(layer: Seen, name: str, clause: Clause, tongue: Tongue) -> list[Hit]:
    """A layer that is called by its name or role, which the rules for words do not know."""
    said = re.escape(name) if name else part_names().pattern
    whole = rf"(?:\b(?:the|our|this) )?(?:{said})"
    prompt = re.sub(whole, tongue.called(layer), clause.said, flags=re.IGNORECASE)
    try:
        looks = not any(isinstance(op, ReplaceText) for op in parse(prompt))
        return [Hit(layer.id, prompt, "it is called so")] if looks else []
    except OverpaintError:
        return []


def _pointed(scene: Scene, said: str, op: Op) -> list[Hit]:
    known = {layer.id for layer in scene.layers}
    return [
        Hit(hit.layer.id, said, "the rules for words point at it")
        for hit in hit_by(scene.document, op.where)
        if hit.layer.id in known
    ]
