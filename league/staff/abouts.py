"""What entries of the audit log are about, in the reader's language.

They are kept in English, with names and numbers in them: as a text, ``text: name``, or one of the sentences below. They
are looked for in the reader's language, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.db.models import Q
from django.utils.translation import get_language, gettext, trans_real
from django.utils.translation import gettext_noop as _

from league.privacy.marks import fold

TEXTS = (
    _("own page"), _("own page opened by a link"), _("new address to be confirmed"), _("everything as JSON"),
    _("list of participants"), _("participant"), _("registered"), _("refused"), _("cancelled"), _("reopened"),
    _("erased"), _("correction"), _("corrected"), _("corrections"), _("consent given"), _("consent withdrawn"),
    _("role"), _("exclusions from the league"), _("excluded from the league"), _("exclusion lifted"),
    _("void participations"),
)  # fmt: skip
"""Those that stand in the code of other parts as mere words."""

_SENTENCES = (
    _("round %(round)s: void participation previewed"),
    _("round %(round)s: participation %(done)s"),
    _("season %(season)s: points key %(done)s"),
    _("season %(season)s: %(what)s"),
    _("season %(season)s"),
    _("announcement %(number)s withdrawn"),
    _("announcement %(number)s"),
    _("draft of %(kind)s begun"),
    _("draft of %(kind)s"),
    _("publish: %(kind)s %(number)s"),
    _("withdraw: %(kind)s %(number)s"),
    _("discard: %(kind)s %(number)s"),
    _("consent text %(kind)s %(version)s"),
    _("retention %(subject)s: %(before)s -> %(days)s days"),
    _("retention: %(subject)s, %(days)s days: %(count)s rows"),
)

_WORDS = {
    "declared void": _("declared void"), "valid again": _("valid again"), "corrected": _("corrected"),
    "withdrawn": _("correction withdrawn"), "winners": _("winners"),
    "correction of the points key previewed": _("correction of the points key previewed"),
    "interrupt": _("interrupted"), "resume": _("taken up again"), "shorten": _("shortened"), "extend": _("extended"),
    "end": _("ended"), "rules": _("rules"), "plan": _("game plan"), "prices": _("price list"), "draft": _("draft"),
    "processing": _("processing of data"), "publication": _("publication of name and results"),
    "marketing": _("marketing"), "media": _("photos and video"), "cancelled": _("cancelled"), "refused": _("refused"),
    "rectification": _("corrections"), "consent": _("consents"), "letter": _("letters"), "audit": _("audit log"),
    "refused-card": _("refused cards"),
}  # fmt: skip


def _reading(sentence: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"%\\\((\w+)\\\)s", r"(?P<\1>.+?)", re.escape(sentence)))


_READ = [(sentence, _reading(sentence)) for sentence in _SENTENCES]


def about_text(about: str) -> str:
    """What an entry is about; names and what nobody foresaw stay as they are."""
    for sentence, reading in _READ:
        if (found := reading.fullmatch(about)) is not None:
            words = {
                name: gettext(_WORDS[text]) if text in _WORDS else text for name, text in found.groupdict().items()
            }
            return gettext(sentence) % words
    text, colon, name = about.partition(": ")
    return gettext(text) + colon + name if text else about


_LONGEST = 80
_MOST = 200


def reads(words: str) -> Q:
    """Entries that are about what has these words in it, as they are kept or as `about_text` tells them."""
    found, wanted = Q(about__icontains=words), fold(words)
    if not wanted:
        return found
    texts = sorted(text for text, told in _told_texts() if wanted in fold(told))[:_MOST]
    found |= Q(about__in=texts)
    for text in texts:
        found |= Q(about__startswith=f"{text}: ")
    for pattern in dict.fromkeys(pattern for pattern, told in _told_sentences() if wanted in fold(told)):
        found |= Q(about__regex=pattern)
    return found


def _told_texts() -> Iterator[tuple[str, str]]:
    """The texts that entries may be about, among all that are translated, with what they are told as."""
    for text, told in vars(trans_real.translation(get_language() or "cs"))["_catalog"].items():
        if isinstance(text, str) and text[:1].islower() and len(text) <= _LONGEST and "%" not in text:
            yield text, told


def _told_sentences() -> Iterator[tuple[str, str]]:
    """The sentences as patterns, with what they are told as: one word in them put in, of those that we have."""
    for sentence in _SENTENCES:
        for name in re.findall(r"%\((\w+)\)s", sentence):
            for word, text in (*_WORDS.items(), ("", "")):
                place = f"%({name})s"
                kept = sentence.replace(place, word or place)
                pattern = re.sub(r"%\\\(\w+\\\)s", ".+", re.escape(kept))
                told = re.sub(r"%\(\w+\)s", " ", gettext(sentence).replace(place, gettext(text) if text else " "))
                yield f"^{pattern}$", told
