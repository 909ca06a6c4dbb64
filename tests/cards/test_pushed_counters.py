"""What a copy may do to the counter of the card that it copies, and an earlier issue of a chip to the later one."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.cards.counters import Counters
from appliance.cards.reading import Ntag424Read
from appliance.cards.verdict import Accepted, Refusal, Refused, Tier, verdict
from appliance.game.roster import CardPolicy
from tests.cards.issued import LEAGUE, PLAYER, UID, Apdus, ask, judge, keys, roster, text


@pytest.mark.parametrize("counter", [0xFFFFFE, 0xFFFFFF])
def test_LG_6_a_card_that_proves_its_key_is_genuine_whatever_a_copy_did_to_its_counter(
    tmp_path: Path, counter: int
) -> None:
    """A copy of number and record may say any counter; without the key nobody can tell the two apart."""
    copy = Ntag424Read(text(UID), None, counter, LEAGUE.record())
    with Counters(tmp_path / "counters") as counters:
        assert isinstance(judge(copy), Accepted)
        assert counters.rise(text(UID), counter, 7)
        highest = counters.highest(text(UID), 7)
        card = LEAGUE.ntag424()
        found = judge(ask(Apdus(card)), highest=highest)
        assert found == Refused(Refusal.COUNTER_BACK, text(UID), PLAYER)
        assert isinstance(found, Refused) and not found.hand_in, "it may be the real one"
        card.power_off()
        for reading in (ask(Apdus(card), known=keys()), Ntag424Read(text(UID), True, 3, LEAGUE.record())):
            proved = judge(reading, highest=highest)
            assert isinstance(proved, Accepted) and proved.tier is Tier.GENUINE
            assert proved.counter is None, "it is judged by its key alone"


def test_LG_6_a_record_of_an_earlier_issue_of_the_chip_counts_no_more(tmp_path: Path) -> None:
    with Counters(tmp_path / "counters") as counters:
        assert counters.rise(text(UID), 0, serial=8)
        old = Ntag424Read(text(UID), None, 0xFFFFFE, LEAGUE.record())
        assert judge(old, highest=counters.highest(text(UID), 7)) == Refused(Refusal.COUNTER_BACK, text(UID), PLAYER)
        assert not counters.rise(text(UID), 0xFFFFFF, serial=7)


def test_LG_6_what_no_signature_vouches_for_leaves_no_counter() -> None:
    """Where a number is enough, a serial number and a counter are anybody's word."""
    unheard = verdict(Ntag424Read(text(UID), None, 9, LEAGUE.record()), roster("uid"), None, CardPolicy(least="uid"))
    assert isinstance(unheard, Accepted) and (unheard.tier, unheard.counter) == (Tier.UID, None)
