"""Takes in what the issuing desk did: the lines of its ledger, each once.

A line's id says whether it has been taken already, so the same file may be handed over as often as one likes, longer
each time, and what the office changed by hand since is not changed back. A file that holds anything but lines of this
league's desk is refused whole. A line that cannot be carried out is set aside and tried again with the next file; no
other line waits for it, a withdrawal least of all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from appliance.cards import ledgerline
from appliance.cards.ledgerline import BadEntry, Entry
from league.command import read_file
from league.ingest import rosters
from league.people.locking import few, lock_people
from league.people.models import Card, CardEntry, CardKey, Participant

MAX_FILE_BYTES = 64 * 1024 * 1024

_ABOUT_CARDS = {"issued", "withdrawn", "wiped"}
"""Lines of which venues are to hear."""


class LedgerFileError(ValueError):
    """All that is wrong with a file, each as ``line N: reason``."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


class _DryRun(Exception):
    """Takes the transaction back after everything has been tried."""


def read(path: Path) -> list[tuple[int, Entry]]:
    """The lines of a ledger with their numbers. Raises `LedgerFileError` naming every bad one."""
    try:
        raw = read_file(path, MAX_FILE_BYTES)
    except OSError as error:
        raise LedgerFileError([error.strerror or str(error)]) from None
    if len(raw) > MAX_FILE_BYTES:
        raise LedgerFileError([f"more than {MAX_FILE_BYTES} bytes"])
    entries: list[tuple[int, Entry]] = []
    errors: list[str] = []
    # half a line at the end is one that the desk was killed over: it never happened
    for number, line in enumerate(raw[: raw.rfind(b"\n") + 1].splitlines(), 1):
        try:
            entries.append((number, ledgerline.decode(line)))
        except BadEntry as error:
            errors.append(f"line {number}: {error}")
    if errors:
        raise LedgerFileError(errors)
    return entries


@dataclass
class Taken:
    """What came of a ledger: lines taken in by kind, and those set aside, each as ``line N: reason``.

    ``left``: somebody has to see to it. ``settled``: the card was taken back or wiped at the desk since, so nothing is
    missing at the league.
    """

    lines: Counter[str] = field(default_factory=Counter)
    left: list[str] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)


def apply(entries: list[tuple[int, Entry]], *, dry_run: bool = False) -> Taken:
    """Take in what is new. Raises `LedgerFileError` where the ledger is not this league's; then nothing has changed."""
    taken = Taken()
    try:
        with transaction.atomic():
            known = _known(entries)
            newest = max((number for number, entry in entries if entry.what == "key"), default=0)
            overtaken = {entry.uid: number for number, entry in entries if entry.id in known}
            aside: list[tuple[int, Entry, str]] = []
            for number, entry in entries:
                if entry.id in known or (entry.uid and number < overtaken.get(entry.uid, 0)):
                    continue  # what came later for the same card holds
                known.add(entry.id)
                # a key that the same ledger has replaced since signs nothing any more
                wrong = None if entry.what == "key" and number != newest else _take(entry)
                if wrong and entry.what == "key":
                    raise LedgerFileError([f"line {number}: {wrong}"])
                if wrong:
                    aside.append((number, entry, wrong))
                    continue
                taken.lines[entry.what] += 1
                CardEntry.objects.create(
                    id=entry.id, at=entry.at, who=entry.who, what=entry.what, uid=entry.uid, serial=entry.serial,
                    participant=entry.participant, reason=entry.reason or "", taken_at=timezone.now(),
                )  # fmt: skip
            _set_aside(taken, entries, aside)
            if not _ABOUT_CARDS.isdisjoint(taken.lines):
                rosters.changed()
            if dry_run:
                raise _DryRun
    except _DryRun:
        pass
    return taken


def _known(entries: list[tuple[int, Entry]]) -> set[str]:
    """The lines that were taken before. Whom the others are about is locked, before any card, as in erasing."""
    list(CardKey.objects.select_for_update(no_key=True))  # another ledger waits here
    known = set(CardEntry.objects.values_list("id", flat=True))
    new = [entry for _, entry in entries if entry.id not in known]
    people: set[int] = set()
    for numbers in few({entry.participant for entry in new}):
        people.update(Participant.objects.filter(number__in=numbers).values_list("pk", flat=True))
    for uids in few({entry.uid for entry in new}):
        people.update(Card.objects.filter(uid__in=uids).values_list("participant", flat=True))
    lock_people(people)
    return known


