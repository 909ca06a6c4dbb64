"""How much strangers may say before others are listened to. Pure; times are monotonic seconds."""

from __future__ import annotations

AT_ONCE, EACH_S = 10, 1.0
"""So much of what a client says is listened to as it comes, further messages one each after so long."""

_MOST_CLIENTS = 1000


class Patience:
    """How much each client may say: `AT_ONCE`, and one more each `EACH_S`. What is said is checked, which takes time
    that others need.
    """

    def __init__(self) -> None:
        self._free_at: dict[str, float] = {}

    def has(self, client: str, now: float) -> bool:
        """Whether what the client says now is listened to."""
        free_at = max(self._free_at.pop(client, now), now)
        if listens := free_at < now + AT_ONCE * EACH_S:
            free_at += EACH_S
        self._free_at[client] = free_at
        while len(self._free_at) > _MOST_CLIENTS:
            del self._free_at[next(iter(self._free_at))]
        return listens
