"""The loop that a program's link lives in."""

import queue

from appliance.link.role import AT_ONCE, step, waiting


class Counting:
    """A role that counts what it is given."""

    due = None

    def __init__(self):
        self.taken = []
        self.ticks = 0

    def handle(self, event):
        self.taken.append(event)

    def tick(self):
        self.ticks += 1


def test_a_flood_is_taken_in_turns_and_nothing_of_it_falls_between_them():
    inbox, role = queue.SimpleQueue(), Counting()
    for number in range(2 * AT_ONCE + 5):
        inbox.put(number)
    for _ in range(3):
        step(role, inbox, longest_s=0)
    assert role.taken == list(range(2 * AT_ONCE + 5)) and role.ticks == 3


def test_none_wakes_the_loop_and_says_nothing():
    inbox, role = queue.SimpleQueue(), Counting()
    inbox.put(None)
    step(role, inbox)
    assert role.taken == [] and role.ticks == 1


def test_what_is_not_asked_for_stays_in_the_queue():
    inbox = queue.SimpleQueue()
    inbox.put(1)
    inbox.put(2)
    assert next(waiting(inbox, None)) == 1
    assert list(waiting(inbox, -1.0)) == [2] and list(waiting(inbox, 0)) == []
