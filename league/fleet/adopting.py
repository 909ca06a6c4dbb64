"""Devices that a commissioner adopted at the venue: the league learns of them from the venue's stream.

Whoever wrote that stream is the venue's director, so it is believed; the office is told, and may revoke them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from django.utils import timezone
from msgspec import Meta, Struct
from msgspec.structs import replace

from appliance import certificates
from appliance import record as rec
from appliance.certificates import CertificateError
from appliance.game.fleet import DeviceName, DeviceRole, KeyHex
from appliance.identity import public_key
from league.fleet.models import FormerKey
from league.ingest.alerts import Notice
from league.ingest.models import RawRecord
from league.ingest.text import kept
from league.rounds.models import Device

ADOPTED, DROPPED = "device-adopted/1", "device-dropped/1"


class _Adopted(Struct, frozen=True, kw_only=True):
    device: DeviceName
    key: KeyHex
    role: DeviceRole = "table"
    table: Annotated[int, Meta(ge=1, le=99)] | None = None
    opening: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")] = ""
    certificate: Annotated[str, Meta(max_length=4000)] = ""
    by: str = ""


class _Dropped(Struct, frozen=True, kw_only=True):
    device: DeviceName
    key: str = ""
    by: str = ""


class _Keyed(Struct, frozen=True, kw_only=True):
    key: str = ""


def adopt(venue: str, records: Sequence[bytes]) -> list[Notice]:
    """Take over what these records of ``venue/<id>`` say of devices; what the office should know of it."""
    notices: list[Notice] = []
    for record in map(rec.decode, records):
        try:
            if record.type == ADOPTED:
                told = msgspec.json.decode(record.data, type=_Adopted)
                why = _why_not_its_own(venue, told)
                known = _adopt(venue, replace(told, certificate="") if why else told)
                if why and not any(notice.code == "adoption-refused" for notice in known):
                    notices.append(Notice(venue, record.stream, "bad-certificate", f"{told.device}: {why}"))
                notices += known
            elif record.type == DROPPED:
                notices += _drop(venue, msgspec.json.decode(record.data, type=_Dropped))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            notices.append(Notice(venue, record.stream, "bad-adoption", f"{record.epoch} {record.seq}: {error}"))
    return notices


def _adopt(venue: str, told: _Adopted) -> list[Notice]:
    stream, by = f"venue/{venue}", kept(told.by, 64)
    known = Device.objects.filter(public_key=told.key).first()
    if known is not None and (known.venue_id, known.name) == (venue, told.device) and known.revoked_at is None:
        if known.adopted_by:
            _fill(known, told)
            known.save()
        return []  # told again, or enrolled meanwhile: the league's word stands
    named = Device.objects.filter(venue=venue, name=told.device).first()
    if known is not None or FormerKey.objects.filter(public_key=told.key).exists():
        why = f"its key is that of {known}" if known is not None else "its key was withdrawn"
    elif named is not None and named.revoked_at is None:
        why = "there is another device of this name"
    else:
        device = named or Device(venue_id=venue, name=told.device)
        if named is not None:
            put_aside(named, "adopted anew at the venue")
        device.revoked_at, device.revoked_reason, device.accepted_until = None, "", None
        device.adopted_by = by or "?"
        _fill(device, told)
        device.save()
        return [Notice(venue, stream, "device-adopted", f"{told.device}: {told.role}, by {by or '?'}")]
    return [Notice(venue, stream, "adoption-refused", f"{told.device}, by {by or '?'}: {why}")]


def _why_not_its_own(venue: str, told: _Adopted) -> str:
    """What is wrong with the certificate that is said to be the device's own; "" if nothing is, or there is none."""
    try:
        if told.certificate:
            own = certificates.from_text(told.certificate)
            certificates.check(own, venue, told.device, public_key(told.key))
    except CertificateError as error:
        return str(error)
    return ""


def _fill(device: Device, told: _Adopted) -> None:
    device.role, device.table = told.role, told.table if told.role == "table" else None
    device.public_key, device.opening_key, device.certificate = told.key, told.opening, told.certificate


def _drop(venue: str, told: _Dropped) -> list[Notice]:
    """What was adopted at the venue may be dropped there; what the office invited only the office revokes. One that was
    enrolled meanwhile the venue lets in no more: the office is told."""
    device = Device.objects.filter(venue=venue, name=told.device, revoked_at__isnull=True).first()
    if device is None:
        return []
    by = kept(told.by, 64) or "?"
    if not device.adopted_by:
        out = device.public_key == told.key
        why = f"{told.device}, by {by}: it is enrolled, and does not belong to the venue any more: revoke it"
        return [Notice(venue, f"venue/{venue}", "device-dropped", why)] if out else []
    device.revoked_at, device.revoked_reason = timezone.now(), f"dropped at the venue by {by}"
    device.save()
    return [Notice(venue, f"venue/{venue}", "device-dropped", f"{told.device}, by {by}")]


def dropped_keys(venue: str) -> frozenset[str]:
    """The keys that a venue lets in no more, by what its stream said last of each."""
    last: dict[str, bool] = {}
    told = RawRecord.objects.filter(stream=f"venue/{venue}", type__in=(ADOPTED, DROPPED)).order_by("pk")
    for raw, of in told.values_list("raw", "type"):
        try:
            last[msgspec.json.decode(rec.decode(bytes(raw)).data, type=_Keyed).key] = of == DROPPED
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
    return frozenset(key for key, dropped in last.items() if dropped and key)


def put_aside(device: Device, reason: str) -> None:
    """Keep the key that a device had, as one that no longer counts: it gets another. The device itself is not saved."""
    FormerKey.objects.update_or_create(
        public_key=device.public_key,
        defaults={
            "venue_id": device.venue_id, "device": device.name, "role": device.role, "certificate": device.certificate,
            "until": device.revoked_at or timezone.now(), "reason": device.revoked_reason or reason,
        },
    )  # fmt: skip
