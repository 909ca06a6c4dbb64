"""The desk's key file: opens with its passphrase, and tells nothing without."""

from __future__ import annotations

import errno
import json
import os
import traceback
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.cards.ntag424 import KEYS
from appliance.cards.secret import Secret
from appliance.desk import keyfile
from appliance.desk.keyfile import KeyFileError, WrongPassphrase
from appliance.desk.keys import FACTORY, LAST_VERSION, DeskKeys, NoSuchVersion

COST = 1 << 10
PHRASE = keyfile.passphrase("correct horse battery")


@pytest.fixture
def file(keys: DeskKeys, tmp_path: Path) -> Path:
    keyfile.create(tmp_path / "desk.keys", keys, PHRASE, COST)
    return tmp_path / "desk.keys"


def test_a_key_file_gives_back_what_was_put_in(file: Path, keys: DeskKeys) -> None:
    assert keyfile.load(file, PHRASE).equals(keys)
    keyfile.rewrite(file, keys.renewed(), PHRASE, COST)
    found = keyfile.load(file, PHRASE)
    assert (found.version, set(found.masters), found.equals(keys)) == (2, {1, 2}, False)
    assert found.masters[1] == keys.masters[1]


def test_a_key_file_is_its_owners_alone_and_never_overwritten(file: Path, keys: DeskKeys) -> None:
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    with pytest.raises(KeyFileError, match="never overwritten"):
        keyfile.create(file, keys, PHRASE, COST)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir() if path.suffix == ".keys" or path.name[0] == "."] == [file.name]
    file.chmod(0o640)
    with pytest.raises(KeyFileError, match="chmod 600"):
        keyfile.load(file, PHRASE)


def test_a_link_to_a_key_file_stays_one_and_the_file_is_what_is_changed(
    file: Path, keys: DeskKeys, tmp_path: Path
) -> None:
    """On a memory stick, say: what it holds must not go on opening with the passphrase that somebody knew."""
    link = tmp_path / "link.keys"
    link.symlink_to(file)
    other = keyfile.passphrase("quite another phrase")
    keyfile.rewrite(link, keys, other, COST)
    assert link.is_symlink()
    assert keyfile.load(file, other).equals(keys)


def test_nothing_is_written_through_a_link_that_somebody_laid(file: Path, keys: DeskKeys, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("mine")
    (tmp_path / f".{file.name}.{os.getpid()}").symlink_to(mine)
    keyfile.rewrite(file, keys.renewed(), PHRASE, COST)
    assert mine.read_text() == "mine"
    assert not file.is_symlink() and keyfile.load(file, PHRASE).version == 2


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_disk_that_fails_leaves_the_key_file_and_nothing_else(
    file: Path, keys: DeskKeys, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = file.read_bytes()
    monkeypatch.setattr(os if failing == "fsync" else Path, failing, full)
    with pytest.raises(KeyFileError, match="No space left"):
        keyfile.rewrite(file, keys.renewed(), PHRASE, COST)
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.read_bytes() == before


def test_a_wrong_passphrase_is_a_clear_error(file: Path) -> None:
    with pytest.raises(WrongPassphrase, match="the passphrase does not open it"):
        keyfile.load(file, keyfile.passphrase("correct horse batterx"))


def test_a_short_passphrase_is_not_taken(keys: DeskKeys, tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="12 characters"):
        keyfile.create(tmp_path / "desk.keys", keys, keyfile.passphrase("žluťoučký"), COST)


def test_the_same_letters_open_it_however_a_keyboard_composed_them(keys: DeskKeys, tmp_path: Path) -> None:
    keyfile.create(tmp_path / "desk.keys", keys, keyfile.passphrase("kůň pěl ódy příšerné"), COST)
    keyfile.load(tmp_path / "desk.keys", keyfile.passphrase("kůň pěl ódy příšerné"))


@pytest.mark.parametrize("field", ["n", "r", "p", "salt", "nonce", "sealed"])
def test_no_part_of_a_key_file_can_be_changed(file: Path, field: str) -> None:
    content = json.loads(file.read_text())
    value = content[field]
    content[field] = value * 2 if isinstance(value, int) else ("0" if value[0] != "0" else "1") + value[1:]
    file.write_text(json.dumps(content))
    with pytest.raises(WrongPassphrase):
        keyfile.load(file, PHRASE)


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b"[" * 9000, b'{"tableside_keys": 2}', b"0" * 300_000])
def test_what_is_no_key_file_is_said_so(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(KeyFileError, match="not a key file"):
        keyfile.load(file, PHRASE)


def test_a_key_file_cannot_ask_for_more_memory_than_there_is(file: Path) -> None:
    content = json.loads(file.read_text()) | {"n": 1 << 30}
    file.write_text(json.dumps(content))
    with pytest.raises(KeyFileError, match="not a key file"):
        keyfile.load(file, PHRASE)


def _crash_dump(file: Path, phrase: Secret) -> str:
    """The traceback of a failed opening, with all variables of all its frames."""
    try:
        keyfile.load(file, phrase)
    except KeyFileError as error:
        told = traceback.TracebackException.from_exception(error, capture_locals=True)
        return "".join(told.format())
    return ""


def test_nothing_of_the_keys_is_seen_in_a_file_a_repr_or_an_error(file: Path, keys: DeskKeys) -> None:
    texts = [repr(keys), str(keys), file.read_text(), _crash_dump(file, keyfile.passphrase("wrong passphrase"))]
    assert "wrong passphrase" not in texts[3] and "load" in texts[3]
    damaged = file.with_name("damaged.keys")
    object.__setattr__(keys := replace(keys), "masters", {1: (*keys.masters[1][:4], Secret(b"short"))})
    keyfile.create(damaged, keys, PHRASE, COST)
    texts.append(_crash_dump(damaged, PHRASE))
    assert "no keys of this version" in texts[4] and PHRASE.reveal().decode() not in texts[4]
    hidden = [*keys.masters[1][:4], Secret(keys.signing.private_bytes_raw())]
    forms = [form for secret in hidden for form in (secret.reveal().hex(), repr(secret.reveal())[2:-1])]
    assert not [form for form in forms for text in texts if form.lower() in text.lower()]


def test_check_values_tell_keys_apart_and_are_no_part_of_them(keys: DeskKeys) -> None:
    values = keys.check_values(1)
    assert len(set(values)) == 5 and all(len(value) == 6 for value in values)
    assert values != keys.renewed().check_values(2)
    with pytest.raises(NoSuchVersion):
        keys.check_values(2)


def test_key_versions_end_before_they_could_be_mistaken(keys: DeskKeys) -> None:
    for _ in range(LAST_VERSION - 1):
        keys = keys.renewed()
    with pytest.raises(ValueError, match="254"):
        keys.renewed()
    uid = bytes(7)
    assert len({keys.card_key(uid, n, v).reveal() for n in KEYS for v in (1, 2, 254)}) == 15
    assert {keys.card_key(uid, n, FACTORY).reveal() for n in KEYS} == {bytes(16)}
