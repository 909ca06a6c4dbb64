"""Short statements side by side with a dot between, or one below the other: no dot at the end or start of a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.display.canvas import Canvas, Words
from appliance.display.ops import Box
from appliance.display.theme import Color
from appliance.i18n import NBSP

_DOT = f"{NBSP}·{NBSP}"


def draw_parted(c: Canvas, box: Box, parts: Sequence[str], size: int, color: Color) -> None:
    """Write ``parts`` into ``box`` in those lines that let the letters be the largest, ``size`` at most."""
    said = [part.replace(" ", NBSP) for part in parts if part]
    if not said:
        return
    ways = [[_DOT.join(line) for line in lines] for lines in _broken(said)]
    sizes = [min(c.fit(line, box.w, box.h // len(lines), size, bold=True) for line in lines) for lines in ways]
    best = max(range(len(ways)), key=lambda n: (sizes[n], -len(ways[n])))
    c.block(box, [Words(line, sizes[best], color, bold=True) for line in ways[best]], gap=0)


def largest(c: Canvas, box: Box, lines: Sequence[str], size: int, *, bold: bool = True) -> int:
    """The largest size, at most ``size``, at which these paragraphs fit into ``box``; 0 if they do not."""
    while lines and size > 0:
        width, height = c.needed(box.w, [Words(line, size, c.theme.ink, bold) for line in lines], gap=0)
        if width <= box.w and height <= box.h:
            return size
        size = min(size - 1, size * 95 // 100)
    return size


def _broken(parts: list[str]) -> Iterator[list[list[str]]]:
    """All ways to break a row of parts into lines."""
    for cuts in range(2 ** (len(parts) - 1)):
        lines = [[parts[0]]]
        for n, part in enumerate(parts[1:]):
            if cuts >> n & 1:
                lines.append([part])
            else:
                lines[-1].append(part)
        yield lines
