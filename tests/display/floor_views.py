"""Pages of the floor menu, with everything at its longest now and then."""

from __future__ import annotations

import random

from appliance.display.view import Board, FloorView
from appliance.display.view_floor import MenuLine, MenuView

_TEXTS = (
    "Hráči",
    "Bartoloměj P.",
    "Wolfeschlegelsteinhausenbergerdorff W.",
    "Vzít zpět poslední příkaz",
    "První nebo druhá rozdávaná karta se otočila",
)
_DETAILS = ("", "", "–", "Stůl 12, místo 10 · 1 250 000", "Stůl 1, místo 1 · 15 000 · nepřítomen")
_REASONS = ("Stoly jsou vyrovnané: nikdo se nepřesazuje.", "Na to zbývá příliš mnoho hráčů.", "Není místo.")
_QUESTIONS = (
    "Hráč",
    "O kolik se zvyšuje vklad?",
    "Vypadává ze hry: Bartoloměj Příšerně-Žluťoučký. Handa: 1 112. Žetony na začátku handy: 1 250 000. "
    "Vyřadil ho Maxmilián-Kryšpín Žabička.",
)


def floor_view(rng: random.Random, board: Board) -> FloorView:
    """A page: a list, a number, a sentence to confirm, or an answer."""
    count = rng.choice((1, 2, 3, 4, 7, 9, 30, 90))
    chosen = rng.randrange(count)
    menu = MenuView(
        title=rng.choice(_TEXTS),
        who=rng.choice(("", "Jana D.", "Maxmilián-Kryšpín Ž.")),
        top=rng.random() < 0.2,
        question=rng.choice(("", *_QUESTIONS)),
        lines=(*_told(rng), *(_line(rng, n, n == chosen) for n in range(count))),
        hint=rng.choice(("", "Vyberte, napište číslo, nebo přiložte průkaz hráče.", *_REASONS)),
        warned=rng.random() < 0.3,
    )
    match rng.choice(("list", "list", "number", "busy", "good", "bad", "unsure")):
        case "number":
            number = rng.choice(("", "5:00", "1 250 000", "1 250 000 Kč"))
            return FloorView(board=board, menu=_few(menu, number=number, keypad=True, editing=rng.random() < 0.7))
        case "busy":
            return FloorView(board=board, menu=_few(menu, busy=True))
        case "good":
            return FloorView(board=board, menu=_few(menu, good=True))
        case "bad" | "unsure" as how:
            return FloorView(board=board, menu=_few(menu, good=False, unsure=how == "unsure"))
    return FloorView(board=board, menu=menu)


def _few(menu: MenuView, **how: object) -> MenuView:
    """A page with few lines."""
    values = {name: getattr(menu, name) for name in MenuView.__struct_fields__}
    return MenuView(**{**values, "question": menu.question or "Hotovo.", "lines": menu.items[:3], **how})


def _told(rng: random.Random) -> list[MenuLine]:
    return [MenuLine(text=rng.choice(_REASONS)) for _ in range(rng.choice((0, 0, 0, 1, 2)))]


def _line(rng: random.Random, n: int, chosen: bool) -> MenuLine:
    refused = rng.random() < 0.2
    return MenuLine(
        text=rng.choice(_TEXTS),
        item=n,
        detail=rng.choice(_DETAILS),
        refused=refused,
        why_not=rng.choice(_REASONS) if refused else "",
        selected=chosen,
        digit=rng.choice(("", str(n % 10))),
        seat=rng.choice((None, None, n % 10 + 1)),
        danger=rng.random() < 0.1,
        back=rng.random() < 0.1,
    )
