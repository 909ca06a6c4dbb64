"""The devices of a venue: whose signature counts, and for what (DESIGN §3, §5). Pure.

Three sources say who belongs to a venue: its site file, the league's stream, and what a commissioner adopted on the
spot. Whom the league has revoked is out, whoever else says otherwise, under any name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from msgspec import Struct

DIRECTOR, UPLINK = "director", "uplink"
"""Roles: who only directs, and who only carries (it writes no stream of the venue)."""


class Named(Protocol):
    """What the league's and the venue's streams say of a device (`DeviceKnown`, `DeviceAdopted`)."""

    @property
    def device(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def opening(self) -> str: ...
    @property
    def certificate(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def table(self) -> int | None: ...


class Member(Struct, frozen=True, kw_only=True):
    """A device that belongs here. ``key`` signs (Ed25519, hex); what is sealed to it opens with ``opening`` (X25519,
    hex; empty: not known). ``certificate``: its own in base64 (DER), empty where the league's authority signed one.
    ``role`` is empty for one of the site file other than the director: that says names and keys alone.
    """

    name: str
    key: str
    opening: str = ""
    certificate: str = ""
    role: str = ""
    table: int | None = None

    @property
    def device(self) -> str:
        """Its name, as the streams call it."""
        return self.name


class Members(Mapping[str, Member]):
    """All devices that belong to a venue now, by name."""

    def __init__(self, members: Iterable[Member] = ()) -> None:
        self._by_name = {member.name: member for member in members}

    def __getitem__(self, name: str) -> Member:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def key(self, name: str) -> str:
        """The public key of a device in hex, empty if it does not belong here."""
        member = self._by_name.get(name)
        return member.key if member else ""

    def may_direct(self, name: str) -> bool:
        """Whether it may write the venue's and its rounds' streams: any kiosk may take over (DESIGN §5)."""
        member = self._by_name.get(name)
        return member is not None and member.role != UPLINK

    def may_write_table(self, name: str) -> bool:
        """Whether it may write a table's stream: who only directs or carries has no table."""
        member = self._by_name.get(name)
        return member is not None and member.role not in (DIRECTOR, UPLINK)


def members(
    configured: Mapping[str, str],
    director: str,
    league: Iterable[Named] = (),
    adopted: Iterable[Named] = (),
    revoked: Iterable[str] = (),
) -> Members:
    """Who belongs to a venue. ``configured``: names and keys of its site file, ``director`` the name of the one that
    only directs; ``revoked``: keys that the league has withdrawn. A name is its first owner's: what the league says
    of it counts before the site file, and that before what was adopted.
    """
    out = frozenset(revoked)
    found: dict[str, Member] = {}
    for name, key in configured.items():
        role = DIRECTOR if name == director else UPLINK if name == UPLINK else ""
        found[name] = Member(name=name, key=key, role=role)
    for told in league:
        found[told.device] = _member(told)
    for told in adopted:
        found.setdefault(told.device, _member(told))
    return Members(member for member in found.values() if member.key not in out)


def _member(told: Named) -> Member:
    return Member(
        name=told.device, key=told.key, opening=told.opening, certificate=told.certificate,
        role=told.role, table=told.table,
    )  # fmt: skip
