"""What a kiosk's engine thread hands to its screen, and what it is handed by its program."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from appliance import kinds
from appliance.display.prompt import Prompt
from appliance.display.scene import OpenMenu
from appliance.floorwords import FloorWord
from appliance.game.command import Command
from appliance.game.righttime import RIGHT, Times
from appliance.game.roster import Roster
from appliance.game.state import Round
from appliance.game.tablestream.state import TableHands
from appliance.hw.printer_ports import PrinterState
from appliance.link.envelope import Reply
from appliance.pad import Pad


class Snapshot(NamedTuple):
    """What the screen is drawn from. ``expected`` is what will follow the prompt if nobody objects.

    ``reader``: cards are read here; ``missing``: readers that do not work beside others that do. ``printer`` is told
    where there is one and it does not print. ``calls`` for the floor are all that stand in the venue, our own first.
    ``offset_ms`` leads from this device's time to the director's; ``stands_at``: that is not known since a power cut,
    and this much (UTC ms) is the last that was. ``table``: the table's hands, where every action is
    tracked; ``pad`` and ``keys``: what the dealer typed, and which keys make sense now. ``kept``: the first and last
    hand that the table has played without a director; ``refused``: such hands of the venue's tables that the floor has
    to see to; ``lone``: so many entries of an old director wait for a decision; ``elsewhere``: the device
    that is this table now. ``menu``: the floor's, where a commissioner has opened it. ``times``: how far
    the director's time is from the right one. ``revoked``: the league has withdrawn this device; ``shut_out``: who
    directs and does not let it in. ``stopped``: records that screens show are not taken here. ``word``: the last that a
    commissioner had all screens say.
    """

    rounds: tuple[Round, ...] = ()
    roster: Roster = Roster()
    prompt: Prompt | None = None
    prompt_until: float = 0.0
    expected: Prompt | None = None
    director: bool = False
    director_lost_at: int | None = None
    reader: bool = True
    missing: tuple[str, ...] = ()
    printer: PrinterState | None = None
    calls: tuple[kinds.FloorCall, ...] = ()
    offset_ms: int = 0
    stands_at: int | None = None
    table: TableHands | None = None
    pad: Pad = Pad()
    keys: tuple[str, ...] = ()
    kept: tuple[int, int] | None = None
    refused: tuple[kinds.OfflineRefused, ...] = ()
    lone: int = 0
    elsewhere: str = ""
    menu: OpenMenu | None = None
    revoked: bool = False
    shut_out: str = ""
    stopped: bool = False
    times: Times = RIGHT
    word: FloorWord | None = None


class Key(NamedTuple):
    """A key of the dealer's: by its own name, or by that of the keyboard's key, whose meaning may change.

    ``menu``: one or more of the floor menu's, parted by spaces, as they were touched there; ``seen``: the stamp of its
    page that was on the glass, None where no glass has told.
    """

    name: str
    keyboard: bool = False
    menu: bool = False
    seen: int | None = None


class Asked(NamedTuple):
    """A command of this program, and whom to tell its answer (in the engine thread)."""

    command: Command
    actor: str
    ttl_ms: int
    told: Callable[[Reply], None]
