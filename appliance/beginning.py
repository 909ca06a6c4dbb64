"""How a director's program begins: it serves, it takes over from another one, or it is another's turn (DESIGN §5)."""

from __future__ import annotations

from typing import NamedTuple

from appliance import fencing, gathering
from appliance.engine import Engine
from appliance.fencing import Fenced
from appliance.link.envelope import DirectorNotice
from appliance.outlook import latest_notice
from appliance.record import Epoch
from appliance.workplace import Workplace, endpoint


class Beginning(NamedTuple):
    """The ``epoch`` of the venue's stream to serve in; where it ``gathers``, to ask in, and ``above`` the number of a
    later one that was seen. ``deposed``: another device directs and is not to be followed.
    """

    epoch: str = ""
    gathers: bool = False
    above: int = 0
    deposed: Fenced | None = None


def beginning(place: Workplace, engine: Engine, takes_over: bool) -> Beginning:
    """Look at the own files, then on the network. Who takes over follows whoever it is; its journal may say that it has
    done so already: then it was started again, and goes on. Raises OSError, `JournalError` among them.
    """
    journal, venue = engine.journal, place.config.venue.id
    newest = journal.newest(f"venue/{venue}")
    if takes_over:
        fencing.take_fence(place.data)
    elif (deposed := fencing.fence_of(place.data) or fencing.successor(journal, venue)) is not None:
        return Beginning(deposed=deposed)
    gathers = takes_over and (newest is None or not newest.epoch.endswith(f"-{journal.id}"))
    seen = _seen(place, gathers)
    if seen is not None and Epoch.parse(seen.epoch).leaps(newest.epoch if newest else None):
        seen = None
    if gathers:
        above = Epoch.parse(seen.epoch).n if seen else 0
        return Beginning(gathering.next_epoch(journal, venue, above), gathers=True, above=above)
    if seen is not None and (newest is None or fencing.is_later(seen, newest.epoch)):
        return Beginning(deposed=Fenced(seen.epoch, seen.device))
    return Beginning(engine.own_epoch(f"venue/{venue}", "start"))


def _seen(place: Workplace, gathers: bool) -> DirectorNotice | None:
    """Who directs by now, as far as that can be seen; who gathers and finds the others hears of it meanwhile."""
    config = place.config
    if config.lan.find == "fixed":
        return fencing.look(endpoint(config.broker), config.venue.id, config.device.name, place.keyring)
    return None if gathers else latest_notice(place)
