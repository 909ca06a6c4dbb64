"""A recorded hand played again, action by action, under a profile.

What a record may leave out is taken as unknown: hole cards, the board where none is written at all, the showdown.
A check with nothing to decide may be left out before a board, and the big blind's told though nobody asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from appliance.game.hand.cards import UNKNOWN, CardError, parse_cards
from appliance.game.hand.facts import Awarded, Cards, IllegalAction, Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import Recorded, Scale, Unreadable, amount_of, places_of
from appliance.game.hand.state import HOLE_CARDS
from appliance.game.ruleset import RuleSet

_BETTING = ("f", "cc", "cbr")
_STREETS = (3, 1, 1)
_DEAD = re.compile(r"# (p[0-9]{1,2}): dead hand")
"""As `phh_write` notes what the format has no word for."""


class Replayed(Struct, frozen=True):
    """How far a record could be played; ``problem`` says why not to the end, ``action`` at which action, from 1."""

    hand: Hand | None
    problem: Problem | None = None
    action: int | None = None


class _Bad(ValueError):
    """An action that is no notation, for this reason."""


class _Action(NamedTuple):
    actor: int | None
    """A position; None: the dealer."""
    verb: str
    arguments: list[str]


def scale_of(hands: Sequence[Recorded | Unreadable]) -> Scale:
    """The one of a whole file: its smallest unit is the odd chip of all its hands (H-14)."""
    return Scale(max((_places(hand) for hand in hands if isinstance(hand, Recorded)), default=0))


def replay(recorded: Recorded | Unreadable, rules: RuleSet, scale: Scale, *, settled: bool = True) -> Replayed:
    """The hand after the last action that is allowed; ``settled``: with a showdown that was not written down."""
    if isinstance(recorded, Unreadable):
        return Replayed(None, recorded.problem)
    try:
        hand = _begun(recorded, rules, scale)
    except ValueError as error:
        return Replayed(None, Problem("bad-notation", {"reason": str(error)}))
    boardless = not any(action.split()[:2] == ["d", "db"] for action in recorded.actions)
    for number, text in enumerate(recorded.actions, 1):
        try:
            hand = _played(hand, text, scale, boardless)
        except IllegalAction as error:
            return Replayed(hand, error.problem, number)
        except CardError as error:
            return Replayed(hand, Problem("bad-notation", {"reason": error.code, **error.detail}), number)
        except _Bad as error:
            return Replayed(hand, Problem("bad-notation", {"reason": str(error), "text": text[:80]}), number)
    hand = _dealt(hand)
    if settled and hand.phase == "showdown":
        hand = hand.settle()
    return Replayed(_by_record(hand, [scale.chips(amount) for amount in recorded.winnings]))


def _places(recorded: Recorded) -> int:
    amounts = [*recorded.antes, *recorded.blinds, *recorded.stacks, recorded.min_bet, *recorded.winnings]
    amounts += [recorded.unit] if recorded.unit is not None else []
    for text in recorded.actions:
        words = text.partition("#")[0].split()
        if len(words) == 3 and words[1] == "cbr":
            try:
                amounts.append(amount_of(words[2]))
            except ValueError:
                continue  # said when it is played
    return max(places_of(amount) for amount in amounts)


def _begun(recorded: Recorded, rules: RuleSet, scale: Scale) -> Hand:
    """The hand before the deal: of the ways to read its posts, the one in which who acted first is due to."""
    first = next((a.actor for a in _readable(recorded.actions) if a.verb in _BETTING), None)
    blinds = [scale.chips(amount) for amount in recorded.blinds]
    hand = _begin(recorded, rules, scale, blinds)
    if first is None or max(blinds[2:], default=0) <= 0 or _dealt(hand).actor == first:
        return hand
    others = (_begin(recorded, rules, scale, each) for each in _readings(blinds))
    return next((other for other in others if _dealt(other).actor == first), hand)


def _readings(blinds: list[int]) -> Iterator[list[int]]:
    """Entries after the big blind that are no straddles: live posts; else, of equal ones, the last acts last."""
    yield [*blinds[:2], *(-abs(blind) for blind in blinds[2:])]
    highest = max(map(abs, blinds))
    last = max(position for position, blind in enumerate(blinds) if abs(blind) == highest)
    yield [abs(blind) if position == last else -abs(blind) for position, blind in enumerate(blinds)]


def _begin(recorded: Recorded, rules: RuleSet, scale: Scale, blinds: list[int]) -> Hand:
    antes = [scale.chips(amount) for amount in recorded.antes]
    owed = blinds
    if len(antes) == 2:  # the format lists antes, like blinds, the other way round heads-up
        antes, owed = antes[::-1], blinds[::-1]
    payers = [position for position, ante in enumerate(antes) if ante]
    for_all = payers == [owed.index(max(owed[:2]))] and len(set(antes)) > 1
    return Hand.begin(
        rules,
        [scale.chips(amount) for amount in recorded.stacks],
        big_blind=scale.chips(recorded.min_bet),
        antes=antes,
        ante_by="bb" if for_all else "player",
        antes_dead=not recorded.trims_antes or len(set(antes)) > 1,
        blinds=blinds,
        min_bet=scale.chips(recorded.min_bet),
        unit=1 if recorded.unit is None else scale.chips(recorded.unit),
    )


def _readable(actions: Sequence[str]) -> Iterator[_Action]:
    for text in actions:
        try:
            action = _parsed(text)
        except _Bad:
            return
        if _DEAD.fullmatch(text.strip()):
            return
        if action is not None:
            yield action


def _parsed(text: str) -> _Action | None:
    """The parts of an action; None for a comment or nothing."""
    words = text.partition("#")[0].split()
    if not words:
        return None
    who, *rest = words
    if not rest:
        raise _Bad("no-action")
    return _Action(None if who == "d" else _position(who), rest[0], rest[1:])


def _position(text: str) -> int:
    if text[:1] == "p" and text[1:].isascii() and text[1:].isdecimal() and int(text[1:3]) >= 1 and len(text) <= 3:
        return int(text[1:]) - 1
    raise _Bad("no-such-player")


def _played(hand: Hand, text: str, scale: Scale, boardless: bool) -> Hand:
    if dead := _DEAD.fullmatch(text.strip()):
        return _killed(hand, _position(dead[1]))
    action = _parsed(text)
    if action is None:
        return hand
    if action.actor is None:
        return _dealer(hand, action)
    if action.actor >= len(hand.holes):
        raise _Bad("no-such-player")
    hand = _dealt(hand)
    if boardless and hand.phase == "deal-board" and not hand.show_order and action.verb in _BETTING:
        hand = hand.deal_board((UNKNOWN,) * _STREETS[hand.street])
    return _player(hand, action, action.actor, scale)


def _killed(hand: Hand, position: int) -> Hand:
    return hand if hand.verify_kill(position) else hand.kill(position)


def _dealer(hand: Hand, action: _Action) -> Hand:
    match action.verb, action.arguments:
        case "dh", [player, *cards]:
            position = _position(player)
            if position >= len(hand.holes):
                raise _Bad("no-such-player")
            return hand.deal_hole(position, parse_cards("".join(cards)) if cards else None)
        case "db", [_, *_]:
            hand = _dealt(hand)
            hand = hand.check() if hand.formality else hand
            return hand.deal_board(parse_cards("".join(action.arguments)))
    raise _Bad("no-such-action")


def _player(hand: Hand, action: _Action, actor: int, scale: Scale) -> Hand:
    match action.verb, action.arguments:
        case "f", []:
            return hand.fold(actor)
        case "cc", []:
            return hand if _needless(hand, actor) else hand.check_or_call(actor)
        case "cbr", [amount]:
            return hand.bet_or_raise(_chips(amount, scale), actor)
        case "sm", []:
            return _claimed(hand, actor, None)
        case "sm", ["-"]:
            return _claimed(hand, actor, hand.holes[actor])
        case "sm", cards:
            return _claimed(hand, actor, parse_cards("".join(cards)))
    raise _Bad("no-such-action")


def _needless(hand: Hand, actor: int) -> bool:
    """Whether this is the check of a blind who was not asked before the flop, nobody being able to follow (H-2)."""
    over = hand.phase == "deal-board" and hand.street == 0 and bool(hand.show_order)
    return over and actor in hand.live and hand.stacks[actor] > 0 and not hand.betting.acted >> actor & 1


def _chips(text: str, scale: Scale) -> int:
    try:
        amount = amount_of(text)
    except ValueError:
        raise _Bad("no-amount") from None
    if not amount.is_finite() or not text.isascii():
        raise _Bad("no-amount")
    return scale.chips(amount)


def _claimed(hand: Hand, actor: int, cards: Cards | None) -> Hand:
    """A hand shown (cards) or mucked (None); unknown cards are neither, until nobody else is left to act."""
    if hand.over or actor in hand.shown or actor in hand.mucked:
        return _told_again(hand, actor, cards)
    if problem := hand.verify_show(actor, (UNKNOWN,) * HOLE_CARDS):
        raise IllegalAction(problem)
    if cards is None:
        return hand.muck(actor)
    if UNKNOWN not in cards:
        return hand.show(actor, cards)
    if problem := hand.verify_show(actor, cards):
        raise IllegalAction(problem)
    declines = hand.phase == "showdown" and (UNKNOWN not in hand.holes[actor] or any(c != UNKNOWN for c in cards))
    return hand.show(actor, cards) if declines else hand


def _told_again(hand: Hand, actor: int, cards: Cards | None) -> Hand:
    """What changes nothing: a hand laid open before, or shown when the pot is won already."""
    if actor not in hand.live:
        raise IllegalAction(Problem("hand-over") if hand.over else Problem("not-your-turn", {"position": actor}))
    known = [card for card in cards or () if card != UNKNOWN]
    dealt = hand.holes[actor]
    others = [card for card in known if card not in dealt]
    if cards is not None and len(cards) != HOLE_CARDS:
        raise _Bad("two-cards-each")
    if len(set(known)) < len(known) or any(hand.seen >> card & 1 for card in others):
        raise IllegalAction(Problem("card-repeated"))
    if len(others) > dealt.count(UNKNOWN):
        raise _Bad("not-the-cards-dealt")
    return hand


def _dealt(hand: Hand) -> Hand:
    """With unknown cards to all who were dealt none."""
    for position, cards in enumerate(hand.holes):
        if len(cards) < HOLE_CARDS and hand.phase == "deal-hole":
            hand = hand.deal_hole(position, (UNKNOWN,) * (HOLE_CARDS - len(cards)))
    return hand


def _by_record(hand: Hand, winnings: list[int]) -> Hand:
    """A pot that no cards decide goes as recorded, where the record accounts for all of it."""
    undecided = [award for award in hand.awards if not award.shares]
    if len(undecided) != 1 or sum(winnings) != sum(award.amount for award in hand.awards):
        return hand
    stacks, rest = list(hand.stacks), list(winnings)
    for award in hand.awards:
        for position, share in award.shares:
            rest[position] -= share
    (pot,) = undecided
    shares = tuple((position, share) for position, share in enumerate(rest) if share)
    if any(share < 0 or position not in pot.eligible for position, share in shares):
        return hand
    for position, share in shares:
        stacks[position] += share
    awards = tuple(Awarded(a.amount, a.eligible, shares) if a is pot else a for a in hand.awards)
    return replace(hand, awards=awards, betting=replace(hand.betting, stacks=tuple(stacks)))
