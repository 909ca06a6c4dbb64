from __future__ import annotations

import sys
from collections.abc import Container
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from appliance import certificates
from appliance.certificates import Authority, CertificateError
from league.command import LeagueCommand, whole_number
from league.fleet import adopting, authority, brokers, enrolling, revoking
from league.fleet.authority import AuthorityError
from league.fleet.models import Enrolment
from league.fleet.publishing import MOST_TABLE, publish_devices, vouch
from league.ingest.own_pen import own_pen
from league.rounds.models import Device, Venue

MOST_HOURS = 7 * 24


class Command(LeagueCommand):
    help = (
        "The authority for the venues' devices: invite, list and revoke them, and what the league's broker needs to "
        f"tell them apart. {authority.VARIABLE}, where it is set, seals the authority's key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        init = actions.add_parser("init", help="make the authority, once")
        init.add_argument("--name", default="Tableside league", help="what its certificate calls it")
        actions.add_parser("show", help="print the authority's certificate, and its fingerprint")
        invite = actions.add_parser("invite", help="a one-time code, by which a device is enrolled within 24 hours")
        _place(invite)
        invite.add_argument("--role", required=True, choices=[str(role) for role in Device.Role.values])
        invite.add_argument("--table", type=whole_number, help="the table's number; a spare has none")
        invite.add_argument("--replace", action="store_true", help="it takes the place of the device of this name")
        listing = actions.add_parser("list", help="devices and open invitations")
        listing.add_argument("venue", nargs="?")
        revoke = actions.add_parser("revoke", help="take nothing more from a device: stolen, lost, given away")
        _place(revoke)
        revoke.add_argument("--reason", required=True)
        accept = actions.add_parser("accept", help="take, for a time, what a revoked device had signed and not sent")
        _place(accept)
        accept.add_argument("--hours", type=whole_number, default=24)
        acl = actions.add_parser("broker-acl", help="the access list of the league's broker")
        acl.add_argument("--nats", action="store_true", help="for nats-server instead of mosquitto")
        actions.add_parser("crl", help="the list of revoked certificates, for the league's broker")
        server = actions.add_parser("server", help="a certificate for the league's own broker")
        server.add_argument("host", help="the name or address by which venues reach it")
        server.add_argument("--out", type=Path, required=True, metavar="DIR", help="broker.crt and broker.key go there")

    def handle(self, *args: Any, **options: Any) -> None:
        actions = {
            "init": self._init, "show": self._show, "invite": self._invite, "list": self._list,
            "revoke": self._revoke, "accept": self._accept, "broker-acl": self._broker_acl, "crl": self._crl,
            "server": self._server,
        }  # fmt: skip
        try:
            actions[options["action"]](options)
        except (AuthorityError, CertificateError) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from None

    def _init(self, options: dict[str, Any]) -> None:
        made = authority.make(settings.DATA_DIR, options["name"])
        self.stdout.write(f"{settings.DATA_DIR / authority.KEY}: keep a copy where only you find it")
        self._fingerprint(made)

    def _show(self, options: dict[str, Any]) -> None:
        self.stdout.write(authority.certificate(settings.DATA_DIR).decode())
        self._fingerprint(authority.load(settings.DATA_DIR))

    def _fingerprint(self, own: Authority) -> None:
        self.stdout.write(f"SHA-256 {own.certificate.fingerprint(hashes.SHA256()).hex()}")

    def _invite(self, options: dict[str, Any]) -> None:
        authority.load(settings.DATA_DIR)  # rather here than before the device
        table = options["table"]
        if not Venue.objects.filter(pk=options["venue"]).exists():
            raise CommandError(f"there is no venue {options['venue']!r}", returncode=2)
        if table is not None and not 1 <= table <= MOST_TABLE:
            raise CommandError(f"--table: 1 to {MOST_TABLE}", returncode=2)
        try:
            _, code = enrolling.invite(
                options["venue"], options["device"], options["role"], table, timezone.now(),
                replaces=options["replace"],
            )  # fmt: skip
        except enrolling.NotInvited as error:
            raise CommandError(str(error), returncode=2) from None
        self.stdout.write(str(code))
        print("good for 24 hours and one device; it is shown this once", file=sys.stderr)

    def _list(self, options: dict[str, Any]) -> None:
        of = {"venue": options["venue"]} if options["venue"] else {}
        now = timezone.now()
        dropped: dict[str, frozenset[str]] = {}
        for device in Device.objects.filter(**of):
            if device.venue_id not in dropped:
                dropped[device.venue_id] = adopting.dropped_keys(device.venue_id)
            table = "" if device.table is None else f" {device.table}"
            opening = f", opening key {device.opening_key}" if device.opening_key else ""
            self.stdout.write(f"{device} {device.role}{table} {_state(device, dropped[device.venue_id])}{opening}")
        for invited in Enrolment.objects.filter(used_at__isnull=True, ends_at__gt=now, **of):
            why = "void" if invited.why_closed(now) else f"until {_time(invited.ends_at)}"
            self.stdout.write(f"{invited} {invited.role} invited ({invited.invitation}…), {why}")

    def _revoke(self, options: dict[str, Any]) -> None:
        device = _device(options)
        new = revoking.revoke(device, options["reason"][:200], timezone.now())
        pen = own_pen()
        more = publish_devices(device.venue_id, pen) == 0 and vouch(device, pen)
        self.stdout.write(f"revoked {device}" if new else f"{device} was revoked already: {device.revoked_reason}")
        if more:
            self.stdout.write(f"{device.venue_id} is told anew how far it had signed: more had come since")
        print("give the league's broker its access list and its crl anew, and have it read them", file=sys.stderr)

    def _accept(self, options: dict[str, Any]) -> None:
        device, hours = _device(options), options["hours"]
        if not 1 <= hours <= MOST_HOURS:
            raise CommandError(f"--hours: 1 to {MOST_HOURS}", returncode=2)
        if device.revoked_at is None:
            raise CommandError(f"{device} is not revoked", returncode=2)
        until = timezone.now() + timedelta(hours=hours)
        revoking.accept(device, until)
        self.stdout.write(f"what {device} signed is taken until {_time(until)}")

    def _broker_acl(self, options: dict[str, Any]) -> None:
        self.stdout.write(brokers.nats_users() if options["nats"] else brokers.mosquitto_acl(), ending="")

    def _crl(self, options: dict[str, Any]) -> None:
        own = authority.load(settings.DATA_DIR)
        listed = certificates.revocations(own, revoking.withdrawn(), timezone.now())
        self.stdout.write(listed.public_bytes(serialization.Encoding.PEM).decode(), ending="")

    def _server(self, options: dict[str, Any]) -> None:
        own, key, out = authority.load(settings.DATA_DIR), Ed25519PrivateKey.generate(), options["out"]
        made = certificates.issue_server(own, options["host"], key.public_key())
        pkcs8 = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        authority.write(out / "broker.key", pkcs8, 0o600)
        authority.write(out / "broker.crt", certificates.pem(made), 0o644)
        self.stdout.write(f"{out / 'broker.crt'}, {out / 'broker.key'}: {options['host']}")


def _time(at: datetime) -> str:
    return timezone.localtime(at).isoformat(timespec="minutes")


def _place(parser: CommandParser) -> None:
    parser.add_argument("venue")
    parser.add_argument("device", help="the device's id at the venue")


def _device(options: dict[str, Any]) -> Device:
    device = Device.objects.filter(venue=options["venue"], name=options["device"]).first()
    if device is None:
        raise CommandError(f"there is no device {options['venue']}/{options['device']}", returncode=2)
    return device


def _state(device: Device, dropped: Container[str]) -> str:
    if device.revoked_at is not None:
        taken = device.accepted_until
        more = f", taken until {_time(taken)}" if taken is not None and taken > timezone.now() else ""
        return f"revoked {_time(device.revoked_at)}: {device.revoked_reason or '-'}{more}"
    if device.adopted_by:
        return f"adopted at the venue by {device.adopted_by}"
    known = "enrolled" if device.certificate else "known by its key"
    return f"{known}, dropped at the venue: revoke it" if device.public_key in dropped else known
