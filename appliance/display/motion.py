"""Transitions: how one draw list becomes the next within a blink. Pure: two lists and a share of the way give a list.

What may move: buttons and blinds glide round the table to their new seats, a card or band that comes settles in by a
few pixels, a seat's plate turns its colour, a line lies under blinds that are new, and a page that takes its turn
slides in. What never moves: the time, in digits or as a time of day. All texts are those of the list after, from the
first frame on; nobody waits for an answer because something moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from appliance.display.effect import Effect, is_time, shifted
from appliance.display.ops import Box, DrawList, Op, Round, Text
from appliance.display.theme import Theme

GLIDE_S, SETTLE_S, TURN_S, BLEND_S, PULSE_S = 0.32, 0.18, 0.22, 0.25, 0.35
"""How long each takes."""

_SETTLE, _SLIDE = 0.012, 0.012
"""How far cards settle and pages slide, in parts of the screen's shorter and longer side."""

_CARD, _PLATE = 40, 24
"""A card is at least a 40th of the screen; what is more than a 24th of it does not change its colour slowly."""

_LOOKS = 12
"""At so many places on its way a disc is looked whether it hides something."""


class Transition(msgspec.Struct, frozen=True):
    """The operations of a list that do not go to their places at once; equal ones go together.

    ``gliding``: how many go round the table. They lie over all plates, and below what follows them: the time.
    """

    effects: dict[Op, Effect]
    length_s: float
    gliding: int

    def at(self, after: DrawList, share: float) -> DrawList:
        """The list on its way to ``after``: 0 is its first frame, 1 and more is ``after`` itself.

        ``after`` may be a little later than the list that the transition was made for: what is new shows at once.
        """
        if share >= 1:
            return after
        gone_s = max(0.0, share) * self.length_s
        ops: list[Op] = []
        above: list[Op] = []
        left = self.gliding
        for op in after:
            if above and left <= 0 and is_time(op):
                ops += above
                above = []
            effect = self.effects.get(op)
            if effect is None:
                ops.append(op)
            elif effect.around is None:
                ops.extend(effect.of(op, gone_s / effect.length_s))
            else:
                above.extend(effect.of(op, gone_s / effect.length_s))
                left -= 1
        return (*ops, *above)


def transition(
    before: DrawList, after: DrawList, size: tuple[int, int], theme: Theme, *, turned: bool = False
) -> Transition | None:
    """How ``after`` follows ``before`` on a screen of this size; None where nothing moves.

    ``turned``: the pages have taken turns, and what is new slides in.
    """
    stay = set(before)
    new = [op for op in after if op not in stay]
    if not new:
        return None
    effects: dict[Op, Effect] = {}
    if turned:
        effects |= _slides(before, new, size)
    effects |= _blends(before, new, size, theme)
    effects |= _settles(before, after, stay, size)
    effects |= _glides(before, after, theme)
    effects |= _pulses(before, new, theme)
    effects = {op: effect for op, effect in effects.items() if not is_time(op)}
    if not effects:
        return None
    gliding = sum(effect.around is not None for effect in effects.values())
    return Transition(effects, max(effect.length_s for effect in effects.values()), gliding)


# -- what moves ------------------------------------------------------------------------------------------


class _Token(NamedTuple):
    """A disc with letters: one or more discs in each other and a short text on top."""

    box: Box
    ops: tuple[Op, ...]


def _tokens(ops: DrawList) -> dict[object, _Token]:
    """The tokens by what tells them apart; not those of which there are several."""
    found: dict[object, _Token] = {}
    several: set[object] = set()
    at = 0
    while at < len(ops):
        outer, end = ops[at], at
        while end < len(ops) and _is_disc(ops[end]) and outer.box.holds(ops[end].box):
            end += 1
        label = ops[end] if end < len(ops) else None
        if end > at and isinstance(label, Text) and len(label.text) <= 2 and outer.box.holds(_middle(label.box)):
            top = ops[end - 1]
            key = (label.text, label.size, label.color, outer.box.w, isinstance(top, Round) and top.color)
            if key in found:
                several.add(key)
            found[key] = _Token(outer.box, ops[at : end + 1])
        at = max(end, at + 1)
    return {key: token for key, token in found.items() if key not in several}


def _is_disc(op: Op) -> bool:
    return isinstance(op, Round) and op.box.w == op.box.h and 2 * op.radius >= op.box.w - 1


def _middle(box: Box) -> Box:
    return Box(box.cx, box.cy, 1, 1)


