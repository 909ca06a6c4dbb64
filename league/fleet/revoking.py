"""Devices that were stolen, lost or given away: taken out at the league, its broker and, by its word, at the venue."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from appliance import certificates
from appliance.certificates import CertificateError, Withdrawn
from league.fleet.models import FormerKey
from league.rounds.models import Device


def revoke(device: Device, reason: str, now: datetime) -> bool:
    """Take nothing more from a device; False if it is revoked already. What it signed and the league has stays."""
    if device.revoked_at is not None:
        return False
    device.revoked_at, device.revoked_reason, device.accepted_until = now, reason, None
    device.save(update_fields=["revoked_at", "revoked_reason", "accepted_until"])
    return True


def accept(device: Device, until: datetime) -> None:
    """Take, until then, what a revoked device had signed and the league had not got.

    What others wrote after it continues its records, so without them an evening would stay where it was. A person
    decides: who has the device could sign more.
    """
    device.accepted_until = until
    device.save(update_fields=["accepted_until"])


def withdrawn() -> Iterator[Withdrawn]:
    """The certificates that no longer count."""
    for text, at in [
        *Device.objects.filter(revoked_at__isnull=False).values_list("certificate", "revoked_at"),
        *FormerKey.objects.values_list("certificate", "until"),
    ]:
        try:
            made = certificates.from_text(text)
        except CertificateError:
            continue
        if at is not None and not certificates.is_self_signed(made):
            yield Withdrawn(made.serial_number, at)
