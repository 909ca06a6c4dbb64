"""What a view is made from: the round, the roster and this device, at a moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import msgspec

from appliance.display import prompt as p
from appliance.display.notice import Notice
from appliance.display.view import Asked, HandsRefused
from appliance.floor.lines import Shown
from appliance.floorwords import FloorWord
from appliance.game import state
from appliance.game.righttime import RIGHT, Times
from appliance.game.roster import Language, Roster
from appliance.game.tablestream.state import TableHands
from appliance.pad import Pad
from appliance.plaintext import is_blank, plain

_MIDNIGHT = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_FIRST_MS = (datetime.min.replace(tzinfo=UTC) + timedelta(days=2) - _MIDNIGHT) // _MILLISECOND
_LAST_MS = (datetime.max.replace(tzinfo=UTC) - timedelta(days=2) - _MIDNIGHT) // _MILLISECOND


class Venue(msgspec.Struct, frozen=True):
    """Where the screen stands: the venue's name as people say it, and its time zone."""

    name: str
    zone: tzinfo = msgspec.field(default_factory=lambda: ZoneInfo("Europe/Prague"))

    def at(self, at_ms: int) -> datetime:
        """UTC milliseconds as a time of day here; what no calendar has is the nearest day that it has."""
        at_ms = min(max(at_ms, _FIRST_MS), _LAST_MS)
        return (_MIDNIGHT + timedelta(milliseconds=at_ms)).astimezone(self.zone)


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """The state of this device: how far its screen can be believed.

    Is the director there (else since when not, UTC ms), does the reader work, is the evening on one disk only?
    ``kept``: the first and the last hand that were played here without the director; ``refused``: which of
    such hands the floor has to see to. ``time_doubted``: nobody vouches for the time. ``revoked``: the
    league has withdrawn this device; ``shut_out``: who directs and does not let it in. ``stopped``: some of the
    evening's records are not taken here.
    """

    director: bool = True
    director_lost_at: int | None = None
    reader: bool = True
    missing: tuple[str, ...] = ()
    one_copy: bool = False
    kept: tuple[int, int] | None = None
    refused: tuple[HandsRefused, ...] = ()
    lone: int = 0
    elsewhere: str = ""
    time_doubted: bool = False
    revoked: bool = False
    shut_out: str = ""
    stopped: bool = False


class OpenMenu(msgspec.Struct, frozen=True):
    """An open floor menu: the page, whose it is, and at which table.

    ``top``: going back leaves it; ``number``: one is entered. ``stamp``: another one where anything else is to be
    chosen.
    """

    page: Shown
    who: str
    top: bool
    number: bool = False
    table: int | None = None
    stamp: int = 0


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """All that a view of this venue is made from, at ``at_ms`` (UTC, the director's time).

    ``hand``: what this table's stream tells, where its hands are tracked; ``pad`` and ``keys``: the dealer's keys,
    where they are touched. ``told``: what else the room should know, of its devices and tables.
    ``touch``: fingers reach the screen. ``asked``: what this table has called the floor for. ``lang``: the screen's
    language. ``rotates``: something beside the round takes turns on this screen, as a house's pictures do. ``speed``:
    evening seconds a second, in a rehearsal. ``menu``: the floor's, where a commissioner has opened it. ``times``: how
    far the director's time is from the right one: a round's clock runs by that one, times of day by this.
    ``word``: the last that a commissioner had all screens say; it stands until it ends.
    """

    round: state.Round | None
    roster: Roster
    link: Link
    venue: Venue
    at_ms: int
    prompt: p.Prompt | None = None
    hand: TableHands | None = None
    pad: Pad | None = None
    keys: tuple[str, ...] = ()
    told: tuple[Notice, ...] = ()
    touch: bool = False
    asked: Asked | None = None
    lang: Language = "cs"
    rotates: bool = False
    speed: int = 1
    menu: OpenMenu | None = None
    times: Times = RIGHT
    word: FloorWord | None = None

    @property
    def right_ms(self) -> int:
        """The right time, as far as it is known (UTC ms)."""
        return self.times.right(self.at_ms)

    def clock_at(self, at_ms: int) -> datetime:
        """A moment by the director's time, as a time of day here."""
        return self.venue.at(self.times.right(at_ms))

    def who(self, participant: str) -> str:
        """How a screen names a participant: by number, where publication is not agreed to (LG-7, LG-12).

        That holds at the door too, where everybody in the queue reads along. Who checks an identity there compares the
        number with the one printed on the card, and the face with the person's own papers, which have the name.
        """
        entry = self.roster.by_number(participant)
        name = entry.public_name if entry else None
        return (short_name(name) if name else "") or participant


def short_name(name: str) -> str:
    """First name and initial: "Ing. Kateřina Šťastná, Ph.D." is "Kateřina Š."; empty where nobody would see it."""
    name = "" if is_blank(name) else plain(name)
    parts = [part for part in name.split(",")[0].split() if not part.endswith(".")]
    if len(parts) < 2:
        return parts[0] if parts else name.strip()
    return f"{parts[0]} {parts[-1][0]}."
