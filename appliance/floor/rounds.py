"""The rounds of an evening that has several (LG-1): which one the menu is about, and what the others are called."""

from __future__ import annotations

from appliance.floor.forms import Here, Option
from appliance.floor.said import Said, Several, Text
from appliance.game.state import Phase, Round
from appliance.i18n import N_

_PHASES = {
    Phase.ANNOUNCED: N_("announced"),
    Phase.OPEN: N_("takes registrations"),
    Phase.RUNNING: N_("in play"),
    Phase.FINISHED: N_("finished"),
    Phase.CANCELLED: N_("cancelled"),
    Phase.MOVED: N_("moved to another date"),
}


def options(rounds: tuple[Round, ...]) -> tuple[Option, ...]:
    """What there is to choose from; nothing where there is one round, or none."""
    return tuple(map(_option, rounds)) if len(rounds) > 1 else ()


def titled(title: Text, here: Here) -> Text:
    """A title with the round the menu is about, where there are several."""
    of = _named(here)
    return Several((title, Said(N_("Round {round}"), {"round": of})), " · ") if of else title


def told(sentence: Text, here: Here) -> Text:
    """A sentence about a round, with the round before it where there are several."""
    of = _named(here)
    return Several((Said(N_("Round {round}:"), {"round": of}), sentence), " ") if of else sentence


def _named(here: Here) -> str:
    return here.round.id if here.rounds and here.round is not None else ""


def _option(round: Round) -> Option:
    return Option(round.id, Said(N_("Round {round}"), {"round": round.id}), Said(_PHASES[round.phase]))
