"""Presses at a floor menu while others change the evening: nothing is chosen that was not shown as chosen."""

from __future__ import annotations

import random

import pytest

from appliance import floorwork
from appliance.floor.said import say
from appliance.floorglance import DEAD_S
from appliance.floorwork import FloorWork
from appliance.game.commands import decode_command
from appliance.game.refusal import Refusal
from appliance.game.round import decide, fold
from appliance.hw.panel import Button
from appliance.snapshot import Key
from bench.simulation.anything import KINDS, fields_of
from tests.test_floorwork import EN, NOW, Kiosk

PRESSES = 300


class Glass:
    """What a person saw when they pressed: the last page that was painted."""

    def __init__(self, work: FloorWork, kiosk: Kiosk) -> None:
        self.work, self.kiosk, self.page, self.lines = work, kiosk, None, ()

    def paint(self) -> None:
        self.page = self.kiosk.page
        self.lines = self.work.glance.lines
        self.work.glance.painted = self.page.stamp if self.page else 0

    @property
    def chosen(self) -> str | None:
        if self.page is None:
            return None
        lines = [line for line in self.page.page.lines if line.item is not None]
        return next((self.lines[n] for n, line in enumerate(lines) if line.selected), None)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_chosen_was_on_the_glass_as_chosen(seed, monkeypatch) -> None:
    chance, clock, kiosk = random.Random(seed), [1000.0], Kiosk()
    kiosk.clock = clock
    monkeypatch.setattr(floorwork, "_mono_s", lambda: clock[0])
    taken: list[str] = []
    choosing = floorwork.press

    def watched(menu, key, here):
        if key == "enter" and not menu.editing and menu.cursor >= 0:
            taken.append(floorwork.lines_of(menu, here)[menu.cursor])
        elif key.startswith("item:"):
            lines = floorwork.lines_of(menu, here)
            taken.append(lines[int(key[5:])] if int(key[5:]) < len(lines) else "")
        return choosing(menu, key, here)

    monkeypatch.setattr(floorwork, "press", watched)
    work = FloorWork(kiosk)
    glass, heard, waits = Glass(work, kiosk), 0, 0
    glass.paint()
    for _ in range(PRESSES):
        if not work.is_open:
            work.open("000001", "04FF")
            clock[0] += 2 * DEAD_S
        if chance.random() < 0.8:
            glass.paint()
        for _ in range(chance.choice((0, 0, 0, 1, 2))):
            meanwhile(kiosk, chance)
            if chance.random() < 0.7:
                work.changed()
        clock[0] += chance.choice((0.01, 0.1, 0.5, 0.5))
        taken.clear()
        if chance.random() < 0.4:
            for _ in range(chance.randint(1, 3)):
                work.turned(chance.choice((1, 1, -1)))
            glass.paint()
        if chance.random() < 0.5:
            expected = glass.chosen
            work.button(Button.SELECT, False)
        else:
            n = chance.randrange(max(1, len(glass.lines)))
            expected = glass.lines[n] if glass.lines else None
            work.press(Key(f"item:{n}", menu=True, seen=work.glance.painted))
        if taken:
            heard += 1
            assert taken == [expected], (taken, expected, say(kiosk.shown.title, EN) if kiosk.page else "")
        if len(kiosk.sent) > waits and chance.random() < 0.7:
            waits = len(kiosk.sent)
            answer(kiosk, chance)
    assert heard > PRESSES // 10, "most presses were void: nothing was tried"


def meanwhile(kiosk: Kiosk, chance: random.Random) -> None:
    """Somebody else gives a command."""
    kind = chance.choice((*KINDS, "bust", "absent", "move"))
    if kind in ("cancel", "end_early", "announce", "reschedule", "redo"):
        return
    command = decode_command({"do": kind, "round": "R1", **fields_of(kind, chance, kiosk.copy.round, "c1")})
    carry_out(kiosk, command, f"other-{chance.random()}")


def carry_out(kiosk: Kiosk, command, number: str) -> str | None:
    events = decide(kiosk.copy, command, NOW, number)
    if isinstance(events, Refusal):
        return events.code
    for event in events:
        kiosk.copy = fold(kiosk.copy, event, NOW, number)
    kiosk.rounds = (kiosk.copy.round,)
    return None


def answer(kiosk: Kiosk, chance: random.Random) -> None:
    number, command, _, _ = kiosk.sent[-1]
    kiosk.answer("storage" if chance.random() < 0.1 else carry_out(kiosk, command, number))
