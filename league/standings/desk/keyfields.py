"""A season's points key as fields of a form: what a place gets, and the winner's points by the field's size (P).

A key that somebody has as JSON, from an older season or another league, is taken in as it is, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms.renderers import get_default_renderer
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from appliance.game.points import decode_key
from appliance.game.pointskey import PointsKey
from appliance.game.reading import CommandError
from league.rounds.forms import shown
from league.rounds.keys import key_data, read_key

MOST_SIZES = 100
MORE_ROWS = 5
MOST_POINTS = 1_000_000
MOST_PLACES = 1000
DEFAULT, FIELDS, JSON = "default", "fields", "json"

_NUMBER = re.compile(r"[0-9]{1,7}", re.ASCII)
Row = tuple[str, str]


def fault(row: Row, others: Iterable[Row] = ()) -> str | Promise:
    """What is wrong with a row of size and points, beside the rows above it; nothing with an empty one."""
    size, points = row
    if not size and not points:
        return ""
    if not _NUMBER.fullmatch(size) or not _NUMBER.fullmatch(points):
        return _("Two whole numbers.")
    if not 1 <= int(size) <= MOST_PLACES:
        return _("A field has 1 to 1000 players.")
    if int(points) > MOST_POINTS:
        return _("At most 1,000,000 points.")
    if any(_NUMBER.fullmatch(other) and int(other) == int(size) for other, _points in others):
        return _("This size stands above already.")
    return ""


class WinnerRows(forms.Widget):
    """Rows of two numbers: of how many players on, and what the winner gets then."""

    use_fieldset = True

    def value_from_datadict(self, data: Mapping[str, Any], _files: Any, name: str) -> list[Row]:
        """What was typed, row by row."""
        columns = [
            [str(text).replace("\u00a0", "").replace(" ", "") for text in _all(data, f"{name}_{column}")[:MOST_SIZES]]
            for column in ("size", "points")
        ]
        return list(zip(*columns, strict=False))

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """A table with empty rows at its end."""
        typed: list[Row] = [row for row in value or [] if any(row)]
        empty = [("", "")] * min(MORE_ROWS, MOST_SIZES - len(typed))
        rows = [
            {"place": place, "size": row[0], "points": row[1], "error": fault(row, typed[: place - 1])}
            for place, row in enumerate([*typed, *empty], 1)
        ]
        context = {"name": name, "id": (attrs or {}).get("id", name), "rows": rows}
        template = "office/standings/_winner_rows.html"
        return self._render(template, context, renderer or get_default_renderer())  # type: ignore[attr-defined,no-any-return]


class WinnerField(forms.Field):
    """The winner's points by the size of the field: at least one size."""

    widget = WinnerRows

    def clean(self, value: list[Row]) -> dict[int, int]:
        """Points by size; an error tells its row, not counting empty ones, as they are shown."""
        rows = [row for row in value if any(row)]
        found = [(place, fault(row, rows[: place - 1])) for place, row in enumerate(rows, 1)]
        errors = [f"{place}: {error}" for place, error in found if error]
        if errors:
            raise ValidationError(errors)
        return {int(size): int(points) for size, points in rows}


