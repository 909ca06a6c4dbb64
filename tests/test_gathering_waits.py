"""How long a takeover waits for the copies of others."""

from __future__ import annotations

from appliance.gathering import EXPECT_S, FETCH_S, GATHER_S, HEAR_S, Gathering

ALL = ("door", "table-1", "table-2")


def test_once_all_have_answered_nothing_is_waited_for() -> None:
    asking = Gathering(ALL, 100.0, ALL)
    for device in ALL:
        assert not asking.over(100.1, fetching=False)
        asking.hello(device, 100.1)
    assert asking.over(100.1, fetching=False) and asking.unheard == ()


def test_spare_devices_that_are_off_are_not_waited_for_longer_than_a_moment() -> None:
    asking = Gathering((*ALL, "spare"), 100.0, ALL)
    for device in ALL:
        asking.hello(device, 100.2)
    assert not asking.over(100.2 + HEAR_S - 0.1, fetching=False)
    assert asking.over(100.2 + HEAR_S, fetching=False) and asking.unheard == ()


def test_a_device_that_was_there_a_moment_before_is_waited_for_and_then_named() -> None:
    asking = Gathering(ALL, 100.0, ("table-2", "door", "the old director"))
    asking.hello("door", 100.1)
    assert not asking.over(100.0 + EXPECT_S - 0.1, fetching=False)
    assert asking.over(100.0 + EXPECT_S, fetching=False)
    assert asking.unheard == ("table-2",)


def test_where_nobody_answers_or_is_known_to_be_there_it_is_over_after_a_while() -> None:
    asking = Gathering(ALL, 100.0)
    assert not asking.over(100.0 + GATHER_S - 0.1, fetching=False)
    assert asking.over(100.0 + GATHER_S, fetching=False) and asking.unheard == ()


def test_what_somebody_has_named_and_is_on_its_way_is_waited_for_but_not_for_ever() -> None:
    asking = Gathering(ALL, 100.0)
    for device in ALL:
        asking.hello(device, 100.1)
    assert not asking.over(100.0 + FETCH_S - 0.1, fetching=True)
    assert asking.until(fetching=True) == 100.0 + FETCH_S
    assert asking.over(100.0 + FETCH_S, fetching=True)
