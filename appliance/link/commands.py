"""Commands on their way to the director: sent again until answered, shown when their events are here. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import msgspec
from msgspec import Struct

from appliance.link.envelope import CommandMessage, Refusal, Reply

NO_ANSWER = "no-answer"
"""The command's life ended without an answer: it may have been carried out all the same; the own copy tells."""

ONE_COPY_S = 1.0
"""How long an accepted command's answer waits for its events in the own copy."""

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 2.0
_MOST_WAITING = 1000  # answers whose events never come


class _Pending(Struct):
    message: CommandMessage
    deadline: float
    send_at: float
    wait: float = _FIRST_WAIT_S


class Commands:
    """The commands of one device. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._pending: dict[str, _Pending] = {}
        self._answers: dict[str, tuple[Reply, float]] = {}

    def add(self, message: CommandMessage, now: float) -> None:
        """Begin to send a command; one whose id is on its way already is not begun again."""
        if message.id not in self._pending:
            self._pending[message.id] = _Pending(message, now + message.ttl_ms / 1000, now)

    def poll(self, now: float, director_offset_ms: float | None) -> list[CommandMessage]:
        """What to send now, in the order it was given; the offset leads to the director's monotonic clock."""
        return [self._stamp(p, now, director_offset_ms) for p in self._pending.values() if self._is_due(p, now)]

    def answer(self, reply: Reply, now: float) -> None:
        """The director has answered. An answer that nobody waits for is ignored: the command was sent twice."""
        if self._pending.pop(reply.id, None) is not None:
            while len(self._answers) >= _MOST_WAITING:
                del self._answers[next(iter(self._answers))]
            self._answers[reply.id] = (reply, now)

    def answered(self, held: Callable[[Reply], bool]) -> Iterator[Reply]:
        """Answers that may be shown, each once: refusals, and those whose events are ``held``."""
        for reply, _ in list(self._answers.values()):
            if not reply.ok or held(reply):
                del self._answers[reply.id]
                yield reply

    def overdue(self, now: float) -> list[Reply]:
        """Answers whose events are still on the director's disk alone, to be shown as such; each once (DESIGN §3)."""
        late = [reply for reply, since in self._answers.values() if now >= since + ONE_COPY_S]
        for reply in late:
            del self._answers[reply.id]
        return late

    def expire(self, now: float) -> list[Reply]:
        """Commands whose life has ended, as refusals ``no-answer``."""
        ended = [id_ for id_, pending in self._pending.items() if now >= pending.deadline]
        for id_ in ended:
            del self._pending[id_]
        return [Reply(id_, ok=False, refusal=Refusal(NO_ANSWER)) for id_ in ended]

    def send_again(self) -> None:
        """The director is back: whatever waits goes at once."""
        for pending in self._pending.values():
            pending.send_at, pending.wait = -math.inf, _FIRST_WAIT_S

    @property
    def due(self) -> float | None:
        """When the next sending or the next end is, or an answer has waited long enough for its events."""
        dues = [min(p.send_at, p.deadline) for p in self._pending.values()]
        return min([*dues, *(since + ONE_COPY_S for _, since in self._answers.values())], default=None)

    @property
    def deadline(self) -> float | None:
        """When the next end is, or an answer has waited long enough."""
        dues = [p.deadline for p in self._pending.values()]
        return min([*dues, *(since + ONE_COPY_S for _, since in self._answers.values())], default=None)

    def _is_due(self, pending: _Pending, now: float) -> bool:
        if now < pending.send_at:
            return False
        pending.send_at = now + pending.wait
        pending.wait = min(2 * pending.wait, _LONGEST_WAIT_S)
        return True

    def _stamp(self, pending: _Pending, now: float, offset_ms: float | None) -> CommandMessage:
        left = max(1, round((pending.deadline - now) * 1000))
        expires = None if offset_ms is None else max(0, round(pending.deadline * 1000 + offset_ms))
        return msgspec.structs.replace(pending.message, ttl_ms=left, expires_ms=expires)
