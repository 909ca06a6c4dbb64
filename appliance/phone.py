"""A phone that was signed in for an evening."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

PhoneRole = Literal["commissioner", "dealer"]


class Phone(Struct, frozen=True, kw_only=True):
    """Who holds it and what it may do. ``who``: the commissioner who signed it in, at the device ``by``.

    ``session`` is 16 hex digits; a dealer's is for one ``table``. ``since_ms`` and ``until_ms`` are UTC milliseconds of
    the director's time; ``agent`` is what the phone says it is, in a few plain words. A phone whose key another
    director has is not ``here``: it has to be signed in anew.
    """

    session: str
    role: PhoneRole
    table: int | None = None
    who: str
    by: str
    since_ms: int = 0
    until_ms: int = 0
    agent: str = ""
    here: bool = True

    @property
    def device(self) -> str:
        """Its name where a device's stands: in commands and records."""
        return f"phone-{self.session[:12]}"
