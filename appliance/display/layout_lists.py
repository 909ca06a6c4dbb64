"""What a screen lists while nobody plays: results, the season's standings, prizes, the structure; pages take turns.

A page stays for as long as ``Board.turn`` does not change. The functions need nothing but the board, so that any of
the lists can be drawn alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.layout_board import ante_text, blinds_text
from appliance.display.layout_published import draw_text, edition_note, edition_title, text_room
from appliance.display.layout_results import key_note, points_text
from appliance.display.listing import Grid, Heading, Line, draw_heading, draw_lines, grid, panel
from appliance.display.ops import Box
from appliance.display.view import Board, LevelRow, Prize, Result
from appliance.display.view_rules import Published
from appliance.display.view_season import Standing, Standings
from appliance.i18n import Translator, duration

Kind = Literal["results", "standings", "prizes", "structure", "next", "round", "rules", "plan", "prices"]
"""``next``: the structure from the next level on; ``round``: prizes, and the next levels below them; ``rules``,
``plan`` and ``prices``: what the league has published of them."""

_AHEAD = 8
"""So many entries of the structure are told in a break at most."""


class Page(NamedTuple):
    """Lines ``first`` to ``last`` (not with it) of a list: page ``number`` of ``of``."""

    kind: Kind
    first: int
    last: int
    number: int
    of: int


def pages(c: Canvas, box: Box, board: Board, kinds: Sequence[Kind]) -> list[Page]:
    """All pages of these lists in a panel of this size; a list with nothing in it has none."""
    found: list[Page] = []
    for kind in kinds:
        told = _published(board, kind)
        if told is not None and told.text:
            count, fits = text_room(c, box, told)
        else:
            count = _count(board, kind)
            fits = grid(c, box, note=bool(_note(c.tr, board, kind))).lines
        if kind in ("next", "round"):
            count = min(count, fits)
        of = -(-count // fits)
        each = -(-count // of) if of else 0  # pages as full as each other
        found += [Page(kind, n * each, min(count, (n + 1) * each), n + 1, of) for n in range(of)]
    return found


def rest_kinds(c: Canvas, box: Box, board: Board) -> tuple[Kind, ...]:
    """What takes turns in a break: the standings, then the round's prizes and what follows."""
    room = grid(c, box, note=False).rows
    together = board.prizes and ahead(board) and len(board.prizes) + 3 <= room
    return ("standings", "round") if together else ("standings", "prizes", "next")


def draw_page(c: Canvas, box: Box, board: Board, page: Page) -> None:
    """Draw a page of a list on its panel."""
    match page.kind:
        case "results":
            note = key_note(c.tr, board)
            c.part(_draw_results, box, board.results, note, page)
        case "standings" if board.standings is not None:
            told = board.standings.rows
            note = _note(c.tr, board, "standings")
            c.part(_draw_standings, box, board.standings.season, told, note, page)
        case "prizes":
            c.part(_draw_prizes, box, board.prizes, page)
        case "structure":
            c.part(_draw_structure, box, board.levels, 0, page)
        case "next":
            c.part(_draw_structure, box, ahead(board)[: page.last], _next_level(board), page)
        case "rules" | "plan" | "prices" if (told_of := _published(board, page.kind)) is not None:
            c.part(_draw_published, box, told_of, page)
        case "round":
            c.part(_draw_round, box, board.prizes, ahead(board), _next_level(board))


def draw_turn(c: Canvas, box: Box, board: Board, kinds: Sequence[Kind]) -> bool:
    """Draw the page whose turn it is; False where there is nothing to show."""
    found = pages(c, box, board, kinds)
    if found:
        draw_page(c, box, board, found[board.turn % len(found)])
    return bool(found)


def _count(board: Board, kind: Kind) -> int:
    match kind:
        case "results":
            return len(board.results)
        case "standings":
            return len(board.standings.rows) if board.standings else 0
        case "prizes":
            return len(board.prizes)
        case "structure":
            return len(board.levels)
        case "next":
            return len(ahead(board))
        case "round":
            return len(board.prizes) + len(ahead(board))
        case _:
            told = _published(board, kind)
            return len(told.prices) if told else 0


def _published(board: Board, kind: Kind) -> Published | None:
    return next((edition for edition in board.editions if edition.kind == kind), None)


def _note(tr: Translator, board: Board, kind: Kind) -> str:
    if (told := _published(board, kind)) is not None:
        return edition_note(tr, told)
    if kind == "results":
        return key_note(tr, board)
    return _standings_note(tr, board.standings) if kind == "standings" and board.standings else ""


def _standings_note(tr: Translator, standings: Standings) -> str:
    """What to know of the standings: that the key is not confirmed, how many there are, and of when they are."""
    said = [] if standings.key_confirmed else [tr.gettext("Points by an unconfirmed key")]
    if standings.participants > len(standings.rows):
        said.append(tr.gettext("best {n} of {all}", n=len(standings.rows), all=tr.number(standings.participants)))
    if standings.as_of is not None:
        said.append(tr.gettext("as of {date}", date=tr.date(standings.as_of)))
    return " · ".join(said)


