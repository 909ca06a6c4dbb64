"""The hosts of a house with their cables, and the ways from each to the brokers, through the proxy."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from chaos import nets
from chaos.plan import LAN_PORT, LEAGUE_PORT, PROXY_PORT, ROAM_PORT, SPARE, Plan
from chaos.programs import Host
from chaos.proxy import Proxy, Route


def wired(plan: Plan, shim: Path, ahead_s: Callable[[], int], proxy: Proxy) -> dict[str, Host]:
    """All hosts by name, with a wall clock each that is so many seconds ahead."""
    addresses, may_direct = plan.addresses, plan.may_direct
    hosts = {name: Host(name, plan.folder, plan.disks / name, shim, ahead_s()) for name in (*addresses, "league")}
    lan, wan = nets.bridge("lan"), nets.bridge("wan")
    nets.bridge("island")
    for name, address in addresses.items():
        nets.connect(hosts[name], lan, f"10.77.{address}")
    for name, address in {**may_direct, "league": "0.2"}.items():
        nets.connect(hosts[name], wan, f"10.78.{address}")
    _route(proxy, "league", hosts["league"], "127.0.0.1", LEAGUE_PORT, ("10.78.0.2", 1883))
    for name in may_direct:
        _route(proxy, "uplink", hosts[name], "127.0.0.1", LEAGUE_PORT, ("10.78.0.2", 1883))
    for name in addresses:
        if not plan.lan.roams:
            _route(proxy, name, hosts[name], "127.0.0.1", LAN_PORT, ("10.77.0.2", 1883))
        elif name not in ("director", SPARE):  # the spare device is told the directors' own addresses
            for address in may_direct.values():
                _route(proxy, name, hosts[name], f"127.1.{address}", PROXY_PORT, (f"10.77.{address}", ROAM_PORT))
    return hosts


def _route(proxy: Proxy, name: str, host: Host, address: str, port: int, to: tuple[str, int]) -> None:
    """What a host takes for a broker: the proxy, on its own loopback."""
    with host.within():
        listener = socket.create_server((address, port))

    def fresh() -> socket.socket:
        with host.within():
            return socket.socket()

    proxy.add(Route(name, listener, fresh, to))
