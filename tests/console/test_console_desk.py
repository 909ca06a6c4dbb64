"""The console in the director's engine thread: what is asked of it, by whom, and who hears what."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from appliance import kinds, phonenotes
from appliance.console.asked import Answered
from appliance.console.desk import ConsoleDesk, Floor
from appliance.console.sighting import Around, Maker
from appliance.console.signedin import EVENING_MS, MOST_PHONES, Records
from appliance.console.way import Claimed, Pressed, Served, Wanted, Way
from appliance.engine import Engine, Order
from appliance.game.righttime import RIGHT
from appliance.game.roster import Roster, RosterEntry, fold_roster
from appliance.journal import Journal
from appliance.link import envelope
from appliance.link.envelope import CommandMessage, PadKeys, Phones, Refusal, Reply, Spares
from appliance.phone import Phone
from appliance.phonekey import seal
from appliance.phonenotes import ConfirmPhone, CutOffPhone, PairPhone, PhonePaired
from appliance.record import uuid7

NOW, BY, NONCE = 1_800_000_000_000, "000001", bytes(16)


def new_id() -> str:
    return uuid7(NOW, os.urandom(10))


class Director:
    """Remembers what the desk asks of it; what it orders is written at once, unless the disk is full."""

    def __init__(self, folder: Path, journal: Journal, *, console: bool = True) -> None:
        self.now, self.ready, self.disk_full = NOW, True, False
        self.engine = Engine(journal, kinds.KINDS, lambda: self.now)
        self.there, self.places = ["door"], {1: "table-1"}
        self.copied = True
        self.replies: list[tuple[str, Reply]] = []
        self.shown: dict[str, Phones] = {}
        self.pressed: list[tuple[str, PadKeys]] = []
        self.commands: list[tuple[CommandMessage, Phone]] = []
        self.roster = fold_roster(Roster(), RosterEntry(participant=BY, state="active", role="commissioner"))
        self.roster = fold_roster(self.roster, RosterEntry(participant="000101", state="active", role="participant"))
        self.way = Way(folder, lambda: self.now) if console else None
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        around = Around(
            times=lambda: RIGHT, ledgers=dict, devices=lambda: self.there, places=lambda: self.places, spares=Spares,
            holders=lambda stream, epoch, seq: self.there if self.copied else [], alone=lambda: False,
            now_ms=lambda: self.now,
        )  # fmt: skip
        records = Records(
            "brno", lambda: {"door", "table-1"}, lambda: self.roster, lambda: self.engine.state("venue/brno"),
            self.engine.answered, lambda: self.now,
        )  # fmt: skip
        floor = Floor(
            command=self.command, order=self.order, reply=self.reply, show=self.shown.__setitem__,
            press=self._press, ready=lambda: self.ready,
            records=records, around=around, addresses=lambda: ["10.0.0.5"],
        )  # fmt: skip
        self.desk = ConsoleDesk(self.way, floor, Maker(self.engine, "brno", around))
        self.desk.takes(Served(8090, secure=False))
        self.desk.tick()

    def command(self, message: CommandMessage, phone: Phone) -> None:
        self.commands.append((message, phone))
        self.desk.command(message, phone)

    def order(self, message: CommandMessage, order: Order) -> None:
        if self.disk_full:
            self.desk.refused(order)
            self.reply(message.device, Reply(message.id, ok=False, refusal=Refusal("storage")))
            return
        [told] = self.engine.execute([order])
        answer = told.answer
        self.reply(message.device, Reply(message.id, answer.ok, answer.stream, answer.epoch, answer.seq))

    def reply(self, device: str, reply: Reply) -> None:
        if not self.desk.answer(device, reply):
            self.replies.append((device, reply))

    # -- what people do ------------------------------------------------------------------------------------

    def asks(self, want: Any, *, device: str = "door", actor: str = "", id: str = "") -> str:
        """The refusal's code, empty where it is done."""
        body = msgspec.Raw(msgspec.json.encode(want))
        number = id or new_id()
        assert self.desk.command(CommandMessage(number, device, actor or want.by, "venue", 5000, body))
        self.desk.tick()
        told, reply = self.replies[-1]
        assert told == device and reply.id == number
        return reply.refusal.code if reply.refusal else ""

    def want(self, role: str = "commissioner", table: int | None = None, **fields: Any) -> PairPhone:
        self.key, session = os.urandom(32), os.urandom(8).hex()
        box = seal(self.key, session, self.desk._signed_in.seal)  # type: ignore[union-attr]
        return PairPhone(**{"session": session, "role": role, "table": table, "box": box, "by": BY, **fields})

    def claims(self, session: str, nonce: bytes = NONCE, agent: str = "Pixel") -> str | None:
        codes: list[str | None] = []
        self.desk.takes(Claimed(session, nonce, agent, codes.append))
        self.desk.tick()
        return codes[0]

    def paired(self, role: str = "commissioner", table: int | None = None) -> Phone:
        want = self.want(role, table)
        assert self.asks(want) == "" and self.claims(want.session)
        assert self.asks(ConfirmPhone(session=want.session, yes=True, by=BY)) == ""
        phone = self.phone(want.session)
        assert phone is not None
        return phone

    def phone(self, session: str) -> Phone | None:
        assert self.way is not None
        return self.way.phone(session)

    def gives(self, phone: Phone, body: Any, *, id: str = "", round: str = "venue") -> list[Answered]:
        told: list[Answered] = []
        actor = phone.who if phone.role == "commissioner" else "dealer"
        raw = msgspec.Raw(msgspec.json.encode(body))
        message = CommandMessage(id or new_id(), phone.device, actor, round, 5000, raw)
        self.desk.takes(Wanted(phone.session, message, told.append))
        self.desk.tick()
        return told

    def _press(self, device: str, keys: PadKeys) -> None:
        envelope.encode(keys)  # as it goes out
        self.pressed.append((device, keys))

    def presses(self, phone: Phone, table: int, seen: str = "") -> tuple[str, list[Answered]]:
        told: list[Answered] = []
        number = new_id()
        self.desk.takes(Pressed(phone.session, PadKeys(number, table, phone.device, "fold", seen), told.append))
        return number, told


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Director]:
    journals: list[Journal] = []

    def made(**options: Any) -> Director:
        journals.append(Journal(tmp_path / "journal", device="director"))
        return Director(tmp_path, journals[-1], **options)

    return made


