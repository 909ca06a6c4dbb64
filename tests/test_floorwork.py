"""The floor menu at one kiosk: who may open it, when it leaves, what is asked of the director, and how often."""

import pytest
from msgspec.structs import replace

from appliance import floorwork
from appliance.cards.outcome import Accepted, Refusal, Refused, Tier
from appliance.floor.catalogue import BY_ID, GROUPS
from appliance.floor.lines import Shown
from appliance.floor.said import say
from appliance.floorglance import DEAD_S, TWICE_S
from appliance.floorwork import ALOUD_S, DONE_S, IDLE_S, FloorWork
from appliance.game.commands import Bust
from appliance.game.refusal import Refusal as Because
from appliance.game.righttime import RIGHT
from appliance.game.roster import Roster, RosterEntry, fold_roster
from appliance.game.round import decide, fold
from appliance.game.state import Ledger
from appliance.hw.panel import Button, Signal
from appliance.i18n import Translator
from appliance.link.envelope import Refusal as Said
from appliance.link.envelope import Reply
from appliance.snapshot import Key
from tests.test_taps import NOW, RUNNING

FLOOR = Accepted("04FF", "000001", "commissioner", Tier.GENUINE)
OTHER = replace(FLOOR, uid="04FE", participant="000002")
PLAYER = Accepted("04A1", "000101", "participant", Tier.GENUINE)
EN = Translator("en")


def commissioner(number="000001", card="04FF", **more):
    return RosterEntry(participant=number, state="active", cards=(card,), role="commissioner", name="Jana Nová", **more)


class Direction:
    """Who directs; the test says what becomes of a takeover."""

    name = "director"
    possible = False
    hindrance = shut_out_by = ""
    cut_off = False
    unheard = ()

    def __init__(self):
        self.asked = []

    def take_over(self, by, told):
        self.asked.append((by, told))


class Lone:
    """What only an old director had; the test says what becomes of it."""

    def __init__(self):
        self.found, self.settled = (), []

    def open(self):
        return self.found

    def settle(self, command, who, accept, told):
        self.settled.append((command, who, accept, told))


class Admission:
    """Devices that ask to be let in; the test says what becomes of it."""

    def __init__(self):
        self.asking, self.adopted, self.taken, self.asked = (), (), (), []

    def adopt(self, key, code, role, table, who, told):
        self.asked.append((key, code, role, table, who, told))

    def drop(self, name, who, told):
        self.asked.append((name, who, told))


class Phonebook:
    """Phones that are signed in; the test says what becomes of one that is to be."""

    hindrance = ""

    def __init__(self):
        self.signed_in, self.pairing, self.asked, self.withdrawn = (), None, [], 0

    def sign_in(self, role, table, who, told):
        self.asked.append((role, table, who, told))

    def judge(self, yes, told):
        self.asked.append((yes, told))

    def withdraw(self):
        self.withdrawn += self.pairing is not None
        self.pairing = None

    def cut_off(self, session, who, told):
        self.asked.append((session, who, told))


class Kiosk:
    """A table's kiosk that remembers what was asked of it; the test answers."""

    table: int | None = 1
    has_director = True
    lang = "en"
    device = "table-1"
    times = RIGHT

    def __init__(self):
        self.notes = []
        self.rounds, self.copy = (RUNNING,), Ledger(RUNNING)
        self.direction, self.lone, self.admission, self.phonebook = Direction(), Lone(), Admission(), Phonebook()
        self.roster = fold_roster(Roster(), commissioner())
        self.sent, self.signals, self.refused, self.done_late = [], [], [], []
        self.page = None
        self.here = self.hands = 0
        self.seen_by = ""

    def now_ms(self):
        return NOW

    def fresh_id(self):
        return f"id-{len(self.sent) + 1}"

    def ledger(self, round):
        return self.copy

    def carry_out(self, number, command):
        """The own copy gets what the director did, under the command's id."""
        for event in decide(self.copy, command, NOW, number):
            self.copy = fold(self.copy, event, NOW, number)

    def called(self):
        return None

    def ask_venue(self, note, who, told):
        self.notes.append(note)
        told(None)

    def refused_hands(self):
        return self.hands

    def refused_seen(self, who):
        self.seen_by, self.hands = who, 0

    def command(self, number, command, actor, told):
        self.sent.append((number, command, actor, told))

    def show_menu(self, page):
        self.page = page

    def signal(self, signal):
        self.signals.append(signal)

    def floor_is_here(self):
        self.here += 1

    def refuse(self, refusal):
        self.refused.append(refusal.code)

    def done(self, what):
        self.done_late.append(say(what, EN))

    # -- what the test reads and does

    @property
    def shown(self) -> Shown:
        return self.page.page

    def lines(self) -> list[str]:
        return [say(line.text, EN) for line in self.shown.lines if line.item is not None]

    def stands_at(self) -> int:
        """The line the knob stands at, of those that can be chosen."""
        return [line.selected for line in self.shown.lines if line.item is not None].index(True)

    def read(self):
        """A page that came by itself is read before anything is pressed."""
        self.clock[0] += DEAD_S + 0.1

    def answer(self, code=None):
        number, _, _, told = self.sent[-1]
        told(Reply(number, ok=code is None, refusal=Said(code) if code else None))


