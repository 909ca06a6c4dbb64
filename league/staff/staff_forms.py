"""The forms of the staff's accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.staff.labels import ROLES
from league.staff.roles import Role


class AccountForm(forms.Form):
    """The address and the roles of an account."""

    email = forms.EmailField(label=_("e-mail"), required=False, max_length=254)
    roles = forms.MultipleChoiceField(
        label=_("roles"), choices=[(role.value, ROLES[role]) for role in Role], widget=forms.CheckboxSelectMultiple
    )

    def clean_roles(self) -> list[Role]:
        return [Role(value) for value in self.cleaned_data["roles"]]


class NewAccountForm(AccountForm):
    """A new account: its e-mail is where the link to set a password goes."""

    name = forms.CharField(
        label=_("account name"), max_length=150, validators=[User.username_validator],
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip
    field_order = ["name", "email", "roles"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].required = True
