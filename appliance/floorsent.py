"""The commands of a floor menu's form on their way: given again without an answer, each goes under its id of before."""

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


class SentForm:
    """The commands of the form that was sent last, as long as one of them has no answer."""

    def __init__(self) -> None:
        self._known: list[Sent] = []
        self.unanswered: Sent | None = None

    def send(self, actor: str, command: Command, what: Text, fresh_id: Callable[[], str], *, follows: bool) -> Sent:
        """The command under its id; ``follows``: another of the same form was answered just before."""
        sent = next((one for one in self._known if (one.actor, one.command) == (actor, command)), None)
        if sent is None:
            sent = Sent(actor, command, fresh_id(), what)
            self._known = [*self._known, sent] if follows else [sent]
        self.unanswered = sent
        return sent

    def answered(self, sent: Sent, *, last: bool) -> None:
        """It has its answer; ``last``: nothing follows it. The same thing asked for once more is another command."""
        if sent is self.unanswered:
            self.unanswered = None
        if last and self.unanswered is None:
            self._known = []
