"""Who takes part: RULES §1. No birth number and no address here: those are sealed, in `league.privacy`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.texts import check_texts

number_validator = RegexValidator(r"\A[0-9]{1,12}\Z", _("A registration number is 1 to 12 digits."))
uid_validator = RegexValidator(r"\A([0-9A-F]{2}){4,10}\Z", _("A card's identifier is 4 to 10 bytes in hex."))


class Participant(models.Model):
    """A natural person known by the registration number, the only thing a card shows (LG-5, LG-6)."""

    class State(models.TextChoices):
        ACTIVE = "active", _("active")
        CANCELLED = "cancelled", _("cancelled")
        REFUSED = "refused", _("refused")

    class Role(models.TextChoices):
        PARTICIPANT = "participant", _("participant")
        COMMISSIONER = "commissioner", _("commissioner")

    class Language(models.TextChoices):
        CZECH = "cs", _("Czech")
        ENGLISH = "en", _("English")

    number = models.CharField(_("registration number"), max_length=12, unique=True, validators=[number_validator])
    first_name = models.CharField(_("first name"), max_length=80)
    surname = models.CharField(_("surname"), max_length=80)
    title = models.CharField(_("title"), max_length=40, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.ACTIVE)
    role = models.CharField(_("role"), max_length=12, choices=Role.choices, default=Role.PARTICIPANT)
    home_venue = models.ForeignKey(
        "rounds.Venue",
        verbose_name=_("home venue"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="residents",
    )
    language = models.CharField(
        _("language"),
        max_length=2,
        blank=True,
        choices=Language.choices,
        help_text=_("What screens address them in; empty: the venue's own."),
    )
    registered_at = models.DateTimeField(_("registered at"), null=True, blank=True)
    pin = models.CharField(
        _("PIN"),
        max_length=220,
        blank=True,
        editable=False,
        help_text=_("A commissioner's, as an argon2id hash; set by the pin command."),
    )
    erased_at = models.DateTimeField(_("erased at"), null=True, blank=True, editable=False)
    folded = models.TextField(default="", blank=True, editable=False)  # as searches compare names; kept by `save`

    class Meta:
        verbose_name = _("participant")
        verbose_name_plural = _("participants")
        ordering = ["number"]
        indexes = [models.Index(Lower("email"), name="participant_address")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["active", "cancelled", "refused"]), name="participant_state_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.full_name}"

    def save(self, **options: Any) -> None:
        """Fold the name with it."""
        from league.privacy.marks import fold  # which knows participants

        self.folded = f"{fold(self.first_name)} {fold(self.surname)}"
        if not {"first_name", "surname"}.isdisjoint(options.get("update_fields") or ()):
            options["update_fields"] = {*options["update_fields"], "folded"}
        super().save(**options)

    def clean(self) -> None:
        """Refuse a name that cannot be shown."""
        check_texts(self, "title", "first_name", "surname")

    @property
    def full_name(self) -> str:
        """Title, first name and surname as one would print them."""
        return full_name(self.title, self.first_name, self.surname)


def full_name(*parts: str) -> str:
    """Title, first name and surname, each as far as there is one."""
    return " ".join(part for part in parts if part)


def with_address(email: str) -> models.QuerySet[Participant]:
    """Those who have this e-mail address, by an index that no look-up with ``iexact`` uses."""
    return Participant.objects.annotate(address=Lower("email")).filter(address=Lower(Value(email)))


class ConsentKind(models.TextChoices):
    """What a consent is to (LG-7)."""

    PROCESSING = "processing", _("processing of data")
    PUBLICATION = "publication", _("publication of name and results")
    MARKETING = "marketing", _("marketing")
    MEDIA = "media", _("photos and video")


class ConsentText(models.Model):
    """What people consent to, word for word. Versions are only added; each holds from its day until the next one's."""

    kind = models.CharField(_("kind"), max_length=12, choices=ConsentKind.choices)
    version = models.PositiveSmallIntegerField(_("version"))
    text_cs = models.TextField(_("text in Czech"))
    text_en = models.TextField(_("text in English"))
    since = models.DateField(_("in force from"))
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)
    made_by = models.CharField(_("by"), max_length=150, blank=True)

    class Meta:
        verbose_name = _("text of a consent")
        verbose_name_plural = _("texts of consents")
        ordering = ["kind", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "version"], name="one_consent_text_a_version"),
            models.CheckConstraint(condition=Q(version__gte=1), name="consent_text_versions_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.version}"

    def text(self, language: str | None) -> str:
        """In this language, else in Czech."""
        return self.text_en if language == "en" else self.text_cs


class Consent(models.Model):
    """One consent of one person from its giving to its withdrawal (LG-7); history is kept.

    ``text``: the version consented to; none of who came by an import.
    """

    Kind = ConsentKind

    participant = models.ForeignKey(
        Participant, verbose_name=_("participant"), on_delete=models.CASCADE, related_name="consents"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices)
    text = models.ForeignKey(
        ConsentText, verbose_name=_("text"), on_delete=models.PROTECT, null=True, blank=True, related_name="consents"
    )
    given_at = models.DateTimeField(_("given at"))
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)

    class Meta:
        verbose_name = _("consent")
        verbose_name_plural = _("consents")
        ordering = ["participant", "kind", "given_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["participant", "kind"],
                condition=Q(withdrawn_at__isnull=True),
                name="one_consent_in_force_of_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True) | Q(withdrawn_at__gte=models.F("given_at")),
                name="consent_withdrawn_after_given",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participant.number} {self.kind}"


