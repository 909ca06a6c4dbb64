"""Enrolment at the league: invitations with a one-time code, and what happens when a device comes with one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple, cast
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import F

from appliance import certificates, enrolment
from appliance.certificates import Authority, CertificateError
from appliance.enrolment import Answer, BrokerAt, Code, Request
from appliance.game.fleet import DeviceRole
from appliance.identity import public_key
from league.fleet.adopting import put_aside
from league.fleet.models import WRONG_TRIES, Enrolment, FormerKey
from league.rounds.models import Device

LASTS = timedelta(hours=24)
BROKER = "TABLESIDE_LEAGUE_VENUE_BROKER"
"""Where venues reach the league's broker: ``mqtts://host[:port]``."""

_REFUSALS = {
    "bad-request": (400, "not a request for enrolment"),
    "too-large": (413, "the request is too large"),
    "unknown-invitation": (404, "there is no invitation with this code: look at its first four characters"),
    "wrong-code": (403, "the code is wrong"),
    "too-many-tries": (429, "this code was tried wrong too often and is void: ask for another one"),
    "invitation-ended": (410, "this code has ended: ask for another one"),
    "invitation-used": (409, "another device was enrolled with this code: ask for another one, and find out which"),
    "key-in-use": (409, "this device's key is another device's: delete device.key here, then try again"),
    "key-withdrawn": (409, "this device's key was revoked: delete device.key here, then try again"),
    "name-taken": (409, "there is a device of this name with another key: ask for an invitation that replaces it"),
    "no-authority": (503, "the league cannot sign certificates now: tell its office"),
}


class NotInvited(ValueError):
    """An invitation that cannot be; the text says why."""


class Refusal(NamedTuple):
    """Why not: a code of the protocol, and wrong codes that may still be tried, where that matters."""

    code: str
    left: int | None = None

    @property
    def status(self) -> int:
        """The HTTP status."""
        return _REFUSALS[self.code][0]

    @property
    def message(self) -> str:
        """The sentence for whoever stands at the device."""
        sentence = _REFUSALS[self.code][1]
        return sentence if self.left is None else f"{sentence}; {self.left} tries are left"


class League(NamedTuple):
    """Who enrols: its authority for certificates, its public key (hex), and where its broker is."""

    authority: Authority
    public_key: str
    broker: BrokerAt | None


def invite(
    venue: str, device: str, role: str, table: int | None, now: datetime, *, replaces: bool = False
) -> tuple[Enrolment, Code]:
    """Invite a device; the code is nowhere but in the answer. Earlier invitations of the name end.

    Raises `NotInvited`.
    """
    try:
        certificates.subject(venue, device)
    except CertificateError as error:
        raise NotInvited(str(error)) from None
    if role != Device.Role.TABLE and table is not None:
        raise NotInvited(f"a device with role {role} has no table number")
    standing = Device.objects.filter(venue=venue, name=device, revoked_at__isnull=True).first()
    if standing is not None and standing.certificate and not replaces and not standing.adopted_by:
        raise NotInvited(f"there is a device {standing}; to give its place to another one: --replace")
    with transaction.atomic():
        Enrolment.objects.filter(venue=venue, device=device, ends_at__gt=now).update(ends_at=now)
        code = enrolment.new_code()
        while Enrolment.objects.filter(invitation=code.invitation).exists():
            code = enrolment.new_code()
        made = Enrolment.objects.create(
            venue_id=venue, device=device, role=role, table=table, replaces=replaces,
            invitation=code.invitation, code_key=code.key.hex(), invited_at=now, ends_at=now + LASTS,
        )  # fmt: skip
    return made, code


