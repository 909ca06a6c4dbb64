"""What a device that is let in has to know of its venue, and how that lies in its folder.

Its settings are a file of their own, `ADOPTED`, read after the site's and the device's; who belonged to the venue when
it was let in is in `members.json`, until its own copy of the venue's streams says so (`appliance.workplace`).
"""

from __future__ import annotations

import base64
import contextlib
import os
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.serialization import Encoding
from msgspec.structs import replace

from appliance import certificates
from appliance.adopt import Role
from appliance.adoption import Answer
from appliance.adoption_spare import Pending
from appliance.certificates import CertificateError
from appliance.config import ADOPTED, Broker, Config, League, dump, load
from appliance.filebytes import own_bytes
from appliance.identity import AUTHORITY, CERTIFICATE
from appliance.members import Member
from appliance.workplace import FIRST_MEMBERS, Workplace

PENDING = "adopting.json"
GIVEN_UP = "given-up.toml"
"""What `ADOPTED` is called once the device has been dropped."""


def answer(place: Workplace, role: Role, table: int | None, tracked: bool) -> Answer:
    """What the director tells a device that becomes this; ``tracked``: of its table every action is."""
    config, members, league = place.config, place.members, place.config.league
    own = config.device.name
    known = {name: key for name, key in config.devices.items() if members.key(name) == key}
    way = Broker(host=league.broker.host, port=league.broker.port, tls=league.broker.tls)  # for when it takes over
    site = Config(
        venue=config.venue, lan=replace(config.lan, director=()), league=League(way, league.public_key),
        rehearsal=config.rehearsal, director=config.director, devices=known,
    )  # fmt: skip
    others = [replace(each, certificate="") for name, each in members.items() if name != own]
    director = replace(members.get(own) or Member(name=own, key=place.public), certificate=_own_certificate(place))
    return Answer(
        venue=config.venue.id, role=role, table=table, tracking="actions" if tracked else "hands",
        site=dump(site, changed_only=True), director=own, members=(director, *others), authority=_authority(place),
    )  # fmt: skip


def write(folder: Path, files: tuple[Path, ...], device: str, given: Pending) -> Path:
    """Make the device what it is told to become; the settings come last, and with them it is. Returns their file.

    Raises `ConfigError` for settings that this program does not understand, and OSError.
    """
    told = given.answer
    text = f'{told.site}\n[device]\nname = "{device}"\nrole = "{told.role}"\ntable = {told.table or 1}\n'
    if told.tracking == "actions":
        text += 'tracking = "actions"\n'
    adopted = folder / ADOPTED
    fresh = _written(folder / f"{ADOPTED}.new", text.encode())
    load(*files, fresh)
    own = certificates.pem(certificates.from_text(given.certificate))
    _put(folder / CERTIFICATE, own)
    if told.authority:
        _put(folder / AUTHORITY, certificates.pem(certificates.from_text(told.authority)))
    else:
        (folder / AUTHORITY).unlink(missing_ok=True)
    _put(folder / FIRST_MEMBERS, msgspec.json.encode(told.members))
    fresh.replace(adopted)
    _sync(folder)
    (folder / PENDING).unlink(missing_ok=True)
    return adopted


def give_up(folder: Path) -> None:
    """The device was dropped: from now on it is a spare one. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        (folder / ADOPTED).replace(folder / GIVEN_UP)
    _sync(folder)


def begin_anew(folder: Path) -> None:
    """Make a device that was dropped another one: the league lets no key in again that it has revoked. What it had
    written is kept beside. Raises OSError.
    """
    if not (folder / GIVEN_UP).exists():
        return
    for name in ("device.key", "opening.key", CERTIFICATE, AUTHORITY, FIRST_MEMBERS, PENDING):
        (folder / name).unlink(missing_ok=True)
    for file in sorted(folder.glob("journal*")):
        file.replace(folder / f"former-{file.name}")
    (folder / GIVEN_UP).unlink()
    _sync(folder)


def keep_pending(folder: Path, pending: Pending) -> None:
    """Keep what was accepted under the code, before it is answered. Raises OSError."""
    _put(folder / PENDING, msgspec.json.encode(pending))
    _sync(folder)


def kept_pending(folder: Path) -> Pending | None:
    """What was kept; None where there is nothing, or nothing whole."""
    try:
        return msgspec.json.decode(own_bytes(folder / PENDING), type=Pending)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


# -- inside ----------------------------------------------------------------------------------------------------------


def _own_certificate(place: Workplace) -> str:
    """The director's own certificate where no authority stands for it."""
    try:
        own = certificates.read(place.data / CERTIFICATE)
    except CertificateError:
        return ""
    return certificates.to_text(own) if certificates.is_self_signed(own) else ""


def _authority(place: Workplace) -> str:
    try:
        authority = certificates.read(place.data / AUTHORITY)
    except CertificateError:
        return ""
    return base64.b64encode(authority.public_bytes(Encoding.DER)).decode()


def _put(file: Path, data: bytes) -> None:
    _written(file.with_name(f"{file.name}.new"), data).replace(file)


def _written(file: Path, data: bytes) -> Path:
    with file.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    return file


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
