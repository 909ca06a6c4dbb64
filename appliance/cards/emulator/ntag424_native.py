"""The commands of a simulated NTAG 424 DNA that are not about files: authentication, version, UID, keys (10.4 to 10.6).

Each takes the command's data field and gives data and status of the answer, or refuses.
"""

from __future__ import annotations

import hmac
import zlib

from appliance.cards.aes import decrypt, encrypt
from appliance.cards.emulator import ntag424_files as files
from appliance.cards.emulator.ntag424_framing import (
    AUTHENTICATION,
    DELAY,
    DENIED,
    FULL,
    INTEGRITY,
    LENGTH,
    MAC,
    MORE,
    NO_KEY,
    OK,
    PARAMETER,
    Answer,
    Command,
    closed,
    master,
    opened,
)
from appliance.cards.emulator.ntag424_secure import CardSession
from appliance.cards.emulator.ntag424_state import KEYS, Card, Chain, Key, Refused
from appliance.cards.secret import Secret

FAILURES_BEFORE_DELAY = 50
"""Failures in a row after which the card makes everybody wait (AN12196, 7.4)."""

# Authentication (10.4)


def authenticate_first(card: Card, field: bytes) -> Answer:
    """AuthenticateEV2First, part 1: key number, length of capabilities, capabilities (10.4.1)."""
    if len(field) < 2 or len(field) != 2 + field[1]:
        raise Refused(LENGTH)
    wanted = field[2:]
    if len(wanted) > 6 or (wanted and wanted[0] & 2):
        raise Refused(PARAMETER)
    return _challenge(card, Chain(field[0], capabilities=wanted.ljust(6, b"\0")))


def authenticate_further(card: Card, field: bytes) -> Answer:
    """AuthenticateEV2NonFirst, part 1: key number; in a session only (10.4.2)."""
    if len(field) != 1:
        raise Refused(LENGTH)
    if card.power.session is None:
        raise Refused(DENIED)
    return _challenge(card, Chain(field[0], session=card.power.session))


def _challenge(card: Card, chain: Chain) -> Answer:
    if not card.power.application or chain.key_no >= KEYS:
        raise Refused(NO_KEY)
    memory, key = card.memory, card.memory.keys[chain.key_no]
    if memory.counts_failures and key.failed >= memory.failure_limit:
        raise Refused(DENIED)
    if key.delayed < _delay(key):
        key.delayed += 1
        raise Refused(DELAY)
    chain.challenge = card.random(16)
    card.power.chain = chain
    return encrypt(key.value, chain.challenge), MORE


def _delay(key: Key) -> int:
    """How many answers 91AD a key owes before it may be tried again: one more with every failure.

    **Decided:** the data sheet says that the delay grows, and that it is spent by such answers, not how fast it grows.
    """
    return max(0, key.failed_in_a_row + 1 - FAILURES_BEFORE_DELAY)


def _finish_authentication(card: Card, chain: Chain, field: bytes) -> Answer:
    card.power.session = None
    if len(field) != 32:
        raise Refused(LENGTH)
    key = card.memory.keys[chain.key_no]
    told = decrypt(key.value, field)
    rnd_a, rotated = told[:16], told[16:]
    if not hmac.compare_digest(rotated[15:] + rotated[:15], chain.challenge):
        key.failed_in_a_row = min(key.failed_in_a_row + 1, 255)
        key.delayed = 0
        if card.memory.counts_failures:
            key.failed += 1
        raise Refused(AUTHENTICATION)
    key.failed_in_a_row = key.delayed = 0
    key.failed = max(0, key.failed - card.memory.failure_decrement)
    answer = rnd_a[1:] + rnd_a[:1]
    if chain.session is None:
        ti, counter = card.random(4), 0
        answer = ti + answer + bytes(6) + chain.capabilities
    else:
        ti, counter = chain.session.ti, chain.session.counter
    card.power.session = CardSession(chain.key_no, key.value, rnd_a, chain.challenge, ti, counter)
    return encrypt(key.value, answer), OK


# The card itself (10.5, 10.6)


