"""The dealer's keys inside a hand: actions, amounts, cards, seats. Pure; see `appliance.pad`."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game.hand.cards import UNKNOWN
from appliance.game.hand.hand import Hand
from appliance.game.refusal import Refusal
from appliance.game.tablestream import commands as c
from appliance.game.tablestream.absent import absent_of, deserted
from appliance.pad_actions import action, chips_of
from appliance.pad_state import DIGITS, RANK_KEYS, SUIT_KEYS, Here, Pad, Pressed, ask, not_now, refuse, touched
from appliance.pad_winners import ask_winners

_DIGITS_MOST, _TYPED_MOST = 9, 60
_CARDS_MOST = 10
"""Characters of a flop and a bit; more cards at once are nobody's."""


def play(pad: Pad, key: str, here: Here) -> Pressed:
    """A key while the hand is played."""
    if pad.naming is not None:
        named = _named(pad, key, here)
        if named is not None:
            return named
        pad = replace(pad, naming=None)
    if key in DIGITS or key in ("plus", "back"):
        return _typing(pad, key)
    if key == "seat" or touched(key) is not None:
        return Pressed(_with_seat(pad, key, here))
    match key:
        case "fold" | "check-call" | "raise" | "all-in" | "push" | "unclear" | "uncounted":
            return action(pad, key, here)
        case "next":
            return _next(pad, here)
        case "win":
            return _win(pad, here)
        case "cards":
            return _open_cards(pad, here)
        case "show" | "muck" | "dead" | "player-back":
            return _of_a_player(pad, key, here)
        case _:
            return Pressed(pad)


def menu(pad: Pad, key: str, here: Here) -> Pressed:
    """A key while the rare ones are offered: what it does is done in the play."""
    pressed = play(replace(pad, mode="play"), key, here)
    return pressed._replace(pad=replace(pressed.pad, mode="menu")) if key.startswith("seat") else pressed


def cards(pad: Pad, key: str, here: Here) -> Pressed:
    """A key while cards are typed: for the chosen seat, else for the board."""
    if key == "cards":
        return Pressed(Pad(seat=pad.seat))
    if key == "back":
        return Pressed(replace(pad, typed=pad.typed[:-1]) if pad.typed else Pad(seat=pad.seat))
    if key in ("done", "next"):
        return _told_cards(pad, key, here) if pad.typed else Pressed(Pad(seat=pad.seat))
    if key == "seat" or touched(key) is not None:
        return Pressed(
            replace(_with_seat(replace(pad, typed=""), key, here), mode="cards", typed=pad.typed, naming=None)
        )
    wanted = SUIT_KEYS if len(pad.typed) % 2 else (*RANK_KEYS, *DIGITS[1:9])
    if key not in wanted or len(pad.typed) >= _CARDS_MOST:
        return refuse(pad, "cards-open")
    return Pressed(replace(pad, typed=pad.typed + key))


def play_keys(here: Here) -> tuple[str, ...]:
    """The keys that make sense while the hand is played, but for those that always do."""
    legal = here.ready.legal()
    if _deserted(here):
        return ("next",)
    if legal is None:
        keys: tuple[str, ...] = ("next",) if here.contested or here.hand.phase == "deal-board" else ()
        keys += ("cards",) if here.hand.phase == "deal-board" else ()
        keys += ("win",) if here.contested else ()
        return keys + _showdown_keys(here.hand)
    raises = ("raise", *DIGITS, "back") if legal.raise_min is not None else ()
    pushes = ("push", "plus", *(() if raises else (*DIGITS, "back")))
    return ("fold", "check-call", "all-in", *raises, *pushes, *(("cards",) if here.hand.phase == "deal-hole" else ()))


def _showdown_keys(hand: Hand) -> tuple[str, ...]:
    """Who is due shows or, where nobody has to, mucks (H-12, H-16)."""
    if hand.phase != "showdown":
        return ()
    may_muck = hand.actor is not None and hand.verify_muck(hand.actor) is None
    return ("show", *(("muck",) if may_muck else ()), "cards")


def _typed(typed: str, key: str) -> str:
    if key == "back":
        return typed[:-1]
    number = typed.rpartition("+")[2]
    if key == "plus":
        return typed + "+" if number and len(typed) < _TYPED_MOST else typed
    if len(number) + len(key) > _DIGITS_MOST or len(typed) >= _TYPED_MOST or (not number and key in ("0", "00")):
        return typed
    return typed + key


def _typing(pad: Pad, key: str) -> Pressed:
    """A digit more or less; where there is none to take back, the choice of a seat is."""
    if key == "back" and not pad.typed:
        return Pressed(replace(pad, seat=None, missed=False))
    typed = _typed(pad.typed, key)
    return refuse(pad, "amount-first") if key == "plus" and not typed else Pressed(replace(pad, typed=typed))


def takes_cards(hand: Hand) -> bool:
    """Whether cards can be told now: hole cards before the first action, the board's, or at the showdown."""
    return hand.phase in ("deal-hole", "deal-board", "showdown")


def _open_cards(pad: Pad, here: Here) -> Pressed:
    """The keys of cards, also where none can be told: typed letters are cards then, and no actions."""
    pad = replace(pad, mode="cards", typed="")
    return Pressed(pad) if takes_cards(here.hand) else refuse(pad, "cards-later")


