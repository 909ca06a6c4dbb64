"""A tracked hand as the screen shows it is the hand as it was keyed in, and nothing but the round's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from appliance.apps.screen_hand import Keyed, keyed
from appliance.display.from_round import Link, Scene, Venue, later, table_view
from appliance.display.view import HandSeat, HandView, PotView, TableView
from appliance.game.rehearse import step
from appliance.game.roster import Roster
from appliance.game.round import INITIAL, Refusal
from appliance.game.script import parse_script
from appliance.game.state import Round
from appliance.i18n import Translator
from appliance.pad import Pad

EVENING = Path(__file__).parents[1] / "data" / "evening-18.jsonl"
MINUTE = 60_000


@pytest.fixture(scope="module")
def played() -> tuple[Round, int]:
    """The round a little after its start, hand 1 at table 1: nine players, blinds 25 and 50; and when that is."""
    ledger, at_ms = INITIAL, 0
    for line in parse_script(EVENING.read_text(encoding="utf-8").splitlines()):
        if ledger.round is not None and ledger.round.tables and line.at_ms > ledger.round.starts_at + 5 * MINUTE:
            break
        answer = step(ledger, line, seed=1)
        ledger, at_ms = (ledger, at_ms) if isinstance(answer, Refusal) else (answer, line.at_ms)
    assert ledger.round is not None
    return ledger.round, at_ms + MINUTE


Look = Callable[..., tuple[TableView, Keyed]]


@pytest.fixture
def look(played: tuple[Round, int], tmp_path: Path) -> Look:
    def look(*lines: str, at_ms: int = 0) -> tuple[TableView, Keyed]:
        file = tmp_path / "hand.keys"
        file.write_text("\n".join(lines), encoding="utf-8")
        told = keyed(file, played[0], 1)
        return table_view(scene(played, told, at_ms), 1), told

    return look


def scene(played: tuple[Round, int], told: Keyed | None, after_ms: int = 0) -> Scene:
    seen = Scene(round=played[0], roster=Roster(), link=Link(), venue=Venue("Zábřeh"), at_ms=played[1] + after_ms)
    return seen if told is None else replace(seen, hand=told.hands, pad=told.pad, keys=told.keys)


def hand_of(view: TableView) -> HandView:
    assert view.tracked is not None
    return view.tracked


def seat(view: TableView, number: int) -> HandSeat:
    return next(seat for seat in hand_of(view).seats if seat.number == number)


def test_H_2_the_first_player_is_on_turn_before_anybody_told_a_card(look: Look) -> None:
    view, _ = look()
    hand = hand_of(view)
    assert (hand.street, hand.waits, hand.board, hand.pots) == ("preflop", "action", (), ())
    assert (hand.to_act, hand.call, hand.raise_min, hand.raise_max) == (4, 50, 100, 15_000)
    assert (seat(view, 2).bet, seat(view, 3).bet, seat(view, 2).stack) == (25, 50, 14_975)
    assert len(hand.seats) == 9
    assert view.pad is not None
    assert {"fold", "check-call", "raise", "seat-4"} <= set(view.pad.keys)


def test_what_was_keyed_in_is_what_is_shown(look: Look) -> None:
    view, _ = look("fold 150 raise fold all-in")
    assert seat(view, 4).folded
    assert (seat(view, 5).bet, seat(view, 5).stack) == (150, 14_850)
    assert seat(view, 7) == HandSeat(number=7, stack=0, bet=15_000, all_in=True)
    assert (hand_of(view).to_act, hand_of(view).call, hand_of(view).raise_min) == (8, 15_000, None)


def test_a_board_that_nobody_looked_at_lies_face_down(look: Look) -> None:
    view, _ = look(
        "fold fold fold fold fold fold check-call check-call check-call",
        "next check-call check-call check-call",
        "next",
    )
    hand = hand_of(view)
    assert (hand.street, hand.board) == ("turn", ("??",) * 4)
    assert [pot.amount for pot in hand.pots] == [150]


def test_typed_digits_and_a_refusal_are_on_the_pad_until_the_next_key(look: Look) -> None:
    view, _ = look("6 00")
    assert view.pad is not None
    assert (view.pad.typed, view.pad.refused) == ("600", None)
    view, _ = look("75 raise")
    assert view.pad is not None
    assert view.pad.refused is not None
    assert view.pad.refused[0] == "raise-too-small"
    view, _ = look("75 raise back")
    assert view.pad is not None
    assert view.pad.refused is None


def test_the_end_stays_on_the_screen_with_who_won_what(look: Look) -> None:
    view, told = look("fold fold fold fold fold fold fold fold")
    assert told.hands.current is None
    hand = hand_of(view)
    assert (hand.waits, hand.to_act) == ("nothing", None)
    assert hand.pots == (PotView(amount=50, winners=(3,)),)
    assert (seat(view, 3).won, seat(view, 3).stack) == (50, 15_025)
    assert view.pad is not None
    assert "next" in view.pad.keys


def test_who_lost_the_last_chips_keeps_the_seat_until_the_next_hand(look: Look, played: tuple[Round, int]) -> None:
    view, told = look("all-in all-in fold fold fold fold fold fold fold", "next next next", "win 5 done")
    assert hand_of(view).waits == "nothing"
    assert seat(view, 4).stack == 0
    round, at_ms = played
    table = round.tables[1]
    left = {number: who for number, who in table.seats.items() if number != 4}
    gone = replace(round, tables={**round.tables, 1: replace(table, seats=left)})
    after = table_view(scene((gone, at_ms), told), 1)
    assert after.seats[3].who == view.seats[3].who
    assert table_view(scene((gone, at_ms), None), 1).seats[3].who is None


def test_who_comes_to_a_seat_after_the_hand_is_not_shown_with_somebody_elses_chips(
    look: Look, played: tuple[Round, int]
) -> None:
    _, told = look("fold fold fold fold fold fold fold fold")
    round, at_ms = played
    table = round.tables[1]
    come = replace(round, tables={**round.tables, 1: replace(table, seats={**table.seats, 4: table.seats[9]})})
    view = table_view(scene((come, at_ms), told), 1)
    assert view.seats[3].who == table.seats[9]
    assert [seat.number for seat in hand_of(view).seats] == [2, 3, 5, 6, 7, 8, 9, 1]


def test_winners_are_asked_pot_by_pot(look: Look) -> None:
    view, _ = look("all-in all-in fold fold fold fold fold fold fold", "next next next", "win 5")
    assert view.pad is not None
    assert (view.pad.mode, view.pad.pot, view.pad.winners) == ("winners", 0, (5,))
    assert {"done", "seat-4", "seat-5"} <= set(view.pad.keys)
    assert "seat-6" not in view.pad.keys


def test_counted_stacks_are_shown_without_winners(look: Look) -> None:
    stacks = {f"{number:06}": 15_000 for number in range(101, 110)}
    view, _ = look(json.dumps({"do": "end_hand", "stacks": stacks}))
    hand = hand_of(view)
    assert (hand.waits, hand.counted, hand.pots) == ("nothing", True, ())
    assert {seat.stack for seat in hand.seats} == {15_000}


def test_a_hand_that_cannot_be_followed_says_so_and_so_does_one_that_was_given_up(
    look: Look, played: tuple[Round, int]
) -> None:
    _, told = look("fold")
    lost = replace(told.hands, now=replace(told.hands.now, hand=None))
    assert hand_of(table_view(scene(played, told._replace(hands=lost)), 1)).waits == "doubt"
    view, _ = look("fold drop")
    assert view.tracked == HandView(waits="dropped")


def test_only_the_hand_that_the_round_plays_at_this_table_is_shown(look: Look, played: tuple[Round, int]) -> None:
    _, told = look("fold")
    round, at_ms = played
    table = round.tables[1]
    next_hand = replace(round, tables={**round.tables, 1: replace(table, hand=table.hand + 1)})
    other_round = replace(round, id="R2")
    for other in (next_hand, other_round):
        assert table_view(scene((other, at_ms), told), 1).tracked is None
    assert table_view(scene(played, None), 1).tracked is None
    assert table_view(scene(played, None), 1).pad is None


def test_a_second_later_the_hand_and_the_keys_are_still_the_same(look: Look, played: tuple[Round, int]) -> None:
    view, told = look("fold 150 raise 3")
    after = scene(played, told, 1000)
    carried = later(view, after)
    assert carried == table_view(after, 1)
    assert carried is not None
    assert carried.tracked is view.tracked


def test_while_the_director_is_away_the_keys_say_that_the_next_hand_waits_for_it(
    look: Look, played: tuple[Round, int]
) -> None:
    _, told = look("fold fold fold fold fold fold fold fold")
    away = replace(scene(played, told), link=Link(director=False))
    pad = table_view(away, 1).pad
    assert pad is not None and pad.refused == ("waits-for-director", {})
    _, told = look("fold")
    pad = table_view(replace(scene(played, told), link=Link(director=False)), 1).pad
    assert pad is not None and pad.refused is None


def test_a_refusal_names_the_player_it_is_about(look: Look, played: tuple[Round, int]) -> None:
    _, told = look("fold")
    told = told._replace(pad=Pad(problem=Refusal("no-chips", {"participant": "000107"})))
    pad = table_view(scene(played, told), 1).pad
    assert pad is not None and pad.refused is not None
    assert "000107" in Translator("cs").refusal(*pad.refused)
