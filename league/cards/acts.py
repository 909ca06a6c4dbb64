"""What the office does with cards (LG-6). It acts from that moment: venues are told at once, and it is on record."""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from league.cards.models import CardAct, RefusedCard, acts_on
from league.cards.waiting import replacements_waiting
from league.ingest import rosters
from league.notices import editions
from league.people.acts import ERASED, ActRefused, By
from league.people.models import Card, Participant
from league.staff import audit

What = CardAct.What
State = Card.State

FEE = "card-replacement"
"""The code of its line in the price list."""

GIVEN_BACK = gettext_noop("refused card given back")
_ABOUT = {
    What.LOST: gettext_noop("card reported lost"),
    What.STOLEN: gettext_noop("card reported stolen"),
    What.DAMAGED: gettext_noop("card reported damaged"),
    What.REVOKED: gettext_noop("card taken back"),
    What.FOUND: gettext_noop("card found again"),
    What.KEPT: gettext_noop("card confiscated"),
    What.REPLACED: gettext_noop("replacement of a card ordered"),
    What.UNDONE: gettext_noop("order of a replacement taken back"),
}
"""What the audit log says of each act, before the card's number."""

_FINAL = (State.KEPT, State.REPLACED)

_ALREADY = _("The card is in this state already.")
_OVER = _("The card was confiscated or replaced: nothing more can be said of it.")
_NOT_LOST = _("Only a card that was reported lost can be found again.")
_ANOTHER = _("The participant has another valid card.")
_KEPT = _("The card was confiscated already.")
_REPLACED = _("A replacement of this card was ordered already.")
_NOT_WAITING = _("No replacement of this card waits to be issued.")
_ORDERED = _("A new card was ordered for this participant already.")
_NOT_ACTIVE = _("This participant does not take part.")
_PRICE = _("The price list has changed meanwhile: see the fee again.")
_ISSUED_ANEW = _("The card was issued to somebody else meanwhile.")
_SETTLED = _("Somebody has seen to this refusal already.")


class Where(NamedTuple):
    """Where a card was confiscated: at which kiosk, and which commissioner (registration number) has it."""

    venue: str = ""
    device: str = ""
    kept_by: str = ""


class Fee(NamedTuple):
    """What a replacement costs on a day: whole CZK by this version of the price list; None: it has no such line."""

    crowns: int | None
    price_list: int | None


def fee_now() -> Fee:
    """The fee of today."""
    day = timezone.localdate()
    line, edition = editions.price(FEE, day), editions.in_force("prices", day)
    return Fee(line.crowns if line else None, edition.number if edition else None)


@transaction.atomic
def declare(card: Card, what: CardAct.What, by: By, reason: str = "") -> CardAct:
    """Withdraw a card: lost, stolen, damaged or taken back. Raises `ActRefused`."""
    card = _locked(card)
    if card.state in _FINAL:
        raise ActRefused(_OVER)
    if card.state == what.value:
        raise ActRefused(_ALREADY)
    _become(card, State(what.value), reason)
    return _record(card, what, by, reason)


@transaction.atomic
def find(card: Card, by: By, reason: str = "") -> CardAct:
    """Have a lost card be valid again. Raises `ActRefused`."""
    card = _locked(card)
    if card.state != State.LOST:
        raise ActRefused(_NOT_LOST)
    if card.participant.erased_at is not None:
        raise ActRefused(ERASED)
    if acts_on(card).filter(what=What.REPLACED).exists():
        raise ActRefused(_REPLACED)
    if card.participant.cards.filter(state=State.VALID).exists():
        raise ActRefused(_ANOTHER)
    _become(card, State.VALID, reason)
    return _record(card, What.FOUND, by, reason)


@transaction.atomic
def bring(card: Card, state: Card.State, by: By, reason: str = "") -> None:
    """Have a card be in a state that somebody tells of who knows more, by the act that leads there.

    ``REPLACED``: there is another one already, and none is ordered. Raises `ActRefused`.
    """
    if state == State.VALID:
        find(card, by, reason)
    elif state == State.KEPT:
        keep(card.uid, Where(), by, reason)
    elif state == State.REPLACED:
        card = _locked(card)
        if card.state in _FINAL:
            raise ActRefused(_OVER)
        _become(card, state, reason)
        _note(by, card.participant.number, What.REVOKED, card.uid)
    else:
        declare(card, What(state.value), by, reason)


