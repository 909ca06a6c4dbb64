"""What stands on each slip: seat, deposit, move, payout, and one to test the printer with.

Amounts are whole crowns and whole chips (T-3, T-4); times are shown in the venue's zone. A name is printed only
where the caller gives one: a slip without it carries the registration number, which every slip does.
"""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from zoneinfo import ZoneInfo

from msgspec import Struct

from appliance.i18n import N_, NBSP, Translator
from appliance.slips.slip import Align, Cut, Line, Pair, Qr, Rule, Slip, Space, Text

PRAGUE = ZoneInfo("Europe/Prague")


class Printing(Struct, frozen=True):
    """How slips are written here: the language, and the venue's zone."""

    say: Translator
    zone: dt.tzinfo = PRAGUE

    def moment(self, at: dt.datetime) -> str:
        """Day, year and time of day in the venue's zone. ``at`` is aware."""
        if at.tzinfo is None:
            raise ValueError("a slip's time needs a zone")
        here = at.astimezone(self.zone)
        return f"{self.say.date(here.date())}{NBSP}{here.year} {self.say.clock(here)}"


class Occasion(Struct, frozen=True):
    """The round and the person a slip is about. ``round_name`` is what people call it, ``round`` its id."""

    round: str
    round_name: str
    venue: str
    participant: str
    at: dt.datetime
    name: str = ""


class Seat(Struct, frozen=True):
    table: int
    seat: int


class DealtIn(StrEnum):
    """When somebody who was moved plays again (S-5)."""

    AT_ONCE = "at-once"
    AFTER_BUTTON = "after-button"
    AS_DEALER = "as-dealer"


_DEALT_IN = {
    DealtIn.AT_ONCE: N_("You are dealt in with the next hand."),
    DealtIn.AFTER_BUTTON: N_("You are dealt in once the button has passed you."),
    DealtIn.AS_DEALER: N_("You sit out until you are the dealer."),
}


def seat_slip(about: Occasion, seat: Seat, how: Printing) -> Slip:
    """Where to sit; its QR code says round, table, seat and participant."""
    say = how.say
    return _slip(
        "seat",
        about,
        how,
        Text(say.gettext("Your seat"), bold=True),
        Space(),
        *_big(seat, say),
        Space(),
        *_person(about),
        Space(),
        Qr(seat_code(about, seat)),
        Text(how.moment(about.at)),
    )


def seat_code(about: Occasion, seat: Seat) -> str:
    """What a seat slip's QR code holds."""
    return f"ts:1:{about.round}:{seat.table}:{seat.seat}:{about.participant}"


def deposit_receipt(
    about: Occasion, amount: int, chips: int, how: Printing, *, commissioner: str, record: str, total: int | None = None
) -> Slip:
    """For a deposit of ``amount`` crowns: the chips lent for it (T-4), who took it, and its record in the journal.

    ``total`` is what this participant has deposited in the round altogether, where that is more than this once.
    """
    say = how.say
    more = [] if total is None or total == amount else [Pair(say.gettext("Deposits in this round"), say.crowns(total))]
    return _slip(
        "deposit",
        about,
        how,
        Text(say.gettext("Deposit received"), bold=True),
        Text(say.crowns(amount), size=3, bold=True),
        Space(),
        *_person(about),
        Space(),
        Pair(say.gettext("Lent"), say.ngettext("{n} chip", "{n} chips", chips)),
        *more,
        *_trace(about, how, commissioner, record),
        Space(),
        Text(say.gettext("The chips are lent: they have no value in money and stay with the club.")),
    )


def move_slip(about: Occasion, old: Seat, new: Seat, dealt_in: DealtIn, how: Printing) -> Slip:
    """From one seat to another (S-3, S-4), and when the player is dealt in there (S-5)."""
    say = how.say
    return _slip(
        "move",
        about,
        how,
        Text(say.gettext("You move"), bold=True),
        Space(),
        *_person(about),
        Space(),
        Pair(say.gettext("From"), _seat_words(old, say)),
        Pair(say.gettext("To"), _seat_words(new, say), bold=True),
        Space(),
        *_big(new, say),
        Space(),
        Text(say.gettext(_DEALT_IN[dealt_in]), bold=True),
        Text(say.gettext("Take all your chips with you.")),
        Space(),
        Text(how.moment(about.at)),
    )


def payout_slip(about: Occasion, place: int, prize: int, how: Printing, *, commissioner: str, record: str) -> Slip:
    """A prize of ``prize`` crowns for a place, with a line to sign for it (T-5)."""
    say = how.say
    return _slip(
        "payout",
        about,
        how,
        Text(say.gettext("Prize paid out"), bold=True),
        Text(say.gettext("{place} place", place=say.place(place)), size=2, bold=True),
        Text(say.crowns(prize), size=3, bold=True),
        Space(),
        *_person(about),
        Space(),
        *_trace(about, how, commissioner, record),
        Space(),
        Space(),
        Space(),
        Rule(dotted=True),
        Text(say.gettext("Signature of the recipient")),
    )


def sample_slip(how: Printing, at: dt.datetime, device: str) -> Slip:
    """Shows that the printer prints every Czech letter, sizes, and a QR code that a phone can read."""
    say = how.say
    lines: tuple[Line, ...] = (
        Text("Tableside", size=2, bold=True),
        Text(say.gettext("Test of the printer")),
        Rule(),
        Text("ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"),
        Text("áčďéěíňóřšťúůýž"),
        Text("Příliš žluťoučký kůň úpěl ďábelské ódy.", align=Align.LEFT),
        Text("0123456789", size=2),
        Text("Ž", size=4, bold=True),
        Qr("ts:1:test"),
        Pair(device, how.moment(at)),
        Cut(),
    )
    return Slip("test", lines, say.gettext("COPY"))


def _slip(kind: str, about: Occasion, how: Printing, *lines: Line) -> Slip:
    head = (Text(about.round_name, bold=True), Text(about.venue), Rule())
    return Slip(kind, (*head, *lines, Cut()), how.say.gettext("COPY"))


def _big(seat: Seat, say: Translator) -> tuple[Line, ...]:
    return (
        Text(say.gettext("Table {table}", table=seat.table), size=3, bold=True),
        Text(say.gettext("Seat {seat}", seat=seat.seat), size=4, bold=True),
    )


def _person(about: Occasion) -> tuple[Line, ...]:
    named = (Text(about.name, size=2),) if about.name else ()
    return (*named, Text(about.participant))


def _trace(about: Occasion, how: Printing, commissioner: str, record: str) -> tuple[Line, ...]:
    """When, by whom, and the record it can be found under."""
    say = how.say
    return (
        Pair(say.gettext("Time"), how.moment(about.at)),
        Pair(say.gettext("Commissioner"), commissioner),
        Pair(say.gettext("Record"), record),
    )


def _seat_words(seat: Seat, say: Translator) -> str:
    return say.gettext("Table {table}, seat {seat}", table=seat.table, seat=seat.seat)
