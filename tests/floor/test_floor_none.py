"""What is left open says what becomes of it, and is not a dash."""

from __future__ import annotations

from typing import cast

import pytest

from appliance.floor.catalogue_game import ROUND
from appliance.floor.forms import Here
from appliance.floor.said import say
from appliance.floor.telling import answer
from appliance.i18n import Translator


@pytest.mark.parametrize(("lang", "said"), [("cs", "vylosuje se"), ("en", "is drawn")])
def test_S_2_a_button_that_nobody_chooses_is_drawn(lang: str, said: str) -> None:
    (button,) = next(action for action in ROUND if action.id == "start").fields
    told = answer(cast("Here", None), button, None)
    assert say(told, Translator(lang)) == said
