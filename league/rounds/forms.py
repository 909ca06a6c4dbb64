"""Forms about rounds: the plan of one, a move, a cancellation, the notice to the municipality."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from appliance.game.ruleset import PROFILES
from appliance.plaintext import fault
from league.dayfield import DayField
from league.rounds.models import Round, Season, Venue, round_validator
from league.rounds.planning import ShareTemplate, StructureTemplate
from league.rounds.shares import read_numbers, read_shares, shares_text

TOURNAMENTS = [name for name, rules in PROFILES.items() if rules.tournament]


def day_field(label: Any, **options: Any) -> forms.DateField:
    """A day, by the browser's own calendar or typed."""
    return DayField(label=label, **options)


def time_field(label: Any, **options: Any) -> forms.TimeField:
    """A time of day."""
    return forms.TimeField(label=label, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"), **options)


def shown(text: str) -> None:
    """Refuse what no screen can show: it goes to the venues. Raises `ValidationError`."""
    if fault(text) is not None:
        raise ValidationError(_("There are characters in it that no screen can show."))


def reason_field() -> forms.CharField:
    """Why a round is moved or cancelled (LG-2)."""
    return forms.CharField(
        label=_("Reason"), max_length=500, required=False, validators=[shown],
        help_text=_("Optional; it is published as it stands here."),
    )  # fmt: skip


def at_home(day: Any, time: Any) -> datetime:
    """A day and a time of day in the league's zone. Raises `ValidationError` where clocks skip it."""
    naive = datetime.combine(day, time)
    made = timezone.make_aware(naive)
    # there and back by UTC a time that clocks skip becomes another one
    if timezone.make_naive(made.astimezone(UTC)) != naive:
        raise ValidationError(_("There is no such time on that day: clocks are set forward."))
    return made


class PlanForm(forms.Form):
    """A round as it is to be announced: nobody types an announcement by hand (LG-2)."""

    season = forms.ModelChoiceField(Season.objects.all(), label=_("Season"), empty_label=None)
    id = forms.CharField(
        label=_("Code"), max_length=64, validators=[round_validator],
        help_text=_("Stands in the address of the round's page; it never changes."),
    )  # fmt: skip
    name = forms.CharField(
        label=_("Name of the round"), max_length=120, validators=[shown], help_text=_("What the public knows it by.")
    )
    venue = forms.ModelChoiceField(Venue.objects.all(), label=_("Venue"))
    day = day_field(_("Date"))
    time = time_field(_("Start"))
    profile = forms.ChoiceField(label=_("Rules"), choices=[(name, name) for name in TOURNAMENTS])
    deposit = forms.IntegerField(label=_("Deposit (CZK)"), min_value=1, max_value=100_000)
    structure = forms.ChoiceField(
        label=_("Structure"), help_text=_("Copied: later changes of the template do not count.")
    )
    share_template = forms.ChoiceField(label=_("Prize shares"), required=False)
    shares = forms.CharField(
        label=_("or typed here (%)"), required=False, max_length=800, help_text=_("Best place first: 50 30 20.")
    )
    seats_per_table = forms.IntegerField(label=_("Seats at a table"), min_value=2, max_value=10, initial=9)
    capacity = forms.IntegerField(label=_("At most so many players"), min_value=3, max_value=90, initial=90)
    tables = forms.CharField(
        label=_("Tables"), required=False, max_length=200, help_text=_("Their numbers at the venue: 1-5 8.")
    )
    breaking = forms.CharField(
        label=_("Broken in this order"), required=False, max_length=200, help_text=_("Else from the highest number.")
    )
    guarantee = forms.IntegerField(
        label=_("Guarantee (CZK)"), required=False, min_value=1, max_value=10_000_000,
        help_text=_("Counts only with 10 registered at the start (T-9)."),
    )  # fmt: skip
    chip_up = forms.IntegerField(label=_("Chip-up at the first break (chips)"), required=False, min_value=1)
    bonus_card = forms.IntegerField(label=_("Bonus card (chips)"), required=False, min_value=1)
    chip_set = forms.CharField(
        label=_("Chip denominations"), required=False, max_length=200, help_text="25 100 500 1000"
    )
    ante_by = forms.ChoiceField(
        label=_("The ante is paid by"), choices=[("player", _("each player")), ("bb", _("the big blind"))]
    )
    late_registration = forms.BooleanField(label=_("Late registration"), required=False)
    reentry = forms.BooleanField(label=_("Re-entry"), required=False)

    def __init__(self, *args: Any, round: Round | None = None, **options: Any) -> None:
        self._round = round
        super().__init__(*args, **options)
        structures = [(f"{each.pk}", each.name) for each in StructureTemplate.objects.all()]
        shares = [(f"{each.pk}", f"{each.name} ({shares_text(each.shares)})") for each in ShareTemplate.objects.all()]
        self.copied: list[dict[str, int]] = self.initial.get("levels", [])
        own = [("copied", _("as it stands now"))] if self.copied else []
        self._choices("structure", [*own, *structures])
        self._choices("share_template", [("", "—"), *shares])
        if round is not None:
            self.fields["id"].disabled = True

    def _choices(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def group(self, *names: str) -> list[forms.BoundField]:
        """Some of the fields, for a part of the page."""
        return [self[name] for name in names]

    @property
    def groups(self) -> list[tuple[str | Promise, list[forms.BoundField]]]:
        """The parts of the page with their fields."""
        return [
            (_("When and where"), self.group("name", "id", "season", "venue", "day", "time")),
            (_("Money"), self.group("deposit", "share_template", "shares", "guarantee")),
            (_("Play"), self.group("profile", "structure", "ante_by", "chip_up", "bonus_card", "chip_set")),
            (
                _("Room"),
                self.group("capacity", "seats_per_table", "tables", "breaking", "late_registration", "reentry"),
            ),
        ]

    def clean_id(self) -> str:
        code: str = self.cleaned_data["id"]
        if self._round is None and Round.objects.filter(pk=code).exists():
            raise ValidationError(_("There is a round with that code already."))
        return code

    def clean_shares(self) -> list[str]:
        text: str = self.cleaned_data["shares"].strip()
        chosen = self.cleaned_data.get("share_template")
        if text:
            return read_shares(text)
        if not chosen:
            raise ValidationError(_("Choose shares or type them."))
        return list(ShareTemplate.objects.get(pk=chosen).shares)

    def clean_tables(self) -> list[int]:
        return read_numbers(self.cleaned_data["tables"])

    def clean_breaking(self) -> list[int]:
        return read_numbers(self.cleaned_data["breaking"])

    def clean_chip_set(self) -> list[int]:
        return read_numbers(self.cleaned_data["chip_set"], most=10_000_000)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("day") and given.get("time"):
            try:
                given["starts_at"] = at_home(given["day"], given["time"])
            except ValidationError as error:
                self.add_error("time", error)
        season = given.get("season")
        if season is not None and given.get("day") and not season.covers(given["day"]):
            lasts = {name: date_format(day, "DATE_FORMAT") for name, day in season.days.items()}
            self.add_error("day", _("The season lasts from %(first)s to %(last)s.") % lasts)
        return given

    @property
    def levels(self) -> list[dict[str, int]]:
        """A copy of the chosen structure."""
        chosen = self.cleaned_data["structure"]
        if chosen == "copied":
            return self.copied
        return list(StructureTemplate.objects.get(pk=chosen).levels)


class MoveForm(forms.Form):
    """To another date."""

    day = day_field(_("New date"))
    time = time_field(_("Start"))
    reason = reason_field()

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("day") and given.get("time"):
            given["starts_at"] = at_home(given["day"], given["time"])
        return given


class CancelForm(forms.Form):
    """For good, or with another round in its place."""

    reason = reason_field()
    day = day_field(_("Substitute date"), required=False)
    time = time_field(_("Start"), required=False)
    venue = forms.ModelChoiceField(Venue.objects.all(), label=_("Venue"), required=False)
    id = forms.CharField(label=_("Code"), max_length=64, required=False, validators=[round_validator])
    carry = forms.BooleanField(label=_("Carry the sign-ups over"), required=False)
    sure = forms.BooleanField(label=_("Yes, cancel this round: it cannot be taken back"))

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if not given.get("day"):
            return given
        for name in ("time", "venue", "id"):
            if not given.get(name):
                self.add_error(name, _("Needed with a substitute date."))
        if given.get("time"):
            given["starts_at"] = at_home(given["day"], given["time"])
        return given


class NotifiedForm(forms.Form):
    """The municipality was told."""

    day = day_field(_("Handed in on"))
    reference = forms.CharField(label=_("Reference number"), max_length=80, required=False)


class SignUpForm(forms.Form):
    """Whom to sign up."""

    number = forms.CharField(
        label=_("Registration number or name"), max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off", "type": "search"}),
    )  # fmt: skip