@pytest.fixture
def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(floorwork, "_mono_s", lambda: now[0])
    return now


@pytest.fixture
def kiosk(clock):
    kiosk = Kiosk()
    kiosk.clock = clock
    return kiosk


@pytest.fixture
def work(kiosk, clock):
    work = FloorWork(kiosk)
    work.open("000001", "04FF")
    return work


def choose(work, kiosk, *texts):
    """Go down to each line and push."""
    for text in texts:
        kiosk.read()
        work.turned(kiosk.lines().index(text) - kiosk.stands_at())
        work.button(Button.SELECT, False)


def push(work, kiosk):
    """Push what is chosen, in no hurry."""
    kiosk.clock[0] += TWICE_S
    work.button(Button.SELECT, False)


def pause(work, kiosk):
    choose(work, kiosk, GROUPS["clock"], BY_ID["pause"].label)


def test_it_shows_whose_it_is_and_leaves_by_itself_when_nobody_touches_it(work, kiosk, clock):
    assert (kiosk.page.who, kiosk.page.top) == ("Jana N.", True)
    clock[0] += IDLE_S - 1
    work.tick()
    work.turned(1)
    assert work.due == clock[0] + IDLE_S
    clock[0] += 5
    work.press(Key("", menu=True))  # a finger beside everything
    assert work.due == clock[0] + IDLE_S
    clock[0] += IDLE_S - 0.1
    work.tick()
    assert work.is_open
    clock[0] += 0.1
    work.tick()
    assert not work.is_open and kiosk.page is None and work.due is None


def test_back_on_the_first_page_and_the_same_card_leave(work, kiosk):
    kiosk.read()
    assert work.button(Button.FLOOR, False) and kiosk.page is None
    work.open("000001", "04FF")
    assert work.takes(FLOOR) and kiosk.page is None
    work.open("000001", "04FF")
    kiosk.read()
    work.press(Key("escape", keyboard=True))
    assert kiosk.page is None and not work.button(Button.FLOOR, False), "the button calls the floor again"


def test_another_commissioners_card_is_answered_as_usual_and_the_menu_is_no_longer_the_firsts(work, kiosk):
    assert not work.takes(OTHER) and kiosk.page is None


def test_a_refused_card_ends_it_and_one_that_was_not_read_does_not(work, kiosk):
    assert work.takes(Refused(Refusal.UNREADABLE)) and kiosk.page is not None
    assert not work.takes(Refused(Refusal.STOLEN, "04FF", "000001")) and kiosk.page is None


def test_a_players_card_says_whom_it_is_about_at_a_table_and_is_answered_as_usual_at_a_door(work, kiosk):
    assert work.takes(PLAYER) and BY_ID["bust"].label in kiosk.lines()
    kiosk.table = None
    work.open("000001", "04FF")
    assert not work.takes(PLAYER) and kiosk.page is None


@pytest.mark.parametrize(
    "entry",
    [
        commissioner(card="04AA"),
        RosterEntry(participant="000001", state="blocked", cards=("04FF",), role="commissioner"),
        RosterEntry(participant="000001", state="active", cards=("04FF",), role="participant"),
        RosterEntry(participant="000001", state="active", revoked=("04FF",), role="commissioner"),
    ],
)
def test_LG_6_it_closes_when_the_league_withdraws_the_person_or_the_card(work, kiosk, entry):
    kiosk.roster = fold_roster(kiosk.roster, entry)
    work.changed()
    assert not work.is_open and kiosk.page is None


def test_a_player_is_put_out_by_knob_alone_and_the_commissioner_stands_for_it(work, kiosk):
    choose(work, kiosk, GROUPS["players"], BY_ID["bust"].label)
    push(work, kiosk)
    push(work, kiosk)
    assert kiosk.shown.busy
    (_, command, actor, _) = kiosk.sent[0]
    assert isinstance(command, Bust) and actor == "000001"
    kiosk.answer()
    assert kiosk.shown.good and kiosk.signals == [Signal.ACCEPTED]


def test_keys_of_the_dealer_are_none_of_the_menus_and_the_menus_are_nothing_without_it(work, kiosk):
    before = kiosk.page
    kiosk.read()
    work.press(Key("fold"))
    assert kiosk.page == before
    work.press(Key("item:0", menu=True))
    assert kiosk.page != before
    work.close()
    work.press(Key("item:0", menu=True))
    assert kiosk.page is None and not kiosk.sent


def test_the_time_button_stays_the_tables(work):
    assert not work.button(Button.TIME, False) and work.is_open


def test_without_a_director_it_says_so_and_sends_nothing(work, kiosk):
    kiosk.has_director = False
    work.changed()
    pause(work, kiosk)
    assert not kiosk.sent and say(kiosk.shown.hint, EN) == "The director does not answer."


