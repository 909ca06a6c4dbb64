"""Forms of seasons, void participations and exclusions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from league.notices.forms import words
from league.notices.models import LONGEST_TITLE, LONGEST_WORD
from league.people.models import Participant, number_validator
from league.rounds.forms import TOURNAMENTS, day_field, shown
from league.rounds.keys import key_data
from league.rounds.models import LeastCard, Round, Season, SeasonAct
from league.standings.desk.keyfields import KeyPart
from league.standings.models import Exclusion
from league.standings.seasons import Words

What = SeasonAct.What


def reason_field(label: Any = None, *, required: bool = True) -> forms.CharField:
    """Why: it is kept with the decision."""
    return forms.CharField(
        label=label or _("Reason"), max_length=500, required=required, validators=[shown],
        help_text=_("It is kept: write no names into it."),
    )  # fmt: skip


class SeasonForm(KeyPart):
    """A season: what later rounds are announced with."""

    year = forms.IntegerField(label=_("Year"), min_value=1990, max_value=2200)
    name = forms.CharField(label=_("Name of the season"), max_length=120, validators=[shown])
    profile = forms.ChoiceField(label=_("Rules profile"), choices=[(name, name) for name in TOURNAMENTS])
    least_card = forms.ChoiceField(label=_("Cards must be at least"), choices=LeastCard.choices)

    def __init__(self, *args: Any, known: Season | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self._known = known
        if known is not None:
            del self.fields["year"]

    @staticmethod
    def start(season: Season) -> dict[str, Any]:
        """What the form begins with."""
        plain = {"name": season.name, "profile": season.profile, "least_card": season.least_card}
        return plain | SeasonForm.begin(season.points_key)

    def clean_year(self) -> int:
        """A season there is not yet (LG-1)."""
        year = int(self.cleaned_data["year"])
        if Season.objects.filter(year=year).exists():
            raise ValidationError(_("There is a season of that year already."))
        return year

    def clean(self) -> dict[str, Any]:
        """The key as plain values, None for the default one."""
        given = super().clean()
        key = given["points_key"]
        return given | {"points_key": None if key is None else key_data(key)}

    def keep(self, season: Season) -> list[str]:
        """Write it down; the names of the fields that are different."""
        changed = [name for name, value in self.cleaned_data.items() if getattr(season, name, None) != value]
        for name in changed:
            setattr(season, name, self.cleaned_data[name])
        # of a season there is, nothing else: it may have been ended meanwhile
        season.save(update_fields=changed if season.pk else None)
        return changed


class ActForm(forms.Form):
    """A decision about a season, and what is announced of it (LG-11)."""

    day = day_field(_("Day"))
    until = day_field(_("Up to and with"), required=False, help_text=_("Empty: until further notice."))
    reason = reason_field(_("Reason, for the office"), required=False)
    title_cs = words(_("Headline in Czech"), LONGEST_TITLE)
    title_en = words(_("Headline in English"), LONGEST_TITLE, required=False)
    text_cs = words(
        _("Text in Czech"), LONGEST_WORD, rows=3, required=False,
        help_text=_("Leave both texts empty and the days, at the end the winners, are said in both languages."),
    )  # fmt: skip
    text_en = words(_("Text in English"), LONGEST_WORD, rows=3, required=False)

    stay = forms.BooleanField(
        label=_("Rounds that stand on those days stay as they are"), required=False,
        help_text=_("Otherwise cancel or move them first."),
    )  # fmt: skip

    _DAYS = {
        What.INTERRUPT: _("No rounds from"), What.RESUME: _("Rounds again from"), What.SHORTEN: _("New last day"),
        What.EXTEND: _("New last day"), What.END: _("Ended on"),
    }  # fmt: skip

    def __init__(self, *args: Any, what: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["day"].label = self._DAYS[What(what)]
        if what != What.INTERRUPT:
            del self.fields["until"]
        if what not in (What.INTERRUPT, What.SHORTEN):
            del self.fields["stay"]

    def words(self) -> Words:
        """What is announced."""
        return Words(**{name: self.cleaned_data[name] for name in Words._fields})


class RoundField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """One of many rounds, told by day, venue and code: several have the same name."""

    def label_from_instance(self, obj: Round) -> str:
        """The round as one knows it from others."""
        day = date_format(timezone.localtime(obj.begins_at), "SHORT_DATE_FORMAT")
        return f"{obj} · {day} · {obj.venue.name}" + (f" · {obj.pk}" if obj.name else "")


class VoidForm(forms.Form):
    """Whose participation in which round."""

    round = RoundField(
        Round.objects.filter(results__provisional=False).select_related("venue").distinct()
        .order_by("-starts_at", "id"), label=_("Round"),
    )  # fmt: skip
    participant = forms.CharField(label=_("Registration number"), max_length=12, validators=[number_validator])


class DecisionForm(forms.Form):
    """Why, and the preview that is agreed to."""

    reason = reason_field()
    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)


class ExclusionForm(forms.Form):
    """Somebody is excluded from the league (T-15)."""

    participant = forms.CharField(label=_("Registration number"), max_length=12, validators=[number_validator])
    since = day_field(_("Excluded from"))
    until = day_field(_("Up to and with"), required=False, help_text=_("Empty: for good."))
    round = RoundField(
        Round.objects.select_related("venue").order_by("-starts_at", "id"), label=_("Round in which it happened"),
        required=False,
    )  # fmt: skip
    proposed_by = forms.CharField(label=_("Proposed by the commissioner"), max_length=150, required=False)
    reason = reason_field()

    def clean_participant(self) -> str:
        """Somebody whom the league knows."""
        number = str(self.cleaned_data["participant"])
        if not Participant.objects.filter(number=number).exists():
            raise ValidationError(_("The league knows nobody with this number."))
        return number

    def clean(self) -> dict[str, Any]:
        """The end not before the start."""
        data = dict(super().clean() or {})
        if data.get("since") and data.get("until") and data["until"] < data["since"]:
            self.add_error("until", _("It would end before it starts."))
        return data

    def exclusion(self) -> Exclusion:
        """The exclusion, not written yet."""
        return Exclusion(**self.cleaned_data)


class LiftForm(forms.Form):
    """Why an exclusion ends before its time."""

    reason = reason_field(_("Why it is lifted"))
    others = forms.BooleanField(label=_("Lift this person's other exclusions, too"), required=False)

    def __init__(self, *args: Any, others: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not others:
            del self.fields["others"]


class DeclineForm(forms.Form):
    """Why a proposal to exclude somebody is not followed."""

    reason = reason_field(_("Why it is declined"))
