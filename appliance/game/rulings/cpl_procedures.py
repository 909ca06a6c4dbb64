"""The league's procedures for irregularities (I-1 to I-10, I-13 to I-15), sentence by sentence, to be read aloud.

*Chosen*, where the source leaves it open: cards that nobody can play with are no part of "the hand plays on" (I-9), so
a hand with too many cards is dead, and of a flop with too many the commissioner says which three stand. A flop dealt
again keeps its burn card, as in TDA RP-5; if none or too many were burned, they go back and one is burned anew.
"""

from __future__ import annotations

from appliance.game.rulings.model import Outcome
from appliance.game.rulings.sources import A_BETS, A_ERRORS, A_MANNERS, A_UNFORESEEN, B_BETS, B_UNFORESEEN, tda
from appliance.game.rulings.words import Words

DEAL_AGAIN = Outcome(
    code="misdeal",
    steps=(
        Words(
            "Rozdání neplatí. Všechny karty se vrátí dealerovi.", "The deal is void. All cards go back to the dealer."
        ),
        Words("Dealer balíček znovu zamíchá a nechá sejmout.", "The dealer shuffles the deck again and has it cut."),
        Words(
            "Rozdává se znovu, se stejným buttonem a stejnými blindy.",
            "The cards are dealt again, with the same button and the same blinds.",
        ),
    ),
    sources=(A_ERRORS, tda("35-C")),
)
PLAY_ON = Outcome(
    code="deal-on",
    steps=(
        Words(
            "Od chyby správně zahráli aspoň dva hráči: bere se, jako by se nestala.",
            "At least two players have acted properly since the mistake: it counts as if it had not happened.",
        ),
        Words(
            "Hra pokračuje odtud, kde je; všechny karty i sázky platí.",
            "Play goes on from here; all cards and bets stand.",
        ),
    ),
    sources=(A_ERRORS,),
)
REPLACE = Outcome(
    code="replace-card",
    steps=(
        Words(
            "Dealer rozdá do konce. Hráč si otočenou kartu nesmí nechat.",
            "The dealer finishes the deal. The player may not keep the card that turned up.",
        ),
        Words(
            "Po rozdání dostane hráč místo ní vrchní kartu z balíčku.",
            "After the deal the player gets the top card of the deck in its place.",
        ),
        Words("Otočená karta bude první spálenou kartou.", "The card that turned up becomes the first burn card."),
    ),
    sources=(A_ERRORS,),
)
EXTRA_CARD = Outcome(
    code="burn-extra-card",
    steps=(
        Words("Karta navíc se vrátí na vrch balíčku.", "The extra card goes back on top of the deck."),
        Words("Bude první spálenou kartou. Hraje se dál.", "It becomes the first burn card. Play goes on."),
    ),
    sources=(A_ERRORS,),
)
EXTRA_STAYED = Outcome(
    code="dead-hand",
    steps=(
        Words(
            "Od chyby správně zahráli aspoň dva hráči: rozdání platí a hra pokračuje.",
            "At least two players have acted properly since the mistake: the deal stands and play goes on.",
        ),
        Words(
            "Karty hráče, který jich má víc než dvě, jdou mezi odhozené. Co vsadil, zůstává v banku.",
            "The cards of the player who has more than two go into the muck. What was bet stays in the pot.",
        ),
        Words("Dál se před každým kolem pálí jedna karta jako vždy.", "One card is burned for each street, as always."),
    ),
    sources=(A_ERRORS, tda("35-D"), tda("38")),
    chosen=True,
)
FLOP_TOO_MANY = Outcome(
    code="reshuffle-flop",
    steps=(
        Words(
            "Všechny karty flopu se vrátí do balíčku, i když je zřejmé, která je navíc.",
            "All cards of the flop go back into the deck, even if it is plain which one is too many.",
        ),
        Words("Spálená karta zůstává spálená.", "The burn card stays burned."),
        Words(
            "Dealer balíček zamíchá a vyloží nový flop, bez dalšího pálení.",
            "The dealer shuffles the deck and deals a new flop, without another burn.",
        ),
    ),
    sources=(A_ERRORS, tda("RP-5")),
)
FLOP_TOO_SOON = Outcome(
    code="reshuffle-flop",
    steps=(
        Words(
            "Karty flopu se vrátí do balíčku, spálená karta zůstává spálená.",
            "The cards of the flop go back into the deck, the burn card stays burned.",
        ),
        Words("Dohraje se kolo sázek.", "The betting round is finished."),
        Words(
            "Dealer balíček zamíchá a vyloží nový flop, bez dalšího pálení.",
            "The dealer shuffles the deck and deals a new flop, without another burn.",
        ),
    ),
    sources=(A_ERRORS, tda("RP-5")),
)
FLOP_BURN = Outcome(
    code="reshuffle-flop",
    steps=(
        Words(
            "Karty flopu i spálené karty se vrátí do balíčku.",
            "The cards of the flop and any burn cards go back into the deck.",
        ),
        Words(
            "Dealer balíček zamíchá, spálí jednu kartu a vyloží nový flop.",
            "The dealer shuffles the deck, burns one card and deals a new flop.",
        ),
    ),
    sources=(A_ERRORS,),
    chosen=True,
)
FLOP_STANDS = Outcome(
    code="commissioner-decides",
    steps=(
        Words(
            "Od chyby správně zahráli aspoň dva hráči: sázky platí a hra pokračuje.",
            "At least two players have acted properly since the mistake: the bets stand and play goes on.",
        ),
        Words(
            "Komisař v duchu fair play určí, které tři karty tvoří flop, a řekne proč.",
            "In the spirit of fair play the commissioner says which three cards are the flop, and why.",
        ),
    ),
    sources=(A_ERRORS, A_UNFORESEEN),
    decides=True,
    chosen=True,
)
TURN_TOO_SOON = Outcome(
    code="turn-set-aside",
    steps=(
        Words(
            "Předčasně otočená karta jde stranou, i když hráči, kteří jsou ještě na řadě, své karty položí.",
            "The card turned too soon is set aside, even if all who are still to act should fold.",
        ),
        Words("Dohraje se kolo sázek.", "The betting round is finished."),
        Words(
            "Dealer spálí kartu a otočí další: měla být riverem, teď je turnem.",
            "The dealer burns a card and turns the next one: it was to be the river and is now the turn.",
        ),
        Words(
            "Po sázkách na turnu se odložená karta zamíchá do balíčku; spálené a vyložené karty se do něj nevracejí.",
            "After the betting on the turn that card is shuffled into the deck; burns and board stay out of it.",
        ),
        Words(
            "Dealer nechá balíček sejmout a otočí river bez pálení.",
            "The dealer has the deck cut and turns the river without a burn.",
        ),
    ),
    sources=(A_ERRORS,),
)
RIVER_TOO_SOON = Outcome(
    code="reshuffle-river",
    steps=(
        Words(
            "Karta se vrátí do balíčku, spálená karta zůstává spálená.",
            "The card goes back into the deck, the burn card stays burned.",
        ),
        Words("Dohraje se kolo sázek.", "The betting round is finished."),
        Words(
            "Dealer balíček zamíchá a otočí river bez dalšího pálení.",
            "The dealer shuffles the deck and turns the river without another burn.",
        ),
    ),
    sources=(A_ERRORS, tda("RP-5")),
)
FOUND_FACE_UP = Outcome(
    code="next-card",
    steps=(
        Words(
            "Dealer kartu ukáže všem hráčům a odloží ji.", "The dealer shows the card to all players and puts it aside."
        ),
        Words(
            "Místo ní platí další karta balíčku. Hraje se dál.",
            "The next card of the deck stands in for it. Play goes on.",
        ),
    ),
    sources=(A_ERRORS,),
)
PUT_RIGHT = Outcome(
    code="correct-error",
    steps=(
        Words(
            "Od chyby zahrál správně nejvýš jeden hráč: chyba se napraví.",
            "At most one player has acted properly since the mistake: it is put right.",
        ),
        Words("Postupuje se podle pravidla pro danou chybu.", "Go by the rule for that mistake."),
    ),
    sources=(A_ERRORS,),
)
CHANGE_CARD = Outcome(
    code="change-card",
    steps=(
        Words(
            "Rozehrané kolo sázek se dohraje s poškozenou kartou.",
            "The betting round is finished with the damaged card.",
        ),
        Words(
            "Potom ji komisař vymění, na stole a přede všemi hráči.",
            "Then the commissioner changes it, on the table and in front of all players.",
        ),
    ),
    sources=(A_ERRORS,),
)
BET_BY_SITUATION = Outcome(
    code="commissioner-decides",
    steps=(
        Words(
            "Žetony zůstávají v banku tak, jak leží. Nikdo na ně nesahá.",
            "The chips stay in the pot as they lie. Nobody touches them.",
        ),
        Words(
            "Komisař podle situace řekne, kolik hráč vsadil, a proč.",
            "The commissioner says by the situation how much the player bet, and why.",
        ),
    ),
    sources=(A_BETS, B_BETS),
    decides=True,
)
BET_FORFEITED = Outcome(
    code="bet-forfeited",
    steps=(
        Words("Vhozené žetony propadají do banku.", "The chips thrown in are forfeited to the pot."),
        Words(
            "Komisař oznámí, co hráč ještě musí dorovnat, aby zůstal v handě, a proč.",
            "The commissioner says what the player still has to call to stay in, and why.",
        ),
    ),
    sources=(A_BETS, B_BETS),
    decides=True,
)
STAYS_DOWN = Outcome(
    code="stays-folded",
    steps=(
        Words(
            "Položené karty zůstávají položené, i když je hráč položil omylem.",
            "Cards laid down stay laid down, even if it was a mistake.",
        ),
        Words(
            "Nikdo se na ně nedívá. V této handě hráč končí, jeho sázky zůstávají v banku.",
            "Nobody looks at them. The player is out of this hand, the bets stay in the pot.",
        ),
    ),
    sources=(A_MANNERS,),
)
FAIR_PLAY = Outcome(
    code="commissioner-decides",
    steps=(
        Words(
            "Hra se zastaví, karty a žetony zůstávají, kde jsou.", "Play stops, cards and chips stay where they are."
        ),
        Words(
            "Komisař vyslechne dealera a hráče a zváží všechno, co je známo.",
            "The commissioner hears the dealer and the players and weighs all that is known.",
        ),
        Words(
            "Rozhodne v duchu fair play a oznámí rozhodnutí i důvod celému stolu.",
            "They decide in the spirit of fair play and tell the whole table the decision and its reason.",
        ),
        Words("Rozhodnutí a důvod se zapíší.", "Decision and reason are recorded."),
    ),
    sources=(A_UNFORESEEN, B_UNFORESEEN),
    decides=True,
)
