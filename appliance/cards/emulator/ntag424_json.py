"""A simulated NTAG 424 DNA's memory as JSON, keys in plain: it is a simulated card."""

from __future__ import annotations

from typing import Any

import msgspec

from appliance.cards.emulator.ntag424_options import changed, told
from appliance.cards.emulator.ntag424_state import KEYS, File, Key, Memory, Refused, delivered
from appliance.cards.secret import Secret


class _KeyRecord(msgspec.Struct, forbid_unknown_fields=True):
    value: str
    version: int = 0
    failed: int = 0
    failed_in_a_row: int = 0
    delayed: int = 0


class _FileRecord(msgspec.Struct, forbid_unknown_fields=True):
    settings: str
    content: str
    reads: int = 0


class _CardRecord(msgspec.Struct, forbid_unknown_fields=True, tag="ntag424", tag_field="card"):
    uid: str
    keys: list[_KeyRecord]
    files: dict[str, _FileRecord]
    batch: str
    counts_failures: bool = True
    failure_limit: int = 1000
    failure_decrement: int = 10


def to_json(memory: Memory) -> dict[str, Any]:
    """What `from_json` makes the same memory of."""
    record = _CardRecord(
        memory.uid.hex(),
        [_KeyRecord(k.value.reveal().hex(), k.version, k.failed, k.failed_in_a_row, k.delayed) for k in memory.keys],
        {str(number): _file_record(file) for number, file in memory.files.items()},
        memory.batch.hex(),
        memory.counts_failures,
        memory.failure_limit,
        memory.failure_decrement,
    )
    built: dict[str, Any] = msgspec.to_builtins(record)
    return built


def from_json(data: object) -> Memory:
    """The memory of a saved card; ValueError when it is none."""
    try:
        record = msgspec.convert(data, _CardRecord)
    except msgspec.ValidationError as error:
        raise ValueError(f"not a simulated NTAG 424 DNA: {error}") from None
    memory = delivered(bytes.fromhex(record.uid))
    if len(memory.uid) != 7 or len(record.keys) != KEYS or set(record.files) != {"1", "2", "3"}:
        raise ValueError("not the keys and files of an NTAG 424 DNA")
    memory.keys = [_key(key) for key in record.keys]
    memory.files = {number: _file(memory.files[number], number, record.files[str(number)]) for number in memory.files}
    memory.batch = bytes.fromhex(record.batch)
    memory.counts_failures = record.counts_failures
    memory.failure_limit, memory.failure_decrement = record.failure_limit, record.failure_decrement
    return memory


def _key(record: _KeyRecord) -> Key:
    value = Secret.from_hex(record.value)
    if len(value) != 16 or not 0 <= record.version <= 255:
        raise ValueError("not a key of AES-128 and its version")
    return Key(value, record.version, record.failed, record.failed_in_a_row, record.delayed)


def _file_record(file: File) -> _FileRecord:
    settings = told(file)
    return _FileRecord((settings[1:4] + settings[7:]).hex(), file.content.hex(), file.reads)


def _file(blank: File, number: int, record: _FileRecord) -> File:
    content = bytes.fromhex(record.content)
    if len(content) != len(blank.content) or not 0 <= record.reads <= 0xFFFFFF:
        raise ValueError("not a file of an NTAG 424 DNA")
    try:
        file = changed(File(content, blank.mode, blank.rights), number, bytes.fromhex(record.settings))
    except Refused:
        raise ValueError("not the settings of a file") from None
    file.reads = record.reads
    return file
