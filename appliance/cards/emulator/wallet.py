"""A folder of simulated cards: one file a card, by its name, with what the card remembers (keys included)."""

from __future__ import annotations

import json
import re
from pathlib import Path

from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424

_NAME = re.compile(r"[\w.-]{1,64}")

Card = EmulatedNtag424 | EmulatedNtag21x


class Wallet:
    """Cards are taken from their files, and put back with what they remember."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, name: str) -> Card:
        """The card of a name in the folder, or of a file's path; ValueError when there is none."""
        path = self._path(name)
        try:
            return load(path)
        except OSError as error:
            raise ValueError(f"no card {name[:40]!r}: {error.strerror}") from None
        except ValueError as error:
            raise ValueError(f"card {name[:40]!r}: {error}") from None

    def keep(self, name: str, card: object) -> None:
        """Put a card back, or in for the first time."""
        if not isinstance(card, EmulatedNtag424 | EmulatedNtag21x):
            raise TypeError(f"no card of a wallet: {type(card).__name__}")
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        card.save(path)

    @property
    def names(self) -> list[str]:
        """What is in the folder."""
        return sorted(path.stem for path in self._folder.glob("*.json"))

    def _path(self, name: str) -> Path:
        if "/" in name:
            return Path(name)
        if not _NAME.fullmatch(name):
            raise ValueError(f"no name of a card: {name[:40]!r}")
        return self._folder / f"{name}.json"


def load(path: Path) -> Card:
    """The card of a file; OSError when there is none, ValueError when it holds no card: by what it says it is."""
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a simulated card: JSON is malformed: {error}") from None
    kind = content.get("card") if isinstance(content, dict) else None
    if kind == "ntag424":
        return EmulatedNtag424.load(path)
    if kind in Model.__members__:
        return EmulatedNtag21x.load(path)
    if kind is None:
        raise ValueError(f"not a simulated card: it does not say which card it is ({KINDS})")
    raise ValueError(f"not a simulated card: it says it is {str(kind)[:40]!r}, none of {KINDS}")


KINDS = ", ".join(("ntag424", *Model.__members__))
"""What the field ``card`` of a card's file may say."""