def _set_aside(taken: Taken, entries: list[tuple[int, Entry]], aside: list[tuple[int, Entry, str]]) -> None:
    """Part what somebody has to see to from what the desk has settled itself."""
    over = {entry.uid: number for number, entry in entries if entry.what in ("withdrawn", "wiped")}
    never_here = {entry.uid for _, entry, _ in aside if entry.what == "issued"}
    for number, entry, wrong in aside:
        settled = number < over.get(entry.uid, 0) or (entry.what == "withdrawn" and entry.uid in never_here)
        (taken.settled if settled else taken.left).append(f"line {number}: {wrong}")


def _take(entry: Entry) -> str | None:
    """Do what a line says; why it cannot be, or None."""
    match entry.what:
        case "key":
            return _key(entry)
        case "issued":
            return _issued(entry)
        case "withdrawn":
            return _withdrawn(entry)
        case "wiped":
            Card.objects.filter(uid=entry.uid, state=Card.State.VALID).update(
                state=Card.State.REVOKED, state_at=entry.at, reason="wiped"
            )
        case "begun":
            pass
    return None


def _key(entry: Entry) -> str | None:
    known = CardKey.objects.first()
    if known is None:
        CardKey.objects.create(league=entry.league, public_key=entry.key)
    elif (known.league, known.public_key) != (entry.league, entry.key):
        return f"another key than the league's ({entry.league} {entry.key}): set it with the card_key command first"
    return None


def _issued(entry: Entry) -> str | None:
    person = Participant.objects.filter(number=entry.participant).first()
    if person is None:
        return f"there is no participant {entry.participant}"
    card = Card.objects.filter(uid=entry.uid).select_related("participant").first()
    again = card is not None and (card.participant, card.serial) == (person, entry.serial)
    if not again and (person.state != Participant.State.ACTIVE or person.erased_at is not None):
        return f"{person.number} does not take part"
    other = person.cards.filter(state=Card.State.VALID).exclude(uid=entry.uid).first()
    stays_withdrawn = again and card is not None and card.state != Card.State.VALID
    if other is not None and not stays_withdrawn:
        return f"{person.number} already has the valid card {other.uid}"
    if card is not None and card.participant != person and card.state == Card.State.VALID:
        return f"{entry.uid} is the valid card of {card.participant.number}"
    if Card.objects.filter(serial=entry.serial).exclude(uid=entry.uid).exists():
        return f"serial number {entry.serial} is another card's"
    day = entry.issued or entry.at.date()
    values: dict[str, Any] = {
        "kind": entry.kind, "key_version": entry.key_version, "serial": entry.serial, "participant": person,
        "issued_at": datetime.combine(day, time(), UTC) if entry.at.date() != day else entry.at,
    }  # fmt: skip
    if not again:
        values |= {"state": Card.State.VALID, "state_at": entry.at, "reason": ""}
    if not Card.objects.filter(uid=entry.uid).update(**values):
        Card.objects.create(uid=entry.uid, **values)
    return None


def _withdrawn(entry: Entry) -> str | None:
    lines = CardEntry.objects.filter(uid=entry.uid, participant=entry.participant, serial=entry.serial)
    if lines.filter(what="begun").exists() and not lines.filter(what="issued").exists():
        return None  # given up at the desk before it was anybody's
    card = Card.objects.filter(uid=entry.uid).select_related("participant").first()
    if card is None or card.participant.number != entry.participant:
        return f"{entry.uid} is no card of {entry.participant}"
    if card.state == Card.State.KEPT:
        return None  # a commissioner has it: that is what became of it last
    reason = f"{entry.who}: {entry.reason}"[:200]
    Card.objects.filter(pk=card.pk).update(state=str(entry.reason), state_at=entry.at, reason=reason)
    return None