@pytest.fixture
def director(make: Callable[..., Director]) -> Director:
    return make()


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    at = time.monotonic() + seconds
    monkeypatch.setattr(time, "monotonic", lambda: at)


def refusal(told: list[Answered]) -> str:
    [answered] = told
    assert answered.refusal is not None
    return answered.refusal.code


def test_kiosks_hear_where_the_console_is_and_what_to_seal_keys_to(director: Director) -> None:
    shown = director.shown["door"]
    assert shown.url == "http://10.0.0.5:8090/" and len(shown.seal) == 64
    director.desk.takes(Served(443, secure=True))
    director.desk.tick()
    assert director.shown["door"].url == "https://10.0.0.5:443/"
    director.desk.takes(Served(0, secure=False))
    director.desk.tick()
    assert director.shown["door"] == Phones()
    assert director.asks(director.want()) == "no-console"


def test_without_a_console_kiosks_hear_so(make: Callable[..., Director]) -> None:
    director = make(console=False)
    director.desk.greet("door")
    assert director.shown["door"] == Phones()
    want = PairPhone(session="a" * 16, role="commissioner", box="0" * 160, by=BY)
    body = msgspec.Raw(msgspec.json.encode(want))
    assert director.desk.command(CommandMessage(new_id(), "door", BY, "venue", 5000, body))
    assert director.replies[-1][1].refusal == Refusal("no-console")
    assert director.desk.due is None


