"""This machine's addresses, and which of another's are near."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator

import ifaddr

LOOPBACK = "127.0.0.1"
Address = ipaddress.IPv4Interface | ipaddress.IPv6Interface


def own_addresses() -> list[str]:
    """The addresses that others may reach this machine at, IPv4 first; without a network its own for itself."""
    found = {str(address.ip): address.version for address in _interfaces() if _reaches_far(address)}
    return sorted(found, key=lambda text: (found[text], text)) or [LOOPBACK]


def broadcast_addresses() -> list[str]:
    """Where to send what all machines on this one's IPv4 networks are to get, and this one itself."""
    four = (one for one in _interfaces() if isinstance(one, ipaddress.IPv4Interface) and one.network.prefixlen < 31)
    return sorted({str(one.network.broadcast_address) for one in four})


def nearest_first(addresses: Iterable[str]) -> list[str]:
    """The addresses worth a try: those on a network of this machine's first.

    One that is valid on one link alone (fe80::/10) is left out: it says nothing without the interface it is meant for.
    """
    networks = [address.network for address in _interfaces()]
    tried = [ip for ip in map(_address, addresses) if ip is not None and not (ip.version == 6 and ip.is_link_local)]
    return [str(ip) for ip in sorted(tried, key=lambda ip: not any(ip in network for network in networks))]


def _reaches_far(address: Address) -> bool:
    ip = address.ip
    return not (ip.is_loopback or ip.is_unspecified or (ip.version == 6 and ip.is_link_local))


def _interfaces() -> Iterator[Address]:
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            host = each.ip[0] if isinstance(each.ip, tuple) else each.ip
            try:
                yield ipaddress.ip_interface(f"{host}/{each.network_prefix}")
            except ValueError:
                continue


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
