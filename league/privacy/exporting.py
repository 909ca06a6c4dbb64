"""Everything that the league has about one person, as one JSON object (their right to it)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from django.utils import timezone

from league.allowances.models import Allowance
from league.cards.models import CardAct, RefusedCard
from league.people.correcting import data_of, plain_of, what_stood
from league.people.models import CardEntry, Participant
from league.privacy import vault
from league.privacy.letters import letters_of
from league.privacy.models import PaperCard, Rectification
from league.staff.models import AuditEntry
from league.standings.models import (
    Acceptance,
    DeclinedProposal,
    Exclusion,
    ExclusionProposal,
    ParticipationVoid,
    Result,
)
from league.standings.past_models import PastResult

FORMAT = 1


def export_of(person: Participant) -> dict[str, Any]:
    """All of it. Values that have a time have it in UTC (ISO 8601); money is whole CZK, points are halves."""
    return {
        "format": FORMAT,
        "made_at": timezone.now(),
        "number": person.number,
        "state": person.state,
        "role": person.role,
        "registered_at": person.registered_at,
    } | {name: part(person) for name, part in PARTS.items()}


def as_json(person: Participant) -> bytes:
    """The same as bytes, to be handed over."""
    return msgspec.json.format(msgspec.json.encode(export_of(person)), indent=2)


def _data(person: Participant) -> dict[str, str]:
    try:
        return data_of(person)
    except (vault.Erased, vault.Damaged):
        return plain_of(person)


def _paper_card(person: Participant) -> dict[str, Any] | None:
    card = PaperCard.objects.filter(participant=person).first()
    if card is None:
        return None
    names = ("signed_on", "handed_to", "proof", "proven_to", "entered_at", "entered_by")
    return {name: getattr(card, name) for name in names}


def _acts(person: Participant) -> list[Any]:
    return list(person.acts.order_by("id").values("at", "what", "side", "reason"))


def _consents(person: Participant) -> list[dict[str, Any]]:
    return [
        {
            "kind": consent.kind,
            "given_at": consent.given_at,
            "withdrawn_at": consent.withdrawn_at,
            "text_version": consent.text.version if consent.text else None,
            "text": consent.text.text(person.language) if consent.text else None,
        }
        for consent in person.consents.select_related("text").order_by("given_at", "kind")
    ]


def _corrections(person: Participant) -> list[dict[str, Any]]:
    rows = person.rectifications.order_by("id")
    return [{"at": row.at, "who": row.who, "fields": row.fields, "before": _before(row)} for row in rows]


def _before(row: Rectification) -> dict[str, str] | None:
    """None: nobody can open it any more."""
    try:
        return what_stood(row)
    except (vault.Erased, vault.Damaged):
        return None


def _cards(person: Participant) -> list[Any]:
    return list(person.cards.order_by("issued_at").values("uid", "kind", "serial", "state", "state_at", "issued_at"))


def _card_acts(person: Participant) -> list[Any]:
    rows = CardAct.objects.filter(holder=person).order_by("id")
    return list(rows.values("uid", "what", "at", "reason", "venue", "device", "fee"))


def _results(person: Participant) -> list[Any]:
    rows = Result.objects.filter(number=person.number).order_by("round__starts_at")
    return list(rows.values("round", "place", "prize", "counted", "provisional"))


def _past_results(person: Participant) -> list[Any]:
    rows = PastResult.objects.filter(number=person.number).order_by("past__round__starts_at")
    return list(rows.values("past__round", "place", "prize", "half_points"))


def _acceptances(person: Participant) -> list[Any]:
    rows = Acceptance.objects.filter(number=person.number).order_by("round__starts_at", "kind")
    return list(rows.values("round", "kind", "version", "hash"))


def _declined_exclusions(person: Participant) -> list[Any]:
    rows = DeclinedProposal.objects.filter(number=person.number).order_by("id")
    return list(rows.values("at", "proposed_at", "round", "reason"))


def _exclusions(person: Participant) -> list[Any]:
    rows = Exclusion.objects.filter(participant=person.number).order_by("id")
    return list(rows.values("at", "since", "until", "round", "reason", "lifted_at", "lifted_why"))


def _proposed_exclusions(person: Participant) -> list[Any]:
    rows = ExclusionProposal.objects.filter(number=person.number).order_by("at", "id")
    return list(rows.values("at", "round", "reason"))


def _void_participations(person: Participant) -> list[Any]:
    rows = ParticipationVoid.objects.filter(participant=person.number).order_by("id")
    return list(rows.values("at", "round", "void", "reason"))


def _refused_cards(person: Participant) -> list[Any]:
    rows = RefusedCard.objects.filter(participant=person.number).order_by("at", "id")
    return list(rows.values("at", "venue", "device", "uid", "reason", "settled_at"))


def _card_entries(person: Participant) -> list[Any]:
    """What the issuing desk wrote down."""
    rows = CardEntry.objects.filter(participant=person.number).order_by("at", "id")
    return list(rows.values("at", "what", "uid", "serial", "reason"))


def _allowance(person: Participant) -> list[Any]:
    """The deposits that are left (T-3), and where: at a venue, or at the league."""
    rows = Allowance.objects.filter(participant=person)
    return list(rows.values("venue", "until_ms", "wanted_by", "wanted_until_ms", "account"))


def _sign_ups(person: Participant) -> list[Any]:
    return list(person.sign_ups.order_by("round__starts_at").values("round", "state", "at", "changed_at"))


def _letters(person: Participant) -> list[Any]:
    return list(letters_of(person).values("made_at", "sent_at", "to", "subject", "body"))


def _links(person: Participant) -> list[Any]:
    return list(person.links.order_by("id").values("purpose", "asked_at", "used_at", "ends_at"))


def _looked_at(person: Participant) -> list[Any]:
    """Who may have seen or changed it: what was done and when; the staff's names are theirs."""
    rows = AuditEntry.objects.filter(number=person.number).order_by("id")
    return list(rows.values("at", "what", "about", "fields", "reason"))


PARTS: dict[str, Callable[[Participant], Any]] = {
    "data": _data,
    "paper_card": _paper_card,
    "acts": _acts,
    "consents": _consents,
    "corrections": _corrections,
    "cards": _cards,
    "card_acts": _card_acts,
    "card_entries": _card_entries,
    "refused_cards": _refused_cards,
    "sign_ups": _sign_ups,
    "results": _results,
    "past_results": _past_results,
    "acceptances": _acceptances,
    "proposed_exclusions": _proposed_exclusions,
    "declined_exclusions": _declined_exclusions,
    "exclusions": _exclusions,
    "void_participations": _void_participations,
    "allowance": _allowance,
    "letters": _letters,
    "links": _links,
    "handling": _looked_at,
}
"""Each app that keeps something about people adds its line."""
