"""Copying streams from a `Store` to another: two pure state machines, no I/O and no clock of their own.

The same code carries director → kiosk, kiosk → director, venue → league and league → venue. The protocol is
cumulative: the receiver takes only the record after its last one, stores, and says how far it is *after* the
commit; the sender keeps a few batches in flight and goes back to what the receiver last said when it hears
hello or when nothing moved for three seconds. Loss, doubling, reordering and restarts of either side can
only cost time. Event data is never looked at: what this version does not know is carried all the same.

    sender = Sender(journal, alert=log)             receiver = Receiver(journal, keyring, alert=log)
    sender.hello(hello.heads, now)   # or not:      for ack in receiver.greet(hello.heads): send(ack)
    sender.ack(ack, now)             # it probes    taken = receiver.take(batch)
    for batch in sender.poll(now):                  if taken.ack: send(taken.ack)     # it is stored by now
        send(batch)                                 fold(taken.records)               # the new ones, in order

Call `poll` after each commit, ack and hello, and at `due`; on a lost connection call `reset`. A batch that
could not be sent counts as lost: it is sent again. A batch ends at a signed record, so a writer signs its heads
first (`SigningStore.sign_heads`); a newest record without a signature waits for it.

An ingest that stores many batches in one database transaction calls `take` for each inside it and sends the
acks after the commit: both machines ask the store anew each time and remember nothing it could take back.
"""

from __future__ import annotations

from appliance.link.batches import BATCH_BYTES
from appliance.link.receiver import Outcome, Receiver, Taken
from appliance.link.sender import STALL_S, Sender
from appliance.link.store import (
    Alert,
    BadSignature,
    BrokenChain,
    Forked,
    Gap,
    Keyring,
    PeerAhead,
    SigningStore,
    Store,
    StoreTrouble,
    UnknownWriter,
    Unsigned,
)

__all__ = [
    "BATCH_BYTES",
    "STALL_S",
    "Alert",
    "BadSignature",
    "BrokenChain",
    "Forked",
    "Gap",
    "Keyring",
    "Outcome",
    "PeerAhead",
    "Receiver",
    "Sender",
    "SigningStore",
    "Store",
    "StoreTrouble",
    "Taken",
    "UnknownWriter",
    "Unsigned",
]
