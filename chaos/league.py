"""The league of a chaos evening: its database, made once; cards and keys of the venue's devices."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from appliance.apps import demo_cards
from appliance.identity import load_or_make, public_hex
from chaos.people import COMMISSIONER, season_file

_FOR_EVER_MS = 7_000_000_000_000


def environment(folder: Path) -> dict[str, str]:
    """What the league's programs need; ``folder`` is theirs."""
    return {"TABLESIDE_LEAGUE_DIR": str(folder), "TABLESIDE_LEAGUE_SECRET_KEY": "chaos"}


def make(
    folder: Path,
    data: Mapping[str, Path],
    cards: Path,
    announced: Mapping[str, Any],
    players: int,
    elsewhere: Mapping[str, int],
) -> str:
    """Make the league with tonight's season in ``folder``; ``data``: the devices' folders; of a spare one it
    knows nothing, but the desk has sealed it the cards' keys. Returns its public key.

    Deposits need an allowance; ``elsewhere``: what participants deposited at another venue today (CZK).
    """
    keys = {name: public_hex(load_or_make(where / "device.key")) for name, where in data.items()}
    office = demo_cards.CardOffice(cards)
    office.issue([(COMMISSIONER.uid, COMMISSIONER.number)])
    for name, where in data.items():
        if name.startswith(("door", "table-", "spare-")):
            office.seal_for(name, where, [COMMISSIONER.uid], _FOR_EVER_MS)
    day = f"{announced['starts_at'][:4]}-01-01T08:00:00+01:00"
    season = folder / "season.json"
    season.write_text(json.dumps(season_file(keys, announced, players, day), ensure_ascii=False))
    done = subprocess.run(
        [sys.executable, "-c", _MAKE, str(season), json.dumps(elsewhere), demo_cards.LEAGUE, office.public],
        env={**os.environ, **environment(folder)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"the league could not be made:\n{done.stderr[-3000:]}")
    return done.stdout.split()[-1]


_MAKE = """
import json, os, sys, time
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
import django
from django.conf import settings
from django.core.management import call_command
from league import home
home.prepare(settings.DATA_DIR)
django.setup()
for command in (["migrate", "-v", "0"], ["import_season", sys.argv[1]], ["card_key", *sys.argv[3:]]):
    call_command(*command)
from appliance.game.tokens import Account, Spent, Statement
from chaos.limit import AGO_MS, ELSEWHERE
from league.allowances.models import Allowance
from league.people.models import Participant
at = time.time_ns() // 1_000_000 - AGO_MS
for number, amount in json.loads(sys.argv[2]).items():
    row = Allowance(participant=Participant.objects.get(number=number))
    row.keep(Account(statements={ELSEWHERE: Statement(ELSEWHERE, (Spent(at, amount),))}))
for command in (["allowances", "--on"], ["publish_roster"], ["offer_round", "--all"], ["league_key"]):
    call_command(*command)
"""
