"""Which of the directors that a device hears of it would follow: none that is older than one it has seen."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.link.envelope import DirectorNotice
from appliance.link.notices import is_genuine
from appliance.link.replication import Keyring
from appliance.record import Epoch


class Succession:
    """For one device. ``epochs``: those of the venue's stream that it has, in order. ``highest`` is the latest one that
    it has seen a director serve in.
    """

    def __init__(self, venue: str, keyring: Keyring, epochs: Sequence[str]) -> None:
        self._venue, self._keyring = venue, keyring
        self.highest = Epoch.parse(epochs[-1]) if epochs else None

    def why_not(self, notice: DirectorNotice, *, served: bool) -> tuple[str, str] | None:
        """Why this device does not follow it: a code and a detail; ``served``: it has one that answers commands."""
        epoch = Epoch.parse(notice.epoch)
        if notice.venue != self._venue:
            return "wrong-venue", notice.venue
        code = ""
        if self._leaps(epoch):
            code = "leaping-director"
        elif self._is_old(notice, epoch, served=served):
            code = "old-director"
        elif not is_genuine(notice, self._keyring):
            code = "forged-director"
        return (code, f"{notice.device} {notice.epoch}") if code else None

    def heeds(self, notice: DirectorNotice, director: DirectorNotice | None, *, served: bool) -> bool:
        """Whether it would concern a device that has this ``director``, were it genuine. For any thread."""
        epoch = Epoch.parse(notice.epoch)
        if notice.venue != self._venue or self._leaps(epoch):
            return False
        if director is None or epoch > Epoch.parse(director.epoch):
            return not self._is_old(notice, epoch, served=served)
        return notice.gathering and notice.device != director.device

    def followed(self, notice: DirectorNotice) -> None:
        """This one is followed now. The epoch of one that gathers may never be opened: the next one to try may have the
        same number."""
        if not notice.gathering:
            self.highest = Epoch.parse(notice.epoch)

    def _leaps(self, epoch: Epoch) -> bool:
        return self.highest is not None and epoch.leaps(str(self.highest))

    def _is_old(self, notice: DirectorNotice, epoch: Epoch, *, served: bool) -> bool:
        """Whether a later director was seen. One that still gathers may not know yet how far others have come."""
        if self.highest is None or epoch >= self.highest:
            return False
        return not notice.gathering or served
