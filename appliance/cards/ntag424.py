"""NTAG 424 DNA, the reader's side: authentication with AES-128 and every command the house uses (NT4H2421Gx, 10).

Facts of the card are those of its data sheet and of AN12196. Whatever goes wrong while a session is on, the
session is over, as it is on the card: authenticate again.
"""

from __future__ import annotations

import hmac
import zlib
from collections.abc import Callable
from secrets import token_bytes

from msgspec import Struct

from appliance.cards.aes import BLOCK, decrypt, encrypt
from appliance.cards.apdu import ISO_OK, MORE, OK, Card, CardError, Fault, ask, iso, native
from appliance.cards.messaging import CommMode, Session, session_keys
from appliance.cards.secret import Secret
from appliance.cards.settings import FileSettings

APPLICATION = bytes.fromhex("D2760000850101")
"""The NFC Forum's name of the application with all files."""
CC_FILE, NDEF_FILE, DATA_FILE = 1, 2, 3
"""File numbers: capability container (32 bytes), NDEF (256), protected data (128)."""
NDEF_FILE_ID = 0xE104
KEYS = range(5)
FACTORY_KEY = Secret(bytes(16))
"""Every key of a delivered card."""

READ_AT_ONCE = 224
"""Bytes that fit the answer to one short APDU in any mode, padding and MAC included."""
WRITE_AT_ONCE = 95
"""Bytes that fit one frame of 128 bytes in any mode: the card writes a frame whole or not at all (10.8.2)."""


class Version(Struct, frozen=True):
    """What the card says of itself: hardware and software (seven bytes each), UID, batch and date of production."""

    hardware: bytes
    software: bytes
    uid: bytes
    batch: bytes


