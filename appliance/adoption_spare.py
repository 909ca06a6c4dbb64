"""A spare device's side of an adoption: the code on its screen, what it asks, and whose offer it takes. Pure.

Times are monotonic seconds. An offer that was made under the code is `pending`: to be kept on the disk, for once the
director has written the adoption only its word of that is missing, and that may come after a power cut.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from msgspec import Struct

from appliance import adoption, certificates
from appliance.adoption import Adopted, Agreed, Answer, Ask, BadMessage, Offer, Seen, Sorry
from appliance.identity import public_hex

CODE_S = 300.0
"""How long a code counts."""

WRITTEN_S = adoption.ANSWER_S + 2.0
"""How long the director's word is waited for that it is written; then there is another code."""

REST_S = 2.0
"""Between two offers that are looked at: each takes a while, and shows another code if it is wrong."""


class Pending(Struct, frozen=True, kw_only=True):
    """An offer that was made under the code, and the certificate that was shown for it (base64)."""

    answer: Answer
    certificate: str


class Line:
    """What one venue's director knows of this device. ``called``: the venue, as it says; ``sorry``: why it does not."""

    def __init__(self, venue: str, certificate: str, nonce: str) -> None:
        self.venue, self.certificate, self.nonce = venue, certificate, nonce
        self.wrong: str | None = None
        self.agreed: Agreed | None = None
        self.seen = False
        self.called = self.sorry = ""


class Spare:
    """This device. ``pending``: what an earlier life of this program had accepted."""

    def __init__(
        self,
        key: Ed25519PrivateKey,
        opening: X25519PrivateKey,
        software: str = "",
        pending: Pending | None = None,
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._key, self._opening, self._software, self._entropy = key, opening, software, entropy
        self.public = public_hex(key)
        self.name = adoption.name_of(self.public)
        self.pending = pending
        self.code = ""
        """What the screen shows; "" while the answer to the last one is under way."""
        self.wrong = False
        self.done: Pending | None = None
        self._lines: dict[str, Line] = {}
        self._until = self._rests_until = -math.inf

    @property
    def lines(self) -> tuple[Line, ...]:
        """The venues that were asked."""
        return tuple(self._lines.values())

    def tick(self, now: float) -> bool:
        """Show another code when the last one has had its time; whether there is one."""
        if now < self._until:
            return False
        self._renew(now)
        self.wrong = False
        return True

    def ask(self, venue: str) -> list[bytes]:
        """What to say to a venue's director, now and again. Raises `CertificateError` for a venue that cannot be."""
        line = self._line(venue)
        said = [adoption.encode(self._ask(line))]
        return said if line.agreed is None else [*said, adoption.encode(line.agreed)]

    def leave(self, venue: str) -> None:
        """Its director is gone."""
        self._lines.pop(venue, None)

    def heard(self, venue: str, payload: bytes, now: float) -> list[bytes]:
        """A director says something; what to answer. Raises `BadMessage`."""
        told, line = adoption.read_from_director(payload), self._line(venue)
        match told:
            case Seen(nonce=line.nonce):
                line.seen, line.called, line.sorry = True, told.called, ""
            case Sorry(nonce=line.nonce):
                line.seen, line.sorry = False, told.code
            case Offer(asked=line.nonce) if self.code:
                return self._offered(line, told, now)
            case Adopted(asked=line.nonce):
                self._adopted(line, told)
        return []

    # -- inside ------------------------------------------------------------------------------------------

    def _line(self, venue: str) -> Line:
        if venue not in self._lines:
            own = certificates.to_text(certificates.self_signed(self._key, venue, self.name))
            if self.pending is not None and self.pending.answer.venue == venue:
                own = self.pending.certificate
            self._lines[venue] = Line(venue, own, self._entropy(16).hex())
        return self._lines[venue]

    def _renew(self, now: float) -> None:
        """Another code, and with it another question to each venue."""
        self.code, self._until = adoption.new_code(self._entropy(16)), now + CODE_S
        for line in self._lines.values():
            line.nonce, line.agreed = self._entropy(16).hex(), None

    def _ask(self, line: Line) -> Ask:
        opening = self._opening.public_key().public_bytes_raw().hex()
        asks = Ask(
            key=self.public, opening=opening, certificate=line.certificate, software=self._software,
            nonce=line.nonce, wrong=line.wrong,
        )  # fmt: skip
        return adoption.signed_ask(asks, line.venue, self._key)

    def _offered(self, line: Line, made: Offer, now: float) -> list[bytes]:
        if now < self._rests_until:
            return []
        self._rests_until = now + REST_S
        try:
            answer, proof = adoption.accept(made, self._ask(line), line.venue, self.code, self._opening)
        except BadMessage:
            self._renew(now)
            self.wrong, line.wrong = True, made.nonce
            return [adoption.encode(self._ask(line))]
        self.wrong, line.wrong = False, None
        self.code, self._until = "", now + WRITTEN_S
        self.pending = Pending(answer=answer, certificate=line.certificate)
        line.agreed = Agreed(key=self.public, nonce=made.nonce, mac=proof)
        return [adoption.encode(line.agreed)]

    def _adopted(self, line: Line, told: Adopted) -> None:
        """It is written. Whose word that is, the answer tells that was given under the code."""
        adoption.check_adopted(told, line.venue, self.public)
        kept = self.pending
        if kept is None or kept.answer.venue != line.venue:
            return
        if (told.role, told.table) != (kept.answer.role, kept.answer.table):
            return
        if any(member.key == told.signer and member.role != "uplink" for member in kept.answer.members):
            self.done = kept
