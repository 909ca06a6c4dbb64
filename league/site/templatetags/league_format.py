"""How points and crowns look on a page, in the page's language."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django import template
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

register = template.Library()


@register.filter
def points(half_points: int) -> str:
    """Half points as points: 195 → "97,5" in Czech, "97.5" in English; whole ones without a fraction."""
    whole, half = divmod(half_points, 2)
    return number_format(Decimal(half_points) / 2, 1 if half else 0, force_grouping=whole >= 10_000)


@register.filter
def crowns(amount: int) -> str:
    """An amount of whole Czech crowns with its unit."""
    return _("CZK %(amount)s") % {"amount": number_format(amount, 0, force_grouping=True)}


@register.filter
def chips(amount: int) -> str:
    """A number of chips, grouped by thousands."""
    return number_format(amount, 0, force_grouping=True)


@register.filter
def percent(share: str) -> str:
    """A share in percent, given as a decimal string."""
    decimals = len(share.partition(".")[2])
    return _("%(share)s%%") % {"share": number_format(Decimal(share), decimals)}


@register.filter(expects_localtime=True)
def tile_day(at: datetime) -> str:
    """The day of a date above its month, in Czech an ordinal number: "30." above "listopadu"."""
    return date_format(at, pgettext("format of the day above its month", "j"))
