"""What a director notes of the time outside its journal, and what the note says after a power cut (DESIGN §5)."""

from __future__ import annotations

import json

import pytest

from appliance import heartbeat
from appliance.heartbeat import Heartbeat

AT = 1_800_000_000_000


@pytest.fixture(autouse=True)
def boot(monkeypatch):
    now = ["boot-1"]
    monkeypatch.setattr(heartbeat, "boot_id", lambda: now[0])
    return now


def test_a_note_of_this_boot_says_that_the_machine_was_not_off(tmp_path, boot):
    Heartbeat(tmp_path).note(AT)
    assert Heartbeat(tmp_path).cut() is None
    boot[0] = "boot-2"
    assert Heartbeat(tmp_path).cut() == AT


@pytest.mark.parametrize("torn", [b"", b'{"boot":"51', b"\x00" * 40, b'{"boot":"boot-1"}'])
@pytest.mark.parametrize("rebooted", [True, False])
def test_a_note_that_a_power_cut_has_torn_does_not_say_that_there_was_none(tmp_path, torn, rebooted):
    (tmp_path / "heartbeat.json").write_bytes(torn)
    assert Heartbeat(tmp_path).cut(rebooted=rebooted) == 0


def test_without_a_note_what_else_is_known_of_the_boot_counts(tmp_path):
    assert Heartbeat(tmp_path).cut() is None
    assert Heartbeat(tmp_path).cut(rebooted=True) == 0


def test_where_a_boot_cannot_be_told_from_another_every_start_counts_as_one(tmp_path, boot):
    boot[0] = ""
    Heartbeat(tmp_path).note(AT)
    assert Heartbeat(tmp_path).cut() == AT


def test_what_is_handed_on_is_how_far_the_evening_was_or_that_it_goes_on(tmp_path):
    Heartbeat(tmp_path).note(AT - 86_400_000)
    Heartbeat(tmp_path).hand_on(AT)
    assert Heartbeat(tmp_path).cut() == AT
    Heartbeat(tmp_path).hand_on(None)
    assert Heartbeat(tmp_path).cut() is None
    Heartbeat(tmp_path).hand_on(None)


def test_a_note_is_whole_or_the_one_before(tmp_path, monkeypatch):
    Heartbeat(tmp_path).note(AT)

    def no_room(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_room)
    Heartbeat(tmp_path).note(AT + 10_000)
    assert json.loads((tmp_path / "heartbeat.json").read_bytes())["at"] == AT