def _glides(before: DrawList, after: DrawList, theme: Theme) -> Iterator[tuple[Op, Effect]]:
    """Of discs that lie elsewhere now."""
    were = _tokens(before)
    for key, token in _tokens(after).items():
        was = were.get(key)
        if was is None or was.box == token.box:
            continue
        effect = Effect(
            length_s=GLIDE_S,
            dx=was.box.x - token.box.x,
            dy=was.box.y - token.box.y,
            around=_under(after, was.box, token.box),
            center=(token.box.x + token.box.w / 2, token.box.y + token.box.h / 2),
        )
        if _way_is_free(after, token, effect, theme):
            yield from ((op, effect) for op in token.ops)


def _way_is_free(ops: DrawList, token: _Token, effect: Effect, theme: Theme) -> bool:
    """Whether it passes by the time and the blinds."""
    middle = token.box.w // 3
    passed = [shifted(token.ops[0], *effect.way(n / _LOOKS)).box.inset(middle) for n in range(_LOOKS)]
    read = [_ink(op) for op in ops if isinstance(op, Text) and (op.color == theme.blinds or is_time(op))]
    return not any(box.meets(other) for box in passed for other in read)


def _ink(op: Text) -> Box:
    """About where its letters are: their surface has empty lines above the capitals and below the baseline."""
    return op.box.inset(0, op.box.h * 17 // 100)


def _under(ops: DrawList, *boxes: Box) -> Box | None:
    """The smallest thing with round corners that all of them lie on: the felt."""
    found = [
        op.box for op in ops if isinstance(op, Round) and op.radius and all(op.box.holds(_middle(box)) for box in boxes)
    ]
    found = [box for box in found if box.w * box.h > 25 * boxes[0].w * boxes[0].h]
    return min(found, key=lambda box: box.w * box.h, default=None)


def _settles(before: DrawList, after: DrawList, stay: set[Op], size: tuple[int, int]) -> Iterator[tuple[Op, Effect]]:
    """Of cards that come, with what lies on them: from below where the time is above them, and the other way."""
    were = {(op.box.w, op.box.h, op.radius) for op in before if isinstance(op, Round)}  # it may have moved a little
    times = [op.box.cy for op in after if is_time(op)]
    at = 0
    while at < len(after):
        card = after[at]
        at += 1
        if not isinstance(card, Round) or _is_disc(card) or (card.box.w, card.box.h, card.radius) in were:
            continue
        if card.box.w * card.box.h * _CARD < size[0] * size[1]:
            continue
        end = at
        while end < len(after) and card.box.holds(after[end].box):
            end += 1
        group, at = after[at - 1 : end], end
        if any(is_time(op) or op in stay for op in group):
            continue
        below = not times or card.box.cy >= sum(times) / len(times)
        step = max(1, round(min(size) * _SETTLE)) * (1 if below else -1)
        yield from ((op, Effect(length_s=SETTLE_S, dy=step)) for op in group)


def _blends(before: DrawList, new: list[Op], size: tuple[int, int], theme: Theme) -> Iterator[tuple[Op, Effect]]:
    """Of small plates that only change their colour; what says good or bad says it at once."""
    tones = {theme.good, theme.wait, theme.bad, theme.accent}
    were = {(op.box, op.radius): op.color for op in before if isinstance(op, Round)}
    for op in new:
        if (
            isinstance(op, Round)
            and op.radius
            and not _is_disc(op)
            and op.box.w * op.box.h * _PLATE < size[0] * size[1]
        ):
            was = were.get((op.box, op.radius))
            if was is not None and not {was, op.color} & tones:
                yield op, Effect(length_s=BLEND_S, was=was)


def _pulses(before: DrawList, new: list[Op], theme: Theme) -> Iterator[tuple[Op, Effect]]:
    """Of blinds that others stood in the place of."""
    there = [op for op in before if isinstance(op, Text) and op.color == theme.blinds]
    for op in new:
        if not isinstance(op, Text) or op.color != theme.blinds or any(was.text == op.text for was in there):
            continue
        if any(was.box.meets(op.box) for was in there):
            yield op, Effect(length_s=PULSE_S, line=theme.accent)


def _slides(before: DrawList, new: list[Op], size: tuple[int, int]) -> Iterator[tuple[Op, Effect]]:
    """Of a page's contents, but of nothing that only grew longer."""
    bars = {(op.box.x, op.box.y, op.box.h) for op in before if isinstance(op, Round)}
    step = max(1, round(max(size) * _SLIDE))
    for op in new:
        if isinstance(op, Round) and (op.box.x, op.box.y, op.box.h) in bars:
            continue
        yield op, Effect(length_s=TURN_S, dx=step)
