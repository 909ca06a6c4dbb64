"""A kiosk's taps: light and sound, notes for the venue's stream, the PIN of a weak commissioner's card, the knob."""

import json

import pytest
from msgspec.structs import replace

from appliance import kinds, tapwork
from appliance.allowancenotes import AllowanceAsked
from appliance.cards.outcome import Accepted, Refusal, Refused, Tier
from appliance.cards.pin import Pins, hash_pin
from appliance.display import prompt as show
from appliance.game.commands import Deposit, Register
from appliance.game.roster import AllowanceGiven, AllowancePolicy, Roster, RosterEntry, fold_roster
from appliance.game.tokens import Spent, Token
from appliance.hw.panel import Signal
from appliance.link.envelope import Reply
from appliance.pinwork import PinWork
from appliance.taps import PIN_MS
from appliance.tapwork import TapWork
from tests.test_taps import NOW, OPEN, RUNNING

PIN = "482915"
HASH = hash_pin(PIN)
FLOOR = Accepted("04FF", "000001", "commissioner", Tier.GENUINE)
WEAK_FLOOR = replace(FLOOR, tier=Tier.WEAK)
PLAYER = Accepted("04A1", "000199", "participant", Tier.GENUINE)
SEATED = replace(PLAYER, participant="000101")


class FloorMenu:
    """Remembers who opened it, and with which card; what it is told while it is open, it takes."""

    def __init__(self):
        self.opened, self.heard, self.listens = [], [], False

    def open(self, who, card):
        self.opened.append((who, card))

    def takes(self, card):
        if self.listens:
            self.heard.append(card)
        return self.listens


class Counter:
    """A kiosk that remembers what was asked of it."""

    device = "door"
    table = None

    def __init__(self, round=OPEN, pin=HASH):
        self.rounds = (round,)
        entry = RosterEntry(participant="000001", state="active", cards=("04FF",), role="commissioner", pin=pin)
        self.roster = fold_roster(Roster(), entry)
        self.asked, self.notes, self.signals, self.slips = [], [], [], []
        self.prompt = None
        self.here = 0
        self.menu = FloorMenu()

    def now_ms(self):
        return NOW

    def ask_director(self, ask, meanwhile):
        self.asked.append(ask)
        self.prompt = meanwhile

    def note(self, note):
        self.notes.append(note)

    def say(self, prompt, seconds, expected=None):
        self.prompt = prompt

    def signal(self, signal):
        self.signals.append(signal)

    def floor_is_here(self):
        self.here += 1

    def seated(self, prompt):
        self.slips.append(prompt)


@pytest.fixture
def clock(monkeypatch):
    now = [50_000]
    monkeypatch.setattr(tapwork, "_mono_ms", lambda: now[0])
    return now


@pytest.fixture
def counter():
    return Counter()


@pytest.fixture
def work(counter, clock):
    return TapWork(counter, PinWork(Pins(lambda: clock[0] * 10**6)))


def typed(work, keys):
    for key in keys:
        assert work.asks_pin
        work.key(key)


@pytest.mark.parametrize(
    ("card", "signal"),
    [
        (PLAYER, Signal.ACCEPTED),
        (replace(PLAYER, tier=Tier.WEAK), Signal.WEAK),
        (Refused(Refusal.FORGED, "04A1", "000199"), Signal.REFUSED),
        (Refused(Refusal.LATER, "04A1", "000199"), Signal.AGAIN),
        (Refused(Refusal.UNREADABLE), Signal.AGAIN),
    ],
)
def test_every_verdict_has_its_light_and_sound(work, counter, card, signal):
    work.tap(card)
    assert counter.signals == [signal]


def test_LG_6_every_verdict_is_noted_but_that_on_a_card_that_was_not_read(work, counter):
    for card in (PLAYER, replace(PLAYER, tier=Tier.WEAK), Refused(Refusal.STOLEN, "04A1", "000199")):
        work.tap(card)
    work.tap(Refused(Refusal.UNREADABLE))
    assert counter.notes == [
        kinds.CardAccepted(device="door", uid="04A1", participant="000199", tier="genuine"),
        kinds.CardAccepted(device="door", uid="04A1", participant="000199", tier="weak"),
        kinds.CardRefused(device="door", reason="stolen", uid="04A1", participant="000199"),
    ]


