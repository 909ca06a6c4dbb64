"""A tap means what DESIGN §4 says, in every state of the evening."""

import pytest
from msgspec import structs
from msgspec.structs import replace as with_

from appliance.cards.outcome import MEANINGS, Accepted, Refusal, Refused, Tier
from appliance.display import prompt as show
from appliance.game.commands import (
    Deposit,
    Register,
    decode_command,
)
from appliance.game.round import INITIAL, decide, fold
from appliance.game.state import Phase
from appliance.taps import IDENTITY_CHECK_MS, PIN_MS, Now, Waiting, commissioner, top_up_left
from appliance.taps import tap as tapped

NOW = 1_800_000_000_000
ANNOUNCE = {
    "do": "announce", "round": "R1", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017",
    "deposit": 100, "shares": ["100"], "seats_per_table": 9, "levels": [{"sb": 25, "bb": 50, "ante": 0, "minutes": 15}],
    "seed": 7,
}  # fmt: skip


def played(*commands):
    ledger = INITIAL
    for n, fields in enumerate([ANNOUNCE, *commands]):
        events = decide(ledger, decode_command({"round": "R1", **fields}), NOW, str(n))
        assert isinstance(events, tuple), events
        for event in events:
            ledger = fold(ledger, event, NOW, str(n))
    return ledger.round


def registered(number):
    return {"do": "register", "participant": number, "identity_checked": True}


OPEN = played({"do": "open"}, registered("000101"))
EVENING = ({"do": "open"}, *map(registered, ("000101", "000102", "000103")), {"do": "start"})
RUNNING = played(*EVENING)
PLAYER = Accepted("04A1", "000199", "participant", Tier.GENUINE)
FLOOR = Accepted("04FF", "000001", "commissioner", Tier.GENUINE)


def tap(card, rounds, waiting, now, at=NOW):
    """``now``: monotonic ms; ``rounds``: one, several or none."""
    known = rounds if isinstance(rounds, list) else [rounds] if rounds else []
    return tapped(card, known, waiting, Now(at, now))


def of(number):
    return Accepted("04A1", number, "participant", Tier.GENUINE)


def test_T_2_before_the_start_a_participant_waits_for_the_identity_check():
    outcome = tap(PLAYER, OPEN, None, NOW)
    assert outcome.prompt == show.CheckIdentity("000199", 100) and outcome.ask is None
    assert outcome.waiting == Waiting("000199", "R1", NOW + IDENTITY_CHECK_MS)


def test_T_2_the_commissioners_card_tapped_next_confirms():
    waiting = tap(PLAYER, OPEN, None, NOW).waiting
    outcome = tap(FLOOR, OPEN, waiting, NOW + 5_000)
    assert outcome.ask.command == Register(round="R1", participant="000199", identity_checked=True)
    assert (outcome.ask.actor, outcome.prompt, outcome.waiting) == ("000001", show.Waiting("000199"), None)


def test_a_commissioners_card_confirms_nobody_who_waited_too_long_or_was_replaced():
    waiting = tap(PLAYER, OPEN, None, NOW).waiting
    late = tap(FLOOR, OPEN, waiting, NOW + IDENTITY_CHECK_MS + 1)
    assert late.ask is None and late.prompt == show.CommissionerAccepted("000001")
    next_one = tap(of("000198"), OPEN, waiting, NOW)
    assert next_one.waiting.participant == "000198"


def test_LG_6_every_refused_card_is_told_by_its_own_words_noted_and_ends_the_waiting():
    for code in set(Refusal) - {Refusal.UNREADABLE, Refusal.MALFORMED}:
        waiting = tap(PLAYER, OPEN, None, NOW).waiting
        outcome = tap(Refused(code, "04AA"), OPEN, waiting, NOW)
        assert outcome.prompt == show.CardRefused(code.value, MEANINGS[code].hand_in)
        assert (outcome.waiting, outcome.ask, outcome.refused.code) == (None, None, code)


@pytest.mark.parametrize("tier", [Tier.WEAK, Tier.UID])
def test_LG_6_a_card_that_may_be_a_copy_makes_the_identity_check_mandatory(tier):
    card = with_(PLAYER, tier=tier)
    outcome = tap(card, OPEN, None, NOW)
    assert outcome.prompt == show.CheckIdentity("000199", 100, weak=True) and outcome.ask is None
    seated = with_(card, participant="000101")
    assert tap(seated, RUNNING, None, NOW).prompt.weak and tap(seated, OPEN, None, NOW).prompt.weak


@pytest.mark.parametrize("tier", [Tier.WEAK, Tier.UID])
def test_a_commissioners_card_that_proves_too_little_asks_for_the_pin_and_confirms_nobody(tier):
    waiting = tap(PLAYER, OPEN, None, NOW).waiting
    outcome = tap(with_(FLOOR, tier=tier), OPEN, waiting, waiting.until - 1)
    assert (outcome.ask, outcome.pin, outcome.prompt) == (None, "000001", show.EnterPin("000001"))
    assert outcome.waiting == waiting._replace(until=waiting.until - 1 + PIN_MS), "who waits has the time of the PIN"
    right = commissioner("000001", outcome.waiting, Now(NOW, outcome.waiting.until))
    assert right.ask.command == Register(round="R1", participant="000199", identity_checked=True)


