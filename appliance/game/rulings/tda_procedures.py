"""The Association's procedures for irregularities (I-1 to I-17), in our own sentences, to be read aloud.

*Chosen*, where the Association says nothing: a single later card that turned up is replaced and becomes the burn card;
one card face up in the deck is put aside; a damaged card is changed after the hand; of a flop with five cards or more,
or with more than one burn, the floor makes a remedy by lot (RP-14).
"""

from __future__ import annotations

from appliance.game.rulings.model import Outcome
from appliance.game.rulings.sources import tda
from appliance.game.rulings.words import Words

MISDEAL = Outcome(
    code="misdeal",
    steps=(
        Words(
            "Rozdání neplatí. Všechny karty se vrátí dealerovi, zamíchají se a sejmou.",
            "The deal is void. All cards go back to the dealer and are shuffled and cut.",
        ),
        Words(
            "Rozdává se znovu a všechno zůstává: button, blindy i hráči. Nikdo nový si nepřisedá.",
            "The cards are dealt again and all is the same: button, blinds and players, nobody new sits down.",
        ),
        Words(
            "Karty dostanou titíž hráči; komu běží trest, tomu se po rozdání zahodí. Je to pořád tatáž handa.",
            "Those dealt in before are dealt in again; cards of players on penalty are killed then. It is one hand.",
        ),
    ),
    sources=(tda("35-A"), tda("35-C")),
)
NO_MISDEAL = Outcome(
    code="deal-on",
    steps=(
        Words(
            "Handa už příliš pokročila: rozdávat znovu nelze.",
            "Play has gone too far: there is no misdeal any more.",
        ),
        Words("Handa pokračuje.", "The hand goes on."),
    ),
    sources=(tda("35-D"), tda("36")),
)
REPLACE = Outcome(
    code="replace-card",
    steps=(
        Words(
            "Dealer rozdá do konce. Hráč si otočenou kartu nenechá.",
            "The dealer finishes the deal. The player does not keep the card that turned up.",
        ),
        Words(
            "Po rozdání dostane hráč místo ní vrchní kartu z balíčku a otočená karta bude první spálenou kartou.",
            "After the deal the player gets the top card of the deck instead, and the exposed card is the first burn.",
        ),
    ),
    sources=(tda("35-A"),),
    chosen=True,
)
DEAD_HAND = Outcome(
    code="dead-hand",
    steps=(
        Words(
            "Handa už příliš pokročila: rozdávat znovu nelze.",
            "Play has gone too far: there is no misdeal any more.",
        ),
        Words(
            "Karty hráče, který jich má nesprávný počet, jdou mezi odhozené. Co vsadil, zůstává v banku.",
            "The cards of the player with the wrong number go into the muck. What was bet stays in the pot.",
        ),
        Words(
            "Před každým dalším kolem se spálí právě jedna karta.",
            "Exactly one card is burned for every further street.",
        ),
    ),
    sources=(tda("35-D"), tda("38")),
)
FOUR_CARDS = Outcome(
    code="scramble-flop",
    steps=(
        Words(
            "Ke stolu přijde komisař, i když je zřejmé, která karta je navíc.",
            "The floor is called, even if it is plain which card is too many.",
        ),
        Words("Dealer všechny čtyři karty zamíchá lícem dolů.", "The dealer scrambles all four cards face down."),
        Words(
            "Komisař jednu naslepo vybere: bude příští spálenou kartou. Ostatní tři jsou flop.",
            "The floor picks one unseen: it will be the next burn card. The other three are the flop.",
        ),
    ),
    sources=(tda("39-A"),),
)
BY_LOT = Outcome(
    code="commissioner-decides",
    steps=(
        Words("Hra se zastaví a ke stolu přijde komisař.", "Play stops and the floor is called."),
        Words(
            "Komisař určí nápravu, nejlépe losem, tak aby flop měl tři náhodné karty a spálená zůstala jedna.",
            "The floor finds a remedy, best by lot, so that the flop has three random cards and one stays burned.",
        ),
        Words("Rozhodnutí a důvod oznámí celému stolu.", "They tell the whole table the decision and its reason."),
    ),
    sources=(tda("RP-14"), tda("38"), tda("1")),
    decides=True,
    chosen=True,
)
COMPLETE_FLOP = Outcome(
    code="complete-flop",
    steps=(
        Words(
            "Tři karty flopu dealer zamíchá lícem dolů, jedna z nich se vybere jako spálená.",
            "The dealer scrambles the three cards of the flop face down, and one of them is chosen as the burn.",
        ),
        Words(
            "Flop tvoří zbylé dvě a další karta z balíčku.", "The flop is the other two and the next card off the deck."
        ),
    ),
    sources=(tda("39-B"),),
)
FLOP_STAYS = Outcome(
    code="deal-on",
    steps=(
        Words("Už se hrálo: flop zůstává, jak je.", "There has been action: the flop stays as it is."),
        Words("Před turnem se spálí jen jedna karta.", "Only one card is burned before the turn."),
    ),
    sources=(tda("39-B"),),
)

