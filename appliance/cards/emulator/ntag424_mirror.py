"""What an unauthenticated read of a simulated NTAG 424 DNA finds: UID, counter, cryptograms and MAC (9.3)."""

from __future__ import annotations

from appliance.cards.aes import cmac, encrypt
from appliance.cards.emulator.ntag424_state import FREE, NEVER, Card, File, Refused, Sdm
from appliance.cards.secret import Secret

LAST = 0xFFFFFF


def mirrored(card: Card, number: int, command: str, denied: int, overflow: int) -> bytes:
    """The file's content as this read sees it; counts the read unless it repeats the one before.

    ``denied`` and ``overflow`` are the command's status words for a limit that is reached and a counter at its end.
    """
    file = card.memory.files[number]
    sdm = file.sdm
    if sdm is None:
        return file.content
    limit = sdm.at("limit")
    before = card.power.reading
    if before is None or before[:2] != (command, number):
        if limit is not None and file.reads >= limit:
            raise Refused(denied)
        if sdm.counter and file.reads == LAST:
            raise Refused(overflow)
        if sdm.counter:
            file.reads += 1
        before = (command, number, card.random(15))
        card.power.reading = before
    return _filled(card, file, sdm, before[2])


def _filled(card: Card, file: File, sdm: Sdm, padding: bytes) -> bytes:
    uid, reads = card.memory.uid, file.reads.to_bytes(3, "little")
    text = bytearray(file.content)

    def put(name: str, value: bytes) -> None:
        start = sdm.at(name)
        if start is not None:
            text[start : start + len(value)] = value

    # what is not mirrored is not in the session vectors either
    encrypted = sdm.meta_read not in (FREE, NEVER)
    shown_uid = uid if sdm.at("uid") is not None or (encrypted and sdm.uid) else b""
    shown_reads = reads if sdm.at("counter") is not None or (encrypted and sdm.counter) else b""
    put("uid", _hex(uid))
    put("counter", _hex(reads[::-1]))
    if encrypted:
        tag = (0x87 if sdm.uid else 0) | (0x40 if sdm.counter else 0)
        picc = bytes([tag]) + shown_uid + shown_reads + padding
        put("picc", _hex(encrypt(card.memory.keys[sdm.meta_read].value, picc[:16])))
    if sdm.file_read != NEVER:
        key = card.memory.keys[sdm.file_read].value
        enc, length = sdm.at("enc"), sdm.at("length")
        if enc is not None and length is not None:
            session = Secret(cmac(key, bytes.fromhex("C33C00010080") + uid + reads))
            plain = file.content[enc : enc + length // 2]
            put("enc", _hex(encrypt(session, plain, encrypt(session, reads + bytes(13)))))
        vector = bytes.fromhex("3CC300010080") + shown_uid + shown_reads
        covered = bytes(text[sdm.at("input") : sdm.at("mac")])
        put("mac", _hex(cmac(Secret(cmac(key, vector.ljust(16, b"\0"))), covered)[1::2]))
    return bytes(text)


def _hex(value: bytes) -> bytes:
    return value.hex().upper().encode()
