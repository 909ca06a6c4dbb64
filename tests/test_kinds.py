"""Streams are folded by their kind; what cannot be read is kept and changes nothing."""

import msgspec
import pytest

from appliance.game.refusal import Refusal
from appliance.game.roster import RosterEntry, encode_roster_event
from appliance.kinds import (
    KINDS,
    CardRefused,
    DeviceAdopted,
    DeviceDropped,
    HandOpened,
    StrandedAccepted,
    StrandedDropped,
    Takeover,
    adopted,
    decode_note,
    settled,
)
from appliance.record import Record


def record(stream, kind, data):
    raw = msgspec.Raw(data if isinstance(data, bytes) else msgspec.json.encode(data))
    return Record(stream, "1-0011223344556677", 2, "id", 1, kind, raw)


@pytest.mark.parametrize(
    ("stream", "kind", "data"),
    [
        ("round/R1", "busted/1", {"participant": "000101"}),
        ("round/R1", "busted/1", {"participant": 7}),
        ("round/R1", "from-the-future/9", {"x": 1}),
        ("round/R1", "epoch-opened/1", {"after": None}),
        ("league/brno", "roster-entry/1", {"participant": 7}),
        ("league/brno", "from-the-future/9", {"x": 1}),
        ("venue/brno", "from-the-future/9", {"x": 1}),
        ("table/brno-1", "hand-opened/1", {"type": "hand-opened/1"}),
    ],
)
def test_what_cannot_be_folded_changes_nothing(stream, kind, data):
    rules = KINDS[stream.partition("/")[0]]
    assert rules.fold(rules.initial(), record(stream, kind, data)) == rules.initial()


def test_a_note_is_written_as_it_was_told_and_folds_to_the_latest_of_its_type():
    rules = KINDS["venue"]
    note = CardRefused(device="door", reason="unknown", uid="04AA")
    [(kind, raw)] = rules.decide({}, note, 1, "id")
    assert (kind, decode_note(raw)) == ("card-refused/1", note)
    assert rules.fold({}, record("venue/brno", kind, raw)) == {"card-refused/1": note}


@pytest.mark.parametrize(
    "raw", [b"{}", b"[]", b'{"type":"nothing/1"}', b'{"type":"card-refused/1","device":7}', b"\xff"]
)
def test_what_is_no_note_is_an_error(raw):
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)):
        decode_note(raw)


def test_nobody_here_writes_the_leagues_stream():
    rules = KINDS["league"]
    assert rules.decide(rules.initial(), HandOpened(round="R1", table=1, hand=1), 1, "id") == Refusal("not-yours", {})
    kind, raw = encode_roster_event(RosterEntry(participant="000101", state="active", cards=("04A1",)))
    assert rules.fold(rules.initial(), record("league/brno", kind, raw)).by_uid("04A1").participant == "000101"


def test_S_1_each_start_draws_its_own_seed():
    seeds = {KINDS["round"]._entropy(8) for _ in range(3)}
    assert len(seeds) == 3


def noted(*notes):
    """A venue's stream with these notes, as it is folded."""
    rules, state = KINDS["venue"], {}
    for note in notes:
        [(kind, raw)] = rules.decide(state, note, 1, "id")
        state = rules.fold(state, record("venue/brno", kind, raw))
    return state


def test_each_device_that_was_adopted_belongs_here_until_it_is_dropped():
    one, two = (
        DeviceAdopted(device=name, key=digit * 64, role="table", table=3, by="000001")
        for name, digit in (("spare-1", "a"), ("spare-2", "b"))
    )
    assert adopted(noted(one, two)) == [one, two]
    gone = DeviceDropped(device="spare-1", by="000001")
    assert adopted(noted(one, two, gone)) == [two]
    assert adopted(noted(one, gone, one)) == [one]


def test_what_was_decided_of_an_old_directors_commands_is_known_of_each():
    accepted = StrandedAccepted(device="door", command="c-1", anew="c-9", by="000001")
    dropped = StrandedDropped(device="door", command="c-2", by="000001")
    assert settled(noted(accepted, dropped)) == {"c-1", "c-2"}


def test_a_takeover_says_in_its_record_from_whose_copies():
    [(_, raw)] = KINDS["venue"].decide({}, Takeover(by="000001", device="door", why="x", heard=("table-1",)), 1, "id")
    assert msgspec.json.decode(raw)["from"] == ["table-1"]
