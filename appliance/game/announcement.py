"""From the announcement to the open door: announce, open, cancel, reschedule (LG-2, T-1, T-3, T-5, CK-1)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from appliance.game import pointskey
from appliance.game.commands import (
    Announce,
    Cancel,
    Open,
    Reschedule,
    StructureEntry,
)
from appliance.game.event import Event
from appliance.game.events import Announced, Cancelled, Opened, Rescheduled
from appliance.game.refusal import Refusal
from appliance.game.ruleset import PROFILES, RuleSet, content_hash
from appliance.game.state import Entry, Phase, Round
from appliance.game.values import parse_time

MINUTE_MS = 60_000


def structure_of(levels: Iterable[StructureEntry]) -> tuple[Entry, ...]:
    """The structure with its levels numbered; a break carries the level before it, a leading one the first."""
    entries: list[Entry] = []
    before = Entry(1, 0, 0, 0, 0)
    levels = tuple(levels)
    first = next(level for level in levels if level.pause is None)
    number = 0
    for level in levels:
        if level.pause is None:
            number += 1
            before = _level(number, level)
            entries.append(before)
        else:
            shown = before if number else _level(1, first)
            length_ms = level.pause * MINUTE_MS
            entries.append(Entry(shown.level, shown.sb, shown.bb, shown.ante, length_ms, is_break=True))
    return tuple(entries)


def _level(number: int, level: StructureEntry) -> Entry:
    return Entry(number, level.sb or 0, level.bb or 0, level.ante, (level.minutes or 0) * MINUTE_MS)


def verify_announce(round: Round | None, command: Announce) -> Refusal | None:
    """Why this cannot be announced: a second time, under no profile, or with money or blinds the rules forbid."""
    if round is not None:
        return Refusal("already-announced")
    rules = PROFILES.get(command.profile)
    if rules is None:
        return Refusal("unknown-profile", {"profile": command.profile, "known": sorted(PROFILES)})
    if not rules.tournament:
        return Refusal("not-a-tournament", {"profile": command.profile})
    return _verify_money(rules, command) or _verify_blinds(rules, command) or _verify_room(rules, command)


def _verify_money(rules: RuleSet, command: Announce) -> Refusal | None:
    if command.deposit < rules.deposit_minimum:
        return Refusal("deposit-minimum", {"minimum": rules.deposit_minimum})
    if command.deposit > rules.deposit_limit:
        return Refusal("deposit-limit", {"limit": rules.deposit_limit, "left": rules.deposit_limit})
    total = sum((Fraction(share) for share in command.shares), Fraction(0))
    if total != 100:
        return Refusal("shares-sum", {"total": _decimal(total)})
    return None


def _decimal(total: Fraction) -> str:
    """A sum of shares, which have six decimal places at most, without an exponent."""
    whole, millionths = divmod(int(total * 1_000_000), 1_000_000)
    return f"{whole}.{millionths:06d}".rstrip("0").rstrip(".")


def _verify_blinds(rules: RuleSet, command: Announce) -> Refusal | None:
    for entry in structure_of(command.levels):
        half = entry.sb * 2 == entry.bb
        if entry.sb > entry.bb or (rules.small_blind == "half" and not half):
            detail = {"level": entry.level, "sb": entry.sb, "bb": entry.bb, "rule": rules.small_blind}
            return Refusal("small-blind", detail)
    return None


def _verify_room(rules: RuleSet, command: Announce) -> Refusal | None:
    capacity = _capacity(rules, command)
    if capacity < rules.players_minimum:
        return Refusal("too-few", {"capacity": capacity, "minimum": rules.players_minimum})
    unknown = [number for number in command.breaking or () if number not in _table_numbers(rules, command)]
    return Refusal("no-such-table", {"table": unknown[0]}) if unknown else None


def _table_numbers(rules: RuleSet, command: Announce) -> tuple[int, ...]:
    """The announced tables, or as many as the largest field can need, numbered from 1."""
    needed = -(-rules.players_maximum // command.seats_per_table)
    return command.tables or tuple(range(1, needed + 1))


def breaking_order(first: Iterable[int], tables: Iterable[int]) -> tuple[int, ...]:
    """The order in which tables are broken: those that are named, then the others from the last to the first (S-4)."""
    first = tuple(first)
    return first + tuple(number for number in reversed(tuple(tables)) if number not in first)


def _capacity(rules: RuleSet, command: Announce) -> int:
    """How many may register: as announced, never above the law's maximum (T-1) or the seats there are."""
    seats = len(_table_numbers(rules, command)) * command.seats_per_table
    return min(command.capacity, rules.players_maximum, seats)


def do_announce(command: Announce) -> tuple[Event, ...]:
    """The snapshot of all that is promised.

    Late registration and re-entry hold only where the profile has them: an announcement cannot give what the
    rules of the house do not (T-2, T-11).
    """
    rules = PROFILES[command.profile]
    announced = Announced(
        round=command.round,
        venue=command.venue,
        starts_at=parse_time(command.starts_at),
        profile=command.profile,
        rules=rules,
        rules_hash=content_hash(rules),
        structure=structure_of(command.levels),
        shares=command.shares,
        key=command.points_key or pointskey.CPL_2017,
        deposit=command.deposit,
        seats_per_table=command.seats_per_table,
        capacity=_capacity(rules, command),
        tables=_table_numbers(rules, command),
        late_registration=command.late_registration and rules.late_registration != "never",
        reentry=command.reentry and rules.reentry != "never",
        guarantee=command.guarantee,
        chip_up=command.chip_up,
        bonus_card=command.bonus_card,
        ante_by=command.ante_by,
        seed=command.seed,
        breaking=breaking_order(command.breaking or (), _table_numbers(rules, command)),
        chip_set=tuple(sorted(command.chip_set)),
    )
    return (announced,)


def before_start(round: Round) -> Refusal | None:
    """Why it is too late for what only happens before the start."""
    match round.phase:
        case Phase.RUNNING:
            return Refusal("already-running")
        case Phase.FINISHED:
            return Refusal("finished")
        case Phase.CANCELLED:
            return Refusal("cancelled")
        case _:
            return None


def verify_open(round: Round, _: Open, _at_ms: int) -> Refusal | None:
    """Why the door cannot be opened: it is open, or the round is past that."""
    if round.phase is Phase.OPEN:
        return Refusal("already-open")
    return before_start(round)


def do_open(_: Round, command: Open, _at_ms: int) -> tuple[Event, ...]:
    """Registrations are taken from now on; after a move to another date as well."""
    return (Opened(reason=command.reason),)


def verify_cancel(round: Round, _: Cancel, _at_ms: int) -> Refusal | None:
    """Why the round cannot be cancelled. Once it runs it can only be ended early (T-8)."""
    return before_start(round)


def do_cancel(round: Round, command: Cancel, _at_ms: int) -> tuple[Event, ...]:
    """Everybody gets their deposit back (LG-2)."""
    returned = {player.participant: player.deposit for player in round.players.values()}
    return (Cancelled(returned=returned, reason=command.reason),)


def verify_reschedule(round: Round, _: Reschedule, _at_ms: int) -> Refusal | None:
    """Why the round cannot be moved to another time."""
    return before_start(round)


def do_reschedule(_: Round, command: Reschedule, _at_ms: int) -> tuple[Event, ...]:
    """The round waits, its registrations kept, until it is opened again (LG-2)."""
    return (Rescheduled(starts_at=parse_time(command.starts_at), reason=command.reason),)
