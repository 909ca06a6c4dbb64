"""The simulated reader: a reader without hardware, for rehearsals, the demo and the tests.

It is driven from inside the process (`SimulatedReader.tap`) or, given a socket path, from outside by lines:

    tap UID            a card is put on the reader and taken away
    put UID            a card is put on the reader and stays
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
from pathlib import Path

from appliance.hw.control import LineServer
from appliance.hw.ports import (
    CardPresented,
    CardRemoved,
    CardUnreadable,
    Dialog,
    KeyPressed,
    Offline,
    ReaderEvent,
    ReaderOffline,
    ReaderOnline,
    ReaderState,
    Sink,
    Unreadable,
)

MAX_UID_BYTES = 32
"""The simulated reader passes on UIDs that no real card has, so that their refusal can be rehearsed too."""

COMMANDS = "tap UID, put UID, take, unreadable [WHY], unplug, plug, key NAME, state"


class SimulatedReader:
    """A `Reader` whose cards are put there by its callers; see the module's text for the socket's lines.

    Card, cable and program are independent, as with a real one: a card may lie on a reader that is
    unplugged or not started, and is seen once it is both.
    """

    def __init__(self, name: str = "simulated", *, socket: Path | None = None, plugged: bool = True) -> None:
        self._name = name
        self._server = LineServer(socket, self.obey) if socket else None
        self._lock = threading.Lock()
        self._sink: Sink | None = None
        self._plugged = plugged
        self._field: str | Unreadable | None = None
        self.asked: deque[str] = deque(maxlen=4096)

    @property
    def name(self) -> str:
        return self._name

    @property
    def state(self) -> ReaderState:
        with self._lock:
            return self._state()

    @property
    def alive_ns(self) -> int:
        with self._lock:
            return time.monotonic_ns() if self._state() is ReaderState.ONLINE else 0

    def start(self, sink: Sink, dialog: Dialog | None = None) -> None:
        """Begin to tell; opens the socket if there is one (OSError when it cannot be had)."""
        with self._lock:
            if self._sink is not None:
                raise RuntimeError(f"{self._name}: already started")
            if self._server:
                self._server.start()
            self.asked.append("start")
            self._sink = sink
            self._tell_cable()

    def stop(self) -> None:
        if self._server:
            self._server.stop()
        with self._lock:
            self.asked.append("stop")
            self._sink = None

    def tap(self, uid: str) -> bool:
        """Put a card on the reader and take it away; whether the reader saw it. ValueError: no such UID."""
        return self._pass_by(f"tap {uid}", checked_uid(uid))

    def unreadable(self, why: Unreadable = Unreadable.MUTE) -> bool:
        """Put something on that cannot be read, and take it away; whether the reader saw it."""
        return self._pass_by(f"unreadable {why}", why)

    def put(self, uid: str) -> bool:
        """Put a card on the reader and leave it there; one that lies there is taken away first."""
        card = checked_uid(uid)
        with self._lock:
            self.asked.append(f"put {uid}")
            self._clear_field()
            self._fill_field(card)
            return self._state() is ReaderState.ONLINE

    def take(self) -> None:
        """Take away the card that was `put`; nothing happens without one."""
        with self._lock:
            self.asked.append("take")
            self._clear_field()

    def unplug(self) -> None:
        """Pull the reader's cable."""
        self._cable("unplug", False)

    def replug(self) -> None:
        """Put the reader's cable back."""
        self._cable("plug", True)

    def press(self, key: str) -> None:
        """Press a key of the keyboard beside the reader; a cable that is pulled is not the keyboard's."""
        with self._lock:
            self.asked.append(f"key {key}")
            self._tell(KeyPressed(self._name, key), always=True)

    def obey(self, line: str) -> str:
        """Carry out one command line and return the answer; ValueError says what is wrong with it."""
        verb, *words = line.split()[:3] or [""]
        match verb, words:
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
            case "key", [_, *_]:
                self.press(" ".join(words))
            case "state", []:
                return self.state.value
            case _:
                raise ValueError(f"not a command: {line[:40]!r} ({COMMANDS})")
        return "ok"

    def _seen(self, seen: bool) -> str:
        return "ok" if seen else f"error not seen: {self._name} is {self.state.value}"

    def _pass_by(self, asked: str, card: str | Unreadable) -> bool:
        with self._lock:
            self.asked.append(asked)
            self._clear_field()
            self._fill_field(card)
            self._clear_field()
            return self._state() is ReaderState.ONLINE

    def _cable(self, asked: str, plugged: bool) -> None:
        with self._lock:
            self.asked.append(asked)
            if plugged != self._plugged:
                self._plugged = plugged
                self._tell_cable()

    def _tell_cable(self) -> None:
        if not self._plugged:
            self._tell(ReaderOffline(self._name, Offline.NO_READER), always=True)
            return
        self._tell(ReaderOnline(self._name))
        if self._field is not None:
            self._fill_field(self._field)

    def _fill_field(self, card: str | Unreadable) -> None:
        self._field = card
        now = time.monotonic_ns()
        if isinstance(card, Unreadable):
            self._tell(CardUnreadable(self._name, card, now))
        else:
            self._tell(CardPresented(self._name, card, now))

    def _clear_field(self) -> None:
        if self._field is not None:
            self._field = None
            self._tell(CardRemoved(self._name, time.monotonic_ns()))

    def _tell(self, event: ReaderEvent, *, always: bool = False) -> None:
        """Tell the sink; an unplugged reader has nothing to tell but that."""
        if self._sink is not None and (self._plugged or always):
            self._sink(event)

    def _state(self) -> ReaderState:
        if self._sink is None:
            return ReaderState.STOPPED
        return ReaderState.ONLINE if self._plugged else ReaderState.OFFLINE


def checked_uid(text: str) -> str:
    """A simulated card's UID, upper case; raises ValueError unless it is 1 to 32 bytes in hex."""
    try:
        uid = bytes.fromhex(text)
    except ValueError:
        raise ValueError(f"not hex: {text[:40]!r}") from None
    if not 1 <= len(uid) <= MAX_UID_BYTES:
        raise ValueError(f"a UID has 1 to {MAX_UID_BYTES} bytes, not {len(uid)}")
    return uid.hex().upper()


def _why(text: str) -> Unreadable:
    try:
        return Unreadable(text)
    except ValueError:
        raise ValueError(f"not a reason: {text[:40]!r} ({', '.join(Unreadable)})") from None
