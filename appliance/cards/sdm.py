"""SUN messages: what an NTAG 424 DNA wrote into its NDEF text for one unauthenticated read (NT4H2421Gx, 9.3).

A message proves that this card made it, and its counter that it is newer than the one before; it says nothing of
when it was made. Whoever takes one must keep the counter and refuse what is not above it.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from appliance.cards.aes import BLOCK, UID_BYTES, cmac, decrypt, encrypt, mac8_holds
from appliance.cards.apdu import CardError, Fault
from appliance.cards.secret import Secret
from appliance.cards.settings import FREE, NEVER, NOT_SHOWN, Sdm

COUNTER_BYTES = 3
_PICC_TEXT, _MAC_TEXT, _UID_TEXT, _COUNTER_TEXT = 32, 16, 14, 6


class PiccData(Struct, frozen=True):
    """Whose message it is and its number; None for what the card's settings leave out."""

    uid: bytes | None
    counter: int | None

    def vector(self, label: bytes) -> bytes:
        """The session vector (9.3.9.1): ``label`` 3CC3 for MACs, C33C for encryption."""
        uid = self.uid or b""
        counter = b"" if self.counter is None else self.counter.to_bytes(COUNTER_BYTES, "little")
        return (label + b"\0\x01\0\x80" + uid + counter).ljust(BLOCK, b"\0")


class SunMessage(Struct, frozen=True):
    """A message whose MAC is right, with the file data it carried under encryption."""

    uid: bytes | None
    counter: int | None
    data: bytes | None = None


def open_picc(meta_key: Secret, cryptogram: bytes) -> PiccData:
    """Decrypt PICCData. There is no MAC on it: believe nothing of it before `check` has passed."""
    if len(cryptogram) != BLOCK:
        raise CardError(Fault.MALFORMED)
    plain = decrypt(meta_key, cryptogram)
    tag, rest = plain[0], plain[1:]
    if tag & 0x30 or tag & 0x0F != (UID_BYTES if tag & 0x80 else 0):
        raise CardError(Fault.FORGED)
    uid, rest = (rest[:UID_BYTES], rest[UID_BYTES:]) if tag & 0x80 else (None, rest)
    counter = int.from_bytes(rest[:COUNTER_BYTES], "little") if tag & 0x40 else None
    return PiccData(uid, counter)


def check(file_key: Secret, picc: PiccData, mac: bytes, covered: bytes = b"") -> None:
    """Refuse a message (`CardError`, FORGED) whose 8-byte MAC over ``covered``, the text as read, is not right."""
    if not mac8_holds(Secret(cmac(file_key, picc.vector(b"\x3c\xc3"))), covered, mac):
        raise CardError(Fault.FORGED)


def open_file_data(file_key: Secret, picc: PiccData, cryptogram: bytes) -> bytes:
    """Decrypt mirrored file data, whole blocks; like `open_picc` not to be believed before `check`."""
    if picc.uid is None or picc.counter is None or not cryptogram or len(cryptogram) % BLOCK:
        raise CardError(Fault.MALFORMED)
    session = Secret(cmac(file_key, picc.vector(b"\xc3\x3c")))
    iv = encrypt(session, picc.counter.to_bytes(COUNTER_BYTES, "little").ljust(BLOCK, b"\0"))
    return decrypt(session, cryptogram, iv)


def verify(
    content: bytes, sdm: Sdm, meta_key: Secret | None, file_key: Callable[[bytes | None], Secret | None]
) -> SunMessage:
    """The message in a file's ``content`` (from its first byte, as read without authentication).

    ``meta_key`` decrypts PICCData, where it is encrypted; ``file_key`` is asked for the key of the UID found there
    (keys are diversified by UID). `CardError`: FORGED, MALFORMED where the text is not what the settings promise,
    NO_SUCH_KEY where a key is missing, PERMISSION_DENIED where the settings ask for no MAC.
    """
    if sdm.file_read == NEVER or sdm.mac_offset is None or sdm.mac_input_offset is None:
        raise CardError(Fault.PERMISSION_DENIED)
    picc = _picc(content, sdm, meta_key)
    key = file_key(picc.uid)
    if key is None:
        raise CardError(Fault.NO_SUCH_KEY)
    check(key, picc, _hex(content, sdm.mac_offset, _MAC_TEXT), content[sdm.mac_input_offset : sdm.mac_offset])
    if sdm.enc_offset is None or sdm.enc_length is None:
        return SunMessage(picc.uid, picc.counter)
    cryptogram = _hex(content, sdm.enc_offset, sdm.enc_length)
    return SunMessage(picc.uid, picc.counter, open_file_data(key, picc, cryptogram))


def _picc(content: bytes, sdm: Sdm, meta_key: Secret | None) -> PiccData:
    if sdm.meta_read == NEVER:
        return PiccData(None, None)
    if sdm.meta_read == FREE:
        uid = None if sdm.uid_offset is None else _hex(content, sdm.uid_offset, _UID_TEXT)
        shown = sdm.counter_offset not in (None, NOT_SHOWN)
        count = _hex(content, sdm.counter_offset or 0, _COUNTER_TEXT) if shown else None
        return PiccData(uid, None if count is None else int.from_bytes(count))
    if meta_key is None or sdm.picc_offset is None:
        raise CardError(Fault.NO_SUCH_KEY)
    picc = open_picc(meta_key, _hex(content, sdm.picc_offset, _PICC_TEXT))
    if (picc.uid is not None, picc.counter is not None) != (sdm.uid, sdm.counter):
        raise CardError(Fault.FORGED)
    return picc


def _hex(content: bytes, start: int, length: int) -> bytes:
    """The bytes that ``length`` upper-case hex digits stand for: only that one spelling, so that no byte may change."""
    digits = content[start : start + length]
    if len(digits) != length or digits.translate(None, b"0123456789ABCDEF"):
        raise CardError(Fault.MALFORMED)
    return bytes.fromhex(digits.decode())
