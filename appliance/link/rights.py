"""What a device may send to the director on its own account."""

from __future__ import annotations

from appliance.link import topics

UPLINK = "uplink"
"""The device that brings the league's stream; it needs no copies, it reads the director's file."""


def may_write(venue: str, device: str, stream: str) -> bool:
    """Whether a device may send this stream: the uplink the league's, any other a table of the venue."""
    if device == UPLINK:
        return stream == f"league/{venue}"
    return stream.startswith("table/") and topics.owned_by(venue, stream)
