"""Phones at a kiosk: which are signed in, as the director tells, and how a commissioner signs one in here.

    book.sign_in("dealer", 2, "000001", told)   # a key is made; told None: the director knows it, and it may be shown
    book.pairing                                # what the screen shows of it: the picture, then the phone's digits
    book.judge(True, told)                      # both show the same digits
    book.withdraw()                             # nobody stands here any more

A key is made for one picture, is shown for a minute, and is on the network only sealed (`appliance.phonekey`). Who
says nothing to a phone that has come has refused it. For the engine thread; times are monotonic seconds.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Literal

import msgspec

from appliance.console.signing import KEY_BYTES, fragment
from appliance.floor.forms import Pairing
from appliance.game.refusal import Refusal
from appliance.link.envelope import Phones, PhoneThere, PhoneWaits, Reply
from appliance.phone import PhoneRole
from appliance.phonekey import BadBox, seal
from appliance.phonenotes import ConfirmPhone, CutOffPhone, PairPhone, PhoneWish
from appliance.post import why_not

CLAIM_S = CONFIRM_S = 60.0
"""As long as the director waits (`appliance.console.pairing`), which began no sooner."""

ASK_TTL_MS = 5_000

NO_CONSOLE, LATE, AWAY = "no-console", "phone-late", "no-answer"
_SESSION_BYTES = 8

Told = Callable[[Refusal | None], None]
Ask = Callable[[bytes, str, int, Callable[[Reply], None]], None]


class _Offer:
    """A phone that is being signed in here, and how far it is: asked for, shown, judged or ended (``why``)."""

    def __init__(self, session: str, key: bytes, url: str, who: str, until: float) -> None:
        self.session, self.who, self.until = session, who, until
        self.address = url
        self.picture = f"{url}#{fragment(session, key)}"
        self.step: Literal["asked", "shown", "judged", "ended"] = "asked"
        self.why = ""
        self.waits: PhoneWaits | None = None


class Phonebook:
    """For one kiosk. ``ask`` sends the director something for the venue's stream, in whose name; ``changed`` is called
    when there is anything else to be seen.
    """

    def __init__(
        self, device: str, ask: Ask, changed: Callable[[], None], mono_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._device, self._ask, self._changed, self._mono_s = device, ask, changed, mono_s
        self._heard: Phones | None = None
        self._offer: _Offer | None = None
        self._seen_left = 0

    # -- what the director tells -------------------------------------------------------------------------

    def heard(self, told: Phones) -> None:
        """The director says who is signed in, and who waits for a person's word."""
        if told == self._heard:
            return
        before, self._heard = self._heard, told
        offer = self._offer
        if offer is not None and before is not None and before.seal != told.seal:
            self._end(offer, LATE)  # another director, which knows nothing of it
        elif offer is not None and offer.step == "shown":
            self._look_who_waits(offer, told)
        self._changed()

    def lost(self) -> None:
        """Nobody directs any more, or somebody else does: what was heard was the other's."""
        self._heard = None
        if self._offer is not None:
            self._end(self._offer, AWAY)

    @property
    def hindrance(self) -> str:
        """Why no phone can be signed in, as far as the director tells: a refusal's code, or empty."""
        return "" if self._heard is not None and self._heard.url and self._heard.seal else NO_CONSOLE

    @property
    def signed_in(self) -> tuple[PhoneThere, ...]:
        """The phones that are."""
        return self._heard.phones if self._heard is not None else ()

    # -- signing one in ----------------------------------------------------------------------------------

    def sign_in(self, role: PhoneRole, table: int | None, who: str, told: Told) -> None:
        """``who`` wants a phone signed in; ``told`` hears why not, None once its picture may be shown."""
        self.withdraw()
        if self._heard is None or self.hindrance:
            told(Refusal(self.hindrance or NO_CONSOLE))
            return
        session, key = os.urandom(_SESSION_BYTES).hex(), os.urandom(KEY_BYTES)
        try:
            box = seal(key, session, self._heard.seal)
        except BadBox:
            told(Refusal(NO_CONSOLE))
            return
        offer = self._offer = _Offer(session, key, self._heard.url, who, self._mono_s() + CLAIM_S)
        want = PairPhone(session=session, role=role, table=table, box=box, by=who)
        self._send(want, who, lambda refusal: self._offered(offer, refusal, told))

    @property
    def pairing(self) -> Pairing | None:
        """The phone that is being signed in here, as the screen shows it."""
        offer = self._offer
        if offer is None:
            return None
        if offer.step == "ended":
            return Pairing(why=offer.why)
        if offer.waits is not None:
            return Pairing(address=offer.address, left=self._left, code=offer.waits.code, agent=offer.waits.agent)
        picture = offer.picture if offer.step == "shown" else ""
        return Pairing(picture=picture, address=offer.address, left=self._left)

    def judge(self, yes: bool, told: Told) -> None:
        """The phone that has come shows the same digits (``yes``), or is nobody's here; ``told`` hears what became of
        it."""
        offer = self._offer
        if offer is None or offer.step != "shown" or offer.waits is None:
            told(Refusal(LATE))
            return
        offer.step = "judged"

        def answered(refusal: Refusal | None) -> None:
            told(None if yes and self._is_done(refusal, self._is_there(offer.session)) else refusal)

        self._send(ConfirmPhone(session=offer.session, yes=yes, by=offer.who), offer.who, answered)

    def withdraw(self) -> None:
        """Whoever began it does not stand here any more: the key is good for nothing from now on."""
        offer, self._offer = self._offer, None
        if offer is not None and offer.step in ("asked", "shown"):
            self._refuse(offer)

    def cut_off(self, session: str, who: str, told: Told) -> None:
        """``who`` has a phone signed in no more."""

        def answered(refusal: Refusal | None) -> None:
            told(None if self._is_done(refusal, not self._is_there(session)) else refusal)

        self._send(CutOffPhone(session=session, by=who), who, answered)

    # -- time --------------------------------------------------------------------------------------------

    @property
    def due(self) -> float | None:
        """When `tick` has something to do: at each second that is counted down."""
        offer = self._offer
        if offer is None or offer.step not in ("asked", "shown"):
            return None
        return offer.until - max(0, self._left - 1)

    def tick(self) -> None:
        """Let time pass: a phone that did not come, and one that nobody has said anything to, is refused."""
        offer = self._offer
        if offer is None or offer.step not in ("asked", "shown"):
            return
        if self._mono_s() >= offer.until:
            self._refuse(offer)
            self._end(offer, LATE)
            self._changed()
        elif self._left != self._seen_left:
            self._seen_left = self._left
            self._changed()

    # -- inside ------------------------------------------------------------------------------------------

    @property
    def _left(self) -> int:
        """Seconds that are left, as a countdown shows them."""
        return max(0, math.ceil(self._offer.until - self._mono_s())) if self._offer is not None else 0

    def _is_there(self, session: str) -> bool:
        return any(phone.session == session for phone in self.signed_in)

    def _is_done(self, refusal: Refusal | None, seen: bool) -> bool:
        """Whether only the answer was lost: the director tells that it ``seen`` is so."""
        return refusal is not None and refusal.code == AWAY and self._heard is not None and seen

    def _offered(self, offer: _Offer, refusal: Refusal | None, told: Told) -> None:
        if offer is not self._offer:
            return  # it was withdrawn meanwhile
        if refusal is not None:
            self._offer = None
        elif offer.step == "asked":
            offer.step = "shown"
            if self._heard is not None:
                self._look_who_waits(offer, self._heard)
        told(refusal)

    def _look_who_waits(self, offer: _Offer, told: Phones) -> None:
        """Whether a phone has come with the key, or waits no more."""
        found = next(
            (each for each in told.waiting if (each.session, each.device) == (offer.session, self._device)), None
        )
        if found is not None and offer.waits is None:
            offer.until = self._mono_s() + CONFIRM_S
        elif found is None and offer.waits is not None:
            self._end(offer, LATE)
        offer.waits = found

    def _end(self, offer: _Offer, why: str) -> None:
        if offer.step in ("asked", "shown"):
            offer.step, offer.why, offer.picture, offer.waits = "ended", why, "", None

    def _refuse(self, offer: _Offer) -> None:
        self._send(ConfirmPhone(session=offer.session, yes=False, by=offer.who), offer.who, lambda refusal: None)

    def _send(self, want: PhoneWish, who: str, told: Told) -> None:
        self._ask(msgspec.json.encode(want), who, ASK_TTL_MS, lambda reply: told(why_not(reply)))
