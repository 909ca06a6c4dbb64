"""What the director does with a commissioner's word that a device be let in: who may say so, and of which table."""

from __future__ import annotations

import queue
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from appliance import certificates
from appliance.adopt import Adopt
from appliance.adoption_desk import Asking, Known
from appliance.adoption_spare import Pending
from appliance.config import Config, Device, Lan, Venue, load, with_adopted
from appliance.engine import Order
from appliance.game.refusal import Refusal
from appliance.game.roster import Roster, RosterEntry, fold_roster
from appliance.kinds import DeviceAdopted
from appliance.link.client import Endpoint
from appliance.link.envelope import CommandMessage, Reply, Spares
from appliance.members import Member, Members
from appliance.newcomers import STARTS_S, Decided, Floor, Newcomers, NowAsking
from appliance.newcomersite import answer, begin_anew, give_up, keep_pending, kept_pending, write
from appliance.record import uuid7
from appliance.workplace import FIRST_MEMBERS, Workplace
from tests.test_settling import number

KEY, ID = "ab" * 32, uuid7(1_800_000_000_000, bytes(10))
WANT = Adopt(device="spare-1a2b3c", key=KEY, code="47129355", role="table", table=2, by="000001")
NOTE = DeviceAdopted(device=WANT.device, key=KEY, role="table", table=2, by="000001")


class Director:
    """Remembers what the window for newcomers asks of it. Its thread is not started: a test says what it tells."""

    def __init__(self, folder: Path) -> None:
        config = Config(venue=Venue(id="brno"), device=Device(name="director", data=str(folder)), lan=Lan())
        self.place = Workplace(config)
        self.place.members = Members([
            Member(name="floor", key="cd" * 32), Member(name="table-2", key="ef" * 32, role="table", table=2),
        ])  # fmt: skip
        self.replies: list[Reply] = []
        self.orders: list[Order] = []
        self.shown: list[tuple[str, Spares]] = []
        self.there: list[str] = ["floor"]
        self.copied = True
        self.tables: dict[int, str] = {2: "table-2"}
        floor = Floor(
            lambda device, reply: self.replies.append(reply), lambda message, order: self.orders.append(order),
            lambda device, spares: self.shown.append((device, spares)), lambda: self.there, lambda: self.tables,
            lambda table: table == 2, lambda: self.copied,
        )  # fmt: skip
        self.roster = fold_roster(Roster(), RosterEntry(participant="000001", state="active", role="commissioner"))
        self.newcomers = Newcomers(self.place, Endpoint("127.0.0.1", 1), queue.SimpleQueue(), floor)

    def ask(self, want: Adopt = WANT, **message: Any) -> bool:
        fields = {"id": ID, "device": "floor", "actor": want.by, "round": "venue", "ttl_ms": 5000, **message}
        return self.newcomers.command(
            CommandMessage(body=msgspec.Raw(msgspec.json.encode(want)), **fields), self.roster
        )

    @property
    def code(self) -> str:
        """Why the last command was refused."""
        refusal = self.replies[-1].refusal
        return refusal.code if refusal else ""


@pytest.fixture
def director(tmp_path: Path) -> Director:
    return Director(tmp_path)


def test_a_commissioner_is_carried_out_once_the_device_has_proved_the_code(director: Director) -> None:
    assert director.ask() and director.orders == director.replies == []
    assert director.newcomers.takes(Decided(ID, NOTE))
    [order] = director.orders
    assert (order.id, order.stream, order.command) == (ID, "venue/brno", NOTE)
    director.ask()
    assert [each.id for each in director.orders] == [ID, ID], "the engine answers the same command as before"


def test_a_refusal_is_the_same_when_the_command_comes_again(director: Director) -> None:
    director.ask()
    director.newcomers.takes(Decided(ID, Refusal("wrong-code", {"left": 2})))
    director.ask()
    assert [each.refusal.code for each in director.replies if each.refusal] == ["wrong-code", "wrong-code"]