@transaction.atomic
def keep(uid: str, where: Where, by: By, reason: str = "", refusal: RefusedCard | None = None) -> CardAct:
    """Record that a card was confiscated for good; it need not be one of the league's. Raises `ActRefused`."""
    known = Card.objects.filter(uid=uid).first() if uid else None
    card = _locked(known) if known else None
    if card is not None and card.state == State.KEPT:
        raise ActRefused(_KEPT)
    if refusal is not None:
        _settle(refusal, by)
    if card is not None:
        _become(card, State.KEPT, reason)
    return _record(card, What.KEPT, by, reason, uid=uid, refusal=refusal, **where._asdict())


@transaction.atomic
def give_back(refusal: RefusedCard, by: By) -> None:
    """Record that a refused card was not kept (it *may* be, LG-6). Raises `ActRefused`."""
    _settle(refusal, by)
    number = refusal.participant if _is_number(refusal.participant) else ""
    audit.note_by(by.who, audit.What.ACT, number=number, about=f"{GIVEN_BACK}: {refusal.uid}", address=by.address)


@transaction.atomic
def replace(card: Card, by: By, seen: Fee, *, waived: bool = False, reason: str = "") -> CardAct:
    """Order a new card for its holder, at the fee of today's price list; a valid one is withdrawn by it.

    ``seen``: the fee as it was shown. ``waived``: it is not charged. Raises `ActRefused`.
    """
    card = _locked(card)
    person = card.participant
    if person.state != Participant.State.ACTIVE or person.erased_at is not None:
        raise ActRefused(_NOT_ACTIVE)
    if acts_on(card).filter(what=What.REPLACED).exists() or card.state == State.REPLACED:
        raise ActRefused(_REPLACED)
    if person.cards.filter(state=State.VALID).exclude(pk=card.pk).exists():
        raise ActRefused(_ANOTHER)
    if replacements_waiting().filter(holder=person).exists():
        raise ActRefused(_ORDERED)
    fee = fee_now()
    if fee != seen:
        raise ActRefused(_PRICE)
    if card.state == State.VALID:
        _become(card, State.REPLACED, reason)
    charged = 0 if waived or fee.crowns is None else fee.crowns
    return _record(card, What.REPLACED, by, reason, fee=charged, price_list=fee.price_list)


@transaction.atomic
def undo_replacement(card: Card, by: By) -> None:
    """Take back an order that was a mistake, while nothing was issued: no fee is due. Raises `ActRefused`.

    A card that was withdrawn by the order is valid again.
    """
    card = _locked(card)
    order = replacements_waiting().filter(card=card, holder=card.participant, serial=card.serial).first()
    if order is None:
        raise ActRefused(_NOT_WAITING)
    if card.state == State.REPLACED and card.state_at is not None and card.state_at <= order.at:
        _become(card, State.VALID, "")
    CardAct.objects.filter(pk=order.pk).update(what=What.UNDONE, fee=None, price_list=None)
    _note(by, card.participant.number, What.UNDONE, card.uid)


def _locked(card: Card) -> Card:
    """The card as it is now. Its holder is locked first, as where somebody is erased. Raises `ActRefused`."""
    person = Participant.objects.select_for_update(no_key=True).get(pk=card.participant_id)
    fresh = Card.objects.select_for_update(no_key=True).get(pk=card.pk)
    if fresh.participant_id != person.pk:
        raise ActRefused(_ISSUED_ANEW)
    fresh.participant = person
    return fresh


def _become(card: Card, state: Card.State, reason: str) -> None:
    card.state, card.state_at, card.reason = state, timezone.now(), reason[:200]
    card.save(update_fields=["state", "state_at", "reason"])
    rosters.changed()


def _record(card: Card | None, what: CardAct.What, by: By, reason: str, uid: str = "", **more: object) -> CardAct:
    row = CardAct(card=card, uid=card.uid if card else uid, what=what, at=timezone.now(), who=by.who[:150], **more)
    if card is not None:
        row.holder, row.serial = card.participant, card.serial
    row.reason = reason[:200]
    row.save()
    number = card.participant.number if card else ""
    _note(by, number, what, row.uid)
    return row


def _note(by: By, number: str, what: CardAct.What, uid: str) -> None:
    about = f"{_ABOUT[what]}: {uid}"
    audit.note_by(by.who, audit.What.ACT, number=number, about=about, fields=["card"], address=by.address)


def _settle(refusal: RefusedCard, by: By) -> None:
    open_one = RefusedCard.objects.filter(pk=refusal.pk, settled_at__isnull=True)
    if not open_one.update(settled_at=timezone.now(), settled_by=by.who[:150]):
        raise ActRefused(_SETTLED)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12
