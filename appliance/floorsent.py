"""The command of a floor menu that has no answer yet: given again it is the same one, so that it is done once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from appliance.floor.said import Text
from appliance.game.command import Command


class Sent(NamedTuple):
    """A command on its way, or one that was never answered: given again it is the same one. ``what`` it is called."""

    actor: str
    command: Command
    number: str
    what: Text


class LastSent:
    """The command that was sent last, as long as it has no answer."""

    def __init__(self) -> None:
        self.unanswered: Sent | None = None

    def send(self, actor: str, command: Command, what: Text, fresh_id: Callable[[], str]) -> Sent:
        """The command under its id: that of before, where it is the one that waits for its answer."""
        sent = self.unanswered
        if sent is None or (sent.actor, sent.command) != (actor, command):
            self.unanswered = sent = Sent(actor, command, fresh_id(), what)
        return sent

    def answered(self, sent: Sent) -> None:
        """It has its answer: the same thing asked for once more is another command."""
        if sent is self.unanswered:
            self.unanswered = None
