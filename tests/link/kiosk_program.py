"""A kiosk's copy as a program of its own, to be killed: HOST PORT VENUE DEVICE FILE KEYS."""

from __future__ import annotations

import json
import queue
import sys
import time
from pathlib import Path

from appliance.journal import Journal
from appliance.link.client import Backoff, Endpoint, Inbox
from appliance.link.lan import KioskLink
from appliance.link.role import step


def main(host: str, port: str, venue: str, device: str, file: str, keys: str) -> None:
    known = {name: bytes.fromhex(key) for name, key in json.loads(keys).items()}
    inbox: Inbox = queue.SimpleQueue()
    link = KioskLink(
        Endpoint(host, int(port)), venue, device, Journal(Path(file)), lambda stream, by: known.get(by), inbox,
        clock=lambda: time.monotonic_ns() // 1_000_000,
    )  # fmt: skip
    link.client._backoff = Backoff(0.02, 0.1)
    link.client.start()
    while True:
        step(link, inbox)


if __name__ == "__main__":
    main(*sys.argv[1:])
