"""What the league publishes: announcements, and the price list, the rules and the game plan in editions (LG-9, LG-12).

An edition is written as a draft. Once published it has a number and is never changed: the next one takes its place
on the day that it names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from league.rounds.models import SeasonAct, Venue
from league.texts import check_texts

LONGEST_TITLE = 100
LONGEST_WORD = 1000
LONGEST_BRIEF = 1000
LONGEST_TEXT = 100_000
MOST_PRICES = 30
LONGEST_LABEL = 60
HIGHEST_PRICE = 1_000_000


class Announcement(models.Model):
    """A word of the league from a moment to another, on its pages and on the screens of venues (LG-9).

    Without English it stands in Czech for both. ``venues``: whose screens show it, unless ``everywhere``. ``act``: the
    decision about a season of which it tells; a later one that contradicts it withdraws it (LG-11).
    """

    title_cs = models.CharField(_("headline in Czech"), max_length=LONGEST_TITLE)
    title_en = models.CharField(_("headline in English"), max_length=LONGEST_TITLE, blank=True)
    text_cs = models.TextField(_("text in Czech"), max_length=LONGEST_WORD, blank=True)
    text_en = models.TextField(_("text in English"), max_length=LONGEST_WORD, blank=True)
    since = models.DateTimeField(_("from"))
    until = models.DateTimeField(_("to"), null=True, blank=True)
    on_site = models.BooleanField(_("on the league's pages"), default=True)
    everywhere = models.BooleanField(_("on the screens of all venues"), default=True)
    venues = models.ManyToManyField(Venue, verbose_name=_("venues"), blank=True, related_name="announcements")
    by = models.CharField(_("by"), max_length=150, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)
    act = models.ForeignKey(
        SeasonAct, verbose_name=_("decision about a season"), on_delete=models.PROTECT, null=True, blank=True,
        editable=False, related_name="announcements",
    )  # fmt: skip

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-since", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=models.F("since")), name="announcement_ends_after_start"
            )
        ]

    def __str__(self) -> str:
        return self.title_cs

    def clean(self) -> None:
        """Refuse what no screen can show, and an end before the start."""
        check_texts(self, "title_cs", "title_en", "text_cs", "text_en")
        if self.since and self.until and self.until <= self.since:
            raise ValidationError({"until": _("It would end before it starts.")})

    def stands(self, now: datetime) -> bool:
        """Whether it is to be read now."""
        return self.withdrawn_at is None and self.since <= now and (self.until is None or now < self.until)

    @property
    def title(self) -> str:
        """The headline in the page's language."""
        return (self.title_en if get_language() == "en" else "") or self.title_cs

    @property
    def text(self) -> str:
        """The text in the page's language."""
        return (self.text_en if get_language() == "en" else "") or self.text_cs


class Price(NamedTuple):
    """A line of the price list; ``code`` is what other parts of the league know it by, ``crowns`` whole CZK."""

    code: str
    cs: str
    en: str
    crowns: int

    @property
    def label(self) -> str:
        """What is paid for, in the page's language."""
        return (self.en if get_language() == "en" else "") or self.cs


class Edition(models.Model):
    """A version of the price list, of the rules or of the game plan, and the day from which it holds.

    ``brief`` is what the screens of venues show of it, ``text`` the whole. ``number`` counts the published ones.
    """

    class Kind(models.TextChoices):
        RULES = "rules", _("rules")
        PLAN = "plan", _("game plan")
        PRICES = "prices", _("price list")

    kind = models.CharField(_("what"), max_length=8, choices=Kind.choices)
    number = models.PositiveSmallIntegerField(_("version"), null=True, editable=False)
    effective_on = models.DateField(_("in force from"))
    brief_cs = models.TextField(_("on screens, in Czech"), max_length=LONGEST_BRIEF, blank=True)
    brief_en = models.TextField(_("on screens, in English"), max_length=LONGEST_BRIEF, blank=True)
    text_cs = models.TextField(_("whole text in Czech"), max_length=LONGEST_TEXT, blank=True)
    text_en = models.TextField(_("whole text in English"), max_length=LONGEST_TEXT, blank=True)
    price_rows = models.JSONField(_("prices"), default=list, blank=True, editable=False)
    by = models.CharField(_("by"), max_length=150, blank=True, editable=False)
    published_at = models.DateTimeField(_("published at"), null=True, editable=False)
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, editable=False)

    class Meta:
        verbose_name = _("edition")
        verbose_name_plural = _("editions")
        ordering = ["kind", "-effective_on", "-number", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "number"], name="editions_are_numbered"),
            models.CheckConstraint(
                condition=Q(number__isnull=True, published_at__isnull=True)
                | Q(number__isnull=False, published_at__isnull=False),
                name="published_editions_have_numbers",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number or '–'}"

    def clean(self) -> None:
        """Refuse what no screen can show."""
        check_texts(self, "brief_cs", "brief_en", "text_cs", "text_en")

    @property
    def is_draft(self) -> bool:
        """Whether it can still be edited."""
        return self.published_at is None

    @property
    def prices(self) -> list[Price]:
        """The lines of a price list."""
        return list(read_prices(self.price_rows))

    @property
    def text(self) -> str:
        """The whole text in the page's language."""
        return (self.text_en if get_language() == "en" else "") or self.text_cs

    @property
    def brief(self) -> str:
        """What screens show, in the page's language."""
        return (self.brief_en if get_language() == "en" else "") or self.brief_cs

    @property
    def in_czech_only(self) -> bool:
        """Whether there is no English of it."""
        return bool(self.text_cs) and not self.text_en

    @property
    def hash(self) -> str:
        """SHA-256 of all that it says, in hex: the version that somebody accepted is this text and no other."""
        said = [self.kind, self.brief_cs, self.brief_en, self.text_cs, self.text_en, [list(p) for p in self.prices]]
        return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()


def read_prices(rows: Any) -> Iterator[Price]:
    """Prices as the database has them."""
    for row in rows if isinstance(rows, list) else []:
        yield Price(row["code"], row["cs"], row.get("en", ""), row["crowns"])


def write_prices(prices: list[Price]) -> list[dict[str, Any]]:
    """Prices as the database keeps them."""
    return [price._asdict() for price in prices]
