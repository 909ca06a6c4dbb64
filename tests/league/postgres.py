"""A PostgreSQL of the tests' own, of Debian's package: a socket in a folder that only we enter, no port.

python -m tests.league.postgres COMMAND ...      # runs it with TABLESIDE_TEST_POSTGRES naming the server
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
from psycopg import sql
from psycopg.types.string import TextLoader

from appliance.orphan import die_with_parent

SERVER = "TABLESIDE_TEST_POSTGRES"
"""The environment's name for the server: the folder of its socket. Not set: the tests use SQLite."""

USER = "league"
_WAIT_S = 60.0
_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "autovacuum": "off",  # nothing lives long enough
    "fsync": "off",  # what a crash of the machine would lose is only a test's
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "64MB",
}


class NoServer(RuntimeError):
    """PostgreSQL is not here or would not start; the message says why."""


def folder() -> str | None:
    """Where the server's socket is, None when the tests use SQLite."""
    return os.environ.get(SERVER) or None


def url(name: str) -> str:
    """One database of the server, as `DATABASE_URL` says it."""
    return f"postgresql://{USER}@/{name}?{urlencode({'host': folder() or ''})}"


@contextlib.contextmanager
def own_databases(name: str) -> Iterator[None]:
    """Let the settings that are read meanwhile be those of the server, if there is one."""
    asked = {"DATABASE_URL": url(name), "TABLESIDE_KEYS_DATABASE_URL": url(f"{name}_keys")} if folder() else {}
    os.environ.update(asked)
    try:
        yield
    finally:
        for there in asked:
            del os.environ[there]


def connect(name: str) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection of the tests' own; each statement is a transaction, and JSON comes as text."""
    connection = psycopg.connect(dbname=name, user=USER, host=folder(), autocommit=True)
    connection.adapters.register_loader("jsonb", TextLoader)
    return connection


def create(name: str, template: str = "template1") -> None:
    """Make a database, like another one."""
    _run("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)


def drop(name: str) -> None:
    """Remove a database, whoever is still connected to it."""
    _run("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _run(statement: str, *names: str) -> None:
    with connect("postgres") as database:
        database.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


_DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}


@contextlib.contextmanager
def server(*, durable: bool = False) -> Iterator[Path]:
    """A server with nothing in it, which is gone afterwards, files and all. Raises `NoServer`.

    ``durable``: what it has committed would survive a crash of the machine, as a real league's does.
    """
    programs = _programs()
    owner = _owner()
    with tempfile.TemporaryDirectory(prefix="league-postgres-") as made:
        place = Path(made)
        if owner:
            os.chown(place, pwd.getpwnam(owner).pw_uid, -1)
        _initdb(programs, place, owner)
        with (place / "log").open("wb") as log:
            settings = _SETTINGS | (_DURABLE if durable else {})
            options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
            process = subprocess.Popen(
                [programs / "postgres", "-D", place / "data", "-k", place, *options],
                stdout=log, stderr=log, user=owner, extra_groups=[] if owner else None, cwd=place,
                preexec_fn=die_with_parent(signal.SIGINT),
            )  # fmt: skip
        try:
            _await(process, place)
            yield place
        finally:
            process.send_signal(signal.SIGINT)  # "fast": ends what is connected
            process.wait(_WAIT_S)


def _programs() -> Path:
    """Where Debian keeps the server's programs, the newest version's."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    if found:
        return found[-1].parent
    if there := shutil.which("initdb"):
        return Path(there).resolve().parent
    raise NoServer("no PostgreSQL here: apt-get install postgresql")


def _owner() -> str | None:
    """Whom to run the server as: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise NoServer("PostgreSQL does not run as root, and there is no user postgres here")


def _initdb(programs: Path, place: Path, owner: str | None) -> None:
    made = subprocess.run(
        [
            programs / "initdb", "-D", place / "data", "-U", USER, "--auth", "trust", "--no-sync",
            "--encoding", "UTF8", "--locale", "C.UTF-8",
        ],
        capture_output=True, text=True, check=False, user=owner, extra_groups=[] if owner else None, cwd=place,
    )  # fmt: skip
    if made.returncode != 0:
        raise NoServer(f"initdb: {made.stderr.strip()}")


def _await(process: subprocess.Popen[bytes], place: Path) -> None:
    until = time.monotonic() + _WAIT_S
    while True:
        try:
            psycopg.connect(dbname="postgres", user=USER, host=str(place)).close()
            return
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > until:
                log = (place / "log").read_text(errors="replace")
                raise NoServer(f"PostgreSQL does not start: {error}\n{log}") from None
            time.sleep(0.05)


def main(command: Sequence[str]) -> int:
    """Run a command beside a server of its own; returns its exit status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with server() as place:
        return subprocess.run(command, env=os.environ | {SERVER: str(place)}, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except NoServer as error:
        sys.exit(f"postgres: {error}")
