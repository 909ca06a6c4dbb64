"""Batches read and signatures checked ahead, while the thread that stores them waits for its database.

Only what can be known of a message by itself is worked out here: whether its bytes are a batch, and whether a key has
signed the head that it names. Whose key that has to be, and whether it still counts, is asked when it is stored. What
was not looked at in time is simply worked out then.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue

from appliance import record
from appliance.link import envelope
from appliance.link.envelope import BadPayload, Batch
from appliance.link.receiver import check_signature
from appliance.record import Head

MOST_BYTES = 8 * 1024 * 1024
"""Of so many bytes of a group's messages something is kept; they may be large."""

_MOST_KEYS = 20_000
_BATCHES = "/ev"

Checked = tuple[bytes, Head, bytes]


class Ahead:
    """What was found out of the messages that come next. `look_at`, `batch` and `check` are for one thread alone."""

    def __init__(self) -> None:
        self._keys: dict[tuple[str, str], bytes] = {}
        self._batches: dict[bytes, Batch] = {}
        self._signed: set[Checked] = set()
        self._group: Sequence[bytes] = ()
        self._groups: SimpleQueue[Sequence[bytes]] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def look_at(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Begin with these, given as topic and payload; of those before nothing is wanted any more."""
        self._batches, self._signed = {}, set()
        self._group = _batches_in(messages)
        if not self._group:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="ahead", daemon=True)
            self._thread.start()
        self._groups.put(self._group)

    def batch(self, payload: bytes) -> Batch:
        """The batch in a message. Raises `BadPayload`."""
        found = self._batches.pop(payload, None)
        return envelope.decode(Batch, payload) if found is None else found

    def check(self, key: bytes, head: Head, signature: bytes) -> bool:
        """Whether the holder of ``key`` signed this head."""
        if len(self._keys) >= _MOST_KEYS:
            self._keys.clear()
        self._keys[head.stream, head.epoch] = key
        return (key, head, signature) in self._signed or check_signature(key, head, signature)

    # -- in the thread of its own --------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            group = self._groups.get()
            batches, signed = self._batches, self._signed
            for payload in group:
                if group is not self._group:
                    break
                with suppress(BadPayload):  # whoever stores it says so
                    batches[payload] = batch = envelope.decode(Batch, payload)
                    last = Head(batch.stream, batch.epoch, batch.last, record.digest(bytes(batch.records[-1])))
                    key = self._keys.get((batch.stream, batch.epoch))
                    if key is not None and check_signature(key, last, batch.signature):
                        signed.add((key, last, batch.signature))


def _batches_in(messages: Sequence[tuple[str, bytes]]) -> Sequence[bytes]:
    """Their batches, last ones first: whoever stores them begins at the other end."""
    found, size = [], 0
    for topic, payload in messages:
        size += len(payload)
        if size > MOST_BYTES:
            break
        if topic.endswith(_BATCHES):
            found.append(payload)
    return found[::-1]
