"""Paper cards for tests: synthetic people, whose birth numbers are good while the clock stands in 2072."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

DAY = datetime(2072, 6, 15, 9, tzinfo=UTC)
WOMAN, MAN = "505307/9999", "500307/9994"

CARD = {
    "title": "Ing.", "first_name": "Žofie", "surname": "Příkopová", "email": "zofie@hraci.example",
    "language": "", "home_venue": "", "birth_number": WOMAN, "birth_date": "", "document": "",
    "street": "Dlouhá 7", "town": "Zábřeh", "postcode": "789 01", "country": "Česká republika",
    "citizenship": "Česká republika",
}  # fmt: skip


def stand_at(monkeypatch: pytest.MonkeyPatch, at: datetime = DAY) -> None:
    """Have the league's clock stand at this time."""
    from django.utils import timezone

    monkeypatch.setattr(timezone, "now", lambda: at)


def registered(*, another: bool = False, consents: Any = None, **changes: Any) -> Any:
    """Somebody registered from a paper card by the clerk."""
    from league.people.acts import By
    from league.people.models import ConsentKind
    from league.people.registering import Signed, register
    from league.privacy.models import PaperCard

    signed = Signed(date(2072, 6, 14), PaperCard.Proof.IDENTITY_CARD, "000900", "000900")
    given = set(ConsentKind) if consents is None else consents
    return register(CARD | changes, given, signed, By("clerk"), another=another)
