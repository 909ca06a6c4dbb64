"""Logging of the programs: one line an event on standard error, where the service manager collects it."""

from __future__ import annotations

import logging
import sys


def set_up(program: str) -> None:
    """Send warnings and notices to standard error; control characters in messages are made visible."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine(f"{program}: %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


class _OneLine(logging.Formatter):
    """Keeps names and messages from the wire from forging lines or driving the terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        text = super().formatMessage(record)
        return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
