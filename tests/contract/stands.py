"""A test stand for each reader driver: the same hands hold cards against a simulated and a real reader."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.hw.control import ask
from appliance.hw.pcsc import PcscReader
from appliance.hw.ports import Dialog, Reader, ReaderEvent, Technology, Unreadable
from appliance.hw.simulated import SimulatedReader
from bench.ifd.rig import event_driven, plug, unplug
from tests.contract.emulated_reader import NTAG424_ATR, ApduCard, PageCard
from tests.contract.virtualcard import ATR, OK, Answer, Pcscd, ReaderConfig, VirtualCard, vpcd
from tests.contract.wired_stands import LineStand, Pn532PagesStand, Pn532Stand, SerialStand

Kind = TypeVar("Kind")


class Heard:
    """What a reader has told, in order."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
        self.sink = self.queue.put

    def next(self, kind: type[Kind], timeout: float = 10.0) -> Kind:
        """The next event, which must be of this kind; raises AssertionError when none comes."""
        try:
            event = self.queue.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"no {kind.__name__} within {timeout:g} s") from None
        assert isinstance(event, kind), f"{event} instead of {kind.__name__}"
        return event

    def skip_to(self, kind: type[Kind], timeout: float = 10.0) -> Kind:
        """The next event of this kind, whatever comes before it."""
        deadline = time.monotonic() + timeout
        while True:
            event = self.next(object, max(0.0, deadline - time.monotonic()))
            if isinstance(event, kind):
                return event

    def nothing(self, seconds: float) -> None:
        """Assert that nothing is told for a while."""
        try:
            event = self.queue.get(timeout=seconds)
        except queue.Empty:
            return
        raise AssertionError(f"{event} out of nothing")


class Stand(Protocol):
    """A reader on a desk, with a hand that moves cards and cables."""

    reader: Reader
    taps: int
    """How many taps of this stand make a fair test without being slow."""
    first: str
    other: str
    """UIDs of two cards that this reader can read."""
    dialog: Dialog | None
    """What it takes for the reader to notice a card that gives its UID and nothing else; None where nothing."""

    def uid(self, number: int) -> str:
        """The UID of the n-th of many cards."""

    def put(self, uid: str) -> None: ...
    def take(self) -> None: ...
    def unplug(self) -> None: ...
    def plug(self) -> None: ...
    def bad_card(self) -> Unreadable | None:
        """Hold up and take away something unreadable; what the reader should say of it, None: nothing."""

    def close(self) -> None: ...


class Hands:
    """What stands have in common whose readers take any UID."""

    first, other = "04A2B3C4D5E6F7", "04010203040506"
    dialog: Dialog | None = None

    @staticmethod
    def uid(number: int) -> str:
        return f"04{number:012X}"


class SimulatedStand(Hands):
    """The simulated reader, driven in its process."""

    taps = 500

    def __init__(self, _: Path) -> None:
        self.reader = SimulatedReader("door")

    def put(self, uid: str) -> None:
        self.reader.put(uid)

    def take(self) -> None:
        self.reader.take()

    def unplug(self) -> None:
        self.reader.unplug()

    def plug(self) -> None:
        self.reader.replug()

    def bad_card(self) -> Unreadable:
        self.reader.unreadable(Unreadable.MUTE)
        return Unreadable.MUTE

    def close(self) -> None:
        self.reader.stop()


class SimulatedNtag424Stand(SimulatedStand):
    """The same with an NTAG 424 DNA."""

    technology = Technology.ISO_DEP

    def put(self, uid: str) -> None:
        self.reader.put(EmulatedNtag424(bytes.fromhex(uid)))


class SimulatedNtag21xStand(SimulatedStand):
    """The same with an NTAG216."""

    technology = Technology.TYPE_2

    def put(self, uid: str) -> None:
        self.reader.put(EmulatedNtag21x(Model.NTAG216, bytes.fromhex(uid)))


class SocketStand(SimulatedStand):
    """The simulated reader, driven over its socket as from another process.

    While the reader is not started there is no socket; hands then move what is in the process.
    """

    taps = 200

    def __init__(self, where: Path) -> None:
        self.socket = where / "door.sock"
        self.reader = SimulatedReader("door", socket=self.socket)

    def put(self, uid: str) -> None:
        self._ask(f"put {uid}")

    def take(self) -> None:
        self._ask("take")

    def unplug(self) -> None:
        self._ask("unplug")

    def plug(self) -> None:
        self._ask("plug")

    def bad_card(self) -> Unreadable:
        self._ask("unreadable no-uid")
        return Unreadable.NO_UID

    def _ask(self, line: str) -> None:
        answer = ask(self.socket, line) if self.socket.exists() else self.reader.obey(line)
        assert answer == "ok" or answer.startswith("error not seen"), answer


