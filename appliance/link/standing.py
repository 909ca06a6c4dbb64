"""How devices stand, said in a retained state: looked at now and then, said again when something is different.

A kiosk says how it stands itself; the uplink says to the league what all of them said, and the director, and what time
it is by the director's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from appliance.link import envelope
from appliance.link.envelope import DeviceState, State, moment
from appliance.link.role import Now

LOOK_S = 30.0
"""How often it is looked at, and so the most often it is said."""

FIRST_S = 5.0
"""The first look, when readers and the director's clock have had time to answer."""

AGAIN_S = 600
"""A device says it again when nothing has changed, so that old words can be told from true ones."""

HURRY_S = 5.0
"""Between two that are said because something has begun to ail."""

OFFSET_MS = 20
"""A clock that is so much further off than was said is news."""

MOST_DEVICES = 200

STEP_MS = 500
"""A clock that is told and has stepped by so much is told at once."""


class Standing:
    """Says ``state`` with the devices that ``look`` finds, and with the time by ``clock`` (UTC ms) if that is known.

    ``birth`` is what was said last, but for the time: that is true only as it is said.
    """

    def __init__(
        self, state: State, look: Callable[[], Iterable[DeviceState]], say: Callable[[bytes], None], now: Now,
        clock: Callable[[], int | None] = lambda: None,
    ) -> None:  # fmt: skip
        self.birth = envelope.encode(state)
        self._said = state
        self._look = look
        self._say = say
        self._now = now
        self._look_at = now() + FIRST_S
        self._said_at: float | None = None
        self._clock = clock
        self._timed: tuple[float, int] | None = None

    @property
    def due(self) -> float:
        """When `tick` wants to be called."""
        return self._look_at

    def hurry(self) -> None:
        """Something ails, or ails no more: look soon."""
        last = self._now() if self._said_at is None else self._said_at + HURRY_S
        self._look_at = min(self._look_at, last)

    def tick(self) -> None:
        """Look, if it is time, and say what is different."""
        now = self._now()
        if now < self._look_at:
            if self._stepped(now):
                self.say_time()
            return
        self._look_at = now + LOOK_S
        devices = tuple(self._look())
        old = self._said_at is None or now - self._said_at >= self._said.again_s
        if old or differ(self._said.devices, devices):
            self._said, self._said_at = replace(self._said, devices=devices), now
            self.birth = envelope.encode_state(self._said)
            self.say_time()

    def say_time(self) -> None:
        """Say once more what was said last, and what time it is now."""
        at = self._clock()
        self._timed = None if at is None else (self._now(), at)
        self._say(self.birth if at is None else envelope.encode_state(replace(self._said, at=moment(at))))

    def _stepped(self, now: float) -> bool:
        """Whether the clock is known and another one than was told."""
        at = self._clock()
        if at is None or self._timed is None:
            return at is not None
        since, before = self._timed
        return abs(at - before - (now - since) * 1000 * self._said.pace) > STEP_MS * self._said.pace


def differ(before: tuple[DeviceState, ...], after: tuple[DeviceState, ...]) -> bool:
    """Whether it is worth saying: not for the time alone, nor for a clock that is off by a little more."""
    return len(before) != len(after) or any(map(_differs, before, after))


def _differs(one: DeviceState, other: DeviceState) -> bool:
    if replace(one, at=0, offset_ms=None) != replace(other, at=0, offset_ms=None):
        return True
    if one.offset_ms is None or other.offset_ms is None:
        return one.offset_ms is not other.offset_ms
    return abs(one.offset_ms - other.offset_ms) >= OFFSET_MS


class Collected:
    """What the devices of a venue said last of themselves. ``ailing`` hears that something ails, or ails no more."""

    def __init__(self, ailing: Callable[[], None] = lambda: None) -> None:
        self._ailing = ailing
        self._devices: dict[str, DeviceState] = {}

    def heard(self, device: str, state: State) -> None:
        """A device's own state, or its will: then what it had said stands, but for its being there."""
        before = self._devices.get(device)
        if before is None and len(self._devices) >= MOST_DEVICES:
            return
        said = next((said for said in state.devices if said.device == device), before or DeviceState(device))
        said = replace(said, online=state.online, software=said.software or state.software[:64])
        self._devices[device] = said
        if before is None or before.ailments != said.ailments:
            self._ailing()

    def all(self) -> tuple[DeviceState, ...]:
        """All of them, by name."""
        return tuple(self._devices[name] for name in sorted(self._devices))
