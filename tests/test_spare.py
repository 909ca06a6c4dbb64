"""A spare device asks at every host that it is told of."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from appliance.apps import kiosk_adopt
from appliance.config import load
from appliance.i18n import Translator
from appliance.spare import Asker, Now
from appliance.workplace import Workplace


def test_a_spare_device_asks_at_the_last_of_many_hosts(tmp_path: Path) -> None:
    """Of ten tables any one may direct."""
    hosts = [f"127.0.7.{number}" for number in range(1, 13)]
    with socket.create_server((hosts[-1], 0)) as director:
        director.settimeout(20)
        file = tmp_path / "spare.toml"
        file.write_text(
            f'[device]\nrole = "spare"\ndata = "{tmp_path}/spare"\n'
            f'[lan]\nfind = "hosts"\nsecure = false\nnewcomers = {director.getsockname()[1]}\n'
            f"hosts = {json.dumps(hosts)}\n"
        )
        (tmp_path / "spare").mkdir()
        asker = Asker(Workplace(load(file), (file,)), lambda: None)
        asker.start()
        try:
            connection, _ = director.accept()
            connection.close()
        finally:
            asker.stop()
    assert asker.failure is None


class Glass:
    """Shows nothing, and is never waited at for long."""

    size, fonts, is_there = (640, 360), None, False

    def show(self, frame: object) -> None:
        pass

    def pump(self) -> list[object]:
        return []

    def wait(self, seconds: float, descriptors: list[int]) -> list[int]:
        assert seconds < 10, "nobody wakes it any more"
        return []


class Ending:
    """An asker that has said its last word, and whose thread has not quite ended."""

    now, name, over = Now(role="table", table=3), "spare-aaaaaa", True

    def is_alive(self) -> bool:
        return True


def test_a_device_that_was_let_in_begins_anew_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen looks once more when the last word is said: whoever looked for the thread's end slept a minute."""
    monkeypatch.setattr(kiosk_adopt, "spare_list", lambda *_: None)
    glass: Any = Glass()
    ending: Any = Ending()
    style: Any = SimpleNamespace(theme=None, house=None)
    read, write = os.pipe2(os.O_NONBLOCK)
    with os.fdopen(read), os.fdopen(write, "w"):
        assert kiosk_adopt._show_until(ending, [], read, glass, style, Translator("cs"), "")


def test_an_asker_that_says_its_last_word_is_over(tmp_path: Path) -> None:
    file = tmp_path / "spare.toml"
    file.write_text(f'[device]\nrole = "spare"\ndata = "{tmp_path}"\n')
    said: list[bool] = []
    asker = Asker(Workplace(load(file), (file,)), lambda: said.append(asker.over))
    asker.stop()
    asker.run()
    assert said == [True]
