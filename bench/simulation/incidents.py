"""What comes between two hands on a floor: late players, absences, penalties, breaks, mistakes and their undoing."""

from __future__ import annotations

from collections.abc import Callable

from appliance.game.play import Arrival
from bench.simulation import programme
from bench.simulation.anything import KINDS, fields_of
from bench.simulation.manager import Manager

Incident = Callable[[Manager], object]


def somebody_deposits(m: Manager) -> None:
    m.ask("deposit", participant=m.chance.choice(m.playing()), amount=m.chance.choice((10, 50, 100)))


def somebody_comes_late(m: Manager) -> None:
    m.ask("register", participant=m.newcomer(), identity_checked=True)


def somebody_enters_again(m: Manager) -> None:
    if out := m.out():
        m.ask("reenter", participant=m.chance.choice(out), deposits_24h=m.chance.choice((0, 0, 200)))


def somebody_leaves_the_table(m: Manager) -> None:
    m.ask("absent", participant=m.chance.choice(m.playing()))


def somebody_is_back(m: Manager) -> None:
    away = [who for who, player in m.round.players.items() if player.absent and player.seat]
    waiting = [t.seats[seat] for t in m.tables() for seat, how in t.arrivals.items() if how is Arrival.SITS_OUT]
    if away + waiting:
        m.ask("present", participant=m.chance.choice(away + waiting))


def a_newcomer_sits_out(m: Manager) -> None:
    """Whoever may and would post a blind."""
    newcomers = [
        table.seats[seat] for table in m.tables() for seat, how in table.arrivals.items() if how is Arrival.NEW
    ]
    for who in newcomers:
        if m.done("sit_out", participant=who):
            return


def a_lock(m: Manager) -> None:
    table = m.chance.choice(m.tables())
    if m.chance.random() < 0.5:
        m.ask("lock", on=True, participant=m.chance.choice(list(table.seats.values())), reason="a wheelchair")
    else:
        m.ask("lock", on=True, seat=[table.number, m.chance.randint(1, m.round.seats_per_table)])


def no_lock(m: Manager) -> None:
    for seat in m.round.locked_seats:
        m.ask("lock", on=False, seat=list(seat))
    for who in m.playing():
        if m.round.players[who].locked:
            m.ask("lock", on=False, participant=who)


def a_move_by_word(m: Manager) -> None:
    table, who = m.chance.choice(m.tables()), m.chance.choice(m.playing())
    m.ask("move", participant=who, seat=[table.number, m.chance.randint(1, m.round.seats_per_table)])


def a_count(m: Manager) -> None:
    m.count_table(m.chance.choice(m.tables()).number)


def a_count_of_all(m: Manager) -> None:
    for table in m.tables():
        m.count_table(table.number)


def a_call_for_time(m: Manager) -> None:
    table = m.chance.choice(m.tables())
    if m.done("time_call", table=table.number, participant=m.chance.choice(list(table.seats.values()))):
        m.wait(30)
        m.ask("time_end", table=table.number, outcome=m.chance.choice(("acted", "ran-out")))


def a_pause(m: Manager) -> None:
    if m.done("pause"):
        m.wait(m.chance.randint(10, 600))
        m.ask("resume")


def a_hand_on_the_clock(m: Manager) -> None:
    do, fields = m.chance.choice(
        (("next_level", {}), ("previous_level", {}), ("set_remaining", {"seconds": m.chance.choice((0, 30, 600))}))
    )
    m.ask(do, **fields)


def a_break(m: Manager) -> None:
    if m.done("begin_break", minutes=m.chance.choice((5, 10))):
        m.wait(m.chance.randint(60, 700))
        m.ask("end_break")


def time_passes(m: Manager) -> None:
    m.wait(m.chance.randint(60, 900))


def a_bonus_card(m: Manager) -> None:
    m.ask("bonus_card", participant=m.chance.choice(m.playing()), holding=False)


def the_chip_up(m: Manager) -> None:
    m.ask("chip_up", **({"participant": m.chance.choice(m.playing())} if m.chance.random() < 0.3 else {}))


def a_penalty(m: Manager) -> None:
    kind = m.chance.choice(("warning", "warning", "dead-hand", "sit-out", "sit-out"))
    length = m.chance.choice(({"hands": 2}, {"minutes": 10})) if kind == "sit-out" else {}
    m.ask("sanction", participant=m.chance.choice(m.playing()), kind=kind, reason="talks of the hand", **length)