def test_a_genuine_commissioners_card_confirms_at_once(work, counter):
    work.tap(PLAYER)
    work.tap(FLOOR)
    assert [ask.command for ask in counter.asked] == [Register(round="R1", participant="000199", identity_checked=True)]
    assert counter.here == 1


def test_a_weak_commissioners_card_confirms_with_the_pin_and_not_before(work, counter):
    work.tap(PLAYER)
    work.tap(WEAK_FLOOR)
    assert counter.asked == [] and counter.here == 0 and counter.prompt == show.EnterPin("000001", confirms="000199")
    typed(work, [*PIN, "return"])
    assert [ask.actor for ask in counter.asked] == ["000001"] and counter.here == 1
    assert kinds.PinChecked(device="door", participant="000001", answer="right") in counter.notes
    assert not work.asks_pin


def test_a_wrong_pin_confirms_nobody_is_noted_and_five_lock(work, counter):
    work.tap(PLAYER)
    work.tap(WEAK_FLOOR)
    for _ in range(4):
        typed(work, [*"000000", "return"])
    typed(work, [*"000000", "return"])
    assert counter.prompt == show.PinRefused("000001", "locked", 15) and counter.asked == []
    assert [note.answer for note in counter.notes if isinstance(note, kinds.PinChecked)] == ["wrong"] * 4 + ["locked"]
    work.tap(FLOOR)
    assert counter.asked == [], "nobody waits behind a PIN that failed"


def test_a_pin_not_typed_in_time_confirms_nobody_and_its_keys_are_no_pins_any_more(work, counter, clock):
    work.tap(PLAYER)
    work.tap(WEAK_FLOOR)
    typed(work, PIN)
    clock[0] += PIN_MS + 1
    work.tap(FLOOR)
    assert not work.asks_pin and work.waiting is None
    assert counter.asked == []


@pytest.mark.parametrize("card", [PLAYER, Refused(Refusal.UNREADABLE)])
def test_another_card_ends_the_pin(work, counter, card):
    work.tap(WEAK_FLOOR)
    typed(work, PIN)
    work.tap(card)
    assert not work.asks_pin


def test_a_commissioner_whose_pin_the_league_does_not_know_has_no_rights_with_a_weak_card(clock):
    counter = Counter(pin=None)
    work = TapWork(counter, PinWork(Pins()))
    work.tap(PLAYER)
    work.tap(WEAK_FLOOR)
    assert counter.prompt == show.PinRefused("000001", "none") and not work.asks_pin and work.waiting is None


def test_the_pin_is_in_no_note_and_in_no_prompt(work, counter):
    work.tap(WEAK_FLOOR)
    shown = []
    for key in (*PIN, "return"):
        work.key(key)
        shown.append(repr(counter.prompt))
    assert PIN not in "".join(shown) + repr(counter.notes) + repr(counter.asked)


def test_T_3_the_knob_raises_the_deposit_of_who_just_tapped_up_to_the_limit_and_the_commissioner_confirms(clock):
    counter = Counter(RUNNING)
    work = TapWork(counter, PinWork(Pins()))
    work.tap(SEATED)
    seat = counter.prompt
    assert counter.slips == [seat]
    work.turned(3)
    assert counter.prompt == show.TopUp("000101", 30, 1200, 400)
    work.turned(1000)
    assert counter.prompt.amount == 400
    work.turned(-1)
    assert counter.prompt.amount == 390
    work.tap(FLOOR)
    assert [ask.command for ask in counter.asked] == [Deposit(round="R1", participant="000101", amount=390)]
    reply = Reply("id", True, "round/R1", "1-0", 9, None)
    work.answered(counter.asked[0], reply)
    assert counter.prompt == show.ToppedUp("000101", 390, 15_600)


