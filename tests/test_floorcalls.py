"""Calls for the floor: one a table, over when they are taken back, answered or forgotten (CK-4)."""

from types import SimpleNamespace

from appliance.floorcalls import LASTS_MS, answered, ended, of_table, open_calls, pressed
from appliance.game.state import Phase
from appliance.kinds import KINDS, CardRefused, FloorCall, decode_note
from appliance.record import Record

AT = 1_800_000_000_000
CALL = FloorCall(device="table-1", table=1, about="floor", open=True, at=AT)
TIME = FloorCall(device="table-1", table=1, about="time", open=True, at=AT)


def folded(*notes):
    kind, state = KINDS["venue"], {}
    for seq, note in enumerate(notes, 1):
        [(name, raw)] = kind.decide(state, note, AT, "id")
        assert decode_note(raw) == note
        state = kind.fold(state, Record("venue/brno", "1-0", seq, "id", AT, name, raw))
    return state


def test_each_table_has_its_own_call_and_the_longest_wait_comes_first():
    other = FloorCall(device="table-2", table=2, about="time", open=True, at=AT - 5)
    notes = folded(CALL, CardRefused(device="door", reason="unknown"), other)
    assert open_calls(notes, AT) == (other, CALL)
    assert of_table(open_calls(notes, AT), 1) == CALL
    assert open_calls(folded(CALL, other, ended(CALL, AT + 1)), AT + 2) == (other,)
    assert open_calls(notes, AT + LASTS_MS - 1) == (CALL,) and open_calls(notes, AT + LASTS_MS) == ()


def test_pressed_again_or_held_a_call_is_taken_back():
    assert pressed(None, "floor", False, "table-1", 1, AT) == CALL
    assert pressed(CALL, "floor", False, "table-1", 1, AT + 9) == ended(CALL, AT + 9)
    assert pressed(CALL, "time", True, "table-1", 1, AT + 9) == ended(CALL, AT + 9)
    assert pressed(CALL, "time", False, "table-1", 1, AT) == TIME, "the other wish takes its place"
    assert pressed(None, "floor", True, "table-1", 1, AT) is None, "nothing to take back"


def test_CK_4_a_wish_for_time_is_over_once_the_floor_has_started_it():
    table = SimpleNamespace(time_call=object())
    round = SimpleNamespace(phase=Phase.RUNNING, tables={1: table})
    assert answered(TIME, round) and not answered(CALL, round) and not answered(None, round)
    table.time_call = None
    assert not answered(TIME, round)
