"""``tableside cards keys …``: make, look at and renew the desk's key file; seal keys of cards for a kiosk."""

from __future__ import annotations

import argparse
import contextlib
import re
import time
from collections.abc import Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from appliance.apps import passphrase
from appliance.apps.arguments import whole_number
from appliance.apps.output import BadOutput, checked
from appliance.cards import layout, seal
from appliance.cards.secret import Secret
from appliance.desk import keyfile, ledger
from appliance.desk.keyfile import KeyFileError
from appliance.desk.keys import DeskKeys, NoSuchVersion, new_keys
from appliance.desk.ledger import Ledger

MOST_HOURS = 36
"""Kiosks hold no key longer (DESIGN §7)."""
LAST_SERIAL = 0xFFFFFFFF


class BadInput(ValueError):
    """What was asked for cannot be; one line says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do with the key file."""
    actions = parser.add_subparsers(dest="key_action", metavar="ACTION", required=True)
    new = _action(actions, "new", "make a key file; never over one that is there")
    new.add_argument("--league", required=True, help="the league's short name on its cards: a-z, 0-9 and -, 16 at most")
    new.add_argument("--link", required=True, metavar="URL", help="where a phone that reads a card is sent")
    _action(actions, "show", "what is in it, but no key: versions, check values, the public key")
    check = _action(actions, "check", "whether the passphrase opens it, and a backup holds the same")
    check.add_argument("--backup", type=Path, metavar="FILE", help="another key file under the same passphrase")
    renew = _action(actions, "renew", "add master keys of a new version, for when a key may have leaked")
    renew.add_argument("--signing", action="store_true", help="a new signing key too: every card must be issued again")
    other = _action(actions, "passphrase", "seal it with another passphrase")
    other.add_argument("--new-passphrase-file", type=Path, metavar="FILE", help="the new one; default: asked for")
    begin = _action(actions, "begin-ledger", "another ledger, when the key file's own is lost for good")
    begin.add_argument(
        "--last-serial", type=whole_number, required=True, metavar="N",
        help="the highest serial number of any card so far (tableside league card_key says it), or any higher one",
    )  # fmt: skip
    export = _action(actions, "export-k2", "cards' verification keys, sealed to one device")
    export.add_argument("--device", required=True, help="the device's name")
    export.add_argument("--to", required=True, metavar="HEX", help="its X25519 public key (tableside key --opening)")
    export.add_argument(
        "--hours", type=whole_number, default=MOST_HOURS, help=f"good for so long, {MOST_HOURS} at most"
    )
    export.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    export.add_argument("uids", nargs="*", metavar="UID", help="the cards; all valid ones of the ledger without one")


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, help: str
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=help, description=help)
    action.add_argument("file", type=Path, help="the key file")
    passphrase.add_argument(action)
    return action


def run(args: argparse.Namespace) -> int:
    """Do it. Raises `BadInput`, `KeyFileError`, `LedgerError`."""
    match args.key_action:
        case "new":
            _new(args)
        case "export-k2":
            return _export(args)
        case "renew":
            _renew(args)
        case "begin-ledger":
            _begin_ledger(args)
        case "check":
            return _check(args)
        case "passphrase":
            with held(args.file, args.passphrase_file) as (keys, _, _):
                keyfile.rewrite(args.file, keys, passphrase.chosen(args.new_passphrase_file))
            print(f"{args.file}: sealed with the new passphrase")
        case _:
            keyfile.check(args.file)
            print("\n".join(shown(keyfile.load(args.file, passphrase.obtain(args.passphrase_file)))))
    return 0


def _new(args: argparse.Namespace) -> None:
    if not re.fullmatch("[a-z0-9-]{1,16}", args.league):
        raise BadInput("--league: a-z, 0-9 and -, 16 at most")
    try:
        layout.link(args.link)
    except ValueError as error:
        raise BadInput(f"--link: {error}") from None
    if args.file.exists():
        raise KeyFileError(f"{args.file}: there is a key file already; it is never overwritten")
    keys = new_keys(args.league, args.link)
    keyfile.create(args.file, keys, passphrase.chosen(args.passphrase_file))
    with ledger.opened(ledger.beside(args.file), passphrase.user()) as book:
        note_key(book, keys)
    print("\n".join(shown(keys)))


def _renew(args: argparse.Namespace) -> None:
    with held(args.file, args.passphrase_file) as (keys, phrase, book):
        goes_on(book, args.file)
        try:
            keys = keys.renewed(above=book.book.last_version)
        except ValueError as error:
            raise BadInput(str(error)) from None
        if args.signing:
            keys = keys.resigned()
        keyfile.rewrite(args.file, keys, phrase)
        note_key(book, keys)
    print("\n".join(shown(keys)))
    print("kiosks that hold a card's old key take it for forged once it has the new one: export-k2 then")


