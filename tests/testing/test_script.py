"""Scripts: who is told what, which share meets which behaviour, and what is wrong with a script."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from overpaint.errors import UserMistake
from overpaint.testing import Asked, Rule, Script, Share
from overpaint.testing.script import Player, Said, read_script, write_script

FAULTS = {"server_error": Share(0.1), "hang": Share(0.05), "prose": Share(0.15)}


def met(script: Script, bodies: int, nth: int = 0) -> Counter[str]:
    return Counter(script.draw(Asked("", nth=nth, hash=f"{n}"))[0] for n in range(bodies))


def say(script: Any, prompt: str = "", **more: Any) -> Said:
    return Player(read_script(script)).say(Asked(prompt, **more))


# ── who is told what ────────────────────────────────────────────────────────────────────


def test_a_rule_goes_before_the_replies_in_order_and_they_before_the_reply_for_all() -> None:
    player = Player(Script(("one", {"two": 2}), "rest", (Rule("Friday", "day"),)))
    prompts = ("x", "Friday", "x", "On Friday.", "x", "x")
    assert [player.say(Asked(p)).text for p in prompts] == [
        "one", "day", '{"two": 2}', "day", "rest", "rest",
    ]  # fmt: skip


def test_a_rule_may_be_for_one_model() -> None:
    script = Script(reply="other", rules=(Rule("", "mine", model="eye"),))
    assert say(script, model="eye").text == "mine"
    assert say(script, model="ear").text == "other"


def test_a_script_is_given_as_a_text_a_list_an_object_or_a_function() -> None:
    assert say("always").text == "always"
    assert say(["first"]).text == "first"
    assert say({"reply": {"score": 2}}).text == '{"score": 2}'
    assert say(lambda asked: asked.prompt.upper(), "hi").text == "HI"
    assert json.loads(say(None).text)["score"] in range(1, 6)


def test_a_directive_says_what_is_meant_and_an_object_is_said() -> None:
    assert say({"reply": {"text": "t"}}).text == "t"
    assert say({"reply": {"json": {"text": "t"}}}).text == '{"text": "t"}'
    assert say({"reply": {"text": "t", "score": 1}}).text == '{"text": "t", "score": 1}'
    played = say({"reply": {"behaviour": "delay", "seconds": 3, "text": "t"}})
    assert played == Said("t", "delay", Share(seconds=3))


def test_when_the_replies_in_order_are_used_up_the_script_says_so() -> None:
    player = Player(Script(("only",)))
    player.say(Asked(""))
    with pytest.raises(UserMistake, match="has 1 replies; this is request 2 that wants one"):
        player.say(Asked(""))


def test_a_script_travels_as_json_and_is_the_same_there() -> None:
    script = Script(("a", {"b": [1]}), "c", (Rule("d", "e"),), FAULTS, 0.5, 7)
    assert read_script(json.loads(write_script(script))) == script
    assert "\n" not in write_script(replace(script, reply="two\nlines"))


# ── shares ──────────────────────────────────────────────────────────────────────────────


def test_each_behaviour_is_met_by_its_share_of_the_requests() -> None:
    found = met(Script(behaviours=FAULTS), 20_000)
    for name, share in {"server_error": 0.1, "hang": 0.05, "prose": 0.15, "ok": 0.7}.items():
        assert found[name] / 20_000 == pytest.approx(share, abs=0.01)


def test_shares_hold_where_some_stick_to_a_body_and_some_do_not() -> None:
    mixed = FAULTS | {"hang": Share(0.05, times=2), "empty": Share(0.3, times="always")}
    for nth in (0, 1):
        found = met(Script(behaviours=mixed), 20_000, nth)
        shares = {name: share.share for name, share in mixed.items()} | {"ok": 0.4}
        for name, share in shares.items():
            assert found[name] / 20_000 == pytest.approx(share, abs=0.012)


def test_the_same_seed_meets_the_same_and_another_another() -> None:
    asked = [Asked("", hash=f"{n}") for n in range(500)]
    first, again, other = (
        [Script(behaviours=FAULTS, seed=seed).draw(one)[0] for one in asked] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_without_times_a_body_draws_anew_each_time_it_comes() -> None:
    script = Script(behaviours={"server_error": Share(0.5)})
    drawn = Counter(script.draw(Asked("", nth=n, hash="same"))[0] for n in range(400))
    assert 150 < drawn["ok"] < 250


def test_a_transient_behaviour_is_met_the_first_times_and_a_permanent_one_always() -> None:
    script = Script(behaviours={"reset": Share(0.5, 2), "prose": Share(0.5, "always")})
    lives = {tuple(script.draw(Asked("", nth=n, hash=f"{b}"))[0] for n in range(4))
             for b in range(50)}  # fmt: skip
    assert lives == {("reset", "reset", "ok", "ok"), ("prose",) * 4}


def test_a_share_of_one_is_everybody_and_of_none_nobody() -> None:
    assert set(met(Script(behaviours={"hang": Share(1)}), 500)) == {"hang"}
    assert set(met(Script(behaviours={"hang": Share(0)}), 500)) == {"ok"}


# ── what is wrong with a script ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (5, "A script was given as int. A Script, an object with its parts, a text"),
        ({"answers": []}, "A script has answers. It may have replies, reply, rules, behaviours"),
        ({"replies": "a"}, "replies is a str. A list was expected."),
        ({"replies": [3]}, "A reply is 3. A text, an object, a list, a directive or a function"),
        ({"rules": [{"contains": "a"}]}, "A rule has no reply. It may have contains, reply, model"),
        ({"rules": ["a"]}, "A rule has no object."),
        ({"behaviours": []}, 'behaviours is a list. Expected {"server_error": 0.1, …}.'),
        ({"behaviours": {"server_eror": 1}}, "There is no behaviour 'server_eror'. There are ok,"),
        ({"behaviours": {"hang": 1.5}}, "share is 1.5. It is a number from 0 to 1."),
        ({"behaviours": {"hang": True}}, "share is True. It is a number from 0 to 1."),
        ({"behaviours": {"hang": float("nan")}}, "share is nan. It is a number from 0 to 1."),
        ({"behaviours": {"hang": {"times": 0}}}, "times is 0. It is a whole number from 1 to"),
        ({"behaviours": {"hang": {"odds": 1}}}, "The behaviour hang has odds. It may have share,"),
        ({"behaviours": {"hang": {"seconds": -1}}}, "seconds is -1. It is a number from 0 to"),
        ({"behaviours": {"huge": {"size": 10**9}}}, "size is 1000000000. It is a whole number"),
        ({"behaviours": {"hang": 0.7, "null": 0.7}}, "add up to 1.4. At most 1 was expected"),
        ({"seconds": "1"}, "seconds is '1'. It is a number from 0 to 3600."),
        ({"seed": 0.5}, "seed is 0.5. It is a whole number"),
        ({"reply": {"rule": "guess"}}, "There is no rule 'guess'. The rule is \"score\"."),
        ({"reply": {"text": 4}}, "A text is 4. A string was expected."),
        ({"reply": {"behaviour": ["hang"]}}, "There is no behaviour ['hang']."),
    ],
)  # fmt: skip
def test_a_wrong_script_is_told_what_is_wrong_with_it(script: Any, told: str) -> None:
    with pytest.raises(UserMistake) as error:
        read_script(script)
    assert told in str(error.value)


def test_a_function_cannot_be_sent_to_another_process() -> None:
    with pytest.raises(UserMistake, match=r"Say FakeServer\(…, process=False\)"):
        write_script(Script(reply=lambda asked: "a"))
