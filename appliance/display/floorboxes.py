"""Where the parts of the floor menu lie: the same boxes are drawn and touched.

Whatever a finger may mean is at least `TARGET` of the short side of what is seen of the screen high and wide: on a 7"
panel of 800×480 pixels that is 64 of them, twelve millimetres. What is asked is read before it is answered: where it
has no room the warnings share a line, and then the targets get smaller.
"""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas, Words
from appliance.display.layout_ribbons import ribbons_height
from appliance.display.layout_strip import strip_height
from appliance.display.ops import Box
from appliance.display.view import Status
from appliance.display.view_floor import MenuLine, MenuView

TARGET = (2, 15)
"""Part of the short side of what is seen, as a fraction."""

_WAYS = ((False, 20, 75), *((True, part, 50) for part in range(20, 4, -2)))
"""Tried in this order: whether the warnings share a line, how many twentieths of its size a target has, and to how many
per cent of its wished size the sentence gets smaller before the next is tried."""

_GAP, _HINT = 14, 40
_KEYPAD = (("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9"), ("delete", "0", "enter"))
_PADDING = (40, 24)
_FEW = 6
_ONE_COLUMN = 3
"""So many lines stand one below the other wherever there is the height."""


class Turn(NamedTuple):
    """A key that turns the page of a long list: by which keys of the menu (none: there is no such page), and where."""

    keys: tuple[str, ...]
    box: Box
    forward: bool


class Parts(NamedTuple):
    """All of a page: the strip with the clock, back and title, what is said, and all to touch.

    ``figure``: where the number stands that is being entered, or what a phone is to read, or has shown; ``left``: the
    time that is left for it. ``lines``: those on this page of the list, by their
    place among those to choose; of ``pages`` it is ``page``, from 0. ``asked_above``: a short question over a long
    list stands where the title is, which leaves room for more lines. ``few``: the warnings share a line.
    """

    strip: Box
    body: Box
    back: Box
    title: Box
    words: Box
    hint: Box
    figure: Box | None = None
    lines: tuple[tuple[int, Box], ...] = ()
    keys: tuple[tuple[str, Box], ...] = ()
    turns: tuple[Turn, ...] = ()
    page: int = 0
    pages: int = 1
    asked_above: bool = False
    few: bool = False
    left: Box | None = None