def _begin_ledger(args: argparse.Namespace) -> None:
    if not 0 <= args.last_serial < LAST_SERIAL:
        raise BadInput(f"--last-serial: 0 to {LAST_SERIAL - 1}")
    with held(args.file, args.passphrase_file) as (keys, _, book):
        if book.book.key:
            raise BadInput(f"{book.path}: this ledger goes on; none is begun over it")
        book.write("key", league=keys.league, key=keys.public, serial=args.last_serial)
        print(f"{book.path}: the next card gets serial {book.book.last_serial + 1}")


def goes_on(book: Ledger, file: Path) -> None:
    """Whether it is the ledger of these keys' cards: an empty one would count their serial numbers from 1 again.

    Raises `BadInput` with the remedy.
    """
    if not book.book.key:
        raise BadInput(
            f"{book.path}: the ledger of these keys' cards is not here: put its latest copy there; if there is none, "
            f"tableside cards keys begin-ledger {file} --last-serial N"
        )


@contextlib.contextmanager
def held(file: Path, phrase_file: Path | None, who: str = "") -> Iterator[tuple[DeskKeys, Secret, Ledger]]:
    """Keys, passphrase and ledger, which nobody else has meanwhile: what two change at once, one loses."""
    keyfile.check(file)
    phrase = passphrase.obtain(phrase_file)
    with ledger.opened(ledger.beside(file), who or passphrase.user()) as book:
        yield keyfile.load(file, phrase), phrase, book


def _check(args: argparse.Namespace) -> int:
    for file in (args.file, args.backup):
        if file is not None:
            keyfile.check(file)
    phrase = passphrase.obtain(args.passphrase_file)
    keys = keyfile.load(args.file, phrase)
    print(f"{args.file}: opens")
    if args.backup is None:
        return 0
    same = keyfile.load(args.backup, phrase).equals(keys)
    print(f"{args.backup}: {'holds the same keys' if same else 'OTHER KEYS'}")
    return 0 if same else 1


def _export(args: argparse.Namespace) -> int:
    if not 1 <= args.hours <= MOST_HOURS:
        raise BadInput(f"--hours: 1 to {MOST_HOURS}")
    try:
        to = X25519PublicKey.from_public_bytes(bytes.fromhex(args.to))
        output = checked(args.output, args.file, ledger.beside(args.file))
    except BadOutput as error:
        raise BadInput(f"--output: {error}") from None
    except ValueError:
        raise BadInput("--to: an X25519 public key is 64 hex digits") from None
    keyfile.check(args.file)
    keys = keyfile.load(args.file, passphrase.obtain(args.passphrase_file))
    with ledger.opened(ledger.beside(args.file), passphrase.user()) as held:
        versions = {card.uid: card.key_version for card in held.book.cards.values() if card.state == "valid"}
    wanted = [uid.upper() for uid in args.uids] or sorted(uid for uid, version in versions.items() if version)
    unknown = [uid for uid in wanted if not versions.get(uid)]
    if unknown:
        raise BadInput(f"no valid card with a key: {', '.join(unknown)}")
    until = time.time_ns() // 1_000_000 + args.hours * 3_600_000
    try:
        sealed = [seal.seal(key_of(keys, uid, versions[uid]), args.device, to, uid, until) for uid in wanted]
    except NoSuchVersion as error:
        raise BadInput(str(error)) from None
    with _named(output):
        seal.write(output, seal.encode(sealed, args.device, keys.signing))
    print(f"{len(sealed)} keys for {args.device}, good for {args.hours} h: {output}")
    return 0


def key_of(keys: DeskKeys, uid: str, version: int) -> Secret:
    """A card's verification key K2."""
    return keys.card_key(bytes.fromhex(uid), layout.VERIFICATION, version)


def note_key(book: Ledger, keys: DeskKeys) -> None:
    """Have the ledger say whose cards it is about."""
    if book.book.key != keys.public:
        book.write("key", league=keys.league, key=keys.public)


def shown(keys: DeskKeys) -> list[str]:
    """Everything of the keys that may be seen."""
    versions = [f"version {version}: {' '.join(keys.check_values(version))}" for version in sorted(keys.masters)]
    return [
        f"league: {keys.league}",
        f"link: {keys.link}",
        f"public key of the cards: {keys.public}",
        f"new cards get keys of version {keys.version}",
        "check values of master keys 0 to 4:",
        *(f"  {line}" for line in versions),
    ]


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
