"""What a simulated NTAG 424 DNA remembers: with power (files, keys, counters) and only as long as it has power.

A new card is as NXP delivers it: zero keys, three files, rights as the data sheet prints them (NT4H2421Gx, 8.2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from appliance.cards.emulator.ntag424_secure import CardSession
from appliance.cards.secret import Secret

KEYS = 5
FILE_IDS = {0xE103: 1, 0xE104: 2, 0xE105: 3}
FREE, NEVER = 0xE, 0xF


class Refused(Exception):
    """The card says no with this status word."""

    def __init__(self, sw: int) -> None:
        super().__init__(f"{sw:04X}")
        self.sw = sw


@dataclass
class Key:
    """One AES key and what is known of attempts to guess it."""

    value: Secret
    version: int = 0
    failed: int = 0
    """Failed authentications, less what successes took off (TotFailCtr)."""
    failed_in_a_row: int = 0
    delayed: int = 0
    """Answers 91AD given since the last failure; each is a part of the delay (SpentTimeCtr)."""


@dataclass
class Sdm:
    """Secure dynamic messaging as the card keeps it; offsets that do not apply are None."""

    uid: bool
    counter: bool
    meta_read: int
    file_read: int
    counter_read: int
    offsets: dict[str, int]

    def at(self, name: str) -> int | None:
        """An offset by its name, None when it does not apply."""
        return self.offsets.get(name)


@dataclass
class File:
    """A standard data file: rights are read, write, read-write and change."""

    content: bytes
    mode: int
    rights: tuple[int, int, int, int]
    sdm: Sdm | None = None
    options: bytes = b""
    """The SDM part of the settings as it was set, for GetFileSettings."""
    reads: int = 0
    """The SDM read counter."""


@dataclass
class Memory:
    """What stays without power."""

    uid: bytes
    keys: list[Key]
    files: dict[int, File]
    counts_failures: bool = True
    failure_limit: int = 1000
    failure_decrement: int = 10
    batch: bytes = bytes.fromhex("CF39D449800120")
    """Batch, calendar week and year of production."""


@dataclass
class Chain:
    """A command of several frames that is under way: an authentication's second part, or GetVersion's next frames."""

    key_no: int = 0
    challenge: bytes = b""
    capabilities: bytes = b""
    """What the reader of a first authentication said it can do, six bytes."""
    session: CardSession | None = None
    """The session that a further authentication goes on with."""
    frames: list[bytes] = field(default_factory=list)


@dataclass
class Power:
    """What is gone without power."""

    application: bool = False
    """Whether the application is selected; the card wakes at its root."""
    file: int | None = None
    session: CardSession | None = None
    chain: Chain | None = None
    reading: tuple[str, int, bytes] | None = None
    """The command and file of an unauthenticated read and its random padding: repeats see the same message."""


@dataclass
class Card:
    """The whole state, and where its random numbers come from."""

    memory: Memory
    random: Callable[[int], bytes]
    power: Power = field(default_factory=Power)

    def file(self, number: int) -> File:
        """A file by its number; refuses outside the application and what is not there."""
        if not self.power.application:
            raise Refused(0x919D)
        if number not in self.memory.files:
            raise Refused(0x91F0)
        return self.memory.files[number]


def delivered(uid: bytes) -> Memory:
    """The memory of a card as delivered, with this UID of seven bytes."""
    container = bytes.fromhex("001720010000FF0406E104010000000506E10500808283").ljust(32, b"\0")
    return Memory(
        uid,
        [Key(Secret(bytes(16))) for _ in range(KEYS)],
        {
            1: File(container, 0, (FREE, 0, 0, 0)),
            2: File(bytes(256), 0, (FREE, FREE, FREE, 0)),
            3: File(b"\0\x7e".ljust(128, b"\0"), 3, (2, 3, 3, 0)),
        },
    )
