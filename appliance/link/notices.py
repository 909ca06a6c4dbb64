"""The director's notice, signed: a word on the network deposes nobody.

Whoever can publish on the notice's topic could else silence a venue by naming a higher epoch.
"""

from __future__ import annotations

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from appliance.link.envelope import DirectorNotice
from appliance.link.store import Keyring


def signed_notice(
    venue: str, device: str, epoch: str, key: Ed25519PrivateKey, *, gathering: bool = False, newcomers: int = 0
) -> DirectorNotice:
    """The notice of a director that writes ``venue/<venue>`` in this epoch, signed with its device key (RFC 8032).

    ``gathering``: it is going to, and still asks for the longest copy. ``newcomers``: the port for devices that are not
    known yet.
    """
    public = key.public_key().public_bytes_raw().hex()
    notice = DirectorNotice(device, epoch, public, venue, gathering=gathering, newcomers=newcomers)
    return msgspec.structs.replace(notice, signature=key.sign(_signed_bytes(notice)))


def is_genuine(notice: DirectorNotice, keyring: Keyring) -> bool:
    """Whether the device named in it signed it, and may write the venue's stream."""
    public = keyring(f"venue/{notice.venue}", notice.device)
    if public is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(notice.signature, _signed_bytes(notice))
    except InvalidSignature:
        return False
    return True


def _signed_bytes(notice: DirectorNotice) -> bytes:
    words = ["tableside-director-1", notice.venue, notice.device, notice.epoch, notice.key]
    return msgspec.json.encode([*words, "gathering"] if notice.gathering else words)
