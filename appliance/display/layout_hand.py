"""A tracked hand on the felt: stacks, bets before them, board and pots in the middle, whose turn it is."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas, Words
from appliance.display.cardface import card_height, card_width, draw_card, draw_slot
from appliance.display.hand_text import names, pot_lines, pot_name, pot_short, turn_parts, turn_text
from appliance.display.handplan import HandPlan, Middle, Place
from appliance.display.layout_plate import Stands, draw_plate
from appliance.display.ops import Box
from appliance.display.parted import draw_parted, largest
from appliance.display.theme import Color
from appliance.display.view import HandSeat, HandView, PadView, PotView, Seat

_BOARD = 5
_WELL = 24
"""A size of letters that is read from every seat, in lengths of the design."""
_READ = 30
"""One of letters that are read well in a line of several words."""
_AIR = 14
"""Between two cards of the board, in lengths of the design."""


def draw_hand(c: Canvas, plan: HandPlan, seats: tuple[Seat, ...], hand: HandView, pad: PadView | None) -> None:
    """The plates and what lies before them; those the keys have chosen, and may choose for a pot, stand out."""
    chosen = () if pad is None else pad.winners if pad.seat is None else (*pad.winners, pad.seat)
    asked = pad.keys if pad is not None and pad.mode == "winners" else ()
    by_number = {seat.number: seat for seat in hand.seats}
    for seat, place in zip(seats, plan.places, strict=False):
        dealt = by_number.get(seat.number)
        may = f"seat-{seat.number}" in asked
        turn = hand.to_act == seat.number and not asked
        draw_plate(c, place.plate, seat, dealt, Stands(turn, seat.number in chosen, may))
        if dealt is not None:
            _draw_front(c, place, dealt)


def draw_middle(c: Canvas, middle: Middle, hand: HandView, seats: tuple[Seat, ...], asked: int | None) -> None:
    """Board, pots and whose turn it is; at the end who won what. ``asked``: the pot whose winners the keys ask for."""
    who = names(seats, c.tr)
    said, parts = turn_text(hand, who, c.tr), turn_parts(hand, who, c.tr)
    if hand.waits in ("doubt", "dropped"):
        c.paragraph(middle.board.union(middle.pots), said, c.u(48), c.theme.time_stopped, bold=True)
        return
    _draw_board(c, middle.board, hand.board)
    if lines := pot_lines(hand, who, c.tr):
        _draw_winners(c, middle, [pot_lines(hand, who, c.tr, whole=True), lines, pot_lines(hand, {}, c.tr)])
        return
    _draw_pots(c, middle.pots, hand.pots, asked)
    free = middle.turn if hand.pots else _joined(middle)
    said = c.tr.gettext("Who wins?") if asked is not None else said
    if parts:
        draw_parted(c, free, parts, c.u(50), c.theme.felt_ink)
    else:
        c.paragraph(free, said, c.u(50), c.theme.felt_ink, bold=True)


def _draw_winners(c: Canvas, middle: Middle, ways: list[list[str]]) -> None:
    """Who won which pot, all in letters of one size: the first of ``ways`` that is read well, else the largest.

    All together, or the first ones in the place of the pots and the others below.
    """
    stacked = middle.pots.w == middle.turn.w
    fits = []
    for lines in ways:
        for cut in (0,) if stacked or len(lines) == 1 else range(1, len(lines)):
            boxes = [(middle.pots, lines[:cut]), (_joined(middle) if stacked else middle.turn, lines[cut:])]
            size = min(largest(c, box, told, c.u(50)) for box, told in boxes if told)
            fits.append((size, boxes))
    best = next((way for way in fits if way[0] >= c.u(_READ)), max(fits, key=lambda way: way[0]))
    for box, told in best[1]:
        c.block(box, [Words(line, max(best[0], LEAST_SIZE), c.theme.blinds, bold=True) for line in told], gap=0)


def _joined(middle: Middle) -> Box:
    """The place of the pots and of whose turn it is, where one is below the other; else the latter alone."""
    return middle.pots.union(middle.turn) if middle.pots.w == middle.turn.w else middle.turn


def _draw_board(c: Canvas, box: Box, board: tuple[str, ...]) -> None:
    """Five places in a row, or three above two where that lets the cards be larger."""
    air = c.u(_AIR)
    rows = (3, 2) if _height(c, box, (3, 2)) > _height(c, box, (5,)) else (5,)
    height = _height(c, box, rows)
    width = card_width(height)
    if height < 2 * LEAST_SIZE:
        return
    y = box.y + (box.h - len(rows) * height - (len(rows) - 1) * air) // 2
    index = 0
    for count in rows:
        x = box.cx - (count * width + (count - 1) * air) // 2
        for _ in range(count):
            place = Box(x, y, width, height)
            if index < len(board):
                draw_card(c, place, board[index])
            else:
                draw_slot(c, place)
            x, index = x + width + air, index + 1
        y += height + air


def _height(c: Canvas, box: Box, rows: tuple[int, ...]) -> int:
    """How high cards in these rows can be."""
    air, wide = c.u(_AIR), max(rows)
    by_width = card_height((box.w - (wide - 1) * air) // wide) if box.w > wide * air else 0
    return max(0, min(by_width, (box.h - (len(rows) - 1) * air) // len(rows), c.u(230)))


def _draw_pots(c: Canvas, box: Box, pots: tuple[PotView, ...], asked: int | None) -> None:
    """A chip with its amount for each pot; their names are shortened, then left out, where they do not fit."""
    amounts = [c.tr.number(pot.amount) for pot in pots]
    named = [f"{pot_name(n, c.tr)}: {amount}" for n, amount in enumerate(amounts)]
    short = [f"{pot_short(n, c.tr)}: {amount}" for n, amount in enumerate(amounts)]
    _draw_chips(c, box, [named, short, amounts], asked)


def _draw_chips(c: Canvas, box: Box, ways: list[list[str]], asked: int | None) -> None:
    """Texts on chips, all of one size, in rows that let it be the largest: the first of ``ways`` that is read well."""
    fits = []
    for texts in ways:
        size, rows = max((_pot_size(c, box, texts, rows), -rows) for rows in (1, 2, 3))
        fits.append((size, -rows, texts))
        if size >= c.u(_WELL):
            break
    size, rows, texts = next((way for way in fits if way[0] >= c.u(_WELL)), max(fits, key=lambda way: way[0]))
    if size:
        _draw_pills(c, box, texts, size, rows, asked)


def _draw_pills(c: Canvas, box: Box, texts: list[str], size: int, rows: int, asked: int | None) -> None:
    per_row, air = -(-len(texts) // rows), c.u(10)
    height = min(box.h // rows - air // 3, round(size * 1.6))
    for row, line in enumerate(box.rows(*[1] * rows)):
        shown = texts[row * per_row : (row + 1) * per_row]
        widths = [c.measure.width(text, size, True) + 2 * (size // 2) for text in shown]
        x = line.cx - (sum(widths) + air * (len(shown) - 1)) // 2
        for n, (text, width) in enumerate(zip(shown, widths, strict=True), start=row * per_row):
            pill = Box(x, line.cy - height // 2, width, height)
            c.rounded(pill, height // 2, c.theme.accent if n == asked else c.theme.plate)
            ink = c.theme.on_accent if n == asked else c.theme.blinds
            c.text(pill.inset(size // 2, 0), text, size, ink, bold=True)
            x += width + air


def _pot_size(c: Canvas, box: Box, texts: list[str], rows: int) -> int:
    """The size at which the pots fit into so many rows; 0 if they do not."""
    per_row = -(-len(texts) // rows)
    if not texts or per_row * (rows - 1) >= len(texts):
        return 0
    room = max(1, (box.w - (per_row - 1) * c.u(10)) // per_row)
    height = box.h // rows * 92 // 100
    size = min(c.fit(text, room * 88 // 100, height, c.u(48), bold=True) for text in texts)
    widest = max(c.measure.width(text, size, True) for text in texts) + 2 * (size // 2)
    while size > LEAST_SIZE and widest > room:
        size -= 1
        widest = max(c.measure.width(text, size, True) for text in texts) + 2 * (size // 2)
    return size if widest <= room and c.measure.height(size, True) <= height else 0


def _draw_front(c: Canvas, place: Place, dealt: HandSeat) -> None:
    """On the felt before the plate: the bet, or at the end the cards laid open and what was won; who is out of it."""
    box, theme = place.front, c.theme
    gone = _gone(c, dealt)
    if dealt.cards and dealt.won:
        cards, won = box.columns(38, 62, gap=c.u(4))
        _draw_hole(c, cards, dealt.cards)
        _pill(c, won, f"+{c.tr.number(dealt.won)}", theme.good, theme.on_tone)
    elif dealt.cards:
        _draw_hole(c, box, dealt.cards)
    elif dealt.won:
        _pill(c, box, f"+{c.tr.number(dealt.won)}", theme.good, theme.on_tone)
    elif dealt.bet and gone:
        bet = c.tr.number(dealt.bet)
        lengths = (c.measure.width(bet, c.u(38), True) + c.u(34), c.measure.width(gone, c.u(30), False))
        chips, said = box.columns(*lengths, gap=c.u(6))
        _pill(c, chips, bet, theme.plate, theme.blinds)
        c.text(said, gone, c.u(30), theme.felt_muted)
    elif dealt.bet:
        _pill(c, box, c.tr.number(dealt.bet), theme.plate, theme.blinds)
    elif gone:
        c.text(box, gone, c.u(30), theme.felt_muted)


def _gone(c: Canvas, dealt: HandSeat) -> str:
    """Why a player of the hand is not in it any more."""
    if not dealt.folded:
        return ""
    return c.tr.gettext("dead hand") if dealt.dead else c.tr.gettext("away") if dealt.away else c.tr.gettext("folded")


def _pill(c: Canvas, box: Box, text: str, fill: Color, ink: Color) -> None:
    """An amount of chips, with a chip beside it."""
    side = box.h * 3 // 10
    size = c.fit(text, box.w - 2 * side, box.h * 9 // 10, c.u(38), bold=True)
    width = min(box.w, c.measure.width(text, size, True) + 2 * side)
    pill = Box(box.cx - width // 2, box.y, width, box.h)
    c.framed(pill, box.h // 2, fill, c.theme.felt_line, c.u(2))
    c.text(pill.inset(side, 0), text, size, ink, bold=True)


def _draw_hole(c: Canvas, box: Box, cards: tuple[str, ...]) -> None:
    gap = c.u(4)
    height = min(box.h, card_height((box.w - gap) // 2))
    width = card_width(height)
    x = box.cx - (2 * width + gap) // 2
    for card in cards[:2]:
        draw_card(c, Box(x, box.cy - height // 2, width, height), card)
        x += width + gap
