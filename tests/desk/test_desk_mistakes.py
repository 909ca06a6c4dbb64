"""What a clerk gets wrong, or loses: a mistyped number, the ledger, the key file."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.apps import passphrase
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.desk import keyfile
from tests.desk.conftest import Clerk


def test_a_number_with_digits_left_out_makes_no_card(clerk: Clerk) -> None:
    assert clerk.at("issue", "first", "000101") == 0
    before = clerk.ledger
    assert clerk.at("issue", "second", "102") == 2
    assert "102 has 3 digits, the numbers on the cards so far have 6" in clerk.complained
    assert clerk.ledger == before
    assert not clerk.card("second").exists() or EmulatedNtag424.load(clerk.card("second")).memory.keys[0].version == 0
    assert clerk.at("issue", "second", "102", "--other-form") == 0
    assert clerk.at("issue", "third", "103") == 0  # now there are numbers of both forms


@pytest.mark.parametrize("action", [("issue",), ("replace", "--reason", "lost")])
def test_where_no_league_is_a_card_for_it_is_not_begun(
    clerk: Clerk, monkeypatch: pytest.MonkeyPatch, action: tuple[str, ...]
) -> None:
    monkeypatch.chdir(clerk.folder)
    monkeypatch.delenv("TABLESIDE_LEAGUE_DIR", raising=False)
    before = sorted(clerk.folder.iterdir())
    assert clerk.at(action[0], "first", "000101", *action[1:], "--league") == 2
    assert "nothing was done" in clerk.complained and "there is no league in" in clerk.complained
    assert sorted(clerk.folder.iterdir()) == before


def test_a_lost_ledger_is_not_begun_from_serial_1_by_the_way(clerk: Clerk) -> None:
    """Two cards would have the same serial number, and the league takes none of them."""
    assert clerk.at("issue", "first", "000101") == 0
    assert clerk.at("issue", "second", "000102") == 0
    lost = clerk.folder / "desk.keys.ledger.jsonl"
    lost.unlink()
    assert clerk.at("verify", "first") == 0
    assert "entered now" in clerk.said
    for words in (("issue", "third", "000103"), ("replace", "third", "000102", "--reason", "lost")):
        assert clerk.at(*words) == 2
        assert "put its latest copy there" in clerk.complained and "begin-ledger" in clerk.complained
    assert clerk.types("keys", "renew", clerk.keys) == 2  # the version of the keys that are out is not known either
    begin = ("keys", "begin-ledger", clerk.keys, "--last-serial")
    assert clerk.types(*begin, -1) == 2
    assert clerk.types(*begin, 2) == 0
    assert "serial 3" in clerk.said
    assert clerk.types(*begin, 7) == 2
    assert clerk.at("issue", "third", "000103") == 0
    assert "serial 3, issued" in clerk.said
    assert clerk.at("verify", "second") == 0
    assert [(line["what"], line["serial"]) for line in clerk.ledger] == [
        ("issued", 1), ("key", 2), ("begun", 3), ("issued", 3), ("issued", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("action", ["show", "check", "renew", "passphrase"])
def test_a_key_file_that_is_not_there_is_said_before_the_passphrase_is_asked_for(
    clerk: Clerk, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    def asked(_file: Path | None) -> None:
        raise AssertionError("the passphrase was asked for")

    monkeypatch.setattr(passphrase, "obtain", asked)
    missing = clerk.folder / "none.keys"
    assert clerk.types("keys", action, missing) == 2
    assert f"{missing}: no such file" in clerk.complained
    if action == "check":
        assert clerk.types("keys", action, clerk.keys, "--backup", missing) == 2
        assert f"{missing}: no such file" in clerk.complained


def test_LG_6_a_kiosk_says_the_same_of_a_card_before_and_after_it_is_wiped(clerk: Clerk) -> None:
    """The league has it as lost for good: a kiosk that sees it sends for the commissioner, blank or not."""
    assert clerk.at("issue", "first", "000101") == 0
    assert clerk.types("revoke", "000101", "--reason", "lost", "--keys", clerk.keys) == 0
    for action in ("verify", "wipe", "verify"):
        clerk.at(action, "first")
        if action == "verify":
            assert "a kiosk says: refused, lost" in clerk.said
    assert clerk.at("issue", "first", "000102") == 0
    assert clerk.at("verify", "first") == 0
    assert clerk.at("wipe", "first") == 0
    clerk.at("verify", "first")
    assert "a kiosk says: refused, revoked" in clerk.said


def test_a_key_file_is_looked_at_whole_before_it_is_opened(clerk: Clerk) -> None:
    keyfile.check(clerk.keys)
    clerk.keys.chmod(0o644)
    with pytest.raises(keyfile.KeyFileError, match="chmod 600"):
        keyfile.check(clerk.keys)


@pytest.mark.parametrize("chip", ["ntag213", "ntag215", "ntag216", "ntag424"])
def test_a_blank_simulated_card_of_any_kind_can_be_made_and_issued(clerk: Clerk, chip: str) -> None:
    assert clerk.types("blank", clerk.card("new"), "--chip", chip) == 0
    assert clerk.types("blank", clerk.card("new"), "--chip", chip) == 2
    assert "never overwritten" in clerk.complained
    assert clerk.at("issue", "new", "000101") == 0
    assert clerk.at("verify", "new") == 0
    assert f"accepted, {'genuine' if chip == 'ntag424' else 'weak'}" in clerk.said


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "not a simulated card: JSON"),
        ("[]", "not a simulated card"),
        ('{"uid": "04"}', "does not say which card"),
        ('{"card": "ntag424", "uid": "zz"}', "not a simulated NTAG 424 DNA"),
        ('{"card": "NTAG213"}', "not a simulated NTAG21x"),
        ('{"card": "MIFARE"}', "'MIFARE'"),
    ],
)
def test_a_bad_image_is_named_by_what_it_says_it_is(clerk: Clerk, content: str, complaint: str) -> None:
    clerk.card("bad").write_text(content)
    assert clerk.at("issue", "bad", "000101") == 2
    assert complaint in clerk.complained and str(clerk.card("bad")) in clerk.complained
    assert clerk.complained.count("\n") == 1
