"""Forms of the own page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.people.checking import ADDRESS, REQUIRED
from league.people.forms import ShownForm
from league.people.models import Participant
from league.rounds.models import Venue

OWN = ("language", "home_venue", *ADDRESS)
"""What people correct themselves. Name, birth and citizenship were entered by a document, which the office looks at."""


class EmailForm(forms.Form):
    """Where the link is to go."""

    email = forms.EmailField(
        label=_("E-mail address"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class CorrectForm(ShownForm):
    """What people correct themselves, as it stands; what it must be is checked by `people.checking`."""

    ALONG = ("email", *OWN)
    email = forms.EmailField(
        label=_("E-mail address"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("A new one counts once you have opened the link that we send there."),
    )  # fmt: skip
    language = forms.ChoiceField(
        label=_("Language of screens and letters"), required=False,
        choices=[("", _("the venue's")), *Participant.Language.choices],
    )  # fmt: skip
    home_venue = forms.ModelChoiceField(Venue.objects.all(), label=_("Home venue"), required=False)
    street = forms.CharField(label=_("Street and number"))
    town = forms.CharField(label=_("Town"))
    postcode = forms.CharField(label=_("Postcode"))
    country = forms.CharField(label=_("Country"))

    _AUTOCOMPLETE = {
        "street": "address-line1", "town": "address-level2", "postcode": "postal-code", "country": "country-name",
    }  # fmt: skip

    def __init__(self, *args: Any, before: Mapping[str, str], **options: Any) -> None:
        options["initial"] = dict(before)
        super().__init__(*args, **options)
        for name in ("email", *ADDRESS):
            self.fields[name].required = name in REQUIRED and bool(before.get(name))
        for name, hint in self._AUTOCOMPLETE.items():
            self.fields[name].widget.attrs["autocomplete"] = hint

    def changes(self) -> dict[str, str]:
        """All but the e-mail address."""
        given = self.cleaned_data
        found = {name: str(given[name] or "") for name in OWN}
        found["home_venue"] = given["home_venue"].pk if given["home_venue"] else ""
        return found

    def take_errors(self, error: ValidationError) -> None:
        """Show beside its field what is wrong there."""
        for name, texts in error.message_dict.items():
            for text in texts:
                self.add_error(name if name in self.fields else None, text)


class EndForm(forms.Form):
    """So that nobody ends it by a slip."""

    sure = forms.BooleanField(label=_("Yes, I mean it"))
