"""The simulated NTAG 424 DNA's memory: torn at any APDU, saved and loaded, and settings that it does not take."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.cards.apdu import CardError, Fault, native
from appliance.cards.emulator.ntag424 import EmulatedNtag424, NoPower
from appliance.cards.emulator.ntag424_json import to_json
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import DATA_FILE, FACTORY_KEY, NDEF_FILE, Ntag424
from appliance.cards.secret import Secret
from appliance.cards.settings import FREE, NEVER, AccessRights, FileSettings, Sdm

KEY = Secret(bytes(range(16)))
SELECT = bytes.fromhex("00A4040C07D2760000850101")


def personalise(card: EmulatedNtag424) -> None:
    """What an issuing desk does: settings, data, keys, the master key last."""
    reader = Ntag424(card)
    reader.select()
    reader.authenticate(0, FACTORY_KEY)
    reader.write_data(NDEF_FILE, b"\0\x03abc")
    reader.change_file_settings(NDEF_FILE, FileSettings(CommMode.PLAIN, AccessRights(FREE, 0, 0, 0)))
    for number in (1, 2, 3, 4):
        reader.change_key(number, KEY, 1)
    reader.authenticate(3, KEY, first=False)
    reader.write_data(DATA_FILE, b"record" * 10, mode=CommMode.FULL)
    reader.authenticate(0, FACTORY_KEY)
    reader.change_key(0, KEY, 1)


def snapshots(card: EmulatedNtag424) -> Callable[[], str]:
    return lambda: json.dumps(to_json(card.memory), sort_keys=True)


def test_torn_at_any_apdu_a_card_holds_a_state_between_two_commands_and_nothing_else() -> None:
    whole = EmulatedNtag424(b"\x04abcdef")
    told, states = snapshots(whole), []

    class Watched:
        def transmit(self, apdu: bytes) -> bytes:
            states.append(told())
            return whole.transmit(apdu)

    personalise(Watched())  # type: ignore[arg-type]
    states.append(told())
    for at in range(len(states) - 1):
        for done in (False, True):
            card = EmulatedNtag424(b"\x04abcdef")
            card.tear(at, done)
            with pytest.raises(NoPower):
                personalise(card)
            with pytest.raises(NoPower):
                card.transmit(SELECT)
            assert snapshots(card)() == states[at + 1 if done else at]
            card.power_off()
            assert card.transmit(SELECT) == b"\x90\0"


def test_a_card_saved_and_loaded_is_the_same_card(tmp_path: Path, card: EmulatedNtag424, reader: Ntag424) -> None:
    reader.authenticate(0, FACTORY_KEY)
    sdm = Sdm(2, 1, 0, picc_offset=10, mac_input_offset=50, mac_offset=60, limit=500)
    reader.change_file_settings(NDEF_FILE, FileSettings(CommMode.PLAIN, AccessRights(FREE, 0, 0, 0), 256, sdm))
    reader.change_key(1, KEY, 5)
    reader.set_failure_limit(700, 7)
    reader.select()
    reader.read_data(NDEF_FILE, 4)
    card.transmit(native(0x71, b"\4\0"))
    assert card.transmit(native(0xAF, bytes(32))) == b"\x91\xae"
    path = tmp_path / "card.json"
    card.save(path)
    assert path.stat().st_mode & 0o777 == 0o600
    again = EmulatedNtag424.load(path)
    assert snapshots(again)() == snapshots(card)()
    assert (again.uid, again.memory) == (card.uid, card.memory)
    assert [left.name for left in tmp_path.iterdir()] == ["card.json"]
    Ntag424(again).select()
    Ntag424(again).authenticate(1, KEY)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("uid", "04"),
        ("uid", "xx"),
        ("keys", []),
        ("keys", [{"value": "00"}] * 5),
        ("keys", [{"value": "00" * 16, "version": 256}] * 5),
        ("files", {}),
        ("card", "ntag213"),
        ("batch", None),
        ("surprise", 1),
    ],
)
def test_a_file_that_is_no_card_is_refused(tmp_path: Path, card: EmulatedNtag424, name: str, value: object) -> None:
    path = tmp_path / "card.json"
    card.save(path)
    data = json.loads(path.read_text())
    data[name] = value
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError):
        EmulatedNtag424.load(path)


@pytest.mark.parametrize("settings", ["", "0000", "02E0EE", "80E0EE", "00E5EE", "4000E0C1FF12", "00E0EE00"])
def test_a_file_with_impossible_settings_is_refused(tmp_path: Path, card: EmulatedNtag424, settings: str) -> None:
    path = tmp_path / "card.json"
    card.save(path)
    data = json.loads(path.read_text())
    data["files"]["2"]["settings"] = settings
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match="settings"):
        EmulatedNtag424.load(path)


def test_a_card_has_seven_bytes_of_uid() -> None:
    assert len(EmulatedNtag424().uid) == 7
    assert EmulatedNtag424().uid != EmulatedNtag424().uid
    with pytest.raises(ValueError, match="seven"):
        EmulatedNtag424(b"\x04")


R = AccessRights(FREE, 0, 0, 0)
GOOD = {"meta_read": 2, "file_read": 1, "counter_read": 1, "picc_offset": 20, "mac_input_offset": 60, "mac_offset": 60}


@pytest.mark.parametrize(
    "change",
    [
        {"picc_offset": 225},
        {"mac_offset": 241, "mac_input_offset": 100},
        {"mac_input_offset": 61},
        {"picc_offset": 50},
        {"picc_offset": 60},
        {"meta_read": 5, "picc_offset": None},
        {"file_read": 7},
        {"file_read": FREE},
        {"counter_read": 9},
        {"uid": False, "counter": False, "counter_read": NEVER},
        {"counter": False},
        {"meta_read": NEVER, "picc_offset": None},
        {"limit": 0},
        {"counter": False, "counter_read": NEVER, "limit": 5},
        {"uid": False, "enc_offset": 60, "enc_length": 32, "mac_offset": 100},
        {"enc_offset": 60, "enc_length": 31, "mac_offset": 100},
        {"enc_offset": 60, "enc_length": 0, "mac_offset": 100},
        {"enc_offset": 60, "enc_length": 64, "mac_offset": 100},
        {"enc_offset": 59, "enc_length": 32, "mac_offset": 100},
        {"meta_read": FREE, "picc_offset": None, "uid_offset": 20, "counter_offset": 33},
        {"meta_read": FREE, "picc_offset": None, "uid_offset": 243, "counter_offset": 0},
    ],
)
def test_sdm_settings_that_overlap_overflow_or_contradict_are_refused(
    card: EmulatedNtag424, reader: Ntag424, change: dict[str, int | None]
) -> None:
    good = FileSettings(CommMode.PLAIN, R, 256, Sdm(**GOOD))  # type: ignore[arg-type]
    wrong = FileSettings(CommMode.PLAIN, R, 256, Sdm(**{**GOOD, **change}))  # type: ignore[arg-type]
    reader.authenticate(0, FACTORY_KEY)
    reader.change_file_settings(NDEF_FILE, good)
    with pytest.raises(CardError) as refused:
        reader.change_file_settings(NDEF_FILE, wrong)
    assert refused.value.code is Fault.PARAMETER
    assert reader.get_file_settings(NDEF_FILE) == good


def test_sdm_is_for_the_ndef_file_only(reader: Ntag424) -> None:
    reader.authenticate(0, FACTORY_KEY)
    with pytest.raises(CardError) as refused:
        reader.change_file_settings(DATA_FILE, FileSettings(CommMode.PLAIN, R, 128, Sdm(**GOOD)))  # type: ignore[arg-type]
    assert refused.value.code is Fault.PERMISSION_DENIED
