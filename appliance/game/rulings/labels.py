"""What outcomes are called, and the words around a ruling, wherever it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.game.rulings.model import Code
from appliance.game.rulings.words import Words

OUTCOMES: Mapping[Code, Words] = MappingProxyType(
    {
        "misdeal": Words("Rozdává se znovu", "Misdeal: deal again"),
        "deal-on": Words("Hraje se dál", "Play on"),
        "replace-card": Words("Karta se po rozdání vymění", "The card is replaced after the deal"),
        "skip-card": Words("Hráč dostane kartu jako poslední", "The player gets a card last"),
        "burn-extra-card": Words("Karta navíc se spálí", "The extra card is burned"),
        "dead-hand": Words("Karty hráče jsou mrtvé", "The player's hand is dead"),
        "reshuffle-flop": Words("Zamíchat a vyložit nový flop", "Reshuffle and deal a new flop"),
        "scramble-flop": Words("Ze čtyř karet se jedna vylosuje", "One of the four cards is drawn out"),
        "complete-flop": Words("Flop se doplní z balíčku", "The flop is completed from the deck"),
        "turn-set-aside": Words("Karta jde stranou, turn je další", "The card is set aside, the next is the turn"),
        "reshuffle-turn": Words("Zamíchat a otočit nový turn", "Reshuffle and turn a new turn"),
        "reshuffle-river": Words("Zamíchat a otočit nový river", "Reshuffle and turn a new river"),
        "reshuffle-board": Words("Zamíchat a vyložit znovu", "Reshuffle and deal again"),
        "split-pot": Words("Bank se dělí", "The pot is split"),
        "next-card": Words("Platí další karta", "The next card stands in"),
        "change-card": Words("Karta se vymění", "The card is changed"),
        "correct-error": Words("Chyba se napraví", "The mistake is put right"),
        "bet-forfeited": Words("Sázka propadá do banku", "The bet is forfeited to the pot"),
        "stays-folded": Words("Položené zůstává položené", "Laid down stays laid down"),
        "hand-live": Words("Karty platí", "The hand is live"),
        "show-to-all": Words("Po handě ukázat všem", "Shown to all after the hand"),
        "nothing-to-show": Words("Nikdo nepožádal: neukazuje se", "Nobody asked: nothing is shown"),
        "penalty": Words("Hraje se dál, trest až potom", "Play on, a penalty comes after"),
        "commissioner-decides": Words("Rozhodne komisař", "The commissioner decides"),
    }
)

SOURCE = Words("Zdroj", "Source")
DECIDES = Words(
    "Komisař rozhoduje: rozhodnutí a důvod se zapisují.",
    "The commissioner decides: decision and reason are recorded.",
)
CHOSEN = Words(
    "Zdroj to doslova neuvádí, postup je zvolený.", "The source does not say so in so many words: a chosen procedure."
)
BORROWED = Words(
    "Vlastní pravidla o tom mlčí: platí TDA 2024.", "The house's own rules are silent: as TDA 2024 has it."
)
