"""What a kiosk's floor menu has to know of the evening, made anew only when something has changed."""

from __future__ import annotations

from collections.abc import Mapping

from appliance import evening
from appliance.display.scene import Venue, short_name
from appliance.floor import phones, rounds
from appliance.floor.catalogue import BY_ID
from appliance.floor.forms import Here, Lone, Option
from appliance.floor.lone import words
from appliance.floor.said import Said, Several, Text
from appliance.floorman import Floorman
from appliance.game.commands import decode_command
from appliance.game.reading import CommandError
from appliance.game.refusal import Refusal
from appliance.game.roster import Roster
from appliance.game.round import verify
from appliance.game.state import Ledger, Round
from appliance.i18n import N_
from appliance.kinds import VENUE_NOTES, DeviceAdopted, StrandedFound
from appliance.link.envelope import PhoneThere, Spare

_MOMENT_MS = 1000
_KNOWN = N_("was let in before")
_ROLES = {"door": N_("The door"), "clock": N_("The clock on the wall")}
_HERE = Venue("")


class FloorSight:
    """For the engine thread."""

    def __init__(self, kiosk: Floorman) -> None:
        self._kiosk = kiosk
        self._last: Here | None = None
        self._names: tuple[Roster | None, dict[str, str]] = (None, {})
        self._told: tuple[tuple[tuple[StrandedFound, Refusal | None], ...], tuple[Lone, ...]] = ((), ())

    def look(self, round: str | None, who: str) -> Here:
        """What is known now; the same one for a moment in which nothing has changed, which saves the menu its work."""
        fresh, before = self._looked(round, who), self._last
        if before is None or not _alike(before, fresh):
            self._last = before = fresh
        return before

    def _looked(self, round: str | None, who: str) -> Here:
        kiosk = self._kiosk
        return Here(
            ledger=kiosk.ledger(round) if round is not None else None,
            at_ms=kiosk.now_ms(),
            place="door" if kiosk.table is None else "table",
            table=kiosk.table,
            names=self._all_names(),
            director=kiosk.has_director,
            directs=kiosk.direction.name,
            can_take_over=kiosk.direction.possible,
            hindrance=kiosk.direction.hindrance,
            shut_out_by=kiosk.direction.shut_out_by,
            cut_off=kiosk.direction.cut_off,
            commissioner=who,
            lang=kiosk.lang,
            call=kiosk.called(),
            refused=kiosk.refused_hands(),
            lone=self._lone(),
            times=kiosk.times,
            spares=tuple(map(spare_option, kiosk.admission.asking)),
            adopted=tuple(map(adopted_option, kiosk.admission.adopted)),
            taken=kiosk.admission.taken,
            unheard=kiosk.direction.unheard,
            rounds=rounds.options(self.rounds()),
            console=kiosk.phonebook.hindrance,
            phones=tuple(phone_option(each, self._all_names()) for each in kiosk.phonebook.signed_in),
            pairing=kiosk.phonebook.pairing,
        )

    def rounds(self) -> tuple[Round, ...]:
        """The rounds of the evening, the one on this screen first."""
        kiosk = self._kiosk
        now = kiosk.times.right(kiosk.now_ms())
        return evening.of_tonight(kiosk.rounds, now, kiosk.table, door=kiosk.table is None)

    def _lone(self) -> tuple[Lone, ...]:
        """What only an old director had, in words; made anew only when something has come, was settled, or is refused
        for another reason."""
        found, names = self._kiosk.lone.open(), self._all_names()
        told = tuple((each, self._refused(each)) for each in found)
        if self._told[0] != told:
            self._told = told, tuple(in_words(each, names, refusal) for each, refusal in told)
        return self._told[1]

    def _refused(self, found: StrandedFound) -> Refusal | None:
        return refused_anew(found, self._kiosk.ledger(found.round), self._kiosk.now_ms())

    def _all_names(self) -> dict[str, str]:
        """What the roster lets everybody read (LG-7); made anew only with a new roster."""
        roster = self._kiosk.roster
        if self._names[0] is not roster:
            self._names = roster, names_of(roster)
        return self._names[1]


def names_of(roster: Roster) -> dict[str, str]:
    """What to call whom, as far as everybody may read it (LG-7)."""
    named = ((number, entry.public_name) for number, entry in roster.entries.items())
    return {number: short_name(name) for number, name in named if name}


def refused_anew(found: StrandedFound, ledger: Ledger, at_ms: int) -> Refusal | None:
    """Why the rules would not have the command of an old director now; None also where they are not asked."""
    try:
        command = decode_command(bytes(found.body))
    except CommandError:
        return None if found.round == VENUE_NOTES else Refusal("unreadable-entry")
    return verify(ledger, command, at_ms)


def in_words(found: StrandedFound, names: Mapping[str, str], refusal: Refusal | None) -> Lone:
    """What only an old director had, as people read it."""

    def name(number: str) -> str:
        return names.get(number, number)

    of_round = found.round if found.round != VENUE_NOTES else ""
    where = (f"{_HERE.at(found.at):%H:%M}", name(found.actor), found.device, of_round)
    given = Several(tuple(part for part in where if part), " · ")
    return Lone(found.command, words(bytes(found.body), found.first, BY_ID.get, name), given, refusal)


def spare_option(asks: Spare) -> Option:
    """A device that asks to be let in."""
    parts: list[Text] = [asks.software] if asks.software else []
    return Option(asks.key, asks.name, Several((*parts, *([Said(_KNOWN)] if asks.known else [])), " · "))


def adopted_option(note: DeviceAdopted) -> Option:
    """A device that was let in, and what it is."""
    what: Text = (
        Said(N_("Table {table}"), {"table": str(note.table)}) if note.table else Said(_ROLES.get(note.role, note.role))
    )
    return Option(note.device, note.device, what)


def phone_option(phone: PhoneThere, names: Mapping[str, str]) -> Option:
    """A phone that is signed in: as what, by whom and when, and what it says it is."""
    parts = (names.get(phone.who, phone.who), f"{_HERE.at(phone.since):%H:%M}", phone.agent)
    return Option(phone.session, phones.called(phone.role, phone.table), Several(tuple(filter(None, parts)), " · "))


def _alike(before: Here, after: Here) -> bool:
    facts = [
        (
            *(each.director, each.directs, each.can_take_over, each.call, each.commissioner, each.table),
            *(each.hindrance, each.shut_out_by, each.cut_off),
            *(each.refused, each.lone, each.times, each.spares, each.adopted, each.taken, each.unheard),
            *(each.rounds, each.console, each.phones, each.pairing),
        )
        for each in (before, after)
    ]
    return (
        before.ledger is after.ledger
        and before.names is after.names
        and facts[0] == facts[1]
        and 0 <= after.at_ms - before.at_ms < _MOMENT_MS
    )
