"""Pictures of a device without a place: ``tableside screen --screen spare-…`` (CONTRACT)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from appliance.display.view import SpareView, VenueSeen

_NAME, _CODE = "spare-1a2b3c", "47129355"
_SHOWN = SpareView(device=_NAME, code=_CODE, venues=(VenueSeen("Klub U Žabáka", shown=True),))

SPARES: Mapping[str, SpareView] = MappingProxyType(
    {
        "spare": _SHOWN,
        "spare-looking": replace(_SHOWN, venues=()),
        "spare-wrong": replace(_SHOWN, code="62841917", wrong=True),
        "spare-refused": replace(
            _SHOWN, venues=(*_SHOWN.venues, VenueSeen("Casino Olomouc", refused="device-revoked"))
        ),
        "spare-right": replace(_SHOWN, code="", pending=True),
        "spare-adopted": replace(_SHOWN, code="", pending=True, role="table", table=2),
    }
)
"""The screens by their names: it is shown to commissioners, looks for a venue, another code was typed, a venue does not
let it in, the code was right, and what it became."""
