"""What an NTAG 424 DNA holds when it is issued, and when it is blank: `appliance.cards.layout` as targets."""

from __future__ import annotations

from appliance.cards import layout
from appliance.cards.messaging import CommMode
from appliance.cards.record import SignedRecord
from appliance.cards.settings import FREE, AccessRights, FileSettings
from appliance.desk.converge import FileTarget, Target
from appliance.desk.keys import FACTORY, DeskKeys

NDEF_FILE_BYTES = 256

BLANK = Target(
    (
        FileTarget(
            layout.NDEF_FILE,
            bytes(NDEF_FILE_BYTES),
            FileSettings(CommMode.PLAIN, AccessRights(read=FREE, write=FREE, read_write=FREE, change=0)),
        ),
        FileTarget(
            layout.RECORD_FILE,
            b"\0\x7e".ljust(layout.RECORD_FILE_BYTES, b"\0"),
            FileSettings(CommMode.FULL, AccessRights(read=2, write=3, read_write=3, change=0)),
        ),
    ),
    FACTORY,
)
"""A card as delivered (NT4H2421Gx, 8.2)."""


def issued(keys: DeskKeys, record: SignedRecord) -> Target:
    """A participant's card, under the newest keys."""
    link = layout.link(keys.link)
    return Target(
        (
            FileTarget(layout.NDEF_FILE, link.content.ljust(NDEF_FILE_BYTES, b"\0"), link.settings),
            FileTarget(layout.RECORD_FILE, layout.record_file(record), layout.RECORD_SETTINGS),
        ),
        keys.version,
    )
