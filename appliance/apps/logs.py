"""Logging of the programs: one line an event on standard error, where the service manager collects it."""

from __future__ import annotations

import logging
import sys


def set_up(program: str, level: int = logging.INFO) -> None:
    """Send messages from ``level`` on to standard error; control characters in them are made visible."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine(f"{program}: %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])


class _OneLine(logging.Formatter):
    """Keeps names and messages from the wire from forging lines or driving the terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        text = super().formatMessage(record)
        return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
