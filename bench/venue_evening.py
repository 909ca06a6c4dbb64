"""A busy evening at ten tables: how soon a tap is answered, how close together ten screens are, what the director uses.

Sixty participants play, two tables key in every action; thirty more come to the door meanwhile, for a second round.
Each hop crosses between namespaces. Part 1's figure is taken first, in the same run: one kiosk, no hosts, nobody plays.
"""

from __future__ import annotations

import os
import re
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from appliance.display.from_round import short_name
from appliance.i18n import Translator
from appliance.journal import Journal
from bench import glass
from bench.ifd.rig import Rig
from bench.kiosk import watch_all
from bench.measure import Figure, percentile
from bench.venue_programs import COMMISSIONER_UID, ROUND, name_of, number_of, uid_of
from bench.venue_town import BRISK, REAL, SCREEN, TABLES, Room, Town, table_kiosk
from bench.watched_kiosk import Frame

PLAYERS = 60
TAPS = 24
PAUSE_S = 0.4
"""Between two who come to the door: their seats have been drawn by then, on every screen."""
MORE = 6
"""So many come to the door in the minute at real speed."""
SECOND = "R2"
CPU_SHARE = 0.10
MINUTE_S = 60.0
IDLE_S = 8.0
APART_MS = 50.0


def playing() -> Iterator[dict[str, Any]]:
    """From the open door to the first hand at ten tables."""
    yield {"do": "open", "round": ROUND}
    for player in range(PLAYERS):
        yield {"do": "register", "round": ROUND, "participant": number_of(player), "identity_checked": True}
    seats = {number_of(player): [player % TABLES + 1, player // TABLES + 1] for player in range(PLAYERS)}
    yield {"do": "start", "round": ROUND, "seats": seats, "button": 1}
    for table in range(1, TABLES + 1):
        yield {"do": "next_hand", "round": ROUND, "table": table}


def second(announcement: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The round that takes registrations meanwhile, at tables of its own: the same answer at the door as in part 1."""
    yield {**announcement, "round": SECOND, "tables": list(range(TABLES + 1, 2 * TABLES + 1))}
    yield {"do": "open", "round": SECOND}


ANNOUNCED: dict[str, Any] = {
    "seats_per_table": 10,
    "tables": list(range(1, TABLES + 1)),
    "levels": [{"sb": sb, "bb": 2 * sb, "ante": 0, "minutes": 1} for sb in range(25, 25 * 41, 25)],
}  # fmt: skip


def figures() -> Iterator[Figure]:
    """Part 1's taps, then those of a busy evening; the levels and the director's processor at real speed."""
    with tempfile.TemporaryDirectory() as name:
        quiet = [sample.glass for sample in glass.evening(Path(name), TAPS, PAUSE_S)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        rig = stack.enter_context(Rig())
        tables = [table_kiosk(number) for number in range(1, TABLES + 1)]
        town = stack.enter_context(Town(folder / "venue", "door", PLAYERS + TAPS + MORE, *tables))
        began = time.monotonic()
        announcement = town.announcement(time.time_ns() // 1_000_000)
        town.prepare([*playing(), *second(announcement)], **ANNOUNCED)
        director = town.start_director()
        open_devices(town)
        room = Room(town, BRISK)
        room.start()
        with town.tables_behind():
            busy = [register(town, rig, PLAYERS + place, PAUSE_S) for place in range(TAPS)]
        yield _taps(quiet, busy, room.keys)
        room.pace = REAL
        yield from _minute(town, rig, room, director)
        yield _levels(town, began)


def open_devices(town: Town) -> None:
    """Start the door's kiosk and the tables', and wait until they have what there is."""
    by = ("-m", "bench.watched_kiosk", str(town.glasses.socket_of("door")))
    town.start_kiosk("door", f'[reader]\ndriver = "pcsc"\n{SCREEN}', by=by)
    for number in range(1, TABLES + 1):
        town.start_table(number)
    for number in range(1, TABLES + 1):
        town.wait_for("a table's keys", partial(town.listens, number))
        town.wait_for("a table's copy", partial(town.is_copied, f"round/{ROUND}", table_kiosk(number)))
    for round in (ROUND, SECOND):
        town.wait_for("the door's copy", partial(town.is_copied, f"round/{round}"))
    time.sleep(2)


def register(town: Town, rig: Rig, player: int, pause_s: float) -> float:
    """A participant taps at the door, then the commissioner; milliseconds from that card to the answer."""
    who, registered = short_name(name_of(player)), Translator(glass.LANGUAGE).gettext("Registered")
    time.sleep(pause_s)
    glass.tap(rig, uid_of(player), partial(town.glasses.wait, "door", who))
    return glass.tap(rig, COMMISSIONER_UID, partial(town.glasses.wait, "door", who, registered))


def _taps(quiet: list[float], busy: list[float], keys: int) -> Figure:
    mine, part_1 = statistics.median(busy), statistics.median(quiet)
    note = (
        f"{mine:.1f} ms, p90 {percentile(busy, 0.9):.1f}; part 1 {part_1:.1f} ms, p90 {percentile(quiet, 0.9):.1f}; "
        f"{TAPS} taps each, {keys} keys meanwhile"
    )
    return Figure("venue: tap to glass with ten busy kiosks / part 1's", mine / part_1, 2.0, False, note)


def _minute(town: Town, rig: Rig, room: Room, director: int) -> Iterator[Figure]:
    """The director's and the broker's processor time, at real speed and, of the director, when nobody does anything."""
    processes = [director, town.broker.pid]
    before, keys = _records(town), room.keys
    coming = threading.Thread(target=_come, args=(town, rig), daemon=True)
    coming.start()
    busy, broker = watch_all(processes, MINUTE_S)
    coming.join()
    records, pressed = _records(town) - before, room.keys - keys
    room.stop()
    idle, _ = watch_all(processes, IDLE_S)
    note = (
        f"{busy.cpu:.2%} ({records} records, {pressed} keys, {MORE} registrations in {MINUTE_S:.0f} s), "
        f"idle {idle.cpu:.2%}; its broker {broker.cpu:.2%}; PSS {busy.pss_kb / 1000:.0f} MB"
    )
    yield Figure("venue: director's CPU, ten tables at real speed / 10 %", busy.cpu / CPU_SHARE, 1.0, False, note, True)


def _come(town: Town, rig: Rig) -> None:
    for place in range(MORE):
        register(town, rig, PLAYERS + TAPS + place, MINUTE_S / MORE - 2.0)


def _records(town: Town) -> int:
    with Journal(town.home("director") / "journal", read_only=True) as journal:
        return sum(head.seq for head in journal.heads())


def _levels(town: Town, began: float) -> Figure:
    """How far apart the ten tables' screens changed to a level, the worst of the changes that all of them saw."""
    first: defaultdict[int, list[int]] = defaultdict(list)
    painted: defaultdict[int, list[int]] = defaultdict(list)
    for number in range(1, TABLES + 1):
        seen: set[int] = set()
        for frame in town.glasses.all(table_kiosk(number)):
            level = _level(frame)
            if level is not None and level not in seen:
                seen.add(level)
                first[level].append(frame.built_ns)
                painted[level].append(frame.at_ns)
    changes = [level for level, stamps in first.items() if len(stamps) == TABLES and level > min(first)]
    apart = [_apart_ms(first[level]) for level in changes]
    shown = [_apart_ms(painted[level]) for level in changes]
    note = (
        f"{', '.join(f'{ms:.1f}' for ms in apart)} ms; painted within {', '.join(f'{ms:.1f}' for ms in shown)} ms; "
        f"{os.cpu_count()} cores draw all ten; {time.monotonic() - began:.0f} s of the evening"
    )
    return Figure("venue: a level's change in ten views / 50 ms", max(apart) / APART_MS, 1.0, False, note, True)


def _apart_ms(stamps: list[int]) -> float:
    return (max(stamps) - min(stamps)) / 1e6


def _level(frame: Frame) -> int | None:
    word = Translator(glass.LANGUAGE).gettext("Level {level}", level="")
    found = (re.match(rf"{word}(\d+)", text) for text in frame.texts)
    return next((int(level[1]) for level in found if level), None)