def _with_seat(pad: Pad, key: str, here: Here) -> Pad:
    """Choose a seat: the one touched or typed, else the next one that is in the hand."""
    numbers = chips_of(pad.typed)
    seat = touched(key) if key != "seat" else numbers[-1] if numbers else _next_seat(pad, here)
    if here.position(seat) is None:
        return replace(pad, typed="", seat=None, missed=True, problem=Refusal("not-dealt-in", {"seat": seat}))
    naming = "" if key == "seat" and not numbers else None
    seat = None if key != "seat" and seat == pad.seat else seat
    return replace(pad, seat=seat, typed="", naming=naming, missed=False)


def _named(pad: Pad, key: str, here: Here) -> Pressed | None:
    """A key after the one for a seat: digits of its number, and Enter or the same key; None for any other."""
    so_far = pad.naming or ""
    if key in ("next", "done") or (key == "seat" and so_far):
        return Pressed(replace(pad, naming=None))
    if key not in DIGITS or (so_far and here.position(int(so_far + key)) is None):
        return None
    number = int(so_far + key)
    more = any(player.seat // 10 == number for player in here.told.begun.players)
    if here.position(number) is None:
        code = None if more else Refusal("not-dealt-in", {"seat": number})
        naming = so_far + key if more else ""
        return Pressed(replace(pad, seat=None, naming=naming, missed=not more, problem=code))
    return Pressed(replace(pad, seat=number, naming=so_far + key, missed=False))


def _next_seat(pad: Pad, here: Here) -> int | None:
    live = here.hand.live
    before = here.position(pad.seat)
    if before is None:
        return here.seat(here.hand.actor if here.hand.actor is not None else live[0]) if live else None
    return here.seat(next((position for position in live if position > before), live[0]))


def _next(pad: Pad, here: Here) -> Pressed:
    """Go on: cards of the board that nobody looked at, or the end of the hand."""
    hand = here.hand
    if hand.phase == "deal-board":
        return Pressed(Pad(), c.DealBoard(round=here.round, hand=here.number))
    if _deserted(here):
        return Pressed(Pad(), c.Settle(round=here.round, hand=here.number))
    if not here.contested:
        return not_now(pad, here)
    known = not hand.over and UNKNOWN not in hand.board and all(UNKNOWN not in hand.holes[p] for p in hand.live)
    return Pressed(Pad(), c.Settle(round=here.round, hand=here.number)) if known else ask_winners(here)


def _deserted(here: Here) -> bool:
    """Whether all that is left is to end the hand, or to keep the cards of who comes back (S-8)."""
    return deserted(here.hand, absent_of(here.told.begun))


def _win(pad: Pad, here: Here) -> Pressed:
    """Ask who wins; before the board is complete only if the key is pressed again."""
    if not here.contested:
        return not_now(pad, here)
    early = ask(pad, "win", "board-incomplete") if here.hand.phase == "deal-board" else None
    return early or ask_winners(here)


def _of_a_player(pad: Pad, key: str, here: Here) -> Pressed:
    """Show, muck, kill or keep: the chosen player's hand; without a choice, of who is due to show."""
    due = key in ("show", "muck") and here.hand.phase == "showdown"
    position = here.chosen(pad) if due else here.position(pad.seat)
    missed = due and pad.seat is None and pad.missed
    if missed and position is not None and (question := ask(pad, key, "seat-missed", turn=here.seat(position))):
        return question
    if key == "player-back" and not here.absent:
        return refuse(pad, "nobody-absent")
    if key == "player-back" and position is None and len(here.absent) == 1:
        position = here.absent[0]
    if position is None:
        return not_now(pad, here) if key in ("show", "muck") else refuse(pad, "seat-first")
    match key:
        case "player-back":
            return Pressed(Pad(), c.PlayerBack(round=here.round, hand=here.number, position=position))
        case "dead":
            return Pressed(Pad(), c.Kill(round=here.round, hand=here.number, position=position))
        case "muck":
            return Pressed(Pad(), c.Muck(round=here.round, hand=here.number, position=position))
        case _ if UNKNOWN in here.hand.holes[position] or not here.hand.holes[position]:
            onward = pad.seat is None and here.hand.tabled
            return _open_cards(replace(pad, seat=here.seat(position), onward=onward), here)
        case _:
            return Pressed(Pad(), c.Show(round=here.round, hand=here.number, position=position))


def _told_cards(pad: Pad, key: str, here: Here) -> Pressed:
    """The cards that were typed are a player's, dealt or shown, or the board's."""
    position, hand = here.position(pad.seat), here.hand
    if not takes_cards(hand) or (position is not None and hand.phase == "deal-board" and not hand.show_order):
        return refuse(Pad(seat=pad.seat), "cards-later")
    if position is None:
        wanted = 1 if hand.street else 3
        if hand.phase != "deal-board":
            return refuse(pad, "seat-first")
        if len(pad.typed) != 2 * wanted:
            return refuse(pad, "cards-wanted", wanted=wanted)
        if pad.missed and (question := ask(pad, key, "seat-missed")):
            return question
        return Pressed(Pad(), c.DealBoard(round=here.round, hand=here.number, cards=pad.typed))
    if hand.phase == "deal-hole":
        return Pressed(Pad(), c.DealHole(round=here.round, hand=here.number, position=position, cards=pad.typed))
    show = c.Show(round=here.round, hand=here.number, position=position, cards=pad.typed)
    return Pressed(_next_to_show(position, here) if pad.onward else Pad(), show)


def _next_to_show(position: int, here: Here) -> Pad:
    """After an all-in all hands are laid open (H-16): the keys of cards go on to the next whose cards nobody told."""
    hand = here.hand
    due = (each for each in hand.to_show if each != position and UNKNOWN in hand.holes[each])
    return next((Pad(seat=here.seat(each), mode="cards", onward=True) for each in due), Pad())
