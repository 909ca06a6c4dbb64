"""A spare device asks at every host that it is told of."""

from __future__ import annotations

import json
import socket
from pathlib import Path

from appliance.config import load
from appliance.spare import Asker
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