class PcscStand(Hands):
    """The PC/SC reader on a real pcscd; its subclasses choose the virtual reader."""

    taps: ClassVar[int]
    atr = ATR
    technology = Technology.TYPE_2

    def __init__(self, config: ReaderConfig, wanted: str) -> None:
        self.config = config
        self.pcscd = Pcscd(config)
        self.pcscd.start()
        self.reader = PcscReader(wanted, name="door")
        self.card: VirtualCard | None = None

    def put(self, uid: str) -> None:
        self.card = VirtualCard(self.config.address, self.answer(uid), atr=self.atr)

    def answer(self, uid: str) -> str | Answer:
        """What the card says to commands."""
        return uid

    def take(self) -> None:
        if self.card:
            self.card.remove()
            self.card = None

    def close(self) -> None:
        self.take()
        self.reader.stop()
        self.pcscd.__exit__()


class VpcdStand(PcscStand):
    """The stock virtual reader: pcscd looks for its card every 400 ms. Its cable is pcscd's configuration."""

    taps = 5

    def __init__(self, _: Path) -> None:
        super().__init__(vpcd(), "virtual pcd 00 00")

    def unplug(self) -> None:
        self._restart()

    def plug(self) -> None:
        self._restart(self.config)

    def _restart(self, *readers: ReaderConfig) -> None:
        self.pcscd.stop()
        self.pcscd.configure(*readers)
        self.pcscd.start()

    def bad_card(self) -> Unreadable:
        with VirtualCard(self.config.address, lambda command: OK) as card:
            card.wait_until_read()
            while len(card.asked) < 2:
                time.sleep(0.01)
        return Unreadable.NO_UID


class EventDrivenStand(PcscStand):
    """The virtual reader that tells at once, as USB readers do."""

    taps = 100

    def __init__(self, _: Path) -> None:
        super().__init__(event_driven(), "tableside")

    def unplug(self) -> None:
        unplug(self.config)

    def plug(self) -> None:
        plug(self.config)

    def bad_card(self) -> Unreadable:
        with VirtualCard(self.config.address, "", atr=b""):
            time.sleep(0.5)  # pcscd's library itself waits 410 ms for a chip that does not answer
        return Unreadable.MUTE

    def close(self) -> None:
        plug(self.config)
        super().close()


class VpcdNtag424Stand(VpcdStand):
    """The same with an NTAG 424 DNA."""

    atr = NTAG424_ATR
    technology = Technology.ISO_DEP

    def answer(self, uid: str) -> Answer:
        return ApduCard(uid, EmulatedNtag424(bytes.fromhex(uid)))


class VpcdNtag21xStand(VpcdStand):
    """The same with an NTAG213."""

    def answer(self, uid: str) -> Answer:
        return PageCard(uid, EmulatedNtag21x(Model.NTAG213, bytes.fromhex(uid)))


class EventDrivenNtag424Stand(EventDrivenStand):
    """The quick reader with an NTAG 424 DNA."""

    atr = NTAG424_ATR
    technology = Technology.ISO_DEP

    def answer(self, uid: str) -> Answer:
        return ApduCard(uid, EmulatedNtag424(bytes.fromhex(uid)))


STANDS: dict[str, Callable[[Path], Stand]] = {
    "simulated": SimulatedStand,
    "simulated-socket": SocketStand,
    "pcsc-vpcd": VpcdStand,
    "pcsc-event-driven": EventDrivenStand,
    "nfc-pn532": Pn532Stand,
    "nfc-pn532-pages": Pn532PagesStand,
    "serial-rdm6300": SerialStand,
    "serial-line": LineStand,
}

DIALOG_STANDS: dict[str, Callable[[Path], Stand]] = {
    **{name: stand for name, stand in STANDS.items() if name != "pcsc-vpcd"},
    "simulated-ntag424": SimulatedNtag424Stand,
    "simulated-ntag21x": SimulatedNtag21xStand,
    "pcsc-vpcd-ntag424": VpcdNtag424Stand,
    "pcsc-vpcd-ntag21x": VpcdNtag21xStand,
    "pcsc-event-driven-ntag424": EventDrivenNtag424Stand,
}
"""The same for dialogs: with cards that answer more than for their UID."""
