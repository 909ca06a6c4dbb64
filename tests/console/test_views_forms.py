"""Forms of a phone: done once, as they were read, by the engine's word; else nothing, and the form as it is now."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import msgspec
import pytest

from appliance.console.views import render
from appliance.floorwords import FloorWord, standing
from appliance.game.commands import Bust
from appliance.game.play_commands import Move
from appliance.game.state import Status
from appliance.kinds import FloorCall, OfflineRefused
from appliance.phonenotes import CutOffPhone
from tests.console.viewing import COMMISSIONER, Desk, buttons, dealer, fields, said
from tests.game.conftest import Evening, number

NINE = tuple(range(1, 10))
MOVED = "The state has moved on."


def run(wanted: Coroutine[Any, Any, str]) -> str:
    return asyncio.run(wanted)


def two_tables() -> Desk:
    return Desk(Evening().seated(range(1, 9), range(10, 18)))


def tap(desk: Desk, html: str, label: str) -> str:
    """Tap a button of a page that sends something."""
    url, vals = next((url, vals) for text, url, vals in buttons(html) if label in text)
    answers = {name: value for name, value in vals.items() if name != "do"}
    return run(desk.form(url.removeprefix("/form/"), send=vals.get("do") == "send", **answers))


def test_a_bust_is_two_taps_the_player_and_who_knocked_them_out() -> None:
    desk = two_tables()
    assert "#/player/000003" in desk.view("players")
    done = tap(desk, desk.view("player/000003"), "5 · ")
    assert "data-done" in done and desk.sent[-1][1] == Bust(round="R1", participant=number(3), by=number(5))
    tap(desk, desk.view("player/000004"), "Nobody")
    assert desk.evening.player(4).status is Status.OUT
    assert [each.by for each in desk.evening.round.eliminations] == [number(5), None]


def test_what_hurts_nobody_is_one_tap() -> None:
    desk = two_tables()
    assert "data-done" in tap(desk, desk.view("clock"), "Stop the clock")
    assert desk.evening.round.clock is not None and not desk.evening.round.clock.running


def test_a_stale_form_does_nothing_and_says_so() -> None:
    desk = two_tables()
    html = run(desk.form("deposit", participant=number(3)))
    desk.elsewhere("deposit", participant=number(3), amount=100)
    again = run(desk.send("deposit", html))
    assert MOVED in again and desk.evening.player(3).deposit == 200 and desk.sent == []
    assert "data-done" in run(desk.send("deposit", again)) or desk.evening.player(3).deposit == 300


def test_something_else_that_happens_meanwhile_is_in_nobodys_way() -> None:
    desk = two_tables()
    html = run(desk.form("deposit", participant=number(3)))
    desk.meanwhile = [lambda n=n: desk.elsewhere("bust", participant=number(n)) for n in (10, 11, 12, 13)]
    assert "Chips to hand out" in run(desk.send("deposit", html))
    assert [command.do if hasattr(command, "do") else type(command).__name__ for _, command in desk.sent] == ["Deposit"]


def test_it_gives_up_where_others_never_stop() -> None:
    desk = two_tables()
    html = run(desk.form("deposit", participant=number(3)))
    desk.meanwhile = [lambda n=n: desk.elsewhere("bust", participant=number(n)) for n in (4, 5, 6, 7, 8, 10, 11)]
    assert MOVED in run(desk.send("deposit", html)) and desk.evening.player(3).deposit == 100


def test_two_who_tap_at_once_give_one_seat_to_one_player() -> None:
    desk = two_tables()
    first = run(desk.form("move", participant=number(1), seat="2.9"))
    second = run(desk.form("move", participant=number(2), seat="2.9"))
    assert "data-done" in run(desk.send("move", first))
    answer = run(desk.send("move", second))
    assert "data-done" not in answer and desk.evening.player(2).seat == (1, 2)
    assert [command for _, command in desk.sent] == [Move(round="R1", participant=number(1), seat=(2, 9))]  # type: ignore[arg-type]


def test_an_answer_that_was_lost_is_told_and_nothing_is_done_twice() -> None:
    desk = two_tables()
    html = run(desk.form("deposit", participant=number(3)))
    id = "0190aaaa-0000-7000-8000-000000000001"
    run(desk.send("deposit", html, id=id))
    assert "pays CZK" in run(desk.send("deposit", html, id=id))
    assert desk.evening.player(3).deposit == 200 and len(desk.sent) == 1


def test_a_refusal_is_said_in_words_and_nothing_is_sent() -> None:
    desk = two_tables()
    html = run(desk.form("deposit", participant=number(3)))
    answer = run(desk.send("deposit", html, amount="900"))
    assert "limited to CZK 500" in said(answer) and desk.sent == [] and 'value="900"' in answer


@pytest.mark.parametrize("wrong", ["1,5", "12.5", "-1", "abc", "1e3", "٣", "9" * 30])
def test_what_is_no_number_is_asked_again_and_never_a_default(wrong: str) -> None:
    desk = two_tables()
    answer = run(desk.send("deposit", run(desk.form("deposit", participant=number(3))), amount=wrong))
    assert "data-done" not in answer and desk.sent == []


@pytest.mark.parametrize(("typed", "seconds"), [("5:30", 330), ("7", 420), ("1:00:00", 3600)])
def test_a_time_is_typed_as_it_is_shown(typed: str, seconds: int) -> None:
    desk = two_tables()
    run(desk.send("set_remaining", seconds=typed))
    assert desk.evening.face().remaining_ms == seconds * 1000


def test_what_will_happen_is_said_while_somebody_types() -> None:
    desk = two_tables()
    html = run(desk.form("deposit", participant=number(3)))
    typed = {**_sent(html), "amount": "150"}
    says = desk.view("saying", **typed)
    assert "pays CZK\xa0150" in says and "Left of the limit" in said(says) and "<select" not in says
    assert "limited to" in desk.view("saying", **{**typed, "amount": "600"})
    assert "pays" not in desk.view("saying", **{**typed, "amount": "1x"})
    assert "Chips to hand out" in run(desk.form("deposit", send=True, **{**typed, **fields(says)}))


def test_a_dealers_phone_hears_of_no_other_form_what_it_would_say() -> None:
    desk = Desk(Evening().seated(NINE, range(10, 19)), phone=dealer(1))
    assert render("saying", desk.asked(form="deposit", participant=number(1), amount="10")) is None
    assert render("saying", desk.asked(form="bust", participant=number(12))) is None
    assert render("saying", desk.asked(form="bust", participant=number(1)))


def test_what_throws_something_away_is_asked_twice() -> None:
    desk = two_tables()
    html = run(desk.send("void", participant=number(3), reason="said:0"))
    assert "Really?" in said(html) and desk.sent == []
    assert "data-done" in run(desk.form("void", send=True, **_sent(html)))
    assert desk.evening.player(3).status is Status.VOID


def test_nobody_is_asked_whether_they_mean_what_cannot_be() -> None:
    desk = Desk(Evening().seated([1, 2, 3]).bust(3))
    html = run(desk.send("deal", kind="chop"))
    assert "do not allow a deal" in said(html) and "Really?" not in said(html)


def test_one_copy_only_is_said() -> None:
    desk = two_tables()
    desk.copied = False
    assert "One copy only" in tap(desk, desk.view("clock"), "Stop the clock")


def test_an_undo_takes_back_what_was_shown_and_nothing_else() -> None:
    desk = two_tables()
    desk.elsewhere("pause")
    html = run(desk.form("undo"))
    desk.elsewhere("bust", participant=number(3))
    assert MOVED in run(desk.send("undo", html)) and desk.evening.player(3).status is Status.OUT


def test_a_form_of_another_round_is_none_of_this_one() -> None:
    desk = two_tables()
    html = run(desk.form("pause"))
    assert MOVED in run(desk.form("pause", send=True, **{**_sent(html), "about": "R2"})) and desk.sent == []


def _sent(html: str) -> dict[str, str]:
    whole = fields(html)
    whole.pop("id", None)
    return whole


def test_CK_5_a_colour_up_tells_which_cards_the_chip_race_dealt() -> None:
    desk = Desk(Evening().seated([1, 2, 3], chip_set=[25, 100, 500]))
    asked = {"table": "1", "denomination": "25", "to": "100"}
    counts = {f"holdings:{number(n)}": str(count) for n, count in ((1, 3), (2, 5), (3, 0))}
    answer = run(desk.send("colour_up", run(desk.form("colour_up", **asked)), **counts))
    raced = desk.evening.round
    assert "Chip race" in answer and answer.count('class="card ') == 4
    assert all(f"{raced.players[number(n)].chips:,}" in answer for n in (1, 2))


def test_several_who_go_out_in_one_hand_are_one_form() -> None:
    desk = two_tables()
    desk.elsewhere("next_hand", table=1)
    html = run(desk.form("busts"))
    answer = run(desk.send("busts", html, **{f"players:{number(1)}": "4 000", f"players:{number(2)}": "3,000"}))
    assert "data-done" in answer and desk.evening.round.left == 14


@pytest.mark.parametrize(
    "action", ["pause", "deposit", "undo", "move", "announcement", "cut-off", "cancel", "nonsense"]
)
def test_a_dealer_may_no_more_than_their_table(action: str) -> None:
    desk = Desk(Evening().seated(NINE, range(10, 19)), phone=dealer(1))
    assert "Not accepted" in run(desk.form(action, participant=number(1), send=True))
    assert desk.sent == [] and desk.notes == []


def test_a_dealer_busts_at_their_own_table_only() -> None:
    desk = Desk(Evening().seated(NINE, range(10, 19)), phone=dealer(1))
    html = run(desk.form("bust"))
    assert number(2) in html and number(12) not in html and "Hráč12" not in html
    assert "Not accepted" in run(desk.send("bust", html, participant=number(12)))
    assert "data-done" in run(desk.send("bust", run(desk.form("bust", participant=number(2)))))
    assert "Not accepted" in run(desk.form("stacks", table="2"))


def test_a_call_of_a_table_is_seen_to_from_the_phone() -> None:
    call = FloorCall(device="table-1", table=1, about="floor", open=True, at=Evening().seated(NINE).at)
    desk = Desk(Evening().seated(NINE), notes={"call": call})
    assert "Table 1 calls the floor" in said(desk.view("clock"))
    tap(desk, desk.view("clock"), "Seen to")
    assert isinstance(desk.notes[-1], FloorCall) and not desk.notes[-1].open and desk.notes[-1].table == 1


def test_refused_hands_are_seen_to_from_the_phone() -> None:
    told = OfflineRefused(device="table-1", table=1, round="R1", hand=3, last=4, code="stale", id="x", at=1)
    desk = Desk(Evening().seated(NINE), notes={"x": told})
    tap(desk, desk.view("clock"), "Refused hands are seen to")
    note = desk.notes[-1]
    assert isinstance(note, OfflineRefused) and not note.open and note.by == COMMISSIONER.who
    assert note.device == COMMISSIONER.device


def test_registering_takes_a_number_without_its_leading_zeros() -> None:
    desk = Desk(Evening().opened(3))
    run(desk.send("register", participant="7"))
    assert number(7) in desk.evening.round.players


def test_a_word_to_all_screens_has_an_end_and_can_be_taken_back() -> None:
    desk = Desk(Evening().seated(NINE))
    assert "data-done" not in run(desk.form("announcement", send=True, text="  \u200b "))
    run(desk.form("announcement", send=True, text=" Pauza <b> na\nkávu ", minutes="15"))
    word = desk.notes[-1]
    assert isinstance(word, FloorWord) and word.text == "Pauza <b> na kávu" and word.until - word.at == 15 * 60_000
    desk.more["notes"] = {"floor-word/1": word}
    html = desk.view("announcements")
    assert "Pauza &lt;b&gt; na kávu" in html
    tap(desk, html, "Take it off")
    gone = desk.notes[-1]
    assert isinstance(gone, FloorWord) and standing({"floor-word/1": gone}, gone.at) is None
    assert (
        standing({"floor-word/1": word}, word.until - 1) == word
        and standing({"floor-word/1": word}, word.until) is None
    )


def test_a_lost_phone_is_cut_off() -> None:
    lost = dealer(2)
    desk = Desk(Evening().seated(NINE), phones=(COMMISSIONER, lost))
    html = run(desk.form("cut-off", session=lost.session))
    assert "data-done" in run(desk.form("cut-off", send=True, session=lost.session)) and "Cut off" in html
    assert desk.notes == [msgspec.json.encode(CutOffPhone(session=lost.session, by=COMMISSIONER.who))]
    assert "Not accepted" in run(desk.form("cut-off", session="0" * 16))


def test_T_10_a_deal_is_made_once_everybody_has_been_asked_and_agrees() -> None:
    desk = Desk(Evening().seated([1, 2, 3], profile="tda-2024").bust(3))
    html = run(
        desk.send("deal", kind="chop", **{f"stacks:{number(n)}": str(chips) for n, chips in ((1, 8000), (2, 4000))})
    )
    assert html.count('type="checkbox"') == 2 and desk.sent == []
    answers = {name: value for name, value in _sent(html).items() if not name.startswith("consent:")}
    one = run(desk.form("deal", send=True, **{**answers, f"consent:{number(1)}": "yes"}))
    assert "consent of every remaining player" in said(one) and desk.sent == []
    agreed = {f"consent:{number(n)}": "yes" for n in (1, 2)}
    assert "data-done" in run(desk.form("deal", send=True, **{**answers, **agreed}))
    assert desk.evening.round.deal is not None


def test_those_who_go_out_in_one_hand_are_asked_for_at_the_table_of_the_player() -> None:
    desk = two_tables()
    desk.elsewhere("next_hand", table=2)
    url = next(url for _, url, _ in buttons(desk.view("player/000012")) if "/form/busts" in url)
    html = run(desk.form("busts", table="2"))
    assert "table=2" in url and number(10) in html and number(1) not in html
    answer = run(desk.send("busts", html, **{f"players:{number(n)}": "4000" for n in (11, 12)}))
    assert "data-done" in answer and desk.evening.player(12).status is Status.OUT
