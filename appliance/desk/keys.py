"""The desk's keys: masters of the cards' keys by number and version, and the key that signs the cards' records.

They exist on the desk alone. What leaves it is made of them for one card (`DeskKeys.card_key`) or is public.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.cards.aes import cmac, diversify
from appliance.cards.layout import SYSTEM_ID
from appliance.cards.ntag424 import FACTORY_KEY, KEYS
from appliance.cards.secret import Secret

FACTORY = 0
"""The key version of a delivered card; the league's own run from 1 to `LAST_VERSION`."""
LAST_VERSION = 254


class NoSuchVersion(LookupError):
    """A key version that this key file does not have."""

    def __init__(self, version: int) -> None:
        super().__init__(f"no keys of version {version} in the key file")
        self.version = version


@dataclass(frozen=True, slots=True)
class DeskKeys:
    """All keys of one league's cards.

    ``league``: its short name, as it stands in the cards' records; ``link``: where a phone that reads a card is sent;
    ``version``: of the keys that new cards get; ``masters``: the master keys 0 to 4 of every version in use.
    """

    league: str
    link: str
    system_id: bytes
    version: int
    masters: Mapping[int, tuple[Secret, ...]] = field(repr=False)
    signing: Ed25519PrivateKey = field(repr=False)

    def card_key(self, uid: bytes, key_no: int, version: int) -> Secret:
        """A card's own key of a version, the factory's for `FACTORY`. Raises `NoSuchVersion`."""
        if version == FACTORY:
            return FACTORY_KEY
        if version not in self.masters:
            raise NoSuchVersion(version)
        return diversify(self.masters[version][key_no], uid, key_no, self.system_id)

    @property
    def public(self) -> str:
        """The public half of the signing key in hex: what venues check records with."""
        return self.signing.public_key().public_bytes_raw().hex()

    def check_values(self, version: int) -> tuple[str, ...]:
        """Three bytes of each master key's CMAC over a block of zeros, in hex: equal for equal keys, and no help to
        find one. For comparing two key files, and a key file with its paper."""
        if version not in self.masters:
            raise NoSuchVersion(version)
        return tuple(cmac(master, bytes(16))[:3].hex().upper() for master in self.masters[version])

    def equals(self, other: DeskKeys) -> bool:
        """Whether both hold the same keys, for the same league."""
        mine, theirs = (
            (keys.league, keys.link, keys.system_id, keys.version, keys.public, dict(keys.masters))
            for keys in (self, other)
        )
        return mine == theirs

    def renewed(self, above: int = 0) -> DeskKeys:
        """The same with master keys of one more version, which cards get from now on. ValueError after the last.

        ``above``: the highest version that a card is known to have, which an old backup may not know.
        """
        version = max(*self.masters, above) + 1
        if version > LAST_VERSION:
            raise ValueError(f"key versions end at {LAST_VERSION}")
        return replace(self, version=version, masters={**self.masters, version: _masters()})

    def resigned(self) -> DeskKeys:
        """The same with a new signing key: no card issued so far carries a valid record any more."""
        return replace(self, signing=Ed25519PrivateKey.generate())


def new_keys(league: str, link: str) -> DeskKeys:
    """Keys of a new league, from the system's random numbers."""
    return DeskKeys(league, link, SYSTEM_ID, 1, {1: _masters()}, Ed25519PrivateKey.generate())


def _masters() -> tuple[Secret, ...]:
    return tuple(Secret.random() for _ in KEYS)
