"""What the venue's broker reads: who may do what there, and whose certificates it takes (DESIGN §5). Pure.

Two processes of mosquitto, so that a device that is not known can neither take the name of one that is, nor use up its
memory: client names and limits of size are one for a whole process. Names of files are below the folder it runs in;
the director's own programs come in by a socket there, which needs no name: who may open the folder may do everything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Literal

from cryptography import x509
from cryptography.x509.oid import NameOID

from appliance import certificates
from appliance.config import Lan
from appliance.link import topics
from appliance.link.client import DIRECTOR_SOCKET

NEWCOMERS_SOCKET = "newcomers"
MOST_BYTES = 300_000
"""Of a packet: the largest payload (`envelope.MAX_PAYLOAD_BYTES`) and its topic; a connection with a larger is cut."""
MOST_NEWCOMERS_BYTES = 16 * 1024
MOST_NEWCOMERS = 20
MOST_NEWCOMERS_MEMORY = 8 * 1024 * 1024
"""What the broker for newcomers may hold at all: messages to be kept, of clients that come under ever new names."""

_NEWCOMERS_LEAVES: tuple[Literal["ask"], Literal["told"]] = ("ask", "told")
_COMMON = """\
per_listener_settings true
persistence false
sys_interval 0
set_tcp_nodelay true
connection_messages false
log_dest stderr
log_timestamp false
log_type error
log_type warning
log_type information
"""


def main(lan: Lan, authority: str, certificate: str, key: str, user: str = "") -> str:
    """The configuration of the venue's broker. ``authority``: the file of the league's, empty without one.

    ``user``: whom it runs as; only root has a choice.
    """
    lines = [*_head(MOST_BYTES, user), f"listener {lan.port}"]
    if lan.secure:
        lines += [
            f"cafile {authority}" if authority else "",
            "capath trust",
            f"certfile {certificate}",
            f"keyfile {key}",
            "tls_version tlsv1.2",
            "require_certificate true",
            "use_subject_as_username true",
            "use_username_as_clientid true",
            "allow_anonymous false",
            "acl_file acl",
        ]
    else:
        lines += ["allow_anonymous true"]
    return _text([*lines, f"listener 0 {DIRECTOR_SOCKET.name}", "allow_anonymous true"])


def newcomers(lan: Lan, certificate: str, key: str, user: str = "") -> str:
    """The configuration of the broker for devices that are not known yet."""
    lines = [*_head(MOST_NEWCOMERS_BYTES, user), f"memory_limit {MOST_NEWCOMERS_MEMORY}"]
    lines += [f"listener {lan.newcomers}", f"max_connections {MOST_NEWCOMERS}"]
    if lan.secure:
        lines += [f"certfile {certificate}", f"keyfile {key}", "tls_version tlsv1.2", "require_certificate false"]
    lines += ["allow_anonymous true", "allow_zero_length_clientid false", "acl_file newcomers.acl"]
    return _text([*lines, f"listener 0 {NEWCOMERS_SOCKET}", "allow_anonymous true"])


def access(venue: str, keys: Mapping[str, str]) -> str:
    """Who may do what: each device writes what is its own, and reads what the director says to all and to it.

    ``keys``: the devices' public keys by their names. A device without a section may do nothing, whoever signed its
    certificate; nor may one whose name has passed to another device.
    """
    return "\n".join(_section(venue, name, key) for name, key in sorted(keys.items()))


def newcomers_access(venue: str) -> str:
    """Anybody may read who directs, ask, and read the answer to the name they have on the connection."""
    ask, told = (topics.newcomers_filter(venue, leaf).replace("+", "%c") for leaf in _NEWCOMERS_LEAVES)
    return _text([f"topic read {topics.director(venue)}", f"pattern write {ask}", f"pattern read {told}"])


def trust(certificates_of: Iterable[x509.Certificate]) -> dict[str, bytes]:
    """The files of the folder of trusted certificates, by the names under which OpenSSL looks for them."""
    files: dict[str, bytes] = {}
    for one in certificates_of:
        hashed = subject_hash(one.subject)
        number = sum(name.startswith(hashed) for name in files)
        files[f"{hashed}.{number}"] = certificates.pem(one)
    return files


def subject_hash(subject: x509.Name) -> str:
    """What ``openssl x509 -subject_hash`` says of a subject in small ASCII letters, as those of devices are.

    The first four bytes, turned round, of the SHA-1 of its canonical form: all in UTF-8, without the outermost header.
    """
    named = b"".join(_der(0x31, _attribute(one)) for one in subject)
    digest = hashlib.sha1(named, usedforsecurity=False).digest()
    return f"{int.from_bytes(digest[:4], 'little'):08x}"


def user(venue: str, name: str, key: str) -> str:
    """What mosquitto calls a device by its certificate (``use_subject_as_username``). Raises `CertificateError`."""
    return f"serialNumber={key},CN={certificates.subject(venue, name)}"


def _attribute(one: x509.NameAttribute[str | bytes]) -> bytes:
    kind = bytes.fromhex({NameOID.COMMON_NAME: "550403", NameOID.SERIAL_NUMBER: "550405"}[one.oid])
    return _der(0x30, _der(0x06, kind) + _der(0x0C, str(one.value).encode()))


def _section(venue: str, name: str, key: str) -> str:
    own = topics.device(venue, name, "state").removesuffix("/state")
    return _text([
        f"user {user(venue, name, key)}",
        f"topic write {own}/#",
        f"topic read {topics.device(venue, name, 'state')}",
        f"topic read {topics.director(venue)}",
        f"topic read {topics.broadcast_filter(venue)}",
        f"topic read {topics.reply_filter(venue, name)}",
    ])  # fmt: skip


def _head(most_bytes: int, user: str) -> list[str]:
    return [_COMMON.rstrip(), f"max_packet_size {most_bytes}", f"user {user}" if user else ""]


def _der(tag: int, content: bytes) -> bytes:
    return bytes([tag, len(content)]) + content  # the short form is enough for names of 64 letters


def _text(lines: Iterable[str]) -> str:
    return "\n".join(line for line in lines if line) + "\n"