class Ntag424:
    """One card in the field, for one thread. Every method raises `CardError`, and what the card's transmit raises."""

    def __init__(self, card: Card, random: Callable[[int], bytes] = token_bytes) -> None:
        self._card = card
        self._random = random
        self._session: Session | None = None

    @property
    def authenticated(self) -> bool:
        """Whether a session is on."""
        return self._session is not None

    def select(self) -> None:
        """Select the card's application; ends a session."""
        self._session = None
        command = iso(0xA4, 0x04, 0x0C, APPLICATION)
        try:
            told, _ = ask(self._card, command, ISO_OK)
        except CardError as error:
            # somebody left a command of several frames unfinished: it is aborted now
            if error.code is not Fault.PERMISSION_DENIED:
                raise
            told, _ = ask(self._card, command, ISO_OK)
        _exactly(told, 0)

    def authenticate(self, key_no: int, key: Secret, first: bool = True) -> None:
        """Prove the key to the card and have it prove the same (AuthenticateEV2First, or EV2NonFirst in a session).

        The codes say what matters: WRONG_KEY (the card counts it: 1000 block the key for good), LATER, LOCKED,
        FORGED when the card accepted us and does not have the key itself.
        """
        session, self._session = self._session, None
        if not first and session is None:
            raise CardError(Fault.NOT_AUTHENTICATED)
        challenge = self._challenge(bytes([0x71, key_no, 0]) if first else bytes([0x77, key_no]))
        rnd_a, rnd_b = self._random(BLOCK), decrypt(key, challenge)
        proof = self._prove(encrypt(key, rnd_a + _rotated(rnd_b)), 2 * BLOCK if first else BLOCK)
        told = decrypt(key, proof)
        ti, rest = (told[:4], told[4:]) if first or session is None else (session.ti, told)
        # the first authentication also echoes the capabilities we sent: none
        echo, expected = (rest[:BLOCK] + rest[-6:], _rotated(rnd_a) + bytes(6)) if first else (rest, _rotated(rnd_a))
        if not hmac.compare_digest(echo, expected):
            raise CardError(Fault.FORGED)
        enc, mac = session_keys(key, rnd_a, rnd_b)
        self._session = Session(enc, mac, ti, session.counter if session and not first else 0)

    def _challenge(self, command: bytes) -> bytes:
        try:
            data, _ = ask(self._card, native(command[0], command[1:]), MORE)
        except CardError as error:
            if error.code is Fault.PERMISSION_DENIED:
                raise CardError(Fault.LOCKED, error.sw) from None
            raise
        return _exactly(data, BLOCK)

    def _prove(self, proof: bytes, length: int) -> bytes:
        try:
            data, _ = ask(self._card, native(0xAF, proof), OK)
        except CardError as error:
            if error.code is Fault.NOT_AUTHENTICATED:
                raise CardError(Fault.WRONG_KEY, error.sw) from None
            raise
        return _exactly(data, length)

    def get_card_uid(self) -> bytes:
        """The true UID, under encryption: the one proof of it."""
        return _exactly(self._command(CommMode.FULL, 0x51), 7)

    def get_version(self) -> Version:
        """The three frames of GetVersion; with a MAC over all of them in a session."""
        session, self._session = self._session, None
        mode = CommMode.PLAIN if session is None else CommMode.MAC
        field = b"" if session is None else session.protect(mode, 0x60, b"", b"")
        hardware, _ = ask(self._card, native(0x60, field), MORE)
        software, _ = ask(self._card, native(0xAF), MORE)
        production, _ = ask(self._card, native(0xAF), OK)
        told = hardware + software + production
        if session is not None:
            told = session.accept(mode, told)
        if len(hardware) != 7 or len(software) != 7 or len(told) not in (28, 29):
            raise CardError(Fault.MALFORMED)
        self._session = session
        return Version(told[:7], told[7:14], told[14:21], told[21:])

    def get_key_version(self, key_no: int) -> int:
        """The version byte that was set with the key, 0 on a delivered card; with a MAC in a session."""
        return _exactly(self._command(self._mac_if_on, 0x64, bytes([key_no])), 1)[0]

    def change_key(self, key_no: int, new: Secret, version: int, old: Secret = FACTORY_KEY) -> None:
        """Set a key and its version; the session must be of key 0. ``old`` is not needed for key 0 itself.

        Changing key 0 ends the session, and the card's answer carries no MAC.
        """
        if key_no == 0:
            session, self._session = self._session, None
            if session is None:
                raise CardError(Fault.NOT_AUTHENTICATED)
            field = session.protect(CommMode.FULL, 0xC4, b"\0", _key_data(new, version))
            data, _ = ask(self._card, native(0xC4, field), OK)
            _exactly(data, 0)
        else:
            data = self._command(CommMode.FULL, 0xC4, bytes([key_no]), _key_data(new, version, old))
            _exactly(data, 0)

    def get_file_settings(self, file_no: int) -> FileSettings:
        """A file's settings; with a MAC in a session, else as anybody says they are."""
        return FileSettings.decode(self._command(self._mac_if_on, 0xF5, bytes([file_no])))

    def change_file_settings(self, file_no: int, settings: FileSettings) -> None:
        """Set them (``size`` aside); the session must be of the key that the file's change right names."""
        _exactly(self._command(CommMode.FULL, 0x5F, bytes([file_no]), settings.encode()), 0)

    def get_file_counters(self, file_no: int) -> int:
        """How often the file was read without authentication since its SDM was set up."""
        mode = CommMode.FULL if self.authenticated else CommMode.PLAIN
        return int.from_bytes(_exactly(self._command(mode, 0xF6, bytes([file_no])), 5)[:3], "little")

    def read_data(self, file_no: int, length: int, offset: int = 0, mode: CommMode = CommMode.PLAIN) -> bytes:
        """``length`` bytes of a file, in as many commands as it takes. ``mode`` is that of the file's settings,
        or PLAIN where the file is free to read and the session's key is not one that it names."""
        data = b""
        while len(data) < length:
            part = min(READ_AT_ONCE, length - len(data))
            header = bytes([file_no]) + (offset + len(data)).to_bytes(3, "little") + part.to_bytes(3, "little")
            data += _exactly(self._command(mode, 0xAD, header), part)
        return data

    def write_data(self, file_no: int, data: bytes, offset: int = 0, mode: CommMode = CommMode.PLAIN) -> None:
        """Write into a file; ``mode`` as of `read_data`. The card writes `WRITE_AT_ONCE` bytes whole or not at all;
        longer data go in several commands, from the start on."""
        for start in range(0, len(data), WRITE_AT_ONCE):
            part = data[start : start + WRITE_AT_ONCE]
            header = bytes([file_no]) + (offset + start).to_bytes(3, "little") + len(part).to_bytes(3, "little")
            _exactly(self._command(mode, 0x8D, header, part), 0)

    def set_failure_limit(self, limit: int, decrement: int) -> None:
        """How many failed authentications block a key (1000 on delivery) and how many a success takes off (10).

        The one part of SetConfiguration that the house uses; the session must be of key 0.
        """
        data = b"\x01" + limit.to_bytes(2, "little") + decrement.to_bytes(2, "little")
        _exactly(self._command(CommMode.FULL, 0x5C, b"\x0a", data), 0)

    def iso_select_file(self, file_id: int) -> None:
        """Select a file by its two-byte ISO identifier, for the two commands below; ends a session."""
        if self.authenticated:
            self.select()
        _exactly(ask(self._card, iso(0xA4, 0x02, 0x0C, file_id.to_bytes(2)), ISO_OK)[0], 0)

    def iso_read(self, offset: int, length: int) -> bytes:
        """At most 256 bytes of the selected file, as a phone reads them: without a session only."""
        data, _ = ask(self._card, iso(0xB0, offset >> 8, offset & 0xFF, expected=length), ISO_OK)
        return _exactly(data, length)

    def iso_update(self, offset: int, data: bytes) -> None:
        """Write at most 255 bytes into the selected file, as a phone writes them: without a session only."""
        answer, _ = ask(self._card, iso(0xD6, offset >> 8, offset & 0xFF, data), ISO_OK)
        _exactly(answer, 0)

    def read_ndef(self) -> bytes:
        """The NDEF message, empty when there is none; MALFORMED when its length cannot be true."""
        self.iso_select_file(NDEF_FILE_ID)
        length = int.from_bytes(self.iso_read(0, 2))
        if length > 254:
            raise CardError(Fault.MALFORMED)
        return self.iso_read(2, length) if length else b""

    @property
    def _mac_if_on(self) -> CommMode:
        return CommMode.MAC if self.authenticated else CommMode.PLAIN

    def _command(self, mode: CommMode, ins: int, header: bytes = b"", data: bytes | Secret = b"") -> bytes:
        session, self._session = self._session, None
        if session is None:
            if mode is not CommMode.PLAIN or isinstance(data, Secret):
                raise CardError(Fault.NOT_AUTHENTICATED)
            return ask(self._card, native(ins, header + data), OK)[0]
        answer, _ = ask(self._card, native(ins, session.protect(mode, ins, header, data)), OK)
        told = session.accept(mode, answer)
        self._session = session
        return told


def _exactly(data: bytes, length: int) -> bytes:
    if len(data) != length:
        raise CardError(Fault.MALFORMED)
    return data


def _rotated(rnd: bytes) -> bytes:
    return rnd[1:] + rnd[:1]


def _key_data(new: Secret, version: int, old: Secret | None = None) -> Secret:
    """What ChangeKey sends: of key 0 the new key itself, of another its difference to the old one and a checksum."""
    if len(new) != BLOCK or (old is not None and len(old) != BLOCK) or version not in range(256):
        raise ValueError("a key of 16 bytes and a version of one")
    # nothing from here on can fail: a traceback would carry these bytes
    if old is None:
        return Secret(new.reveal() + bytes([version]))
    changed = bytes(a ^ b for a, b in zip(new.reveal(), old.reveal(), strict=True))
    checksum = zlib.crc32(new.reveal()) ^ 0xFFFFFFFF  # IEEE 802.3 without its last inversion
    return Secret(changed + bytes([version]) + checksum.to_bytes(4, "little"))
