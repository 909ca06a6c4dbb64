"""The forms of a phone, by the name that the server knows them by."""

from __future__ import annotations

from appliance.console.views.formpages import form

__all__ = ["form"]
