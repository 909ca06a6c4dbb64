"""The dealer's keys on the glass, with words: only where a device tracks actions, and only those that make sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from appliance.display.canvas import Canvas
from appliance.display.cardface import suit_text
from appliance.display.fonts import Measure
from appliance.display.hand_text import names, pot_name, reading_text, with_seat
from appliance.display.house import PLAIN, House
from appliance.display.layout_places import places
from appliance.display.ops import Box
from appliance.display.padboxes import key_boxes, readout_box
from appliance.display.parted import draw_parted
from appliance.display.theme import DARK, Color
from appliance.display.view import HandView, PadView, Seat, TableView
from appliance.i18n import NBSP, Translator

Words = tuple[str, str]
"""What a key is called, and below it an amount."""


def draw_pad(c: Canvas, box: Box, pad: PadView, hand: HandView | None, seats: tuple[Seat, ...]) -> None:
    """All keys, and above them what was typed so far or why the last key was refused."""
    _draw_readout(c, readout_box(c, box), pad, hand, names(seats, c.tr))
    for key, place in key_boxes(c, box, pad):
        _draw_key(c, place, key, pad, hand)


def hit(
    view: TableView, size: tuple[int, int], tr: Translator, measure: Measure, x: int, y: int, house: House = PLAIN
) -> str | None:
    """The key that a touch of this pixel means: one of the pad's, or of a seat of the map (``seat-3``); else None."""
    if view.pad is None:
        return None
    c = Canvas(size, tr, DARK, measure, house=house)
    where, spot = places(c, view), Box(x, y, 1, 1)
    boxes = key_boxes(c, where.pad, view.pad) if where.pad else []
    if where.hand is not None:
        boxes += [(f"seat-{n}", place.plate) for n, place in enumerate(where.hand.places, start=1)]
    return next((key for key, box in boxes if key in view.pad.keys and box.holds(spot)), None)


def key_words(key: str, pad: PadView, hand: HandView | None, tr: Translator) -> Words:
    """What stands on a key."""
    match key:
        case "check-call":
            if hand and hand.call:
                return tr.gettext("Call"), tr.number(hand.call)
            return tr.gettext("Check"), ""
        case "raise":
            word = tr.gettext("Raise to") if not hand or hand.bet else tr.gettext("Bet")
            least = hand.raise_min if hand else None
            return word, _amount(pad.typed, tr) or (
                tr.gettext("at least {amount}", amount=tr.number(least)) if least else ""
            )
        case "next":
            return _next(hand, tr), ""
        case "all-in":
            return tr.gettext("All-in"), _all_in(hand, tr)
        case "s" | "h" | "d" | "c":
            return suit_text(key), ""
        case "T":
            return "10", ""
    words = {
        "fold": tr.gettext("Fold"),
        "push": tr.gettext("Pushed"),
        "plus": "+",
        "undo": tr.gettext("Undo"),
        "back": "⌫",
        "seat": tr.gettext("Seat"),
        "show": tr.gettext("Shows"),
        "muck": tr.gettext("Mucks"),
        "win": tr.gettext("Wins"),
        "done": tr.gettext("Done"),
        "cards": tr.gettext("Cards"),
        "dead": tr.gettext("Dead hand"),
        "player-back": tr.gettext("Is back"),
        "unclear": tr.gettext("Unclear amount"),
        "uncounted": tr.gettext("Cannot count"),
        "drop": tr.gettext("Stop tracking"),
        "menu": tr.gettext("Close") if pad.mode == "menu" else tr.gettext("More"),
    }
    return words.get(key, key), ""


def _next(hand: HandView | None, tr: Translator) -> str:
    """What comes next: cards of the board, the end of the hand, or another hand."""
    if hand is None or hand.waits in ("nothing", "doubt", "dropped"):
        return tr.gettext("Next hand")
    if hand.waits != "board":
        return tr.gettext("Settle")
    return {"preflop": tr.gettext("Flop"), "flop": tr.gettext("Turn")}.get(hand.street) or tr.gettext("River")


def _amount(typed: str, tr: Translator) -> str:
    """What was typed as amounts: one, or several chips."""
    return " + ".join(tr.number(int(chips)) for chips in typed.split("+") if chips.isdigit())


def _all_in(hand: HandView | None, tr: Translator) -> str:
    """All that the player on turn can bet on this street, with the bet that lies there: as amounts are told."""
    seats = hand.seats if hand else ()
    on_turn = (seat for seat in seats if hand and seat.number == hand.to_act and seat.stack)
    return next((tr.number(seat.bet + seat.stack) for seat in on_turn), "")


