"""Prize shares as one types them: ``50 30 20``, ``50; 30; 20`` or ``33,34 33,33 33,33`` (T-5)."""

from __future__ import annotations

import re
from fractions import Fraction

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MOST = 90
_SHARE = re.compile(r"[0-9]{1,3}([.,][0-9]{1,6})?", re.ASCII)


def read_shares(text: str) -> list[str]:
    """The shares as the announcement has them. Raises `ValidationError`."""
    words = [word.rstrip(",") for word in re.split(r"[\s;/%]+", text) if word.strip(",")]
    if len(words) == 1 and words[0].count(",") > 1:
        words = words[0].split(",")
    wrong = [word for word in words if not _SHARE.fullmatch(word)]
    if wrong:
        raise ValidationError(
            _("“%(word)s” is no share: type numbers with spaces between them.") % {"word": wrong[0][:20]}
        )
    shares = [word.replace(",", ".") for word in words]
    if not 1 <= len(shares) <= MOST:
        raise ValidationError(_("1 to 90 places are paid."))
    if any(Fraction(share) == 0 for share in shares):
        raise ValidationError(_("A share is more than nothing."))
    total = sum(Fraction(share) for share in shares)
    if total != 100:
        said = f"{float(total):.6f}".rstrip("0").rstrip(".")
        raise ValidationError(_("Together the shares are 100 %%, not %(total)s %%.") % {"total": said})
    return shares


def shares_text(shares: list[str]) -> str:
    """Shares as one would type them."""
    return " ".join(shares)


def read_numbers(text: str, least: int = 1, most: int = 999) -> list[int]:
    """Numbers with spaces or commas between them, ranges among them: ``1-5 8``. Raises `ValidationError`."""
    numbers: list[int] = []
    for word in re.split(r"[\s;,]+", text.strip()):
        if not word:
            continue
        found = re.fullmatch(r"([0-9]{1,9})(?:[-–]([0-9]{1,9}))?", word, re.ASCII)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if not least <= first <= last <= most or last - first > 200:
            raise ValidationError(_("“%(word)s” is no number from %(least)d to %(most)d.") % {
                "word": word[:20], "least": least, "most": most,
            })  # fmt: skip
        numbers += range(first, last + 1)
    if len(set(numbers)) != len(numbers):
        raise ValidationError(_("A number is there twice."))
    return numbers
