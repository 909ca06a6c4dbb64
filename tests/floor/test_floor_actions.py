"""Every action of the floor menu from its first page to the engine, with nothing but up, down and enter."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from appliance.floor.catalogue import ACTIONS
from appliance.game import commands as c
from appliance.game import play_commands as pc
from appliance.game.command import Command
from appliance.game.state import Phase, Status
from appliance.game.values import Seat
from tests.floor.conftest import Desk
from tests.game.conftest import Evening, number

LEAGUE = {"profile": "cpl-2017", "chip_up": 1000, "bonus_card": 500}
TDA = {"profile": "tda-2024", "reentry": True, "late_registration": True}
CASINO = {"profile": "casino-2012"}


def playing(**changes: object) -> Desk:
    """Seven players at two tables, hand 1 at the first."""
    return Desk(Evening().seated([1, 2, 3, 4], [5, 6, 7], **changes).do("next_hand", table=1))


def waiting(players: int = 4) -> Desk:
    return Desk(Evening().opened(players), place="door", table=None)


def bust() -> Desk:
    return playing().choose("bust").take("000002").yes()


def bust_with_all() -> Desk:
    desk = playing().choose("bust").take("000002").turn_to("field:stack")
    return desk.dial(3900).turn_to("field:by").take("000001").yes()


def busts() -> Desk:
    desk = playing().choose("busts").turn_to("who:000003").dial(300).turn_to("who:000002").dial(3000)
    return desk.turn_to("finish").yes()


def balance() -> Desk:
    return Desk(Evening().seated([1, 2, 3, 4, 5], [6, 7, 8])).choose("balance").yes()


def hand_for_hand_off() -> Desk:
    desk = playing()
    desk.evening.do("hand_for_hand", on=True)
    return desk.choose("hand_for_hand_off").yes()


def sit_out() -> Desk:
    evening = Evening().seated([1, 2, 3, 4, 5, 6], [7, 8, 9, 10]).do("next_hand", table=1)
    evening.do("move", participant=number(4), seat=[2, 9]).do("move", participant=number(9), seat=[1, 4])
    return Desk(evening).choose("sit_out").take("000009").yes()


def reenter() -> Desk:
    evening = Evening().seated([1, 2, 3, 4], [5, 6, 7], **TDA).bust(2)
    return Desk(evening).choose("reenter").take("000002").yes()


def deal_by_hand() -> Desk:
    desk = Desk(Evening().seated([1, 2, 3], **CASINO))
    desk.choose("deal").take("manual").turn_to("finish")
    for who in ("000001", "000002", "000003"):
        desk.turn_to(f"who:{who}").dial(100)
    return desk.turn_to("finish").yes()


def pay() -> Desk:
    evening = Evening().seated([1, 2, 3]).bust(1).bust(2)
    return Desk(evening).choose("pay").take("000003").press("enter").turn_to("accept").yes()


def colour_up() -> Desk:
    desk = playing().choose("colour_up").take("25", "100")
    for who, chips in (("000001", 3), ("000002", 5)):
        desk.turn_to(f"who:{who}").dial(chips)
    return desk.turn_to("finish").yes()


def time_ran_out() -> Desk:
    desk = playing().choose("time_call").take("000001")
    desk.evening.after(minutes=5)
    return desk.choose("time_ran_out")


def redo() -> Desk:
    desk = playing()
    desk.evening.bust(2).do("undo")
    return desk.choose("redo").yes()


def sanction() -> Desk:
    desk = playing().choose("sanction").take("000003", "sit-out").dial(2)
    return desk.take("said:3").yes()


def ruling() -> Desk:
    return playing().choose("ruling").take("I-13", "said:8", "said:0").yes()


def end_early() -> Desk:
    desk = playing().choose("end_early").take("said:6").turn_to("who:000001").dial(9000)
    return desk.turn_to("finish").yes()


def unlocked() -> Desk:
    desk = playing()
    desk.evening.do("lock", on=True, participant=number(4)).do("lock", on=True, seat=[1, 9])
    return desk


WALKS: dict[str, tuple[Callable[[], Desk], Command]] = {
    "bust": (bust, c.Bust(round="R1", participant="000002", table=1, hand=1)),
    "bust, all told": (
        bust_with_all, c.Bust(round="R1", participant="000002", table=1, hand=1, stack=3900, by="000001"),
    ),
    "busts": (busts, c.Busts(round="R1", stacks={"000003": 300, "000002": 3000})),
    "move": (
        lambda: playing().choose("move").take("000004", "2.4").yes(),
        pc.Move(round="R1", participant="000004", seat=Seat(2, 4)),
    ),
    "absent": (lambda: playing().choose("absent").take("000004"), pc.Absent(round="R1", participant="000004")),
    "present": (
        lambda: playing(**TDA).choose("absent").take("000004").choose("present").take("000004"),
        pc.Present(round="R1", participant="000004"),
    ),
    "sanction": (
        sanction,
        pc.Sanction(round="R1", participant="000003", kind="sit-out", hands=2, reason="Chování u stolu", seen=0),
    ),
    "sit_out": (sit_out, pc.SitOut(round="R1", participant="000009")),
    "reenter": (reenter, pc.Reenter(round="R1", participant="000002")),
    "bonus_card": (
        lambda: playing(**LEAGUE).choose("bonus_card").take("000002", "no").yes(),
        pc.BonusCard(round="R1", participant="000002", holding=False),
    ),
    "chip_up": (
        lambda: playing(**LEAGUE).choose("chip_up").yes(), pc.ChipUp(round="R1"),
    ),
    "chip_up_one": (
        lambda: playing(**LEAGUE).choose("chip_up_one").take("000003").yes(),
        pc.ChipUp(round="R1", participant="000003"),
    ),
    "reinstate": (
        lambda: bust().choose("reinstate").take("000002").yes(), c.Reinstate(round="R1", participant="000002"),
    ),
    "lock": (
        lambda: playing().choose("lock").take("000001").yes(), pc.Lock(round="R1", on=True, participant="000001"),
    ),
    "unlock": (
        lambda: unlocked().choose("unlock").take("000004").yes(), pc.Lock(round="R1", on=False, participant="000004"),
    ),
    "void": (
        lambda: playing().choose("void").take("000001", "said:5").yes(),
        pc.Void(round="R1", participant="000001", reason="Porušení pravidel herny"),
    ),
    "next_hand": (lambda: playing().choose("next_hand"), c.NextHand(round="R1", table=1, seen=1)),
    "time_call": (
        lambda: playing().choose("time_call").take("000003"), pc.TimeCall(round="R1", table=1, participant="000003"),
    ),
    "time_acted": (
        lambda: playing().choose("time_call").take("000003").choose("time_acted"), pc.TimeEnd(round="R1", table=1),
    ),
    "time_ran_out": (time_ran_out, pc.TimeEnd(round="R1", table=1, outcome="ran-out")),
    "pause": (lambda: playing().choose("pause"), c.Pause(round="R1")),
    "resume": (lambda: playing().choose("pause").choose("resume"), c.Resume(round="R1")),
    "set_remaining": (
        lambda: playing().choose("set_remaining").dial(900).yes(), c.SetRemaining(round="R1", seconds=900, seen=1),
    ),
    "begin_break": (
        lambda: playing().choose("begin_break").dial(12).yes(), c.BeginBreak(round="R1", minutes=12),
    ),
    "end_break": (
        lambda: playing().choose("begin_break").dial(5).yes().choose("end_break").yes(), c.EndBreak(round="R1"),
    ),
    "next_level": (lambda: playing().choose("next_level").yes(), c.NextLevel(round="R1", seen=1)),
    "previous_level": (
        lambda: playing().choose("next_level").yes().choose("previous_level").yes(),
        c.PreviousLevel(round="R1", seen=2),
    ),
    "hand_for_hand": (lambda: playing().choose("hand_for_hand").yes(), pc.HandForHand(round="R1", on=True)),
    "hand_for_hand_off": (hand_for_hand_off, pc.HandForHand(round="R1", on=False)),
    "balance": (balance, pc.Balance(round="R1", seen="000003")),
    "break_table": (
        lambda: playing().choose("break_table").take("2").yes(), pc.BreakTable(round="R1", table=2),
    ),
    "final_table": (lambda: playing().choose("final_table").yes(), pc.FinalTable(round="R1", seen=0)),
    "stacks": (
        lambda: playing().choose("stacks").turn_to("who:000002").dial(4500).turn_to("finish").yes(),
        c.Stacks(
            round="R1", table=1, stacks={"000001": 4000, "000002": 4500, "000003": 4000, "000004": 4000},
        ),
    ),
    "colour_up": (
        colour_up,
        pc.ColourUp(
            round="R1", table=1, denomination=25, to=100, holdings={"000001": {25: 3}, "000002": {25: 5}},
        ),
    ),
    "lock_seat": (
        lambda: playing().choose("lock_seat").take("1.9").yes(), pc.Lock(round="R1", on=True, seat=Seat(1, 9)),
    ),
    "unlock_seat": (
        lambda: unlocked().choose("unlock_seat").take("1.9").yes(), pc.Lock(round="R1", on=False, seat=Seat(1, 9)),
    ),
    "deposit": (
        lambda: playing().choose("deposit").take("000001").dial(150).yes(),
        c.Deposit(round="R1", participant="000001", amount=150, seen=100),
    ),
    "pay": (pay, c.Pay(round="R1", participant="000003", amount=150, seen=0)),
    "deal": (
        lambda: Desk(Evening().seated([1, 2, 3], **CASINO)).choose("deal").take("icm").turn_to("finish").yes(),
        pc.Deal(
            round="R1", kind="icm", consents=("000001", "000002", "000003"),
            stacks={"000001": 4000, "000002": 4000, "000003": 4000},
        ),
    ),
    "deal by hand": (
        deal_by_hand,
        pc.Deal(
            round="R1", kind="manual", consents=("000001", "000002", "000003"),
            stacks={"000001": 4000, "000002": 4000, "000003": 4000},
            amounts={"000001": 100, "000002": 100, "000003": 100},
        ),
    ),
    "register": (
        lambda: waiting().choose("register").take("000009").yes(),
        c.Register(round="R1", participant="000009", identity_checked=True),
    ),
    "register, elsewhere told": (
        lambda: waiting().choose("register").take("000009").turn_to("field:deposits_24h").dial(200).turn_to(
            "field:seat"
        ).take("1.5").yes(),
        c.Register(round="R1", participant="000009", identity_checked=True, deposits_24h=200, seat=Seat(1, 5)),
    ),
    "unregister": (
        lambda: waiting().choose("unregister").take("000002").yes(), c.Unregister(round="R1", participant="000002"),
    ),
    "open": (lambda: Desk(Evening().announce()).choose("open").yes(), c.Open(round="R1")),
    "start": (lambda: waiting().choose("start").yes(), c.Start(round="R1")),
    "cancel": (
        lambda: waiting().choose("cancel").take("said:7").yes(), c.Cancel(round="R1", reason="Málo hráčů"),
    ),
    "end_early": (
        end_early,
        c.EndEarly(
            round="R1", reason="Herna zavírá",
            stacks={number(n): 9000 if n == 1 else 4000 for n in range(1, 8)},
        ),
    ),
    "ruling": (
        ruling,
        pc.Ruling(
            round="R1", ruling="I-13", decision="Podle uvedeného postupu", reason="Rozhodnutí komisaře",
            table=1, hand=1,
        ),
    ),
    "undo": (lambda: bust().choose("undo").yes(), c.Undo(round="R1", of="c12")),
    "redo": (redo, c.Redo(round="R1", of="c12")),
}  # fmt: skip


@pytest.mark.parametrize("name", WALKS)
def test_every_action_comes_to_the_engine_by_up_down_and_enter(name: str) -> None:
    walk, command = WALKS[name]
    desk = walk()
    assert desk.sent[-1] == command
    assert desk.open.page == "done", desk.open.refusal


def test_every_action_is_walked_or_asks_the_device_itself() -> None:
    walked = {name.partition(",")[0].removesuffix(" by hand") for name in WALKS}
    assert walked == {action.id for action in ACTIONS if action.request is None}


def test_T_7_two_out_in_one_hand_are_entered_with_the_smaller_stack_first() -> None:
    desk = busts()
    assert len(desk.sent) == 1, "all of them are out by one command, or nobody"
    assert [each.participant for each in desk.evening.round.eliminations] == ["000003", "000002"]
    round = desk.evening.round
    assert [round.players[number(n)].status for n in (2, 3)] == [Status.OUT, Status.OUT]
    assert {place: who for place, who in desk.evening.places() if who in (2, 3)} == {6: 2, 7: 3}


def test_a_round_that_a_first_of_two_busts_would_end_takes_both_or_none() -> None:
    desk = Desk(Evening().seated([1, 2, 3]))
    desk.choose("busts")
    for who in ("000001", "000002", "000003"):
        desk.turn_to(f"who:{who}").dial(3000)
    desk.turn_to("finish").yes()
    assert desk.open.page == "refused"
    assert desk.sent == [] and desk.evening.round.phase is Phase.RUNNING


@pytest.mark.parametrize("name", WALKS)
def test_what_two_commissioners_confirm_at_once_is_done_once(name: str) -> None:
    """The second of two equal commands is refused or changes nothing. Two records of a ruling do nobody harm."""
    desk = WALKS[name][0]()
    once = msgspec.json.encode(desk.evening.round)
    refusal = desk.give(desk.sent[-1])
    if name != "ruling":
        assert refusal is not None or msgspec.json.encode(desk.evening.round) == once
