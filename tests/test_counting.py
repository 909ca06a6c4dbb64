"""Up to when the evening's time is known by what was written (DESIGN §5)."""

from __future__ import annotations

import msgspec

from appliance.counting import last_written
from appliance.identity import load_or_make
from appliance.journal import Draft, Journal

AT, YEAR_MS = 1_800_000_000_000, 31_536_000_000
MAIN = "venue/brno"


def write(journal, at, epoch=None):
    with journal.begin() as transaction:
        opened = epoch or transaction.open_epoch(MAIN, "start", at).epoch
        transaction.append(MAIN, opened, [Draft("note/1", msgspec.Raw(b"{}"))], at)
        transaction.commit()
    return opened


def test_what_a_director_wrote_after_it_was_followed_moves_no_clock(tmp_path):
    """It came back with a clock of a year ahead, heard of nobody and went on; the one that followed keeps its records,
    and is started again."""
    old = Journal(tmp_path / "old", device="director", key=load_or_make(tmp_path / "a.key"))
    new = Journal(tmp_path / "new", device="table-2", key=load_or_make(tmp_path / "b.key"))
    with old, new:
        first = write(old, AT)

        def hand_over():
            rows = old.read(MAIN, first, new.head(MAIN, first).seq if new.head(MAIN, first) else 0)
            with new.begin() as transaction:
                transaction.absorb(MAIN, first, rows)
                transaction.commit()

        hand_over()
        write(new, AT + 5_000)
        write(old, AT + YEAR_MS, first)
        hand_over()
        assert new.head(MAIN, first) == old.head(MAIN, first)
        assert last_written(new) == AT + 5_000
        assert write(new, AT + 6_000) and last_written(new) == AT + 6_000


def test_where_no_director_has_written_nothing_is_known(tmp_path):
    with Journal(tmp_path / "journal", device="door", key=load_or_make(tmp_path / "a.key")) as journal:
        assert last_written(journal) == 0
