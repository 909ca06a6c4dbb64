"""A device is let in by a code on its screen: only by who typed it, only where both keys are the two sides' own."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from functools import partial

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance import adoption
from appliance.adopt import Adopt
from appliance.adoption import BadMessage
from appliance.adoption_desk import ASK_S, LEFT_OUT_S, MOST_ASKING, MOST_OF_ONE, Desk, Known
from appliance.adoption_spare import CODE_S, REST_S, WRITTEN_S, Spare
from appliance.game.refusal import Refusal
from appliance.identity import public_hex
from appliance.kinds import DeviceAdopted
from appliance.members import Member, Members

VENUE, NUMBER = "brno", "c1"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deriving keys takes no time here."""
    monkeypatch.setattr(adoption, "COST", 2)


class Hall:
    """A director's desk and a spare device; `now` goes on as a test says."""

    def __init__(self, seed: int = 1) -> None:
        self.now = 1000.0
        self.key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self.director = Member(name="director", key=public_hex(self.key), role="director")
        self.members = Members([self.director])
        self.adopted: set[str] = set()
        self.revoked: set[str] = set()
        self.desk = self.desk_of(self.key)
        self.spare = self.spare_of(seed + 100)
        self._ids = itertools.count(1)

    def desk_of(self, key: Ed25519PrivateKey) -> Desk:
        def answer(role: adoption.Role, table: int | None, tracked: bool) -> adoption.Answer:
            return adoption.Answer(
                venue=VENUE, role=role, table=table, site="", director="director", members=(self.director,)
            )

        desk = Desk(VENUE, "Klub U Žabáka", key, answer)
        desk.know(self.known())
        return desk

    def spare_of(self, seed: int) -> Spare:
        signs, opens = (Ed25519PrivateKey.from_private_bytes, X25519PrivateKey.from_private_bytes)
        spare = Spare(signs(bytes([seed]) * 32), opens(bytes([seed]) * 32), "2.0")
        spare.tick(self.now)
        return spare

    def known(self) -> Known:
        return Known(self.members, frozenset(self.adopted), frozenset(self.revoked))

    def said(self, *payloads: bytes) -> list[bytes]:
        """What the desk answers to the spare."""
        return [payload for said in payloads for _, payload in self.desk.heard("n1", said, self.now)]

    def told(self, *payloads: bytes) -> list[bytes]:
        """What the spare answers to the desk."""
        return [answer for payload in payloads for answer in self.spare.heard(VENUE, payload, self.now)]

    def ask(self) -> None:
        self.told(*self.said(*self.spare.ask(VENUE)))

    def adopt(self, code: str = "", number: str = "", **want: object) -> list[bytes]:
        """The commissioner picks the device and types its code: what the desk says then."""
        wanted = Adopt(
            **{
                "device": self.spare.name, "key": self.spare.public, "code": code or self.spare.code, "role": "table",
                "table": 2, "by": "000900", **want,
            }
        )  # fmt: skip
        number = number or f"c{next(self._ids)}"
        return [payload for _, payload in self.desk.adopt(number, wanted, self.now)]

    def result(self) -> DeviceAdopted | Refusal | None:
        """What has become of the last command; None: nothing yet."""
        found = list(self.desk.results())
        return found[-1][1] if found else None

    def write(self, note: DeviceAdopted) -> list[bytes]:
        """The note is in the venue's stream: what the desk says of it."""
        member = Member(name=note.device, key=note.key, opening=note.opening, role=note.role, table=note.table)
        self.members = Members([*self.members.values(), member])
        self.adopted.add(note.device)
        self.desk.know(self.known())
        return [payload for _, payload in self.desk.tell_written()]


@pytest.fixture
def hall() -> Hall:
    return Hall()