class KeyPart(forms.Form):
    """The fields of a key; ``TEXT``: the name of what they make together, and of the field for a key as JSON."""

    TEXT = "points_key"
    SOURCES: tuple[tuple[str, str | Promise], ...] = (
        (DEFAULT, _("the default key, which the league has not confirmed")),
        (FIELDS, _("as written here")),
        (JSON, _("from a text in JSON")),
    )
    PARTS = ("name", "registering", "step", "scoring", "places", "half", "ties", "winner", "confirmed")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["key_of"] = forms.ChoiceField(
            label=_("Points key"), choices=self.SOURCES, required=False, widget=forms.RadioSelect
        )
        self.fields |= {
            "key_name": forms.CharField(label=_("Name of the key"), max_length=64, required=False, validators=[shown]),
            "key_registering": _points(_("Points for registering")),
            "key_step": _points(_("Less for each lower place")),
            "key_scoring": forms.ChoiceField(
                label=_("Places that score"), required=False,
                choices=[("half", _("half of the field")), ("all", _("all")), ("number", _("so many:"))],
            ),
            "key_places": forms.IntegerField(
                label=_("How many places score"), min_value=1, max_value=MOST_PLACES, required=False,
                help_text=_("Only with “so many”."),
            ),
            "key_half": forms.ChoiceField(
                label=_("Half of an odd field"), required=False,
                choices=[("up", _("rounded up")), ("down", _("rounded down"))],
            ),
            "key_ties": forms.ChoiceField(
                label=_("Equal places get"), required=False,
                choices=[("mean", _("the mean of their points, up to the next half point")),
                         ("best", _("each the best of their points"))],
            ),
            "key_winner": WinnerField(
                label=_("Points of the winner"), required=False,
                help_text=_("The row of the largest size that is not above the field counts; below all, the smallest."),
            ),
            "key_confirmed": forms.BooleanField(label=_("The league has confirmed this key"), required=False),
            self.TEXT: forms.CharField(
                label=_("Points key (JSON)"), required=False,
                widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
            ),
        }  # fmt: skip

    @classmethod
    def begin(cls, key: Any) -> dict[str, Any]:
        """What the fields begin with; ``key``: as the database has it, None: the default one."""
        try:
            data = key_data(read_key(key))
        except CommandError:
            return {"key_of": JSON, cls.TEXT: _as_text(key)}
        parts = {f"key_{name}": value for name, value in data.items()}
        parts["key_winner"] = [(size, str(points)) for size, points in sorted(data["winner"].items(), key=_by_size)]
        if isinstance(data["scoring"], int):
            parts |= {"key_scoring": "number", "key_places": data["scoring"]}
        of = DEFAULT if key is None and DEFAULT in dict(cls.SOURCES) else FIELDS
        return parts | {"key_of": of, cls.TEXT: _as_text(data)}

    def as_typed(self) -> dict[str, Any]:
        """What the form holds, to begin another with."""
        return {name: self[name].data for name in self.fields}

    def plain_fields(self) -> list[forms.BoundField]:
        """Those that are not of the key."""
        return [field for field in self if field.name != self.TEXT and not field.name.startswith("key_")]

    def key_fields(self) -> list[forms.BoundField]:
        """The parts of the key."""
        return [self[f"key_{name}"] for name in self.PARTS]

    def json_field(self) -> forms.BoundField:
        """The field for a key as JSON."""
        return self[self.TEXT]

    def clean(self) -> dict[str, Any]:
        """The key in place of its parts; faults of what does not count are none."""
        given = dict(super().clean() or self.cleaned_data)
        text = given.pop(self.TEXT, "").strip()
        of = given.pop("key_of", "") or (JSON if text else DEFAULT)
        parts = {name: given.pop(f"key_{name}", None) for name in self.PARTS}
        if of != FIELDS:
            for name in self.PARTS:
                self.errors.pop(f"key_{name}", None)
        given[self.TEXT] = self._from_fields(parts) if of == FIELDS else self._from_text(text if of == JSON else None)
        return given

    def _from_text(self, text: str | None) -> PointsKey | None:
        if text is None and DEFAULT in dict(self.SOURCES):
            return None
        if not text:
            self.add_error(self.TEXT, gettext("Paste the key as JSON."))
            return None
        try:
            return decode_key(text)
        except CommandError as error:
            self.add_error(self.TEXT, str(error))
            return None

    def _from_fields(self, parts: dict[str, Any]) -> PointsKey | None:
        needed = ["name", "registering", "step", "winner", *(["places"] if parts["scoring"] == "number" else [])]
        for name in needed:
            if parts[name] in (None, "", {}) and f"key_{name}" not in self.errors:
                self.add_error(f"key_{name}", gettext("This field is required."))
        if not str(parts["name"] or "").isprintable():
            self.add_error("key_name", gettext("There are characters in it that no screen can show."))
        if any(f"key_{name}" in self.errors for name in self.PARTS):
            return None
        return PointsKey(
            name=parts["name"], winner=dict(sorted(parts["winner"].items())), registering=parts["registering"],
            step=parts["step"], scoring=parts["places"] if parts["scoring"] == "number" else parts["scoring"] or "half",
            half=parts["half"] or "up", ties=parts["ties"] or "mean", confirmed=bool(parts["confirmed"]),
        )  # fmt: skip


class CorrectedKeyForm(KeyPart):
    """The right key of a season."""

    TEXT = "key"
    SOURCES = KeyPart.SOURCES[1:]


def _all(data: Mapping[str, Any], name: str) -> list[Any]:
    return cast("list[Any]", data.getlist(name)) if hasattr(data, "getlist") else []


def _points(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=MOST_POINTS, required=False)


def _as_text(key: Any) -> str:
    return json.dumps(key, ensure_ascii=False, indent=1)


def _by_size(item: tuple[str, int]) -> int:
    return int(item[0])
