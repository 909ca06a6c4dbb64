"""What the screens of a round share: header, warnings, the clock itself, the figures below it, the results."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas, Words
from appliance.display.icons import pause_bars
from appliance.display.ops import Box
from appliance.display.theme import Color
from appliance.display.view import Blinds, Board, Face, Field, Prize, Result, Status
from appliance.i18n import NBSP, Translator, duration

DASH = "–"

_RIBBON, _RIBBON_GAP = 58, 10
"""Height of a warning and the space below it, in lengths of the design."""


def header(c: Canvas, box: Box, board: Board, title: str, subtitle: str = "") -> None:
    """Where we are on the left, the time of day on the right."""
    now = c.tr.clock(board.now)
    right = c.text(box, now, c.u(44), c.theme.ink, align="right")
    free = Box(box.x, box.y, right.x - box.x - c.u(32), box.h)
    name = c.text(Box(free.x, free.y, free.w * 2 // 3, free.h), title, c.u(52), c.theme.ink, bold=True, align="left")
    left = name.right + c.u(28)
    c.text(Box(left, free.y, free.right - left, free.h), subtitle, c.u(34), c.theme.muted, align="left")


def warnings(tr: Translator, status: Status) -> list[str]:
    """What the people in front of the screen must know about it; empty when all is well."""
    said: list[str] = []
    if not status.director:
        if status.director_lost_at is None:
            said.append(tr.gettext("No connection to the director yet"))
        else:
            since = tr.clock(status.director_lost_at)
            said.append(tr.gettext("Director offline since {time}: this may be out of date", time=since))
    if not status.reader:
        said.append(tr.gettext("Reader offline: cards cannot be read"))
    if status.one_copy:
        said.append(tr.gettext("One copy only: the records are on one device"))
    return said


def ribbons_height(c: Canvas, status: Status) -> int:
    """How many pixels the ribbons take from the top of the body."""
    return len(warnings(c.tr, status)) * (c.u(_RIBBON) + c.u(_RIBBON_GAP))


def ribbons(c: Canvas, box: Box, status: Status) -> None:
    """Draw the warnings as ribbons at the top of ``box``."""
    height = c.u(_RIBBON)
    for n, text in enumerate(warnings(c.tr, status)):
        row = Box(box.x, box.y + n * (height + c.u(_RIBBON_GAP)), box.w, height)
        c.rounded(row, height // 2, c.theme.wait)
        c.text(row.inset(c.u(28), 0), f"⚠{NBSP} {text}", c.u(32), c.theme.on_tone, bold=True)


def blinds_text(tr: Translator, blinds: Blinds) -> str:
    """400 / 800, kept on one line."""
    return f"{tr.number(blinds.sb)}{NBSP}/{NBSP}{tr.number(blinds.bb)}"


def ante_text(tr: Translator, blinds: Blinds) -> str:
    """The ante and who pays it; empty without one."""
    if not blinds.ante:
        return ""
    amount = tr.number(blinds.ante)
    if blinds.ante_from_bb:
        return tr.gettext("BB ante {amount}", amount=amount)
    return tr.gettext("ante {amount}", amount=amount)


def clock(c: Canvas, box: Box, board: Board, hand_blinds: Blinds | None = None) -> None:
    """The time above all, the level above it, the blinds below."""
    height = min(box.h, box.w * 72 // 100)
    box = Box(box.x, box.cy - height // 2, box.w, height)
    if board.phase in ("cancelled", "moved", "none") or board.face is None:
        c.block(box, closed_words(c, board, c.theme.felt_ink, c.theme.felt_muted))
    elif board.phase in ("announced", "open"):
        _before_start(c, box, board, board.face)
    else:
        _running(c, box, board, board.face, hand_blinds)


def _bands(box: Box, *shares: float) -> list[Box]:
    """``box`` cut from top to bottom in proportion."""
    total, y, bands = sum(shares), 0.0, []
    for share in shares:
        top, bottom = round(box.h * y / total), round(box.h * (y + share) / total)
        bands.append(Box(box.x, box.y + top, box.w, bottom - top))
        y += share
    return bands


def _running(c: Canvas, box: Box, board: Board, face: Face, hand_blinds: Blinds | None) -> None:
    tr, theme = c.tr, c.theme
    top, _, time, _, bar, _, blinds, ante = _bands(box, 14, 3, 49, 4, 2, 3, 27, 11)
    stopped = not face.running
    level = tr.gettext("Level {level}", level=face.level)
    ink = theme.felt_ink
    if stopped:
        _paused_pill(c, top, tr.gettext("Break") if face.on_break else level)
    elif face.on_break:
        until = tr.clock(face.break_ends_at) if face.break_ends_at else ""
        said = tr.gettext("Break until {time}", time=until) if until else tr.gettext("Break")
        c.text(top, said, c.u(64), ink, bold=True)
    else:
        c.text(top, level, c.u(64), ink, bold=True)
    color = theme.time_stopped if stopped else theme.time
    digits = c.countdown(time, duration(face.remaining_s), c.u(380), color)
    _progress(c, Box(digits.x, bar.y, digits.w, max(3, bar.h)), face)
    if face.on_break:
        following = face.next_blinds or face.blinds
        c.text(blinds, blinds_text(tr, following), c.u(130), theme.blinds, bold=True)
        said = tr.gettext("after the break")
        c.text(ante, " · ".join(filter(None, (said, ante_text(tr, following)))), c.u(46), theme.felt_muted)
        return
    c.text(blinds, blinds_text(tr, face.blinds), c.u(150), theme.blinds, bold=True)
    note = ante_text(tr, face.blinds)
    if hand_blinds is not None and hand_blinds != face.blinds:
        note = tr.gettext("from the next hand; this hand {blinds}", blinds=blinds_text(tr, hand_blinds))
    c.text(ante, note, c.u(50), theme.felt_muted)


def _paused_pill(c: Canvas, band: Box, what: str) -> None:
    """Says that the level or break is paused, with the two bars: not by colour alone."""
    said = c.tr.gettext("Paused")
    text = f"{said} · {what}"
    size = c.fit(text, band.w * 3 // 4, band.h * 9 // 10, c.u(58), bold=True)
    width = c.measure.width(text, size, True)
    icon = size
    pill = Box(band.cx - (width + 2 * icon) // 2 - icon // 2, band.y, width + 3 * icon, band.h)
    c.rounded(pill, pill.h // 2, c.theme.wait)
    bars = Box(pill.x + icon * 3 // 4, pill.cy - icon * 3 // 8, icon * 3 // 4, icon * 3 // 4)
    pause_bars(c, bars, c.theme.on_tone)
    c.text(Box(bars.right + icon // 3, pill.y, width + 2, pill.h), text, size, c.theme.on_tone, bold=True, align="left")


def _progress(c: Canvas, box: Box, face: Face) -> None:
    """How much of the level is left, as a bar."""
    track = c.theme.felt_break_line if face.on_break else c.theme.felt_line
    c.rounded(box, box.h // 2, track)
    left = min(max(face.remaining_s / face.span_s, 0.0), 1.0) if face.span_s else 0.0
    c.rounded(Box(box.x, box.y, round(box.w * left), box.h), box.h // 2, c.theme.accent)


def _before_start(c: Canvas, box: Box, board: Board, face: Face) -> None:
    tr, theme = c.tr, c.theme
    top, _, time, _, blinds, ante = _bands(box, 15, 3, 51, 8, 24, 13)
    start = board.starts_at
    if start is None or board.starts_in_s is None or board.starts_in_s <= 0:
        c.text(top, tr.gettext("Waiting for the start"), c.u(64), theme.felt_ink, bold=True)
        c.countdown(time, tr.clock(start) if start else DASH, c.u(380), theme.time_stopped)
    elif board.starts_in_s >= 12 * 3600:
        day = f"{tr.weekday(start)} {tr.date(start)}"
        c.text(top, tr.gettext("We start {day}", day=day), c.u(64), theme.felt_ink, bold=True)
        c.countdown(time, tr.clock(start), c.u(380), theme.time)
    else:
        c.text(top, tr.gettext("We start at {time}", time=tr.clock(start)), c.u(64), theme.felt_ink, bold=True)
        c.countdown(time, duration(board.starts_in_s), c.u(380), theme.time)
    c.text(blinds, blinds_text(tr, face.blinds), c.u(108), theme.blinds, bold=True)
    first = tr.gettext("first level, {minutes} min", minutes=face.span_s // 60)
    c.text(ante, " · ".join(filter(None, (first, ante_text(tr, face.blinds)))), c.u(46), theme.felt_muted)


def closed_words(c: Canvas, board: Board, ink: Color, muted: Color) -> list[Words]:
    """Why nothing is played: cancelled, moved, or no round at all."""
    tr, start = c.tr, board.starts_at
    said, note = tr.gettext("No round tonight"), ""
    if board.phase == "cancelled":
        said, note = tr.gettext("The round is cancelled"), tr.gettext("Deposits are returned.")
    elif board.phase == "moved":
        said = tr.gettext("The round is moved")
        note = f"{tr.weekday(start)} {tr.date(start)}, {tr.clock(start)}" if start else ""
    return [Words(said, c.u(110), ink, True), Words(note, c.u(56), muted)]


Figure = tuple[str, str, str]
"""Label, value, and a smaller line below."""


def figures(c: Canvas, board: Board) -> list[Figure]:
    """The figures below the clock, most asked for first."""
    tr, face = c.tr, board.face
    if board.phase in ("announced", "open"):
        return _before_start_figures(tr, board)
    shown: list[Figure] = []
    if board.phase in ("running", "paused") and face is not None:
        shown += [_next_level(tr, face), _next_break(tr, face)]
    if board.field is not None:
        shown += _field_figures(tr, board.field, face if board.phase != "finished" else None)
    if board.prizes:
        shown.append(_prizes(tr, board.prizes))
    return shown


def _before_start_figures(tr: Translator, board: Board) -> list[Figure]:
    shown: list[Figure] = []
    if board.field is not None:
        places = free_places(tr, board.capacity - board.field.entries)
        shown.append((tr.gettext("Registered"), tr.number(board.field.entries), places))
    chips = tr.ngettext("{n} chip", "{n} chips", board.stack) if board.stack else ""
    shown.append((tr.gettext("Deposit"), tr.crowns(board.deposit), chips))
    if board.shares:
        parts = [f"{tr.decimal(share)}{NBSP}%" for share in board.shares[:4]]
        more = f" · +{NBSP}{len(board.shares) - 4}" if len(board.shares) > 4 else ""
        label = tr.ngettext("Prize", "Prizes for {n} places", len(board.shares))
        shown.append((label, parts[0], " · ".join(parts[1:]) + more))
    return shown


def _field_figures(tr: Translator, field: Field, face: Face | None) -> list[Figure]:
    if face is None:
        return [(tr.gettext("Players"), tr.number(field.entries), "")]
    players = f"{tr.number(field.left)}{NBSP}/{NBSP}{tr.number(field.entries)}"
    chips = tr.ngettext("{n} chip in play", "{n} chips in play", field.chips_in_play) if field.chips_in_play else ""
    shown = [(tr.gettext("Players"), players, chips)]
    if field.average:
        stack = big_blinds(tr, field.average, face.blinds.bb)
        shown.append((tr.gettext("Average stack"), tr.number(field.average), stack))
    return shown


def _next_level(tr: Translator, face: Face) -> Figure:
    label = tr.gettext("Next level")
    if face.next_blinds is None:
        return label, DASH, tr.gettext("last level")
    note = ante_text(tr, face.next_blinds)
    if face.next_is_break:
        note = " · ".join(filter(None, (tr.gettext("after the break"), note)))
    return label, blinds_text(tr, face.next_blinds), note


def _next_break(tr: Translator, face: Face) -> Figure:
    if face.on_break:
        end = tr.clock(face.break_ends_at) if face.break_ends_at else DASH
        return tr.gettext("Play goes on"), end, in_minutes(tr, face.remaining_s)
    label = tr.gettext("Next break")
    if face.next_break_in_s is None:
        return label, DASH, tr.gettext("no further break")
    if face.next_break_at is None:
        return label, DASH, tr.gettext("{time} of play left", time=minutes_text(tr, face.next_break_in_s))
    return label, tr.clock(face.next_break_at), in_minutes(tr, face.next_break_in_s)


def minutes_text(tr: Translator, seconds: int) -> str:
    """A span in minutes, rounded up; from 100 minutes on in hours and minutes."""
    minutes = -(-seconds // 60)
    if minutes < 100:
        return tr.gettext("{minutes} min", minutes=minutes)
    hours, rest = divmod(minutes, 60)
    return tr.gettext("{hours}:{minutes:02} h", hours=hours, minutes=rest)


def in_minutes(tr: Translator, seconds: int) -> str:
    """How long until then."""
    return tr.gettext("in {time}", time=minutes_text(tr, seconds))


def free_places(tr: Translator, free: int) -> str:
    """How many may still register."""
    return tr.ngettext("{n} place free", "{n} places free", free) if free > 0 else tr.gettext("full")


def _prizes(tr: Translator, prizes: tuple[Prize, ...]) -> Figure:
    label = tr.ngettext("Prize", "Prizes for {n} places", len(prizes))
    first, *others = prizes
    rest = [tr.number(prize.amount) for prize in others[:3]]
    if len(others) > 3:
        rest.append(f"+{NBSP}{len(others) - 3}")
    return label, tr.crowns(first.amount), " · ".join(rest)


def big_blinds(tr: Translator, chips: int, bb: int) -> str:
    """A stack in big blinds: whole ones, with a tenth below ten."""
    if bb <= 0:
        return ""
    tenths = (chips * 10 + bb // 2) // bb
    whole = tenths >= 100 or tenths % 10 == 0
    shown = tr.number(tenths // 10) if whole else tr.decimal(f"{tenths // 10}.{tenths % 10}")
    return f"{shown}{NBSP}BB"


def footer(c: Canvas, box: Box, shown: list[Figure]) -> None:
    """The figures side by side in a panel, in as many rows as the width asks for."""
    if not shown:
        return
    rows = footer_rows(c, box.w, len(shown))
    columns = -(-len(shown) // rows)
    gap = c.u(16)
    height = (box.h - gap * (rows - 1)) // rows
    for row in range(rows):
        cells = shown[row * columns : (row + 1) * columns]
        if not cells:
            break
        room = Box(box.x, box.y + row * (height + gap), box.w, height)
        weights = [min(max(len(value), len(note) * 6 // 10, 8), 18) for _, value, note in cells]
        for cell, figure in zip(_columns(room, *weights, gap=gap), cells, strict=True):
            _figure(c, cell, figure)


def footer_rows(c: Canvas, width: int, count: int) -> int:
    """How many rows of figures a footer of this width has."""
    most = max(1, width // c.u(300))
    return max(1, -(-count // most))


def _figure(c: Canvas, box: Box, figure: Figure) -> None:
    label, value, note = figure
    c.framed(box, c.u(20), c.theme.panel, c.theme.panel_edge, c.u(2))
    inner = box.inset(c.u(16), c.u(8))
    top, middle, bottom = _bands(inner, 27, 44, 29)
    c.text(top, label, c.u(27), c.theme.muted)
    c.text(middle, value, c.u(50), c.theme.ink, bold=True)
    c.text(bottom, note, c.u(30), c.theme.muted)


def results(c: Canvas, box: Box, board: Board) -> None:
    """Who finished where, best first, as many as fit legibly; in two columns when there are many."""
    title = Box(box.x, box.y, box.w, min(c.u(120), box.h // 5))
    c.text(title, c.tr.gettext("Preliminary results"), c.u(80), c.theme.felt_ink, bold=True)
    room = Box(box.x, title.bottom, box.w, box.bottom - title.bottom)
    columns = 2 if len(board.results) * c.u(66) > room.h and room.w * 10 > room.h * 16 else 1
    rows = max(1, -(-len(board.results) // columns))
    height = min(max(room.h // rows, c.u(44)), c.u(66))
    rows = max(1, min(rows, room.h // height))
    shown = board.results[: rows * columns]
    parts = _columns(room, *[1] * columns, gap=c.u(70))
    lines = [_result_texts(c.tr, result) for result in shown]
    size, widths = _result_widths(c, lines, parts[0].w, height * 7 // 10)
    for n, (result, texts) in enumerate(zip(shown, lines, strict=True)):
        column, line = divmod(n, rows)
        row = Box(parts[column].x, room.y + line * height, parts[column].w, height)
        _result(c, row, texts, size, widths, paid=result.prize > 0)


def _result_texts(tr: Translator, result: Result) -> tuple[str, str, str, str]:
    points = tr.gettext("{points} pts", points=tr.decimal(result.points)) if result.points is not None else ""
    return tr.place(result.place), result.who, tr.crowns(result.prize) if result.prize else "", points


def _result_widths(c: Canvas, lines: list[tuple[str, str, str, str]], room: int, size: int) -> tuple[int, list[int]]:
    """One size for all lines, ``size`` or less, and the widths of place, prize and points; the name has the rest."""
    while True:
        widths = [
            max((c.measure.width(line[column], size, column == 0) for line in lines), default=0) for column in (0, 2, 3)
        ]
        names = max((c.measure.width(line[1], size, True) for line in lines), default=0)
        if size <= LEAST_SIZE or size <= c.u(26) or sum(widths) + names + 3 * size // 2 <= room:
            return size, widths
        size -= 1


def _result(c: Canvas, row: Box, texts: tuple[str, str, str, str], size: int, widths: list[int], *, paid: bool) -> None:
    theme = c.theme
    place, name, prize, points = texts
    ink, gap = (theme.blinds if paid else theme.felt_ink), size // 2
    left = Box(row.x, row.y, widths[0], row.h)
    right = Box(row.right - widths[2], row.y, widths[2], row.h)
    amount = Box(right.x - gap - widths[1], row.y, widths[1], row.h)
    c.text(left, place, size, ink, bold=True, align="right")
    free = Box(left.right + gap, row.y, amount.x - gap - left.right - gap, row.h)
    c.text(free, name, size, ink, bold=paid, align="left", least=c.u(26))
    c.text(amount, prize, size, ink, align="right")
    c.text(right, points, size, theme.felt_muted, align="right")


def _columns(box: Box, *shares: int, gap: int = 0) -> list[Box]:
    """``box`` cut from left to right in proportion, with ``gap`` pixels between."""
    total, x, columns = sum(shares), 0, []
    free = box.w - gap * (len(shares) - 1)
    for n, share in enumerate(shares):
        left, right = free * x // total, free * (x + share) // total
        columns.append(Box(box.x + left + n * gap, box.y, right - left, box.h))
        x += share
    return columns
