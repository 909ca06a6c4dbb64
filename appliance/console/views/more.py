"""Everything else: the round, chips, rulings, phones, devices, the other rounds of the evening."""

from __future__ import annotations

from typing import NamedTuple

from appliance.console.views.evening import structure
from appliance.console.views.page import Page
from appliance.console.views.parts import Button, button, offered, some
from appliance.floor.catalogue import BY_ID
from appliance.floor.devices import called
from appliance.floor.offering import possible
from appliance.game.colourup import due
from appliance.game.play_events import ColouredUp
from appliance.game.rulings.book import TITLES
from appliance.game.rulings.labels import OUTCOMES
from appliance.game.state import Phase, Round
from appliance.i18n import N_
from appliance.kinds import adopted

LINKS: tuple[tuple[str, str], ...] = (
    ("round", N_("The round")),
    ("money", N_("Money")),
    ("chips", N_("Chips")),
    ("history", N_("What happened")),
    ("rulings", N_("Rulings")),
    ("announcements", N_("Say something to all screens")),
    ("results", N_("Results")),
    ("phones", N_("Phones")),
    ("devices", N_("Devices")),
)
"""Pages that have no tab of their own."""


def more(page: Page) -> str:
    """The way to all other pages, and what concerns the venue."""
    venue = tuple(each for group in ("lone", "time", "takeover") for each in offered(page, group))
    links = [(view, page.label(label)) for view, label in LINKS]
    if page.here.rounds:
        links.insert(0, ("rounds", page.label(BY_ID["choose_round"].label)))
    return page.draw("more.html", links=links, venue=venue)


def round_page(page: Page) -> str:
    """What the round is, how it begins and how it may end."""
    round = page.round
    return page.draw(
        "round.html",
        structure=structure(page, round) if round is not None else [],
        starts=page.clock(round.starts_at) if round is not None else "",
        main=some(page, "open", "start"),
        rest=(*some(page, "final_table"), *offered(page, "round", ("open", "start", "choose_round"))),
    )  # fmt: skip


def rounds(page: Page) -> str:
    """The rounds of the evening: a tap on one, and the phone is about it from then on."""
    found = [(each.value, page.say(each.label), page.say(each.detail)) for each in page.here.rounds]
    return page.draw("rounds.html", found=found, mine=page.round.id if page.round is not None else "")


def chips(page: Page) -> str:
    """Counting, the bonus stack, and denominations that can leave play."""
    round = page.round
    if round is None:
        return page.draw("chips.html", counts=(), due=[], main=(), expected=0, counted=None)
    running = round.phase is Phase.RUNNING
    tables = sorted(table.number for table in round.tables.values() if table.seats)
    counts = tuple(
        button(page, "stacks", {"table": str(number)}, label=page.tr.gettext("Table {table}", table=number))
        for number in tables
        if possible(page.here, BY_ID["stacks"], {"table": str(number)}) is None
    )
    known = [round.tables[number].chips for number in tables]
    counted = sum(chips for chips in known if chips is not None) if known and None not in known else None
    return page.draw(
        "chips.html",
        counts=counts,
        due=[(chip, to, _colour_ups(page, chip, to, there)) for chip, to, there in due(round, page.here.at_ms)]
        if running else [],
        main=some(page, "chip_up", "chip_up_one", "colour_up"),
        expected=round.chips,
        counted=counted,
    )  # fmt: skip


def _colour_ups(page: Page, chip: int, to: int, tables: tuple[int, ...]) -> tuple[Button, ...]:
    return tuple(
        button(page, "colour_up", {"table": str(number), "denomination": str(chip), "to": str(to)},
               label=page.tr.gettext("Table {table}", table=number))
        for number in tables
    )  # fmt: skip


class Raced(NamedTuple):
    """A player of a chip race: the cards they were dealt, whether they won a chip, their stack after it."""

    name: str
    cards: tuple[str, ...]
    won: bool
    kept: bool
    change: int
    stack: int


def race(page: Page, raced: ColouredUp) -> list[Raced]:
    """How a chip race went, in the order of the deal."""
    return [
        Raced(page.name(who), tuple(raced.cards.get(who, ())), who in raced.won, who in raced.kept, change,
              raced.stacks.get(who, 0))
        for who, change in raced.changes.items()
    ]  # fmt: skip


def rulings(page: Page) -> str:
    """The ruling helper, and what was ruled this evening."""
    round = page.round
    return page.draw("rulings.html", main=some(page, "ruling"), made=_made(page, round) if round is not None else [])


def _made(page: Page, round: Round) -> list[tuple[str, str, str]]:
    lang = page.asked.lang
    outcomes = {str(code): words.say(lang) for code, words in OUTCOMES.items()}
    found = []
    for made in reversed(round.rulings):
        title = TITLES[made.ruling].say(lang) if made.ruling in TITLES else made.ruling
        where = page.tr.gettext("Table {table}", table=made.table) if made.table else ""
        found.append((title, made.decision or outcomes.get(str(made.outcome), ""), where))
    return found


class There(NamedTuple):
    """A phone that is signed in."""

    session: str
    who: str
    role: str
    agent: str
    since: str
    until: str
    device: str
    mine: bool
    here: bool


def phones(page: Page) -> str:
    """The phones that are signed in; each can be cut off."""
    found = [
        There(
            each.session, page.name(each.who), _role(page, each.role, each.table), each.agent,
            page.clock(each.since_ms), page.clock(each.until_ms), each.by,
            each.session == page.asked.phone.session, each.here,
        )
        for each in page.asked.sight.phones
    ]  # fmt: skip
    return page.draw("phones.html", found=found)


def _role(page: Page, role: str, table: int | None) -> str:
    if role == "dealer" and table is not None:
        return page.tr.gettext("Dealer at table {table}", table=table)
    return page.tr.gettext("Dealer") if role == "dealer" else page.tr.gettext("Commissioner")


class Device(NamedTuple):
    """A device of the venue."""

    name: str
    what: str
    there: bool


def devices(page: Page) -> str:
    """The devices that are there, those that ask to be let in, and on how many disks the evening is."""
    sight = page.asked.sight
    known = {note.device: page.say(called(note.role, note.table)) for note in adopted(sight.notes)}
    known |= {device: page.tr.gettext("Table {table}", table=table) for table, device in sight.places.items()}
    names = sorted({*sight.devices, *known})
    return page.draw(
        "devices.html",
        found=[Device(name, known.get(name, ""), name in sight.devices) for name in names],
        spares=[(spare.name, spare.software) for spare in sight.spares],
        actions=some(page, "adopt_device", "drop_device"),
        copies=sight.copies,
        alone=sight.alone,
        uplink=sight.uplink,
    )
