"""How a phone comes to be signed in: offered, claimed, confirmed; each step once and in its time. Pure.

A kiosk shows a key as a picture; whoever comes with that key first has claimed it; a person at that kiosk compares four
digits and confirms. Times are monotonic seconds.
"""

from __future__ import annotations

from typing import NamedTuple

from appliance.console import signing
from appliance.console.gate import Standing
from appliance.link.envelope import PhoneWaits
from appliance.phonenotes import PairPhone

CLAIM_S = CONFIRM_S = 60.0
"""So long a key waits for its phone, and a phone for a person's word."""

MOST_OPEN = 16
"""So many phones may be on their way at a time."""

TOLD_S = 600.0
"""So long it is remembered what became of one."""

MOST_TOLD = 200

GONE, MANY = "phone-gone", "too-many-phones"


class Offer(NamedTuple):
    """A key that was shown at the kiosk ``device``, and how it stands with it until ``until``."""

    want: PairPhone
    key: bytes
    device: str
    until: float
    standing: Standing = "offered"
    nonce: bytes = b""
    agent: str = ""

    @property
    def is_open(self) -> bool:
        """Whether more may come of it."""
        return self.standing in ("offered", "claimed")

    @property
    def waits(self) -> PhoneWaits:
        """As the kiosk shows a phone that has come."""
        want, code = self.want, signing.code(self.key, self.nonce)
        return PhoneWaits(want.session, code, want.role, self.device, want.table, self.agent)


class Pairing:
    """All phones that are on their way."""

    def __init__(self) -> None:
        self._offers: dict[str, Offer] = {}

    def offer(self, want: PairPhone, key: bytes, device: str, now: float) -> str | None:
        """A kiosk shows a key from now on; why it may not. The same once more changes nothing."""
        self.tick(now)
        known = self._offers.get(want.session)
        if known is not None:
            same = (known.want.by, known.key, known.device) == (want.by, key, device)
            return None if same and known.is_open else GONE
        open_now = sum(each.is_open for each in self._offers.values())
        if open_now >= MOST_OPEN or len(self._offers) >= MOST_TOLD:
            return MANY
        self._offers[want.session] = Offer(want, key, device, now + CLAIM_S)
        return None

    def claim(self, session: str, nonce: bytes, agent: str, now: float) -> str | None:
        """A phone has come with the key: the digits that it shows. None: too late, or another one was first."""
        self.tick(now)
        offer = self._offers.get(session)
        if offer is None or not offer.is_open or (offer.standing == "claimed" and offer.nonce != nonce):
            return None
        if offer.standing == "offered":
            self._offers[session] = offer._replace(standing="claimed", nonce=nonce, agent=agent, until=now + CONFIRM_S)
        return signing.code(offer.key, nonce)

    def confirm(self, session: str, device: str, by: str, now: float, *, yes: bool) -> Offer | None:
        """A person's word about a phone that has come, at the kiosk that showed its key, and theirs who began it there;
        a key that nobody has come with yet can be taken back. None: there is no such phone (any more).
        """
        self.tick(now)
        offer = self._offers.get(session)
        if offer is None or (offer.device, offer.want.by) != (device, by):
            return None
        if offer.standing != "claimed" and (yes or not offer.is_open):
            return None
        return self._end(offer, "confirmed" if yes else "refused", now)

    def give_up(self, session: str, now: float) -> None:
        """Nothing came of it, though it was confirmed: the disk would not have it."""
        if (offer := self._offers.get(session)) is not None:
            self._end(offer, "expired", now)

    def tick(self, now: float) -> None:
        """Let time pass."""
        for session, offer in list(self._offers.items()):
            if now < offer.until:
                continue
            if offer.is_open:
                self._end(offer, "expired", now)
            else:
                del self._offers[session]

    def standing(self) -> dict[str, Standing]:
        """How it stands with each."""
        return {session: offer.standing for session, offer in self._offers.items()}

    def waiting(self) -> tuple[PhoneWaits, ...]:
        """The phones that have come and wait for a person."""
        return tuple(offer.waits for offer in self._offers.values() if offer.standing == "claimed")

    @property
    def due(self) -> float | None:
        """When `tick` changes something."""
        return min((offer.until for offer in self._offers.values()), default=None)

    def _end(self, offer: Offer, standing: Standing, now: float) -> Offer:
        ended = offer._replace(standing=standing, until=now + TOLD_S)
        self._offers[offer.want.session] = ended
        return ended
