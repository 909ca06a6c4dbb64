"""A day as forms take it."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

FIRST, LAST = date(1850, 1, 1), date(2999, 12, 31)
"""Far from the calendar's ends: days are made into moments, in other zones, and counted on from."""


class DayField(forms.DateField):
    """Django's field, by the browser's own calendar or typed; a day beyond any that can be meant is none."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date", "autocomplete": "off"}, format="%Y-%m-%d")
        super().__init__(**({"widget": widget} | options))

    def to_python(self, value: Any) -> date | None:
        day = super().to_python(value)
        if day is not None and not FIRST <= day <= LAST:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return day
