"""Which table rules which irregularity in which house, and how ids are called (I-1 to I-17)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.game.ruleset import RuleSet
from appliance.game.rulings import casino, cpl, tda
from appliance.game.rulings.model import Compound, Outcome, Row, Table
from appliance.game.rulings.words import Words

TITLES: Mapping[str, Words] = MappingProxyType(
    {
        "I-1": Words("První nebo druhá rozdávaná karta se otočila", "First or second dealt card turned up"),
        "I-2": Words("Později rozdávaná karta se otočila", "A later dealt card turned up"),
        "I-3": Words("Otočila se víc než jedna rozdávaná karta", "More than one dealt card turned up"),
        "I-4": Words("První hráč dostal kartu navíc", "The first player got an extra card"),
        "I-5": Words("Chybně vyložený flop", "A flop that is not as it should be"),
        "I-6": Words("Turn vyložený předčasně", "The turn dealt too soon"),
        "I-7": Words("River vyložený předčasně", "The river dealt too soon"),
        "I-8": Words("Otočená karta v balíčku", "A card face up in the deck"),
        "I-9": Words("Na chybu se přišlo, až když se hrálo dál", "The mistake was noticed after play had gone on"),
        "I-10": Words("Poškozená karta", "A damaged card"),
        "I-11": Words("Při rozdávání se otočila jedna karta", "One card turned up in the deal"),
        "I-12": Words("Společné karty vyložené před koncem sázek", "Board cards dealt before the betting had ended"),
        "I-13": Words("Cokoli jiného", "Anything else"),
        "I-14": Words("Vhozená sázka, kterou nelze spočítat", "A bet thrown in that cannot be counted"),
        "I-15": Words("Karty položené omylem", "Cards laid down by mistake"),
        "I-16": Words("Karty ukázané hráči, který už není v handě", "Cards shown to a player out of the hand"),
        "I-17": Words("Chyba dealera při rozdávání nebo na stole", "A dealer's mistake in the deal or on the board"),
    }
)
"""What happened, by id, in order."""

_HOUSES: Mapping[str, Mapping[str, Table | Compound]] = MappingProxyType(
    {"cpl": cpl.TABLES, "casino": casino.TABLES, "tda": tda.TABLES}
)


def table(ruling: str, rules: RuleSet) -> Table:
    """The house's table for this id, or the Association's. Raises KeyError for an id that is not in `TITLES`."""
    found = _HOUSES[rules.rulings].get(ruling) or tda.TABLES[ruling]
    return _joined(found, rules) if isinstance(found, Compound) else found


def _joined(compound: Compound, rules: RuleSet) -> Table:
    """One table of several: their rows, each behind the answer that leads to it."""
    parts = {answer: table(ruling, rules) for answer, ruling in compound.parts.items()}
    facts = dict.fromkeys([compound.fact, *(fact for part in parts.values() for fact in part.facts)])
    rows = (Row({compound.fact: answer, **row.when}, row.then) for answer, part in parts.items() for row in part.rows)
    return Table(tuple(facts), tuple(rows))


def is_borrowed(outcome: Outcome, rules: RuleSet) -> bool:
    """Whether the house's own rules say nothing of this, so that the Association's hold."""
    return rules.rulings != "tda" and all(source.document == "TDA" for source in outcome.sources)
