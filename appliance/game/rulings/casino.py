"""The casino's tables (I-11, I-12, I-16), tournament and cash; what is not here is as the Association has it.

*Chosen*: the first three cards are the first ones of the small blind, the big blind and the player after. When board
cards are shuffled back the burn card stays burned and there is no second one, as in TDA RP-5.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.game.rulings.facts import NO, YES
from appliance.game.rulings.model import Compound, Outcome, Row, Span, Table
from appliance.game.rulings.sources import C_BOARD, C_EXPOSED, C_FLOOR, C_SHOWN, tda
from appliance.game.rulings.tda_procedures import BY_LOT, COMPLETE_FLOP, FLOP_STAYS, FOUR_CARDS, NO_MISDEAL
from appliance.game.rulings.words import Words

_DEAL_AGAIN = Outcome(
    code="misdeal",
    steps=(
        Words(
            "Otočila se jedna z prvních tří karet: rozdání neplatí.",
            "One of the first three cards turned up: the deal is void.",
        ),
        Words(
            "Karty se zamíchají, sejmou a rozdají znovu, se stejným buttonem a stejnými blindy.",
            "The cards are shuffled, cut and dealt again, with the same button and the same blinds.",
        ),
    ),
    sources=(C_EXPOSED, tda("35-C")),
    chosen=True,
)
_SKIP = Outcome(
    code="skip-card",
    steps=(
        Words(
            "Rozdání platí. Otočená karta se vyřadí ze hry.", "The deal stands. The card that turned up is out of play."
        ),
        Words(
            "Hráč se v tomto kole rozdávání vynechá, rozdává se dál.",
            "The player is skipped for this round of the deal, and the deal goes on.",
        ),
        Words("Náhradní kartu dostane jako poslední.", "The replacement is dealt to that player last of all."),
    ),
    sources=(C_EXPOSED,),
)
_BOARD_AGAIN = Outcome(
    code="reshuffle-board",
    steps=(
        Words("Předčasně odkryté společné karty neplatí.", "Board cards turned too soon are void."),
        Words(
            "Vrátí se do balíčku, bez spálených a bez zahozených karet, a balíček se zamíchá.",
            "They go back into the deck, without burns and mucked cards, and the deck is shuffled.",
        ),
        Words(
            "Dohraje se kolo sázek a karty se vyloží znovu, bez dalšího pálení.",
            "The betting round is finished and the cards are dealt again, without another burn.",
        ),
    ),
    sources=(C_BOARD, tda("RP-5")),
)
_SPLIT = Outcome(
    code="split-pot",
    steps=(
        Words(
            "Karty ve hře nelze oddělit od zahozených: handa se nedohrává.",
            "Live cards cannot be told from mucked ones: the hand is not played out.",
        ),
        Words(
            "Bank se rozdělí rovným dílem mezi všechny hráče, kteří jsou ještě ve hře.",
            "The pot is split equally among all players still in the hand.",
        ),
    ),
    sources=(C_BOARD,),
)
_FLOOR = Outcome(
    code="commissioner-decides",
    steps=(
        Words(
            "Hra se zastaví, karty a žetony zůstávají, kde jsou.", "Play stops, cards and chips stay where they are."
        ),
        Words("Floorman vyslechne dealera a hráče.", "The floor hears the dealer and the players."),
        Words(
            "Rozhodne tak, aby hra byla plynulá a rozhodnutí spravedlivé. Jeho slovo je konečné.",
            "They decide so that play flows and the decision is just. It is final.",
        ),
        Words(
            "Rozhodnutí a důvod oznámí stolu a zapíše.",
            "They tell the table the decision and its reason, and record both.",
        ),
    ),
    sources=(C_FLOOR,),
    decides=True,
)
_SHOW_ALL = Outcome(
    code="show-to-all",
    steps=(
        Words("Handa se nejdřív dohraje.", "The hand is finished first."),
        Words(
            "Potom hráč tytéž karty ukáže všem u stolu: ukážeš jednomu, ukážeš všem.",
            "Then the player shows the same cards to the whole table: show one, show all.",
        ),
    ),
    sources=(C_SHOWN,),
)
_NOBODY_ASKED = Outcome(
    code="nothing-to-show",
    steps=(
        Words(
            "Dokud o to nikdo nepožádá, hráč nic ukazovat nemusí.", "As long as nobody asks, nothing has to be shown."
        ),
        Words(
            "Požádat může kterýkoli hráč u stolu; ukazuje se až po handě.",
            "Any player at the table may ask; the cards are shown after the hand.",
        ),
    ),
    sources=(C_SHOWN,),
)

_EXPOSED = Table(
    ("card", "substantial"),
    (
        Row({"card": Span(1, 3), "substantial": NO}, _DEAL_AGAIN),
        Row({"card": Span(1, 3), "substantial": YES}, NO_MISDEAL),
        Row({"card": Span(4, 20)}, _SKIP),
    ),
)
_BOARD = Table(("separable",), (Row({"separable": YES}, _BOARD_AGAIN), Row({"separable": NO}, _SPLIT)))

TABLES: Mapping[str, Table | Compound] = MappingProxyType(
    {
        "I-1": Table(("substantial",), (Row({"substantial": NO}, _DEAL_AGAIN), Row({"substantial": YES}, NO_MISDEAL))),
        "I-2": _EXPOSED,
        "I-5": Table(
            ("error", "cards", "any_action", "separable"),
            (
                Row({"error": "too-many", "cards": Span(4, 4)}, FOUR_CARDS),
                Row({"error": "too-many", "cards": Span(5, 10)}, BY_LOT),
                Row({"error": "too-soon", "separable": YES}, _BOARD_AGAIN),
                Row({"error": "too-soon", "separable": NO}, _SPLIT),
                Row({"error": "no-burn", "any_action": NO}, COMPLETE_FLOP),
                Row({"error": "no-burn", "any_action": YES}, FLOP_STAYS),
                Row({"error": "more-burns"}, BY_LOT),
            ),
        ),
        "I-6": _BOARD,
        "I-7": _BOARD,
        "I-11": _EXPOSED,
        "I-12": _BOARD,
        "I-13": Table((), (Row({}, _FLOOR),)),
        "I-16": Table(("asked",), (Row({"asked": YES}, _SHOW_ALL), Row({"asked": NO}, _NOBODY_ASKED))),
    }
)
"""By id; what is not here is as the Association has it."""