def a_ruling(m: Manager) -> None:
    table = m.chance.choice(m.tables())
    m.ask("ruling", ruling="I-13", decision="the pot is split", reason="the cards were mixed", table=table.number)


def an_exclusion(m: Manager) -> None:
    who = m.chance.choice(m.playing())
    if seat := m.round.players[who].seat:
        m.count_table(seat.table)
        m.ask(
            "sanction", participant=who, kind="exclusion", reason="a card up the sleeve", league=m.chance.random() < 0.5
        )


def a_fraud(m: Manager) -> None:
    who = m.chance.choice(list(m.round.players))
    if seat := m.round.players[who].seat:
        m.count_table(seat.table)
    m.ask("void", participant=who, reason="another's card")


def a_colour_up(m: Manager) -> None:
    """The smallest chips of a table go, each holding made of its stack."""
    table = m.chance.choice(m.tables())
    smallest, larger = programme.CHIP_SET[:2] if table.coloured_up < programme.CHIP_SET[0] else programme.CHIP_SET[1:3]
    holdings: dict[str, dict[int, int]] = {}
    for who in table.seats.values():
        small = m.stack(who) % larger + min(2 * larger, m.stack(who) // larger * larger)
        holdings[who] = {smallest: small // smallest}
        if above := (m.stack(who) - small) // larger:
            holdings[who][larger] = above
    m.ask("colour_up", table=table.number, denomination=smallest, to=larger, holdings=holdings)


def hand_for_hand(m: Manager) -> None:
    """Where the money is near, or too soon."""
    if m.round.hand_for_hand is None:
        m.ask("hand_for_hand", on=True, **({"minutes": m.chance.choice((0, 2, 3))} if m.chance.random() < 0.5 else {}))


def a_mistaken_bust(m: Manager) -> None:
    """Somebody is entered as out who is not: undone, or brought back."""
    who = m.chance.choice(m.playing())
    if m.round.left > 2 and m.done("bust", participant=who):
        mistake = m.book.newest
        if m.chance.random() < 0.5:
            m.ask("undo", of=mistake)
        else:
            m.ask("reinstate", participant=who)


def second_thoughts(m: Manager) -> None:
    """A few commands are undone; some are given again, or others in their stead."""
    n = m.chance.randint(1, 6)
    if m.done("undo", n=n) and m.chance.random() < 0.7:
        m.ask("redo", n=m.chance.randint(1, n))


def a_stale_undo(m: Manager) -> None:
    m.ask("undo", of="c1")


def an_early_payment(m: Manager) -> None:
    if out := m.out():
        m.ask("pay", participant=out[-1], amount=m.chance.choice((1, 10, 100)))


def a_deal(m: Manager) -> None:
    left = m.playing()
    if len(left) > 6 or len(m.tables()) > 1:
        return
    stacks = {who: max(1, m.stack(who)) for who in left}
    m.ask("deal", kind=m.chance.choice(("icm", "chop")), consents=left, stacks=stacks)


def something_else(m: Manager) -> None:
    """Any command, sensible or not, but one that ends the evening."""
    kind = m.chance.choice([kind for kind in KINDS if kind not in ("cancel", "end_early", "void", "deal")])
    if kind in ("undo", "redo"):
        m.ask(kind, n=m.chance.randint(1, 4))
    else:
        m.ask(kind, **fields_of(kind, m.chance, m.round, m.book.newest))


INCIDENTS: dict[Incident, int] = {
    something_else: 14,
    somebody_deposits: 4,
    somebody_comes_late: 8,
    somebody_enters_again: 6,
    somebody_leaves_the_table: 5,
    somebody_is_back: 5,
    a_newcomer_sits_out: 9,
    a_lock: 2,
    no_lock: 3,
    a_move_by_word: 2,
    a_count: 4,
    a_count_of_all: 1,
    a_call_for_time: 2,
    a_pause: 2,
    a_hand_on_the_clock: 3,
    a_break: 1,
    time_passes: 3,
    a_bonus_card: 3,
    the_chip_up: 5,
    a_penalty: 3,
    a_ruling: 2,
    an_exclusion: 1,
    a_fraud: 1,
    a_colour_up: 4,
    hand_for_hand: 2,
    a_mistaken_bust: 3,
    second_thoughts: 5,
    a_stale_undo: 1,
    an_early_payment: 1,
    a_deal: 6,
}
"""With how often each happens, among a hundred or so."""


def befall(m: Manager) -> None:
    """One incident."""
    (incident,) = m.chance.choices(list(INCIDENTS), weights=list(INCIDENTS.values()))
    incident(m)
