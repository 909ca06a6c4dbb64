"""What is announced of a decision about a season where nobody writes something else (LG-11)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from league.rounds.models import Season, SeasonAct
from league.standings.seasons import Words

What = SeasonAct.What
LANGUAGES = ("cs", "en")


def headlines(season: Season, what: str) -> tuple[str, str]:
    """In Czech and in English."""
    found = []
    for language in LANGUAGES:
        with override(language):
            name = season.name if language == "cs" else _("Season %(year)s") % {"year": season.year}
            found.append(_headline(what) % {"season": name})
    return found[0][:100], found[1][:100]


def filled(words: Words, what: str, day: date, until: date | None, winners: Sequence[str]) -> Words:
    """With a text in each language, where there is none in either."""
    if words.text_cs or words.text_en:
        return words
    texts = []
    for language in LANGUAGES:
        with override(language):
            texts.append(_text(what, day, until, winners))
    return words._replace(text_cs=texts[0], text_en=texts[1])


def _headline(what: str) -> str:
    match what:
        case What.INTERRUPT:
            return _("%(season)s is interrupted")
        case What.RESUME:
            return _("%(season)s goes on")
        case What.SHORTEN:
            return _("%(season)s ends earlier")
        case What.EXTEND:
            return _("%(season)s is extended")
        case _:
            return _("%(season)s has ended")


def _text(what: str, day: date, until: date | None, winners: Sequence[str]) -> str:
    when = {"day": date_format(day, "DATE_FORMAT"), "until": date_format(until, "DATE_FORMAT") if until else ""}
    match what:
        case What.INTERRUPT if until:
            return _("No rounds are played from %(day)s to %(until)s.") % when
        case What.INTERRUPT:
            return _("No rounds are played from %(day)s until further notice.") % when
        case What.RESUME:
            return _("Rounds are played again from %(day)s on.") % when
        case What.SHORTEN | What.EXTEND:
            return _("Its last day is %(day)s.") % when
    if not winners:
        return _("It ended on %(day)s.") % when
    won = ngettext(
        "It ended on %(day)s. The winner: %(who)s.", "It ended on %(day)s. Joint winners: %(who)s.", len(winners)
    )
    # with the season the league of this year is over, and numbers stand alone (LG-12): nothing to take back later
    return won % (when | {"who": ", ".join(winners)})
