"""Every prompt has its words in both languages, at the door and at a table."""

from __future__ import annotations

import datetime as dt

import pytest
from msgspec.structs import replace

from appliance.display import prompt as p
from appliance.display.canvas import Canvas
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.messages import message
from appliance.display.ops import DrawList, Text
from appliance.display.theme import DARK
from appliance.display.view import DoorView, PlanTable, PromptView, TableView
from appliance.i18n import LANGUAGES, Translator


def said(ops: DrawList) -> str:
    return " ".join(op.text for op in ops if isinstance(op, Text))


def test_there_is_a_sample_of_every_prompt(prompts: tuple[PromptView, ...]) -> None:
    assert {type(view.prompt) for view in prompts} == set(p.Prompt.__args__)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_prompt_is_drawn_at_the_door_and_at_a_table(
    prompts: tuple[PromptView, ...], evening: TableView, fonts: FontBook, lang: str
) -> None:
    tr = Translator(lang)
    for view in prompts:
        title = message(view, tr).title.split()
        door = said(draw_list(DoorView(board=evening.board, prompt=view), (1280, 720), tr, fonts))
        table = said(draw_list(replace(evening, prompt=view), (1280, 720), tr, fonts))
        words = [word.strip(",") for word in title]
        assert all(word.lower() in door.lower() for word in words), (view.prompt, door)
        assert all(word.lower() in table.lower() for word in words), (view.prompt, table)


def test_the_languages_say_different_things(prompts: tuple[PromptView, ...]) -> None:
    for view in prompts:
        czech, english = message(view, Translator("cs")), message(view, Translator("en"))
        assert (czech.title, czech.lines) != (english.title, english.lines)
        assert (czech.icon, czech.tone) == (english.icon, english.tone)


def test_a_prompt_at_a_table_never_hides_the_time(
    prompts: tuple[PromptView, ...], evening: TableView, fonts: FontBook
) -> None:
    def time(view: TableView) -> list[Text]:
        ops = [op for op in draw_list(view, (1280, 720), Translator("cs"), fonts) if isinstance(op, Text)]
        return [op for op in ops if op.size == max(op.size for op in ops)]

    for view in prompts:
        assert time(replace(evening, prompt=view)) == time(evening)


def test_the_identity_check_names_person_deposit_and_chips() -> None:
    view = PromptView(prompt=p.CheckIdentity("000101", 375), who="Kateřina Š.", chips=15_000)
    found = message(view, Translator("cs"))
    assert found.title == "Kateřina Š."
    assert found.figure == "Vklad 375\u00a0Kč"
    assert found.lines[0] == "15\u00a0000 žetonů"
    assert "komisař" in found.lines[1]


@pytest.mark.parametrize(
    ("lang", "title", "line"),
    [
        ("cs", "Registrace ještě nezačala", "Začínáme v 19:00"),
        ("en", "Registration has not opened yet", "We start at 19:00"),
    ],
)
def test_a_tap_too_early_is_no_refusal(lang: str, title: str, line: str) -> None:
    start = dt.datetime(2027, 1, 15, 19, 0, tzinfo=dt.UTC)
    view = PromptView(prompt=p.WrongEvening(1), next_round_at=start, next_round_today=True)
    found = message(view, Translator(lang))
    assert (found.tone, found.title, found.lines) == ("wait", title, (line,))
    other = message(replace(view, next_round_today=False), Translator(lang))
    assert (other.tone, other.icon) == ("plain", "day")
    assert "15" in other.title
    assert other.lines[0] == line


def test_only_a_place_with_a_prize_is_cheered() -> None:
    won = message(PromptView(prompt=p.YourResult("000101", 3, 300), who="Jan N."), Translator("cs"))
    last = message(PromptView(prompt=p.YourResult("000101", 18, 0), who="Jan N."), Translator("cs"))
    assert (won.icon, won.tone, won.figure) == ("check", "good", "Výhra 300\u00a0Kč")
    assert (last.icon, last.tone, last.lines) == ("flag", "plain", ("Jan N.",))


