"""What happened: a plain list, who did it and from where; and what it came to, for print."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

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


def results_page(page: Page) -> str:
    """The results as far as they are known, for the screen and for print."""
    round = page.round
    lines = results(round) if round is not None else ()
    over = round is not None and round.phase is Phase.FINISHED
    at = _HERE.at(round.starts_at) if round is not None else None
    return page.draw(
        "results.html",
        lines=[
            Ranked(line.place, line.participant, page.name(line.participant), line.prize,
                   page.tr.decimal(points_text(line.points_half)) if over else "")
            for line in lines
        ],
        over=over,
        venue=page.asked.sight.venue,
        day=f"{page.tr.date(at.date())} {at.year}" if at is not None else "",
        pool=prize_pool(round) if round is not None and round.phase is not Phase.CANCELLED else 0,
        entries=len(round.players) if round is not None else 0,
    )  # fmt: skip