def _draw_key(c: Canvas, box: Box, key: str, pad: PadView, hand: HandView | None) -> None:
    fill, edge, ink = _colors(c, key)
    c.framed(box, c.u(18), fill, edge, c.u(2))
    word, amount = key_words(key, pad, hand, c.tr)
    inner = box.inset(c.u(8), c.u(5))
    large = c.u(46 if key in ("next", "done") or len(key) <= 2 or key == "plus" else 36)
    if not amount and " " in word and c.measure.width(word, large, True) > inner.w:
        c.paragraph(inner, word, large, ink, bold=True)
        return
    if not amount:
        c.text(inner, word, large, ink, bold=True)
        return
    upper, lower = inner.rows(46, 54)
    c.text(upper, word, c.u(32), ink, bold=True)
    c.text(lower, amount, c.u(40), ink, bold=True)


def _colors(c: Canvas, key: str) -> tuple[Color, Color, Color]:
    """Fill, edge and ink: what goes on is bright, digits are light, what takes back or ends is quiet."""
    theme = c.theme
    if key in ("s", "h", "d", "c"):
        suit = {"s": theme.spades, "h": theme.hearts, "d": theme.diamonds, "c": theme.clubs}[key]
        return theme.card, theme.panel_edge, suit
    if key in ("check-call", "next", "done"):
        return theme.accent, theme.accent, theme.on_accent
    if key in ("fold", "all-in", "raise", "win", "show", "push"):
        return theme.felt_light, theme.felt_line, theme.felt_ink
    if len(key) <= 2 or key in ("plus", "back"):
        return theme.key, theme.felt_line, theme.ink
    return theme.panel, theme.panel_edge, theme.ink


def _draw_readout(c: Canvas, box: Box, pad: PadView, hand: HandView | None, called: dict[int, str]) -> None:
    """Why the last key was refused, else what is asked and typed, else how a push was read, else whose turn it is."""
    asked, typed = _asked(pad, hand, c.tr), _typed(pad, c.tr)
    read = reading_text(pad.reading, called.get(pad.reading.seat, ""), c.tr) if pad.reading else ""
    who = called.get(hand.to_act, "") if hand is not None and hand.to_act is not None else ""
    if not (pad.refused or asked or typed or read or who):
        return
    c.framed(box, c.u(18), c.theme.plate, c.theme.bad if pad.refused else c.theme.panel_edge, c.u(3))
    inner = box.inset(c.u(16), c.u(8))
    if pad.refused:
        c.paragraph(inner, f"⚠{NBSP}{refused_text(*pad.refused, c.tr)}", c.u(32), c.theme.bad, bold=True)
        return
    if read and not asked and not typed:
        c.paragraph(inner, read, c.u(30), c.theme.ink)
        return
    if asked and not typed:
        draw_parted(c, inner, asked, c.u(32), c.theme.muted)
        return
    if not asked:
        said, size = (typed, 60) if typed else (who, 44)
        c.paragraph(inner, said, c.u(size), c.theme.ink if typed else c.theme.muted, bold=True)
        return
    upper, lower = inner.rows(40, 60)
    draw_parted(c, upper, asked, c.u(28), c.theme.muted)
    c.text(lower, typed, c.u(56), c.theme.ink, bold=True)


def refused_text(code: str, detail: Mapping[str, Any], tr: Translator) -> str:
    """Why a key led to nothing, with the seat of whom it is about where others have the same name."""
    who, seat = detail.get("who"), detail.get("who_seat")
    named = {"who": with_seat(who, seat if isinstance(seat, int) else None, tr)} if isinstance(who, str) else {}
    return tr.refusal(code, {**detail, **named})


def _typed(pad: PadView, tr: Translator) -> str:
    """Digits as an amount, cards with the signs of their suits, winners by their seats."""
    if pad.mode == "winners":
        return ", ".join(map(str, pad.winners))
    if pad.mode != "cards":
        return _amount(pad.typed, tr) + (" +" if pad.typed.endswith("+") else "")
    return "".join({"s": "♠ ", "h": "♥ ", "d": "♦ ", "c": "♣ "}.get(char, char) for char in pad.typed).strip()


def _asked(pad: PadView, hand: HandView | None, tr: Translator) -> list[str]:
    """What the keys are for at the moment, in parts."""
    seat = tr.gettext("Seat {seat}", seat=pad.seat) if pad.seat is not None else ""
    match pad.mode:
        case "winners":
            pots = hand.pots if hand else ()
            pot = pad.pot or 0
            amount = f": {tr.number(pots[pot].amount)}" if pot < len(pots) else ""
            return [pot_name(pot, tr) + amount, tr.gettext("who wins it?")]
        case "cards":
            return [*([seat] if seat else []), tr.gettext("Cards: rank, then suit")]
        case _:
            return [seat] if seat else []
