"""The director's side of an adoption: which devices ask, and what becomes of a code that a commissioner typed. Pure.

Belongs to one thread, since deriving keys takes its time; times are monotonic seconds. `results` is what has become of
what `adopt` was asked: a note for the venue's stream, or why there will be none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterator
from typing import NamedTuple, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance import adoption, certificates
from appliance.adopt import Adopt, Role
from appliance.adoption import Adopted, Agreed, Answer, Ask, BadMessage, Keys, Offer, Seen, Sorry
from appliance.certificates import CertificateError
from appliance.game.refusal import Refusal
from appliance.identity import public_hex, public_key
from appliance.kinds import DeviceAdopted
from appliance.members import Members

ASK_S = 60.0
"""Who has not asked for so long is there no more."""

MOST_ASKING = 20
MOST_OF_ONE = 2
"""Devices that ask on one connection: each has its own."""
MOST_WRONG = 3
"""Wrong codes for one device; then it is left out for `LEFT_OUT_S`."""
LEFT_OUT_S = 300.0

Send: TypeAlias = tuple[str, bytes]
"""A client's name on the connection, and what to tell it."""


class Asking(NamedTuple):
    """A device that asks. ``known``: it was let in before, and asks again."""

    name: str
    key: str
    software: str
    known: bool


class Known(NamedTuple):
    """Who belongs to the venue. ``adopted``: by name, those that were let in on the spot; ``revoked``: keys."""

    members: Members = Members()
    adopted: Collection[str] = frozenset()
    revoked: Container[str] = frozenset()


class _Heard(NamedTuple):
    client: str
    ask: Ask
    at: float


class _Offered(NamedTuple):
    number: str
    want: Adopt
    ask: Ask
    offer: Offer
    keys: Keys
    until: float


