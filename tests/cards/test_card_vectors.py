"""The published vectors of RFC 4493, AN10922 and AN12196, for the reader's side and the simulated card's."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.cards.aes import an10922, cmac, decrypt, diversify, mac8
from appliance.cards.apdu import native
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.messaging import CommMode, Session
from appliance.cards.ntag424 import FACTORY_KEY, Ntag424
from appliance.cards.sdm import PiccData, check, open_file_data, open_picc
from appliance.cards.secret import Secret
from appliance.cards.settings import AccessRights, FileSettings, Sdm

H = bytes.fromhex
S = Secret.from_hex
RFC_KEY = S("2b7e151628aed2a6abf7158809cf4f3c")

# authentication with key 0 and with key 3 (all zeros): RndA, R1, C2, R2, TI, session keys
KEY_0 = (
    "13C5DB8A5930439FC3DEF9A4C675360F",
    "A04C124213C186F22399D33AC2A30215",
    "35C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D",
    "3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F08120663",
    "9D00C4DF",
    "1309C877509E5A215007FF0ED19CA564",
    "4C6626F5E72EA694202139295C7A7FC7",
)
KEY_3 = (
    "B98F4C50CF1C2E084FD150E33992B048",
    "B875CEB0E66A6C5CD00898DC371F92D1",
    "FF0306E47DFBC50087C4D8A78E88E62DE1E8BE457AA477C707E2F0874916A8B1",
    "0CC9A8094A8EEA683ECAAC5C7BF20584206D0608D477110FC6B3D5D3F65C3A6A",
    "7614281A",
    "7A93D6571E4B180FCA6AC90C9A7488D4",
    "FC4AF159B62E549B5812394CAB1918CC",
)
RND_B = {0: H("B9E2FC789B64BF237CCCAA20EC7E6E48")}


@pytest.mark.parametrize(
    ("message", "mac"),
    [
        ("", "bb1d6929e95937287fa37d129b756746"),
        ("6bc1bee22e409f96e93d7e117393172a", "070a16b46b4d4144f79bdd9dd04a287c"),
        (
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
            "dfa66747de9ae63030ca32611497c827",
        ),
    ],
)
def test_RFC_4493_aes_cmac(message: str, mac: str) -> None:
    assert cmac(RFC_KEY, H(message)) == H(mac)
    assert mac8(RFC_KEY, H(message)) == H(mac)[1::2]


def test_AN10922_diversified_key() -> None:
    master = S("00112233445566778899AABBCCDDEEFF")
    made = an10922(master, H("04782E21801D803042F54E585020416275"))
    assert made.reveal() == H("A8DD63A3B89D54B37CA802473FDA9175")
    # our input is UID, key number, system identifier: the note's own bytes are 30 as the key number
    assert diversify(master, H("04782E21801D80"), 0x30, H("42F54E585020416275")) == made


@pytest.mark.parametrize("length", [0, 15, 32])
def test_AN10922_input_that_would_need_another_padding_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="16 to 31"):
        an10922(RFC_KEY, bytes(length))


@pytest.mark.parametrize(("uid", "system"), [(6, 8), (8, 8), (7, 7), (7, 24), (4, 12)])
def test_a_key_is_diversified_by_a_whole_uid_and_a_long_enough_system(uid: int, system: int) -> None:
    with pytest.raises(ValueError, match="UID of 7 bytes"):
        diversify(RFC_KEY, bytes(uid), 0, bytes(system))


def test_every_key_of_every_card_differs() -> None:
    made = {
        diversify(RFC_KEY, uid, number, b"a system").reveal()
        for uid in (b"\x04card 1", b"\x04card 2")
        for number in range(5)
    }
    assert len(made) == 10


@pytest.mark.parametrize(("key_no", "vector"), [(0, KEY_0), (3, KEY_3)])
def test_AN12196_authenticate_ev2_first_reader(key_no: int, vector: tuple[str, ...], script: Any) -> None:
    rnd_a, r1, c2, r2, ti, enc, mac = vector
    card = script((f"90710000020{key_no}0000", r1 + "91AF"), (f"90AF000020{c2}00", r2 + "9100"))
    reader = Ntag424(card, lambda _: H(rnd_a))
    reader.authenticate(key_no, FACTORY_KEY)
    # the session is that of the vector: it says what the vector's own keys say
    mine = Session(S(enc), S(mac), H(ti)).protect(CommMode.FULL, 0x8D, b"\x03", b"data")
    card.lines.append((native(0x8D, mine), b""))
    with pytest.raises(OSError, match="malformed"):
        reader._command(CommMode.FULL, 0x8D, b"\x03", b"data")


@pytest.mark.parametrize(("key_no", "vector"), [(0, KEY_0), (3, KEY_3)])
def test_AN12196_authenticate_ev2_first_card(key_no: int, vector: tuple[str, ...]) -> None:
    _, r1, c2, r2, ti, _, _ = vector
    rnd_b = decrypt(FACTORY_KEY, H(r1))
    assert RND_B.get(key_no, rnd_b) == rnd_b
    random = iter([rnd_b, H(ti)])
    card = EmulatedNtag424(H("04DE5F1EACC040"), lambda _: next(random))
    assert card.transmit(H("00A4040C07D2760000850101")) == H("9000")
    assert card.transmit(H(f"90710000020{key_no}0000")) == H(r1 + "91AF")
    assert card.transmit(H(f"90AF000020{c2}00")) == H(r2 + "9100")


def test_AN12196_comm_mode_mac_get_file_settings() -> None:
    session = Session(S("00" * 16), S("8248134A386E86EB7FAF54A52E536CB6"), H("7A21085E"))
    assert native(0xF5, session.protect(CommMode.MAC, 0xF5, b"\x02", b"")) == H("90F5000009026597A457C8CD442C00")
    answer = H("0040EEEE000100D1FE001F00004400004400002000006A00002A474282E7A47986")
    told = FileSettings.decode(session.accept(CommMode.MAC, answer))
    sdm = Sdm(0, 0, 14, picc_offset=0x1F, mac_input_offset=0x44, enc_offset=0x44, enc_length=0x20, mac_offset=0x6A)
    assert told == FileSettings(CommMode.PLAIN, AccessRights(14, 14, 14, 14), 256, sdm)
    assert told.encode() == answer[1:4] + answer[7:-8]


def test_AN12196_comm_mode_full_write_data(script: Any) -> None:
    rnd_a, r1, c2, r2, *_ = KEY_3
    card = script(
        ("9071000002030000", r1 + "91AF"),
        (f"90AF000020{c2}00", r2 + "9100"),
        (
            "908D00001F030000000A00006B5E6804909962FC4E3FF5522CF0F8436C0C53315B9C73AA00",
            "C26D236E4A7C046D9100",
        ),
    )
    reader = Ntag424(card, lambda _: H(rnd_a))
    reader.authenticate(3, FACTORY_KEY)
    reader.write_data(3, H("0102030405060708090A"), mode=CommMode.FULL)


def test_AN12196_comm_mode_full_write_data_card() -> None:
    _, r1, c2, _, ti, *_ = KEY_3
    random = iter([decrypt(FACTORY_KEY, H(r1)), H(ti)])
    card = EmulatedNtag424(H("04DE5F1EACC040"), lambda _: next(random))
    for asked in ("00A4040C07D2760000850101", "9071000002030000", f"90AF000020{c2}00"):
        card.transmit(H(asked))
    written = H("908D00001F030000000A00006B5E6804909962FC4E3FF5522CF0F8436C0C53315B9C73AA00")
    assert card.transmit(written) == H("C26D236E4A7C046D9100")
    assert card.memory.files[3].content[:10] == H("0102030405060708090A")


def test_AN12196_comm_mode_full_get_card_uid() -> None:
    session = Session(S("2B4D963C014DC36F24F69A50A394F875"), S("379D32130CE61705DD5FD8C36B95D764"), H("DF055522"))
    assert native(0x51, session.protect(CommMode.FULL, 0x51, b"", b"")) == H("90510000088E2C155ADDA99BE300")
    answer = H("70756055688505B52A5E26E59E329CD6595F672298EA41B7")
    assert session.accept(CommMode.FULL, answer) == H("04958CAA5C5E80")


def _mid_session(card: Any, counter: int) -> Ntag424:
    reader = Ntag424(card)
    enc, mac = S("4CF3CB41A22583A61E89B158D252FC53"), S("5529860B2FC5FB6154B7F28361D30BF9")
    reader._session = Session(enc, mac, H("7614281A"), counter)
    return reader


def test_AN12196_change_key_of_another_number(script: Any) -> None:
    asked = "90C4000029022CF362B7BF4311FF3BE1DAA295E8C68DE09050560D19B9E16C2393AE9CD1FAC75D0CE20BCD1D06E600"
    reader = _mid_session(script((asked, "203BB55D1089D5879100")), 2)
    reader.change_key(2, S("F3847D627727ED3BC9C4CC050489B966"), 1)
    assert reader.authenticated


def test_AN12196_change_key_of_the_session(script: Any) -> None:
    asked = "90C400002900C0EB4DEEFEDDF0B513A03A95A75491818580503190D4D05053FF75668A01D6FDA6610234BDED643200"
    reader = _mid_session(script((asked, "9100")), 3)
    reader.change_key(0, S("5004BF991F408672B1EF00F08F9E8647"), 1)
    assert not reader.authenticated


def test_AN12196_sdm_picc_data_and_mac_over_nothing() -> None:
    picc = open_picc(FACTORY_KEY, H("EF963FF7828658A599F3041510671E88"))
    assert picc == PiccData(H("04DE5F1EACC040"), 0x3D)
    check(FACTORY_KEY, picc, H("94EED9EE65337086"))


def test_AN12196_sdm_session_keys() -> None:
    key, picc = S("5ACE7E50AB65D5D51FD5BF5A16B8205B"), PiccData(H("04C767F2066180"), 1)
    assert cmac(key, picc.vector(b"\xc3\x3c")) == H("66DA61797E23DECA5D8ECA13BBADF7A9")
    assert cmac(key, picc.vector(b"\x3c\xc3")) == H("3A3E8110E05311F7A3FCF0D969BF2B48")


def test_AN12196_sdm_encrypted_file_data() -> None:
    picc = open_picc(FACTORY_KEY, H("FDE4AFA99B5C820A2C1BB0F1C792D0EB"))
    assert picc == PiccData(H("04958CAA5C5E80"), 1)
    assert open_file_data(FACTORY_KEY, picc, H("94592FDE69FA06E8E3B6CA686A22842B")) == b"x" * 16


def test_AN12196_sdm_mac_over_file_data() -> None:
    picc = PiccData(H("04958CAA5C5E80"), 8)
    check(FACTORY_KEY, picc, H("ECC1E7F6C6C73BF6"), b"CEE9A53E3E463EF1F459635736738962&cmac=")
