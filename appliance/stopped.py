"""Streams of the own copy that go no further, though there is more of them: its screen shows an old evening. Pure."""

from __future__ import annotations

from appliance.link.store import Alert, BadSignature, BrokenChain, UnknownWriter
from appliance.record import Head, parse_epoch

BY_ITSELF_S = 15.0
"""So long it may take until what is wrong mends itself: who may write is told by another stream, which comes then."""

_WORD = (UnknownWriter, BadSignature, BrokenChain)


class Stopped:
    """Of the streams that screens show; times are monotonic seconds."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def heard(self, alert: Alert, newest: Head | None, now: float) -> None:
        """The link tells why it does not take a record; ``newest`` is how far the own copy of the stream is. What an
        older epoch holds beyond that counts nowhere."""
        if not isinstance(alert, _WORD) or not alert.stream.startswith(("round/", "venue/", "league/")):
            return
        if newest is None or parse_epoch(alert.epoch) >= parse_epoch(newest.epoch):
            self._since.setdefault(alert.stream, now)

    def copied(self, stream: str) -> None:
        """Records of it have come."""
        self._since.pop(stream, None)

    def lasts(self, now: float) -> bool:
        """Whether one has stood for longer than it takes to mend itself."""
        return any(now >= since + BY_ITSELF_S for since in self._since.values())

    @property
    def due(self) -> float | None:
        """When that may be so next."""
        return min((since + BY_ITSELF_S for since in self._since.values()), default=None)