def test_a_phone_is_signed_in_for_the_evening(director: Director) -> None:
    phone = director.paired()
    assert (phone.who, phone.by, phone.role, phone.until_ms - phone.since_ms) == (
        BY,
        "door",
        "commissioner",
        EVENING_MS,
    )
    assert [each.session for each in director.shown["door"].phones] == [phone.session]
    director.now += EVENING_MS
    assert director.phone(phone.session) is None, "to the moment, whether or not anything happens"
    director.desk.tick()
    assert director.way is not None and director.way.standing(phone.session) == "expired"
    assert director.way.sight.phones == () and director.shown["door"].phones == ()


@pytest.mark.parametrize(
    ("fields", "message", "code"),
    [
        ({}, {"device": "stranger"}, "unknown-device"),
        ({}, {"actor": "000101"}, "not-authorised"),
        ({"by": "000101"}, {}, "not-authorised"),
        ({"by": "999999"}, {}, "not-authorised"),
        ({"role": "dealer"}, {}, "bad-command"),
        ({"table": 1}, {}, "bad-command"),
        ({"box": "00" * 80}, {}, "stale"),
        ({}, {"id": "no-uuid"}, "bad-command"),
    ],
)
def test_a_wish_that_is_not_a_commissioners_at_a_kiosk_is_refused(
    director: Director, fields: dict[str, Any], message: dict[str, str], code: str
) -> None:
    want = director.want(**fields)
    assert director.asks(want, **message) == code
    assert director.claims(want.session) is None and director.way is not None and director.way.key(want.session) is None


def test_a_wish_that_comes_again_is_answered_as_before(director: Director) -> None:
    want, number = director.want(), new_id()
    assert director.asks(want, id=number) == "" and director.asks(want, id=number) == ""
    director.claims(want.session)
    confirm = ConfirmPhone(session=want.session, yes=True, by=BY)
    number = new_id()
    assert director.asks(confirm, id=number) == "" and director.asks(confirm, id=number) == ""
    assert director.asks(confirm) == "phone-gone"
    notes = director.engine.state("venue/brno").values()
    assert sum(isinstance(note, PhonePaired) for note in notes) == 1


def test_a_confirmation_that_comes_again_after_a_restart_is_answered_as_before(make: Callable[..., Director]) -> None:
    director, number = make(), new_id()
    want = director.want()
    director.asks(want)
    director.claims(want.session)
    assert director.asks(ConfirmPhone(session=want.session, yes=True, by=BY), id=number) == ""
    director.engine.journal.close()
    again = make()
    assert again.phone(want.session) is not None
    assert again.asks(ConfirmPhone(session=want.session, yes=True, by=BY), id=number) == ""


def test_who_takes_over_has_no_keys_and_shows_phones_as_signed_in_elsewhere(
    make: Callable[..., Director], tmp_path: Path
) -> None:
    director = make()
    phone = director.paired()
    director.engine.journal.close()
    (tmp_path / "phones.json").unlink()
    again = make()
    assert again.phone(phone.session) is None and again.way is not None and again.way.key(phone.session) is None
    again.desk.tick()
    assert [(each.session, each.here) for each in again.way.sight.phones] == [(phone.session, False)]
    assert refusal(again.gives(phone, {"do": "pause"})) == "phone-gone"


def test_nobody_hears_that_they_are_signed_in_before_it_is_written(director: Director) -> None:
    want = director.want()
    director.asks(want)
    director.claims(want.session)
    waiting: list[Order] = []
    director.desk._floor = director.desk._floor._replace(order=lambda message, order: waiting.append(order))
    body = msgspec.Raw(msgspec.json.encode(ConfirmPhone(session=want.session, yes=True, by=BY)))
    director.desk.command(CommandMessage(new_id(), "door", BY, "venue", 5000, body))
    assert director.way is not None and director.way.standing(want.session) == "claimed"
    director.engine.execute(waiting)
    director.desk.tick()
    assert director.way.standing(want.session) == "confirmed" and director.phone(want.session) is not None