@pytest.mark.parametrize(
    ("want", "message", "code"),
    [
        ({"by": "000002"}, {}, "not-authorised"),
        ({}, {"actor": "000002"}, "not-authorised"),
        ({}, {"device": "stranger"}, "unknown-device"),
        ({}, {"id": "x"}, "bad-command"),
        ({"table": None}, {}, "bad-command"),
        ({"role": "door"}, {}, "bad-command"),
    ],
)
def test_nobody_else_lets_a_device_in(
    director: Director, want: dict[str, Any], message: dict[str, Any], code: str
) -> None:
    assert director.ask(msgspec.structs.replace(WANT, **want), **message)
    assert director.code == code and director.orders == []


def test_a_table_whose_device_is_there_is_not_given_away(director: Director) -> None:
    director.there.append("table-2")
    director.ask()
    assert director.code == "table-taken"
    director.ask(msgspec.structs.replace(WANT, table=3), id=uuid7(1_800_000_000_001, bytes(10)))
    assert len(director.replies) == 1, "a free one is"


OTHER = msgspec.structs.replace(WANT, device="spare-4d5e6f", key="12" * 32)


def let_in(director: Director, want: Adopt, of: str) -> None:
    """The window tells that the device has proved its code."""
    note = msgspec.structs.replace(NOTE, device=want.device, key=want.key, table=want.table)
    director.newcomers.takes(Decided(of, note))


def test_of_two_devices_let_in_as_one_table_at_once_the_second_is_refused(director: Director) -> None:
    director.ask(id=number(1))
    director.ask(OTHER, id=number(2))
    assert director.replies == [], "nobody is there yet"
    let_in(director, OTHER, number(2))
    let_in(director, WANT, number(1))
    assert [order.id for order in director.orders] == [number(2)] and director.code == "table-taken"


def test_a_device_that_starts_anew_as_a_table_counts_as_there(
    director: Director, monkeypatch: pytest.MonkeyPatch
) -> None:
    director.ask(id=number(1))
    let_in(director, WANT, number(1))
    starting = Member(name=WANT.device, key=KEY, role="table", table=2)
    director.place.members = Members([*director.place.members.values(), starting])
    director.newcomers.takes(NowAsking((Asking(OTHER.device, OTHER.key, "2.0", False),)))
    director.newcomers.tick()
    director.ask(OTHER, id=number(2))
    assert director.code == "table-taken" and director.shown[-1][1].taken == (2,)
    now = time.monotonic() + STARTS_S
    monkeypatch.setattr("appliance.newcomers.time.monotonic", lambda: now)
    director.ask(OTHER, id=number(3))
    assert len(director.replies) == 1, "it never came: another may take its place"


def test_a_device_that_was_dropped_again_keeps_no_table(director: Director, monkeypatch: pytest.MonkeyPatch) -> None:
    director.ask(id=number(1))
    let_in(director, WANT, number(1))
    now = time.monotonic() + 6.0
    monkeypatch.setattr("appliance.newcomers.time.monotonic", lambda: now)
    director.ask(OTHER, id=number(2))
    assert director.replies == []


def test_commissioners_kiosks_hear_who_asks_and_which_tables_have_their_device(director: Director) -> None:
    director.there.append("table-2")
    director.newcomers.takes(NowAsking((Asking(WANT.device, KEY, "2.0", False),)))
    director.newcomers.tick()
    assert [device for device, _ in director.shown] == ["floor", "table-2"]
    assert director.shown[-1][1].taken == (2,) and director.shown[-1][1].asking[0].name == WANT.device
    director.newcomers.tick()
    assert len(director.shown) == 2, "nothing new is nothing to tell"
    director.newcomers.greet("door")
    assert director.shown[-1] == ("door", director.shown[0][1])


def told(director: Director) -> list[Known]:
    """What the window was told of who belongs here."""
    window, found = director.newcomers._window, []
    while window is not None and not window.inbox.empty():
        found.append(window.inbox.get())
    return [each for each in found if isinstance(each, Known)]


