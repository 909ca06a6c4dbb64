"""``tableside cards``: the desk's commands as a clerk types them, on simulated cards."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance.cards import layout, seal
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.ntag424 import Ntag424
from appliance.cli import main
from appliance.desk import keyfile, simulated
from appliance.desk.keys import DeskKeys
from tests.desk.conftest import PHRASE, Clerk


def test_a_card_is_issued_checked_replaced_revoked_and_wiped(clerk: Clerk) -> None:
    assert clerk.at("issue", "first", "000101") == 0
    assert "serial 1, issued" in clerk.said and clerk.said.endswith("label:\n  000101\n")
    assert clerk.at("verify", "first") == 0
    assert "a kiosk says: accepted, genuine" in clerk.said
    assert clerk.at("issue", "second", "000101") == 1
    assert clerk.complained.count("\n") == 1 and "has the valid card" in clerk.complained
    assert clerk.at("replace", "second", "000101", "--reason", "stolen") == 0
    assert clerk.at("verify", "first") == 1
    assert "a kiosk says: refused, stolen" in clerk.said
    assert clerk.at("wipe", "first") == 0
    assert clerk.types("revoke", "000101", "--keys", clerk.keys) == 0
    assert clerk.at("verify", "second") == 1
    assert clerk.at("wipe", "second") == 0
    assert clerk.at("issue", "second", "000102") == 0
    assert "serial 3, issued" in clerk.said
    assert clerk.types("revoke", "000102", "--keys", clerk.keys) == 0
    assert clerk.types("revoke", "000101", "--keys", clerk.keys) == 1
    told = [(line["what"], line.get("serial"), line.get("reason")) for line in clerk.ledger]
    assert told == [
        ("key", None, None), ("begun", 1, None), ("issued", 1, None), ("withdrawn", 1, "stolen"), ("begun", 2, None),
        ("issued", 2, None), ("wiped", 1, None), ("withdrawn", 2, "revoked"), ("wiped", 2, None),
        ("begun", 3, None), ("issued", 3, None), ("withdrawn", 3, "revoked"),
    ]  # fmt: skip


def test_a_card_of_pages_is_issued_and_checked(clerk: Clerk) -> None:
    EmulatedNtag21x(Model.NTAG213, bytes.fromhex("04958CAA5C5E80"), simulated.MAKER).save(clerk.card("pages"))
    assert clerk.at("issue", "pages", "000101") == 0
    assert clerk.at("verify", "pages") == 0
    assert "a kiosk says: accepted, weak" in clerk.said
    assert clerk.at("wipe", "pages") == 0


def test_new_keys_are_made_shown_checked_and_renewed(clerk: Clerk) -> None:
    new = clerk.folder / "new.keys"
    made = ("keys", "new", new, "--league", "cpl", "--link", "https://liga.example/card")
    assert clerk.types(*made) == 0
    assert clerk.types("keys", "show", new) == 0
    public = re.search("public key of the cards: ([0-9a-f]{64})", clerk.said)
    assert public is not None
    backup = clerk.folder / "backup.keys"
    backup.write_bytes(new.read_bytes())
    backup.chmod(0o600)
    assert clerk.types("keys", "check", new, "--backup", backup) == 0
    assert clerk.types("keys", "renew", new) == 0
    assert "new cards get keys of version 2" in clerk.said and public[0] in clerk.said
    assert "export-k2" in clerk.said
    assert clerk.types("keys", "check", new, "--backup", backup) == 1
    assert clerk.types("keys", "renew", new, "--signing") == 0
    assert public[0] not in clerk.said
    assert clerk.types(*made) == 2
    assert "never overwritten" in clerk.complained


def test_a_key_file_can_be_sealed_with_another_passphrase(clerk: Clerk) -> None:
    other, keys = clerk.folder / "other", clerk.load()
    other.touch(0o600)
    for phrase, code in (("krátké", 2), ("už to bude jiné", 0)):
        other.write_text(phrase)
        assert clerk.types("keys", "passphrase", clerk.keys, "--new-passphrase-file", other) == code
    assert clerk.types("keys", "show", clerk.keys) == 2
    assert clerk.types("keys", "show", clerk.keys, "--passphrase-file", other) == 0
    assert keyfile.load(clerk.keys, keyfile.passphrase("už to bude jiné")).equals(keys)


@pytest.mark.parametrize("first", [("renew",), ("passphrase", "--new-passphrase-file", "other")])
def test_two_who_change_the_key_file_at_once_lose_no_key(
    clerk: Clerk, monkeypatch: pytest.MonkeyPatch, first: tuple[str, ...]
) -> None:
    """Cards issued under master keys that another one's change wrote over could never be changed again."""
    (clerk.folder / "other").write_text("quite another phrase\n")
    (clerk.folder / "other").chmod(0o600)
    real, codes = keyfile.load, []

    def slow(path: Path, phrase: object) -> DeskKeys:
        found = real(path, phrase)  # type: ignore[arg-type]
        if not codes:
            codes.append(-1)
            codes[0] = main(["cards", "keys", "renew", str(clerk.keys)])
        return found

    monkeypatch.setattr(keyfile, "load", slow)
    monkeypatch.chdir(clerk.folder)
    assert clerk.types("keys", first[0], clerk.keys, *first[1:]) == 0
    assert codes == [2] and "another desk is at work with it" in clerk.complained


