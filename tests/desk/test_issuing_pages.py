"""Cards of pages on the desk: signed, wiped, torn away anywhere, and copies that are not issued."""

from __future__ import annotations

import pytest

from appliance.cards import layout, record
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.ndef import message_of
from appliance.desk import simulated
from appliance.desk.desk import Refused
from tests.desk.conftest import UID, Bench

MOST_APDUS = 120
TORN = [pytest.param(False, id="before-the-card-got-it"), pytest.param(True, id="before-its-answer-came-back")]


def test_a_signed_card_of_pages_is_issued_and_wiped(bench: Bench, pages_card: EmulatedNtag21x) -> None:
    done = bench.issue(pages_card)
    assert (done.card.kind, done.card.key_version) == ("ntag21x", 0)
    found = layout.record_in_message(message_of(pages_card.area))
    assert found is not None and record.verify(found, bench.keys.signing.public_key(), UID.hex().upper())
    assert bench.issue(pages_card).already
    bench.wipe(pages_card)
    assert pages_card.area == EmulatedNtag21x(Model.NTAG213, UID, simulated.MAKER).area


@pytest.mark.parametrize("done", TORN)
def test_a_card_of_pages_torn_away_anywhere_is_issued_by_doing_it_again(bench: Bench, done: bool) -> None:
    undisturbed = EmulatedNtag21x(Model.NTAG213, UID, simulated.MAKER)
    new = undisturbed.area
    bench.issue(undisturbed)
    for after in range(MOST_APDUS):
        bench.path.unlink(missing_ok=True)
        card = EmulatedNtag21x(Model.NTAG213, UID, simulated.MAKER)
        if not bench.torn(card, after, done, bench.issue):
            break
        bench.issue(card)
        assert card.area == undisturbed.area
        bench.torn(card, after, done, bench.wipe)
        bench.wipe(card)
        assert card.area == new
    assert 30 < after < MOST_APDUS - 1


def test_a_copied_card_of_pages_is_not_issued(bench: Bench) -> None:
    with pytest.raises(Refused) as refused:
        bench.issue(EmulatedNtag21x(Model.NTAG213, UID))
    assert refused.value.code == "not-original"
