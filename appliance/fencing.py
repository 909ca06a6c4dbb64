"""A director that another one followed: how it knows, and what is left to do for it (DESIGN §5).

It has written its last record once it hears of a later epoch; it notes that in its data folder, so that it never
serves again by being started, and hands over what it alone has.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from appliance.engine import opener
from appliance.filebytes import own_bytes
from appliance.journal import Journal
from appliance.link import topics
from appliance.link.client import Client, Connected, Endpoint, Inbox, Message
from appliance.link.envelope import DirectorNotice
from appliance.link.notices import is_genuine
from appliance.link.parting import Parting
from appliance.link.role import Door, step
from appliance.link.store import Keyring
from appliance.record import Epoch
from appliance.road import road
from appliance.workplace import Workplace, endpoint

FENCED = 3
"""Exit status of a director that another one followed."""

LOOK_S = 1.0
"""How long a director looks for a later one before it serves, where nothing answers."""

_FENCE, _FORMER = "fenced.json", "former-fence.json"

_SETTLE_S = 0.15
"""A broker sends the notice that it has kept right behind the subscription."""

_log = logging.getLogger(__name__)


class Fenced(msgspec.Struct, frozen=True):
    """Who directs instead: the epoch in which ``device`` writes the venue's stream."""

    epoch: str
    device: str


def fence_of(folder: Path) -> Fenced | None:
    """What a director noted in its data folder when it was followed. A note that cannot be read counts: better no
    director than two."""
    return _noted(folder / _FENCE)


def former_fence(folder: Path) -> Fenced | None:
    """Who had followed before a commissioner had this device take over again; kept, for it begins above that one, and
    is followed by it until it has begun."""
    return _noted(folder / _FORMER)


def forget_former(folder: Path) -> None:
    """This device has begun above whoever had followed. A disk that refuses costs something only where the note cannot
    be read: then the next start needs a commissioner's word again."""
    with contextlib.suppress(OSError):
        (folder / _FORMER).unlink(missing_ok=True)


def put_fence(folder: Path, fenced: Fenced) -> None:
    """Note it for good. Raises OSError."""
    fresh = folder / "fenced.new"
    with fresh.open("wb") as file:
        file.write(msgspec.json.encode(fenced))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / _FENCE)


def take_fence(folder: Path) -> None:
    """A commissioner has this device take over again: what was noted before hinders nothing more. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        (folder / _FENCE).replace(folder / _FORMER)


def _noted(file: Path) -> Fenced | None:
    try:
        return msgspec.json.decode(own_bytes(file), type=Fenced)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        _log.error("%s: %s", file, error)
        return Fenced("", "")


def successor(journal: Journal, venue: str) -> Fenced | None:
    """Who writes the venue's stream by the journal's own word, if it is another device. Raises `JournalError`."""
    stream = f"venue/{venue}"
    newest = journal.newest(stream)
    if newest is None or newest.epoch.endswith(f"-{journal.id}"):
        return None
    by = opener(journal, stream)
    return None if by == journal.device else Fenced(newest.epoch, by)


def look(
    endpoint: Endpoint, venue: str, device: str, keyring: Keyring, longest_s: float = LOOK_S
) -> DirectorNotice | None:
    """The genuine notice that the venue's broker has kept; None if there is none, or no broker."""
    inbox: Inbox = queue.SimpleQueue()
    client = Client(endpoint, f"look-{venue}-{device}", inbox, subscriptions=[(topics.director(venue), 1)])
    door, until = Door(venue, client), time.monotonic() + longest_s
    client.start()
    try:
        while (left := until - time.monotonic()) > 0:
            try:
                event = inbox.get(timeout=left)
            except queue.Empty:
                return None
            match event:
                case Connected():
                    until = min(until, time.monotonic() + _SETTLE_S)
                case Message(payload=payload) if payload:
                    notice = door.read(DirectorNotice, event)
                    if notice is not None and notice.venue == venue and is_genuine(notice, keyring):
                        return notice
    finally:
        client.stop()
    return None


def hand_over(
    place: Workplace, journal: Journal, inbox: Inbox, stopping: Callable[[], bool],
    takes: Callable[[Any], bool] = lambda item: False,
) -> None:  # fmt: skip
    """Let the director that followed have what is here alone, wherever it moves; returns when it has all, or
    ``stopping``. ``takes``: of what else comes into the inbox meanwhile. Raises `Unusable`.
    """
    venue = place.config.venue.id
    newest = journal.newest(f"venue/{venue}")
    if newest is None:
        return
    broker, name = endpoint(place.config.broker), place.config.device.name
    parting = Parting(broker, venue, name, newest.epoch, journal, place.keyring, inbox)
    way = road(place, parting, inbox)
    way.start()
    try:
        while not stopping() and not parting.done:
            step(way, inbox, takes=takes)
    finally:
        way.stop()
    if parting.done:
        _log.info("what was here alone is with the new director")


def is_later(notice: DirectorNotice, epoch: str) -> bool:
    """Whether a notice is of a later epoch than this one."""
    return Epoch.parse(notice.epoch) > Epoch.parse(epoch)
