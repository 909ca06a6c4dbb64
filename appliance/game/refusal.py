"""A refusal: why the rules, or the state of the round, do not allow a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from appliance.game.state import Phase, Round, Status


class Refusal(Struct, frozen=True):
    """``code`` is stable and kebab-case, ``detail`` its parameters; the words are the reader's (i18n)."""

    code: str
    detail: Mapping[str, Any] = {}


def not_running(round: Round) -> Refusal | None:
    """Why play is not going on: not started, cancelled or over; None while it is."""
    match round.phase:
        case Phase.RUNNING:
            return None
        case Phase.FINISHED:
            return Refusal("finished")
        case Phase.CANCELLED:
            return Refusal("cancelled")
        case _:
            return Refusal("not-running")


def not_in_play(round: Round, participant: str) -> Refusal | None:
    """Why this participant is not playing: unknown to the round, or out; None while they are in."""
    player = round.players.get(participant)
    if player is None:
        return Refusal("not-registered", {"participant": participant})
    if player.status is not Status.IN:
        return Refusal("not-in-play", {"participant": participant, "status": player.status.value})
    return None


def stale(seen: object, now: object) -> Refusal | None:
    """Why a command that goes on from what somebody saw would do something else by now; None where it would not, or
    nobody said what they saw."""
    return None if seen is None or seen == now else Refusal("stale", {"of": seen, "newest": now})
