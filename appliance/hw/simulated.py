"""The simulated reader: a reader without hardware, for rehearsals, the demo and the tests.

It is driven from inside the process (`SimulatedReader.tap`) or, given a socket path, from outside by lines:

    tap UID            a card is put on the reader and taken away
    put UID            a card is put on the reader and stays
    tap card NAME      the same with a simulated card of the wallet, or of a file; it answers dialogs as a real one
    put card NAME
    ... TRICK [N]      it is taken away before its N-th command (yank) or with its answer (tear), says nothing more
                       (mute), or is heard wrongly (garble)
    take               the card on the reader is taken away
    unreadable [WHY]   something that cannot be read is put on and taken away (gone, mute, no-uid, busy)
    unplug, plug       the reader loses and gets back its cable
    key NAME           a key of the keyboard beside it is pressed (f, return, [5], left ctrl)
    state              answers stopped, offline or online

Each line is answered with ``ok``, the state, or ``error`` and a reason. What was asked is kept in `asked`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from appliance.hw.control import LineServer
from appliance.hw.ports import Dialog, KeyPressed, ReaderState, Sink, Unreadable
from appliance.hw.simulated_card import Fault, Laid, SimulatedCard, Trick, Wallet
from appliance.hw.simulated_run import SimulatedRun

MAX_UID_BYTES = 32
"""The simulated reader passes on UIDs that no real card has, so that their refusal can be rehearsed too."""

COMMANDS = (
    "tap UID, put UID, tap card NAME [TRICK [N]], put card NAME [TRICK [N]], take, unreadable [WHY], "
    "unplug, plug, key NAME, state"
)


class SimulatedReader:
    """A `Reader` whose cards are put there by its callers; see the module's text for the socket's lines.

    Card, cable and program are independent, as with a real one: a card may lie on a reader that is
    unplugged or not started, and is seen once it is both. What a caller does has been told when its call returns.
    """

    def __init__(
        self,
        name: str = "simulated",
        *,
        socket: Path | None = None,
        wallet: Wallet | None = None,
        plugged: bool = True,
    ) -> None:
        self._name = name
        self._server = LineServer(socket, self.obey) if socket else None
        self._wallet = wallet
        self._hands = threading.RLock()
        self._run: SimulatedRun | None = None
        self._plugged = plugged
        self._field: Laid | None = None
        self.asked: deque[str] = deque(maxlen=4096)

    @property
    def name(self) -> str:
        return self._name

    @property
    def state(self) -> ReaderState:
        run = self._run
        return run.state if run else ReaderState.STOPPED

    @property
    def alive_ns(self) -> int:
        return time.monotonic_ns() if self.state is ReaderState.ONLINE else 0

    def start(self, sink: Sink, dialog: Dialog | None = None) -> None:
        """Begin to tell; opens the socket if there is one (OSError when it cannot be had)."""
        with self._hands:
            if self._run is not None:
                raise RuntimeError(f"{self._name}: already started")
            if self._server:
                self._server.start()
            self.asked.append("start")
            self._run = SimulatedRun(self._name, sink, dialog, lambda: self._plugged)
            run, field = self._run, self._field
        run.start()
        self._do(lambda: run.cable(self._plugged))
        if field:
            run.later(lambda: run.came(field))

    def stop(self) -> None:
        if self._server:
            self._server.stop()
        with self._hands:
            self.asked.append("stop")
            run, self._run = self._run, None
        if run:
            run.stop()

    def tap(self, card: str | SimulatedCard, fault: Fault | None = None) -> bool:
        """Put a card on the reader and take it away; whether the reader saw it. ValueError: no such UID."""
        return self._pass_by("tap", checked_uid(card) if isinstance(card, str) else card, fault)

    def unreadable(self, why: Unreadable = Unreadable.MUTE) -> bool:
        """Put something on that cannot be read, and take it away; whether the reader saw it."""
        return self._pass_by("unreadable", why)

    def put(self, card: str | SimulatedCard, fault: Fault | None = None) -> bool:
        """Put a card on the reader and leave it there; one that lies there is taken away first."""
        what = checked_uid(card) if isinstance(card, str) else card
        self.asked.append(f"put {_said(what)}")
        self._lay(Laid(what, fault))
        return self.state is ReaderState.ONLINE

    def take(self) -> None:
        """Take away the card that was `put`; nothing happens without one."""
        self.asked.append("take")
        with self._hands:
            left = self._field
        if left:
            self._lift(left)

    def unplug(self) -> None:
        """Pull the reader's cable."""
        self._cable("unplug", False)

    def replug(self) -> None:
        """Put the reader's cable back."""
        self._cable("plug", True)

    def press(self, key: str) -> None:
        """Press a key of the keyboard beside the reader; a cable that is pulled is not the keyboard's."""
        self.asked.append(f"key {key}")
        if run := self._run:
            self._do(lambda: run.tell(KeyPressed(self._name, key)))

    def obey(self, line: str) -> str:
        """Carry out one command line and return the answer; ValueError says what is wrong with it."""
        verb, *words = line.split()[:6] or [""]
        match verb, words:
            case (("tap" | "put"), ["card", name, *rest]) if len(rest) <= 2:
                return self._seen(self._from_wallet(verb, name, _fault(rest)))
            case "tap", [uid]:
                return self._seen(self.tap(uid))
            case "put", [uid]:
                return self._seen(self.put(uid))
            case "unreadable", []:
                return self._seen(self.unreadable())
            case "unreadable", [why]:
                return self._seen(self.unreadable(_why(why)))
            case "take", []:
                self.take()
            case "unplug", []:
                self.unplug()
            case "plug", []:
                self.replug()
            case "key", [_, *_] if len(words) <= 2:
                self.press(" ".join(words))
            case "state", []:
                return self.state.value
            case _:
                raise ValueError(f"not a command: {line[:40]!r} ({COMMANDS})")
        return "ok"

    def _seen(self, seen: bool) -> str:
        return "ok" if seen else f"error not seen: {self._name} is {self.state.value}"

    def _from_wallet(self, verb: str, name: str, fault: Fault | None) -> bool:
        if self._wallet is None:
            raise ValueError(f"{self._name} has no wallet of simulated cards")
        wallet, card = self._wallet, self._wallet.find(name)
        self.asked.append(f"{verb} card {name}")
        laid = Laid(card, fault, lambda: wallet.keep(name, card))
        self._lay(laid)
        seen = self.state is ReaderState.ONLINE
        if verb == "tap":
            self._lift(laid)
        return seen

    def _pass_by(self, verb: str, what: str | Unreadable | SimulatedCard, fault: Fault | None = None) -> bool:
        self.asked.append(f"{verb} {_said(what)}")
        laid = Laid(what, fault)
        self._lay(laid)
        seen = self.state is ReaderState.ONLINE
        self._lift(laid)
        return seen

    # -- hands, and what the reader's thread makes of them -----------------------------------------------

    def _lay(self, laid: Laid) -> None:
        with self._hands:
            before, self._field = self._field, laid
            run = self._run
        if before:
            before.leave()
        if run and before:
            self._do(run.left)
        if run:
            self._do(lambda: run.came(laid))
        if laid.gone:
            self._lift(laid)

    def _lift(self, laid: Laid) -> None:
        """Take a card away, unless another lies there by now."""
        with self._hands:
            if self._field is not laid:
                return
            self._field = None
            run = self._run
        laid.leave()
        if run:
            self._do(run.left)

    def _cable(self, asked: str, plugged: bool) -> None:
        self.asked.append(asked)
        with self._hands:
            if plugged == self._plugged:
                return
            self._plugged = plugged
            run, field = self._run, self._field
        if run:
            self._do(lambda: run.cable(plugged))
            if plugged and field:
                self._do(lambda: run.came(field))

    def _do(self, job: Callable[[], None]) -> None:
        """Have the reader's thread do it, and wait for that."""
        if run := self._run:
            run.do(job)


def checked_uid(text: str) -> str:
    """A simulated card's UID, upper case; raises ValueError unless it is 1 to 32 bytes in hex."""
    try:
        uid = bytes.fromhex(text)
    except ValueError:
        raise ValueError(f"not hex: {text[:40]!r}") from None
    if not 1 <= len(uid) <= MAX_UID_BYTES:
        raise ValueError(f"a UID has 1 to {MAX_UID_BYTES} bytes, not {len(uid)}")
    return uid.hex().upper()


def _said(what: str | Unreadable | SimulatedCard) -> str:
    return str(what) if isinstance(what, str) else what.uid.hex().upper()


def _why(text: str) -> Unreadable:
    try:
        return Unreadable(text)
    except ValueError:
        raise ValueError(f"not a reason: {text[:40]!r} ({', '.join(Unreadable)})") from None


def _fault(words: list[str]) -> Fault | None:
    if not words:
        return None
    try:
        return Fault(Trick(words[0]), _count(words[1]) if words[1:] else 1)
    except ValueError:
        raise ValueError(f"not a trick: {' '.join(words)[:40]!r} ({', '.join(Trick)}, at command 1 to 999)") from None


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 999:
        raise ValueError(text)
    return number
