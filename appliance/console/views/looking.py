"""What a phone's page has to know of the evening, as a kiosk's menu knows it: the same `Here`, made of a `Sight`."""

from __future__ import annotations

from collections.abc import Mapping

from appliance import evening
from appliance.console.asked import Asked
from appliance.console.sight import Sight
from appliance.floor import rounds
from appliance.floor.forms import Here, Lone
from appliance.floorcalls import open_calls
from appliance.floorsight import adopted_option, in_words, names_of, refused_anew, spare_option
from appliance.game.roster import Roster
from appliance.game.state import Ledger, Round
from appliance.kinds import FloorCall, OfflineRefused, adopted
from appliance.lone import standing

_NO_LEDGER = Ledger()
_MOMENT_MS = 1000
_MOST_KEPT = 24


class _Kept:
    """What was made last: many phones ask for the same at once. For the console's thread only."""

    def __init__(self) -> None:
        self.heres: list[tuple[Asked, str | None, Here]] = []
        self.names: tuple[Roster | None, dict[str, str]] = (None, {})


_kept = _Kept()


def here_of(asked: Asked) -> Here:
    """What is known; for a moment in which nothing has changed it is the same one, which spares the engine's work."""
    table = asked.phone.table if asked.phone.role == "dealer" else None
    round = _round_id(asked)
    for before, id, here in _kept.heres:
        if _alike(before, asked) and id == round and here.table == table and here.commissioner == asked.phone.who:
            return here
    made = _made(asked, round, table)
    _kept.heres = [(asked, round, made), *_kept.heres[: _MOST_KEPT - 1]]
    return made


def _alike(before: Asked, asked: Asked) -> bool:
    return (
        before.sight is asked.sight
        and before.lang == asked.lang
        and 0 <= asked.now_ms - before.now_ms < _MOMENT_MS
        and before.now_ms // _MOMENT_MS == asked.now_ms // _MOMENT_MS
    )


def _made(asked: Asked, round: str | None, table: int | None) -> Here:
    sight = asked.sight
    names = names_in(sight)
    return Here(
        ledger=sight.ledgers.get(round) if round is not None else None,
        at_ms=asked.now_ms,
        place="phone",
        table=table,
        names=names,
        commissioner=asked.phone.who,
        lang=asked.lang,
        refused=len(refused_hands(sight)),
        lone=_lone(sight, names, asked.now_ms),
        times=sight.times,
        spares=tuple(map(spare_option, sight.spares)),
        adopted=tuple(map(adopted_option, sorted(adopted(sight.notes), key=lambda note: note.device))),
        taken=sight.taken,
        rounds=rounds.options(rounds_of(asked)),
    )


def names_in(sight: Sight) -> Mapping[str, str]:
    """What to call whom."""
    if _kept.names[0] is not sight.roster:
        _kept.names = sight.roster, names_of(sight.roster)
    return _kept.names[1]


def rounds_of(asked: Asked) -> tuple[Round, ...]:
    """The rounds of the evening, the one people most likely mean first."""
    known = [ledger.round for ledger in asked.sight.ledgers.values() if ledger.round is not None]
    return evening.of_tonight(known, asked.sight.times.right(asked.now_ms), asked.phone.table)


def refused_hands(sight: Sight) -> list[OfflineRefused]:
    """Hands that were played without a director and refused, and nobody has seen to."""
    return [note for note in sight.notes.values() if isinstance(note, OfflineRefused) and note.open]


def calls(asked: Asked) -> tuple[FloorCall, ...]:
    """The tables that call the floor, the one that waits longest first."""
    return open_calls(asked.sight.notes, asked.now_ms)


def _round_id(asked: Asked) -> str | None:
    """The round the phone is about; where it names none that is there, the one that is on."""
    if asked.round is not None and asked.round in asked.sight.ledgers:
        return asked.round
    return next((round.id for round in rounds_of(asked)), None)


def _lone(sight: Sight, names: Mapping[str, str], at_ms: int) -> tuple[Lone, ...]:
    return tuple(
        in_words(found, names, refused_anew(found, sight.ledgers.get(found.round, _NO_LEDGER), at_ms))
        for found in standing(sight.notes)
    )
