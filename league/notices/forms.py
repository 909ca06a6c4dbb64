"""Forms of what the league publishes: an announcement, an edition, the lines of a price list."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.notices import editions, models
from league.notices.models import Announcement, Edition, Price, write_prices
from league.rounds.forms import at_home, day_field, shown, time_field
from league.rounds.models import Venue

price_code = RegexValidator(r"\A[a-z0-9-]{1,32}\Z", _("Lower-case letters, digits and hyphens, at most 32."))


def words(label: Any, longest: int, *, rows: int = 0, required: bool = True, **options: Any) -> forms.CharField:
    """A text that can stand on a screen; ``rows``: of several lines."""
    widget: forms.Widget = forms.Textarea(attrs={"rows": rows}) if rows else forms.TextInput()
    return forms.CharField(
        label=label, max_length=longest, widget=widget, required=required, validators=[shown], **options
    )


class AnnouncementForm(forms.Form):
    """A word of the league: on its pages, and on screens of venues."""

    title_cs = words(_("Headline in Czech"), models.LONGEST_TITLE)
    title_en = words(
        _("Headline in English"), models.LONGEST_TITLE, required=False, help_text=_("Empty: the Czech is for both.")
    )
    text_cs = words(_("Text in Czech"), models.LONGEST_WORD, rows=3, required=False)
    text_en = words(_("Text in English"), models.LONGEST_WORD, rows=3, required=False)
    from_day = day_field(_("From day"))
    from_time = time_field(_("From time"))
    to_day = day_field(_("To day"), required=False, help_text=_("Empty: until it is withdrawn."))
    to_time = time_field(_("To time"), required=False)
    on_site = forms.BooleanField(label=_("On the league's pages"), required=False)
    everywhere = forms.BooleanField(label=_("On the screens of all venues"), required=False)
    venues = forms.ModelMultipleChoiceField(
        Venue.objects.all(), label=_("or of these venues only"), required=False, widget=forms.CheckboxSelectMultiple
    )

    @classmethod
    def start(cls, row: Announcement | None = None) -> dict[str, Any]:
        """What the form begins with: from now on, everywhere, or what stands."""
        since = timezone.localtime(row.since if row else None)
        found: dict[str, Any] = {"from_day": since.date(), "from_time": since.strftime("%H:%M")}
        if row is None:
            return found | {"on_site": True, "everywhere": True}
        until = timezone.localtime(row.until) if row.until else None
        names = ("title_cs", "title_en", "text_cs", "text_en", "on_site", "everywhere")
        found |= {name: getattr(row, name) for name in names} | {"venues": row.venues.all()}
        return found | ({"to_day": until.date(), "to_time": until.strftime("%H:%M")} if until else {})

    def clean(self) -> dict[str, Any]:
        """The two moments, and that it is shown somewhere."""
        data = dict(super().clean() or {})
        since = self._moment("from_day", "from_time")
        until = self._moment("to_day", "to_time") if data.get("to_day") else None
        if data.get("to_time") and not data.get("to_day") and "to_day" not in self.errors:
            self.add_error("to_day", _("A day belongs to the time."))
        if since and until and until <= since:
            self.add_error("to_day", _("It would end before it starts."))
        if data.get("everywhere") and data.get("venues"):
            self.add_error("venues", _("All venues or some of them, not both."))
        if not (data.get("on_site") or data.get("everywhere") or data.get("venues")):
            raise ValidationError(_("It would be shown nowhere."))
        return data | {"since": since, "until": until}

    def _moment(self, day: str, time: str) -> datetime | None:
        if not self.cleaned_data.get(day):
            return None
        if not self.cleaned_data.get(time):
            if time not in self.errors:
                self.add_error(time, _("A time belongs to the day."))
            return None
        try:
            return at_home(self.cleaned_data[day], self.cleaned_data[time])
        except ValidationError as error:
            self.add_error(time, error)
            return None

    def keep(self, row: Announcement, by: str) -> list[str]:
        """Write it down; the names of the fields that are different."""
        names = ("title_cs", "title_en", "text_cs", "text_en", "on_site", "everywhere", "since", "until")
        changed = [name for name in names if getattr(row, name) != self.cleaned_data[name]]
        for name in changed:
            setattr(row, name, self.cleaned_data[name])
        row.by = row.by or by
        row.save()
        venues = {venue.pk for venue in self.cleaned_data["venues"]}
        if venues != set(row.venues.values_list("pk", flat=True)):
            row.venues.set(self.cleaned_data["venues"])
            changed.append("venues")
        return changed


class NewEditionForm(forms.Form):
    """Of what a new edition is begun, and for which day."""

    kind = forms.ChoiceField(label=_("What"), choices=Edition.Kind.choices)
    effective_on = day_field(_("In force from"))


class EditionForm(forms.Form):
    """A draft of the rules or of the game plan."""

    effective_on = day_field(_("In force from"))
    brief_cs = words(
        _("On screens, in Czech"), models.LONGEST_BRIEF, rows=5,
        help_text=_("What doors and walls of the venues show in turns: the most important of it."),
    )  # fmt: skip
    brief_en = words(_("On screens, in English"), models.LONGEST_BRIEF, rows=5, required=False)
    text_cs = words(
        _("Whole text in Czech"), models.LONGEST_TEXT, rows=18,
        help_text=_("A blank line parts paragraphs; “## ” begins a heading, “- ” an item of a list."),
    )  # fmt: skip
    text_en = words(_("Whole text in English"), models.LONGEST_TEXT, rows=18, required=False)

    def keep(self, draft: Edition) -> None:
        """Write it into the draft. Raises `editions.NotPublishable`."""
        names = ("effective_on", "brief_cs", "brief_en", "text_cs", "text_en")
        editions.keep(draft, **{name: self.cleaned_data[name] for name in names})


class PricesForm(forms.Form):
    """The day of a price list; its lines are forms of their own."""

    effective_on = day_field(_("In force from"))
    text_cs = words(_("Note in Czech"), 2000, rows=3, required=False)
    text_en = words(_("Note in English"), 2000, rows=3, required=False)

    def keep(self, draft: Edition, prices: list[Price]) -> None:
        """Write it into the draft. Raises `editions.NotPublishable`."""
        fields = {name: self.cleaned_data[name] for name in ("effective_on", "text_cs", "text_en")}
        editions.keep(draft, **fields, price_rows=write_prices(prices))


class PriceForm(forms.Form):
    """A line of a price list; one without a text is none."""

    code = forms.CharField(label=_("Code"), max_length=32, validators=[price_code], required=False)
    cs = words(_("In Czech"), models.LONGEST_LABEL, required=False)
    en = words(_("In English"), models.LONGEST_LABEL, required=False)
    crowns = forms.IntegerField(label=_("CZK"), min_value=0, max_value=models.HIGHEST_PRICE, required=False)

    def clean(self) -> dict[str, Any]:
        """All of a line or nothing of it."""
        data = dict(super().clean() or {})
        if any(data.get(name) not in ("", None) for name in ("code", "cs", "en", "crowns")):
            for name in ("code", "cs", "crowns"):
                if data.get(name) in ("", None) and name not in self.errors:
                    self.add_error(name, _("This field is required."))
        return data


class _PriceLines(forms.BaseFormSet):  # type: ignore[type-arg]
    def clean(self) -> None:
        """No code twice."""
        codes = [form.cleaned_data.get("code") for form in self.forms if hasattr(form, "cleaned_data")]
        twice = {code for code in codes if code and codes.count(code) > 1}
        if twice:
            raise ValidationError(_("A code is there twice: %(codes)s"), params={"codes": ", ".join(sorted(twice))})


def prices_of(lines: forms.BaseFormSet[Any]) -> list[Price]:
    """The lines that are filled in."""
    data = [form.cleaned_data for form in lines.forms]
    return [Price(row["code"], row["cs"], row["en"], row["crowns"]) for row in data if row.get("cs")]


PriceLines = forms.formset_factory(
    PriceForm, formset=_PriceLines, extra=3, max_num=models.MOST_PRICES, validate_max=True, absolute_max=60
)