def test_a_device_is_let_in_by_the_code_on_its_screen(hall: Hall) -> None:
    hall.ask()
    assert [each.name for each in hall.desk.asking] == [hall.spare.name]
    assert hall.spare.lines[0].called == "Klub U Žabáka"
    assert hall.said(*hall.told(*hall.adopt())) == []
    note = hall.result()
    assert isinstance(note, DeviceAdopted)
    assert (note.device, note.key, note.role, note.table, note.by) == (
        hall.spare.name, hall.spare.public, "table", 2, "000900",
    )  # fmt: skip
    assert hall.spare.done is None, "not before it is written"
    hall.told(*hall.write(note))
    assert hall.spare.done is not None and hall.spare.done.answer.table == 2
    assert hall.desk.asking == (), "it asks no more"
    assert hall.spare.done.certificate == note.certificate


def test_a_wrong_code_lets_nobody_in_and_another_one_is_shown(hall: Hall) -> None:
    hall.ask()
    shown = hall.spare.code
    other = adoption.new_code(bytes(16))
    hall.said(*hall.told(*hall.adopt(other)))
    assert hall.result() == Refusal("wrong-code", {"left": 2})
    assert hall.spare.code != shown and hall.spare.wrong and hall.spare.pending is None
    hall.now += REST_S
    hall.said(*hall.told(*hall.adopt()))
    assert isinstance(hall.result(), DeviceAdopted)
    assert not hall.spare.wrong


def test_after_three_wrong_codes_a_device_is_left_out_for_a_while(hall: Hall) -> None:
    hall.ask()
    for expected in (Refusal("wrong-code", {"left": 2}), Refusal("wrong-code", {"left": 1}), Refusal("codes-used-up")):
        hall.said(*hall.told(*hall.adopt("99999999")))
        assert hall.result() == expected
        hall.now += REST_S
    assert hall.desk.asking == ()
    hall.ask()
    assert hall.spare.lines[0].sorry == "codes-used-up" and hall.desk.asking == ()
    hall.adopt()
    assert hall.result() == Refusal("codes-used-up")
    hall.now += LEFT_OUT_S
    hall.ask()
    assert hall.desk.asking


def test_a_code_counts_once(hall: Hall) -> None:
    """The device whose proof was lost shows another code; the old one is worth nothing, not even to who had it."""
    hall.ask()
    code = hall.spare.code
    hall.told(*hall.adopt(code))
    assert hall.spare.code == "", "nothing to read off meanwhile"
    hall.now += WRITTEN_S
    hall.desk.tick(hall.now)
    assert hall.result() == Refusal("device-silent", {"device": hall.spare.name})
    assert hall.spare.tick(hall.now)
    hall.ask()
    hall.said(*hall.told(*hall.adopt(code)))
    assert hall.result() == Refusal("wrong-code", {"left": 2})


def test_a_code_has_its_time(hall: Hall) -> None:
    code = hall.spare.code
    hall.now += CODE_S - 1
    assert not hall.spare.tick(hall.now)
    hall.now += 1
    assert hall.spare.tick(hall.now) and hall.spare.code != code


def test_codes_are_four_pairs_without_leading_zeros() -> None:
    codes = {adoption.new_code(bytes([n, 255 - n]) * 8) for n in range(256)}
    assert len(codes) == 256
    for code in codes:
        assert len(code) == 8 and all(10 <= int(code[at : at + 2]) <= 99 for at in range(0, 8, 2))


def test_a_lost_proof_is_said_again(hall: Hall) -> None:
    hall.ask()
    hall.told(*hall.adopt())
    hall.said(*hall.spare.ask(VENUE))
    assert isinstance(hall.result(), DeviceAdopted)


def test_a_lost_word_of_the_adoption_comes_with_the_next_question(hall: Hall) -> None:
    hall.ask()
    hall.said(*hall.told(*hall.adopt()))
    note = hall.result()
    assert isinstance(note, DeviceAdopted)
    hall.write(note)
    hall.now += WRITTEN_S
    hall.spare.tick(hall.now)
    hall.ask()
    assert hall.spare.done is not None


def test_a_device_that_was_switched_off_after_its_proof_needs_no_second_code(hall: Hall) -> None:
    hall.ask()
    hall.said(*hall.told(*hall.adopt()))
    note, kept = hall.result(), hall.spare.pending
    assert isinstance(note, DeviceAdopted) and kept is not None
    kept = msgspec.json.decode(msgspec.json.encode(kept), type=type(kept))
    hall.write(note)
    hall.spare = hall.spare_of(101)
    hall.spare.pending = kept
    hall.ask()
    assert hall.spare.done == kept


