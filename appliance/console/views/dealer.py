"""A dealer's phone: its own table and nothing else. The table's kiosk stays the writer of its hands."""

from __future__ import annotations

from typing import Literal, NamedTuple

from appliance.console.views.attention import vals
from appliance.console.views.dealing import pad_of
from appliance.console.views.looking import calls
from appliance.console.views.page import Page
from appliance.console.views.parts import Button, button
from appliance.console.views.room import Felt, Place, marks_of
from appliance.display import hand_text as words
from appliance.display.from_hand import at_table, hand_view, pad_view
from appliance.display.layout_pad import key_words, refused_text
from appliance.display.view import HandSeat, HandView, PadView, Seat
from appliance.floor.catalogue import BY_ID
from appliance.floor.offering import possible
from appliance.game.state import Phase, Round, Table
from appliance.i18n import NBSP
from appliance.pad_state import ACTIONS, DIGITS, RANK_KEYS, SUIT_KEYS

_MAIN = ("next", "done")
_PLAY = ("fold", "check-call", "raise", "all-in", "push")
WITH_AMOUNT = ("raise", "push", "unclear")
"""Keys that the typed amount goes with."""

_NEVER = frozenset({*DIGITS, "plus", "back"})
"""An amount is typed at once, in a field of its own."""


class KeyButton(NamedTuple):
    """A key of the pad: what stands on it, and what it sends. ``amount``: the typed one goes with it."""

    key: str
    word: str
    below: str
    vals: str
    tone: Literal["go", "play", "plain", "danger"] = "plain"
    amount: bool = False


class DealtSeat(NamedTuple):
    """A seat of the hand: bet and stack, what was done, cards that lie open."""

    place: Place
    stack: int
    bet: int
    state: str
    cards: tuple[str, ...]
    turn: bool
    touch: KeyButton | None


def dealer(page: Page) -> str:
    """The table of this phone."""
    phone, round = page.asked.phone, page.round
    number = phone.table
    table = round.tables.get(number) if round is not None and number is not None else None
    if round is None or table is None or number is None or round.phase is not Phase.RUNNING:
        return page.draw("dealer_waits.html", number=number)
    hands = page.asked.sight.tables.get(number)
    shown = page.asked.sight.pads.get(number)
    pad = pad_of(shown) if shown is not None else None
    hand = hand_view(hands, round, number)
    drawn = pad_view(pad, shown.keys, hands, page.name, there=table.seats) if shown is not None else None
    names = _names(page, round, table, at_table(hands, table.seats))
    stamp = shown.stamp if shown is not None else ""
    buttons = {key: _key(page, key, drawn, hand, stamp) for key in drawn.keys} if drawn is not None else {}
    return page.draw(
        "dealer.html",
        number=number,
        hand_no=table.hand,
        blinds=f"{page.tr.number(table.small_blind)} / {page.tr.number(table.big_blind)}",
        hand=hand,
        board=hand.board if hand is not None else (),
        pots=_pots(page, hand),
        turn=_turn(page, hand, names),
        order=[names.get(seat, str(seat)) for seat in hand.show_order] if hand is not None else [],
        won=words.pot_lines(hand, names, page.tr) if hand is not None else [],
        reading=words.reading_text(drawn.reading, names.get(drawn.reading.seat, ""), page.tr)
        if drawn is not None and drawn.reading is not None else "",
        problem=refused_text(*drawn.refused, page.tr) if drawn is not None and drawn.refused is not None else "",
        asked=_asked(page, drawn, hand),
        typed=drawn.typed if drawn is not None else "",
        mode=drawn.mode if drawn is not None else "play",
        felt=_felt(page, round, table, number),
        seats=_seats(page, round, table, hand, at_table(hands, table.seats), buttons),
        main=[buttons[key] for key in _MAIN if key in buttons],
        play=[buttons[key] for key in _PLAY if key in buttons],
        takes_amount=any(key in buttons for key in WITH_AMOUNT),
        ranks=[buttons[key] for key in (*RANK_KEYS, *"98765432") if key in buttons]
        if drawn is not None and drawn.mode == "cards" else [],
        suits=[buttons[key] for key in SUIT_KEYS if key in buttons],
        rest=[each for key, each in buttons.items() if _is_rest(key)],
        back=buttons.get("back") if drawn is not None and (drawn.typed or drawn.mode != "play") else None,
        stamp=stamp,
        actions=_actions(page, number, ("stacks",) if buttons else ("next_hand", "stacks")),
        call=next((each for each in calls(page.asked) if each.table == number), None),
        call_vals=vals({}),
        busts=[
            (place, page.name(who), _bust(page, who)) for place, who in sorted(table.seats.items())
        ],
    )  # fmt: skip


def _is_rest(key: str) -> bool:
    placed = {*_MAIN, *_PLAY, *_NEVER, *RANK_KEYS, *SUIT_KEYS}
    return key not in placed and not key.startswith("seat-")


