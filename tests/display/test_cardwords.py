"""Every refused card is told its reason, in both languages."""

from __future__ import annotations

import pytest

from appliance.cards.outcome import MEANINGS, Refusal
from appliance.display.cardwords import card_words
from appliance.i18n import LANGUAGES, Translator


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("code", list(Refusal))
def test_LG_6_every_refused_card_is_told_why_and_whether_it_is_kept(code: Refusal, lang: str) -> None:
    words = card_words(code, Translator(lang))
    assert words.title and words.reason
    assert bool(words.hand_in) == MEANINGS[code].hand_in
    if lang == "cs":
        english = card_words(code, Translator("en"))
        assert (words.title, words.reason) != (english.title, english.reason)
        assert words.hand_in == ("Odevzdejte prosím průkaz hernímu komisaři." if words.hand_in else "")
