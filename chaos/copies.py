"""What lies on the disks of a house while its programs run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from appliance import kinds
from appliance.engine import Engine
from appliance.journal import Journal


def state_of(folder: Path, stream: str) -> Any:
    """What a stream tells by a device's copy. Raises OSError or JournalError."""
    with Journal(folder / "journal", read_only=True) as journal:
        return Engine(journal, kinds.KINDS, lambda: 0).state(stream)