def least(c: Canvas) -> int:
    """How high and wide a thing to touch is at least, unless a sentence needs the room."""
    seen = c.screen.inset(*(side * c.house.overscan // 100 for side in c.screen[2:]))
    return -(-min(seen.w, seen.h) * TARGET[0] // TARGET[1])


def parts(c: Canvas, menu: MenuView, status: Status) -> Parts:
    """The boxes of a page."""
    for few, part, readable in _WAYS:
        touch = least(c) * part // 20
        found = _laid_out(c, menu, status, touch, few=few)
        if _serves(c, found, menu, touch, readable):
            break
    return found


def _laid_out(c: Canvas, menu: MenuView, status: Status, touch: int, *, few: bool) -> Parts:
    safe, gap = c.safe, c.u(_GAP)
    strip = Box(safe.x, safe.y, safe.w, strip_height(c))
    body = safe.below(strip.h + gap)
    head = body.below(ribbons_height(c, status, body.w, few=few))._replace(h=touch)
    hint_h = max(c.u(_HINT), c.measure.height(LEAST_SIZE, True)) if menu.hint else 0
    hint = Box(body.x, body.bottom - hint_h, body.w, hint_h)
    free = Box(body.x, head.bottom + gap, body.w, hint.y - (gap // 2 if hint_h else 0) - head.bottom - gap)
    back = Box(head.x, head.y, touch * 3 // 2, touch)
    title = Box(back.right + 2 * gap, head.y, head.right - back.right - 2 * gap, touch)
    found = Parts(strip, body, back, title, free, hint, few=few)
    if menu.keypad:
        return _entering(c, found, menu, touch)
    if menu.signed:
        return _signed(c, found, menu, touch)
    if menu.pairing is not None:
        return _pairing(c, found, menu, touch)
    height = words_height(c, free.w, menu)
    asked_above = bool(height) and _asked_above(c, menu, title)
    if not height or asked_above:
        nothing = free._replace(h=0)
        return _with_lines(c, found._replace(words=nothing, asked_above=asked_above), free, menu, touch)
    aside = len(menu.items) if menu.aloud and len(menu.items) <= _ONE_COLUMN and _beside(free) > 1 else 0
    rows = 1 if aside else min(len(menu.items), 2)
    height = max(1, min(height, free.h - rows * (touch + gap))) if menu.items else free.h
    found = found._replace(words=free._replace(h=height))
    return _with_lines(c, found, free.below(height + gap), menu, touch, columns=aside)


def _serves(c: Canvas, found: Parts, menu: MenuView, touch: int, readable: int) -> bool:
    """Whether what is asked can be read and all that is touched is in its place."""
    boxes = [box for _, box in (*found.lines, *found.keys)]
    if any(box.h < touch or box.bottom > max(found.hint.y, found.body.y) for box in boxes):
        return False
    if found.asked_above or (not words_of(c, menu)[0].text and not menu.told):
        return True
    inner = padded(c, found.words)
    if menu.signed:  # the sign takes its part of the width, or of the height
        wide = inner.w * 100 >= inner.h * 150
        inner = inner._replace(w=inner.w * 75 // 100) if wide else inner._replace(h=inner.h * 65 // 100)
    words = [part._replace(size=part.size * readable // 100) for part in words_of(c, menu)]
    return inner.w > 0 and c.needed(inner.w, words)[1] <= inner.h


def _asked_above(c: Canvas, menu: MenuView, title: Box) -> bool:
    room = title.w * 2 // 3  # the keys that turn pages may stand beside it
    return len(menu.items) > _FEW and not menu.told and c.measure.width(menu.asked, c.u(44), True) <= room


def words_of(c: Canvas, menu: MenuView) -> list[Words]:
    """What is to be read before something is chosen."""
    theme = c.theme
    asked = Words(menu.asked, c.u(40), theme.muted) if menu.aloud else Words(menu.asked, c.u(56), theme.ink, True)
    return [asked, *(_told(c, line, aloud=menu.aloud and not line.small) for line in menu.told)]


def _told(c: Canvas, line: MenuLine, *, aloud: bool) -> Words:
    """A line that is only read: to everybody at a table, or by who asks for it."""
    text = " · ".join(filter(None, (line.text, line.detail, line.why_not)))
    return Words(text, c.u(60), c.theme.ink, True) if aloud else Words(text, c.u(40), c.theme.muted)


def words_height(c: Canvas, width: int, menu: MenuView) -> int:
    """How high the box of the words is at their wished sizes; 0 where there are none."""
    across, down = (c.u(length) for length in _PADDING)
    needed = c.needed(width - 2 * across, words_of(c, menu))[1]
    return needed + 2 * down if needed else 0


def padded(c: Canvas, box: Box) -> Box:
    """The inside of a box with words."""
    across, down = (c.u(length) for length in _PADDING)
    return box.inset(across, down)


def _signed(c: Canvas, found: Parts, menu: MenuView, touch: int) -> Parts:
    """What became of it fills the page, above the few lines that lead on."""
    gap, free = c.u(_GAP), found.words
    rows = -(-len(menu.items) // _beside(free))
    height = rows * (touch * 9 // 8 + gap)
    found = found._replace(words=free._replace(h=max(1, free.h - height)))
    return _with_lines(c, found, free.below(free.h - height + gap), menu, touch, columns=_beside(free))


def _entering(c: Canvas, found: Parts, menu: MenuView, touch: int) -> Parts:
    """Question and number, with the lines below them, beside or above the keys."""
    gap, free = c.u(_GAP), found.words
    needed = len(_KEYPAD) * (touch + gap) - gap
    left, right = _halves(c, free, needed)
    if right.h < needed:  # warnings take their room: the keys reach up beside the title
        right = right._replace(y=found.title.y, h=right.bottom - found.title.y)
        found = found._replace(title=found.title._replace(w=left.right - found.title.x))
    columns = 1 if len(menu.listed) < 2 or left.w < 4 * touch else 2
    low = min(2, -(-len(menu.listed) // columns)) * (touch + gap)
    high = min(touch * 3 // 2, max(touch, (left.h - low) * 50 // 100))
    said = max(1, left.h - low - high - gap)
    words = left._replace(h=said)
    figure = Box(left.x, words.bottom + gap, left.w, high)
    keys = _in_grid(c, right, _KEYPAD)
    lines = left.below(said + high + 2 * gap)
    if menu.editing:
        width = max(touch, figure.w // 6)
        steps = (("down", figure._replace(w=width)), ("up", figure._replace(x=figure.right - width, w=width)))
        keys, figure = (*keys, *steps), figure.inset(width + gap, 0)
    return _with_lines(c, found._replace(words=words, figure=figure, keys=keys), lines, menu, touch, columns=columns)


def _pairing(c: Canvas, found: Parts, menu: MenuView, touch: int) -> Parts:
    """What a phone is to read, or has shown, as large as there is room for it; beside or below it all else."""
    gap, free = c.u(_GAP), found.words
    rows = len(menu.items) * (touch + gap)
    if free.w * 100 >= free.h * 110:
        upper = found.title.y
        part = 52 if menu.pairing is not None and menu.pairing.picture else 34
        side = min(free.bottom - upper, free.w * part // 100)
        figure = Box(free.right - side, upper, side, free.bottom - upper)
        left = free._replace(w=free.w - side - 2 * gap)
        found = found._replace(title=found.title._replace(w=left.right - found.title.x))
    else:
        figure = free._replace(h=min(free.w, (free.h - rows) * 62 // 100))
        left = free.below(figure.h + gap)
    count = min(touch, max(1, (left.h - rows) * 30 // 100))
    words = left._replace(h=max(1, left.h - rows - count - gap))
    found = found._replace(words=words, figure=figure, left=Box(left.x, words.bottom + gap, left.w, count))
    return _with_lines(c, found, left.below(words.h + count + 2 * gap), menu, touch, columns=1)


def _with_lines(c: Canvas, found: Parts, free: Box, menu: MenuView, touch: int, columns: int = 0) -> Parts:
    """Lines from the top, in two columns where there is the width; a list that is too long has pages."""
    gap, listed = c.u(_GAP), menu.listed
    count = len(listed)
    rows = max(1, (free.h + gap) // (touch + gap))
    columns = columns or (1 if count <= min(rows, _ONE_COLUMN) else _beside(free))
    room = rows * columns
    pages = max(1, -(-count // room))
    page = listed.index(menu.chosen) // room if menu.chosen in listed else 0
    shown = range(page * room, min(count, (page + 1) * room))
    used = rows if pages > 1 else max(1, -(-count // columns))
    height = min((free.h - gap * (used - 1)) // used, touch * 5 // 4)
    cells = free.columns(*[1] * columns, gap=gap)
    lines = tuple(
        (listed[line], Box(cell.x, free.y + row * (height + gap), cell.w, height))
        for n, line in enumerate(shown)
        for cell, row in [(cells[n // used], n % used)]
    )
    found = found._replace(lines=lines, page=page, pages=pages)
    return found if pages == 1 else _with_turns(c, found, menu, touch, room)


def _with_turns(c: Canvas, found: Parts, menu: MenuView, touch: int, room: int) -> Parts:
    gap, title = c.u(_GAP), found.title
    width = touch * 5 // 4
    fore = Box(title.right - width, title.y, width, title.h)
    rear = fore._replace(x=fore.x - gap - width)
    before = ("up",) * (menu.chosen - (found.page - 1) * room) if found.page else ()
    after = ("down",) * ((found.page + 1) * room - menu.chosen) if found.page + 1 < found.pages else ()
    turns = (Turn(before, rear, False), Turn(after, fore, True))
    return found._replace(turns=turns, title=title._replace(w=rear.x - 2 * gap - title.x))


def _beside(free: Box) -> int:
    """How many columns of lines a box has the width for."""
    return 2 if free.w * 100 >= free.h * 160 else 1


def _halves(c: Canvas, free: Box, needed: int) -> tuple[Box, Box]:
    """What is said and what is touched: side by side, or one above the other, which is at least ``needed`` high."""
    gap = c.u(2 * _GAP)
    if free.w * 100 >= free.h * 130:
        left, right = free.columns(54, 46, gap=gap)
        return left, right
    upper = free._replace(h=min(free.h * 44 // 100, free.h - needed - gap))
    return upper, free.below(upper.h + gap)


def _in_grid(c: Canvas, box: Box, rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, Box], ...]:
    gap = c.u(_GAP)
    height = (box.h - gap * (len(rows) - 1)) // len(rows)
    return tuple(
        (key, cell)
        for n, row in enumerate(rows)
        for key, cell in zip(
            row,
            Box(box.x, box.y + n * (height + gap), box.w, height).columns(*[1] * len(row), gap=gap),
            strict=True,
        )
    )