def test_a_device_that_was_switched_off_before_its_proof_is_let_in_by_its_next_code(hall: Hall) -> None:
    hall.ask()
    hall.adopt()
    hall.spare = hall.spare_of(101)
    hall.ask()
    assert hall.result() == Refusal("device-silent", {"device": hall.spare.name}), "nobody waits for the first one"
    hall.said(*hall.told(*hall.adopt()))
    assert isinstance(hall.result(), DeviceAdopted)


def test_a_director_that_died_before_it_wrote_has_let_nobody_in(hall: Hall) -> None:
    hall.ask()
    hall.said(*hall.told(*hall.adopt()))
    hall.desk = hall.desk_of(hall.key)
    hall.now += WRITTEN_S
    hall.spare.tick(hall.now)
    hall.ask()
    assert hall.spare.done is None and hall.spare.code
    hall.said(*hall.told(*hall.adopt()))
    note = hall.result()
    assert isinstance(note, DeviceAdopted)
    hall.told(*hall.write(note))
    assert hall.spare.done is not None


def test_what_another_director_wrote_counts_too(hall: Hall) -> None:
    """Somebody has taken over between the proof and the word: the answer names all who may direct."""
    other = Ed25519PrivateKey.generate()
    hall.members = Members([hall.director, Member(name="door", key=public_hex(other), role="door")])
    answered = adoption.Answer(
        venue=VENUE, role="table", table=2, site="", director="director", members=tuple(hall.members.values())
    )
    hall.desk = Desk(VENUE, "", hall.key, lambda role, table, tracked: answered)
    hall.ask()
    hall.said(*hall.told(*hall.adopt()))
    note = hall.result()
    assert isinstance(note, DeviceAdopted)
    hall.desk = hall.desk_of(other)
    hall.write(note)
    hall.ask()
    assert hall.spare.done is not None


def test_the_word_of_a_stranger_that_it_is_written_counts_for_nothing(hall: Hall) -> None:
    hall.ask()
    hall.said(*hall.told(*hall.adopt()))
    note = hall.result()
    assert isinstance(note, DeviceAdopted)
    hall.desk = hall.desk_of(Ed25519PrivateKey.generate())
    hall.write(note)
    hall.ask()
    assert hall.spare.done is None


def test_the_device_becomes_nothing_else_than_what_was_said_under_the_code(hall: Hall) -> None:
    hall.ask()
    hall.said(*hall.told(*hall.adopt()))
    note = hall.result()
    assert isinstance(note, DeviceAdopted)
    hall.told(*hall.write(msgspec.structs.replace(note, table=3)))
    assert hall.spare.done is None


# -- who sits between them -------------------------------------------------------------------------------------------


def changed(payload: bytes) -> Iterator[bytes]:
    """A message with each of its fields changed in turn, and cut short."""
    fields = msgspec.json.decode(payload)
    for name, value in fields.items():
        if name in ("say",):
            continue
        yield msgspec.json.encode({**fields, name: _other(value)})
        if value is not None:
            yield msgspec.json.encode({each: kept for each, kept in fields.items() if each != name})
    yield payload[:-1]


def _other(value: object) -> object:
    if isinstance(value, str) and value:
        first = "b" if value[0] != "b" else "c"
        return first + value[1:]
    return {None: "0" * 32, "": "x"}.get(value, 7)  # type: ignore[call-overload]


STEPS = ("ask", "offer", "agreed", "adopted")


def run(hall: Hall, meddle: Callable[[str, bytes], list[bytes]]) -> tuple[DeviceAdopted | Refusal | None, bool]:
    """An adoption through somebody who may change each message; whether director and device are both there."""

    def through(step: str, payloads: list[bytes]) -> list[bytes]:
        return [out for payload in payloads for out in meddle(step, payload)]

    def taken(by: Callable[..., list[bytes]], payloads: list[bytes]) -> list[bytes]:
        found = []
        for payload in payloads:
            with contextlib.suppress(BadMessage):
                found += by(payload)
        return found

    heard, told = partial(taken, hall.said), partial(taken, hall.told)
    told(heard(through("ask", hall.spare.ask(VENUE))))
    offers = through("offer", hall.adopt())
    heard(through("agreed", told(offers)))
    note = hall.result()
    if isinstance(note, DeviceAdopted):
        told(through("adopted", hall.write(note)))
    return note, hall.spare.done is not None


