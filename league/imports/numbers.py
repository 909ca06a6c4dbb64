"""Registration numbers in files: spreadsheets take the zeros from their fronts, ``000002`` comes back as ``2``."""

from __future__ import annotations

from collections import defaultdict

from django.utils.translation import gettext_lazy as _

from league.people.models import Participant

DIGITS = 6
SEVERAL = _("Several participants have this number, with and without zeros in front: write it in full.")


class Numbers:
    """The numbers that are there, once for a whole file."""

    def __init__(self) -> None:
        self._known: defaultdict[int, set[str]] = defaultdict(set)
        for number in Participant.objects.values_list("number", flat=True):
            self.add(number)

    def add(self, number: str) -> None:
        """One more is there."""
        self._known[int(number)].add(number)

    def __contains__(self, number: str) -> bool:
        return number.isascii() and number.isdigit() and number in self._known.get(int(number), ())

    def meant(self, text: str) -> str:
        """The number that is there and is the same whole number; a new one is of six digits at least.

        What is no number stays as it is. Raises ValueError where several are meant.
        """
        if not (text.isascii() and text.isdigit()):
            return text
        same = self._known.get(int(text), set())
        if text in same:
            return text
        if len(same) > 1:
            raise ValueError(text)
        return next(iter(same), text.zfill(DIGITS))
