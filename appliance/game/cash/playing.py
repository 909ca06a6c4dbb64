"""A cash table's hand in the form the hand is played in, and back: positions from the small blind on, the button last.

Dead posts lie in the pot, live ones are a part of the first bet; straddles are blinds, the highest one last (C-6).
"""

from __future__ import annotations

from appliance.game.cash.state import CashTable, Post
from appliance.game.hand.hand import Hand
from appliance.game.tablestream.commands import BeginHand
from appliance.game.tablestream.events import InHand
from appliance.game.tablestream.replay import as_listed


def begin_hand(table: CashTable) -> Hand:
    """The hand in play from its beginning, posts put in. Raises ValueError between hands."""
    begin = tracked(table, "", 1)
    return Hand.begin(
        table.rules,
        [player.stack for player in begin.players],
        small_blind=begin.small_blind,
        big_blind=begin.big_blind,
        blinds=as_listed(begin.live),
        dead_posts=begin.dead,
    )


def tracked(table: CashTable, venue: str, number: int) -> BeginHand:
    """The command that tracks the hand in play in this table's stream, the session in the place of the round.

    Raises ValueError between hands.
    """
    if table.hand is None or table.button is None:
        raise ValueError("no hand is in play")
    seated, order, tips = table.seated(), table.hand.order, table.hand.tips
    posts = {post.seat: post for post in table.hand.posts}
    return BeginHand(
        round=table.id,
        hand=table.number,
        venue=venue,
        table=number,
        button=table.button,
        players=tuple(InHand(seated[seat].participant, seat, seated[seat].stack + tips.get(seat, 0)) for seat in order),
        small_blind=table.settings.small_blind,
        big_blind=table.settings.big_blind,
        live=tuple(_as_blind(posts.get(seat)) for seat in order),
        dead=tuple(posts[seat].dead if seat in posts else 0 for seat in order),
        rules=table.rules,
    )


def stacks_after(table: CashTable, hand: Hand) -> dict[str, int]:
    """Who has what after a hand that began with `begin_hand`, for the command `Result`; tips are off already (H-17).

    Raises ValueError between hands, and where somebody tipped more than they have left.
    """
    if table.hand is None:
        raise ValueError("no hand is in play")
    seated, tips = table.seated(), table.hand.tips
    stacks = {seat: chips - tips.get(seat, 0) for seat, chips in zip(table.hand.order, hand.stacks, strict=True)}
    if min(stacks.values()) < 0:
        raise ValueError("somebody tipped more than they have left")
    return {seated[seat].participant: chips for seat, chips in stacks.items()}


def _as_blind(post: Post | None) -> int:
    """What a seat posts live; a post that is neither blind nor straddle is negative, as in PHH."""
    if post is None:
        return 0
    return -post.live if post.kind == "post" else post.live
