"""How a director's program begins: it serves, it takes over from another one, or it is another's turn (DESIGN §5)."""

from __future__ import annotations

from typing import NamedTuple

from appliance import fencing, gathering
from appliance.engine import Engine
from appliance.fencing import Fenced
from appliance.gathering import Taking
from appliance.kinds import Takeover
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


def beginning(place: Workplace, engine: Engine, taking: Taking) -> Beginning:
    """Look at the own files, then on the network. Who takes over follows whoever it is, be it one that is off by now
    and of whom only others have heard. Its kiosk may have started it again by the same wish: then it goes on in the
    epoch that it has opened, unless another device has opened one of the same number. Raises OSError, `JournalError`
    among them.
    """
    journal, venue = engine.journal, place.config.venue.id
    newest = journal.newest(f"venue/{venue}")
    number = Epoch.parse(newest.epoch).n if newest else 0
    if taking.takes_over:
        fencing.take_fence(place.data)
    elif deposed := fencing.fence_of(place.data) or fencing.successor(journal, venue) or _still(place, number):
        return Beginning(deposed=deposed)
    followed = _number(fencing.former_fence(place.data))
    gathers = taking.takes_over and not (number > followed and _has_come_about(engine, venue, taking))
    seen = _seen(place, gathers and taking.copy is not None)
    if seen is not None and Epoch.parse(seen.epoch).leaps(newest.epoch if newest else None):
        seen = None
    if taking.takes_over and seen is not None and newest is not None and seen.epoch != newest.epoch:
        gathers |= Epoch.parse(seen.epoch).n == number
    if gathers:
        above = max(followed, Epoch.parse(seen.epoch).n if seen else 0)
        return Beginning(gathering.next_epoch(journal, venue, above), gathers=True, above=above)
    if taking.takes_over:
        fencing.forget_former(place.data)
    if seen is not None and (newest is None or fencing.is_later(seen, newest.epoch)):
        return Beginning(deposed=Fenced(seen.epoch, seen.device))
    return Beginning(engine.own_epoch(f"venue/{venue}", "start"))


def _has_come_about(engine: Engine, venue: str, taking: Taking) -> bool:
    """Whether this journal has opened its epoch by this very wish, and nobody else one of that number."""
    journal, main = engine.journal, f"venue/{venue}"
    newest = journal.newest(main)
    if newest is None or not newest.epoch.endswith(f"-{journal.id}") or not taking.wish:
        return False
    number = Epoch.parse(newest.epoch).n
    note = engine.state(main).get("takeover/1")
    rivals = [epoch for epoch in journal.epochs(main) if Epoch.parse(epoch).n == number]
    return isinstance(note, Takeover) and note.wish == taking.wish and rivals == [newest.epoch]


def _still(place: Workplace, number: int) -> Fenced | None:
    """Who had followed, where the takeover that was to end that was over before it opened an epoch above theirs:
    ``number`` is that of the newest one here."""
    former = fencing.former_fence(place.data)
    return former if former is not None and (not former.epoch or _number(former) >= number) else None


def _number(fenced: Fenced | None) -> int:
    """That of the epoch of who had followed, 0 where nobody had, or nobody knows who."""
    return Epoch.parse(fenced.epoch).n if fenced is not None and fenced.epoch else 0


def _seen(place: Workplace, has_copy: bool) -> DirectorNotice | None:
    """Who directs by now, as far as that can be seen. Who gathers and ``has_copy`` of its kiosk's knows that already,
    and hears of a later one meanwhile.
    """
    config = place.config
    if config.lan.find == "fixed":
        return fencing.look(endpoint(config.broker), config.venue.id, config.device.name, place.keyring)
    return None if has_copy else latest_notice(place)
