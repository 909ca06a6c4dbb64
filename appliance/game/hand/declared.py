"""What a player said and pushed, and the action it binds them to (H-5 to H-10; TDA 40 to 53).

A declaration is what the dealer saw: words, chips, and which came first. `interpret` reads it by the profile's
switches into a `Binding` the hand always accepts from the player on turn; who is not, is `out_of_turn`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec.structs import replace

from appliance.game.hand.betting import Street, members
from appliance.game.hand.binding import Act, Binding
from appliance.game.hand.declaration import Chips, Declaration, verify_declaration
from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.unclear import meaning
from appliance.game.hand.wagers import call_meant, wagers_of


def interpret(hand: Hand, declaration: Declaration) -> Binding | Problem:
    """What the declaration of the player on turn binds them to, or why it is none."""
    if problem := hand.verify_fold(declaration.position) or verify_declaration(hand, declaration):
        return problem
    return Reading(hand, declaration).binding()


class Reading:
    """A declaration beside the street it was made on."""

    def __init__(self, hand: Hand, declaration: Declaration) -> None:
        self.hand, self.declared, self.rules = hand, declaration, hand.rules
        self.street: Street = hand.betting
        position = declaration.position
        self.before, self.stack = hand.bets[position], hand.stacks[position]
        self.all = self.before + self.stack
        self.to_call = self.street.to_call(position)
        self.pushed = declaration.pushed
        self.whole = False
        """All motions were one call, put together."""

    def binding(self) -> Binding | Problem:
        """Words count before chips, unless the chips moved first (TDA 40)."""
        declared = self.declared
        by_chips = declared.said is None or declared.chips_first
        said_how_much = declared.amount is not None or declared.meanings
        if declared.uncounted and (by_chips or (declared.said in ("bet", "raise") and not said_how_much)):
            return self._uncounted()
        lying = declared.lying if self.rules.silent_chips == "tda-45" else None
        if lying is not None and (by_chips or (declared.said == "fold" and sum(lying) < self.before)):
            return self._moved(lying)
        if by_chips:
            return self._silent()
        if declared.meanings:
            return self._unclear()
        match declared.said:
            case "fold":
                return self._bound("fold", self.before, "said-fold", rules=("TDA 40",))
            case "check":
                if self.to_call:
                    return Problem("cannot-check", {"call": self.to_call})
                return self._passive("said-check", ("TDA 40",))
            case "call":
                return self._called()
            case "all-in":
                return self._wager(self.all, "said-all-in", ("TDA 40",), raising=True)
            case "amount":
                return self._number(self._said_total())
            case _:
                return self._raised()

    # Words

    def _said_total(self) -> int:
        amount = self.declared.amount or 0
        return self.street.bet + amount if self.declared.by else amount

    def _unclear(self) -> Binding | Problem:
        """A number that may mean several amounts (TDA 57)."""
        said = self.declared
        found = meaning(self.hand, said.position, said.meanings, by=said.by, pushed=said.pushed)
        if isinstance(found, Problem):
            return found
        read = Reading(self.hand, replace(said, meanings=(), amount=found.amount)).binding()
        if isinstance(read, Problem):
            return read
        detail = {"amount": found.amount, "pot": found.pot}
        return replace(read, reason=found.why, detail=detail, rules=tuple(dict.fromkeys(("TDA 57", *read.rules))))

    def _called(self) -> Binding:
        pushed = self.declared.pushed
        if pushed < self.to_call and (pushed > 0 or self.declared.unseen) and self._missed_raise():
            return self._unseen()
        return self._passive("said-call", ("TDA 49", "TDA 51"))

    def _raised(self) -> Binding:
        """A raise or bet was said: to the number said with it, or to what the chips of one motion come to (H-7)."""
        if self.declared.amount is not None:
            return self._wager(self._said_total(), "said-amount", ("H-7", "TDA 43"), raising=True)
        first = sum(self.declared.chips)
        if not first:
            return self._wager(0, "said-raise", ("H-7", "TDA 42"), raising=True)
        return self._wager(self.before + first, "raise-of-chips", ("H-6", "TDA 44"), raising=True)

    def _number(self, to: int) -> Binding:
        """A number alone: what it comes to, by the rule of one half (H-7)."""
        if to < self.before + self.to_call and self.declared.pushed < self.to_call:
            return self._undercall(to)
        if self.to_call and to <= self.street.bet:
            return self._passive("amount-is-the-call", ("TDA 41",))
        return self._wager(to, "said-amount", ("H-7", "TDA 43"))

    # Chips

    def _silent(self) -> Binding:
        """Chips without a word; only the first motion counts (H-6, H-8)."""
        chips, rules = self.declared.chips, self.rules
        pushed = sum(chips)
        if pushed < self.to_call and self.declared.motions:  # a call may be put together; a raise may not
            chips, pushed = (), self.declared.pushed
            self.whole = pushed <= self.to_call
            if pushed >= self.to_call:
                return self._passive("chips-are-the-call", ("TDA 41",))
        value = self.before + pushed
        if not self.to_call:
            if self.street.bet and rules.silent_chips == "call":
                return self._passive("nothing-to-call", ("H-6",))
            return self._wager(value, "opening-chips", ("H-6", "TDA 44"))
        if pushed < self.to_call:
            return self._undercall(value)
        if pushed == self.to_call:
            return self._passive("chips-are-the-call", ("TDA 41",))
        if len(chips) == 1:
            return self._passive("oversized-chip", ("H-6", "TDA 44"), chip=chips[0])
        if rules.silent_chips == "call":
            return self._passive("several-chips", ("H-6",), chips=pushed)
        if rules.silent_chips == "tda-45" and pushed - min(chips) < self.to_call:
            return self._passive("every-chip-needed", ("H-6", "TDA 45"), chips=pushed, smallest=min(chips))
        return self._wager(value, "several-chips-raise", ("H-6", "H-7", "TDA 45"))

    def _moved(self, lying: Chips) -> Binding:
        """Chips of the bet before were pulled back, or cover the raise: with the new ones they are the bet (TDA 46)."""
        chips, call = (*lying, *self.declared.chips), self.before + self.to_call
        value, rules = sum(chips), ("TDA 46",)
        self.pushed = max(0, value - self.before)
        if value < call:
            return self._passive("chips-pulled-back", rules)
        if value == call:
            return self._passive("chips-are-the-call", rules)
        if len(chips) == 1:
            return self._passive("oversized-chip", rules, chip=value)
        if value - min(chips) < call:
            return self._passive("every-chip-needed", rules, chips=value, smallest=min(chips))
        return self._wager(value, "several-chips-raise", rules)

    def _uncounted(self) -> Binding | Problem:
        """A bet that nobody can count: the floor says what it is; in the league it may be forfeited (I-14)."""
        if self.rules.rulings != "cpl" or not self.declared.pushed:
            return Problem("uncounted-bet", {"ruling": "I-14"})
        call = self._passive("uncounted-bet", ("I-14",))
        return replace(call, decides="floor", options=("call", "fold"), at_stake=self.declared.pushed)

    def _undercall(self, to: int) -> Binding:
        """Less than the call, not said to be one (H-10, TDA 51)."""
        if self._missed_raise():
            return self._unseen()
        detail = {"call": self.to_call, "to": to}
        full = replace(self._passive("undercall", ("H-10", "TDA 51")), detail=detail, at_stake=self._meant())
        players = list(members(self.street.live))
        if len(players) <= 2 or len(wagers_of(self.hand)) <= 1:
            return full
        return replace(full, reason="undercall-of-a-raise", decides="floor", options=("call", "fold"))

    def _missed_raise(self) -> bool:
        """Whether there is a raise that was not seen, where that leaves a choice; of an opening bet the dealer says."""
        raised = len(wagers_of(self.hand)) > 1
        return self.rules.unseen_raise == "fold-or-call" and (raised or self.declared.unseen)

    def _unseen(self) -> Binding:
        """The raise was not seen: the call in full, or a fold that loses what is in; again: the floor says (H-10)."""
        call = replace(self._passive("raise-not-seen", ("H-10",)), at_stake=self._meant())
        if self.declared.repeated:
            options: tuple[Literal["call", "fold", "penalty"], ...] = ("call", "fold", "penalty")
            return replace(call, reason="raise-not-seen-again", decides="floor", options=options, penalty="floor")
        return replace(call, decides="player", options=("call", "fold"))

    def _meant(self) -> int:
        """What an undercall was meant to be: one chip larger than the bet that was seen, that bet; else all of it."""
        chips, pushed = self.declared.chips, self.declared.pushed
        one = len(chips) == 1 and not self.declared.motions
        return (call_meant(self.hand, self.declared.position, pushed) if one else None) or pushed

    # What it comes to

    def _passive(self, reason: str, rules: tuple[str, ...], **detail: int) -> Binding:
        """A call, or a check where there is nothing to call."""
        detail = {"call": self.to_call, **detail} if self.to_call else detail
        return self._bound("call" if self.to_call else "check", self.before + self.to_call, reason, detail, rules)

    def _wager(self, to: int, reason: str, rules: tuple[str, ...], *, raising: bool = False) -> Binding:
        """A bet or raise to as near this total as the betting allows (H-3, H-4, H-7); ``raising``: so it was said."""
        street, bet = self.street, self.street.bet
        if self.all <= bet:
            return self._passive("all-in-is-a-call" if to >= self.all else reason, (*rules, "H-4"))
        allowed = street.raise_range(self.declared.position)
        if isinstance(allowed, Problem):
            why = str(allowed.detail.get("reason", allowed.code))
            return self._passive(why, (*rules, "H-16" if why == "cards-shown" else "H-4"))
        if 0 < bet < street.terms.minimum_bet:
            rules = (*rules, "H-5")
        low, high = allowed.minimum, allowed.maximum
        act: Act = "raise" if bet else "bet"
        if to >= low:
            if to > high and high < self.all:
                return self._bound(act, high, "raise-capped", {"only": high}, (*rules, "H-4"))
            return self._bound(act, min(to, high), reason, {"to": min(to, high)}, rules)
        detail = {"to": to, "minimum": low}
        if not bet:
            why = "said-bet" if to == 0 else "bet-below-minimum"
            return self._bound(act, low, why, detail, (*rules, "H-3"))
        if raising:
            why = reason if to == 0 else "raise-said-too-little"
            return self._bound(act, low, why, detail, (*rules, "H-7"))
        full = street.terms.minimum_bet if street.capped else street.full_raise_to() - bet
        over = max(0, to - bet)
        detail = {"raise": over, "full_raise": full}
        if self.rules.underraise == "half" and 2 * over >= full:
            return self._bound(act, low, "half-or-more", detail, (*rules, "H-7", "TDA 43"))
        less = "less-than-half" if self.rules.underraise == "half" else "less-than-a-raise"
        return self._passive(less, (*rules, "H-7"), **detail)

    def _bound(
        self,
        action: Act,
        to: int,
        reason: str,
        detail: Mapping[str, Any] | None = None,
        rules: tuple[str, ...] = (),
    ) -> Binding:
        pushed, needed = self.pushed, to - self.before
        string = bool(self.declared.motions) and not self.whole
        return Binding(
            position=self.declared.position,
            action=action,
            to=to,
            put_in=needed,
            all_in=action != "fold" and 0 < needed == self.stack,
            pushed=pushed,
            returned=max(0, pushed - needed),
            due=max(0, needed - pushed),
            reason=reason,
            detail=detail or {},
            rules=tuple(dict.fromkeys((*rules, "H-8") if string else rules)),
            string_bet=string,
        )
