"""What happened: a plain list, who did it and from where; and what it came to, for print."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from appliance.console import pdf
from appliance.console.asked import Asked
from appliance.console.views.page import Page
from appliance.console.views.parts import some
from appliance.display.scene import Venue
from appliance.floor.changes import changed
from appliance.game.history import steps
from appliance.game.points import points_text
from appliance.game.prizes import prize_pool
from appliance.game.results import results
from appliance.game.state import Ledger, Phase, Undone

_MOST = 60
"""So many of the last commands are listed."""

_HERE = Venue("")


class Line(NamedTuple):
    """Something that was done."""

    what: str
    who: str
    device: str
    at: str


def history(page: Page) -> str:
    """The last commands, the newest first, with what takes the last one back; those that were undone."""
    ledger = page.here.ledger
    if ledger is None or ledger.round is None:
        return page.draw("history.html", done=[], undone=[], undo=(), redo=())
    done, after = [], ledger.round
    for step in islice(steps(ledger), _MOST):
        what = page.say(changed(page.here, step.before, after))
        done.append(_line(page, what, step.cause, step.at))
        after = step.before
    undone, before = [], ledger.round
    for found in islice(_undone(ledger), _MOST):
        what = page.say(changed(page.here, before, found.after))
        undone.append(_line(page, what, found.step.cause, found.step.at))
        before = found.after
    return page.draw("history.html", done=done, undone=undone, undo=some(page, "undo"), redo=some(page, "redo"))


def _undone(ledger: Ledger) -> Iterator[Undone]:
    undone = ledger.undone
    while undone is not None:
        yield undone
        undone = undone.previous


def _line(page: Page, what: str, cause: str | None, at: int) -> Line:
    given = page.asked.sight.given.get(cause) if cause is not None else None
    who = page.name(given.who) if given is not None else ""
    return Line(what[:1].upper() + what[1:], who, given.device if given is not None else "", page.clock(at))


class Ranked(NamedTuple):
    """A line of the results."""

    place: int
    number: str
    name: str
    prize: int
    points: str


class Standing(NamedTuple):
    """The results as far as they are known, and what is said above them."""

    lines: tuple[Ranked, ...]
    over: bool
    about: tuple[str, ...]


def standing(page: Page) -> Standing:
    """Where everybody has come, of whom it is known."""
    round, tr = page.round, page.tr
    if round is None:
        return Standing((), False, (page.asked.sight.venue,))
    over, at = round.phase is Phase.FINISHED, _HERE.at(round.starts_at)
    pool = prize_pool(round) if round.phase is not Phase.CANCELLED else 0
    entries = len(round.players)
    about = (
        " · ".join((page.asked.sight.venue, f"{tr.date(at.date())} {at.year}", round.id)),
        f"{tr.ngettext('{n} player', '{n} players', entries)} · {tr.gettext('Pool')} {tr.crowns(pool)}",
    )
    lines = tuple(
        Ranked(
            line.place,
            line.participant,
            page.name(line.participant),
            line.prize,
            tr.decimal(points_text(line.points_half)) if over else "",
        )
        for line in results(round)
    )
    return Standing(lines, over, about)


def results_page(page: Page) -> str:
    """The results, with what takes them home."""
    told = standing(page)
    return page.draw("results.html", lines=told.lines, over=told.over, about=told.about)


def printed(asked: Asked) -> bytes:
    """The results as a page of its own, to be printed: without any style, which the policy of pages would refuse."""
    page = Page(asked)
    told = standing(page)
    return page.draw("print_results.html", lines=told.lines, over=told.over, about=told.about).encode()


def as_pdf(asked: Asked) -> bytes:
    """The results as a PDF."""
    page = Page(asked)
    told, tr = standing(page), page.tr
    header = [
        tr.gettext("Place"),
        tr.gettext("Player"),
        tr.gettext("Prize"),
        *([tr.gettext("Points")] if told.over else []),
    ]
    rows = [
        [tr.place(line.place), line.name if line.name == line.number else f"{line.name} ({line.number})",
         tr.crowns(line.prize) if line.prize else "", *([line.points] if told.over else [])]
        for line in told.lines
    ]  # fmt: skip
    return pdf.table(tr.gettext("Results"), told.about, header, rows, frozenset({2, 3}))