def test_an_answer_on_one_disk_says_so() -> None:
    view = PromptView(prompt=p.Registered("000101", 100, 4000, one_copy=True), who="000101")
    assert message(view, Translator("cs")).small.startswith("Jen jedna kopie")
    assert message(replace(view, prompt=p.Registered("000101", 100, 4000)), Translator("cs")).small == ""


def test_a_seat_is_shown_on_the_plan_of_the_room(evening: TableView, fonts: FontBook) -> None:
    plan = tuple(PlanTable(number=n, seats=9, taken=(1, 2)) for n in (1, 2, 3))
    view = PromptView(prompt=p.YourSeat("000101", 2, 7), who="Kateřina Š.", plan=plan)
    ops = draw_list(DoorView(board=evening.board, prompt=view), (1280, 720), Translator("cs"), fonts)
    written = [op.text for op in ops if isinstance(op, Text)]
    assert written.count("7") == 2, "beside its word, and on its chair"
    assert {"Stůl", "Místo", "1", "2", "3"} <= set(written)
    large = sorted((op for op in ops if isinstance(op, Text)), key=lambda op: op.size)[-2:]
    assert [op.text for op in large] == ["2", "7"], "the largest on the screen"


def test_a_reader_that_is_gone_does_not_invite(evening: TableView, fonts: FontBook) -> None:
    status = replace(evening.board.status, reader=False)
    view = DoorView(board=replace(evening.board, status=status))
    words = said(draw_list(view, (1280, 720), Translator("cs"), fonts))
    assert "Čtečka nepracuje" in words
    assert "Přiložte" not in words
    drawn = {type(op).__name__ for op in draw_list(view, (1280, 720), Translator("cs"), fonts)}
    assert "Stroke" in drawn, "a sign, not an empty hole"


def test_no_line_ends_on_a_preposition_of_one_letter(fonts: FontBook) -> None:
    c = Canvas((1280, 720), Translator("cs"), DARK, fonts)
    for width in range(40, 600, 10):
        lines = c.lines("Průkaz k ověření a s ním v ruce", width, 40, True)
        assert not any(line.split()[-1] in "kasv" for line in lines), lines


def test_a_pin_that_is_asked_for_says_how_long_it_is_and_suggests_no_other_length() -> None:
    said = message(PromptView(prompt=p.EnterPin("000900"), who="Jana K."), Translator("cs"))
    assert said.lines == ("PIN komisaře (6 až 12 číslic), potom Enter",)
    assert said.figure == "–"


def test_LG_4_a_pin_behind_which_somebody_waits_says_whom_it_confirms() -> None:
    view = PromptView(prompt=p.EnterPin("000900", confirms="000101"), who="Jana K.", confirms="Petr N.")
    assert message(view, Translator("cs")).lines[0] == "Potvrzuje registraci: Petr N."
    raised = replace(view, prompt=p.EnterPin("000900", confirms="000101", amount=100))
    assert message(raised, Translator("cs")).lines[0] == "Potvrzuje zvýšení vkladu o 100\u00a0Kč: Petr N."


def test_a_pin_that_is_touched_is_ended_by_the_key_that_is_there() -> None:
    said = message(PromptView(prompt=p.EnterPin("000900"), pin_keys=True), Translator("cs"))
    assert said.lines == ("PIN komisaře (6 až 12 číslic), potom ✓",)


@pytest.mark.parametrize("size", [(1280, 720), (800, 480), (1080, 1920)])
def test_the_keys_of_a_pin_leave_the_time_and_the_blinds_in_sight(
    evening: TableView, fonts: FontBook, size: tuple[int, int]
) -> None:
    asked = PromptView(prompt=p.EnterPin("000900"), who="Jana K.", pin_keys=True)
    for view in (replace(evening, prompt=asked), DoorView(board=evening.board, prompt=asked)):
        ops = [op for op in draw_list(view, size, Translator("cs"), fonts) if isinstance(op, Text)]
        largest = max(op.size for op in ops)
        assert "".join(op.text for op in ops if op.size == largest) == "12:34"
        assert "200\u00a0/\u00a0400" in [op.text for op in ops]
