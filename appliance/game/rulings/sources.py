"""Where the procedures are written, and what the documents are called."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.game.rulings.model import Document, Source
from appliance.game.rulings.words import Words

DOCUMENTS: Mapping[Document, Words] = MappingProxyType(
    {
        "A": Words("Provozní řád České pokerové ligy (2017)", "Operating rules of the Czech Poker League (2017)"),
        "B": Words("Herní pravidla České pokerové ligy (starší)", "Game rules of the Czech Poker League (older)"),
        "C": Words("Turnajová pravidla kasina (2012)", "Casino tournament rules (2012)"),
        "TDA": Words("Pravidla TDA 2024", "TDA rules 2024"),
    }
)

A_ERRORS = Source("A", Words("příloha 2, Nesrovnalosti", "annex 2, Irregularities"))
A_BETS = Source("A", Words("příloha 2, první kolo sázek", "annex 2, first betting round"))
A_MANNERS = Source("A", Words("příloha 2, Herní etiketa", "annex 2, Etiquette"))
A_UNFORESEEN = Source("A", Words("příloha 2, situace předem nevyjasněné", "annex 2, situations not foreseen"))
B_BETS = Source("B", Words("první kolo sázek", "first betting round"))
B_UNFORESEEN = Source("B", Words("situace předem nevyjasněné", "situations not foreseen"))
C_EXPOSED = Source("C", Words("karta otočená při rozdávání", "a card turned up in the deal"))
C_BOARD = Source("C", Words("společné karty odkryté předčasně", "board cards turned too soon"))
C_SHOWN = Source("C", Words("ukazování karet: „show one, show all“", "showing cards: show one, show all"))
C_FLOOR = Source("C", Words("konečné rozhodnutí floormana", "the floor's final decision"))


def tda(number: str) -> Source:
    """A rule of the Association by its number: ``35-A``, ``RP-5``."""
    return Source("TDA", Words(number, number))
