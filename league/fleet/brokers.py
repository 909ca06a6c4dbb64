"""Access lists for the league's broker: which device may say and hear what.

A device of a venue, whichever of them carries its records, writes that venue's ``up`` topics and reads its ``dn``
topics. The ingest does the rest. Whoever is not on the list, a revoked device among them, may do nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from appliance import certificates
from appliance.certificates import CertificateError
from appliance.link import topics
from league.rounds.models import Device

INGEST = "ingest"
"""The user name of the league's own programs; no certificate bears it, as those have a dot."""


_log = logging.getLogger(__name__)


class Carrier(NamedTuple):
    """Who may carry for which venue: the name in the certificate, the venue, and the key beside the name."""

    user: str
    venue: str
    key: str


def carriers() -> Iterator[Carrier]:
    """Devices with a certificate of the league that was not withdrawn. After a takeover any of them carries."""
    valid = Device.objects.filter(revoked_at__isnull=True).exclude(certificate="").exclude(role=Device.Role.CLOCK)
    for device in valid.order_by("venue", "name"):
        try:
            held = certificates.from_text(device.certificate)
            user = certificates.subject(device.venue_id, device.name)
        except CertificateError as error:
            _log.error("%s may not carry: %s", device, error)  # one venue's trouble is not the others'
            continue
        if not certificates.is_self_signed(held):
            yield Carrier(user, device.venue_id, device.public_key)


def mosquitto_acl() -> str:
    """The file for ``acl_file`` (mosquitto.conf(5)), with ``use_subject_as_username`` on the venues' listener."""
    lines = ["# Who may do what at the league's broker: tableside league ca broker-acl. Others may do nothing."]
    lines += [f"user {INGEST}", f"topic readwrite {topics.ROOT}/#"]
    for user, venue, key in carriers():
        lines += ["", f"user serialNumber={key},CN={user}"]
        lines += [f"topic readwrite {_up(venue)}/#", f"topic read {_down(venue)}/#"]
    return "\n".join(lines) + "\n"


def nats_users() -> str:
    """The ``authorization`` block of a NATS server whose ``mqtt`` block has TLS with ``verify_and_map``.

    The ingest's password, letters and digits, comes from the server's environment. Topics are subjects there, by dots.
    """
    everything = f"{topics.ROOT.replace('/', '.')}.>"
    users = [_user({"user": INGEST}, [everything], [everything], ", password: $TABLESIDE_INGEST_PASSWORD")]
    for user, venue, key in carriers():
        up, down = (f"{part.replace('/', '.')}.>" for part in (_up(venue), _down(venue)))
        users.append(_user({"user": f"CN={user},SERIALNUMBER={key}"}, [up], [up, down]))
    return "authorization {\n  users: [\n" + "".join(f"    {user}\n" for user in users) + "  ]\n}\n"


def _user(name: dict[str, str], publish: list[str], subscribe: list[str], more: str = "") -> str:
    who = _json(name)[1:-1] + more
    return f"{{{who}, permissions: {{publish: {_json(publish)}, subscribe: {_json(subscribe)}}}}}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _up(venue: str) -> str:
    return topics.up(venue, "ev").rpartition("/")[0]


def _down(venue: str) -> str:
    return topics.down(venue, "ev").rpartition("/")[0]
