"""The Association's procedures for what players do with their own cards (I-15, I-16), to be read aloud."""

from __future__ import annotations

from appliance.game.rulings.model import Outcome
from appliance.game.rulings.sources import tda
from appliance.game.rulings.words import Words

STAYS_DOWN = Outcome(
    code="stays-folded",
    steps=(
        Words("Položené karty zůstávají položené.", "Cards laid down stay laid down."),
        Words(
            "V této handě hráč končí, jeho dorovnané sázky zůstávají v banku.",
            "The player is out of this hand, bets that were called stay in the pot.",
        ),
    ),
    sources=(tda("58"), tda("65-A")),
)
KEPT_BY_DEALER = Outcome(
    code="hand-live",
    steps=(
        Words("Dealer karty podrží a zavolá komisaře.", "The dealer holds the cards and calls the floor."),
        Words(
            "Komisař ověří, že jsou to opravdu jeho karty; hráč je dostane zpět a hraje dál.",
            "The floor makes sure that they are the ones; the player gets them back and plays on.",
        ),
    ),
    sources=(tda("15-B"),),
)
LOST_CARDS = Outcome(
    code="dead-hand",
    steps=(
        Words(
            "Karty už nelze s jistotou poznat: hráč v této handě končí.",
            "The cards cannot be recognised for certain: the player is out of this hand.",
        ),
        Words(
            "Sázku, kterou ještě nikdo nedorovnal, dostane zpět; dorovnané sázky zůstávají v banku.",
            "A bet that nobody has called yet goes back; bets that were called stay in the pot.",
        ),
    ),
    sources=(tda("15-B"), tda("65-A")),
)
STILL_LIVE = Outcome(
    code="hand-live",
    steps=(
        Words(
            "Karty ještě platí: hráč je smí vzít zpět a vyložit.",
            "The cards are still live: the player may take them back and table them.",
        ),
        Words("Vyložit musí obě.", "Both have to be tabled."),
    ),
    sources=(tda("14"), tda("13-A")),
)
MUCKED = Outcome(
    code="dead-hand",
    steps=(
        Words("Karty jsou mezi odhozenými a už neplatí.", "The cards are in the muck and dead."),
        Words(
            "Nárok na bank mají jen ti, kdo své karty ještě mají.",
            "Only those who still hold their cards have a claim to the pot.",
        ),
    ),
    sources=(tda("14"), tda("65-A")),
)
PENALTY = Outcome(
    code="penalty",
    steps=(
        Words("Karty hráče platí dál, handa pokračuje.", "The player's cards stay live, the hand goes on."),
        Words(
            "Dealer připomene: každý hraje sám za sebe a karty nikomu neukazuje.",
            "The dealer reminds all: one player to a hand, and cards are shown to nobody.",
        ),
        Words(
            "Komisař rozhodne, zda hráče napomene, nebo potrestá; trest začíná až po této handě.",
            "The floor decides whether to warn or penalise the player; a penalty begins after this hand.",
        ),
    ),
    sources=(tda("67"), tda("68"), tda("71-B")),
    decides=True,
)
