"""What one venue invents costs the others nothing: its messages are taken by the same process as theirs."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from appliance.link import envelope, topics
from appliance.link.envelope import Hello
from appliance.record import Head
from league.ingest.desk import LOOKED_AT, NAMED, Desk, Incoming

VENUE = "zabreh"
EPOCHS = ("1-00000000000000aa", "2-00000000000000aa")


def hello(*heads: Head) -> Incoming:
    return Incoming(topics.up(VENUE, "hello"), envelope.encode(Hello("uplink", heads)))


def test_a_hello_of_inventions_is_not_looked_up_name_by_name(imported: dict[str, Any]) -> None:
    desk = Desk(lambda: 0.0)
    invented = hello(*(Head(f"round/R{n}", epoch, 9, "") for n in range(5000) for epoch in EPOCHS))
    for _ in range(3):
        with CaptureQueriesContext(connection) as asked:
            desk.receive([invented])
            desk.send()
        assert len(asked) < 10 * NAMED


def test_a_hello_that_names_one_head_thousands_of_times_is_looked_up_so_far_and_no_further(
    imported: dict[str, Any],
) -> None:
    desk = Desk(lambda: 0.0)
    named = [Head("round/R1", EPOCHS[0], seq, "") for seq in range(9000)]
    with CaptureQueriesContext(connection) as asked:
        desk.receive([hello(*named, Head("round/R1", EPOCHS[1], 1, ""))])
        desk.send()
    assert len(asked) < 2 * LOOKED_AT
