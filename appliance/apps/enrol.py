"""``tableside enrol``: makes this device known to the league with a one-time code, and fetches its certificate."""

from __future__ import annotations

import argparse
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import certificates, enrolment
from appliance.apps.output import one_line
from appliance.cardwork import OPENING_KEY
from appliance.certificates import CertificateError
from appliance.config import Config, ConfigError, load, origin
from appliance.enrolment import Answer, Code, EnrolmentError
from appliance.identity import AUTHORITY, CERTIFICATE, load_or_make, load_or_make_opening

FRAGMENT = "league.toml"
"""What the league said of this device, as a configuration file that stands before the others."""

_WAIT_S = 30.0


class _NotEnrolled(Exception):
    """The league did not answer, or said no; the text says why."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A request that is sent elsewhere is lost on the way: better to say where it should have gone."""

    def redirect_request(self, *_: Any) -> None:
        return None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The league, the code and this device's configuration."""
    parser.add_argument("--league", required=True, metavar="URL", help="the league's pages, as a browser has them")
    parser.add_argument("--code", required=True, help="the one-time code (tableside league ca invite)")
    parser.add_argument(
        "--config", action="append", type=Path, default=[], metavar="FILE",
        help="a configuration file of this device, which names its data folder; may be given again",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Enrol; 1 if the league cannot be asked or says no, 2 on bad input or a folder that cannot be used."""
    try:
        code = enrolment.read_code(args.code)
        address = _address(args.league)
        config = load(*args.config)
        config.data.mkdir(parents=True, exist_ok=True)
        key = load_or_make(config.data / "device.key")
        answer = _enrol(address, code, key, config)
        _keep(config.data, answer)
    except _NotEnrolled as error:
        print(f"tableside enrol: {one_line(str(error))}", file=sys.stderr)
        return 1
    except (EnrolmentError, ConfigError, OSError, ValueError) as error:
        print(f"tableside enrol: {one_line(str(error))}", file=sys.stderr)
        return 2
    print(f"this is {answer.device} of {answer.venue}: {config.data / CERTIFICATE}, {config.data / FRAGMENT}")
    for line in _differences(args.config, config, answer):
        print(f"tableside enrol: {line}", file=sys.stderr)
    return 0


def _address(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise EnrolmentError("--league: an address that begins with http:// or https://")
    return f"{parts.scheme}://{parts.netloc}{enrolment.PATH}"


def _enrol(address: str, code: Code, key: Ed25519PrivateKey, config: Config) -> Answer:
    opening = load_or_make_opening(config.data / OPENING_KEY).public_key().public_bytes_raw()
    request = enrolment.ask(code, key, opening, os.urandom(16))
    body = _posted(address, msgspec.json.encode(request))
    try:
        answer = enrolment.read_answer(body, request, code)
        authority = certificates.from_text(answer.authority)
        certificate = certificates.from_text(answer.certificate)
        certificates.check(certificate, answer.venue, answer.device, key.public_key(), authority)
    except (EnrolmentError, CertificateError) as error:
        raise _NotEnrolled(f"{address}: {error}") from None
    return answer


def _posted(address: str, body: bytes) -> bytes:
    """The league's answer. Raises `_NotEnrolled` with its refusal, or with what was in the way."""
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.build_opener(_NoRedirects).open(request, timeout=_WAIT_S) as told:
            return bytes(told.read(enrolment.MAX_BYTES + 1))
    except urllib.error.HTTPError as error:
        with error:
            raise _NotEnrolled(f"{address}: {_refusal(error)}") from None
    except urllib.error.URLError as error:
        raise _NotEnrolled(f"{address}: {error.reason}; the code still counts: try again") from None
    except (OSError, ValueError) as error:
        raise _NotEnrolled(f"{address}: {error}; the code still counts: try again") from None


def _refusal(error: urllib.error.HTTPError) -> str:
    if 300 <= error.code < 400:
        return f"the league is elsewhere: {error.headers.get('Location', '')[:200]}"
    try:
        told = msgspec.json.decode(error.read(enrolment.MAX_BYTES), type=dict[str, Any])
        return str(told["message"])[:300]
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, OSError):
        return f"no league answers there (HTTP {error.code})"


def _keep(folder: Path, answer: Answer) -> None:
    """Write what was learned; whoever finds the last file finds them all. Raises OSError."""
    _write(folder / AUTHORITY, certificates.pem(certificates.from_text(answer.authority)))
    _write(folder / CERTIFICATE, certificates.pem(certificates.from_text(answer.certificate)))
    _write(folder / FRAGMENT, _fragment(answer).encode())


def _fragment(answer: Answer) -> str:
    lines = [
        "# From the league, at the enrolment. Give it before the files of this venue and this device.",
        "[venue]", f'id = "{answer.venue}"', "",
        "[device]", f'name = "{answer.device}"',
    ]  # fmt: skip
    lines.append(f'role = "{"director" if answer.role == "uplink" else answer.role}"')
    if answer.table is not None:
        lines.append(f"table = {answer.table}")
    lines += ["", "[league]", f'public_key = "{answer.public_key}"']
    if (broker := answer.broker) is not None:
        host = msgspec.json.encode(broker.host).decode()
        lines += ["", "[league.broker]", f"host = {host}", f"port = {broker.port}", f"tls = {str(broker.tls).lower()}"]
    return "\n".join(lines) + "\n"


def _write(path: Path, data: bytes) -> None:
    partial = path.with_name(path.name + ".new")
    with partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def _differences(files: list[Path], config: Config, answer: Answer) -> list[str]:
    """Where this device's own files say something else, by which it would not be let in."""
    pairs = (
        ("venue.id", config.venue.id, answer.venue),
        ("device.name", config.device.name, answer.device),
        ("league.public_key", config.league.public_key, answer.public_key),
    )
    return [
        f"{file}: {place} is {own!r}, at the league {told!r}: correct it"
        for place, own, told in pairs
        if own != told and (file := origin(place, files)) is not None
    ]
