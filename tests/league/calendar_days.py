"""Another day for tests: what the league asks of the calendar, not its clock."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.utils import timezone

_localdate = timezone.localdate


def on(patch: pytest.MonkeyPatch, day: date) -> None:
    """From now on it is this day, to whoever asks which day it is."""

    def localdate(value: Any = None, timezone: Any = None) -> date:
        return day if value is None else _localdate(value, timezone)

    patch.setattr(timezone, "localdate", localdate)
