"""How long a password must be, said in both languages: Django's own sentence is not in its Czech catalogue."""

from __future__ import annotations

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LongEnough(MinimumLengthValidator):
    """Django's, in words of ours."""

    def get_error_message(self) -> str:
        text = ngettext(
            "The password is too short: it must have at least %(count)d character.",
            "The password is too short: it must have at least %(count)d characters.",
            self.min_length,
        )
        return text % {"count": self.min_length}