def test_a_run_without_a_meddler_is_well(hall: Hall) -> None:
    note, done = run(hall, lambda step, payload: [payload])
    assert isinstance(note, DeviceAdopted) and done


@pytest.mark.parametrize("step", STEPS)
def test_no_message_can_be_changed(step: str) -> None:
    seen: list[bytes] = []
    run(Hall(), lambda at, payload: [payload, *([] if at != step else (seen.append(payload) or []))])
    (original,) = seen
    for count, _ in enumerate(changed(original)):
        hall = Hall()

        def meddle(at: str, payload: bytes, count: int = count) -> list[bytes]:
            return [payload] if at != step else [list(changed(payload))[count]]

        note, done = run(hall, meddle)
        fine = step == "adopted" and isinstance(note, DeviceAdopted)
        assert not done, (step, count)
        assert fine or not isinstance(note, DeviceAdopted), (step, count)


@pytest.mark.parametrize("step", STEPS)
def test_messages_of_another_adoption_let_nobody_in(step: str) -> None:
    """Replayed: the same device, director and code, another time."""
    seen: list[bytes] = []
    first = Hall()
    run(first, lambda at, payload: [payload, *([] if at != step else (seen.append(payload) or []))])
    hall = Hall()
    note, done = run(hall, lambda at, payload: [payload] if at != step else seen)
    fine = step == "adopted" and isinstance(note, DeviceAdopted)
    assert not done and (fine or not isinstance(note, DeviceAdopted))


def test_who_asks_with_keys_of_their_own_needs_the_code_that_is_typed(hall: Hall) -> None:
    """The director is shown the meddler's device: what is typed is the code on another screen."""
    hall.ask()
    meddler = hall.spare_of(77)
    for said in meddler.ask(VENUE):
        hall.desk.heard("evil", said, hall.now)
    offers = hall.adopt(hall.spare.code, device=meddler.name, key=meddler.public)
    for made in offers:
        for answer in meddler.heard(VENUE, made, hall.now):
            hall.desk.heard("evil", answer, hall.now)
    assert hall.result() == Refusal("wrong-code", {"left": 2}) and meddler.pending is None


def test_who_hands_on_an_offer_to_another_device_lets_neither_in(hall: Hall) -> None:
    """Same code by chance: the keys differ, and what is derived of the code with them."""
    meddler = hall.spare_of(77)
    for said in meddler.ask(VENUE):
        hall.desk.heard("evil", said, hall.now)
    hall.ask()
    meddler.code = hall.spare.code
    offers = hall.adopt(hall.spare.code, device=meddler.name, key=meddler.public)
    asked = msgspec.json.decode(hall.spare.ask(VENUE)[0])["nonce"]
    for made in offers:
        renamed = msgspec.json.encode({**msgspec.json.decode(made), "asked": asked})
        hall.told(renamed)
    assert hall.spare.pending is None and hall.spare.wrong


def test_another_opening_key_is_not_believed(hall: Hall) -> None:
    """Who changes only the key that things are sealed to would read what is sealed to the device later."""
    theirs = X25519PrivateKey.generate().public_key().public_bytes_raw().hex()

    def meddle(step: str, payload: bytes) -> list[bytes]:
        return (
            [payload] if step != "ask" else [msgspec.json.encode({**msgspec.json.decode(payload), "opening": theirs})]
        )

    note, done = run(hall, meddle)
    assert not isinstance(note, DeviceAdopted) and not done


