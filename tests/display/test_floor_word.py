"""What a commissioner has all screens say is on each of them, until its end."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.display.from_round import scene_change_ms
from appliance.display.from_season import FRESH_MS, announcement_of
from appliance.floorwords import FloorWord
from appliance.game.roster import Notice, Roster, fold_roster
from tests.display.test_from_season import KINDS, at, played, scene

SAID = at("19:05:00")
WORD = FloorWord(device="phone-1", by="000090", text="Pizza je tady.", at=SAID, until=SAID + 5 * 60_000)


def shown(time: str, **more: Any) -> Any:
    return scene(time, played(time), **{"word": WORD, **more})


@pytest.mark.parametrize("kind", KINDS)
def test_every_screen_says_who_says_it(kind: Any) -> None:
    said = kind(shown("19:05:10")).board.announcement
    assert (said.text, said.by, said.fresh) == ("Pizza je tady.", "floor", True)


def test_it_is_large_for_a_minute_and_gone_at_its_end_or_when_it_was_taken_back() -> None:
    fresh = [announcement_of(shown(time)) for time in ("19:05:59", "19:06:00", "19:09:59", "19:10:00")]
    assert [said and said.fresh for said in fresh] == [True, False, False, None]
    gone = FloorWord(device="phone-1", by="000090", text="", at=SAID, until=SAID)
    assert announcement_of(shown("19:05:10", word=gone)) is None


def test_screens_wake_for_it() -> None:
    quiet = played("19:05:00", 2, ("19:01:00", {"do": "pause"}))
    assert scene_change_ms(scene("19:05:10", quiet, word=WORD)) <= FRESH_MS - 10_000
    assert scene_change_ms(scene("19:09:59", quiet, word=WORD)) <= 1000


def test_the_floor_comes_before_the_league() -> None:
    roster = Roster()
    roster = fold_roster(roster, Notice(text_cs="Liga", text_en="League"), SAID)
    said = announcement_of(shown("19:05:10", roster=roster))
    assert said is not None and said.text == "Pizza je tady."
    after = announcement_of(shown("19:11:00", roster=roster))
    assert after is not None and after.by == "league"
