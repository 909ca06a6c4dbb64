"""Readers behind PC/SC: one thread sleeps in pcscd until a card moves, talks with it and goes back to sleep.

pyscard's own monitor is not used: it loses the taps of a slow observer and dies with pcscd. Here the blocking
SCardGetStatusChange (PC/SC part 5; pcsc-lite's API) is asked directly. pcscd counts a reader's insertions and
removals in the high word of its state, so that movements made while a card was being read are not missed.
Whatever fails, everything is closed and opened again, for as long as the reader is started; what hangs is noticed by
a guard (`appliance.hw.pcsc_run`).
"""

from __future__ import annotations

import time
from pathlib import Path

from appliance.hw.dialogue import ask
from appliance.hw.pcsc_channel import channel
from appliance.hw.pcsc_choice import SYSFS, Wish, Wishes, usb_id
from appliance.hw.pcsc_codes import ABSENT_READER, UNAWARE, Move, NotRead, moves
from appliance.hw.pcsc_run import RETRIES, Run
from appliance.hw.pcsc_service import Service
from appliance.hw.pcsc_turn import Turn
from appliance.hw.ports import (
    CardLost,
    CardPresented,
    CardUnreadable,
    Dialog,
    Offline,
    ReaderState,
    Sink,
    Unreadable,
)

LOOK_MS = 1000
"""How long to wait for a first reader before listing again. pcscd tells of new readers only to those who wait
already, so one that comes between the list and the wait is seen at the next list."""

LIST_S = 60.0
"""How often readers are listed while one works: then only a second one can come unseen."""

PROOF_MS = 6000
"""How long to wait for a card before pcscd is asked for a sign of life: it costs a few wake-ups each time."""

RETRY_MS = 500
"""How often a card that could not be read is tried again while it is held there."""

DIALOG_S = 2.0
"""How long a dialog may take before its card is given up and others get their turn."""


class PcscReader:
    """A `Reader` for the PC/SC readers whose name contains ``match``, ignoring case, or of USB id ``usb``, or both.

    With neither it takes every reader that none of those ``among`` asks for; never the SAM slots some have for key
    chips, unless ``match`` says so. It is online while at least one of them works. ``dialog_s`` limits a dialog.
    """

    def __init__(
        self,
        match: str = "",
        *,
        usb: str = "",
        name: str = "pcsc",
        among: Wishes | None = None,
        dialog_s: float = DIALOG_S,
        sysfs: Path = SYSFS,
    ) -> None:
        self._name = name
        self._wish = Wish(match, usb)
        self._wishes = among or Wishes()
        self._wishes.add(self._wish)
        self._dialog_s = dialog_s
        self._sysfs = sysfs
        self._current: Run | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def state(self) -> ReaderState:
        run = self._current
        return run.state if run else ReaderState.STOPPED

    @property
    def alive_ns(self) -> int:
        run = self._current
        return run.alive_ns if run else 0

    def start(self, sink: Sink, dialog: Dialog | None = None) -> None:
        if self._current:
            raise RuntimeError(f"{self._name}: already started")

        def new_turn(run: Run) -> Turn:
            return _Turn(run, self._wish, self._wishes, dialog, self._dialog_s, self._sysfs)

        self._current = Run(self._name, sink, new_turn)
        self._current.start()

    def stop(self) -> None:
        run, self._current = self._current, None
        if run:
            run.stop()


