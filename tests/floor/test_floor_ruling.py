"""The ruling helper of the floor menu (I-1 to I-17): from what happened to a record, whatever the house."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from appliance.floor.said import say
from appliance.game.play_commands import Ruling
from appliance.game.ruleset import PROFILES
from appliance.game.rulings.book import TITLES
from appliance.i18n import Translator
from tests.floor.conftest import Desk
from tests.game.conftest import Evening

HOUSES = [name for name, rules in PROFILES.items() if rules.tournament]


def first_answers(desk: Desk) -> Iterator[str]:
    """Turn the knob on through the questions, always to the first line, until there is something to confirm."""
    for _ in range(20):
        if desk.open.page == "confirm":
            return
        yield desk.reads()
        desk.press("enter")
        if desk.open.page == "field" and desk.keys()[0] == "accept" and not desk.open.editing:
            desk.press("enter")
    raise AssertionError("the ruling asks on and on")


@pytest.mark.parametrize("profile", HOUSES)
@pytest.mark.parametrize("what", TITLES)
def test_every_irregularity_leads_to_a_procedure_and_a_record(what: str, profile: str) -> None:
    desk = Desk(Evening().seated([1, 2, 3], profile=profile).do("next_hand", table=1)).choose("ruling").take(what)
    assert all(first_answers(desk))
    steps = [line for line in desk.shown.lines if line.item is None]
    assert len(steps) >= 3, "an outcome, at least one step, a source"
    desk.yes()
    assert desk.open.page == "done", desk.open.refusal
    (sent,) = desk.sent
    assert isinstance(sent, Ruling) and (sent.ruling, sent.table, sent.hand) == (what, 1, 1)
    assert desk.evening.round.rulings[-1].ruling == what


def test_I_13_the_procedure_is_read_before_the_commissioner_decides() -> None:
    desk = Desk(Evening().seated([1, 2, 3])).choose("ruling").take("I-13")
    assert desk.reads() == "What is decided?"
    assert [line.item for line in desk.shown.lines][:2] == [None, None]
    desk.press("text:Hand stands").take("said:0").yes()
    (ruled,) = desk.evening.round.rulings
    assert (ruled.decision, ruled.reason) == ("Hand stands", "Rozhodnutí komisaře")


def test_another_answer_asks_again_what_hangs_on_it() -> None:
    desk = Desk(Evening().seated([1, 2, 3])).choose("ruling").take("I-1")
    for _ in first_answers(desk):
        pass
    desk.turn_to("field:ruling").take("I-13")
    assert desk.reads() == "What is decided?"
    assert set(desk.open.answers) == {"ruling"}


def test_the_procedure_is_in_the_language_of_the_screen() -> None:
    desk = Desk(Evening().seated([1, 2, 3])).choose("ruling").take("I-13")
    read = desk.shown.lines[0].text
    assert say(read, Translator("cs")) == "Rozhodne komisař"
    assert say(read, Translator("en")) == "The commissioner decides"
