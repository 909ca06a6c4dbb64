"""Who directs the venue, as a kiosk sees it; and the director of this very device, where a commissioner wanted one.

For the engine thread. What starts the programs is `appliance.takeover`'s.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from appliance import kinds, room
from appliance.game.refusal import Refusal
from appliance.link.envelope import DirectorNotice
from appliance.takeover import Directorate
from appliance.workplace import Workplace

Told = Callable[[Refusal | None], None]
"""Hears what became of a takeover: why not, None once this device directs."""

_log = logging.getLogger(__name__)


class Direction:
    """``show`` changes the snapshot; ``hand_over`` takes what the own director alone had into the kiosk's copy;
    ``present``: the devices that were there when a director last told; ``notes``: those of the venue's stream.
    ``revoked``: whether the league has withdrawn this device; ``shut_out``: who directs and does not let it in.
    """

    def __init__(
        self,
        place: Workplace,
        now_ms: Callable[[], int],
        show: Callable[..., Any],
        hand_over: Callable[[], None],
        present: Callable[[], Iterable[str]],
        notes: Callable[[], Mapping[str, kinds.Note]],
        revoked: Callable[[], bool] = lambda: False,
        shut_out: Callable[[], str] = str,
    ) -> None:
        self._device = place.config.device.name
        self._own = Directorate(place, now_ms)
        self._now_ms, self._show, self._hand_over = now_ms, show, hand_over
        self._serves = False
        self._lost_at: int | None = None
        self._told: Told | None = None
        self._present, self._notes = present, notes
        self._revoked, self._shut_out = revoked, shut_out
        lan = place.config.lan
        self._hosts = lan.hosts if lan.find == "hosts" else ()
        self._last = ""
        self.name = ""

    @property
    def possible(self) -> bool:
        """Whether this device could become the director: it can start one, and is none yet."""
        return self._own.possible and not self._own.directs

    @property
    def hindrance(self) -> str:
        """Why the others would not follow this device if it directed (a refusal's code); empty: nothing is known."""
        if self._revoked():
            return "device-revoked"
        if self._own.short_of_room:
            return "no-room"
        return "not-in-hosts" if self._hosts and not any(map(_may_be_here, self._hosts)) else ""

    @property
    def shut_out_by(self) -> str:
        """Who directs and does not let this device in, "" if nobody is known to: then the others may not follow this
        one. It is only a warning: who has a former device in hand could have everybody think so.
        """
        return self._shut_out()

    @property
    def cut_off(self) -> bool:
        """Whether the venue would have no way to the league if this device directed."""
        return self._own.cut_off

    @property
    def unheard(self) -> tuple[str, ...]:
        """The devices that were there before this one took over, and did not answer it."""
        match self._notes().get("takeover/1"):
            case kinds.Takeover(device=device, unheard=unheard) if device == self._device:
                return unheard
            case _:
                return ()

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called (monotonic seconds)."""
        return self._own.due

    @property
    def own_journal(self) -> Any:
        """The journal of this device's director."""
        return self._own.journal

    def told(self, notice: DirectorNotice | None) -> None:
        """The link has heard who directs. One that is still asking for copies answers nobody yet."""
        serves = notice is not None and not notice.gathering
        if self._serves and not serves:
            self._lost_at = self._now_ms()
        self._serves = serves
        self.name = notice.device if notice is not None and serves else ""
        self._last = self.name or self._last
        if serves and self.name == self._device and self._own.directs:
            self._own.serves()
            self._answer(None)
        self._show(director=serves, director_lost_at=None if serves else self._lost_at)

    def take_over(self, by: str, told: Told) -> None:
        """Have this device direct; ``told`` hears what became of it."""
        self._told = told
        if self._own.short_of_room:
            self._answer(Refusal("no-room"))
            return
        try:
            self._own.take_over(by, sorted({*self._present()} - {self._device, self._last}))
        except OSError as error:
            _log.error("taking over: %s", error)
            self._answer(Refusal("takeover-failed", {"reason": room.reason(error)}))

    def tick(self) -> None:
        """See to the programs of this device's director."""
        if self._own.due is None or time.monotonic() < self._own.due:
            return
        try:
            match self._own.look():
                case "fenced":
                    fence = self._own.fence
                    self._hand_over()
                    self._own.forget()
                    self._answer(Refusal("another-directs", {"device": fence.device if fence else ""}))
                case "failed":
                    self._answer(Refusal("takeover-failed", {"reason": self._why_failed}))
        except OSError as error:
            _log.error("the director of this device: %s", error)

    @property
    def _why_failed(self) -> str:
        if self._own.short_of_room:
            return room.FULL
        return "not-found" if self._hosts else self._own.last_word

    def _answer(self, refusal: Refusal | None) -> None:
        told, self._told = self._told, None
        if told is not None:
            told(refusal)


def _may_be_here(host: str) -> bool:
    """Whether a host where the venue's devices look for a director may be this machine; of a name only asking would
    tell, and that takes as long as a network that is down likes."""
    for family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):
            socket.inet_pton(family, host)
            with socket.socket(family, socket.SOCK_DGRAM) as tried:
                try:
                    tried.bind((host, 0))
                except OSError:
                    return False
    return True
