"""What is promised of every evening: one function a promise, each telling what broke it, or nothing.

Those of `STEP` look at one accepted command, those of `HISTORY` at all that count, in order. They share nothing with
the rules but the state and the events: a promise that asked the rules would only say that they agree with themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from appliance.game.events import Finished, Result
from appliance.game.play_events import DealAgreed, PlayerMoved, Voided
from appliance.game.prizes import prize_pool
from appliance.game.refusal import Refusal
from appliance.game.results import prizes_won, results
from appliance.game.state import Phase, Round, Status
from appliance.game.values import Seat
from bench.simulation.blinds import big_blind_comes_round, blinds_are_dealt_in
from bench.simulation.book import Given

Step = Callable[[Given, Round], Iterator[str]]
History = Callable[[Sequence[Given]], Iterator[str]]


def chips_conserved(given: Given, round: Round) -> Iterator[str]:
    """T-4: chips in play are those lent and given, and those changed up or taken out are not."""
    if round.chips != given.due:
        yield f"{round.chips} chips in play, {given.due} by the events"


def pool_is_all_deposits(given: Given, round: Round) -> Iterator[str]:
    """T-5: the pool is all deposits, by the events and by the players."""
    deposited = sum(player.deposit for player in round.players.values())
    if not round.pool == given.pool == deposited:
        yield f"pool {round.pool}, {given.pool} by the events, {deposited} by the players"


def everybody_sits_once(given: Given, round: Round) -> Iterator[str]:
    """S-1: one seat for each who is in, and nobody else on it."""
    sitting = {who: player.seat for who, player in round.players.items() if player.seat is not None}
    tables = {who: (t.number, seat) for t in round.tables.values() for seat, who in t.seats.items()}
    seats = sum(len(table.seats) for table in round.tables.values())
    playing = sum(player.status is Status.IN for player in round.players.values())
    if sitting != tables or seats != len(tables) or len(set(sitting.values())) != len(sitting):
        yield f"seats of players and tables differ: {sorted(set(sitting.items()) ^ set(tables.items()))[:4]}"
    if round.left != playing or (round.phase is Phase.RUNNING and playing != len(sitting)):
        yield f"{playing} are in, {round.left} counted, {len(sitting)} sit"
    beyond = [seat for seat in sitting.values() if seat.seat > round.seats_per_table]
    if beyond or any(number not in round.table_numbers for number in round.tables):
        yield f"beyond the room: {beyond or sorted(round.tables)}"


def deposits_within_limit(given: Given, round: Round) -> Iterator[str]:
    """T-3: within 24 hours nobody deposits more than the limit, here and elsewhere together."""
    if given.do not in ("register", "deposit", "reenter"):
        return
    for who, player in round.players.items():
        day = [money.amount for money in (*player.deposits, *player.elsewhere) if given.at - money.at < 86_400_000]
        if sum(day) > round.rules.deposit_limit:
            yield f"{who} deposited {sum(day)} CZK in 24 hours"


def nothing_paid_is_taken_back(given: Given, round: Round) -> Iterator[str]:
    """T-5, T-10: nobody was paid more than their place or a deal gives; what a void one was paid is to be reclaimed."""
    if not any(player.paid for player in round.players.values()):
        return
    prizes = prizes_won(round)
    for who, player in round.players.items():
        if player.paid > prizes.get(who, 0) and player.status is not Status.VOID:
            yield f"{who} was paid {player.paid} of {prizes.get(who, 0)}"


def places_are_full(given: Given, round: Round) -> Iterator[str]:
    """T-6, T-7, LG-10: each who is not void has a place, from the first down, those that are shared all named alike.

    While play goes on only those below the places still played for have one.
    """
    if round.phase not in (Phase.RUNNING, Phase.FINISHED) or not (round.eliminations or round.finish):
        return
    found = results(round)
    ranked = sorted(result.participant for result in found)
    due = sorted(who for who, p in round.players.items() if p.status in (Status.OUT, Status.EXCLUDED))
    if round.phase is Phase.FINISHED:
        due = sorted(who for who, player in round.players.items() if player.status is not Status.VOID)
    if ranked != due:
        yield f"places for {len(ranked)}, {len(due)} due: {sorted(set(ranked) ^ set(due))[:4]}"
    yield from _numbered(found, 1 if round.phase is Phase.FINISHED else round.left + 1)


def _numbered(found: Sequence[Result], first: int) -> Iterator[str]:
    better = 0
    for place, sharing in sorted(Counter(result.place for result in found).items()):
        if place != first + better:
            yield f"place {place} where {first + better} is due"
            return
        better += sharing


def pool_paid_exactly(given: Given, round: Round) -> Iterator[str]:
    """T-5, T-9, T-10: the prizes of a finished round are all the money there is to win."""
    if round.phase is Phase.FINISHED:
        prizes = sum(result.prize for result in results(round))
        if prizes != prize_pool(round) and round.players:
            yield f"prizes of {prizes} CZK, {prize_pool(round)} to win"


def stack_ranks_within_a_hand(given: Given, round: Round) -> Iterator[str]:
    """T-7: out in one hand of one table, the larger stack has the better place and equal ones share it."""
    if not any(isinstance(turn.event, Finished) for turn in given.turns) or round.hand_spans or round.hand_for_hand:
        return
    place = {result.participant: result.place for result in results(round)}
    hands: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for gone in round.eliminations:
        if gone.hand is not None and gone.stack is not None and gone.table is not None:
            hands.setdefault((gone.table, gone.hand), []).append((gone.stack, place[gone.participant]))
    whole = Counter((gone.table, gone.hand) for gone in round.eliminations)
    for hand, out in hands.items():
        by_stack = sorted(set(out), reverse=True)
        numbers = [number for _, number in by_stack]
        if len(out) == whole[hand] and (len({s for s, _ in out}) != len(by_stack) or numbers != sorted(set(numbers))):
            yield f"hand {hand}: stacks and places {by_stack}"


def balancing_narrows(given: Given, round: Round) -> Iterator[str]:
    """S-3: a move for balance is between tables that are two players apart or more."""
    for turn in given.turns:
        match turn.event:
            case PlayerMoved(why="balance", source=Seat(table=source), target=Seat(table=target)):
                sizes = len(turn.before.tables[source].seats), len(turn.before.tables[target].seats)
                if sizes[0] - sizes[1] < 2:
                    yield f"from a table of {sizes[0]} to one of {sizes[1]}"


def locks_hold(given: Given, round: Round) -> Iterator[str]:
    """S-3: a locked player is not moved for balance, and nobody is drawn or moved for balance to a locked seat."""
    if given.do not in ("balance", "break_table", "final_table", "reenter"):
        return
    for turn in given.turns:
        for who, player in turn.after.players.items():
            if player.seat == turn.before.players[who].seat:
                continue
            if player.seat in turn.before.locked_seats:
                yield f"{who} comes to {player.seat}, which is locked"
            if given.do == "balance" and player.locked:
                yield f"{who} is moved, and locked"


def tables_are_even(refusal: Refusal, round: Round) -> Iterator[str]:
    """S-3: nobody is moved for balance any more only where no table has two players more than another.

    A lock, or a table whose next hand comes first, is another answer.
    """
    sizes = [len(table.seats) for table in round.tables.values() if table.seats]
    locked = bool(round.locked_seats) or any(player.locked for player in round.players.values())
    if max(sizes) - min(sizes) > 1 and refusal.code != "move-pending" and not locked:
        yield f"{refusal.code} with tables of {sorted(sizes)}"


def results_told_are_the_results(given: Given, round: Round) -> Iterator[str]:
    """The results that the finish was told with are those the round has then."""
    for turn in given.turns:
        if isinstance(turn.event, Finished) and turn.event.results != results(turn.after):
            yield "the finish told other results than the round has"


def deal_shares_all(given: Given, round: Round) -> Iterator[str]:
    """T-10: a deal shares exactly what those who remain play for."""
    for turn in given.turns:
        if isinstance(turn.event, DealAgreed):
            lower = sum(result.prize for result in results(turn.before))
            if sum(turn.event.amounts.values()) + lower != prize_pool(turn.before):
                yield f"{sum(turn.event.amounts.values())} shared, {prize_pool(turn.before) - lower} left to win"


def void_has_no_place(given: Given, round: Round) -> Iterator[str]:
    """LG-10: a void participation has no place, and the field stays as large as it was."""
    for turn in given.turns:
        if isinstance(turn.event, Voided):
            if turn.event.participant in {result.participant for result in results(turn.after)}:
                yield f"{turn.event.participant} is void and has a place"
            if len(turn.after.players) != len(turn.before.players):
                yield "the field shrank"


EVERY_STEP: tuple[Step, ...] = (
    chips_conserved,
    pool_is_all_deposits,
    everybody_sits_once,
    deposits_within_limit,
    nothing_paid_is_taken_back,
    pool_paid_exactly,
    stack_ranks_within_a_hand,
    balancing_narrows,
    locks_hold,
    results_told_are_the_results,
    deal_shares_all,
    void_has_no_place,
)
"""After each accepted command."""

SOME_STEPS: tuple[Step, ...] = (places_are_full,)
"""After some, and after the last: they cost as much as the round has players."""

HISTORY: tuple[History, ...] = (big_blind_comes_round, blinds_are_dealt_in)
"""Once, over all that counts."""