def test_a_device_hears_that_it_is_let_in_once_a_second_disk_has_it(
    director: Director, monkeypatch: pytest.MonkeyPatch
) -> None:
    belongs = Known(director.place.members, frozenset({WANT.device}))
    director.copied = False
    director.newcomers.know(Known(director.place.members))
    assert len(told(director)) == 1
    director.newcomers.know(belongs)
    director.newcomers.tick()
    assert told(director) == [] and director.newcomers.due is not None
    director.copied = True
    director.newcomers.tick()
    assert told(director) == [belongs] and director.newcomers.due is None
    director.copied = False
    director.newcomers.know(Known(director.place.members))
    assert len(told(director)) == 1, "that one was dropped is told at once"
    director.newcomers.know(belongs)
    now = time.monotonic() + 1.0
    monkeypatch.setattr("appliance.newcomers.time.monotonic", lambda: now)
    director.newcomers.tick()
    assert told(director) == [belongs], "one copy only"


def test_other_commands_are_the_rules(director: Director) -> None:
    assert not director.ask(round="R1")
    assert not director.newcomers.command(
        CommandMessage(ID, "floor", "000001", "venue", 5000, msgspec.Raw(b'{"type":"floor-call/1"}')), director.roster
    )


# -- what lies in the device's folder --------------------------------------------------------------------------------


def pending(director: Director, spare: Workplace) -> Pending:
    own = certificates.to_text(certificates.self_signed(spare.key, "brno", "spare-1a2b3c"))
    return Pending(answer=answer(director.place, "table", 2, True), certificate=own)


@pytest.fixture
def spare(tmp_path: Path) -> Workplace:
    file = tmp_path / "spare.toml"
    file.write_text(f'[device]\nrole = "spare"\ndata = "{tmp_path}/spare"\n')
    return Workplace(load(file), [file])


def test_what_a_device_is_told_makes_it_that_table_of_that_venue(director: Director, spare: Workplace) -> None:
    write(spare.data, spare.files, "spare-1a2b3c", pending(director, spare))
    files = with_adopted(list(spare.files))
    config = load(*files)
    assert (config.device.name, config.device.role, config.device.table) == ("spare-1a2b3c", "table", 2)
    assert (config.venue.id, config.device.tracking) == ("brno", "actions")
    first = Workplace(config, files)
    assert {"floor", "table-2", "director"} <= set(first.members), "it knows whom to believe before it has a copy"
    first.know(Roster(), [NOTE])
    assert set(first.members) == {NOTE.device} and not (spare.data / FIRST_MEMBERS).exists()


def test_what_was_accepted_is_kept_and_gone_once_it_is_done(director: Director, spare: Workplace) -> None:
    given = pending(director, spare)
    assert kept_pending(spare.data) is None
    keep_pending(spare.data, given)
    assert kept_pending(spare.data) == given
    write(spare.data, spare.files, "spare-1a2b3c", given)
    assert kept_pending(spare.data) is None
    (spare.data / "adopting.json").write_text('{"half')
    assert kept_pending(spare.data) is None


def test_a_dropped_device_begins_anew_and_keeps_what_it_had_written(director: Director, spare: Workplace) -> None:
    write(spare.data, spare.files, "spare-1a2b3c", pending(director, spare))
    (spare.data / "journal").write_bytes(b"records")
    begin_anew(spare.data)
    assert (spare.data / "device.key").exists(), "nobody has dropped it"
    give_up(spare.data)
    for _ in range(2):  # killed on the way it goes on
        begin_anew(spare.data)
    assert not (spare.data / "device.key").exists() and not (spare.data / "adopted.toml").exists()
    assert (spare.data / "former-journal").read_bytes() == b"records"


def test_a_dropped_key_counts_no_more_whoever_names_it(director: Director) -> None:
    place = director.place
    place.know(Roster(), [NOTE])
    assert place.members.key(NOTE.device) == KEY
    place.know(Roster(), [], [KEY])
    assert place.members.key(NOTE.device) == ""
    league = msgspec.structs.replace(Roster(), devices={NOTE.device: Member(name=NOTE.device, key=KEY)})
    place.know(league, [], [KEY])
    assert place.members.key(NOTE.device) == "", "the league has not heard of it yet"
