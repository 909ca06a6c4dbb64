"""The league of a test's house: devices' keys, tonight's round, cards that are issued, a database that is made once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.apps import demo_cards
from appliance.apps.demo_season import BLOCKED, FLOOR, Person, announcement, season_file
from appliance.game.roster import RosterEntry
from appliance.identity import load_or_make, public_hex

KIOSKS = ("door", "table-1", "table-2")
FOR_EVER_MS = 7_000_000_000_000
DEVICES = ("director", "uplink", "floor", "door", "table-1", "table-2")
EVENING = datetime(2027, 1, 15, 19, 0, tzinfo=ZoneInfo("Europe/Prague"))

MoreCards: TypeAlias = Callable[[demo_cards.CardOffice], tuple[Sequence[RosterEntry], Sequence[str]]]
"""Issues cards: the roster entries that follow the usual ones, and whose keys the kiosks get."""


def device_keys(folder: Path) -> dict[str, Ed25519PrivateKey]:
    """The devices' keys in a folder; made on first use."""
    keys = {}
    for name in DEVICES:
        (folder / name).mkdir(parents=True, exist_ok=True)
        keys[name] = load_or_make(folder / name / "device.key")
    return keys


def commissioners_card(folder: Path, more: MoreCards | None = None) -> tuple[str, Sequence[RosterEntry]]:
    """Have the commissioner's card issued, unless it is there, and what else is wanted; seal keys to the kiosks.

    Returns the cards' public key in hex, and the roster's further entries.
    """
    public = folder / "cards" / "public"
    if public.exists():
        return public.read_text(), ()
    office = demo_cards.CardOffice(folder / "cards")
    office.issue([(FLOOR.uid, FLOOR.number)])
    entries, keyed = more(office) if more else ((), ())
    for name in KIOSKS:
        office.seal_for(name, folder / name, [FLOOR.uid, *keyed], FOR_EVER_MS)
    public.write_text(office.public)
    return office.public, entries


def announced() -> dict[str, Any]:
    """Tonight's round."""
    return announcement(EVENING)


def entry(person: Person) -> RosterEntry:
    """Somebody's entry in the roster."""
    return RosterEntry(
        participant=person.number,
        state="blocked" if person is BLOCKED else "active",
        cards=(person.uid,),
        role="commissioner" if person is FLOOR else "participant",
        name=f"{person.first_name} {person.surname}" if person.published else None,
        home=True,
    )


def make_league(folder: Path, more: Sequence[dict[str, Any]] = ()) -> None:
    """Make a league's database with tonight's season, roster and offer, and the devices' keys beside it.

    ``more``: announcements of further rounds tonight.
    """
    keys = {name: public_hex(key) for name, key in device_keys(folder).items()}
    season = season_file(keys, EVENING, "uid")
    season["rounds"] += [{"announcement": each, "name": each["round"]} for each in more]
    (folder / "season.json").write_text(json.dumps(season, ensure_ascii=False))
    env = {**os.environ, "TABLESIDE_LEAGUE_DIR": str(folder / "league"), "TABLESIDE_LEAGUE_SECRET_KEY": "test"}
    (folder / "league").mkdir()
    cards, _ = commissioners_card(folder)
    done = subprocess.run(
        [sys.executable, "-c", _MAKE_LEAGUE, str(folder / "season.json"), demo_cards.LEAGUE, cards],
        env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (folder / "league.public").write_text(done.stdout.split()[-1])


_MAKE_LEAGUE = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
import django
from django.conf import settings
from django.core.management import call_command
from league import home
home.prepare(settings.DATA_DIR)
django.setup()
import_season, card_key = ["import_season", sys.argv[1]], ["card_key", *sys.argv[2:]]
for command in (["migrate", "-v", "0"], import_season, card_key, ["publish_roster"], ["offer_round", "--all"]):
    call_command(*command)
call_command("league_key")
"""
