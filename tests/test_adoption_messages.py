"""What an adoption's two sides say to each other, from hands that nobody knows."""

from __future__ import annotations

import pytest

from appliance import adoption
from appliance.adoption import BadMessage


@pytest.mark.parametrize("payload", [b"", b"{}", b"[" * 9000, b'{"say":"ask"}', b"x" * 20_000, b"\xff"])
def test_garbage_is_no_message(payload: bytes) -> None:
    for read in (adoption.read_from_device, adoption.read_from_director):
        with pytest.raises(BadMessage):
            read(payload)