def test_keys_renewed_from_an_old_backup_take_no_version_that_cards_have(clerk: Clerk) -> None:
    backup = clerk.keys.read_bytes()
    assert clerk.types("keys", "renew", clerk.keys) == 0
    assert clerk.at("issue", "a", "000101") == 0
    clerk.keys.write_bytes(backup)
    assert clerk.types("keys", "renew", clerk.keys) == 0
    assert set(clerk.load().masters) == {1, 3}


def test_a_key_file_that_is_not_there_leaves_no_ledger(clerk: Clerk) -> None:
    card = ("--simulated", clerk.card("a"))
    for words, more in ((("keys", "renew"), ()), (("keys", "passphrase"), ()), (("issue", "000101", "--keys"), card)):
        assert clerk.types(*words, clerk.folder / "none.keys", *more) == 2
        assert "no such file" in clerk.complained
    assert not list(clerk.folder.glob("none*"))


def test_keys_for_a_kiosk_open_on_that_device_alone(clerk: Clerk) -> None:
    clerk.at("issue", "first", "000101")
    device, out = X25519PrivateKey.generate(), clerk.folder / "door.sealed"
    words = ("keys", "export-k2", clerk.keys, "--device", "door", "-o", out, "--to")
    assert clerk.types(*words, device.public_key().public_bytes_raw().hex()) == 0
    keys = clerk.load()
    (sealed,) = seal.read(out, "door", keys.signing.public_key())
    card = EmulatedNtag424.load(clerk.card("first"))
    reader = Ntag424(card)
    reader.select()
    reader.authenticate(layout.VERIFICATION, seal.unseal(sealed, "door", device))
    with pytest.raises(seal.SealError):
        seal.unseal(sealed, "door", X25519PrivateKey.generate())
    assert all(master.reveal().hex() not in out.read_text() for master in keys.masters[1])
    assert clerk.types(*words, "00") == 2
    assert clerk.types(*words, device.public_key().public_bytes_raw().hex(), "04958CAA5C5E99") == 2


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("issue", "12a", "--keys", "desk.keys", "--simulated", "c.json"), "no registration number"),
        (("issue", "1", "--keys", "nowhere.keys", "--simulated", "c.json"), "no such file"),
        (("issue", "1", "--keys", "phrase", "--simulated", "c.json"), "not a key file"),
        (("issue", "1", "--keys", "desk.keys", "--simulated", "phrase"), "not a simulated"),
        (("issue", "1", "--keys", "desk.keys", "--reader", "camera"), "camera"),
        (("issue", "1", "--keys", "desk.keys", "--reader", "serial:/dev/ttyS0"), "cannot write cards"),
        (("issue", "1", "--keys", "desk.keys", "--config", "c.toml", "--reader", "door"), "there: desk"),
        (("issue", "1", "--keys", "desk.keys", "--simulated", "c.json", "--passphrase-file", "wrong"), "does not open"),
        (("issue", "1", "--keys", "desk.keys", "--simulated", "c.json", "--passphrase-file", "open"), "chmod 600"),
        (("keys", "new", "x.keys", "--league", "CPL", "--link", "https://x.example"), "--league"),
        (("keys", "new", "x.keys", "--league", "cpl", "--link", "https://x.example/?a"), "--link"),
        (("frobnicate",), "invalid choice"),
        ((), "what is to be done"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    clerk: Clerk, words: tuple[str, ...], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clerk.folder)
    for name, mode in (("wrong", 0o600), ("open", 0o644)):
        (clerk.folder / name).write_text("another passphrase")
        (clerk.folder / name).chmod(mode)
    (clerk.folder / "c.toml").write_text('[[reader]]\nname = "desk"\nmatch = "ACR1252"\n')
    assert clerk.types(*words) == 2
    assert complaint in clerk.complained and clerk.complained.count("\n") == 1
    assert "another passphrase" not in clerk.complained


