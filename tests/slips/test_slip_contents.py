"""Slips: what is printed for people to take along, in both languages, on rolls of every width."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.i18n import Translator
from appliance.slips.contents import (
    DealtIn,
    Occasion,
    Printing,
    Seat,
    deposit_receipt,
    move_slip,
    payout_slip,
    sample_slip,
    seat_code,
    seat_slip,
)
from appliance.slips.layout import CutRow, QrRow, TextRow, as_text, clean, lay_out, wrap
from appliance.slips.slip import Pair, Slip, Text

GOLDEN = Path(__file__).parent / "golden"
AT = dt.datetime(2026, 11, 27, 19, 41, tzinfo=dt.UTC)
RECORD = "0193a5c1-7f3e-7abc-8def-0123456789ab"
WHO = Occasion("r-2026-07", "7. ligové kolo", "Herna U Tří es, Brno", "CPL-004217", AT, "Bartoloměj Příšerně-Žluťoučký")


def every_slip(lang: str, who: Occasion = WHO) -> dict[str, Slip]:
    how = Printing(Translator(lang))
    return {
        "seat": seat_slip(who, Seat(12, 10), how),
        "deposit": deposit_receipt(who, 500, 20_000, how, commissioner="CPL-000003", record=RECORD),
        "move": move_slip(who, Seat(2, 7), Seat(12, 10), DealtIn.AFTER_BUTTON, how),
        "payout": payout_slip(who, 1, 12_500, how, commissioner="CPL-000003", record=RECORD),
        "test": sample_slip(how, AT, "door"),
    }


@pytest.mark.parametrize("columns", [32, 42, 48])
@pytest.mark.parametrize("lang", ["cs", "en"])
@pytest.mark.parametrize("kind", ["seat", "deposit", "move", "payout", "test"])
def test_slip_reads_as_agreed(kind: str, lang: str, columns: int) -> None:
    """The files in ``golden`` were read by people; a change of them is a change of what guests get."""
    text = as_text(every_slip(lang)[kind], columns)
    assert text == (GOLDEN / f"{kind}.{lang}.{columns}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [16, 32, 42, 48])
@pytest.mark.parametrize("lang", ["cs", "en"])
def test_no_row_is_wider_than_the_paper(lang: str, columns: int) -> None:
    for slip in every_slip(lang).values():
        for row in lay_out(slip.as_copy(), columns):
            if isinstance(row, TextRow):
                assert len(row.text) * row.size <= columns, row


def test_seat_slip_carries_round_table_seat_and_participant_in_its_code() -> None:
    rows = lay_out(every_slip("cs")["seat"], 32)
    assert [row.data for row in rows if isinstance(row, QrRow)] == ["ts:1:r-2026-07:12:10:CPL-004217"]
    assert seat_code(WHO, Seat(1, 2)) == "ts:1:r-2026-07:1:2:CPL-004217"


def test_seat_is_the_largest_thing_on_its_slip() -> None:
    rows = [row for row in lay_out(every_slip("en")["seat"], 32) if isinstance(row, TextRow)]
    assert max(rows, key=lambda row: row.size).text == "Seat 10"


@pytest.mark.parametrize(("chips", "said"), [(1, "1 žeton"), (3, "3 žetony"), (20_000, "20 000 žetonů")])
def test_T_4_receipt_counts_the_chips_lent_in_czech_plurals(chips: int, said: str) -> None:
    slip = deposit_receipt(WHO, 500, chips, Printing(Translator("cs")), commissioner="K", record="R")
    assert f"{said}\n" in as_text(slip, 48)


def test_T_3_receipt_of_a_top_up_tells_the_sum_too() -> None:
    how = Printing(Translator("cs"))
    first = deposit_receipt(WHO, 100, 4000, how, commissioner="K", record="R", total=100)
    later = deposit_receipt(WHO, 200, 8000, how, commissioner="K", record="R", total=300)
    assert "Vklady v tomto kole" not in as_text(first, 48)
    assert "300 Kč" in as_text(later, 48)


@pytest.mark.parametrize("kind", ["deposit", "payout"])
def test_money_slips_can_be_traced(kind: str) -> None:
    rows = " ".join(as_text(every_slip("en")[kind], 48).split())
    for what in (RECORD, "CPL-000003", "CPL-004217", "Herna U Tří es, Brno", "7. ligové kolo"):
        assert what in rows


@pytest.mark.parametrize("dealt_in", list(DealtIn))
def test_S_5_move_slip_says_when_the_player_is_dealt_in(dealt_in: DealtIn) -> None:
    how = Printing(Translator("en"))
    text = as_text(move_slip(WHO, Seat(1, 1), Seat(2, 2), dealt_in, how), 48)
    others = [as_text(move_slip(WHO, Seat(1, 1), Seat(2, 2), other, how), 48) for other in DealtIn if other != dealt_in]
    assert text not in others


def test_time_is_the_venues_across_the_change_of_summer_time() -> None:
    how = Printing(Translator("cs"))
    summer, winter = dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC), dt.datetime(2026, 10, 25, 1, 30, tzinfo=dt.UTC)
    assert how.moment(summer).endswith(" 2:30")
    assert how.moment(winter).endswith(" 2:30")
    assert how.moment(AT).replace("\u00a0", " ") == "27. 11. 2026 20:41"
    with pytest.raises(ValueError, match="zone"):
        how.moment(dt.datetime(2026, 1, 1))  # noqa: DTZ001  the very fault


def test_slip_without_a_name_carries_the_number() -> None:
    nameless = Occasion("r", "Kolo", "Brno", "CPL-004217", AT)
    assert "CPL-004217" in as_text(seat_slip(nameless, Seat(1, 1), Printing(Translator("cs"))), 32)


def test_copy_says_so_first_and_is_the_same_otherwise() -> None:
    slip = every_slip("cs")["seat"]
    first, *rest = as_text(slip.as_copy(), 32).splitlines()
    assert first.strip() == "KOPIE"
    assert "\n".join(rest) + "\n" == as_text(slip, 32)


def test_large_text_becomes_smaller_before_a_word_is_broken() -> None:
    rows = lay_out(Slip("x", (Text("Žluťoučký-kůň", size=4),), ""), 32)
    assert [(row.text, row.size) for row in rows if isinstance(row, TextRow)] == [("Žluťoučký-", 3), ("kůň", 3)]


def test_label_and_value_too_long_for_a_row_stand_on_two() -> None:
    rows = lay_out(Slip("x", (Pair("Herní komisař", "A" * 30),), ""), 32)
    assert [row.text for row in rows if isinstance(row, TextRow)] == ["Herní komisař", "A" * 30]


def test_amounts_and_dates_are_not_broken_in_two() -> None:
    assert wrap("celkem 12\u00a0500\u00a0Kč", 10) == ["celkem", "12 500 Kč"]


def test_no_row_ends_on_a_preposition_of_one_letter() -> None:
    assert wrap("nemají hodnotu a zůstávají v klubu", 16) == ["nemají hodnotu", "a zůstávají", "v klubu"]


def test_paper_narrower_than_a_slip_is_refused() -> None:
    with pytest.raises(ValueError, match="16"):
        lay_out(every_slip("cs")["seat"], 15)


@given(st.text(max_size=400))
def test_no_control_character_is_ever_left_in_a_row(text: str) -> None:
    assert clean(text).replace("\u00a0", " ").isprintable()
    assert clean(clean(text)) == clean(text)


@given(st.text(max_size=80), st.integers(1, 60))
def test_wrapping_loses_no_letter_and_keeps_the_width(text: str, width: int) -> None:
    rows = wrap(clean(text), width)
    assert all(len(row) <= width for row in rows)
    assert "".join("".join(rows).split()) == "".join(clean(text).split())


@given(st.text(max_size=60))
def test_any_name_leaves_the_slip_whole(name: str) -> None:
    who = Occasion("r", name, name, name, AT, name)
    for slip in every_slip("cs", who).values():
        rows = lay_out(slip, 32)
        assert isinstance(rows[-1], CutRow)
        assert sum(isinstance(row, CutRow) for row in rows) == 1
