"""Forms of imports and exports."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.imports.csvfile import ENCODINGS, MAX_BYTES
from league.rounds.models import Season


class FileForm(forms.Form):
    """A file; ``seen``: the digest of the one that was checked before."""

    file = forms.FileField(
        label=_("CSV file"), allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.txt,text/csv"}),
    )  # fmt: skip
    encoding = forms.ChoiceField(
        label=_("Encoding"), required=False, choices=[("", _("find it out")), *ENCODINGS.items()]
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise ValidationError(_("The file is larger than %(count)d MB: divide it.") % {"count": MAX_BYTES >> 20})
        return file


class ResultsForm(FileForm):
    """A file of results."""

    replace = forms.BooleanField(
        label=_("Other results of a round take the place of those imported before"), required=False
    )
    field_order = ["file", "encoding", "replace"]


class SeasonForm(forms.Form):
    """The season whose results are taken out."""

    season = forms.ModelChoiceField(Season.objects.all(), label=_("Season"), to_field_name="year", empty_label=None)