class Desk:
    """One director's. ``answer`` makes what a device of this role and table, tracked or not, is to know; ``called`` is
    the venue's name.
    """

    def __init__(
        self,
        venue: str,
        called: str,
        key: Ed25519PrivateKey,
        answer: Callable[[Role, int | None, bool], Answer],
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._venue, self._called, self._key, self._answer, self._entropy = venue, called, key, answer, entropy
        self._known = Known()
        self._heard: dict[str, _Heard] = {}
        self._offered: dict[str, _Offered] = {}
        self._wrong: dict[str, int] = {}
        self._out: dict[str, float] = {}
        self._results: list[tuple[str, DeviceAdopted | Refusal]] = []

    @property
    def asking(self) -> tuple[Asking, ...]:
        """The devices that ask, by name."""
        members, found = self._known.members, self._heard.values()
        return tuple(
            sorted(
                Asking(ask.name, ask.key, ask.software, members.key(ask.name) == ask.key)
                for ask in (each.ask for each in found)
            )
        )

    def results(self) -> Iterator[tuple[str, DeviceAdopted | Refusal]]:
        """What has become of commands, by their numbers; each once."""
        while self._results:
            yield self._results.pop(0)

    def know(self, known: Known) -> None:
        """Who belongs here has changed."""
        self._known = known

    def heard(self, client: str, payload: bytes, now: float) -> list[Send]:
        """A device says something; what to tell it. Raises `BadMessage`."""
        told = adoption.read_from_device(payload)
        if isinstance(told, Agreed):
            self._agreed(told)
            return []
        adoption.check_ask(told, self._venue)
        self._tick(now)
        if told.wrong is not None:
            self._was_wrong(told, now)
        self._is_another(told)
        why = self._why_not(client, told)
        if why:
            self._heard.pop(told.key, None)
            return [(client, adoption.encode(Sorry(nonce=told.nonce, code=why)))]
        self._heard[told.key] = _Heard(client, told, now)
        sent = [(client, adoption.encode(Seen(nonce=told.nonce, called=self._called[:64])))]
        return sent + self._is_written(client, told)

    def adopt(self, number: str, want: Adopt, now: float, *, tracked: bool = False) -> list[Send]:
        """Make the device an offer under the code; what becomes of it comes in `results`. ``tracked``: its table is."""
        self._tick(now)
        if any(offered.number == number for offered in self._offered.values()):
            return []  # the command came twice
        heard = self._heard.get(want.key)
        if want.key in self._out:
            self._results.append((number, Refusal("codes-used-up")))
        elif heard is None or want.key in self._offered:
            self._results.append((number, Refusal("device-silent", {"device": want.device})))
        else:
            ephemeral, nonce = X25519PrivateKey.from_private_bytes(self._entropy(32)), self._entropy(16).hex()
            answer = self._answer(want.role, want.table, tracked)
            try:
                offer, keys = adoption.offer(answer, heard.ask, want.code, ephemeral, nonce)
            except BadMessage:
                self._results.append((number, Refusal("device-silent", {"device": want.device})))
                return []
            self._offered[want.key] = _Offered(number, want, heard.ask, offer, keys, now + adoption.ANSWER_S)
            return [(heard.client, adoption.encode(offer))]
        return []

    def tell_written(self) -> list[Send]:
        """Tell those whose adoption is written so; called when who belongs here has changed. They ask no more, unless
        they have not heard it.
        """
        told = {key: sends for key, heard in self._heard.items() if (sends := self._is_written(*heard[:2]))}
        self._heard = {key: heard for key, heard in self._heard.items() if key not in told}
        return [send for sends in told.values() for send in sends]

    def tick(self, now: float) -> None:
        """Forget who asks no more, and give up waiting."""
        self._tick(now)

    @property
    def due(self) -> float | None:
        """When `tick` has something to do."""
        times = [heard.at + ASK_S for heard in self._heard.values()]
        return min([*times, *(offered.until for offered in self._offered.values())], default=None)

    # -- inside ------------------------------------------------------------------------------------------

    def _tick(self, now: float) -> None:
        self._out = {key: until for key, until in self._out.items() if now < until}
        self._heard = {key: heard for key, heard in self._heard.items() if now < heard.at + ASK_S}
        for key, offered in list(self._offered.items()):
            if now >= offered.until:
                del self._offered[key]
                self._results.append((offered.number, Refusal("device-silent", {"device": offered.want.device})))

    def _agreed(self, told: Agreed) -> None:
        offered = self._offered.get(told.key)
        if offered is None or offered.offer.nonce != told.nonce:
            return
        if not adoption.proves(told, offered.offer, offered.ask, self._venue, offered.keys):
            return  # somebody else's; its own may still come
        del self._offered[told.key]
        self._wrong.pop(told.key, None)
        want, ask = offered.want, offered.ask
        note = DeviceAdopted(
            device=ask.name, key=ask.key, opening=ask.opening, certificate=ask.certificate,
            role=want.role, table=want.table, by=want.by,
        )  # fmt: skip
        self._results.append((offered.number, note))

    def _was_wrong(self, ask: Ask, now: float) -> None:
        """The code was another one: after the third the device is left out for a while."""
        offered = self._offered.get(ask.key)
        if offered is None or offered.offer.nonce != ask.wrong:
            return
        del self._offered[ask.key]
        wrong = self._wrong[ask.key] = self._wrong.get(ask.key, 0) + 1
        if wrong >= MOST_WRONG:
            del self._wrong[ask.key]
            self._out[ask.key] = now + LEFT_OUT_S
            self._results.append((offered.number, Refusal("codes-used-up")))
        else:
            self._results.append((offered.number, Refusal("wrong-code", {"left": MOST_WRONG - wrong})))

    def _is_another(self, ask: Ask) -> None:
        """The device shows another code than the one an offer was made under: it was started anew."""
        offered = self._offered.get(ask.key)
        if offered is not None and offered.ask.nonce != ask.nonce:
            del self._offered[ask.key]
            self._results.append((offered.number, Refusal("device-silent", {"device": offered.want.device})))

    def _why_not(self, client: str, ask: Ask) -> str:
        """Why a device is not shown; "" if it is."""
        known, name = self._known, ask.name
        if ask.key in known.revoked:
            return "device-revoked"
        if ask.key in self._out:
            return "codes-used-up"
        if known.members.key(name) not in ("", ask.key):
            return "name-taken"
        if any(member.key == ask.key and member.name not in known.adopted for member in known.members.values()):
            return "device-known"
        if ask.key not in self._heard:
            on_this = sum(heard.client == client for heard in self._heard.values())
            if on_this >= MOST_OF_ONE or len(self._heard) >= MOST_ASKING:
                return "too-many-devices"
        try:
            own = certificates.from_text(ask.certificate)
            certificates.check(own, self._venue, name, public_key(ask.key))
        except (CertificateError, ValueError):
            return "bad-certificate"
        return ""

    def _is_written(self, client: str, ask: Ask) -> list[Send]:
        """The word that it belongs here, for a device that was adopted; it may have missed the last one."""
        member = self._known.members.get(ask.name)
        if member is None or member.key != ask.key or member.role not in ("table", "door", "clock"):
            return []
        role: Role = member.role  # type: ignore[assignment]
        told = Adopted(asked=ask.nonce, role=role, table=member.table, signer=public_hex(self._key))
        return [(client, adoption.encode(adoption.signed_adopted(told, self._venue, ask.key, self._key)))]
