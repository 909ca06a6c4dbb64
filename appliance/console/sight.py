"""What the engine thread hands to the console: all that its pages are drawn from, as of one moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from appliance import kinds
from appliance.game.righttime import RIGHT, Times
from appliance.game.roster import Roster
from appliance.game.state import Ledger
from appliance.game.tablestream.state import TableHands
from appliance.link.envelope import PadShown, Spare
from appliance.phone import Phone


class Given(NamedTuple):
    """Who gave a command, and at which device; ``do``: what the command is called."""

    who: str
    device: str
    do: str = ""


class Sight(NamedTuple):
    """``n`` grows with each. ``ledgers`` are the announced rounds by id; ``heads`` the newest seq of each of their
    streams, which a command names that must not meet another state. ``tables``: tracked hands by table, ``pads`` what
    their dealers' keys show; ``places``: the device that each table is. ``devices`` are there now. ``copies``: how many
    other devices have all of it, so that an answer is on two disks; ``alone``: the venue has one device. ``given``: the
    commands of the rounds' histories, by their ids. ``uplink``: False where nothing carries the venue's records to the
    league; more is not known.
    """

    n: int = 0
    venue: str = ""
    ledgers: Mapping[str, Ledger] = {}
    heads: Mapping[str, int] = {}
    roster: Roster = Roster()
    times: Times = RIGHT
    notes: Mapping[str, kinds.Note] = {}
    tables: Mapping[int, TableHands] = {}
    pads: Mapping[int, PadShown] = {}
    places: Mapping[int, str] = {}
    devices: tuple[str, ...] = ()
    spares: tuple[Spare, ...] = ()
    taken: tuple[int, ...] = ()
    phones: tuple[Phone, ...] = ()
    copies: int = 0
    alone: bool = False
    uplink: bool | None = None
    given: Mapping[str, Given] = {}
