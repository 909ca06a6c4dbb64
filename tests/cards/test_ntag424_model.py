"""Any sequence of commands leaves the card as the few rules say: who may what, with which key, and what is kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from appliance.cards.apdu import CardError, Fault
from appliance.cards.emulator.ntag424 import EmulatedNtag424, NoPower
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import FACTORY_KEY, KEYS, Ntag424
from appliance.cards.secret import Secret
from appliance.cards.settings import FREE, NEVER, AccessRights, FileSettings

SOME_KEYS = [FACTORY_KEY, Secret(b"one of the keys."), Secret(b"another of them.")]
NUMBERS = st.sampled_from(list(KEYS))
FILES = st.sampled_from([1, 2, 3])
RIGHT = st.sampled_from([0, 1, 2, 3, 4, FREE, NEVER])
# key 0 keeps the right to change, or nothing would happen any more
RIGHTS = st.builds(AccessRights, RIGHT, RIGHT, RIGHT, st.just(0))


class CardModel(RuleBasedStateMachine):
    """The reader and the card on one side; on the other a table of keys, settings and contents."""

    @initialize()
    def deliver(self) -> None:
        self.card = EmulatedNtag424(b"\x04abcdef")
        self.reader = Ntag424(self.card)
        self.reader.select()
        self.keys = dict.fromkeys(KEYS, FACTORY_KEY)
        self.versions = dict.fromkeys(KEYS, 0)
        self.settings = {number: self.reader.get_file_settings(number) for number in (1, 2, 3)}
        self.contents = {number: self.card.memory.files[number].content for number in (1, 2, 3)}
        self.session: int | None = None

    def expect(self, allowed: bool, call: Any, *args: Any, **named: Any) -> Any:
        if allowed:
            return call(*args, **named)
        with pytest.raises(CardError):
            call(*args, **named)
        self.session = None
        return None

    @rule(number=NUMBERS, key=st.sampled_from(SOME_KEYS), first=st.booleans())
    def authenticate(self, number: int, key: Secret, first: bool) -> None:
        right = key == self.keys[number] and (first or self.session is not None)
        self.expect(right, self.reader.authenticate, number, key, first=first)
        if right:
            self.session = number

    @rule(number=NUMBERS, new=st.sampled_from(SOME_KEYS), version=st.integers(0, 255), old=st.sampled_from(SOME_KEYS))
    def change_key(self, number: int, new: Secret, version: int, old: Secret) -> None:
        right = self.session == 0 and (number == 0 or old == self.keys[number])
        self.expect(right, self.reader.change_key, number, new, version, old)
        if right:
            self.keys[number], self.versions[number] = new, version
            self.session = None if number == 0 else self.session

    @rule(number=FILES, mode=st.sampled_from(list(CommMode)), rights=RIGHTS)
    def change_settings(self, number: int, mode: CommMode, rights: AccessRights) -> None:
        wanted = replace(self.settings[number], mode=mode, rights=rights)
        self.expect(self.session == 0, self.reader.change_file_settings, number, wanted)
        if self.session == 0:
            self.settings[number] = wanted

    def access(self, one: int, other: int, mode: CommMode) -> tuple[bool, CommMode]:
        if self.session is not None and self.session in (one, other):
            return True, mode
        return FREE in (one, other), CommMode.PLAIN

    @rule(number=FILES, start=st.integers(0, 31), data=st.binary(min_size=1, max_size=110))
    def write(self, number: int, start: int, data: bytes) -> None:
        held = self.settings[number]
        allowed, mode = self.access(held.rights.write, held.rights.read_write, held.mode)
        # longer data go in parts, and what does not fit fails with its part
        fits = [data[at : at + 95] for at in range(0, len(data), 95)]
        self.expect(allowed and start + len(data) <= held.size, self.reader.write_data, number, data, start, mode)
        for part in fits:
            if allowed and start + len(part) <= held.size:
                content = self.contents[number]
                self.contents[number] = content[:start] + part + content[start + len(part) :]
                start += len(part)
            else:
                break

    @rule(number=FILES, start=st.integers(0, 31), length=st.integers(1, 128))
    def read(self, number: int, start: int, length: int) -> None:
        held = self.settings[number]
        allowed, mode = self.access(held.rights.read, held.rights.read_write, held.mode)
        told = self.expect(allowed and start + length <= held.size, self.reader.read_data, number, length, start, mode)
        if told is not None:
            assert told == self.contents[number][start : start + length]

    @rule()
    def ask_for_the_uid(self) -> None:
        told = self.expect(self.session is not None, self.reader.get_card_uid)
        assert told in (None, b"\x04abcdef")

    @rule(again=st.booleans())
    def leave_the_field(self, again: bool) -> None:
        self.card.power_off()
        self.reader = Ntag424(self.card) if again else self.reader
        self.reader.select()
        self.session = None

    @precondition(lambda self: self.session == 0)
    @rule(done=st.booleans(), number=NUMBERS, new=st.sampled_from(SOME_KEYS))
    def tear_while_a_key_is_changed(self, done: bool, number: int, new: Secret) -> None:
        self.card.tear(0, done)
        with pytest.raises(NoPower):
            self.reader.change_key(number, new, 77, self.keys[number])
        assert not self.reader.authenticated
        if done:
            self.keys[number], self.versions[number] = new, 77
        self.leave_the_field(again=True)

    @invariant()
    def the_card_holds_what_the_table_says(self) -> None:
        if not hasattr(self, "card"):
            return
        memory = self.card.memory
        assert [key.value for key in memory.keys] == list(self.keys.values())
        assert [key.version for key in memory.keys] == list(self.versions.values())
        assert {number: file.content for number, file in memory.files.items()} == self.contents
        assert self.reader.authenticated is (self.session is not None)
        assert all(self.reader.get_file_settings(number) == self.settings[number] for number in (1, 2, 3))


CardModel.TestCase.settings = settings(deadline=None, max_examples=60, stateful_step_count=40)
TestAnySequenceOfCommands = CardModel.TestCase


def test_a_right_that_names_no_key_is_refused() -> None:
    card = EmulatedNtag424(b"\x04abcdef")
    reader = Ntag424(card)
    reader.select()
    reader.authenticate(0, FACTORY_KEY)
    with pytest.raises(CardError) as refused:
        reader.change_file_settings(2, FileSettings(CommMode.PLAIN, AccessRights(7, 0, 0, 0)))
    assert refused.value.code is Fault.PARAMETER
