"""Hands that the director refused are told to the floor by every screen until a commissioner has seen to them."""

import msgspec
import pytest

from appliance.game.roster import Roster, RosterEntry, fold_roster
from appliance.intake import order_of
from appliance.kinds import NoteKind, OfflineRefused, decode_note
from appliance.link.envelope import CommandMessage, Refusal
from appliance.offers import OfferAnswered, Offered, Offers, fold_offers
from appliance.offlinebell import OfflineBell
from appliance.record import Record
from tests.test_intake_table import HERE, ID, NOW

FLOOR = fold_roster(
    Roster(), RosterEntry(participant="000001", state="active", cards=("04FF",), role="commissioner", name="Jana Nová")
)


def offered(number, hand):
    return Offered(id=number, round="R1", table=1, hand=hand, at=NOW, command={"do": "next_hand"})


def refused(*codes):
    """What a table's stream tells after these answers to its offers, hand 7 first."""
    offers = Offers()
    for n, _ in enumerate(codes):
        offers = fold_offers(offers, offered(f"id-{n}", 7 + n))
    for n, code in enumerate(codes):
        offers = fold_offers(offers, OfferAnswered(id=f"id-{n}", ok=not code, code=code))
    assert not offers.pending
    return offers


class Venue:
    """The venue's stream, which brings notes when the test lets it."""

    def __init__(self):
        self.notes, self.sent = {}, []

    def bell(self, device, table):
        return OfflineBell(device, table, lambda note: self.sent.append(note), lambda: NOW)

    def bring(self):
        sent, self.sent = self.sent, []
        for seq, note in enumerate(sent):
            raw = msgspec.json.encode(note)
            record = Record("venue/brno", "1-00c0ffee00c0ffee", seq + 1, "x", NOW, "offline-refused/1", raw, None, "")
            self.notes = NoteKind().fold(self.notes, record)


@pytest.fixture
def venue():
    return Venue()


def test_one_chain_is_one_notice_with_the_first_reason_and_all_its_hands(venue):
    table = venue.bell("table-1", 1)
    table.tell(refused("", "stale", "followed-refused", "followed-refused"), venue.notes)
    [told] = venue.sent
    assert (told.hand, told.last, told.code, told.open) == (8, 10, "stale", True)


def test_it_stands_at_once_everywhere_soon_and_is_told_once(venue):
    table, door, offers = venue.bell("table-1", 1), venue.bell("door", None), refused("stale")
    table.tell(offers, venue.notes)
    table.tell(offers, venue.notes)
    assert len(venue.sent) == 1 and table.standing(venue.notes) and not door.standing(venue.notes)
    venue.bring()
    again = venue.bell("table-1", 1)
    again.tell(offers, venue.notes)
    assert not venue.sent and again.standing(venue.notes) == door.standing(venue.notes) != ()


def test_a_program_that_died_before_it_was_noted_has_it_noted_by_its_next_life(venue):
    venue.bell("table-1", 1).tell(refused("stale"), venue.notes)
    venue.sent = []
    again = venue.bell("table-1", 1)
    again.tell(refused("stale"), venue.notes)
    assert len(venue.sent) == 1


def test_what_a_commissioner_has_seen_to_is_gone_everywhere_and_for_good(venue):
    table, door, offers = venue.bell("table-1", 1), venue.bell("door", None), refused("stale")
    table.tell(offers, venue.notes)
    venue.bring()
    door.seen(venue.notes, "000001")
    assert not door.standing(venue.notes)
    [seen] = venue.sent
    assert (seen.device, seen.by, seen.open) == ("door", "000001", False)
    venue.bring()
    table.tell(offers, venue.notes)
    venue.bell("table-1", 1).tell(offers, venue.notes)
    assert not table.standing(venue.notes) and not venue.sent


def test_another_tables_are_seen_to_at_the_door_or_there_not_here(venue):
    venue.bell("table-1", 1).tell(refused("stale"), venue.notes)
    venue.bring()
    venue.bell("table-2", 2).seen(venue.notes, "000001")
    assert not venue.sent


NOTE = OfflineRefused(device="table-1", table=1, round="R1", hand=8, last=9, code="stale", id="id-1", at=NOW)


@pytest.mark.parametrize(
    ("device", "change", "taken"),
    [
        ("table-1", {}, True),
        ("table-2", {}, False),
        ("door", {"open": False, "by": "000001"}, True),
        ("door", {"open": False, "by": "000100"}, False),
        ("door", {"open": False}, False),
    ],
)
def test_only_the_table_tells_it_and_only_for_a_commissioner_is_it_seen(device, change, taken):
    note = msgspec.structs.replace(NOTE, device=device, **change)
    body = msgspec.Raw(msgspec.json.encode(note))
    found = order_of(CommandMessage(ID, device, "kiosk", "venue", 5000, body), HERE._replace(roster=FLOOR), NOW)
    assert isinstance(found, Refusal) is not taken
    assert decode_note(bytes(body)) == note