def _next_level(board: Board) -> int:
    """The number of the level that follows; it may be the one that an added break interrupts (CK-3)."""
    return board.face.following if board.face else 1


def ahead(board: Board) -> tuple[LevelRow, ...]:
    """The structure from the next level on; one that goes on after a break has what is left of it."""
    following = _next_level(board)
    start = next((n for n, row in enumerate(board.levels) if row.level == following), len(board.levels))
    ahead = board.levels[start : start + _AHEAD]
    if not ahead or board.face is None or board.face.resumes_s is None:
        return ahead
    return (replace(ahead[0], left_s=board.face.resumes_s), *ahead[1:])


def _columns(fits: Grid, count: int) -> int:
    """One column for as long as its rows suffice."""
    return 1 if count <= fits.rows else fits.columns


def _draw_list(
    c: Canvas, box: Box, heading: Heading, whole: Sequence[Line], page: Page, *, spare: bool = False
) -> None:
    """A page of the whole list."""
    room = draw_heading(c, panel(c, box), heading)
    lines, each = whole[page.first : page.last], -(-len(whole) // page.of)
    columns = _columns(grid(c, box, note=bool(heading.note)), each)
    draw_lines(c, room, lines, columns, spare=spare, whole=whole, each=each)


def _draw_results(c: Canvas, box: Box, told: tuple[Result, ...], note: str, page: Page) -> None:
    lines = [
        Line(
            c.tr.place(result.place),
            result.who,
            c.tr.crowns(result.prize) if result.prize else "",
            points_text(c.tr, result),
            "strong" if result.prize else "plain",
            result.place == 1,
        )
        for result in told
    ]
    _draw_list(c, box, Heading(c.tr.gettext("Preliminary results"), note, page.number, page.of), lines, page)


def _draw_standings(c: Canvas, box: Box, season: str, told: tuple[Standing, ...], note: str, page: Page) -> None:
    tr = c.tr
    lines = [
        Line(
            tr.place(row.place),
            row.who,
            tr.ngettext("{n} round", "{n} rounds", row.rounds) if row.rounds else "",
            tr.gettext("{points} pts", points=tr.decimal(row.points)),
            "strong" if row.place <= 3 else "plain",
        )
        for row in told
    ]
    title = tr.gettext("Standings: {season}", season=season) if season else tr.gettext("Season standings")
    _draw_list(c, box, Heading(title, note, page.number, page.of), lines, page, spare=True)


def _draw_published(c: Canvas, box: Box, told: Published, page: Page) -> None:
    heading = Heading(edition_title(c.tr, told), edition_note(c.tr, told), page.number, page.of)
    if told.text:
        draw_text(c, box, told, heading, page.first, page.last)
    else:
        lines = [Line("", label, "", c.tr.crowns(crowns)) for label, crowns in told.prices]
        _draw_list(c, box, heading, lines, page)


def prize_lines(tr: Translator, prizes: Sequence[Prize]) -> list[Line]:
    """A line for each prize."""
    return [Line(tr.place(prize.place), "", "", tr.crowns(prize.amount), "strong") for prize in prizes]


def _draw_prizes(c: Canvas, box: Box, told: tuple[Prize, ...], page: Page) -> None:
    _draw_list(c, box, Heading(c.tr.gettext("Prizes"), "", page.number, page.of), prize_lines(c.tr, told), page)


def level_line(tr: Translator, row: LevelRow, marked: int = 0) -> Line:
    """A line of the structure; the level ``marked`` stands out."""
    minutes = tr.gettext("{minutes} min", minutes=row.minutes)
    if row.left_s is not None:
        minutes = tr.gettext("{time} left", time=duration(row.left_s))
    if row.level is None or row.blinds is None:
        return Line("", tr.gettext("Break"), "", minutes, "quiet")
    blinds = blinds_text(tr, row.blinds)
    return Line(str(row.level), blinds, ante_text(tr, row.blinds), minutes, "name", mark=row.level == marked)


def _draw_structure(c: Canvas, box: Box, told: tuple[LevelRow, ...], marked: int, page: Page) -> None:
    title = c.tr.gettext("What follows") if marked else c.tr.gettext("Structure")
    _draw_list(c, box, Heading(title, "", page.number, page.of), [level_line(c.tr, row, marked) for row in told], page)


def _draw_round(c: Canvas, box: Box, prizes: tuple[Prize, ...], ahead: tuple[LevelRow, ...], marked: int) -> None:
    """Prizes above, the next levels below them."""
    fits = grid(c, box, note=False)
    room = draw_heading(c, panel(c, box), Heading(c.tr.gettext("Prizes")))
    rows = fits.rows - 1
    height = room.h * len(prizes) // max(1, rows)
    draw_lines(c, Box(room.x, room.y, room.w, height), prize_lines(c.tr, prizes))
    rest = draw_heading(c, room.below(height + c.u(16)), Heading(c.tr.gettext("What follows")))
    left = max(1, rows - len(prizes) - 1)
    draw_lines(c, rest, [level_line(c.tr, row, marked) for row in ahead[:left]])
