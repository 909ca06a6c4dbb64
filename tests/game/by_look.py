"""What must hold of every ledger, whatever was folded into it: it fits together, and everything can be shown."""

from __future__ import annotations

import json

from msgspec.structs import replace

from appliance.display.from_round import (
    Link,
    Scene,
    Venue,
    clock_view,
    door_view,
    later,
    next_change_ms,
    table_view,
)
from appliance.display.prompt import YourSeat
from appliance.evening import of_participant, on_screen
from appliance.game.report import report
from appliance.game.results import prizes_won, results
from appliance.game.roster import Roster
from appliance.game.state import Ledger, Phase, Round, Status
from appliance.game.values import MAX_AMOUNT, Seat


def look(ledger: Ledger, at_ms: int) -> None:
    """Every screen of this state, what scripts print of it and what the league derives from it."""
    round = ledger.round
    for prompt in (None, YourSeat("000001", 1, 1)):
        link = Link(director=False, director_lost_at=at_ms)
        scene = Scene(round=round, roster=Roster(), link=link, venue=Venue("Brno"), at_ms=at_ms, prompt=prompt)
        for view in (*(table_view(scene, number) for number in (1, 2, 9)), clock_view(scene), door_view(scene)):
            later(view, replace(scene, at_ms=at_ms + 1000))
    assert 1 <= next_change_ms(round, at_ms) <= 60_000
    json.dumps(report(ledger, at_ms))
    if round is not None:
        on_screen([round], at_ms, 1)
        of_participant([round], "000001", at_ms, 2)
        fits_together(round)


def fits_together(round: Round) -> None:
    """Players and tables tell the same, and so do places, prizes and who is left."""
    seated = {seat: who for table in round.tables.values() for seat, who in _seats(table.number, table.seats)}
    assert seated == {player.seat: who for who, player in round.players.items() if player.seat}
    for who, player in round.players.items():
        assert who == player.participant
        assert player.status is not Status.IN or player.seat or round.phase is Phase.FINISHED, who
    assert round.left == sum(player.status is Status.IN for player in round.players.values())
    assert round.pool == sum(player.deposit for player in round.players.values())
    assert round.chips >= 0
    for table in round.tables.values():
        assert set(table.arrivals) <= set(table.seats)
    found = results(round)
    places = [result.place for result in found]
    assert places == sorted(places) and all(1 <= place <= len(round.players) for place in places)
    assert len({result.participant for result in found}) == len(found)
    assert all(0 <= prize <= MAX_AMOUNT * 10_000 for prize in prizes_won(round).values())
    if round.phase is Phase.FINISHED:
        assert {r.participant for r in found} == {
            who for who, player in round.players.items() if player.status is not Status.VOID
        }


def _seats(table: int, seats: object) -> list[tuple[Seat, str]]:
    assert isinstance(seats, dict)
    return [(Seat(table, number), who) for number, who in seats.items()]
