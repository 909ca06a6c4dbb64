"""Folds a run of the league's events: what `fold_roster` makes of them one by one, without a copy for each of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from appliance.game.codec import UnknownEvent
from appliance.game.league_event import RosterEvent
from appliance.game.roster import (
    AllowanceEnded,
    AllowanceGiven,
    Roster,
    RosterEntry,
    RosterRemoved,
    RoundChanged,
    RoundOffered,
    RoundWithdrawn,
    fold_roster,
)


def fold_run(roster: Roster, events: Iterable[tuple[RosterEvent | UnknownEvent, int]]) -> Roster:
    """The roster after events, each with when it was written (UTC ms); the one before stays as it is.

    Work grows with the number of events alone, besides one copy of what they change.
    """
    run = _Run(roster)
    for event, at in events:
        run.take(event, at)
    return run.roster()


class _Run:
    """A roster in the making: what grows with people and rounds is copied when it is first changed, and then ours."""

    def __init__(self, roster: Roster) -> None:
        self._rest = roster
        self._ours: dict[str, Any] = {}

    def take(self, event: RosterEvent | UnknownEvent, at: int) -> None:
        match event:
            case RosterEntry():
                self._enter(event)
            case RosterRemoved():
                self._remove(event.participant)
            case RoundOffered():
                self._map("offers")[event.announcement.round] = event.announcement
            case RoundWithdrawn():
                self._map("offers").pop(event.round, None)
            case RoundChanged():
                self._map("changes")[event.round] = event
            case AllowanceGiven() | AllowanceEnded():
                self._allow(event)
            case _:
                self._rest = fold_roster(self._rest, event, at)  # none of these changes anything of what is ours

    def roster(self) -> Roster:
        """What has come of it; nothing is taken any more."""
        if "ended" in self._ours:
            self._ours["ended"] = frozenset(self._ours["ended"])
        return replace(self._rest, **self._ours)

    def _map(self, name: str) -> dict[Any, Any]:
        if name not in self._ours:
            self._ours[name] = dict(getattr(self._rest, name))
        ours: dict[Any, Any] = self._ours[name]
        return ours

    def _ended(self) -> set[str]:
        if "ended" not in self._ours:
            self._ours["ended"] = set(self._rest.ended)
        ours: set[str] = self._ours["ended"]
        return ours

    def _enter(self, entry: RosterEntry) -> None:
        self._remove(entry.participant)
        self._map("entries")[entry.participant] = entry
        if entry.cards:
            self._map("cards").update(dict.fromkeys(entry.cards, entry.participant))
        if entry.revoked or entry.withdrawn:
            self._map("revoked").update(dict.fromkeys((*entry.revoked, *entry.withdrawn), entry.participant))

    def _remove(self, participant: str) -> None:
        before: RosterEntry | None = self._map("entries").pop(participant, None)
        if before is None:
            return
        # whatever is theirs stands in their last entry: each one replaces all that the one before said
        for name, uids in (("cards", before.cards), ("revoked", (*before.revoked, *before.withdrawn))):
            for uid in uids:
                if self._map(name).get(uid) == participant:
                    del self._map(name)[uid]

    def _allow(self, event: AllowanceGiven | AllowanceEnded) -> None:
        allowances = self._map("allowances")
        if isinstance(event, AllowanceGiven):
            given = event.allowance
            if (last := allowances.get(given.participant)) is not None:
                self._ended().discard(last.token)
            allowances[given.participant] = given
            if not self._rest.allowances_in_force:
                self._rest = replace(self._rest, allowances_in_force=True)
        elif (last := allowances.get(event.participant)) is not None and last.token == event.token:
            self._ended().add(event.token)