def test_a_pin_gives_no_second_life_to_who_waited_too_long():
    waiting = tap(PLAYER, OPEN, None, NOW).waiting
    outcome = tap(with_(FLOOR, tier=Tier.WEAK), OPEN, waiting, waiting.until + 1)
    assert outcome.waiting is None and outcome.pin


def test_T_3_the_deposit_is_raised_by_what_the_limit_leaves_and_only_in_play():
    assert top_up_left("000101", [RUNNING], Now(NOW, 0)) == ("R1", 400)
    assert top_up_left("000101", [OPEN], Now(NOW, 0)) is None and top_up_left("000999", [RUNNING], Now(NOW, 0)) is None
    waiting = Waiting("000101", "R1", NOW + 1, amount=120)
    outcome = tap(FLOOR, RUNNING, waiting, NOW)
    assert outcome.ask.command == Deposit(round="R1", participant="000101", amount=120)


def test_LG_6_an_unreadable_card_is_no_refused_card():
    outcome = tap(Refused(Refusal.UNREADABLE), OPEN, None, NOW)
    assert (outcome.prompt, outcome.refused) == (show.UnreadableCard(), None)


@pytest.mark.parametrize("code", list(Refusal))
def test_T_2_nobody_goes_on_waiting_behind_another_cards_answer(code):
    """The commissioner checks whom the screen shows; the next card, read or not, ends the check before it."""
    waiting = tap(PLAYER, OPEN, None, NOW).waiting
    between = tap(Refused(code, "04AA"), OPEN, waiting, NOW)
    assert tap(FLOOR, OPEN, between.waiting, NOW).ask is None


FULL = [*({"do": "register", "participant": f"{n:06}", "identity_checked": True} for n in range(201, 218))]


@pytest.mark.parametrize(
    ("round", "code"),
    [
        (lambda: played({"do": "open"}, *FULL), "round-full"),
        (lambda: played(*EVENING), "registration-closed"),
    ],
)
def test_nobody_is_asked_for_a_deposit_that_will_be_refused(round, code, monkeypatch):
    monkeypatch.setitem(ANNOUNCE, "capacity", 17)
    outcome = tap(PLAYER, round(), None, NOW)
    assert outcome.prompt.code == code and outcome.waiting is None


def test_T_3_nobody_is_asked_for_a_deposit_over_the_limit_of_the_evening(monkeypatch):
    next_door = played({"do": "open"}, registered("000199"))
    monkeypatch.setitem(ANNOUNCE, "deposit", 450)
    here = structs.replace(played({"do": "open"}), id="R2")
    outcome = tap(PLAYER, [here, next_door], None, NOW)
    assert outcome.prompt == show.AlreadyRegistered("000199"), "the card is about the round its owner is in"
    gone = structs.replace(next_door, phase=Phase.FINISHED, starts_at=next_door.starts_at - 30 * 3_600_000)
    outcome = tap(PLAYER, [here, gone], None, NOW)
    assert (outcome.prompt.code, outcome.prompt.detail["left"]) == ("deposit-limit", 400)


def test_one_who_is_registered_is_told_so_and_after_the_start_their_seat():
    assert tap(of("000101"), OPEN, None, NOW).prompt == show.AlreadyRegistered("000101")
    table, seat = RUNNING.players["000101"].seat
    assert tap(of("000101"), RUNNING, None, NOW).prompt == show.YourSeat("000101", table, seat)


def test_one_who_is_out_sees_their_place():
    busted = played(*EVENING, {"do": "bust", "participant": "000102"})
    assert tap(of("000102"), busted, None, NOW).prompt == show.YourResult("000102", 3, 0)


def test_LG_10_one_whose_participation_is_void_is_told_so():
    bust = {"do": "bust", "participant": "000102"}
    void = played(*EVENING, bust, {"do": "void", "participant": "000102", "reason": "another's card"})
    assert tap(of("000102"), void, None, NOW).prompt == show.Refused("already-void", participant="000102")


def test_the_winner_of_a_finished_round_sees_a_place_and_not_a_seat():
    over = played(*EVENING, {"do": "bust", "participant": "000102"}, {"do": "bust", "participant": "000101"})
    assert tap(of("000103"), over, None, NOW).prompt == show.YourResult("000103", 1, 300)


def test_nothing_to_register_for_is_another_evening():
    assert tap(PLAYER, None, None, NOW).prompt == show.WrongEvening()
    announced = played()
    assert tap(PLAYER, announced, None, NOW).prompt == show.WrongEvening(announced.starts_at)
    assert tap(PLAYER, played({"do": "cancel"}), None, NOW).prompt == show.WrongEvening()


def test_T_2_after_the_start_the_registration_is_closed_unless_late_entries_were_announced():
    assert tap(PLAYER, RUNNING, None, NOW).prompt.code == "registration-closed"