def test_nobody_is_signed_in_where_the_disk_would_not_have_it(director: Director) -> None:
    want = director.want()
    director.asks(want)
    director.claims(want.session)
    director.disk_full = True
    assert director.asks(ConfirmPhone(session=want.session, yes=True, by=BY)) == "storage"
    assert director.phone(want.session) is None and director.way is not None
    assert director.way.standing(want.session) == "expired"


def test_who_could_not_be_cut_off_stays(director: Director) -> None:
    phone = director.paired()
    director.disk_full = True
    assert director.asks(CutOffPhone(session=phone.session, by=BY)) == "storage"
    assert director.phone(phone.session) is not None
    director.disk_full = False
    assert director.asks(CutOffPhone(session=phone.session, by=BY)) == ""
    assert director.phone(phone.session) is None


def test_a_commissioner_that_is_none_any_more_has_no_phone_at_once(director: Director) -> None:
    phone, dealer = director.paired(), director.paired("dealer", 1)
    director.roster = fold_roster(director.roster, RosterEntry(participant=BY, state="blocked", role="commissioner"))
    director.desk.tick()
    assert director.phone(phone.session) is director.phone(dealer.session) is None
    assert director.way is not None and director.way.sight.phones == ()
    assert refusal(director.gives(phone, {"do": "pause"})) == "phone-gone"


def test_a_command_in_the_same_breath_as_its_phone_is_cut_off_is_too_late(director: Director) -> None:
    phone = director.paired()
    waiting: list[tuple[CommandMessage, Order]] = []
    director.desk._floor = director.desk._floor._replace(order=lambda message, order: waiting.append((message, order)))
    body = msgspec.Raw(msgspec.json.encode(CutOffPhone(session=phone.session, by=BY)))
    director.desk.command(CommandMessage(new_id(), "door", BY, "venue", 5000, body))
    assert waiting and director.phone(phone.session) is None
    assert director.way is not None and director.way.standing(phone.session) == "cut-off", "not that it is over"
    assert refusal(director.gives(phone, {"do": "pause"})) == "phone-gone"


def test_what_a_phone_gives_is_handed_on_as_its_own(director: Director) -> None:
    phone = director.paired()
    assert director.gives(phone, {"do": "pause"}, round="R1") == []
    [(message, given_by)] = director.commands
    assert (message.device, message.actor, given_by) == (phone.device, BY, phone)


def test_a_phone_cannot_speak_as_another(director: Director) -> None:
    phone, other = director.paired(), director.paired()
    forged = msgspec.structs.replace(phone, session=other.session)
    told: list[Answered] = []
    message = CommandMessage(new_id(), phone.device, BY, "R1", 5000, msgspec.Raw(b"{}"))
    director.desk.takes(Wanted(forged.session, message, told.append))
    director.desk.tick()
    assert refusal(told) == "phone-gone" and director.commands == []


def test_a_command_that_comes_again_while_it_waits_is_given_once_and_answered_twice(director: Director) -> None:
    phone, number = director.paired(), new_id()
    first = director.gives(phone, {"do": "pause"}, id=number, round="R1")
    second = director.gives(phone, {"do": "pause"}, id=number, round="R1")
    assert len(director.commands) == 1
    director.reply(phone.device, Reply(number, ok=False, refusal=Refusal("not-running")))
    director.desk.tick()
    assert first == second == [Answered(False, Refusal("not-running"))]


