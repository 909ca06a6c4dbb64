"""Why a declaration binds to what it does, in one sentence, Czech and English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal


def sentence(reason: str, detail: Mapping[str, Any], lang: Literal["cs", "en"]) -> str:
    """The sentence of a reason's code; KeyError if there is no such code."""
    czech, english = _SENTENCES[reason]
    return (czech if lang == "cs" else english).format_map(detail)


_SENTENCES = {
    # words
    "said-fold": ("Hráč řekl fold.", "The player said fold."),
    "said-check": ("Hráč řekl check.", "The player said check."),
    "said-call": ("Kdo řekne call, dorovnává celou sázku.", "Who says call matches the whole bet."),
    "said-all-in": ("Hráč řekl all-in.", "The player said all-in."),
    "said-amount": ("Platí řečená částka.", "The amount that was said counts."),
    "said-raise": (
        "Hráč řekl raise bez částky: platí nejmenší možné navýšení.",
        "Raise was said without an amount: it is the smallest one allowed.",
    ),
    "said-bet": (
        "Hráč řekl bet bez částky: platí nejmenší možná sázka {minimum}.",
        "Bet was said without an amount: it is the smallest one allowed, {minimum}.",
    ),
    "chips-say-which": (
        "Řečené číslo má víc významů, žetony říkají který: {amount}.",
        "The number has several meanings, and the chips say which: {amount}.",
    ),
    "highest-within-pot": (
        "Řečené číslo má víc významů: platí nejvyšší možný do výše banku {pot}, tedy {amount}.",
        "The number has several meanings: it is the highest one possible up to the pot of {pot}, {amount}.",
    ),
    "lowest-over-pot": (
        "Řečené číslo má víc významů a všechny možné převyšují bank {pot}: platí nejnižší, {amount}.",
        "The number has several meanings, all possible ones above the pot of {pot}: it is the lowest, {amount}.",
    ),
    "uncounted-bet": (
        "Vhozenou sázku nelze spočítat: komisař určí dorovnání, nebo žetony propadají do banku a hráč skládá.",
        "The bet thrown in cannot be counted: the floor makes it a call, or it is forfeited and the player folds.",
    ),
    "raise-said-too-little": (
        "Hráč řekl raise, ale {to} je málo: navyšuje se na {minimum}.",
        "Raise was said, but {to} is too little: it is to {minimum}.",
    ),
    "raise-of-chips": (
        "Hráč řekl raise předem: platí všechny přisunuté žetony.",
        "Raise was said first: all the chips pushed count.",
    ),
    "amount-is-the-call": ("Řečená částka je dorovnání.", "The amount that was said is the call."),
    # chips
    "nothing-to-call": (
        "Žetony beze slova nejsou navýšení a není co dorovnat: check.",
        "Chips without a word are no raise, and there is nothing to call: a check.",
    ),
    "opening-chips": ("Není co dorovnat: platí celá hodnota žetonů.", "With nothing to call, chips count in full."),
    "chips-are-the-call": ("Žetony jsou právě dorovnání.", "The chips are exactly the call."),
    "oversized-chip": (
        "Jeden větší žeton beze slova je dorovnání {call}.",
        "One oversized chip without a word is a call of {call}.",
    ),
    "several-chips": (
        "Více žetonů beze slova je dorovnání {call}.",
        "Several chips without a word are a call of {call}.",
    ),
    "every-chip-needed": (
        "Bez nejmenšího žetonu ({smallest}) by na dorovnání {call} nezbylo dost: je to dorovnání.",
        "Without the smallest chip ({smallest}) there is not enough for the call of {call}: it is a call.",
    ),
    "several-chips-raise": (
        "Žetonů je víc, než dorovnání potřebuje: navyšuje se na jejich hodnotu.",
        "There are more chips than the call needs: a raise to their value.",
    ),
    # too little
    "bet-below-minimum": (
        "Sázka {to} je pod minimem: doplní se na {minimum}.",
        "A bet of {to} is below the minimum: it is made up to {minimum}.",
    ),
    "half-or-more": (
        "Navýšení o {raise} je aspoň polovina z {full_raise}: doplní se na celé.",
        "A raise by {raise} is at least half of {full_raise}: it is made up to the full raise.",
    ),
    "less-than-half": (
        "Navýšení o {raise} je méně než polovina z {full_raise}: jen dorovnání nebo check.",
        "A raise by {raise} is less than half of {full_raise}: only a call or a check.",
    ),
    "less-than-a-raise": (
        "Navýšení o {raise} je méně než {full_raise}: jen dorovnání nebo check.",
        "A raise by {raise} is less than {full_raise}: only a call or a check.",
    ),
    "chips-pulled-back": (
        "Kdo sáhl na žetony, které před ním ležely, už neskládá: doplní se na dorovnání {call}.",
        "Who moved the chips that lay in front may not fold any more: they are made up to the call of {call}.",
    ),
    "undercall": (
        "Méně než dorovnání: doplní se na celé dorovnání {call}.",
        "Less than the call: it is made up to the full call of {call}.",
    ),
    "undercall-of-a-raise": (
        "Méně než dorovnání navýšené sázky: rozhodne komisař.",
        "Less than the call of a raise: the floor decides.",
    ),
    "raise-not-seen": (
        "Hráč neviděl navýšení: dorovná celé {call}, nebo složí a vložené žetony ztratí.",
        "The raise was not seen: a full call of {call}, or a fold that loses what was put in.",
    ),
    "raise-not-seen-again": (
        "Hráč opět nebo úmyslně přehlédl navýšení: rozhodne floorman.",
        "The raise was missed again or on purpose: the floor decides.",
    ),
    # what the betting allows
    "all-in-is-a-call": ("All-in do výše sázky je dorovnání.", "An all-in of no more than the bet is a call."),
    "nobody-has-chips-behind": (
        "Nikdo další nemá žetony: navyšovat nelze.",
        "Nobody else has chips behind: no raise is possible.",
    ),
    "raise-not-reopened": (
        "Krátký all-in sázení znovu neotevřel: hráč už nesmí navýšit.",
        "The short all-in did not reopen the betting: this player may not raise again.",
    ),
    "raise-capped": (
        "Po krátkém all-inu lze navýšit jen přesně na {only}.",
        "After a short all-in the only raise allowed is to exactly {only}.",
    ),
    # cards
    "cards-shown": (
        "Hráč ukázal karty, dokud se hrálo.",
        "The player showed cards while the hand was being played.",
    ),
    "cards-shown-again": (
        "Hráč opět nebo úmyslně ukázal karty, dokud se hrálo.",
        "The player showed cards again, or on purpose, while the hand was being played.",
    ),
    # turns
    "out-of-turn-withdrawn": (
        "Mimo pořadí: akce se bere zpět a hraje ten, kdo je na řadě.",
        "Out of turn: the action is taken back, and the player on turn acts.",
    ),
    "out-of-turn-waits": (
        "Mimo pořadí: akce platí, pokud ji přeskočený hráč nezmění.",
        "Out of turn: the action stands unless the skipped player changes it.",
    ),
    "out-of-turn-fold": ("Fold platí i mimo pořadí.", "A fold binds out of turn too."),
    "skipped": (
        "Hráč se neozval, než za ním hráli další: akce mimo pořadí platí a on smí jen checkovat, dorovnat nebo složit.",
        "The player said nothing until others had acted: their actions stand; only a check, call or fold is left.",
    ),
    "action-changed": (
        "Přeskočený hráč vsadil nebo navýšil: hráč má všechny možnosti.",
        "The skipped player bet or raised: all options are open.",
    ),
    "action-not-changed": (
        "Přeskočený hráč nic nezměnil: akce mimo pořadí platí.",
        "The skipped player changed nothing: the action out of turn stands.",
    ),
    "somebody-else-bet": (
        "Vsadil až někdo další: hráč má všechny možnosti.",
        "Somebody else has bet since: all options are open.",
    ),
    "nobody-bet": (
        "Nikdo nevsadil: kdo jednal mimo pořadí, musí checkovat.",
        "Nobody has bet: who acted out of turn must check.",
    ),
    "bet-is-larger": (
        "Sázka je vyšší než ta mimo pořadí: hráč má všechny možnosti.",
        "The bet is larger than the one out of turn: all options are open.",
    ),
    "bet-is-no-larger": (
        "Sázka není vyšší než ta mimo pořadí: hráč smí jen dorovnat nebo složit.",
        "The bet is no larger than the one out of turn: only a call or a fold is left.",
    ),
}