def get_version(card: Card, field: bytes) -> Answer:
    """GetVersion: hardware now, software and production with the next frames (10.5.2)."""
    _, data = opened(card, 0x60, field, 0, MAC)
    if data:
        raise Refused(LENGTH)
    memory = card.memory
    frames = [bytes.fromhex("04040201021105"), memory.uid + memory.batch]
    card.power.chain = Chain(frames=frames)
    return bytes.fromhex("04040230001105"), MORE


def next_frame(card: Card, field: bytes) -> Answer:
    """AF: what comes next of a command of several frames."""
    chain, card.power.chain = card.power.chain, None
    if chain is None:
        raise Refused(0x911C)
    if not chain.frames:
        return _finish_authentication(card, chain, field)
    if field:
        raise Refused(LENGTH)
    frame, rest = chain.frames[0], chain.frames[1:]
    if rest:
        card.power.chain = Chain(frames=rest)
        return frame, MORE
    if card.power.session is None:
        return frame, OK
    whole = bytes.fromhex("0404023000110504040201021105") + frame
    return card.power.session.sign(whole)[14:], OK


def get_card_uid(card: Card, field: bytes) -> Answer:
    """GetCardUID, in a session only (10.5.3)."""
    if card.power.session is None:
        raise Refused(AUTHENTICATION)
    _, data = opened(card, 0x51, field, 0, FULL)
    if data:
        raise Refused(LENGTH)
    return closed(card, FULL, card.memory.uid)


def get_key_version(card: Card, field: bytes) -> Answer:
    """GetKeyVersion: key number (10.6.2)."""
    (number,), data = opened(card, 0x64, field, 1, MAC)
    if data:
        raise Refused(LENGTH)
    if not card.power.application or number >= KEYS:
        raise Refused(NO_KEY)
    return closed(card, MAC, bytes([card.memory.keys[number].version]))


def change_key(card: Card, field: bytes) -> Answer:
    """ChangeKey: key number, key data; forgets the failures counted on that key (10.6.1; AN12196, 7.4)."""
    master(card)
    (number,), data = opened(card, 0xC4, field, 1, FULL)
    if number >= KEYS:
        raise Refused(NO_KEY)
    if len(data) != (21 if number else 17):
        raise Refused(LENGTH)
    card.memory.keys[number] = Key(_new_key(card, number, data), data[16])
    if number == 0:
        card.power.session = None
        return b"", OK
    return closed(card, FULL)


def _new_key(card: Card, number: int, data: bytes) -> Secret:
    if number == 0:
        return Secret(data[:16])
    old = int.from_bytes(card.memory.keys[number].value.reveal())
    new = Secret((int.from_bytes(data[:16]) ^ old).to_bytes(16))
    if (zlib.crc32(new.reveal()) ^ 0xFFFFFFFF).to_bytes(4, "little") != data[17:]:
        raise Refused(INTEGRITY)
    return new


def set_configuration(card: Card, field: bytes) -> Answer:
    """The failure counter's limits; the other options change a card for good and are refused."""
    master(card)
    (option,), data = opened(card, 0x5C, field, 1, FULL)
    if option not in (0x00, 0x04, 0x05, 0x0A, 0x0B):
        raise Refused(PARAMETER)
    if option != 0x0A:
        raise Refused(DENIED)
    if len(data) != 5:
        raise Refused(LENGTH)
    limit, decrement = int.from_bytes(data[1:3], "little"), int.from_bytes(data[3:], "little")
    if data[0] > 1 or (data[0] and not limit):
        raise Refused(PARAMETER)
    card.memory.counts_failures = bool(data[0])
    if data[0]:
        card.memory.failure_limit, card.memory.failure_decrement = limit, decrement
    return closed(card, FULL)


COMMANDS: dict[int, Command] = {
    0x71: authenticate_first,
    0x77: authenticate_further,
    0xAF: next_frame,
    0x60: get_version,
    0x51: get_card_uid,
    0x64: get_key_version,
    0xC4: change_key,
    0x5C: set_configuration,
    0xF5: files.get_file_settings,
    0x5F: files.change_file_settings,
    0xF6: files.get_file_counters,
    0xAD: files.read_data,
    0x8D: files.write_data,
}