def _names(page: Page, round: Round, table: Table, there: dict[int, str]) -> dict[int, str]:
    seats = [Seat(number=number, who=page.name(who)) for number, who in {**there, **table.seats}.items()]
    return words.names(seats, page.tr)


def _key(page: Page, key: str, pad: PadView | None, hand: HandView | None, stamp: str) -> KeyButton:
    word, below = key_words(key, pad or PadView(), hand, page.tr)
    if key == "T":
        word = "10"
    tone: Literal["go", "play", "plain", "danger"] = "plain"
    if key in _MAIN or key == "check-call":
        tone = "go"
    elif key in ACTIONS:
        tone = "play"
    elif key in ("drop", "dead"):
        tone = "danger"
    with_amount = key in WITH_AMOUNT
    return KeyButton(key, word, below, vals({"keys": key, "seen": stamp}), tone, with_amount)


def _pots(page: Page, hand: HandView | None) -> list[tuple[str, int]]:
    if hand is None:
        return []
    return [(words.pot_name(index, page.tr), pot.amount) for index, pot in enumerate(hand.pots)]


def _turn(page: Page, hand: HandView | None, names: dict[int, str]) -> list[str]:
    if hand is None:
        return []
    parts = words.turn_parts(hand, names, page.tr) or [words.turn_text(hand, names, page.tr)]
    return [part for part in parts if part]


def _asked(page: Page, pad: PadView | None, hand: HandView | None) -> str:
    """What the keys are for at the moment, where it is not the play."""
    if pad is None:
        return ""
    if pad.mode == "winners":
        pots, pot = hand.pots if hand is not None else (), pad.pot or 0
        amount = f": {page.tr.number(pots[pot].amount)}" if pot < len(pots) else ""
        chosen = ", ".join(page.tr.gettext("seat {seat}", seat=seat) for seat in pad.winners)
        asked = f"{words.pot_name(pot, page.tr)}{amount} – {page.tr.gettext('who wins it?')}"
        return f"{asked} {chosen}".strip()
    if pad.mode == "cards":
        typed = "".join({"s": "♠ ", "h": "♥ ", "d": "♦ ", "c": "♣ "}.get(char, char) for char in pad.typed).strip()
        return f"{page.tr.gettext('Cards: rank, then suit')} {typed}".strip()
    seat = page.tr.gettext("Seat {seat}", seat=pad.seat) if pad.seat is not None else ""
    return seat.replace(" ", NBSP)


def _felt(page: Page, round: Round, table: Table, number: int) -> Felt:
    num = page.tr.number
    return Felt(number, (), table.hand, f"{num(table.small_blind)} / {num(table.big_blind)}", len(table.seats))


def _seats(
    page: Page, round: Round, table: Table, hand: HandView | None, there: dict[int, str],
    buttons: dict[str, KeyButton],
) -> list[DealtSeat]:  # fmt: skip
    """``there``: who plays the hand, though they may be out of the round by now."""
    told = {seat.number: seat for seat in hand.seats} if hand is not None else {}
    most = max([round.seats_per_table, *table.seats])
    found = []
    for number in range(1, most + 1):
        who = table.seats.get(number)
        player = round.players.get(who) if who is not None else None
        named = who or there.get(number, "")
        place = Place(number, marks=marks_of(table, number), who=who or "", name=page.name(named) if named else "")
        if player is not None:
            place = place._replace(chips=player.chips, away=player.absent)
        seat = told.get(number)
        found.append(
            DealtSeat(
                place, seat.stack if seat else place.chips, seat.bet if seat else 0, _state(page, seat),
                seat.cards if seat else (), hand is not None and hand.to_act == number and bool(who),
                buttons.get(f"seat-{number}"),
            )
        )  # fmt: skip
    return found


def _state(page: Page, seat: HandSeat | None) -> str:
    """What became of a player's hand, in a word."""
    if seat is None:
        return ""
    if seat.won:
        return page.tr.gettext("wins {amount}", amount=page.tr.number(seat.won))
    if seat.away:
        return page.tr.gettext("away")
    if seat.dead:
        return page.tr.gettext("dead hand")
    if seat.folded:
        return page.tr.gettext("folded")
    return page.tr.gettext("all-in") if seat.all_in else ""


def _actions(page: Page, number: int, ids: tuple[str, ...]) -> tuple[Button, ...]:
    filled = {"table": str(number)}
    can = (each for each in ids if possible(page.here, BY_ID[each], filled) is None)
    return tuple(button(page, each, filled) for each in can)


def _bust(page: Page, who: str) -> Button | None:
    filled = {"participant": who}
    if possible(page.here, BY_ID["bust"], filled) is not None:
        return None
    return button(page, "bust", filled, label=page.name(who))
