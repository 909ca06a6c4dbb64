"""What the league publishes, as it tells its venues: announcements, price list, rules and game plan (LG-9, LG-12).

Each is told whole, and with what is still to come: a venue that is cut off goes by the calendar.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct

from appliance.game.league_event import RosterEvent
from appliance.game.values import Moment
from appliance.plaintext import is_blank, plain

EditionKind = Literal["rules", "plan", "prices"]
"""``plan``: the game plan (*herní plán*)."""

Version = Annotated[int, Meta(ge=1, le=32_767)]
ContentHash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]

MOST_WORDS = 12
"""So many announcements fit into a record, and nobody reads more."""

MOST_EDITIONS = 6
MOST_PRICES = 30

ACCEPTED: tuple[EditionKind, ...] = ("rules", "plan")
"""What somebody accepts who registers into a round."""


class Word(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An announcement, from ``since`` on (UTC ms) and until ``until``; without English the Czech is for both."""

    since: Moment
    title_cs: Annotated[str, Meta(max_length=100)]
    title_en: Annotated[str, Meta(max_length=100)] = ""
    text_cs: Annotated[str, Meta(max_length=1000)] = ""
    text_en: Annotated[str, Meta(max_length=1000)] = ""
    until: Moment | None = None

    def stands(self, at_ms: int) -> bool:
        """Whether it is to be read at a moment (UTC ms)."""
        return self.since <= at_ms and (self.until is None or at_ms < self.until)

    def said(self, lang: str) -> str:
        """The headline and the text, as a screen shows them."""
        title, text = _either(lang, self.title_cs, self.title_en), _either(lang, self.text_cs, self.text_en)
        return f"{title}: {text}" if title and text else title or text


class Announcements(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """All that the league announces at this venue, now or later, the latest first."""

    words: Annotated[tuple[Word, ...], Meta(max_length=MOST_WORDS)] = ()


class PriceLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the price list, whole CZK."""

    crowns: Annotated[int, Meta(ge=0, le=1_000_000)]
    cs: Annotated[str, Meta(max_length=60)]
    en: Annotated[str, Meta(max_length=60)] = ""

    def said(self, lang: str) -> str:
        """What is paid for."""
        return _either(lang, self.cs, self.en)


class Edition(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A version of the rules, the game plan or the price list that holds from ``since`` on (UTC ms).

    ``cs`` and ``en`` are what screens show of it; the whole, whose ``hash`` this is, is on the league's pages.
    """

    kind: EditionKind
    version: Version
    since: Moment
    hash: ContentHash
    cs: Annotated[str, Meta(max_length=1000)] = ""
    en: Annotated[str, Meta(max_length=1000)] = ""
    prices: Annotated[tuple[PriceLine, ...], Meta(max_length=MOST_PRICES)] = ()

    def said(self, lang: str) -> str:
        """Its text for screens, the paragraphs on lines of their own."""
        text = self.en if lang == "en" and not is_blank(self.en) else self.cs
        return "\n".join(filter(None, (plain(line).strip() for line in text.splitlines())))


class Editions(RosterEvent, frozen=True, kw_only=True, omit_defaults=True):
    """The editions in force and those to come."""

    editions: Annotated[tuple[Edition, ...], Meta(max_length=MOST_EDITIONS)] = ()


class Accepted(Struct, frozen=True, gc=False):
    """The version of the rules or of the game plan that was in force when somebody registered (LG-12)."""

    kind: Annotated[str, Meta(pattern=r"\A[a-z-]{1,16}\Z")]
    version: Version
    hash: ContentHash


def in_force(editions: Iterable[Edition], kind: EditionKind, at_ms: int) -> Edition | None:
    """The edition of a kind that holds at a moment (UTC ms); of two from the same day the later one."""
    found = [edition for edition in editions if edition.kind == kind and edition.since <= at_ms]
    return max(found, key=lambda edition: (edition.since, edition.version), default=None)


def accepted_at(editions: Iterable[Edition], at_ms: int) -> tuple[Accepted, ...]:
    """What somebody accepts who registers at a moment (UTC ms)."""
    found = (in_force(editions, kind, at_ms) for kind in ACCEPTED)
    return tuple(Accepted(edition.kind, edition.version, edition.hash) for edition in found if edition is not None)


def _either(lang: str, cs: str, en: str) -> str:
    text = en if lang == "en" and not is_blank(en) else cs
    return "" if is_blank(text) else plain(text).strip()
