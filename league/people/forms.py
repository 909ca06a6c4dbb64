"""Forms about participants, in the order of the paper card (LG-5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils import formats, timezone
from django.utils.datastructures import MultiValueDict
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.dayfield import DayField
from league.people.checking import ADDRESS, BIRTH, PLAIN, REQUIRED, SEALED, check
from league.people.correcting import ChangedMeanwhile
from league.people.labels import label_of
from league.people.models import ConsentKind, ConsentText, Participant
from league.people.registering import Signed
from league.privacy.models import Act, PaperCard
from league.rounds.models import Venue

CZECHIA = "Česká republika"


def day_field(label: Any, *, required: bool = True, help_text: Any = "") -> forms.DateField:
    """A day, by the browser's own calendar or typed."""
    return DayField(label=label, required=required, help_text=help_text)


class PersonForm(forms.Form):
    """The fields of `checking.FIELDS`. What they must be is checked there, not here."""

    title = forms.CharField(label=_("Title"), required=False)
    first_name = forms.CharField(label=_("First name"))
    surname = forms.CharField(label=_("Surname"))
    birth_number = forms.CharField(
        label=_("Birth number"), required=False, help_text=_("A foreigner has none: birth date and document instead.")
    )
    birth_date = day_field(
        _("Birth date"), required=False, help_text=_("Only without a birth number, or where one is in doubt.")
    )
    document = forms.CharField(label=_("Number of the document"), required=False)
    street = forms.CharField(label=_("Street and number"))
    town = forms.CharField(label=_("Town"))
    postcode = forms.CharField(label=_("Postcode"))
    country = forms.CharField(label=_("Country"), initial=CZECHIA)
    citizenship = forms.CharField(label=_("Citizenship"), initial=CZECHIA)
    email = forms.CharField(label=_("E-mail address"), widget=forms.EmailInput)
    language = forms.ChoiceField(
        label=_("Language of screens"), required=False, choices=[("", _("the venue's")), *Participant.Language.choices]
    )
    home_venue = forms.ModelChoiceField(Venue.objects.all(), label=_("Home venue"), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in (*PLAIN, *SEALED):
            self.fields[name].widget.attrs["autocomplete"] = "off"
        self.fields["birth_number"].widget.attrs["inputmode"] = "numeric"

    def group(self, *names: str) -> list[forms.BoundField]:
        """Some of the fields, for a part of the page."""
        return [self[name] for name in names]

    def data_given(self) -> dict[str, str]:
        """What was typed, as `checking.check` takes it."""
        given = self.cleaned_data
        data = {name: str(given.get(name) or "") for name in (*PLAIN, *SEALED)}
        data["home_venue"] = given["home_venue"].pk if given.get("home_venue") else ""
        return data

    def take_errors(self, error: ValidationError) -> None:
        """Show beside its field what `check` found; on top what has no field here."""
        for name, texts in error.message_dict.items():
            if name not in self.errors:
                for text in texts:
                    self.add_error(name if name in self.fields else None, text)


class RegisterForm(PersonForm):
    """A paper card, with the consents ticked on it."""

    signed_on = day_field(_("Card signed on"))
    proof = forms.ChoiceField(label=_("Age proven by"), choices=PaperCard.Proof.choices)
    proven_to = forms.CharField(label=_("Document seen by"), max_length=120)
    handed_to = forms.CharField(
        label=_("Card handed in to"), max_length=120, required=False,
        help_text=_("The commissioner at a venue; empty: at the office."),
    )  # fmt: skip
    another = forms.BooleanField(
        label=_("It is somebody else, who only has the same name and birth date"), required=False
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for kind in ConsentKind:
            self.fields[kind.value] = forms.BooleanField(
                label=kind.label, required=False, help_text=_texts_by_day(kind)
            )
        self.fields["signed_on"].initial = timezone.localdate

    @property
    def groups(self) -> Iterator[tuple[str | Promise, list[forms.BoundField]]]:
        """The parts of the page with their fields."""
        yield _("Person"), self.group("first_name", "surname", "title")
        yield _("Birth"), self.group(*BIRTH)
        yield _("Permanent address"), self.group(*ADDRESS, "citizenship")
        yield _("Contact"), self.group("email", "home_venue", "language")
        yield _("Card and age"), self.group("signed_on", "handed_to", "proof", "proven_to")
        yield _("Consents"), self.group(*ConsentKind.values)

    def clean(self) -> None:
        """All that is wrong at once, not field by field."""
        try:
            check(self.data_given(), timezone.localdate())
        except ValidationError as error:
            self.take_errors(error)

    def clean_signed_on(self) -> Any:
        day = self.cleaned_data["signed_on"]
        if day > timezone.localdate():
            raise ValidationError(_("That day has not come yet."))
        return day

    def consents(self) -> set[ConsentKind]:
        """Those ticked."""
        return {kind for kind in ConsentKind if self.cleaned_data.get(kind.value)}

    def signed(self) -> Signed:
        """The card itself."""
        given = self.cleaned_data
        return Signed(given["signed_on"], PaperCard.Proof(given["proof"]), given["proven_to"], given["handed_to"])


def _texts_by_day(kind: ConsentKind) -> str:
    """Which text is consented to: the one of the day on which the card was signed."""
    day = timezone.localdate()
    texts = ConsentText.objects.filter(kind=kind, since__lte=day).order_by("-since", "-version")[:2]
    if not texts:
        return ""
    if len(texts) == 1:
        return gettext("Text %(number)d") % {"number": texts[0].version}
    return gettext("Text %(number)d; signed before %(day)s: text %(before)d") % {
        "number": texts[0].version, "day": formats.date_format(texts[0].since, "SHORT_DATE_FORMAT"),
        "before": texts[1].version,
    }  # fmt: skip


class ShownForm(forms.Form):
    """Sends along what stood in the fields when they were shown, so that only what was changed is a change."""

    ALONG: tuple[str, ...] = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in self.ALONG:
            self.fields[name].show_hidden_initial = True

    def shown(self) -> dict[str, str]:
        """What whoever sent the form saw in its fields."""
        keys = {name: self.add_initial_prefix(name) for name in self.ALONG}
        return {name: str(self.data[key]) for name, key in keys.items() if key in self.data}

    def take_meanwhile(self, error: ChangedMeanwhile) -> None:
        """Have the form, sent once more, be by whoever knows what stands there now."""
        data = cast("MultiValueDict[str, Any]", self.data).copy()
        for name, value in error.now.items():
            data[self.add_initial_prefix(name)] = value
        self.data = data


class CorrectForm(ShownForm, PersonForm):
    """What is not sealed, to be changed; what is sealed, empty: typed anew, left as it is, or taken away."""

    ALONG = PLAIN
    away = forms.MultipleChoiceField(
        label=_("Take away what was entered by mistake"), required=False, widget=forms.CheckboxSelectMultiple,
        choices=[(name, label_of(name)) for name in BIRTH],
        help_text=_("Somebody else's number, date or document."),
    )  # fmt: skip

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in (*PLAIN, *SEALED):
            self.fields[name].required = False
            if name in REQUIRED and name in PLAIN:
                self.fields[name].required = bool(self.initial.get(name))
        for name in SEALED:
            self.fields[name].initial = None
            self.fields[name].help_text = ""

    @property
    def plain(self) -> list[forms.BoundField]:
        """What is shown as it stands."""
        return self.group("first_name", "surname", "title", "email", "home_venue", "language")

    @property
    def sealed(self) -> list[forms.BoundField]:
        """What is not."""
        return self.group(*BIRTH, *ADDRESS, "citizenship", "away")

    def changes(self) -> dict[str, str]:
        """What is to be corrected: all that is plain, and of what is sealed that which was typed."""
        given = {name: value for name, value in self.data_given().items() if name in PLAIN or value}
        return dict.fromkeys(self.cleaned_data.get("away", ()), "") | given


class SearchForm(forms.Form):
    """Whom the list shows."""

    q = forms.CharField(label=_("Number, name, e-mail or card"), required=False, max_length=80)
    state = forms.ChoiceField(label=_("State"), required=False, choices=[("", _("all")), *Participant.State.choices])
    venue = forms.ModelChoiceField(Venue.objects.all(), label=_("Home venue"), required=False, empty_label=_("all"))
    lacking = forms.BooleanField(label=_("only without birth number and address"), required=False)
    cardless = forms.BooleanField(label=_("only without any card"), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["q"].widget = forms.TextInput(attrs={"type": "search", "autocomplete": "off"})


class ShowForm(forms.Form):
    """Why a birth number or an address is to be shown."""

    what = forms.ChoiceField(
        label=_("Show"),
        choices=[
            ("birth", _("birth number and document")),
            ("address", _("address and citizenship")),
            ("before", _("what stood before corrections")),
        ],
    )
    reason = forms.CharField(
        label=_("Reason"), min_length=3, max_length=500,
        help_text=_("It is recorded with your name and kept: write no names or numbers of persons into it."),
    )  # fmt: skip


class ActForm(forms.Form):
    """Refuse, cancel, re-open. A reason is not needed (LG-4, LG-5)."""

    act = forms.ChoiceField(label=_("Act"), choices=[("cancel", ""), ("refuse", ""), ("reopen", "")])
    side = forms.ChoiceField(label=_("On the wish of"), choices=Act.Side.choices, required=False)
    reason = forms.CharField(label=_("Reason"), max_length=500, required=False)


class EraseForm(forms.Form):
    """The number typed once more, so that nobody is erased by a slip."""

    number = forms.CharField(label=_("Registration number, once more"), max_length=12)
    reason = forms.CharField(label=_("Reason"), max_length=500, help_text=_("It is kept: write no names into it."))

    def __init__(self, person: Participant, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._number = person.number
        self.fields["number"].widget.attrs["autocomplete"] = "off"

    def clean_number(self) -> str:
        number: str = self.cleaned_data["number"].strip()
        if number != self._number:
            raise ValidationError(_("This is not the number of this participant."))
        return number


class TextForm(forms.Form):
    """A new version of what people consent to."""

    kind = forms.ChoiceField(label=_("Consent"), choices=ConsentKind.choices)
    text_cs = forms.CharField(label=_("Text in Czech"), widget=forms.Textarea, max_length=5000)
    text_en = forms.CharField(label=_("Text in English"), widget=forms.Textarea, max_length=5000)
    since = day_field(_("In force from"))

    def clean_since(self) -> Any:
        day = self.cleaned_data["since"]
        if day < timezone.localdate():
            raise ValidationError(_("A text is in force from today on at the earliest."))
        return day