def put_out(work, kiosk):
    choose(work, kiosk, GROUPS["players"], BY_ID["bust"].label)
    push(work, kiosk)
    push(work, kiosk)


def test_what_was_done_is_seen_for_three_seconds_and_at_once_where_the_screen_below_shows_it(work, kiosk, clock):
    put_out(work, kiosk)
    kiosk.answer()
    assert kiosk.shown.good and work.due == clock[0] + DONE_S
    clock[0] += DONE_S
    work.tick()
    assert not work.is_open
    for label in (BY_ID["pause"].label, BY_ID["next_hand"].label):
        work.open("000001", "04FF")
        choose(work, kiosk, GROUPS["clock"], label)
        assert kiosk.shown.busy
        kiosk.answer()
        assert not work.is_open, label


def test_a_time_call_at_this_table_is_seen_at_once(work, kiosk):
    choose(work, kiosk, GROUPS["clock"], BY_ID["time_call"].label)
    push(work, kiosk)
    kiosk.carry_out(*kiosk.sent[-1][:2])
    kiosk.answer()
    assert not work.is_open


def test_a_door_does_not_show_a_tables_hand_and_says_that_it_began(work, kiosk):
    kiosk.table = None
    work.open("000001", "04FF")
    choose(work, kiosk, GROUPS["clock"], BY_ID["next_hand"].label)
    while not kiosk.shown.busy:
        push(work, kiosk)
    kiosk.answer()
    assert kiosk.shown.good


def test_I_13_a_page_that_is_read_out_waits_until_it_is_left(work, kiosk, clock):
    choose(work, kiosk, GROUPS["ruling"])
    while not kiosk.shown.aloud:
        push(work, kiosk)
    assert work.due == clock[0] + ALOUD_S
    while not kiosk.shown.busy:
        push(work, kiosk)
    kiosk.answer()
    assert kiosk.shown.good and kiosk.shown.aloud and work.due == clock[0] + ALOUD_S
    kiosk.read()
    work.button(Button.SELECT, False)
    assert not work.is_open


def test_the_floor_says_that_it_has_seen_to_hands_that_were_refused(work, kiosk):
    label = BY_ID["refused_seen"].label
    choose(work, kiosk, GROUPS["tables"])
    assert label not in kiosk.lines()
    kiosk.hands = 2
    work.changed()
    assert kiosk.lines()[0] == label
    kiosk.read()
    work.turned(-1)  # the cursor stayed with its line
    push(work, kiosk)
    assert (kiosk.seen_by, kiosk.sent, work.is_open) == ("000001", [], False)


def test_a_takeover_is_confirmed_and_its_result_is_shown(kiosk, work):
    kiosk.has_director, kiosk.direction.name, kiosk.direction.possible = False, "", True
    work.changed()
    kiosk.read()
    takeover = next(i for i, text in enumerate(kiosk.lines()) if text == "Takeover")
    for keys in ([f"item:{takeover}"], ["up"], ["enter"]):
        work._press(keys, None)
        kiosk.read()
    assert kiosk.shown.busy and "other tables" in say(kiosk.shown.question, EN)
    [(by, told)] = kiosk.direction.asked
    assert by == "000001"
    told(None)
    assert kiosk.shown.good and kiosk.signals == [Signal.ACCEPTED]
    assert "directs the venue" in say(kiosk.shown.lines[0].text, EN)
    assert "No answer" not in say(kiosk.shown.lines[1].text, EN)
    kiosk.direction.unheard = ("door", "table-2")
    work.changed()
    assert "No answer from door, table-2" in say(kiosk.shown.lines[1].text, EN)


def test_a_takeover_that_fails_says_why(kiosk, work):
    kiosk.has_director, kiosk.direction.name, kiosk.direction.possible = False, "", True
    kiosk.direction.take_over = lambda by, told: told(Because("another-directs", {"device": "table-2"}))
    work.changed()
    kiosk.read()
    takeover = next(i for i, text in enumerate(kiosk.lines()) if text == "Takeover")
    for keys in ([f"item:{takeover}"], ["up"], ["enter"]):
        work._press(keys, None)
        kiosk.read()
    assert kiosk.shown.good is False and "table-2" in say(kiosk.shown.hint, EN)


def test_who_takes_over_from_a_director_that_answers_says_so_twice(kiosk, work):
    kiosk.direction.possible = True
    work.changed()
    kiosk.read()
    takeover = next(i for i, text in enumerate(kiosk.lines()) if text == "Takeover")
    work._press([f"item:{takeover}"], None)
    assert say(kiosk.shown.lines[0].text, EN) == "director directs the venue."
    kiosk.read()
    work._press(["enter"], None)
    kiosk.read()
    assert "instead of director" in say(kiosk.shown.question, EN)
    work._press(["enter"], None)
    assert kiosk.direction.asked == [], "the confirming page stands at the way back"
