"""Forms of the operator's: a reason, a message to venues, an invitation, an end of taking records."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from appliance.game.roster import Notice
from league.fleet.publishing import MOST_TABLE
from league.rounds.forms import at_home, day_field, shown, time_field
from league.rounds.models import Device, code_validator

LONGEST_WORD = 2000
LONGEST_ACCEPTED = timedelta(days=7)
LONGEST_SAID = timedelta(days=366)
"""A word to venues stands so long at most, or until it is withdrawn."""


class ReasonForm(forms.Form):
    """Why something is done; it stands in the audit log."""

    reason = forms.CharField(label=_("Reason"), max_length=200, validators=[shown])


class UntilForm(forms.Form):
    """A moment to come."""

    day = day_field(_("Until day"))
    time = time_field(_("Until time"))

    longest: timedelta | None = None

    def clean(self) -> dict[str, Any]:
        """The moment as ``until``, None where no day was given."""
        data = dict(super().clean() or {})
        day, time = data.get("day"), data.get("time")
        if day is None or time is None:
            for name, other, text in (
                ("time", day, _("A time belongs to the day.")), ("day", time, _("A day belongs to the time.")),
            ):  # fmt: skip
                if other is not None and not data.get(name) and name not in self.errors:
                    self.add_error(name, text)
            return data | {"until": None}
        return data | {"until": self._until(day, time)}

    def _until(self, day: Any, time: Any) -> datetime | None:
        try:
            until = at_home(day, time)
            now = timezone.now()
            if until <= now:
                raise ValidationError(_("That is over."))
            if self.longest is not None and until > now + self.longest:
                raise ValidationError(_("At most %(count)d days.") % {"count": self.longest.days})
        except ValidationError as error:
            self.add_error("day", error)
            return None
        return until


class AcceptForm(UntilForm):
    """How long a revoked device's last records are taken."""

    longest = LONGEST_ACCEPTED


class NoticeForm(UntilForm):
    """A word to the screens of venues."""

    longest = LONGEST_SAID
    text_cs = forms.CharField(
        label=_("Text in Czech"), max_length=LONGEST_WORD, required=False, validators=[shown],
        widget=forms.Textarea(attrs={"rows": 3}),
    )  # fmt: skip
    text_en = forms.CharField(
        label=_("Text in English"), max_length=LONGEST_WORD, required=False, validators=[shown],
        widget=forms.Textarea(attrs={"rows": 3}), help_text=_("One of the two is enough for both."),
    )  # fmt: skip
    day = day_field(_("Until day"), required=False, help_text=_("Empty: until it is withdrawn."))
    time = time_field(_("Until time"), required=False)
    field_order = ["text_cs", "text_en", "day", "time"]

    def clean(self) -> dict[str, Any]:
        """Something is said."""
        data = super().clean()
        if not (data.get("text_cs") or data.get("text_en")) and not self.errors:
            raise ValidationError(_("Say something, in one language at least."))
        return data

    def notice(self) -> Notice:
        """As the venues are told it."""
        data = self.cleaned_data
        until = round(data["until"].timestamp() * 1000) if data["until"] else None
        return Notice(text_cs=data["text_cs"], text_en=data["text_en"], until=until)


class InviteForm(forms.Form):
    """A device that is to be enrolled."""

    device = forms.CharField(
        label=_("Name"), max_length=32, validators=[code_validator],
        help_text=_("Lower-case letters, digits and hyphens, such as table-3."),
    )  # fmt: skip
    role = forms.ChoiceField(label=_("Role"), choices=Device.Role.choices, initial=Device.Role.TABLE)
    table = forms.IntegerField(
        label=_("Table number"), min_value=1, max_value=MOST_TABLE, required=False,
        help_text=_("Of a table's device; a spare has none."),
    )  # fmt: skip
    replaces = forms.BooleanField(label=_("It takes the place of the device of this name"), required=False)

    def __init__(self, data: Any = None, *, venue: str, **options: Any) -> None:
        super().__init__(data, **options)
        self._venue = venue

    def clean(self) -> dict[str, Any]:
        """What an invitation cannot be, said before it is made."""
        data = dict(super().clean() or {})
        if data.get("table") is not None and data.get("role") != Device.Role.TABLE:
            self.add_error("table", _("Only a table's device has a table number."))
        standing = Device.objects.filter(venue=self._venue, name=data.get("device"), revoked_at=None).first()
        if standing and standing.certificate and not standing.adopted_by and not data.get("replaces"):
            self.add_error("replaces", _("There is a device of this name: tick this to give its place to another one."))
        return data
