"""Hands of a cash table: the next one with its straddles, and the hunt for the rabbit (C-6)."""

from __future__ import annotations

from appliance.game.cash.commands import NextHand, Rabbit
from appliance.game.cash.dealing import Deal, able, next_deal, owes_missed
from appliance.game.cash.events import HandStarted, RabbitHunted
from appliance.game.cash.state import CashTable, Post
from appliance.game.event import Event
from appliance.game.refusal import Refusal


def verify_next_hand(table: CashTable, command: NextHand) -> Refusal | None:
    """Why no hand begins so: too few, a button that is placed already or at nobody's, straddles that are not allowed.

    A hand in play whose result nobody gave is no reason: where hands are not tracked, stacks are counted later.
    """
    deal = next_deal(table, command.button)
    if deal is None:
        there = [player for player in table.seated().values() if able(player)]
        owing = [player.participant for player in there if owes_missed(player)]
        waiting: dict[str, object] = {"owing": owing} if owing else {}
        return Refusal("too-few-to-deal", {"there": len(there) - len(owing), "minimum": 2, **waiting})
    if command.button is not None:
        if deal.draw is None:
            return Refusal("button-placed", {"button": deal.positions.button})
        if command.button > table.settings.seats:
            return Refusal("no-such-seat", {"seat": command.button, "seats": table.settings.seats})
        if command.button not in deal.order:
            return Refusal("button-at-nobody", {"seat": command.button})
    return _verify_straddles(table, deal, command.straddles)


def do_next_hand(table: CashTable, command: NextHand) -> tuple[Event, ...]:
    """Button, seats in their order and posts, the straddles with them."""
    deal = next_deal(table, command.button)
    assert deal is not None, "verified"
    found = deal.positions
    assert found.bb is not None and found.sb_seat is not None and found.bb_seat is not None
    return (
        HandStarted(
            hand=table.number + 1,
            button=found.button,
            sb=found.sb,
            bb=found.bb,
            sb_seat=found.sb_seat,
            bb_seat=found.bb_seat,
            order=deal.order,
            posts=_with_straddles(table, deal, command.straddles),
            standings=dict(deal.standings),
            cards=dict(deal.cards),
            draw=deal.draw,
        ),
    )


def verify_rabbit(table: CashTable, command: Rabbit) -> Refusal | None:
    """Why the cards to come are not shown: the house never does, no hand, or somebody active does not consent."""
    if table.rules.rabbit_hunting == "never":
        return Refusal("rabbit-not-allowed", {"profile": table.profile})
    if table.hand is None:
        return Refusal("no-hand")
    seated = table.seated()
    dealt = [seated[seat].participant for seat in table.hand.order]
    active = dealt if command.active is None else command.active
    for participant in (command.participant, *active):
        if participant not in dealt:
            return Refusal("not-in-hand", {"participant": participant})
    missing = [who for who in active if who not in command.consents and who != command.participant]
    if missing:
        return Refusal("consent-missing", {"missing": missing})
    stack = table.players[command.participant].stack
    return Refusal("not-enough-chips", {"needed": command.tip, "stack": stack}) if stack < command.tip else None


def do_rabbit(table: CashTable, command: Rabbit) -> tuple[Event, ...]:
    """Shown; who asked tips the dealer (C, H-17)."""
    return (RabbitHunted(participant=command.participant, tip=command.tip),)


def straddlers(deal: Deal) -> tuple[int, ...]:
    """The seats that may straddle, in their order: from the player after the big blind up to the button (C-6).

    **Decided:** one straddles right after the other; of two players nobody does, for the button has the small blind.
    """
    after = deal.order[deal.order.index(deal.positions.bb) + 1 :] if deal.positions.bb is not None else ()
    return tuple(seat for seat in after if seat != deal.positions.sb)


def _verify_straddles(table: CashTable, deal: Deal, participants: tuple[str, ...]) -> Refusal | None:
    if not participants:
        return None
    if table.rules.straddle == "none":
        return Refusal("straddle-not-allowed", {"profile": table.profile})
    most = table.settings.straddles
    if most is not None and len(participants) > most:
        return Refusal("straddle-limit", {"maximum": most})
    allowed = [table.seated()[seat] for seat in straddlers(deal)]
    dead = {post.seat: post.dead for post in deal.posts}
    for n, participant in enumerate(participants):
        if n >= len(allowed) or allowed[n].participant != participant:
            due = allowed[n].participant if n < len(allowed) else None
            return Refusal("straddle-order", {"participant": participant, "next": due})
        if allowed[n].absent:
            return Refusal("already-absent", {"participant": participant})
        needed = _straddle(table, n) + dead.get(allowed[n].seat or 0, 0)
        if allowed[n].stack < needed:
            return Refusal("not-enough-chips", {"needed": needed, "stack": allowed[n].stack})
    return None


def _straddle(table: CashTable, n: int) -> int:
    """Twice the big blind, then twice the last one (H-8, C-6)."""
    return table.settings.big_blind << (n + 1)


def _with_straddles(table: CashTable, deal: Deal, participants: tuple[str, ...]) -> tuple[Post, ...]:
    """The posts in the order of the seats; who posts and straddles puts in one bet, the straddle."""
    posts = {post.seat: post for post in deal.posts}
    for n, seat in enumerate(straddlers(deal)[: len(participants)]):
        before = posts.get(seat)
        posts[seat] = Post(seat, "straddle", _straddle(table, n), before.dead if before else 0)
    return tuple(posts[seat] for seat in deal.order if seat in posts)