class _Turn(Turn):
    """What one thread does with pcscd, until the end or until it hangs and another takes over."""

    def __init__(
        self, run: Run, wish: Wish, wishes: Wishes, dialog: Dialog | None, dialog_s: float, sysfs: Path
    ) -> None:
        super().__init__(run)
        self._wish = wish
        self._wishes = wishes
        self._dialog = dialog
        self._dialog_s = dialog_s
        self._sysfs = sysfs
        self._usb: dict[str, str | None] = {}

    def watch(self, service: Service) -> None:
        run, slots = self.run, self.run.slots
        listed = 0.0
        news: dict[str, int] | None = {}
        while not run.ended.is_set():
            if news is not None or not slots or time.monotonic() - listed > LIST_S:
                listed = time.monotonic()
                self._list(service)
            wait_ms = RETRY_MS if run.unread else PROOF_MS if slots else LOOK_MS
            with self.asking(wait_ms / 1000):
                news = service.wait(slots, wait_ms)
            now = time.monotonic_ns()
            self._tell_state(slots | (news or {}))
            for name, state in (news or {}).items():
                before, slots[name] = slots[name], state
                self._tell_moves(service, name, moves(before, state), state, now)
            for name in run.unread.keys() - (news or {}).keys():
                self._try_again(service, name, slots[name], now)

    def _list(self, service: Service) -> None:
        """Look which slots are there and ours."""
        slots = self.run.slots
        with self.asking():
            there = service.readers()
            if self._wishes.by_usb:
                self._usb = {name: self._usb.get(name) or self._usb_id(service, name) for name in there}
        names = self._wishes.slots(self._wish, there, self._usb.get)
        if not names:
            self.go_offline(Offline.NO_READER, f"no {self._wish} among {there}")
        for name in slots.keys() - set(names):
            self.card_left(name, time.monotonic_ns())
            slots.pop(name, None)
        for name in names:
            slots.setdefault(name, UNAWARE)

    def _usb_id(self, service: Service, slot: str) -> str | None:
        channel_id = service.channel(slot)
        return None if channel_id is None else usb_id(channel_id, self._sysfs)

    def _tell_state(self, slots: dict[str, int]) -> None:
        known = [state for state in slots.values() if state != UNAWARE]
        if any(not state & ABSENT_READER for state in known):
            self.go_online()
        elif known:
            self.go_offline(Offline.FAILED, "pcscd cannot talk to it")

    def _tell_moves(self, service: Service, slot: str, happened: list[Move], state: int, at_ns: int) -> None:
        """Tell of cards that came and left; only the last that came can still be there to be read."""
        run = self.run
        for number, move in enumerate(happened, 1):
            if move is Move.LEFT:
                self.card_left(slot, at_ns)
                continue
            run.occupied.add(slot)
            if number < len(happened):
                self.tell(CardUnreadable(run.name, Unreadable.GONE, at_ns))
                continue
            event = self._read(service, slot, state, at_ns, again=False)
            if isinstance(event, CardUnreadable):
                run.unread[slot] = RETRIES
            self.tell(event)

    def _try_again(self, service: Service, slot: str, state: int, at_ns: int) -> None:
        """Read a card that is still there; tells only of success."""
        unread = self.run.unread
        unread[slot] -= 1
        event = self._read(service, slot, state, at_ns, again=True)
        if isinstance(event, CardPresented):
            self.tell(event)
        if isinstance(event, CardPresented) or not unread[slot]:
            del unread[slot]

    def _read(
        self, service: Service, slot: str, state: int, at_ns: int, *, again: bool
    ) -> CardPresented | CardUnreadable:
        """What is to be told of the card."""
        with self.visiting(slot, at_ns, self._dialog_s, again=again):
            try:
                return self._read_once(service, slot, state, at_ns)
            except NotRead:
                pass  # once in some thousand taps the first answer is empty
            except CardLost as lost:
                return CardUnreadable(self.run.name, lost.why, at_ns)
            try:
                return self._read_once(service, slot, state, at_ns)
            except (NotRead, CardLost) as failure:
                return CardUnreadable(self.run.name, failure.why, at_ns)

    def _read_once(self, service: Service, slot: str, state: int, at_ns: int) -> CardPresented:
        with service.card(slot, state) as card:
            uid = card.uid()
            if self._dialog is None:
                return CardPresented(self.run.name, uid, at_ns)
            card.hold(self.deadline, self.left_behind)
            self.heard_of()
            try:
                reading = ask(self._dialog, channel(card), uid, reader=self.run.name)
            finally:
                if card.failed:
                    raise card.failed
            return CardPresented(self.run.name, uid, at_ns, reading)
