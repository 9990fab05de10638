"""Dates: the same new day wherever the old one stands, each in the form it is written in."""

from overpaint.editors.agent.days import Day, days, written
from overpaint.editors.agent.joint.left import restricted
from overpaint.editors.agent.joint.phrases import reworded
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.joint.table import Clash, Table


def same_days(table: Table) -> Table:
    """One new day for each old one, in the form that the layer has it in."""
    groups: dict[tuple[int, int], list[tuple[Wish, Day, Day]]] = {}
    for wish in table.edited:
        old, new = list(days(wish.seen.words)), list(days(wish.words))
        if len(old) == len(new) == 1 and old[0].value != new[0].value:
            groups.setdefault(old[0].value, []).append((wish, old[0], new[0]))
    for group in groups.values():
        table = _one_day(table, group)
        table = _left(table, group)
    return table


def _one_day(table: Table, group: list[tuple[Wish, Day, Day]]) -> Table:
    values = {new.value for _, _, new in group}
    forms = {(old.form, new.form) for _, old, new in group}
    mixed = len({old for old, _ in forms}) < len(forms)
    if len(group) < 2 or (len(values) == 1 and not mixed):
        return table
    if all(table.asked(new.text) for _, _, new in group):
        return table
    day = _chosen(table, group)
    changed = []
    for wish, old, new in group:
        like = old if new.form != old.form else new
        fresh = written(day, _with_year(like, new))
        if fresh != new.text and (new.value != day or new.form != old.form):
            prompt = reworded(wish.decision.prompt, new.text, fresh)
            changed.append(wish.asking(prompt, f"the new day is {fresh}"))
    if not changed:
        return table
    said = ", ".join(dict.fromkeys(f"“{new.text}”" for _, _, new in group))
    clash = Clash(
        "date", tuple(wish.id for wish, _, _ in group),
        f"“{group[0][1].text}” becomes {said}.", f"It becomes {day[1]}.{day[0]}. everywhere.",
    )  # fmt: skip
    return table.with_(clash, *changed)


def _with_year(like: Day, new: Day) -> Day:
    year = new.year if like.year else ""
    return Day(like.text, like.form, like.day, like.month, year or like.year)


def _chosen(table: Table, group: list[tuple[Wish, Day, Day]]) -> tuple[int, int]:
    """The day that the instruction names, else most layers, else the most prominent."""
    values = [new.value for _, _, new in group]
    named = {day.value for day in days(table.scene.instruction)} & set(values)
    if len(named) == 1:
        return named.pop()
    most = max(values.count(value) for value in values)
    often = [one for one in group if values.count(one[2].value) == most]
    return max(often, key=lambda one: table.prominence(one[0]))[2].value


def _left(table: Table, group: list[tuple[Wish, Day, Day]]) -> Table:
    """Texts that say the old day in another form, where the instruction is about it as such."""
    old = group[0][1].value
    asked = {day.value for day in days(table.scene.instruction)}
    new = {day.value for w, _, _ in group for day in days(table.wish(w.id).words)}
    known = old in asked or (len(group) > 1 and new <= asked)
    if len(new) != 1 or not known or restricted(table, (group[0][1].text, group[0][2].text)):
        return table
    for wish in table.texts:
        own = [day for day in days(wish.words) if day.value == old]
        if not own or wish.deletes or wish.says:
            continue
        fresh = written(next(iter(new)), own[0])
        more = f"Replace '{own[0].text}' with '{fresh}'."
        clash = Clash("left behind", (wish.id,), f"“{own[0].text}” is moved elsewhere and stays"
                      " here.", f"It becomes “{fresh}” here, too.")  # fmt: skip
        table = table.with_(clash, table.wish(wish.id).also(more, "other layers have a new day"))
    return table
