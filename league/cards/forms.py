"""Forms about cards."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.cards.acts import Fee, What, Where
from league.people.models import Card, Participant, uid_validator
from league.rounds.models import Device

DECLARED = (What.LOST, What.STOLEN, What.DAMAGED, What.REVOKED)
"""What somebody can say of a card that is not at hand, or no longer to be used."""

_KEPT = _("It is kept: write no names into it.")


def uid_of(text: str) -> str:
    """A card's number as readers print it, with colons or spaces, as the database has it."""
    return text.replace(":", "").replace(" ", "").upper()


class SearchForm(forms.Form):
    """Which cards the list shows."""

    q = forms.CharField(label=_("Card, number or name"), required=False, max_length=80)
    state = forms.ChoiceField(label=_("State"), required=False, choices=[("", _("all")), *Card.State.choices])

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["q"].widget = forms.TextInput(attrs={"type": "search", "autocomplete": "off"})


class ReasonForm(forms.Form):
    """Why, if there is anything to say."""

    reason = forms.CharField(label=_("Note"), max_length=200, required=False, help_text=_KEPT)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["reason"].widget.attrs["autocomplete"] = "off"


class DeclareForm(ReasonForm):
    """What is said of a card."""

    what = forms.ChoiceField(label=_("The card was"))
    field_order = ["what", "reason"]

    def __init__(self, card: Card, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [(what.value, what.label) for what in DECLARED if what.value != card.state]
        cast("forms.ChoiceField", self.fields["what"]).choices = choices


class ReplaceForm(ReasonForm):
    """A new card for an old one; the fee comes back as it was shown."""

    waived = forms.BooleanField(label=_("The fee is not charged (say why in the note)"), required=False)
    crowns = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    price_list = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    field_order = ["waived", "reason"]

    def clean(self) -> None:
        """A fee that is not charged needs its reason."""
        if self.cleaned_data.get("waived") and not self.cleaned_data.get("reason"):
            self.add_error("reason", _("Say why the fee is not charged."))

    def seen(self) -> Fee:
        """The fee that was shown."""
        return Fee(self.cleaned_data["crowns"], self.cleaned_data["price_list"])


def kiosks() -> QuerySet[Device]:
    """The devices that have a reader."""
    return Device.objects.exclude(role=Device.Role.UPLINK).select_related("venue").order_by("venue", "name")


class KeepForm(ReasonForm):
    """A card that was confiscated: which, at which kiosk, and which commissioner has it."""

    uid = forms.CharField(
        label=_("Number of the card"), max_length=40, required=False,
        help_text=_("As the reader shows it. Empty: it could not be read."),
    )  # fmt: skip
    kiosk = forms.ModelChoiceField(
        Device.objects.none(), label=_("Kiosk"), required=False, empty_label=_("none: at the office")
    )
    kept_by = forms.CharField(
        label=_("Commissioner who keeps it"), max_length=12, required=False, help_text=_("Registration number.")
    )
    field_order = ["uid", "kiosk", "kept_by", "reason"]

    def __init__(self, *args: Any, told: bool = False, **options: Any) -> None:
        """``told``: which card and which kiosk is known from the venue."""
        super().__init__(*args, **options)
        self._told = told
        cast("forms.ModelChoiceField[Device]", self.fields["kiosk"]).queryset = kiosks()
        for name in ("uid", "kept_by"):
            self.fields[name].widget.attrs["autocomplete"] = "off"
        if told:
            del self.fields["uid"], self.fields["kiosk"]
            self.fields["kept_by"].required = True

    def clean_uid(self) -> str:
        uid = uid_of(self.cleaned_data["uid"])
        if uid:
            uid_validator(uid)
        return uid

    def clean_kept_by(self) -> str:
        number: str = self.cleaned_data["kept_by"].strip()
        if number and not Participant.objects.filter(number=number, role=Participant.Role.COMMISSIONER).exists():
            raise ValidationError(_("There is no commissioner of this number."))
        return number

    def clean(self) -> None:
        """At a kiosk it was a commissioner; a card without a number needs a word on what it is."""
        given = self.cleaned_data
        if "kept_by" not in self.errors and given.get("kiosk") and not given.get("kept_by"):
            self.add_error("kept_by", _("Which commissioner has the card?"))
        if not self._told and "uid" not in self.errors and not given.get("uid") and not given.get("reason"):
            self.add_error("reason", _("Without a number say what card it is."))

    def where(self) -> Where:
        """Kiosk and commissioner."""
        given = self.cleaned_data
        kiosk = given.get("kiosk")
        return Where(kiosk.venue_id if kiosk else "", kiosk.name if kiosk else "", given.get("kept_by", ""))
