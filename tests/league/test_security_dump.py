"""Who has the database, a copy or a dump of it, has nobody's birth number and nobody's address (DESIGN §6)."""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.league import postgres
from tests.league.people_cards import MAN, WOMAN
from tests.league.processes import League

STREET, TOWN, DOCUMENT = "Tajnůstkářská 77", "Utajená Lhota", "PAS 7777777"
SECRETS = (WOMAN, MAN, WOMAN.replace("/", ""), MAN.replace("/", ""), STREET, "Tajnůstkářská", TOWN, DOCUMENT)


def act() -> None:
    """In a process of its own: a clerk registers, mistypes, looks up, corrects, exports and erases, at the pages."""
    from django.conf import settings
    from django.utils import timezone

    from league.people.models import Participant
    from league.staff.roles import Role
    from tests.league.office import staff_client
    from tests.league.people_cards import CARD, DAY

    settings.ALLOWED_HOSTS.append("testserver")
    timezone.now = lambda: DAY  # the numbers are good in that year only
    clerk = staff_client(Role.CLERK)
    form = CARD | {"signed_on": "2072-06-14", "proof": "passport", "proven_to": "000900", "processing": "on",
                   "street": STREET, "town": TOWN, "email": "a@hraci.example"}  # fmt: skip
    at = "/office/participants/"
    clerk.post(f"{at}new/", form | {"surname": ""})
    for n, birth_number in enumerate((WOMAN, MAN)):
        person = form | {"birth_number": birth_number, "surname": f"Osoba{n}", "email": f"{n}@hraci.example"}
        assert clerk.post(f"{at}new/", person).status_code == 302
    clerk.post(f"{at}new/", form)
    one, two = Participant.objects.order_by("pk").values_list("number", flat=True)
    foreign = {"first_name": "Žofie", "surname": "Osoba0", "email": "0@hraci.example", "document": DOCUMENT}
    assert clerk.post(f"{at}{one}/correct/", foreign).status_code == 302
    for what in ("birth", "address", "before"):
        assert clerk.post(f"{at}{one}/show/", {"what": what, "reason": "dotaz"}).status_code == 200
    for asked in (WOMAN, WOMAN.replace("/", ""), STREET):
        clerk.post(at, {"q": asked}, follow=True)
    assert MAN.replace("/", "").encode() in clerk.post(f"{at}{two}/export/").content
    assert clerk.post(f"{at}{two}/erase/", {"number": two, "reason": "na žádost"}).status_code == 302


def encoded(secret: str) -> Iterator[bytes]:
    """A text as it might stand somewhere in bytes."""
    for code in ("utf-8", "utf-16-le", "utf-16-be", "cp1250"):
        plain = secret.encode(code)
        yield plain
        yield plain.hex().encode()
        yield plain.hex().upper().encode()
        for shift in range(3):  # as it stands in the midst of something longer
            yield base64.b64encode(b"\0" * shift + plain)[4 if shift else 0 : -4]
    yield secret.encode("unicode-escape")
    yield secret[::-1].encode()


def betrayed(places: dict[str, bytes]) -> set[tuple[str, str]]:
    return {
        (where, secret)
        for where, content in places.items()
        for secret in SECRETS
        if any(form in content for form in encoded(secret))
    }


def dumps(league: League) -> dict[str, bytes]:
    """Both databases as dumps, and every file of the data directory as it is."""
    told = {str(path.relative_to(league.directory)): path.read_bytes() for path in _files(league.directory)}
    if league.databases:
        for name in league.databases:
            told[name] = _run(str(_newest("pg_dump")), "-h", postgres.folder() or "", "-U", postgres.USER, name)
        return told
    for name in ("league.sqlite3", "keys.sqlite3"):
        if (league.directory / name).exists():
            told[f"dump of {name}"] = _sql(league.directory / name)
    assert len([name for name in told if name.startswith("dump")]) >= 1
    return told


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def _newest(program: str) -> Path:
    beside = postgres._programs() / program
    return beside if beside.exists() else Path(shutil.which(program) or program)


def _run(*command: str) -> bytes:
    return subprocess.run(command, capture_output=True, check=True).stdout


def _sql(path: Path) -> bytes:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(path)) as database:
        return "\n".join(database.iterdump()).encode()


@pytest.mark.parametrize("secret", SECRETS)
def test_P_a_secret_in_any_dress_would_be_found(secret: str) -> None:
    for text in encoded(secret):
        assert secret in {found for _, found in betrayed({"a file": b"..." + text + b"..."})}
    assert secret in {found for _, found in betrayed({"a letter": base64.b64encode(f"ab {secret} cd".encode())})}


def test_P_a_dump_of_the_database_holds_no_birth_number_and_no_address(empty_league: League) -> None:
    run = "import django; django.setup(); from tests.league import test_security_dump as here; here.act()"
    done = subprocess.run(
        [sys.executable, "-c", run], env=empty_league.env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = dumps(empty_league)
    assert any(b"Osoba0" in content for content in told.values())
    assert betrayed(told) == set()
    assert betrayed({"output": (done.stdout + done.stderr).encode()}) == set()
