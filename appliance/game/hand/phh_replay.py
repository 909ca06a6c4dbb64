"""A recorded hand played again, action by action, under a profile.

What a record may leave out is taken as unknown: hole cards, the board where none is written at all, the showdown.
A check with nothing to decide may be left out before a board, and the big blind's told though nobody asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from appliance.game.hand.cards import UNKNOWN, CardError, parse_cards
from appliance.game.hand.closing import mucked
from appliance.game.hand.facts import Cards, IllegalAction, Posted, Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import Recorded, Scale, Unreadable, amount_of, places_of
from appliance.game.hand.phh_contradictions import contradictions
from appliance.game.hand.phh_notation import (
    BETTING,
    Action,
    BadAction,
    action_of,
    dead_hand,
    first_to_bet,
    numbered,
    position_of,
)
from appliance.game.hand.phh_winners import by_record
from appliance.game.hand.state import HOLE_CARDS
from appliance.game.ruleset import RuleSet

_STREETS = (3, 1, 1)


class Replayed(Struct, frozen=True):
    """How far a record could be played; ``problem`` says why not to the end, ``action`` at which action, from 1.

    ``undecided`` and ``in_doubt``: pots and players of which nobody can say how they ended (`Settled`).
    ``contradicted``: fields of the record that cannot be, by its actions and cards (`contradictions`).
    """

    hand: Hand | None
    problem: Problem | None = None
    action: int | None = None
    undecided: tuple[int, ...] = ()
    in_doubt: tuple[int, ...] = ()
    contradicted: tuple[str, ...] = ()


def scale_of(hands: Sequence[Recorded | Unreadable]) -> Scale:
    """The one of a whole file: its smallest unit is the odd chip of all its hands (H-14)."""
    return Scale(max((_places(hand) for hand in hands if isinstance(hand, Recorded)), default=0))


def replay(recorded: Recorded | Unreadable, rules: RuleSet, scale: Scale, *, settled: bool = True) -> Replayed:
    """The hand after the last action that is allowed; ``settled``: with a showdown that was not written down."""
    if isinstance(recorded, Unreadable):
        return Replayed(None, recorded.problem)
    first: Replayed | None = None
    try:
        for hand in _beginnings(recorded, rules, scale):
            played = _played_out(hand, recorded, scale, settled)
            if played.problem is None:
                return played
            first = first or played
    except ValueError as error:
        return Replayed(None, Problem("bad-notation", {"reason": str(error)}))
    assert first is not None, "there is at least one beginning"
    return first


def _played_out(hand: Hand, recorded: Recorded, scale: Scale, settled: bool) -> Replayed:
    boardless = not any(action.split()[:2] == ["d", "db"] for action in recorded.actions)
    for number, text in numbered(recorded.actions):
        try:
            hand = _played(hand, text, scale, boardless)
        except IllegalAction as error:
            return Replayed(hand, error.problem, number)
        except CardError as error:
            return Replayed(hand, Problem("bad-notation", {"reason": error.code, **error.detail}), number)
        except BadAction as error:
            return Replayed(hand, Problem("bad-notation", {"reason": str(error), "text": text[:80]}), number)
    hand = _dealt(hand)
    if settled and hand.phase == "showdown":
        hand = _without_claim(hand, recorded).settle()
    if not settled:
        return Replayed(hand)
    contradicted = contradictions(hand, recorded, scale)
    hand, undecided, in_doubt = by_record(hand, recorded, scale)
    return Replayed(hand, undecided=undecided, in_doubt=in_doubt, contradicted=contradicted)


def _places(recorded: Recorded) -> int:
    amounts = [*recorded.antes, *recorded.blinds, *recorded.stacks, recorded.min_bet]
    amounts += [*recorded.winnings, *recorded.finishing]
    amounts += [recorded.unit] if recorded.unit is not None else []
    for text in recorded.actions:
        words = text.partition("#")[0].split()
        if len(words) == 3 and words[1] == "cbr":
            try:
                amounts.append(amount_of(words[2]))
            except ValueError:
                continue  # said when it is played
    return max(places_of(amount) for amount in amounts)


def _beginnings(recorded: Recorded, rules: RuleSet, scale: Scale) -> Iterator[Hand]:
    """The hand before the deal, and as a record with a short ante of the big blind may have meant it."""
    blinds = [scale.chips(amount) for amount in recorded.blinds]
    hand = _begun(recorded, rules, scale, blinds)
    yield hand
    if _big_blind_ante(recorded) and any(paid.all_in for paid in hand.facts if isinstance(paid, Posted)):
        yield _begin(recorded, rules, scale, blinds, blind_first=False)


def _begun(recorded: Recorded, rules: RuleSet, scale: Scale, blinds: list[int]) -> Hand:
    """Of the ways to read the posts, the one in which who acted first is due to."""
    hand = _begin(recorded, rules, scale, blinds)
    first = first_to_bet(recorded.actions)
    if first is None or not any(blinds[2:]) or _dealt(hand).actor == first:
        return hand
    others = (_begin(recorded, rules, scale, each) for each in _readings(blinds))
    return next((other for other in others if _dealt(other).actor == first), hand)


def _readings(blinds: list[int]) -> Iterator[list[int]]:
    """Entries after the big blind that are no straddles: live posts; else, of equal ones, the last acts last."""
    yield [*blinds[:2], *(-abs(blind) for blind in blinds[2:])]
    highest = max(map(abs, blinds))
    last = max(position for position, blind in enumerate(blinds) if abs(blind) == highest)
    yield [abs(blind) if position == last else -abs(blind) for position, blind in enumerate(blinds)]


def _begin(recorded: Recorded, rules: RuleSet, scale: Scale, blinds: list[int], *, blind_first: bool = True) -> Hand:
    antes = [scale.chips(amount) for amount in recorded.antes]
    return Hand.begin(
        rules,
        [scale.chips(amount) for amount in recorded.stacks],
        big_blind=scale.chips(recorded.min_bet),
        antes=antes[::-1] if len(antes) == 2 else antes,  # the format lists antes, like blinds, the other way round
        ante_by="bb" if blind_first and _big_blind_ante(recorded) else "player",
        antes_dead=not recorded.trims_antes or len(set(antes)) > 1,
        blinds=blinds,
        min_bet=scale.chips(recorded.min_bet),
        unit=1 if recorded.unit is None else scale.chips(recorded.unit),
    )


def _big_blind_ante(recorded: Recorded) -> bool:
    """Whether nobody but the big blind has an ante."""
    payers = [position for position, ante in enumerate(recorded.antes) if ante]
    return payers == [recorded.blinds.index(max(recorded.blinds[:2]))]


def _played(hand: Hand, text: str, scale: Scale, boardless: bool) -> Hand:
    dead = dead_hand(text)
    if dead is not None:
        return _killed(hand, dead)
    action = action_of(text)
    if action is None:
        return hand
    if action.actor is None:
        return _dealer(hand, action)
    if action.actor >= len(hand.holes):
        raise BadAction("no-such-player")
    hand = _dealt(hand)
    if boardless and hand.phase == "deal-board" and not hand.show_order and action.verb in BETTING:
        hand = hand.deal_board((UNKNOWN,) * _STREETS[hand.street])
    return _player(hand, action, action.actor, scale)


def _killed(hand: Hand, position: int) -> Hand:
    return hand if hand.verify_kill(position) else hand.kill(position)


def _dealer(hand: Hand, action: Action) -> Hand:
    match action.verb, action.arguments:
        case "dh", [player, *cards]:
            position = position_of(player)
            if position >= len(hand.holes):
                raise BadAction("no-such-player")
            return hand.deal_hole(position, parse_cards("".join(cards)) if cards else None)
        case "db", [_, *_]:
            hand = _dealt(hand)
            hand = hand.check_or_call() if hand.formality or _covers(hand) else hand
            return _boarded(hand, parse_cards("".join(action.arguments)))
    raise BadAction("no-such-action")


def _covers(hand: Hand) -> bool:
    """Whether who is on turn has put in all that anybody else has, as over a big blind of less (H-5)."""
    actor = hand.betting.actor
    if hand.phase != "betting" or actor is None:
        return False
    return all(hand.bets[each] + hand.stacks[each] <= hand.bets[actor] for each in hand.live if each != actor)


def _boarded(hand: Hand, cards: Cards) -> Hand:
    """With a street dealt, or with several at once where there is no more betting before them."""
    while hand.phase == "deal-board" and hand.show_order and len(cards) > _STREETS[hand.street]:
        count = _STREETS[hand.street]
        hand, cards = hand.deal_board(cards[:count]), cards[count:]
    return hand.deal_board(cards)


def _player(hand: Hand, action: Action, actor: int, scale: Scale) -> Hand:
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
            shown = parse_cards("".join(cards))
            return _claimed(hand, actor, shown if len(shown) != 1 else (*shown, UNKNOWN))
    raise BadAction("no-such-action")


def _needless(hand: Hand, actor: int) -> bool:
    """Whether this is the check of a blind who was not asked before the flop, nobody being able to follow (H-2)."""
    over = hand.phase == "deal-board" and hand.street == 0 and bool(hand.show_order)
    return over and actor in hand.live and hand.stacks[actor] > 0 and not hand.betting.acted >> actor & 1


def _chips(text: str, scale: Scale) -> int:
    try:
        amount = amount_of(text)
    except ValueError:
        raise BadAction("no-amount") from None
    if not amount.is_finite() or not text.isascii():
        raise BadAction("no-amount")
    return scale.chips(amount)


def _claimed(hand: Hand, actor: int, cards: Cards | None) -> Hand:
    """A hand shown (cards) or mucked (None); unknown cards are neither, one alone gives up the claim.

    That somebody mucked is believed also where the profile has all hands shown (H-16): it is what the record knows.
    """
    if hand.over or actor in hand.shown or actor in hand.mucked:
        return _told_again(hand, actor, cards)
    if problem := hand.verify_show(actor, (UNKNOWN,) * HOLE_CARDS):
        raise IllegalAction(problem)
    if cards is None:
        return mucked(hand, actor)
    if UNKNOWN not in cards:
        return hand.show(actor, cards)
    if problem := hand.verify_show(actor, cards):
        raise IllegalAction(problem)
    some = [card for card in cards if card != UNKNOWN]
    return mucked(hand, actor, some) if some and hand.phase == "showdown" else hand


def _without_claim(hand: Hand, recorded: Recorded) -> Hand:
    """With the hands mucked of those who kept known cards to themselves though another was shown (H-13)."""
    if hand.tabled or not hand.shown:
        return hand
    for position in hand.to_show:
        kept = any(text.partition("#")[0].split() == [f"p{position + 1}", "sm", "????"] for text in recorded.actions)
        if kept and hand.phase == "showdown" and UNKNOWN not in hand.holes[position]:
            hand = hand.muck(position)
    return hand


def _told_again(hand: Hand, actor: int, cards: Cards | None) -> Hand:
    """What changes nothing: a hand laid open before, or shown when the pot is won already."""
    if actor not in hand.live:
        raise IllegalAction(Problem("hand-over") if hand.over else Problem("not-your-turn", {"position": actor}))
    known = [card for card in cards or () if card != UNKNOWN]
    dealt = hand.holes[actor]
    others = [card for card in known if card not in dealt]
    if cards is not None and len(cards) != HOLE_CARDS:
        raise BadAction("two-cards-each")
    if len(set(known)) < len(known) or any(hand.seen >> card & 1 for card in others):
        raise IllegalAction(Problem("card-repeated"))
    if len(others) > dealt.count(UNKNOWN):
        raise BadAction("not-the-cards-dealt")
    return hand


def _dealt(hand: Hand) -> Hand:
    """With unknown cards to all who were dealt none."""
    for position, cards in enumerate(hand.holes):
        if len(cards) < HOLE_CARDS and hand.phase == "deal-hole":
            hand = hand.deal_hole(position, (UNKNOWN,) * (HOLE_CARDS - len(cards)))
    return hand
