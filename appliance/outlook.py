"""What a director shows of itself on the venue's network, and what it sees there of others (DESIGN §5).

    outlook = outlook_of(place, inbox, on_later)
    outlook.show(notice)                    # again whenever it serves in another epoch
    if not outlook.takes(event): ...        # what the watch sees comes through the inbox
    outlook.stop()

Where the broker stands at a fixed address its retained notice does all that, and none of this is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from appliance.link.envelope import DirectorNotice
from appliance.workplace import Workplace

if TYPE_CHECKING:
    from appliance.link.sighting import Sighting

OnLater = Callable[["Sighting"], None]


class Outlook(Protocol):
    """Belongs to the director's engine thread; nothing of it waits."""

    def show(self, notice: DirectorNotice) -> None:
        """Tell the network that this device directs, and look for who does so in a later epoch."""

    def takes(self, event: Any) -> bool:
        """Take what the watch has seen; False if the event is another's."""

    def stop(self) -> None:
        """Withdraw, and look no more."""


class Fixed:
    """The broker stands where everybody looks for it."""

    def show(self, notice: DirectorNotice) -> None:
        pass

    def takes(self, event: Any) -> bool:
        return False

    def stop(self) -> None:
        pass


class Found:
    """Directors are found: this one is announced and calls, others are watched for."""

    def __init__(self, place: Workplace, inbox: Any, on_later: OnLater) -> None:
        from appliance import finding
        from appliance.link.watch import Watch

        self._watch = Watch(finding.watcher(place, inbox), place.keyring, on_later)
        self._announcer = finding.announcer(place.config.lan)
        self._caller = finding.caller(place.config.lan)

    def show(self, notice: DirectorNotice) -> None:
        if self._caller is not None:
            self._caller.call(notice)
        if self._announcer is not None:
            self._announcer.announce(notice)
        self._watch.direct(notice)

    def takes(self, event: Any) -> bool:
        from appliance.link.seek import Looking, Seen

        if isinstance(event, Seen):
            self._watch.seen(event.sighting)
        return isinstance(event, Seen | Looking)

    def stop(self) -> None:
        if self._caller is not None:
            self._caller.stop()
        self._watch.stop()
        if self._announcer is not None:
            self._announcer.stop()


def latest_notice(place: Workplace) -> DirectorNotice | None:
    """The notice of the latest director that is found now, before this one serves; waits a second for it."""
    from appliance import finding

    seen = finding.latest(place)
    return None if seen is None else seen.notice


def outlook_of(place: Workplace, inbox: Any, on_later: OnLater) -> Outlook:
    """What the configuration asks for (``lan.find``)."""
    return Fixed() if place.config.lan.find == "fixed" else Found(place, inbox, on_later)