def test_an_answer_waits_for_a_second_disk_and_says_so_where_it_does_not_come(
    director: Director, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = director.paired()
    director.copied = False
    for wait in (True, False):
        number = new_id()
        told = director.gives(phone, {"do": "pause"}, id=number, round="R1")
        director.reply(phone.device, Reply(number, True, "round/R1", "1-00c0ffee00c0ffee", 7))
        director.desk.tick()
        assert told == [] and director.desk.due is not None
        director.copied = wait
        if not wait:
            later(monkeypatch, 2)
        director.desk.tick()
        assert told == [Answered(True, None, copied=wait)]
        director.copied = False


def test_with_nobody_else_there_an_answer_waits_for_nobody(director: Director) -> None:
    phone = director.paired()
    director.there, director.copied = [], False
    number = new_id()
    told = director.gives(phone, {"do": "pause"}, id=number, round="R1")
    director.reply(phone.device, Reply(number, True, "round/R1", "1-00c0ffee00c0ffee", 7))
    director.desk.tick()
    assert told == [Answered(True, None, copied=False)]


def test_while_devices_are_asked_what_they_have_nothing_is_carried_out(director: Director) -> None:
    phone = director.paired()
    director.ready = False
    assert refusal(director.gives(phone, {"do": "pause"}, round="R1")) == "not-directing"
    assert refusal(director.presses(phone, 1)[1]) == "not-directing"
    assert director.commands == [] and director.pressed == []


def test_who_waits_when_the_director_ends_hears_so(director: Director) -> None:
    phone = director.paired()
    waits = director.gives(phone, {"do": "pause"}, round="R1")
    late: list[Answered] = []
    message = CommandMessage(new_id(), phone.device, BY, "R1", 5000, msgspec.Raw(b"{}"))
    director.inbox.put(Wanted(phone.session, message, late.append))
    director.inbox.put("another's")
    director.desk.close(director.inbox)
    assert refusal(waits) == refusal(late) == "not-directing"
    assert director.inbox.get_nowait() == "another's" and director.inbox.empty()
    assert director.phone(phone.session) is None


def test_a_dealer_signs_out_and_cuts_nobody_else_off(director: Director) -> None:
    phone, other = director.paired("dealer", 1), director.paired()
    cut = CutOffPhone(session=other.session, by="dealer")
    assert refusal(director.gives(phone, cut)) == "not-authorised"
    assert refusal(director.gives(phone, CutOffPhone(session=other.session, by=BY))) == "not-authorised"
    assert refusal(director.gives(phone, director.want())) == "not-authorised"
    assert director.gives(phone, CutOffPhone(session=phone.session, by="dealer"))[0].ok
    assert director.phone(phone.session) is None and director.phone(other.session) is not None


def test_a_commissioners_phone_cuts_others_off_and_signs_none_in(director: Director) -> None:
    phone, other = director.paired(), director.paired("dealer", 1)
    assert refusal(director.gives(phone, director.want())) == "not-authorised"
    assert director.gives(phone, CutOffPhone(session=other.session, by=BY))[0].ok
    assert director.phone(other.session) is None


def test_kiosks_hear_now_and_then_when_a_phone_was_seen_last(
    director: Director, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = director.paired()
    assert director.way is not None and director.way.take(phone.session, 1)
    director.desk.tick()
    assert director.shown["door"].phones[0].seen == 0
    later(monkeypatch, 11)
    director.desk.tick()
    assert director.shown["door"].phones[0].seen == NOW // 60_000 * 60_000


def test_so_many_phones_are_signed_in_at_a_time(director: Director, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.console.signedin.MOST_PHONES", 2)
    director.paired()
    director.paired()
    assert director.asks(director.want()) == "too-many-phones" and MOST_PHONES == 100


def test_former_evenings_phones_are_forgotten_when_another_is_signed_in(director: Director) -> None:
    old = director.paired()
    director.now += EVENING_MS + 1
    director.desk.tick()
    new = director.paired()
    notes = director.engine.state("venue/brno")
    assert f"phone {old.session}" not in notes and f"phone {new.session}" in notes
    assert [each.session for each in phonenotes.phones(notes, director.now)] == [new.session]
