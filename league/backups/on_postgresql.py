"""A copy of a PostgreSQL database through its own pg_dump, and back through pg_restore in one transaction."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import connections, transaction
from psycopg import sql
from psycopg.conninfo import make_conninfo

from league.backups.archive import BackupError, Counted

_DEBIAN = Path("/usr/lib/postgresql")
_OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_TABLES = """
    SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') ORDER BY 1"""


def dump(alias: str, into: Path) -> Counted:
    """See `league.backups.engines.Engine`."""
    into.touch(0o600, exist_ok=False)
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        moment = cursor.fetchone()[0]
        _run(
            alias,
            ["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={moment}", f"--file={into}"],
        )
        return _counted(cursor)


def check(copy: Path) -> None:
    """See `league.backups.engines.Engine`."""
    done = subprocess.run(
        [_program("pg_restore"), "--file=/dev/null", copy], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise BackupError(f"the copy is damaged: {_last_line(done.stderr)}")


def load(alias: str, copy: Path, mark: str) -> None:
    """See `league.backups.engines.Engine`."""
    with connections[alias].cursor() as cursor:
        cursor.execute(_OTHERS)
        others = cursor.fetchone()[0]
        cursor.execute(_TABLES)
        tables = [row[0] for row in cursor.fetchall()]
    place, environment = _way(alias)
    connections[alias].close()
    if others:
        raise BackupError(f"{others} others are connected to the database: stop serve and ingest first")
    psql = subprocess.Popen(
        [_program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", "-", f"--dbname={place}"],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        _feed(psql, copy, tables, mark)
        _, said = psql.communicate()
    except BaseException:
        psql.kill()  # without the last line nothing has changed
        psql.communicate()
        raise
    if psql.returncode != 0:
        raise BackupError(f"nothing was restored: {_last_line(said.decode(errors='replace'))}")


def count(alias: str) -> Counted:
    """See `league.backups.engines.Engine`."""
    with connections[alias].cursor() as cursor:
        return _counted(cursor)


def number_from(alias: str, table: str, after: int) -> None:
    """See `league.backups.engines.Engine`."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [table])
        sequence = cursor.fetchone()[0]
        cursor.execute("SELECT setval(%s, greatest(nextval(%s), %s))", [sequence, sequence, after])


def _counted(cursor: Any) -> Counted:
    cursor.execute(_TABLES)
    tables = [row[0] for row in cursor.fetchall()]
    rows: dict[str, int] = {}
    for name in tables:
        cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.SQL(name)))
        rows[name] = cursor.fetchone()[0]
    if "django_migrations" not in rows:
        return Counted(rows, [])
    cursor.execute("SELECT app || '.' || name FROM django_migrations")
    return Counted(rows, sorted(row[0] for row in cursor.fetchall()))


def _feed(psql: subprocess.Popen[bytes], copy: Path, tables: Sequence[str], mark: str) -> None:
    """Give psql one transaction: away with what is there, then the copy. Its end comes only after all of the copy."""
    assert psql.stdin is not None
    with contextlib.suppress(BrokenPipeError):  # then psql has said why
        away = "".join(f"DROP TABLE IF EXISTS {name} CASCADE;\n" for name in tables)
        psql.stdin.write(f"BEGIN;\nSET client_min_messages = warning;\n{away}".encode())
        for chunk in _script(copy):
            psql.stdin.write(chunk)
        psql.stdin.write(f"CREATE TABLE public.{mark} (unfinished integer);\nCOMMIT;\nANALYZE;\n".encode())
        psql.stdin.flush()


def _script(copy: Path) -> Iterator[bytes]:
    """The copy as SQL. Raises `BackupError` at its end when that was not all of it."""
    with subprocess.Popen(
        [_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", copy],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        while chunk := process.stdout.read(1024 * 1024):
            yield chunk
        if process.wait() != 0:
            raise BackupError("the copy cannot be read to its end; nothing was restored")


def _run(alias: str, command: list[str]) -> None:
    place, environment = _way(alias)
    done = subprocess.run(
        [_program(command[0]), *command[1:], f"--dbname={place}"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise BackupError(f"{command[0]}: {_last_line(done.stderr)}")


def _way(alias: str) -> tuple[str, Mapping[str, str]]:
    """How PostgreSQL's programs reach the database. The password goes where no list of processes shows it."""
    given = connections[alias].settings_dict
    asked = {"dbname": given["NAME"], "user": given["USER"], "host": given["HOST"], "port": given["PORT"]}
    asked |= given["OPTIONS"]
    password = asked.pop("password", given["PASSWORD"])
    place = make_conninfo(**{name: value for name, value in asked.items() if value})
    return place, os.environ | ({"PGPASSWORD": password} if password else {})


def _program(name: str) -> str:
    """The newest one that Debian has here: none reads what a newer one wrote. Raises `BackupError`."""
    found = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[4]))
    there = str(found[-1]) if found else shutil.which(name)
    if there is None:
        raise BackupError(f"{name} is missing: apt-get install postgresql-client")
    return there


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it ended without a word"])[-1]
