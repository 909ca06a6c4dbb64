"""Who may come in: what the pages' server asks of whoever keeps the phones' keys."""

from __future__ import annotations

from typing import Literal, Protocol

from appliance.phone import Phone

Standing = Literal["offered", "claimed", "confirmed", "refused", "expired", "cut-off", "unknown"]
"""How it stands with a phone: its key waits for it; it has come with the key and waits for a person; it is signed in;
a person refused it; it took too long, or the evening is over; it was cut off; nothing is known of it."""


class Gate(Protocol):
    """All of it is called in the console's own thread, the asyncio loop's, and answers at once but for `claim`."""

    def key(self, session: str) -> bytes | None:
        """The key by which a phone's requests are signed, that of a phone that has not come yet among them; None where
        there is none (any more).
        """

    def take(self, session: str, count: int) -> bool:
        """Take a request's count, once: False if it came before, or is older than the window. Only called for requests
        whose signature holds.
        """

    def high(self, session: str) -> int:
        """The highest count that was taken, or that counts as taken since the director's start: a phone whose signature
        holds and whose count does not goes on above it.
        """

    def phone(self, session: str) -> Phone | None:
        """The phone, if it is signed in now."""

    def standing(self, session: str) -> Standing:
        """How it stands with a phone."""

    async def claim(self, session: str, nonce: bytes, agent: str) -> str | None:
        """A phone has come with the key that was offered: the four digits that both show (`signing.code`), and a kiosk
        asks its commissioner. None if the offer is over, or somebody came with it before. ``nonce``: 16 bytes that the
        phone made; with the same ones again the answer is the same (its answer may have been lost).
        """