class Card(models.Model):
    """A participant's card, by the uid its chip answers with (LG-6)."""

    class State(models.TextChoices):
        VALID = "valid", _("valid")
        LOST = "lost", _("lost")
        STOLEN = "stolen", _("stolen")
        DAMAGED = "damaged", _("damaged")
        REVOKED = "revoked", _("revoked")
        REPLACED = "replaced", _("replaced")
        KEPT = "kept", _("confiscated")

    class Kind(models.TextChoices):
        NTAG424 = "ntag424", _("NTAG 424 DNA: proves itself")
        NTAG21X = "ntag21x", _("NTAG21x: signed")
        UID = "uid", _("number only")

    uid = models.CharField(_("identifier"), max_length=20, unique=True, validators=[uid_validator])
    participant = models.ForeignKey(
        Participant, verbose_name=_("participant"), on_delete=models.PROTECT, related_name="cards"
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices, default=Kind.UID)
    serial = models.BigIntegerField(_("serial number"), null=True, blank=True, unique=True)
    key_version = models.PositiveSmallIntegerField(_("key version"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.VALID)
    state_at = models.DateTimeField(_("in this state since"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    issued_at = models.DateTimeField(_("issued at"))

    class Meta:
        verbose_name = _("participant card")
        verbose_name_plural = _("participant cards")
        ordering = ["participant", "-issued_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["participant"], condition=Q(state="valid"), name="one_valid_card_a_participant"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["valid", "lost", "stolen", "damaged", "revoked", "replaced", "kept"]),
                name="card_state_known",
            ),
        ]

    def __str__(self) -> str:
        return self.uid

    def save(self, **options: Any) -> None:
        """Note when the state changed, where whoever changed it did not."""
        known = Card.objects.filter(pk=self.pk).values_list("state", "state_at").first()
        if known is not None and known[0] != self.state and known[1] == self.state_at:
            self.state_at = timezone.now()
            if options.get("update_fields") is not None:
                options["update_fields"] = {*options["update_fields"], "state_at"}
        super().save(**options)

    def clean_fields(self, exclude: Any = None) -> None:
        """Accept the uid as readers print it: lower case, with colons or spaces."""
        self.uid = self.uid.replace(":", "").replace(" ", "").upper()
        super().clean_fields(exclude)


class CardEntry(models.Model):
    """A line of the issuing desk's ledger that has been taken in; each counts once, by its id."""

    id = models.CharField(_("identifier"), max_length=32, primary_key=True)
    at = models.DateTimeField(_("at"))
    who = models.CharField(_("who"), max_length=200)
    what = models.CharField(_("what"), max_length=12)
    uid = models.CharField(_("card"), max_length=20, blank=True, db_index=True)
    participant = models.CharField(_("participant"), max_length=12, blank=True, db_index=True)
    serial = models.BigIntegerField(_("serial number"), default=0)
    reason = models.CharField(_("reason"), max_length=12, blank=True)
    taken_at = models.DateTimeField(_("taken in at"))

    class Meta:
        verbose_name = _("entry of the issuing desk")
        verbose_name_plural = _("entries of the issuing desk")
        ordering = ["-at", "-taken_at"]

    def __str__(self) -> str:
        return f"{self.what} {self.uid or self.id}"


class CardKey(models.Model):
    """Whose signature the cards bear: the league's short name and the key's public half. There is one row at most."""

    only = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    league = models.CharField(_("the league's short name"), max_length=16)
    public_key = models.CharField(_("public key"), max_length=64)

    class Meta:
        verbose_name = _("key of the cards")
        verbose_name_plural = _("key of the cards")
        constraints = [models.CheckConstraint(condition=Q(only=1), name="one_key_of_the_cards")]

    def __str__(self) -> str:
        return f"{self.league} {self.public_key}"


def published_names(numbers: Collection[str] | None = None) -> dict[str, str]:
    """Names by registration number, of those who take part and consent to publication now (LG-7, LG-9).

    ``numbers`` narrows it to those asked for.
    """
    people = Participant.objects.filter(
        state=Participant.State.ACTIVE,
        consents__kind=Consent.Kind.PUBLICATION,
        consents__withdrawn_at__isnull=True,
    )
    if numbers is not None:
        people = people.filter(number__in=numbers)
    found = people.values_list("number", "title", "first_name", "surname")
    return {number: full_name(*name) for number, *name in found.iterator(chunk_size=5000)}