def test_the_whole_ceremony_can_be_rehearsed_without_hardware(clerk: Clerk) -> None:
    before = sorted(clerk.folder.iterdir())
    assert clerk.types("--rehearse") == 0
    assert "NO" not in clerk.said and clerk.said.endswith("all as it must be\n")
    assert sorted(clerk.folder.iterdir()) == before


def test_no_key_is_ever_printed(clerk: Clerk) -> None:
    told = ""
    for words in (("issue", "c", "000101"), ("verify", "c"), ("wipe", "c")):
        clerk.at(words[0], words[1], *words[2:])
        told += clerk.said + clerk.complained
    clerk.types("keys", "show", clerk.keys)
    told += clerk.said + (clerk.folder / "desk.keys.ledger.jsonl").read_text()
    keys = clerk.load()
    uid = EmulatedNtag424.load(clerk.card("c")).uid
    secrets = [*keys.masters[1], *(keys.card_key(uid, number, 1) for number in range(5))]
    assert not [secret for secret in secrets if secret.reveal().hex() in told.lower()]
    assert PHRASE not in told


def _run(clerk: Clerk, *words: object, before: str = "") -> subprocess.Popen[bytes]:
    program = f"import sys; from appliance.cli import main; {before}; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "cards", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=clerk.folder)


def test_a_card_finished_by_a_process_that_was_killed_is_entered_by_the_next(clerk: Clerk) -> None:
    """Killed between the card's last answer and the ledger's line."""
    kill = (
        "import os, signal; from appliance.desk import ledger; from pathlib import Path; write = ledger.Ledger.write; "
        "import appliance.apps.cards_readers as readers; chosen = []; card = readers._card; "
        "readers._card = lambda path: chosen.append((card(path), path)) or chosen[0][0]; "
        "ledger.Ledger.write = lambda self, what, **f: (chosen[0][0].save(chosen[0][1]), os.kill(os.getpid(), 9)) "
        "if what == 'issued' else write(self, what, **f)"
    )
    words = ("issue", "000101", "--keys", clerk.keys, "--simulated", clerk.card("first"))
    begun = (clerk.folder / "desk.keys.ledger.jsonl").read_bytes()
    for way in ("issue", "verify"):
        killed = _run(clerk, *words, before=kill)
        killed.communicate(timeout=60)
        assert killed.returncode == -signal.SIGKILL
        assert [line["what"] for line in clerk.ledger][-1] == "begun"
        assert clerk.at(way, "first", *(["000101"] if way == "issue" else [])) == 0
        assert clerk.ledger[-1]["what"] == "issued"
        (clerk.folder / "desk.keys.ledger.jsonl").write_bytes(begun)
        clerk.card("first").unlink()


def _own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_the_passphrase_is_in_no_command_line(clerk: Clerk) -> None:
    """At the terminal: what /proc shows of the process while the passphrase is typed, and after."""
    master, slave = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "TABLESIDE_PASSPHRASE_FILE"}
    command = [sys.executable, "-m", "appliance", "cards", "issue", "000101", "--keys", str(clerk.keys)]
    desk = subprocess.Popen(
        [*command, "--simulated", str(clerk.card("first"))], stdin=slave, stdout=slave, stderr=slave,
        start_new_session=True, env=environment, preexec_fn=_own_terminal,
    )  # fmt: skip
    os.close(slave)
    said = b""
    while b"Passphrase: " not in said:
        said += os.read(master, 4096)
    os.write(master, PHRASE.encode() + b"\n")
    limits = (Path("/proc") / str(desk.pid) / "limits").read_text()
    assert re.search(r"Max core file size +0 +0 ", limits)
    shown = (Path("/proc") / str(desk.pid) / "cmdline").read_bytes()
    shown += (Path("/proc") / str(desk.pid) / "environ").read_bytes()
    try:
        while part := os.read(master, 4096):
            said += part
    except OSError:
        pass  # the other end has gone: it is done
    assert desk.wait(timeout=60) == 0
    os.close(master)
    assert PHRASE.encode() not in shown + said
    assert b"issued" in said
