"""What a device that is let in is told of its venue."""

from __future__ import annotations

from pathlib import Path

from appliance import newcomersite
from appliance.config import load
from appliance.workplace import Workplace

SITE = """
[venue]
id = "brno"
[lan]
find = "zeroconf"
newcomers = 8884
[league]
public_key = "{key}"
[league.broker]
host = "liga.test"
port = 8443
tls = true
username = "brno"
password = "tajné"
ca = "/etc/liga.pem"
certificate = "/etc/my.crt"
key = "/etc/my.key"
[device]
name = "director"
role = "director"
data = "{data}"
"""


def test_a_device_that_is_let_in_knows_where_the_league_is_and_none_of_the_directors_secrets(tmp_path: Path) -> None:
    """Whoever takes over has an uplink, too; by what it is known at the league is its own affair."""
    file = tmp_path / "director.toml"
    file.write_text(SITE.format(key="c" * 64, data=tmp_path / "data"))
    (tmp_path / "data").mkdir()
    told = newcomersite.answer(Workplace(load(file), (file,)), "table", 3, tracked=False)
    adopted = tmp_path / "adopted.toml"
    adopted.write_text(f'{told.site}\n[device]\nname = "spare-aaaaaa"\ndata = "{tmp_path}/spare"\n')
    league = load(adopted).league
    assert (league.broker.host, league.broker.port, league.broker.tls) == ("liga.test", 8443, True)
    assert league.public_key == "c" * 64
    for secret in ("tajné", "username", "/etc/"):
        assert secret not in told.site
