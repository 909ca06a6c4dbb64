"""Forms about the templates that rounds are planned with."""

from __future__ import annotations

from typing import Any, Literal

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from appliance.game.structure import Wish, WishError
from league.rounds.forms import TOURNAMENTS, shown
from league.rounds.planning import ShareTemplate, StructureTemplate
from league.rounds.shares import read_numbers, read_shares, shares_text

LENT = 40
"""Chips for one crown (T-4)."""


class NameForm(forms.Form):
    """What a structure is called; its rows are no fields of this form."""

    name = forms.CharField(label=_("Name of the template"), max_length=80, validators=[shown])

    def __init__(self, data: Any, known: StructureTemplate | None) -> None:
        self._known = known
        super().__init__(data, initial={"name": known.name if known else ""})

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = StructureTemplate.objects.exclude(pk=self._known.pk if self._known else 0)
        if others.filter(name=name).exists():
            raise ValidationError(_("There is a template of that name already."))
        return name


class ShareForm(forms.Form):
    """Prize shares under a name."""

    name = forms.CharField(label=_("Name of the template"), max_length=80, validators=[shown])
    shares = forms.CharField(label=_("Shares (%)"), max_length=800, help_text=_("Best place first: 50 30 20."))

    def __init__(self, data: Any, known: ShareTemplate | None) -> None:
        self._known = known
        super().__init__(data, initial={"name": known.name, "shares": shares_text(known.shares)} if known else {})

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = ShareTemplate.objects.exclude(pk=self._known.pk if self._known else 0)
        if others.filter(name=name).exists():
            raise ValidationError(_("There is a template of that name already."))
        return name

    def clean_shares(self) -> list[str]:
        return read_shares(self.cleaned_data["shares"])


class ProposalForm(forms.Form):
    """What a structure is to be good for: asked by an address, so that it can be kept."""

    players = forms.IntegerField(label=_("Players"), min_value=3, max_value=90, initial=20)
    deposit = forms.IntegerField(label=_("Deposit (CZK)"), min_value=1, max_value=10_000, initial=100)
    minutes = forms.IntegerField(label=_("Minutes in all"), min_value=30, max_value=1440, initial=240)
    chips = forms.CharField(label=_("Chip denominations"), max_length=200, initial="25 100 500 1000 5000")
    profile = forms.ChoiceField(label=_("Rules"), choices=[(name, name) for name in TOURNAMENTS])

    def __init__(self, data: Any) -> None:
        super().__init__(data, auto_id="wish_%s")

    def clean_chips(self) -> list[int]:
        return read_numbers(self.cleaned_data["chips"], most=10_000_000)

    def wish(self, small_blind: Any) -> Wish:
        """The wish that was typed, under a profile's rule of the small blind."""
        given = self.cleaned_data
        rule: Literal["half", "at-most-big"] = small_blind
        return Wish(
            players=given["players"], stack=given["deposit"] * LENT, chips=dict.fromkeys(given["chips"]),
            minutes=given["minutes"], small_blind=rule,
        )  # fmt: skip

    def take(self, error: WishError) -> None:
        """Show a wish that cannot be met beside its field."""
        field = "deposit" if error.field == "stack" else error.field
        self.add_error(field if field in self.fields else None, _("No structure can meet that."))
