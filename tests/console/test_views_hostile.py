"""Whatever is sent to a form is answered, and never with an error; what is typed stays text."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.console.views import render
from appliance.console.views.dealing import keys_in
from appliance.console.views.reading import read_number, read_time, unkept
from appliance.console.views.sight_pages import NOT_HERE
from appliance.floor.catalogue import ACTIONS
from tests.console.viewing import Desk, dealer, said
from tests.game.conftest import Evening, number

EVENING = Evening().seated([1, 2, 3, 4], [5, 6, 7], chip_set=[25, 100])
NAMES = sorted({field.name for action in ACTIONS for field in action.fields} | {
    "was", "stamp", "about", "back", "sure", "seen", "of", "reason.typed", "fact-x", "ruling", "decision", "keys",
    *(f"{field}:{number(n)}" for field in ("players", "stacks", "holdings", "amounts") for n in (1, 2, 99)), "stacks:",
    "minutes", "text", "session", "table", "amount",
})  # fmt: skip
OTHERS = ("keys", "call-floor", "call-ended", "announcement", "cut-off")
VALUES = st.one_of(
    st.text(max_size=12), st.sampled_from([
        "", "0", "1", "-1", "²", "1.9", "9.9", "1.", ".1", "1.²", "yes", "no", number(1), number(99), "said:0",
        '{"table": "²"}', '{"seat": "².1"}', '{"participant": 1, "seconds": "x"}', '{"stacks": [["x", 1]]}', "said:99",
        "said:²", "icm", "manual", "I-13", "sit-out", "{", "{}", "[]", '{"participant": 5}', "\0", "\ud800", "9" * 40,
        "table-1", "table-²", "accept", "set", "<b>", "1:2:3:4", ":", "::", "player/000001", "javascript:x",
    ]),
)  # fmt: skip


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    action=st.sampled_from([*(action.id for action in ACTIONS), *OTHERS]),
    answers=st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=8), send=st.booleans(), deals=st.booleans(),
)  # fmt: skip
def test_anything_that_is_sent_is_answered(action: str, answers: dict[str, str], send: bool, deals: bool) -> None:
    evening = Evening()
    evening.ledger, evening.at = EVENING.ledger, EVENING.at
    desk = Desk(evening, phone=dealer(1)) if deals else Desk(evening)
    html = asyncio.run(desk.form(action, send=send, **answers))
    assert isinstance(html, str) and html.encode(errors="replace")


@settings(max_examples=100, deadline=None)
@given(name=st.text(max_size=20), params=st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3))
def test_any_name_of_a_page_is_answered(name: str, params: dict[str, str]) -> None:
    render(name, Desk(EVENING).asked(**params))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 500", 1500), ("1,500", 1500), ("1\u00a0500", 1500), ("0012", 12), ("1,50", None), ("", None), ("²", None),
        ("1e3", None),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them_or_not_at_all(text: str, value: int | None) -> None:
    assert read_number(text) == value


@given(st.text(max_size=8))
def test_no_text_is_too_odd_for_a_number_or_a_time(text: str) -> None:
    assert read_number(text) is None or str(read_number(text)).isdigit()
    assert read_time(text) is None or (read_time(text) or 0) >= 0
    unkept(text)


def test_only_keys_are_pressed() -> None:
    assert keys_in("amount:400+25 raise") == "4 0 0 plus 2 5 raise"
    assert keys_in("drop-table seat-3 seat-x fold nonsense amount:²") == "seat-3 fold"


@pytest.mark.parametrize("lang", ["cs", "en"])
def test_what_no_phone_has_a_form_for_says_so(lang: Literal["cs", "en"]) -> None:
    desk = Desk(EVENING, lang=lang)
    assert all(
        "act main" in asyncio.run(desk.form(action)) and said(asyncio.run(desk.form(action))) for action in NOT_HERE
    )
