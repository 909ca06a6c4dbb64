"""What only real processes and real files show: two clerks at once, venues told by the ingest, nothing left on disk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from appliance.link.broker import find_program, start_broker
from tests.league import postgres
from tests.league.people_cards import CARD, WOMAN
from tests.league.processes import League, eventually

HEAD = """
import django; django.setup()
import sys
from datetime import UTC, date, datetime
from django.utils import timezone
timezone.now = lambda: datetime(2072, 6, 15, 9, tzinfo=UTC)
from league.people import acts
from league.people.acts import By
from league.people.models import *
from league.people.registering import *
from league.privacy.erasing import erase, scrub
from league.privacy.models import *
from tests.league.people_cards import registered
"""


def begun(league: League, script: str, *arguments: str) -> subprocess.Popen[str]:
    """A process of the office's own that runs a script."""
    environment = league.env | {"DJANGO_SETTINGS_MODULE": "league.settings", "PYTHONPATH": str(Path.cwd())}
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + script, *arguments], env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def ready(child: subprocess.Popen[str]) -> subprocess.Popen[str]:
    """Once it has said so; it goes on when its standard input ends."""
    assert child.stdout is not None and child.stdout.readline() == "ready\n", child.communicate()[1]
    return child


def done(child: subprocess.Popen[str]) -> str:
    out, err = child.communicate(timeout=120)
    assert child.returncode == 0, err
    return out.strip()


REGISTER_MANY = """
print("ready", flush=True)
sys.stdin.readline()
for n in range(8):
    who = f"{sys.argv[1]}{n}"
    print(registered(birth_number="", birth_date="1990-01-01", document=who, surname=who).number)
"""


def together(league: League, script: str, count: int) -> list[str]:
    """What so many processes print that begin at the same time."""
    children = [ready(child) for child in [begun(league, script, "ABCD"[n]) for n in range(count)]]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    return [done(child) for child in children]


def test_LG_5_clerks_at_the_same_time_give_every_number_once(empty_league: League) -> None:
    numbers = "\n".join(together(empty_league, REGISTER_MANY, 2)).split()
    assert sorted(numbers) == [f"{n:06}" for n in range(1, 17)]


REGISTER_ONE = """
print("ready", flush=True)
sys.stdin.readline()
try:
    print(registered(surname=sys.argv[1]).number)
except Duplicate as error:
    print("duplicate", *(person.number for person in error.people))
"""


def test_LG_5_of_two_clerks_with_the_same_birth_number_one_registers(empty_league: League) -> None:
    said = together(empty_league, REGISTER_ONE, 2)
    [(number,)] = empty_league.rows("SELECT number FROM people_participant")
    assert sorted(said) == sorted([number, f"duplicate {number}"])


OPEN = """
print(("ready", list(Participant.objects.all()), list(PersonKey.objects.all()))[0], flush=True)
sys.stdin.readline()
"""


def test_erasing_leaves_nothing_in_the_files(empty_league: League) -> None:
    """The key above all: with it an old backup would open."""
    out = done(begun(empty_league, "p = registered(); print(bytes(PersonKey.objects.get().key).hex())"))
    key = bytes.fromhex(out)
    secrets = {"key": key, "surname": CARD["surname"].encode(), "e-mail": CARD["email"].encode()}
    if not postgres.folder():  # whose files are not in this folder
        assert found(empty_league.directory, secrets) == set(secrets)
    # somebody else has the files open, as the web processes and the ingest do: nobody closes them to clean up
    other = ready(begun(empty_league, OPEN))
    done(begun(empty_league, "erase(Participant.objects.get(), By('clerk'), 'asked'); scrub()"))
    assert found(empty_league.directory, secrets) == set()
    done(other)
    assert empty_league.rows("SELECT surname, email FROM people_participant") == [("", "")]


def found(directory: Path, secrets: dict[str, bytes]) -> set[str]:
    content = b"".join(file.read_bytes() for file in directory.rglob("*") if file.is_file())
    return {name for name, secret in secrets.items() if secret in content}


def test_no_file_of_the_league_holds_a_birth_number_or_an_address(empty_league: League) -> None:
    done(begun(empty_league, "registered()"))
    secrets = {name: text.encode() for name, text in {"number": WOMAN, "street": CARD["street"]}.items()}
    secrets["digits"] = WOMAN.replace("/", "").encode()
    assert found(empty_league.directory, secrets) == set()


def test_LG_7_a_consent_withdrawn_is_off_pages_and_venues_by_itself(league: League, tmp_path: Path) -> None:
    assert find_program("mosquitto")
    with start_broker("mosquitto", tmp_path / "broker") as broker:
        url = f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}"
        league.start("ingest", "--broker", url, until="ingest: connected")
        done(begun(league, "from league.ingest import rosters; rosters.changed()"))
        eventually(lambda: last_told(league, "000101"), "Věra Žáčková")
        withdraw = "acts.withdraw_consent(Participant.objects.get(number='000101'), ConsentKind.PUBLICATION, By('x'))"
        done(begun(league, withdraw))
        eventually(lambda: last_told(league, "000101"), None)


def last_told(league: League, number: str) -> object:
    """The name that a venue's roster has last for somebody."""
    rows = league.rows("SELECT raw FROM ingest_rawrecord WHERE stream = 'league/zabreh' ORDER BY seq DESC")
    for (raw,) in rows:
        data = json.loads(bytes(raw))["data"]
        if isinstance(data, dict) and data.get("participant") == number:
            return data.get("name")
    return "nothing"
