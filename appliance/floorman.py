"""What the floor menu needs of its kiosk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from appliance.display.scene import OpenMenu
from appliance.floor.forms import Pairing
from appliance.floor.said import Text
from appliance.game.command import Command
from appliance.game.refusal import Refusal
from appliance.game.righttime import Times
from appliance.game.roster import Roster
from appliance.game.state import Ledger, Round
from appliance.hw.panel import Signal
from appliance.kinds import DeviceAdopted, StrandedFound
from appliance.link.envelope import PhoneThere, Reply, Spare
from appliance.note import Note
from appliance.phone import PhoneRole


class Directs(Protocol):
    """Who directs, and how this device comes to."""

    @property
    def name(self) -> str:
        """The director's device, "" if nobody answers."""

    @property
    def possible(self) -> bool:
        """Whether this device could become it."""

    @property
    def hindrance(self) -> str:
        """Why the others would not follow it: a refusal's code, or empty."""

    @property
    def shut_out_by(self) -> str:
        """Who directs and does not let this device in, "" if nobody is known to."""

    @property
    def cut_off(self) -> bool:
        """Whether the venue would have no way to the league."""

    @property
    def unheard(self) -> tuple[str, ...]:
        """The devices that did not answer when it became it."""

    def take_over(self, by: str, told: Callable[[Refusal | None], None]) -> None:
        """Become it; ``told`` hears why not, or None once it does."""


class Decides(Protocol):
    """What only an old director had, and what becomes of it."""

    def open(self) -> tuple[StrandedFound, ...]:
        """What waits for a decision."""

    def settle(self, command: str, who: str, accept: bool, told: Callable[[Refusal | None], None]) -> None:
        """Decide of an entry; ``told`` hears why it could not be, or None once it is settled."""


class Admits(Protocol):
    """Devices that ask to be let in, and those that were."""

    @property
    def asking(self) -> tuple[Spare, ...]:
        """Who asks."""

    @property
    def adopted(self) -> tuple[DeviceAdopted, ...]:
        """Who was let in."""

    @property
    def taken(self) -> tuple[int, ...]:
        """The tables whose own device is there."""

    def adopt(
        self, key: str, code: str, role: str, table: int | None, who: str, told: Callable[[Refusal | None], None]
    ) -> None:
        """Let a device in; ``told`` hears why not, or None once it belongs here."""

    def drop(self, name: str, who: str, told: Callable[[Refusal | None], None]) -> None:
        """Have a device belong here no more."""


class Pairs(Protocol):
    """Phones that are signed in, and the one that is being."""

    @property
    def hindrance(self) -> str:
        """Why none can be: a refusal's code, or empty."""

    @property
    def signed_in(self) -> tuple[PhoneThere, ...]:
        """Those that are."""

    @property
    def pairing(self) -> Pairing | None:
        """The one that is being signed in here."""

    def sign_in(self, role: PhoneRole, table: int | None, who: str, told: Callable[[Refusal | None], None]) -> None:
        """Sign one in; ``told`` hears why not, or None once its picture may be shown."""

    def judge(self, yes: bool, told: Callable[[Refusal | None], None]) -> None:
        """It is the right one, or not."""

    def withdraw(self) -> None:
        """Nobody waits for it any more."""

    def cut_off(self, session: str, who: str, told: Callable[[Refusal | None], None]) -> None:
        """Have a phone signed in no more."""


class Floorman(Protocol):
    """The kiosk, as far as the menu needs it."""

    @property
    def table(self) -> int | None: ...
    @property
    def rounds(self) -> tuple[Round, ...]: ...
    @property
    def roster(self) -> Roster: ...
    @property
    def has_director(self) -> bool: ...
    @property
    def lang(self) -> str: ...
    @property
    def direction(self) -> Directs: ...
    @property
    def lone(self) -> Decides: ...
    @property
    def admission(self) -> Admits: ...
    @property
    def phonebook(self) -> Pairs: ...

    @property
    def times(self) -> Times:
        """How far the director's time is from the right one."""

    @property
    def device(self) -> str: ...

    def now_ms(self) -> int: ...
    def ask_venue(self, note: Note, who: str, told: Callable[[Refusal | None], None]) -> None:
        """Have the director write a note into the venue's stream; ``told`` hears why not, or None once it is."""

    def fresh_id(self) -> str: ...
    def ledger(self, round: str) -> Ledger:
        """A round of the own copy, with what can be undone."""

    def called(self) -> Literal["floor", "time"] | None:
        """What this table has called the floor for."""

    def command(self, number: str, command: Command, actor: str, told: Callable[[Reply], None]) -> None:
        """Send a command to the director under this id; ``told`` hears its answer."""

    def show_menu(self, page: OpenMenu | None) -> None:
        """Put a page on the screen, or take the menu from it."""

    def signal(self, signal: Signal) -> None:
        """Tell the room by light and buzzer."""

    def floor_is_here(self) -> None:
        """The table's call for the floor is over."""

    def refused_hands(self) -> int:
        """How many hands played without a director were refused and not seen to."""

    def refused_seen(self, who: str) -> None:
        """A commissioner has seen them."""

    def done(self, what: Text) -> None:
        """Say of a command whose menu has closed meanwhile that it was carried out."""

    def refuse(self, refusal: Refusal) -> None:
        """Say of a command whose menu has closed meanwhile that it was refused."""
