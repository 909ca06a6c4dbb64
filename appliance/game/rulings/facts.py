"""The questions that the tables of irregularities ask, by the name of the fact (I-1 to I-17)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.game.rulings.model import Choice, Number, Question
from appliance.game.rulings.words import Words

YES = "yes"
NO = "no"
_YES_NO = MappingProxyType({YES: Words("ano", "yes"), NO: Words("ne", "no")})

FACTS: Mapping[str, Question] = MappingProxyType(
    {
        "acted": Number(
            Words(
                "Kolik hráčů od té chyby zahrálo správně a ve svém pořadí, než si jí někdo všiml?",
                "How many players had acted properly and in turn since the mistake before anybody noticed it?",
            ),
            0,
            10,
        ),
        "substantial": Choice(
            Words(
                "Proběhly už dvě akce v pořadí, aspoň jedna z nich s žetony, nebo jakékoli tři? Blindy se nepočítají.",
                "Have there been two actions in turn, at least one with chips, or any three? Blinds do not count.",
            ),
            _YES_NO,
        ),
        "actions": Number(
            Words(
                "Kolik akcí v pořadí už proběhlo? Blindy se nepočítají.",
                "How many actions in turn have there been? Blinds do not count.",
            ),
            0,
            20,
        ),
        "chips": Choice(
            Words(
                "Vložil při nich někdo žetony do banku?",
                "Did any of these actions put chips into the pot?",
            ),
            _YES_NO,
        ),
        "card": Number(
            Words(
                "Kolikátá rozdávaná karta to byla? Počítá se od první rozdané karty.",
                "Which card of the deal was it, counted from the very first?",
            ),
            1,
            20,
        ),
        "extra": Number(
            Words(
                "Kolik karet navíc první hráč dostal?",
                "How many cards too many did the first player get?",
            ),
            1,
            10,
        ),
        "error": Choice(
            Words("Co se s flopem stalo?", "What went wrong with the flop?"),
            MappingProxyType(
                {
                    "too-many": Words("má víc než tři karty", "it has more than three cards"),
                    "too-soon": Words(
                        "byl vyložen dřív, než skončily sázky",
                        "it was dealt before the betting had ended",
                    ),
                    "no-burn": Words("nebyla před ním spálena karta", "no card was burned before it"),
                    "more-burns": Words(
                        "byla před ním spálena víc než jedna karta",
                        "more than one card was burned before it",
                    ),
                }
            ),
        ),
        "cards": Number(
            Words("Kolik karet flop má?", "How many cards does the flop have?"),
            4,
            10,
        ),
        "any_action": Choice(
            Words(
                "Zahrál už po vyložení flopu aspoň jeden hráč? Stačí i check.",
                "Has anybody acted since the flop was dealt? One check is enough.",
            ),
            _YES_NO,
        ),
        "street": Choice(
            Words("Co bylo vyloženo předčasně?", "What was dealt too soon?"),
            MappingProxyType(
                {
                    "flop": Words("flop", "the flop"),
                    "turn": Words("turn", "the turn"),
                    "river": Words("river", "the river"),
                }
            ),
        ),
        "separable": Choice(
            Words(
                "Lze karty hráčů ve hře spolehlivě oddělit od karet zahozených?",
                "Can the cards still in play be told apart from those thrown away?",
            ),
            _YES_NO,
        ),
        "boxed": Number(
            Words(
                "Kolik otočených karet se v balíčku našlo?",
                "How many cards were found face up in the deck?",
            ),
            1,
            10,
        ),
        "during": Choice(
            Words("Kdy se na ně přišlo?", "When were they found?"),
            MappingProxyType(
                {
                    "deal": Words("při rozdávání karet hráčům", "while the players' cards were dealt"),
                    "later": Words("později", "later"),
                }
            ),
        ),
        "clear": Choice(
            Words(
                "Lze z toho, co se stalo, poznat, kolik hráč vsadil?",
                "Can it be told from what happened how much the player bet?",
            ),
            _YES_NO,
        ),
        "moment": Choice(
            Words("Kdy hráč karty položil?", "When were the cards laid down?"),
            MappingProxyType(
                {
                    "betting": Words("během sázek", "during the betting"),
                    "showdown": Words("při vykládání karet", "at the showdown"),
                }
            ),
        ),
        "thought_won": Choice(
            Words(
                "Vsadil hráč a odložil karty v domnění, že už vyhrál?",
                "Had the player bet, and let go of the cards thinking the pot was won?",
            ),
            _YES_NO,
        ),
        "identifiable": Choice(
            Words(
                "Lze obě karty vzít zpět a s naprostou jistotou poznat?",
                "Can both cards be taken back and recognised beyond any doubt?",
            ),
            _YES_NO,
        ),
        "asked": Choice(
            Words(
                "Požádal některý hráč u stolu, aby je viděl také?",
                "Has a player at the table asked to see them too?",
            ),
            _YES_NO,
        ),
        "what": Choice(
            Words("Co se stalo?", "What happened?"),
            MappingProxyType(
                {
                    "exposed-card": Words("při rozdávání se otočila jedna karta", "one card turned up in the deal"),
                    "exposed-cards": Words(
                        "při rozdávání se otočilo víc karet", "more than one card turned up in the deal"
                    ),
                    "irregular-flop": Words("flop není v pořádku", "the flop is not as it should be"),
                    "premature-card": Words(
                        "společná karta byla vyložena předčasně", "a board card was dealt too soon"
                    ),
                    "action-since": Words(
                        "na chybu se přišlo, až když se hrálo dál", "the mistake was noticed after play had gone on"
                    ),
                }
            ),
        ),
    }
)
"""Every question; a table names those it asks, in its order."""