def test_the_knob_pushed_sets_the_amount_back_and_nobody_confirms_it(clock):
    counter = Counter(RUNNING)
    work = TapWork(counter, PinWork(Pins()))
    work.tap(SEATED)
    seat = counter.prompt
    work.turned(3)
    work.pushed(held=False)
    assert counter.prompt == seat and work.waiting is None
    work.tap(FLOOR)
    assert counter.asked == []


def test_T_3_the_knob_does_nothing_before_the_start_and_for_nobody(work, counter, clock):
    work.turned(5)
    work.tap(PLAYER)
    before = counter.prompt
    work.turned(5)
    assert counter.prompt == before == show.CheckIdentity("000199", 100)
    at_table = Counter(RUNNING)
    at_table.table = 1
    TapWork(at_table).turned(5)
    assert at_table.prompt is None


def test_notes_are_json_that_the_director_takes():
    note = kinds.PinChecked(device="door", participant="000001", answer="wrong")
    [(kind, raw)] = kinds.KINDS["venue"].decide({}, note, 1, "id")
    assert (kind, json.loads(raw)["answer"]) == ("pin-checked/1", "wrong")


def test_a_commissioner_for_whom_nobody_waits_opens_the_floor_menu(work, counter):
    work.tap(FLOOR)
    assert counter.menu.opened == [("000001", "04FF")] and counter.prompt is None
    assert counter.notes == [kinds.CardAccepted(device="door", uid="04FF", participant="000001", tier="genuine")], (
        "and the venue's stream says so"
    )


def test_a_weak_commissioners_card_opens_it_with_the_pin_and_not_before(work, counter):
    work.tap(WEAK_FLOOR)
    assert counter.menu.opened == []
    typed(work, [*"000000", "return"])
    assert counter.menu.opened == []
    typed(work, [*PIN, "return"])
    assert counter.menu.opened == [("000001", "04FF")]


def test_T_2_who_waits_is_confirmed_and_no_menu_opens(work, counter):
    work.tap(PLAYER)
    work.tap(FLOOR)
    assert len(counter.asked) == 1 and counter.menu.opened == []


@pytest.mark.parametrize("card", [PLAYER, Refused(Refusal.FORGED, "04FF", "000001"), WEAK_FLOOR])
def test_nobody_elses_card_opens_the_menu(work, counter, card):
    work.tap(card)
    assert counter.menu.opened == []


def test_a_card_that_the_open_menu_takes_leads_to_nothing_else_and_is_noted(work, counter):
    counter.menu.listens = True
    work.tap(PLAYER)
    assert counter.menu.heard == [PLAYER] and counter.prompt is None and work.waiting is None
    assert counter.signals == [Signal.ACCEPTED] and len(counter.notes) == 1


def test_T_3_who_has_no_allowance_here_is_refused_before_money_is_handed_over_and_the_league_is_asked(work, counter):
    counter.roster = fold_roster(counter.roster, AllowancePolicy(in_force=True))
    work.tap(PLAYER)
    assert counter.prompt == show.Refused(
        "deposit-limit", {"limit": 500, "left": None, "reason": "no-allowance", "participant": "000199"}, "000199"
    )
    assert AllowanceAsked(device="door", participant="000199", round=counter.rounds[0].id) in counter.notes
    token = Token(token="a", participant="000199", epoch="1-e", given=NOW, until=NOW + 3_600_000, left=500)
    counter.roster = fold_roster(counter.roster, AllowanceGiven(allowance=token))
    work.tap(PLAYER)
    assert isinstance(counter.prompt, show.CheckIdentity)
    spent = Spent(NOW - 1, 401, "elsewhere")
    counter.roster = fold_roster(counter.roster, AllowanceGiven(allowance=replace(token, token="b", deposits=(spent,))))
    work.tap(PLAYER)
    assert counter.prompt == show.Refused("deposit-limit", {"limit": 500, "left": 99}, "000199")
    assert sum(isinstance(note, AllowanceAsked) for note in counter.notes) == 1
