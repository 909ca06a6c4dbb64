"""What the league publishes, on the screens: announcements from their moment on, rules and plan in force (LG-12)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from appliance.display.fonts import FontBook
from appliance.display.from_round import clock_view, door_view, scene_change_ms, table_view
from appliance.display.from_season import FRESH_MS, next_word_ms, turns
from appliance.display.scene import Scene
from appliance.display.view import ClockView, DoorView
from appliance.game.publications import Announcements, Edition, Editions, PriceLine, Word, accepted_at
from appliance.game.roster import Notice, Roster, fold_roster
from tests.display.test_door_screen import said
from tests.display.test_from_season import at, played
from tests.display.test_notices import scene

HASH = "ab" * 32
NOON = at("12:00:00")
DAY = 24 * 3600 * 1000
LONG = " ".join(f"Odstavec {n} říká, co platí u stolu a co u dveří." for n in range(20))


def edition(kind: Any, version: int, since: int, cs: str = "", **more: Any) -> Edition:
    return Edition(kind=kind, version=version, since=since, hash=HASH, cs=cs, **more)


RULES = edition("rules", 3, NOON - DAY, LONG, en="No phones at the table.\nNo advice.")
PLAN = edition("plan", 2, NOON - DAY, "Vklad 50 až 500 Kč za den.")
PRICES = edition("prices", 4, NOON - DAY, prices=(PriceLine(crowns=150, cs="Nový průkaz", en="New card"),))


def told(*editions: Edition, words: tuple[Word, ...] = (), notice: Notice | None = None, at_ms: int = 0) -> Roster:
    roster = fold_roster(Roster(), Editions(editions=editions))
    roster = fold_roster(roster, Announcements(words=words))
    return roster if notice is None else fold_roster(roster, notice, at_ms)


def here(roster: Roster, time: str = "18:30:00", **more: Any) -> Scene:
    return replace(scene(played(time), at(time)), roster=roster, **more)


def seen(view: DoorView | ClockView, fonts: FontBook, size: tuple[int, int], lang: str = "cs") -> str:
    pages = (said(replace(view, board=replace(view.board, turn=n)), fonts, size, lang) for n in range(40))  # type: ignore[arg-type]
    return " ".join(pages)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (800, 480), (1080, 1920)])
def test_LG_12_the_door_shows_all_of_the_rules_the_game_plan_and_the_prices(
    fonts: FontBook, size: tuple[int, int]
) -> None:
    words = seen(door_view(here(told(RULES, PLAN, PRICES))), fonts, size)
    for n in range(20):
        assert f"Odstavec {n} říká" in words.replace("\n", " ") or f"Odstavec {n}" in words
    for part in ("Pravidla ligy", "verze\u00a03" if "verze\u00a03" in words else "verze 3", "Herní plán", "Vklad 50"):
        assert part in words
    assert "Nový průkaz" in words and "150\u00a0Kč" in words


def test_LG_12_walls_show_rules_and_game_plan_before_the_start_and_tables_in_breaks(fonts: FontBook) -> None:
    between = replace(here(told(RULES, PLAN)), round=None)
    pause = here(told(RULES, PLAN), "19:20:00")
    for view in (clock_view(here(told(RULES, PLAN))), clock_view(between), clock_view(pause), table_view(pause, 1)):
        words = " ".join(said(replace(view, board=replace(view.board, turn=n)), fonts) for n in range(40))  # type: ignore[arg-type]
        assert "Odstavec 19" in words and "Herní plán" in words


def test_LG_12_in_english_the_english_text_is_shown(fonts: FontBook) -> None:
    words = seen(door_view(here(told(RULES), lang="en")), fonts, (1280, 720), "en")
    assert "No phones at the table." in words and "No advice." in words
    assert "Odstavec" not in words


def test_LG_12_an_edition_is_shown_from_its_day_on_and_not_before(fonts: FontBook) -> None:
    old, new = edition("plan", 1, NOON - DAY, "Starý plán."), edition("plan", 2, at("18:30:00") + 1, "Nový plán.")
    shown = [
        board.editions for board in (door_view(here(told(new, old), time)).board for time in ("18:30:00", "18:31:00"))
    ]
    assert [[(one.version, one.text) for one in editions] for editions in shown] == [
        [(1, "Starý plán.")], [(2, "Nový plán.")],
    ]  # fmt: skip


def test_LG_12_what_is_accepted_is_what_is_in_force() -> None:
    later = edition("rules", 4, NOON + 1, "Nová pravidla.")
    assert [(one.kind, one.version) for one in accepted_at((later, RULES, PLAN, PRICES), NOON)] == [
        ("rules", 3),
        ("plan", 2),
    ]
    assert [(one.kind, one.version) for one in accepted_at((RULES, PLAN, later), NOON + 1)] == [
        ("rules", 4),
        ("plan", 2),
    ]
    assert accepted_at((later,), NOON) == ()


def test_LG_9_an_announcement_is_shown_from_its_moment_until_its_end(fonts: FontBook) -> None:
    word = Word(
        since=at("18:30:00"), until=at("19:00:00"), title_cs="Sraz", text_cs="V sobotu v deset.", title_en="Meeting"
    )
    shown = [
        door_view(here(told(words=(word,)), time)).board.announcement for time in ("18:29:59", "18:30:00", "18:31:00")
    ]
    assert [said and (said.text, said.fresh) for said in shown] == [
        None, ("Sraz: V sobotu v deset.", True), ("Sraz: V sobotu v deset.", False),
    ]  # fmt: skip
    english = door_view(here(told(words=(word,)), "18:40:00", lang="en")).board.announcement
    assert english is not None and english.text == "Meeting: V sobotu v deset."
    assert door_view(here(told(words=(word,)), "19:00:00")).board.announcement is None


def test_LG_9_several_stand_together_and_a_fresh_one_alone() -> None:
    words = (Word(since=at("18:30:00"), title_cs="Druhé"), Word(since=at("10:00:00"), title_cs="První"))
    roster = told(words=words, notice=Notice(text_cs="Kuchyně zavírá.", text_en=""), at_ms=at("09:00:00"))
    fresh, later = (door_view(here(roster, time)).board.announcement for time in ("18:30:30", "18:32:00"))
    assert fresh is not None and (fresh.text, fresh.fresh) == ("Druhé", True)
    assert later is not None and (later.text, later.fresh) == ("Druhé · První · Kuchyně zavírá.", False)


def test_a_screen_looks_again_when_an_announcement_begins_and_ends() -> None:
    word = Word(since=at("18:30:00"), until=at("18:40:00"), title_cs="Sraz")
    waits = [next_word_ms(here(told(words=(word,)), time)) for time in ("18:29:58", "18:30:00", "18:31:00", "18:40:00")]
    assert waits == [2000, FRESH_MS, 9 * 60_000, None]
    assert scene_change_ms(here(told(words=(word,)), "18:29:58")) <= 2000


def test_what_is_published_takes_turns_also_where_nothing_else_does() -> None:
    quiet = here(told(PLAN))
    board = replace(door_view(quiet).board, levels=(), standings=None)
    assert turns(board, quiet)
    assert not turns(replace(board, editions=()), quiet)


def test_hostile_words_are_drawn_plain(fonts: FontBook) -> None:
    roster = told(edition("rules", 1, 0, "a\x00b\u202ec\n\n\u200b\nd"), words=(Word(since=0, title_cs="\u202e\x00"),))
    view = door_view(here(roster))
    assert view.board.editions[0].text == "abc\nd"
    assert view.board.announcement is None
