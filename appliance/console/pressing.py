"""Keys that phones press on tables' pads, on their way to the table's kiosk and back. The kiosk decides: it writes the
table's hands, and takes no key of a page that it does not show any more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping

from appliance.console.asked import Answered
from appliance.console.way import Pressed, Tell
from appliance.link.envelope import BadPayload, PadKeys, PadShown, Refusal
from appliance.phone import Phone

KIOSK_S = 2.0
"""So long a table's kiosk has to answer."""

AWAY, MOVED_ON = "table-away", "moved-on"
_MOST = 200

Press = Callable[[str, PadKeys], None]


class Pressing:
    """``places``: the device that is there for each table, as far as streams tell; ``devices``: those that are there;
    ``press`` sends keys to one.
    """

    def __init__(
        self, places: Callable[[], Mapping[int, str]], devices: Callable[[], Collection[str]], press: Press
    ) -> None:
        self._known, self._devices, self._press = places, devices, press
        self._say_so: dict[int, str] = {}
        self._waiting: dict[str, tuple[float, str, list[Tell[Answered]]]] = {}
        self.pads: dict[int, PadShown] = {}
        """What the pads of the tables show, as their kiosks said last."""

    def press(self, pressed: Pressed, phone: Phone | None) -> Refusal | None:
        """Have the table's kiosk take keys; why not."""
        keys = pressed.keys
        if phone is None or phone.device != keys.phone:
            return Refusal("phone-gone")
        if phone.role == "dealer" and phone.table != keys.table:
            return Refusal("not-authorised")
        device = self._places().get(keys.table)
        if device is None or len(self._waiting) >= _MOST:
            return Refusal(AWAY)
        until, tells = time.monotonic() + KIOSK_S, self._waiting.get(keys.id, (0.0, "", []))[2]
        try:
            self._press(device, keys)
        except BadPayload:  # longer than anything that a pad has to do with
            return Refusal("bad-command")
        self._waiting[keys.id] = until, device, [*tells, pressed.tell]
        return None

    def shown(self, device: str, shown: PadShown) -> tuple[Answered, list[Tell[Answered]]] | None:
        """A kiosk tells what its pad shows, of another table's it can tell nothing: who is to hear what of it, once
        that can be seen.
        """
        places = self._places()
        if shown.table not in places and device not in places.values():
            self._say_so[shown.table] = device
        elif places.get(shown.table) != device:
            return None
        self.pads[shown.table] = shown
        _, asked, tells = self._waiting.get(shown.id, (0.0, "", []))
        if not tells or asked != device:
            return None
        del self._waiting[shown.id]
        return Answered(True) if shown.taken else Answered(False, Refusal(MOVED_ON)), tells

    def _places(self) -> Mapping[int, str]:
        """Before its first hand no stream tells of a table: then whoever says so first, and is there, is it."""
        there = self._devices()
        self._say_so = {table: device for table, device in self._say_so.items() if device in there}
        return {**self._say_so, **self._known()}

    @property
    def due(self) -> float | None:
        """When `tick` has something to say."""
        return min((until for until, _, _ in self._waiting.values()), default=None)

    def tick(self, now: float) -> None:
        """Kiosks that have not answered are away, and so are the pads of those that are not there."""
        for number, (until, _, tells) in list(self._waiting.items()):
            if now >= until:
                del self._waiting[number]
                for tell in tells:
                    tell(Answered(False, Refusal(AWAY)))
        there = self._places()
        for table in [table for table in self.pads if table not in there]:
            del self.pads[table]
