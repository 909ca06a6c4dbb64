"""Where a passphrase comes from: a file, or a person at a terminal; never an argument, which all of /proc reads."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from pathlib import Path

from appliance.cards.secret import Secret
from appliance.desk.keyfile import KeyFileError, passphrase

VARIABLE = "TABLESIDE_PASSPHRASE_FILE"
_MAX_BYTES = 4096


def add_argument(parser: argparse.ArgumentParser) -> None:
    """``--passphrase-file``."""
    named = os.environ.get(VARIABLE)
    parser.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", default=Path(named) if named else None,
        help=f"its first line, for its owner alone to read; default: ${VARIABLE}, else asked for at the terminal",
    )  # fmt: skip


def obtain(file: Path | None) -> Secret:
    """The passphrase. Raises `KeyFileError`."""
    return _from_file(file) if file else _asked("Passphrase: ")


def chosen(file: Path | None) -> Secret:
    """A new passphrase, asked for twice at the terminal. Raises `KeyFileError`."""
    if file:
        return _from_file(file)
    first = _asked("New passphrase, whole (two persons: one half after the other, then Enter): ")
    if first != _asked("The same again, whole: "):
        raise KeyFileError("the two were not the same")
    return first


def _asked(prompt: str) -> Secret:
    if not sys.stdin.isatty():
        raise KeyFileError("there is no terminal to ask for the passphrase: --passphrase-file FILE")
    try:
        return passphrase(getpass.getpass(prompt))
    except EOFError:
        raise KeyFileError("no passphrase was given") from None


def _from_file(path: Path) -> Secret:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise KeyFileError(f"{path}: others may read the passphrase: chmod 600")
            line = Secret(file.read(_MAX_BYTES).split(b"\n", 1)[0].removesuffix(b"\r"))
    except KeyFileError:
        raise
    except OSError as error:
        raise KeyFileError(f"{path}: {error.strerror}") from None
    try:
        return passphrase(line.reveal().decode())
    except UnicodeDecodeError:
        pass  # its text would quote the passphrase
    raise KeyFileError(f"{path}: not UTF-8")


def user() -> str:
    """Who sits here, as the ledger notes it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"
