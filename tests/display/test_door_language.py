"""Who taps is spoken to in their own language; the screen around stays in the room's."""

from __future__ import annotations

import gettext
from typing import Literal

import pytest
from msgspec.structs import replace

from appliance.display import prompt as p
from appliance.display.canvas import Sections
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.ops import DrawList, Text
from appliance.display.view import DoorView, PlanTable, PromptView, TableView
from appliance.i18n import Translator

PLAN = (PlanTable(number=1, seats=9), PlanTable(number=2, seats=9))
PROMPT = PromptView(prompt=p.CheckIdentity("000101", 375), who="John S.", chips=15_000)
SEAT = PromptView(prompt=p.YourSeat("000101", 2, 7), who="John S.", plan=PLAN)


def said(ops: DrawList) -> str:
    return " ".join(op.text for op in ops if isinstance(op, Text))


@pytest.mark.parametrize(
    ("lang", "there", "gone"), [("en", "Deposit", "Vklad"), ("", "Vklad", "Deposit"), ("cs", "Vklad", "Deposit")]
)
def test_the_door_speaks_the_language_of_who_tapped(
    evening: TableView, fonts: FontBook, lang: Literal["", "cs", "en"], there: str, gone: str
) -> None:
    view = DoorView(board=evening.board, prompt=replace(PROMPT, lang=lang))
    words = said(draw_list(view, (1280, 720), Translator("cs"), fonts))
    assert there in words
    assert gone not in words


def test_the_seat_card_is_in_that_language_too(evening: TableView, fonts: FontBook) -> None:
    words = said(
        draw_list(DoorView(board=evening.board, prompt=replace(SEAT, lang="en")), (1280, 720), Translator("cs"), fonts)
    )
    assert "Seat" in words
    assert "Místo" not in words


def test_at_a_table_the_answer_alone_is_in_that_language(evening: TableView, fonts: FontBook) -> None:
    words = said(draw_list(replace(evening, prompt=replace(SEAT, lang="en")), (1280, 720), Translator("cs"), fonts))
    assert "Table 2, seat 7" in words
    assert "Úroveň 5" in words


def test_a_pin_is_asked_for_in_that_language(evening: TableView, fonts: FontBook) -> None:
    view = PromptView(prompt=p.EnterPin("000900"), who="Jana K.", pin_keys=True, lang="en")
    for screen in (DoorView(board=evening.board, prompt=view), replace(evening, prompt=view)):
        assert "then ✓" in said(draw_list(screen, (1280, 720), Translator("cs"), fonts))


def test_what_is_kept_of_one_language_is_not_shown_in_another(evening: TableView, fonts: FontBook) -> None:
    sections = Sections()
    for lang in ("cs", "en", "cs"):
        view = DoorView(board=evening.board, prompt=PROMPT)
        kept = draw_list(view, (1280, 720), Translator(lang), fonts, sections=sections)
        assert kept == draw_list(view, (1280, 720), Translator(lang), fonts)


def test_a_language_is_loaded_once_and_not_for_every_frame(
    evening: TableView, fonts: FontBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    screens, view = Translator("cs"), DoorView(board=evening.board, prompt=replace(PROMPT, lang="en"))
    draw_list(view, (1280, 720), screens, fonts)
    monkeypatch.setattr(gettext, "translation", lambda *_: pytest.fail("loaded again"))
    draw_list(view, (1280, 720), screens, fonts)
