"""Which edition is in force on a day, and how one is published or taken back before its day (LG-12)."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from league.notices.models import Edition, Price


class NotPublishable(ValueError):
    """The draft cannot be published, or the edition not taken back; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def published(kind: str) -> QuerySet[Edition]:
    """All published editions of a kind that were not taken back, the latest day first."""
    found = Edition.objects.filter(kind=kind, published_at__isnull=False, withdrawn_at__isnull=True)
    return found.order_by("-effective_on", "-number")


def in_force(kind: str, day: date | None = None) -> Edition | None:
    """The edition that holds on a day, today without one; of two from the same day the later one."""
    return published(kind).filter(effective_on__lte=day or timezone.localdate()).first()


def upcoming(kind: str, day: date | None = None) -> list[Edition]:
    """Those published for later days, the next first."""
    return list(published(kind).filter(effective_on__gt=day or timezone.localdate()).order_by("effective_on", "number"))


def price(code: str, day: date | None = None) -> Price | None:
    """A line of the price list in force on a day, by its code; None where there is no such line or no list."""
    edition = in_force(Edition.Kind.PRICES, day)
    return None if edition is None else next((line for line in edition.prices if line.code == code), None)


def publish(draft: Edition, by: str, today: date | None = None) -> Edition:
    """Give a draft its number. Raises `NotPublishable`: ``published``, ``past`` (its day is over) or ``empty``."""
    with transaction.atomic():
        # all of the kind are locked: two that are published at once have numbers of their own
        list(Edition.objects.select_for_update(no_key=True).filter(kind=draft.kind).order_by("pk").values_list("pk"))
        fresh = Edition.objects.get(pk=draft.pk)
        if not fresh.is_draft:
            raise NotPublishable("published")
        if fresh.effective_on < (today or timezone.localdate()):
            raise NotPublishable("past")
        if not (
            fresh.prices if fresh.kind == Edition.Kind.PRICES else fresh.text_cs.strip() and fresh.brief_cs.strip()
        ):
            raise NotPublishable("empty")
        last = Edition.objects.filter(kind=fresh.kind).aggregate(last=Max("number"))["last"]
        fresh.number, fresh.published_at, fresh.by = (last or 0) + 1, timezone.now(), by
        fresh.save()
    return fresh


def keep(draft: Edition, **fields: Any) -> None:
    """Write these fields of a draft. Raises `NotPublishable`: ``published``, if it was meanwhile."""
    with transaction.atomic():
        fresh = _draft(draft)
        for name, value in fields.items():
            setattr(fresh, name, value)
        fresh.save(update_fields=list(fields))


def discard(draft: Edition) -> None:
    """Throw a draft away. Raises `NotPublishable`: ``published``."""
    with transaction.atomic():
        _draft(draft).delete()


def _draft(draft: Edition) -> Edition:
    fresh = Edition.objects.select_for_update(no_key=True).get(pk=draft.pk)
    if not fresh.is_draft:
        raise NotPublishable("published")
    return fresh


def withdraw(edition: Edition, today: date | None = None) -> Edition:
    """Take back a published edition whose day has not come. Raises `NotPublishable`: ``draft`` or ``in-force``."""
    with transaction.atomic():
        fresh = Edition.objects.select_for_update(no_key=True).get(pk=edition.pk)
        if fresh.is_draft:
            raise NotPublishable("draft")
        if fresh.effective_on <= (today or timezone.localdate()):
            raise NotPublishable("in-force")
        fresh.withdrawn_at = fresh.withdrawn_at or timezone.now()
        fresh.save()
    return fresh


def new_draft(kind: str, by: str, effective_on: date) -> Edition:
    """A draft that begins with what the latest published edition of the kind says."""
    last = published(kind).order_by("-number").first()
    draft = Edition(kind=kind, by=by, effective_on=effective_on)
    if last is not None:
        for name in ("brief_cs", "brief_en", "text_cs", "text_en", "price_rows"):
            setattr(draft, name, getattr(last, name))
    draft.save()
    return draft