def enrol(body: bytes, now: datetime, league: League, told: Callable[[str], object]) -> bytes | Refusal:
    """Answer a request: the device's certificate, or why not. The same device again gets it again.

    ``told`` is called with the venue, within the same transaction, to tell it of the device. A wrong code is counted
    whatever else fails.
    """
    try:
        request = enrolment.read_request(body)
    except enrolment.EnrolmentError:
        return Refusal("bad-request")
    found = Enrolment.objects.filter(invitation=request.invitation).first()
    if found is None:  # before anything is locked: anybody may ask, and often
        return Refusal("unknown-invitation")
    if (why := found.why_closed(now)) != "":
        return Refusal(why)
    with transaction.atomic():
        invitation = Enrolment.objects.select_for_update(no_key=True).get(pk=found.pk)
        code_key = bytes.fromhex(invitation.code_key)
        refused = _why_not(invitation, request, code_key, now)
        if refused is not None:
            return refused
        device = _device(invitation, request, league.authority)
        if isinstance(device, Refusal):
            return device
        invitation.used_at, invitation.public_key = invitation.used_at or now, request.key
        invitation.save(update_fields=["used_at", "public_key"])
        told(device.venue_id)
    return enrolment.answer(_answer(device, league), request, code_key)


def venue_broker(environ: Mapping[str, str] = os.environ) -> BrokerAt | None:
    """The broker that venues are told of. Raises ValueError if the environment names none that could be."""
    url = environ.get(BROKER)
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path.strip("/"):
        raise ValueError(f"{BROKER}: must be mqtts://host:port or mqtt://host:port")
    tls = parts.scheme == "mqtts"
    return BrokerAt(host=parts.hostname, port=parts.port or (8883 if tls else 1883), tls=tls)


# -- inside ----------------------------------------------------------------------------------------------------------


def _why_not(invitation: Enrolment, request: Request, code_key: bytes, now: datetime) -> Refusal | None:
    """A closed invitation is closed to a right code, too, so that nobody can go on guessing by the answers."""
    if (why := invitation.why_closed(now)) != "":
        return Refusal(why)
    if not enrolment.knows_code(request, code_key):
        Enrolment.objects.filter(pk=invitation.pk).update(wrong_tries=F("wrong_tries") + 1)
        left = WRONG_TRIES - invitation.wrong_tries - 1
        return Refusal("wrong-code", left) if left else Refusal("too-many-tries")
    if not enrolment.has_key(request):
        return Refusal("bad-request")
    if invitation.used_at is not None and invitation.public_key != request.key:
        return Refusal("invitation-used")
    return None


def _device(invitation: Enrolment, request: Request, authority: Authority) -> Device | Refusal:
    """The device as it is enrolled now, with its certificate; saved."""
    venue, name = invitation.venue_id, invitation.device
    if FormerKey.objects.filter(public_key=request.key).exists():
        return Refusal("key-withdrawn")
    owner = Device.objects.filter(public_key=request.key).first()
    if owner is not None and owner.revoked_at is not None:
        return Refusal("key-withdrawn")
    if owner is not None and (owner.venue_id, owner.name) != (venue, name):
        return Refusal("key-in-use")
    device = owner or Device.objects.filter(venue=venue, name=name).first() or Device(venue_id=venue, name=name)
    if owner is None and device.pk is not None:
        if device.revoked_at is None and not invitation.replaces:
            return Refusal("name-taken")
        put_aside(device, "another device took its place")
        device.certificate, device.revoked_at, device.revoked_reason, device.accepted_until = "", None, "", None
    device.role, device.table = invitation.role, invitation.table
    device.public_key, device.opening_key, device.adopted_by = request.key, request.opening, ""
    if not _stands(device, authority):
        made = certificates.issue(authority, venue, name, public_key(request.key))
        device.certificate = certificates.to_text(made)
    device.save()
    return device


def _stands(device: Device, authority: Authority) -> bool:
    """Whether it has a certificate of this authority over this key already."""
    try:
        held = certificates.from_text(device.certificate)
        certificates.check(held, device.venue_id, device.name, public_key(device.public_key), authority.certificate)
    except CertificateError:
        return False
    return True


def _answer(device: Device, league: League) -> Answer:
    return Answer(
        venue=device.venue_id, device=device.name, role=cast(DeviceRole, device.role), table=device.table,
        certificate=device.certificate, authority=certificates.to_text(league.authority.certificate),
        public_key=league.public_key, broker=league.broker,
    )  # fmt: skip
