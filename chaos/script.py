"""An evening's script from a seed: what people ask, in order, and what the rules must answer. Pure.

The rules are asked while the script is made, so it knows each answer and how the evening ends. No answer hangs on the
time of day: levels have no breaks, and a break that somebody begins is longer than any evening.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from appliance.game.results import prizes_won
from appliance.game.state import Ledger, Round, Status
from chaos import limit
from chaos.mind import START_MS, Mind, Step
from chaos.people import ROUND, player

PROFILES = ("cpl-2017", "cpl-2017", "cpl", "tda-2024", "tda-2024")
LONG_MINUTES = 600
"""A break of so many minutes is over when somebody ends it."""
_LATE = 3
"""So many come when the game has begun, where late entries are taken."""


class Script(NamedTuple):
    """What is done, and the round as it must be in the end."""

    announcement: dict[str, Any]
    steps: tuple[Step, ...]
    ledger: Ledger
    elsewhere: dict[str, int]
    """By participant, what was deposited at another venue today (CZK)."""
    tracked: tuple[int, ...]
    """The tables whose hands are keyed in, action by action."""

    @property
    def round(self) -> Round:
        """The round in the end."""
        assert self.ledger.round is not None
        return self.ledger.round


def announcement(seed: int, players: int, tables: int, starts_at: str, venue: str) -> dict[str, Any]:
    """Tonight's round."""
    chance = random.Random(f"announcement {seed}")
    blinds = (25, 50, 100, 150, 200, 300, 400, 600, 1000, 1500, 2500, 4000)
    profile = chance.choice(PROFILES)
    fields = {
        "do": "announce",
        "round": ROUND,
        "venue": venue,
        "starts_at": starts_at,
        "profile": profile,
        "deposit": chance.choice((100, 250, 375)),
        "shares": ["50", "30", "20"],
        "seats_per_table": max(3, -(-players // tables)),
        "levels": [{"sb": sb, "bb": 2 * sb, "ante": 0, "minutes": LONG_MINUTES} for sb in blinds],
        "seed": chance.getrandbits(40),
        "tables": list(range(1, tables + 1)),
        "late_registration": chance.random() < 0.6,
        "reentry": chance.random() < 0.8,
    }
    return fields


def write(seed: int, players: int, announced: dict[str, Any]) -> Script:
    """The script of an evening with so many players; the same seed writes the same one."""
    people = [player(number).number for number in range(players)]
    deposited = limit.elsewhere(seed, players)
    mind = Mind(seed, announced, limit.allowances(people, deposited, START_MS))
    late = people[-_LATE:] if mind.round.late_registration else []
    _gather(mind, [who for who in people if who not in late])
    keyed = tuple(sorted(mind.chance.sample(sorted(mind.round.tables), 1 if len(mind.round.tables) < 6 else 2)))
    _play(mind, late, keyed)
    _close(mind)
    return Script(announced, tuple(mind.steps), mind.ledger, deposited, keyed)


def _gather(mind: Mind, people: list[str]) -> None:
    chance = mind.chance
    mind.ask("open")
    for who in chance.sample(people, len(people)):
        if chance.random() < 0.5 and mind.fits("register", participant=who, identity_checked=True):
            mind.tap(who)
        else:
            mind.ask("register", participant=who, identity_checked=True)
        tapped = mind.steps[-1].kind == "tap"  # a second tap may still be on its way
        if chance.random() < 0.04:
            mind.ask("register", participant=who, identity_checked=True)  # refused: twice
        if chance.random() < 0.08 and not tapped and who in mind.round.players:
            mind.ask("unregister", participant=who)
            if chance.random() < 0.5:
                mind.undo()
            else:
                mind.ask("register", participant=who, identity_checked=True)
    mind.ask("start")


def _play(mind: Mind, late: list[str], keyed: tuple[int, ...]) -> None:
    chance, end_at = mind.chance, mind.chance.choice((1, 1, 2, 4, 6))
    begun = mind.round.left
    swap = chance.random() < 0.7
    several = range(max(end_at, mind.round.seats_per_table) + 1, begun)  # so many players are at several tables
    alone = chance.sample(several, min(2, len(several)))
    apart = set(chance.sample(range(end_at + 2, begun), min(1, max(0, begun - end_at - 2))))
    while mind.running and mind.round.left > end_at:
        tables = [table for table in mind.tables() if table.number not in keyed]
        mind.hands(chance.sample(tables, chance.randint(min(1, len(tables)), len(tables))))
        for table in mind.tables():
            if mind.running and table.number in keyed and chance.random() < 0.4:
                dealt = mind.deal(table.number, mind.round.left - end_at, swap)
                swap = swap and not dealt
        if tables and alone and mind.round.left <= max(alone):
            alone.remove(max(alone))
            mind.ahead(chance.sample(tables, min(len(tables), chance.randint(1, 3))))
        if mind.round.left in apart:
            apart.discard(mind.round.left)
            mind.apart(chance.sample(mind.playing(), 3))
        if late and chance.random() < 0.5:
            _come_late(mind, late.pop())
        for _ in range(chance.choice((0, 0, 1, 1, 2))):
            chance.choice(_BY_THE_WAY)(mind)
        if mind.running and mind.round.left > end_at:
            _bust(mind, keyed)
        _tidy(mind)


def _come_late(mind: Mind, who: str) -> None:
    if mind.chance.random() < 0.7 and mind.fits("register", participant=who, identity_checked=True):
        mind.tap(who)
    else:
        mind.ask("register", participant=who, identity_checked=True)


def _bust(mind: Mind, keyed: tuple[int, ...]) -> None:
    """Somebody goes out, in one of the ways there are; where hands are keyed in, not in one of these."""
    chance = mind.chance
    table = max(mind.tables(), key=lambda t: (len(t.seats), -t.number))
    who, other = chance.sample(sorted(table.seats.values()), 2)
    stack = chance.randrange(20, 200) * 25
    what = chance.random()
    if what < 0.15 and mind.round.left > 4 and table.hand and table.number not in keyed:
        mind.may("busts", stacks={who: stack, other: stack + 25 * chance.randint(0, 1)})
    elif what < 0.3 or table.number in keyed:
        mind.ask("bust", participant=who)
    elif what < 0.4:
        mind.may("sanction", participant=who, kind="exclusion", reason="hrubé urážky")
    else:
        fields = {"hand": table.hand} if table.hand else {}
        mind.ask("bust", participant=who, table=table.number, **fields, stack=stack)
    if mind.running and chance.random() < 0.15:
        mind.undo()
        if chance.random() < 0.6:
            mind.may("redo")
    elif mind.running and chance.random() < 0.05:
        mind.may("reinstate", participant=who)
    elif mind.running and chance.random() < 0.1:
        mind.ask("bust", participant=who)  # refused: is out


def _tidy(mind: Mind) -> None:
    """Break tables, even them out, sit down at the last one."""
    for _ in range(12):
        tables, seats = mind.tables(), mind.round.seats_per_table
        everywhere = [table for table in mind.round.tables.values() if table.seats]
        if not mind.running or len(everywhere) < 2:
            return
        left = mind.round.left
        if left <= seats:
            moved = mind.may("final_table")
        elif left <= (len(everywhere) - 1) * seats and mind.chance.random() < 0.8:
            order = [n for n in mind.round.breaking if n in {table.number for table in everywhere}]
            moved = mind.may("break_table", table=order[0] if order else everywhere[-1].number)
        else:
            moved = mind.may("balance")
        if not moved:
            return
    assert tables


def _clock(mind: Mind) -> None:
    mind.may(mind.chance.choice(["pause", "resume", "next_level", "previous_level"]))


def _rest(mind: Mind) -> None:
    if mind.may("begin_break", minutes=LONG_MINUTES):  # longer than the evening: it ends when it is ended
        mind.ask("end_break")


def _remaining(mind: Mind) -> None:
    mind.may("set_remaining", seconds=60 * mind.chance.randint(60, 600))


def _count(mind: Mind) -> None:
    table = mind.chance.choice(mind.tables())
    mind.may(
        "stacks", table=table.number, stacks={who: 25 * mind.chance.randint(1, 400) for who in table.seats.values()}
    )


def _away(mind: Mind) -> None:
    who = mind.chance.choice(mind.playing())
    if mind.may("absent", participant=who):
        mind.ask("present", participant=who)


def _warn(mind: Mind) -> None:
    mind.may("sanction", participant=mind.chance.choice(mind.playing()), kind="warning", reason="mluví do cizí hry")


def _time_call(mind: Mind) -> None:
    table = mind.chance.choice(mind.tables())
    if mind.may("time_call", table=table.number, participant=mind.chance.choice(list(table.seats.values()))):
        mind.ask("time_end", table=table.number)


def _move(mind: Mind) -> None:
    table = mind.chance.choice(mind.tables())
    free = [seat for seat in range(1, mind.round.seats_per_table + 1) if seat not in table.seats]
    if free:
        mind.may("move", participant=mind.chance.choice(list(table.seats.values())), seat=[table.number, free[0]])


def _lock(mind: Mind) -> None:
    who = mind.chance.choice(mind.playing())
    if mind.may("lock", on=True, participant=who):
        mind.ask("lock", on=False, participant=who)


def _change_of_mind(mind: Mind) -> None:
    if mind.undo() and (not mind.running or mind.chance.random() < 0.8):
        mind.ask("redo")


def _deposit(mind: Mind) -> None:
    """More money, now and then too much of it."""
    mind.ask("deposit", participant=mind.chance.choice(mind.playing()), amount=mind.chance.choice((50, 125, 300)))


def _reenter(mind: Mind) -> None:
    out = [who for who, player in mind.round.players.items() if player.status is Status.OUT]
    if out:
        mind.may("reenter", participant=mind.chance.choice(out))


def _nonsense(mind: Mind) -> None:
    chance = mind.chance
    chance.choice((
        lambda: mind.ask("open"),
        lambda: mind.ask("start"),
        lambda: mind.ask("next_hand", table=99),
        lambda: mind.ask("redo", n=50),
    ))()  # fmt: skip


_BY_THE_WAY: tuple[Callable[[Mind], None], ...] = (
    _clock, _rest, _remaining, _count, _away, _warn, _time_call, _move, _lock, _change_of_mind, _deposit, _deposit,
    _deposit, _reenter, _nonsense,
)  # fmt: skip


def _close(mind: Mind) -> None:
    """A winner, an early end, or a deal that is played out; then the prizes."""
    while mind.running:
        if mind.chance.random() < 0.5 and mind.may("end_early", reason="sál se zavírá", stacks=mind.stacks()):
            break
        left = mind.playing()
        mind.may("deal", kind="chop", consents=left, stacks=mind.stacks())
        for who in left[1:]:
            mind.ask("bust", participant=who)
    for who, prize in prizes_won(mind.round).items():
        if prize:
            mind.may("pay", participant=who, amount=prize)