_CARDS_BACK = Words(
    "Co bylo vyloženo předčasně, se vrátí do balíčku; spálená karta zůstává spálená.",
    "What was dealt too soon goes back into the deck; the burn card stays burned.",
)
_FINISH_BETTING = Words(
    "Dealer zamíchá celý balíček lícem dolů a dohraje se kolo sázek.",
    "The dealer shuffles the whole deck face down, and the betting round is finished.",
)
FLOP_TOO_SOON = Outcome(
    code="reshuffle-flop",
    steps=(
        _CARDS_BACK,
        _FINISH_BETTING,
        Words("Potom se vyloží nový flop, bez dalšího pálení.", "Then a new flop is dealt, without another burn."),
    ),
    sources=(tda("39-D"), tda("RP-5-A")),
)
TURN_TOO_SOON = Outcome(
    code="reshuffle-turn",
    steps=(
        _CARDS_BACK,
        _FINISH_BETTING,
        Words("Potom se otočí nový turn, bez dalšího pálení.", "Then a new turn is dealt, without another burn."),
    ),
    sources=(tda("39-D"), tda("RP-5-B")),
)
RIVER_TOO_SOON = Outcome(
    code="reshuffle-river",
    steps=(
        _CARDS_BACK,
        _FINISH_BETTING,
        Words("Potom se otočí nový river, bez dalšího pálení.", "Then a new river is dealt, without another burn."),
    ),
    sources=(tda("39-D"), tda("RP-5-C")),
)
FOUND_FACE_UP = Outcome(
    code="next-card",
    steps=(
        Words(
            "Kartu dealer ukáže všem a odloží ji: do hry nepatří.",
            "The dealer shows the card to all and puts it aside: it is dead.",
        ),
        Words(
            "Místo ní platí další karta balíčku. Hraje se dál.",
            "The next card of the deck stands in for it. Play goes on.",
        ),
    ),
    sources=(tda("35-A"),),
    chosen=True,
)
FOUND_TOO_LATE = Outcome(
    code="deal-on",
    steps=(
        Words(
            "Handa už příliš pokročila: rozdávat znovu nelze.",
            "Play has gone too far: there is no misdeal any more.",
        ),
        Words(
            "Otočené karty v balíčku dealer odloží, místo každé platí další. Handa pokračuje.",
            "The dealer puts aside what lies face up in the deck, the next card stands in for each. The hand goes on.",
        ),
    ),
    sources=(tda("35-D"), tda("36")),
)
PUT_RIGHT = Outcome(
    code="correct-error",
    steps=(
        Words(
            "Podstatná akce ještě nenastala: chyba se napraví.",
            "There has been no substantial action: the mistake is put right.",
        ),
        Words("Postupuje se podle pravidla pro danou chybu.", "Go by the rule for that mistake."),
    ),
    sources=(tda("36"),),
)
CHANGE_CARD = Outcome(
    code="change-card",
    steps=(
        Words("Handa se dohraje s poškozenou kartou.", "The hand is finished with the damaged card."),
        Words(
            "Před další handou vymění komisař přede všemi kartu, nebo celý balíček.",
            "Before the next hand the floor changes the card, or the whole deck, in front of all.",
        ),
    ),
    sources=(tda("26"), tda("1")),
    chosen=True,
)
FLOOR_DECIDES = Outcome(
    code="commissioner-decides",
    steps=(
        Words(
            "Hra se zastaví, karty a žetony zůstávají, kde jsou.", "Play stops, cards and chips stay where they are."
        ),
        Words("Komisař vyslechne dealera a hráče.", "The floor hears the dealer and the players."),
        Words(
            "Rozhodne tak, jak je to pro hru nejlepší a nejspravedlivější; spravedlnost má přednost před literou.",
            "They decide as is best and fairest for the game; fairness goes before the letter of a rule.",
        ),
        Words(
            "Rozhodnutí a důvod oznámí stolu a zapíše.",
            "They tell the table the decision and its reason, and record both.",
        ),
    ),
    sources=(tda("1"),),
    decides=True,
)
BET_BY_SITUATION = Outcome(
    code="commissioner-decides",
    steps=(
        Words("Žetony zůstávají, jak leží. Nikdo na ně nesahá.", "The chips stay as they lie. Nobody touches them."),
        Words(
            "Komisař určí výši sázky podle okolností a řekne proč.",
            "The floor sets the bet by the circumstances and says why.",
        ),
    ),
    sources=(tda("40-A"), tda("1")),
    decides=True,
)
