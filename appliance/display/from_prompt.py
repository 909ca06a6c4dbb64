"""What is said to the one who has just tapped, with what it needs looked up. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from appliance.display import prompt as p
from appliance.display.from_call import seat_of_many
from appliance.display.from_season import is_today, offered_today
from appliance.display.scene import Scene
from appliance.display.view import PlanTable, PromptView
from appliance.game import state
from appliance.game.seating import occupied_tables


def prompt_view(scene: Scene, there: Mapping[int, str] = {}) -> PromptView | None:
    """The scene's prompt, None where nothing is said to anybody.

    ``there``: who sits at the table, or did in its last hand, by seat."""
    prompt, round = scene.prompt, scene.round
    if prompt is None:
        return None
    participant = getattr(prompt, "participant", None)
    chips = 0
    starts_at: int | None = None
    plan: tuple[PlanTable, ...] = ()
    match prompt:
        case p.CheckIdentity(deposit=deposit) if round is not None:
            chips = deposit * round.rules.chips_per_crown
        case p.WrongEvening(starts_at=starts_at):
            if starts_at is None and round is None and (offered := offered_today(scene)):
                starts_at = offered[0]
        case p.AlreadyRegistered() if round is not None and round.phase is state.Phase.MOVED:
            starts_at = round.starts_at
        case p.YourSeat() if round is not None:
            plan = _plan(round)
    who = scene.who(participant) if participant else None
    return PromptView(
        prompt=prompt,
        who=who,
        seat=seat_of_many(participant, scene.who, there) if participant else None,
        chips=chips,
        next_round_at=scene.venue.at(starts_at) if starts_at is not None else None,
        next_round_today=starts_at is not None and is_today(scene, starts_at),
        plan=plan,
        pin_keys=scene.touch and isinstance(prompt, p.EnterPin),
        lang=_language(scene, participant),
        confirms=scene.who(prompt.confirms) if isinstance(prompt, p.EnterPin) and prompt.confirms else None,
    )


def _language(scene: Scene, participant: str | None) -> Literal["", "cs", "en"]:
    """The language of the person addressed: of the one whose card was tapped, as the roster tells it."""
    entry = scene.roster.by_number(participant) if participant else None
    return (entry.lang if entry else None) or ""


def _plan(round: state.Round) -> tuple[PlanTable, ...]:
    return tuple(
        PlanTable(number=table.number, seats=max([round.seats_per_table, *table.seats]), taken=tuple(table.seats))
        for table in occupied_tables(round)
    )
