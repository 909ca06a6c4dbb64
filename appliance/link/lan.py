"""The venue network: one director, and devices that keep copies.

Both roles are driven by the thread that owns the store (see `appliance.link.role`); a kiosk's engine may give them
its own queue as ``inbox`` and pass their events on.

    link = KioskLink(Endpoint("10.0.0.5", 1883), "brno", "k1", journal, keyring, inbox,
                     clock=timebase.now_ms, writes={"table/brno-1"}, on_records=fold, on_reply=show)
    link.client.start()
    link.command(CommandMessage(id, "k1", actor, "R1", 5000, body))
    while running:
        step(link, inbox)
    link.client.stop()

A conversation: the director's retained notice comes; the device says *hello* with the heads of its copy; the director
sends what is missing, and acknowledges what it has of the device's own streams; from then on records go out as they
are committed, and acks come back as they are stored. On a lost connection all begins again with the notice. A device
that is not known (its hello was lost, or its will overtook it) is told so by a pong and says hello again.
"""

from __future__ import annotations

from appliance.link.commands import NO_ANSWER
from appliance.link.director import DirectorLink
from appliance.link.kiosk import KioskLink
from appliance.link.offset import Offset
from appliance.link.rights import UPLINK, may_write

__all__ = ["NO_ANSWER", "UPLINK", "DirectorLink", "KioskLink", "Offset", "may_write"]
