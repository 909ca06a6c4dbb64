"""Catalogues are whole, and numbers, plurals and refusals are said as each language says them."""

from __future__ import annotations

import datetime as dt
import re
import string
from pathlib import Path

import pytest

import appliance.game
from appliance.i18n import LANGUAGES, Translator, duration
from appliance.locale import update

CZECH, ENGLISH = Translator("cs"), Translator("en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_of_the_sources_is_translated(lang: str) -> None:
    catalogue = update.load(lang)
    used = {message.id for message in update.template() if message.id}
    known = {message.id for message in catalogue if message.id}
    assert used - known == set(), "run python -m appliance.locale.update and translate"
    assert known - used == set(), "run python -m appliance.locale.update"
    assert update.untranslated(catalogue) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_compiled_catalogue_is_made_from_its_source(lang: str) -> None:
    assert update.path(lang, "mo").read_bytes() == update.compiled(update.load(lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_translation_fills_in_the_same_values(lang: str) -> None:
    for message in update.load(lang):
        sources = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        texts = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        for text in texts if message.id else ():
            assert _fields(text) <= set.union(*map(_fields, sources)), text
            assert _fields(text) >= set.intersection(*map(_fields, sources)), text


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize(
    ("n", "czech", "english"),
    [
        (0, "0 žetonů", "0 chips"),
        (1, "1 žeton", "1 chip"),
        (2, "2 žetony", "2 chips"),
        (4, "4 žetony", "4 chips"),
        (5, "5 žetonů", "5 chips"),
        (22, "22 žetonů", "22 chips"),
        (12_500, "12\u00a0500 žetonů", "12,500 chips"),
    ],
)
def test_plurals(n: int, czech: str, english: str) -> None:
    assert CZECH.ngettext("{n} chip", "{n} chips", n) == czech
    assert ENGLISH.ngettext("{n} chip", "{n} chips", n) == english


def test_numbers_have_the_separators_of_the_language() -> None:
    assert CZECH.number(2_500_000) == "2\u00a0500\u00a0000"
    assert ENGLISH.number(2_500_000) == "2,500,000"
    assert (CZECH.number(999), CZECH.number(-1234)) == ("999", "-1\u00a0234")
    assert (CZECH.decimal("97.5"), ENGLISH.decimal("1097.5")) == ("97,5", "1,097.5")
    assert (CZECH.decimal("50"), ENGLISH.decimal("50")) == ("50", "50")
    assert CZECH.crowns(3375) == "3\u00a0375\u00a0Kč"
    assert ENGLISH.crowns(3375) == "CZK\u00a03,375"


def test_places_times_and_days() -> None:
    assert [ENGLISH.place(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 90)] == (
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "90th"]
    )
    assert CZECH.place(2) == "2."
    moment = dt.datetime(2027, 1, 15, 9, 5)  # noqa: DTZ001 - only its digits are written
    assert CZECH.clock(moment) == ENGLISH.clock(moment) == "9:05"
    assert CZECH.date(moment) == "15.\u00a01."
    assert ENGLISH.date(moment) == "15\u00a0January"
    assert (CZECH.weekday(moment), ENGLISH.weekday(moment)) == ("v pátek", "on Friday")


@pytest.mark.parametrize(
    ("seconds", "text"), [(-3, "0:00"), (0, "0:00"), (5, "0:05"), (754, "12:34"), (3600, "1:00:00"), (3754, "1:02:34")]
)
def test_durations(seconds: int, text: str) -> None:
    assert duration(seconds) == text


def codes_of_the_rules() -> set[str]:
    folder = Path(appliance.game.__file__).parent
    sources = [file.read_text(encoding="utf-8") for file in folder.rglob("*.py")]
    return {code for source in sources for code in re.findall(r'Refusal\(\s*"([a-z-]+)"', source)}


def test_every_refusal_of_the_rules_has_a_sentence_in_both_languages() -> None:
    codes = codes_of_the_rules()
    assert {"deposit-limit", "registration-closed"} <= codes
    for code in codes:
        czech, english = CZECH.refusal(code), ENGLISH.refusal(code)
        assert code not in czech, code
        assert czech != english, code


CONTRACT_CODES = (
    "round-full", "too-few", "not-open", "already-registered", "identity-not-checked", "deposit-minimum",
    "deposit-limit", "not-registered", "not-in-play", "seat-taken", "no-such-seat", "no-such-table",
    "registration-closed", "reentry-not-allowed", "reentry-used", "bonus-card-used", "holding-cards",
    "deal-not-allowed", "waiting-for-tables", "too-many", "shares-sum", "deal-not-unanimous", "deal-sum",
    "not-running", "already-running", "finished", "nothing-to-undo", "stale", "already-announced", "nothing-to-redo",
    "under-age", "card-refused", "not-your-turn", "nothing-to-call", "cannot-check",
    "raise-too-small", "raise-not-reopened", "raise-capped", "not-enough-chips", "card-repeated", "hand-over",
    "bad-notation",
)  # fmt: skip


@pytest.mark.parametrize("code", CONTRACT_CODES)
def test_every_refusal_of_the_text_interface_has_a_sentence(code: str) -> None:
    assert f"({code})" not in CZECH.refusal(code) + ENGLISH.refusal(code)


def test_a_refusal_says_its_amounts_where_it_brings_them() -> None:
    assert "60\u00a0Kč" in CZECH.refusal("deposit-limit", {"limit": 500, "left": 60})
    assert "limit" in CZECH.refusal("deposit-limit", {"limit": 500, "left": None})
    assert "CZK\u00a050" in ENGLISH.refusal("deposit-minimum", {"minimum": 50})


def test_an_unknown_refusal_is_named() -> None:
    assert CZECH.refusal("moon-too-full") == "Teď to nejde (moon-too-full)."
    assert ENGLISH.refusal("x{y}") == "Not possible now (x{y})."
    assert len(ENGLISH.refusal("x" * 10_000)) < 100


def test_there_are_two_languages() -> None:
    with pytest.raises(ValueError, match="cs, en"):
        Translator("de")
    assert Translator("cs") == CZECH != ENGLISH


def test_H_4_a_raise_that_nobody_could_follow_is_refused_for_that_reason() -> None:
    why = {"reason": "nobody-has-chips-behind"}
    assert "chips behind" in ENGLISH.refusal("raise-not-reopened", why)
    assert "žetony" in CZECH.refusal("raise-not-reopened", why)
    assert "shown cards" in ENGLISH.refusal("raise-not-reopened", {"reason": "cards-shown"})
    for plain in ({}, {"faced": 50, "full_raise": 100}, {"reason": ["x"]}):
        assert ENGLISH.refusal("raise-not-reopened", plain) == "The betting was not reopened for this player."


@pytest.mark.parametrize("code", ["ruling-incomplete", "no-such-ruling", "fact-not-asked", "no-such-answer"])
def test_I_13_why_a_ruling_is_none_is_said_of_what_is_to_blame(code: str) -> None:
    for words in (CZECH, ENGLISH):
        assert code not in words.refusal(code)
    assert code == "no-such-ruling" or "acted" in ENGLISH.refusal(code, {"field": "acted", "reason": "acted: why"})