def test_an_offer_of_a_director_that_does_not_know_the_code_is_a_wrong_one(hall: Hall) -> None:
    hall.ask()
    evil = hall.desk_of(Ed25519PrivateKey.generate())
    for said in hall.spare.ask(VENUE):
        evil.heard("n1", said, hall.now)
    want = Adopt(device=hall.spare.name, key=hall.spare.public, code="10101010", role="table", table=2, by="000900")
    [(_, made)] = evil.adopt("c9", want, hall.now)
    hall.told(made)
    assert hall.spare.pending is None and hall.spare.wrong


def test_wrong_offers_in_a_row_are_looked_at_slowly(hall: Hall) -> None:
    hall.ask()
    hall.told(*hall.adopt("10101010"))
    code = hall.spare.code
    hall.said(*hall.spare.ask(VENUE))
    hall.told(*hall.adopt("10101010"))
    assert hall.spare.code == code, "guesses would come as fast as the network lets them"


# -- who may ask -----------------------------------------------------------------------------------------------------


def test_a_revoked_key_is_refused_and_told_so(hall: Hall) -> None:
    hall.revoked.add(hall.spare.public)
    hall.desk.know(hall.known())
    hall.ask()
    assert hall.desk.asking == () and hall.spare.lines[0].sorry == "device-revoked"


def test_a_device_that_is_revoked_while_it_asks_is_shown_no_more(hall: Hall) -> None:
    hall.ask()
    hall.revoked.add(hall.spare.public)
    hall.desk.know(hall.known())
    hall.ask()
    assert hall.desk.asking == ()


def test_a_name_that_another_key_has_is_refused(hall: Hall) -> None:
    hall.members = Members([hall.director, Member(name=hall.spare.name, key="ab" * 32, role="table")])
    hall.desk.know(hall.known())
    hall.ask()
    assert hall.spare.lines[0].sorry == "name-taken"


def test_a_device_that_the_league_has_enrolled_is_no_newcomer(hall: Hall) -> None:
    hall.members = Members([hall.director, Member(name="table-7", key=hall.spare.public, role="table", table=7)])
    hall.desk.know(hall.known())
    hall.ask()
    assert hall.spare.lines[0].sorry == "device-known"


def test_a_device_that_lost_its_files_is_let_in_again(hall: Hall) -> None:
    run(hall, lambda step, payload: [payload])
    hall.spare = hall.spare_of(101)
    hall.now += REST_S
    hall.ask()
    assert [each.known for each in hall.desk.asking] == [True]
    hall.said(*hall.told(*hall.adopt(role="door", table=None)))
    note = hall.result()
    assert isinstance(note, DeviceAdopted) and note.role == "door"


def test_who_asks_no_more_is_forgotten(hall: Hall) -> None:
    hall.ask()
    hall.now += ASK_S
    hall.desk.tick(hall.now)
    assert hall.desk.asking == ()
    hall.adopt()
    assert hall.result() == Refusal("device-silent", {"device": hall.spare.name})


def test_only_so_many_may_ask_at_once(hall: Hall) -> None:
    for seed in range(2, MOST_ASKING + 2):
        for said in hall.spare_of(seed).ask(VENUE):
            hall.desk.heard(f"n{seed}", said, hall.now)
    hall.ask()
    assert len(hall.desk.asking) == MOST_ASKING and hall.spare.lines[0].sorry == "too-many-devices"


def test_who_asks_for_many_devices_on_one_connection_leaves_room_for_others(hall: Hall) -> None:
    for seed in range(2, MOST_ASKING + 2):
        for said in hall.spare_of(seed).ask(VENUE):
            hall.desk.heard("evil", said, hall.now)
    hall.ask()
    assert len(hall.desk.asking) == MOST_OF_ONE + 1 and hall.spare.lines[0].seen


def test_a_command_that_comes_twice_is_one(hall: Hall) -> None:
    hall.ask()
    assert len(hall.adopt(number="c1")) == 1 and hall.adopt(number="c1") == []


def test_two_commissioners_do_not_let_one_device_in_twice(hall: Hall) -> None:
    hall.ask()
    offers = hall.adopt(number="c1")
    assert hall.adopt(number="c2") == [] and hall.result() == Refusal("device-silent", {"device": hall.spare.name})
    hall.said(*hall.told(*offers))
    assert isinstance(hall.result(), DeviceAdopted)
