"""Czech and English: texts from gettext catalogues, plural forms, numbers and times as each language writes them.

The English text is the key of a message; the catalogues live in ``appliance/locale/<lang>/LC_MESSAGES``. A
`Translator` is a value: whoever draws a screen or a page holds one, nothing here is global. Amounts and names are
put in by field name, so that a translation may turn the sentence round.
"""

from __future__ import annotations

import datetime as dt
import gettext
from collections.abc import Callable, Mapping
from pathlib import Path

LANGUAGES = ("cs", "en")
DOMAIN = "tableside"
LOCALE_DIR = Path(__file__).parent / "locale"

NBSP = "\u00a0"
"""Keeps a number and its unit, or the groups of a number, on one line."""

_GROUP = {"cs": NBSP, "en": ","}
_POINT = {"cs": ",", "en": "."}


def N_(message: str) -> str:
    """Mark a message that stands in a table and is translated where it is used."""
    return message


class Translator:
    """Speaks one language. Raises `ValueError` for a language without a catalogue."""

    __slots__ = ("_catalogue", "lang")

    def __init__(self, lang: str) -> None:
        if lang not in LANGUAGES:
            raise ValueError(f"language {lang[:20]!r}: there are {', '.join(LANGUAGES)}")
        self.lang = lang
        self._catalogue = gettext.translation(DOMAIN, LOCALE_DIR, [lang])

    def __repr__(self) -> str:
        return f"Translator({self.lang!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Translator) and other.lang == self.lang

    def __hash__(self) -> int:
        return hash(self.lang)

    def gettext(self, message: str, **values: object) -> str:
        """The message in this language with ``{names}`` filled in."""
        return _sentence(self._catalogue.gettext(message).format(**values), values)

    def ngettext(self, one: str, many: str, n: int, **values: object) -> str:
        """The plural form for ``n``, which is also filled in as ``{n}`` with this language's separators."""
        return _sentence(self._catalogue.ngettext(one, many, n).format(n=self.number(n), **values), values)

    def number(self, n: int) -> str:
        """A whole number: 12 500 in Czech (no-break spaces), 12,500 in English."""
        return f"{n:,}".replace(",", _GROUP[self.lang])

    def decimal(self, text: str) -> str:
        """A decimal string such as points, "97.5", with this language's separators."""
        whole, _, fraction = text.partition(".")
        grouped = self.number(int(whole))
        return f"{grouped}{_POINT[self.lang]}{fraction}" if fraction else grouped

    def crowns(self, amount: int) -> str:
        """An amount of Czech crowns."""
        return self.gettext("CZK {amount}", amount=self.number(amount)).replace(" ", NBSP)

    def place(self, n: int) -> str:
        """A place in the results: 1. in Czech, 1st in English."""
        if self.lang == "cs":
            return f"{n}."
        last = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
        return f"{n}{last}"

    def date(self, day: dt.date) -> str:
        """Day and month: 15. 1. in Czech, 15 January in English."""
        if self.lang == "cs":
            return f"{day.day}.{NBSP}{day.month}."
        return f"{day.day}{NBSP}{_MONTHS[day.month - 1]}"

    def weekday(self, day: dt.date) -> str:
        """The day of the week in the form of "on Friday"."""
        return self.gettext(_ON_WEEKDAY[day.weekday()])

    def clock(self, moment: dt.datetime) -> str:
        """A time of day, in the 24-hour form that both languages use in Czech venues: 20:41."""
        return f"{moment.hour}:{moment.minute:02}"

    def refusal(self, code: str, detail: Mapping[str, object] | None = None) -> str:
        """Why the rules said no, as a sentence; an unknown code is named in a general one."""
        detail = detail or {}
        reasoned = _REASONED.get((code, str(detail.get("reason"))))
        precise = _PRECISE.get(code)
        if precise is not None and reasoned is None and detail.get("reason") != "":
            message, say, fields = precise
            told = {field: said for field in fields if isinstance(said := detail.get(field), int | str)}
            if len(told) == len(fields):
                return self.gettext(
                    message, **{name: say(self, said) if isinstance(said, int) else said for name, said in told.items()}
                )
        text = reasoned or _REFUSALS.get(code)
        return self.gettext(text) if text else self.gettext("Not possible now ({code}).", code=code[:40])


def _sentence(said: str, values: Mapping[str, object]) -> str:
    """One full stop where a name that ends in one, "Jan N.", ends the sentence."""
    dotted = any(isinstance(value, str) and value.endswith(".") for value in values.values())
    return said.replace("..", ".") if dotted else said


def duration(seconds: int) -> str:
    """A countdown: 0:05, 12:34, 1:02:34; below zero it stays at 0:00."""
    hours, rest = divmod(max(0, seconds), 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_ON_WEEKDAY = (
    N_("on Monday"),
    N_("on Tuesday"),
    N_("on Wednesday"),
    N_("on Thursday"),
    N_("on Friday"),
    N_("on Saturday"),
    N_("on Sunday"),
)

_REFUSALS = {
    # announcing
    "already-announced": N_("This round has been announced already."),
    "not-announced": N_("This round has not been announced."),
    "wrong-round": N_("This belongs to another round."),
    "already-open": N_("Registration is open already."),
    "cancelled": N_("The round is cancelled."),
    "not-a-tournament": N_("This profile is for cash games, not for a round."),
    "unknown-profile": N_("There is no such profile."),
    "small-blind": N_("The small blind does not fit the big blind."),
    "no-such-level": N_("There is no such level."),
    # entry
    "not-open": N_("Registration has not opened yet."),
    "registration-closed": N_("Registration is closed."),
    "round-full": N_("The round is full."),
    "too-few": N_("Too few players to start: three are needed."),
    "already-registered": N_("Already registered in this round."),
    "not-registered": N_("Not registered in this round."),
    "identity-not-checked": N_("The commissioner has to check identity first."),
    "under-age": N_("Only for people of eighteen and older."),
    "card-refused": N_("This card is not accepted."),
    "deposit-minimum": N_("The deposit is below the minimum."),
    "deposit-limit": N_("The deposit would exceed the limit for 24 hours."),
    "no-free-seat": N_("There is no free seat."),
    "shares-sum": N_("The prize shares do not add up to 100 %."),
    # play
    "not-in-play": N_("This player is not in play."),
    "seat-taken": N_("That seat is taken."),
    "no-such-seat": N_("There is no such seat."),
    "no-such-table": N_("There is no such table."),
    "not-at-table": N_("This player does not sit at this table."),
    "not-out": N_("This player is not out."),
    "by-oneself": N_("Nobody busts themselves."),
    "stacks-missing": N_("The chips of some players are missing."),
    "on-break": N_("There is a break now."),
    "not-on-break": N_("There is no break now."),
    "too-many": N_("Too many players remain for that."),
    "sit-out-not-allowed": N_("The rules of this round do not let anybody wait for the button."),
    "not-on-blind": N_("Only a player moved to the next small or big blind may wait for the button."),
    "already-absent": N_("This player is marked as away already."),
    "not-absent": N_("This player is not away."),
    "cannot-return": N_("So few tables are left that an absent player cannot come back."),
    "already-there": N_("The player sits there already."),
    "already-locked": N_("It is locked already."),
    "not-locked": N_("It is not locked."),
    "balanced": N_("The tables are even: nobody has to move."),
    "seat-locked": N_("Everybody at the fullest table has a fixed seat."),
    "move-pending": N_("Somebody was moved just now: the next hand comes first."),
    "last-table": N_("This is the only table."),
    "not-running": N_("The round is not running."),
    "already-running": N_("The round is running already."),
    "finished": N_("The round is over."),
    "waiting-for-tables": N_("Hand for hand: the other tables are still playing."),
    "hand-for-hand-on": N_("Hand-for-hand play is on already."),
    "hand-for-hand-off": N_("Hand-for-hand play is not on."),
    "hand-for-hand-minutes": N_("That is too much time for one hand."),
    "time-already-called": N_("Time has been called at this table already."),
    "no-time-call": N_("Nobody's time has been called at this table."),
    "time-left": N_("The player has time left."),
    "reentry-not-allowed": N_("This round has no re-entry."),
    "reentry-used": N_("The re-entry has been used already."),
    "bonus-card-not-allowed": N_("This round has no bonus card."),
    "bonus-card-used": N_("A bonus card has been used already."),
    "holding-cards": N_("Not while holding cards."),
    "chip-up-not-allowed": N_("This round has no bonus stack."),
    "chip-up-automatic": N_("The bonus stack comes by itself with the first break."),
    "chip-up-used": N_("The bonus stack has been given already."),
    "deal-not-allowed": N_("The rules of this round do not allow a deal."),
    "deal-not-unanimous": N_("A deal needs the consent of every remaining player."),
    "deal-sum": N_("The amounts of the deal do not add up to the prizes."),
    "amounts-missing": N_("The deal gives some players no amount."),
    "already-dealt": N_("A deal has been made already."),
    "deal-made": N_("Not after a deal."),
    "already-void": N_("This participation is void already."),
    "sit-out-length": N_("Sitting out takes a number of hands or of minutes, not both."),
    # the chip race
    "bad-denomination": N_("The larger chip must be worth several of the small ones."),
    "too-many-cards": N_("So many cards cannot be dealt: change up to a smaller chip first."),
    "cards-count": N_("Every odd chip takes one card, no more and no fewer."),
    "not-a-card": N_("That is no card of the deck."),
    "already-coloured-up": N_("This chip has been changed up at this table already."),
    # the floor
    "already-paid": N_("A prize that this would change has been paid already."),
    "no-prize-yet": N_("There is no prize to pay yet."),
    "prize-not-final": N_("Not yet: late entries can still change this place."),
    "prize-exceeded": N_("That is more than the prize."),
    "nothing-to-undo": N_("There is nothing to undo."),
    "nothing-to-redo": N_("There is nothing to redo."),
    "stale": N_("Something else happened meanwhile: look again."),
    # the floor menu
    "incomplete": N_("Something has still to be given."),
    "out-of-bounds": N_("That number cannot be."),
    "cannot-take-over": N_(
        "Not from here: switch the director on, check its plug; if that fails, call whoever looks after the devices."
    ),
    "not-in-hosts": N_(
        "The others would not find this device: it does not stand in lan.hosts. Take over at one that does."
    ),
    "another-directs": N_("Another device took over meanwhile."),
    "unreadable-entry": N_("What was asked then cannot be read any more: enter it anew, and say here that it is void."),
    "no-room": N_("There is too little room on this device's disk to direct: take over at another one."),
    "takeover-failed": N_("This device could not take over: try again, or at another one."),
    # a device that asks to be let in
    "wrong-code": N_("That is not the code on its screen: it shows another one now."),
    "codes-used-up": N_("Three wrong codes: wait five minutes, then look at its screen again."),
    "device-silent": N_("The device does not answer: look at its screen."),
    "table-taken": N_("That table has a device that is there."),
    "device-known": N_("This device has its place already: the league has enrolled it."),
    "device-revoked": N_("The league has revoked this device."),
    "name-taken": N_("Another device of this venue has this device's name."),
    "too-many-devices": N_("Too many devices ask there at once."),
    "bad-certificate": N_("This device's program does not fit that venue's: bring both to one version."),
    "not-adopted": N_("Only a device that was let in here can be dropped here: others are the league's to revoke."),
    # the device
    "not-authorised": N_("This is for the commissioner to do."),
    "no-answer": N_("The director does not answer."),
    "storage": N_("This device could not store it: try again."),
    # phones
    "moved-on": N_("The state has moved on: look again."),
    "phone-gone": N_("This phone is not signed in, or its time to be is over."),
    "phone-late": N_("No phone came in time, or nobody said that it was theirs: begin anew."),
    "too-many-phones": N_("Too many phones are signed in, or on their way to be."),
    "no-console": N_("No phone can come: the director does not serve them its pages."),
    "not-directing": N_("The director is still asking what the other devices have: try again in a moment."),
    "table-away": N_("That table's device does not answer: is it switched on?"),
    # the hand
    "not-your-turn": N_("It is another player's turn."),
    "nothing-to-call": N_("There is nothing to call."),
    "cannot-check": N_("There is a bet to call: no check."),
    "raise-too-small": N_("The bet or raise is below the minimum."),
    "raise-not-reopened": N_("The betting was not reopened for this player."),
    "raise-capped": N_("Only a raise by exactly the minimum bet is allowed."),
    "not-enough-chips": N_("Not enough chips."),
    "card-repeated": N_("The same card twice."),
    "hand-over": N_("The hand is over."),
    "bad-notation": N_("The notation could not be read."),
    # the hand at a table
    "wrong-hand": N_("This belongs to another hand."),
    "hand-begun": N_("This hand or a later one has begun already."),
    "choice-open": N_("The rules leave a choice here: press Call or Fold."),
    "on-turn": N_("This player is on turn."),
    "out-of-turn-kept": N_("This player has acted out of turn already: it waits for their turn."),
    "bound-by-earlier": N_("This player is bound by what they did out of turn."),
    "call-or-fold": N_("This player may not bet or raise now."),
    "unclear-amount": N_("It is not clear how much was said: the commissioner decides."),
    "uncounted-bet": N_("This bet cannot be counted: the commissioner decides."),
    "hand-in-doubt": N_("This version cannot follow the hand: take the last step back, or count the chips."),
    "no-chips": N_("The stack of a player in the hand is not known."),
    "hand-unfollowed": N_("A hand was not followed: the stacks have to be counted."),
    "stacks-differ": N_("The round has other stacks than the last hand left."),
    "count-carried": N_("The count is taken into the hand, as the stacks it began with."),
    "count-too-late": N_("The count does not fit what was bet in the hand."),
    "last-hand-finished": N_("The round is over. To mend the last hand, the commissioner opens it again: undo."),
    "dealt-otherwise": N_("The round has another button, other blinds or another level for that hand."),
    "twice-in-hand": N_("The same player twice in one hand."),
    "needs-reinstating": N_("This player is out by mistake: the commissioner has to bring them back."),
    # the dealer's keys
    "not-on-turn": N_("It is another player's turn."),
    "not-dealt-in": N_("Nobody in the hand sits there."),
    "seat-missed": N_("Nobody sits in the chosen seat: press again to go on."),
    "acted-again": N_("Recorded. For the player on turn press again."),
    "chips-odd": N_("No chips in play make this amount: press again if it is right."),
    "key-idle": N_("This key does nothing now."),
    "nobody-absent": N_("Nobody who was absent can still come back to their cards."),
    "cards-later": N_("A player's cards are told before the first action or after the betting."),
    "cards-open": N_("Cards are being typed: the rank, then the suit. Back ends it."),
    "winners-open": N_("Choose the seats that win this pot. Back ends it."),
    "not-followed": N_("No hand is being followed here now."),
    "amount-first": N_("Type the amount first."),
    "amounts-first": N_("Type the amounts that it may mean first, with + between them."),
    "seat-first": N_("Choose a seat first."),
    "winner-first": N_("Choose who wins this pot first."),
    "board-first": N_("The next cards of the board come first."),
    "board-incomplete": N_("The board is not complete: press again to award the pots without it."),
    "betting-goes-on": N_("The betting is not over yet."),
    "showdown-on": N_("The betting is over: cards are shown, or the winners chosen."),
    "cards-wanted": N_("That is not the number of cards that come now."),
    "not-in-pot": N_("This player cannot win this pot."),
    "waits-for-director": N_("Waiting for the director: play on, hands are kept here until it is back."),
    "all-in-shows": N_("After an all-in all hands are shown: nobody mucks."),
    "winners-of-pots": N_("Every pot needs those who won it."),
    "not-eligible": N_("This player cannot win this pot."),
    "ruling-incomplete": N_("Something is missing in the ruling."),
    "no-such-ruling": N_("There is no such ruling."),
    "fact-not-asked": N_("The ruling does not ask for that."),
    "no-such-answer": N_("The ruling has no such answer."),
    # the cash table
    "already-opened": N_("This table has been opened already."),
    "not-opened": N_("This table has not been opened."),
    "wrong-session": N_("This belongs to another session."),
    "closed": N_("The session is over."),
    "not-a-cash-game": N_("This profile is for tournaments, not for a cash table."),
    "buy-in-bounds": N_("These bounds of a buy-in make no game."),
    "buy-in-minimum": N_("The buy-in is below the table's minimum."),
    "buy-in-maximum": N_("That is more than the table's maximum buy-in."),
    "already-seated": N_("This player has a seat at this table already."),
    "not-seated": N_("This player has no seat at this table."),
    "already-waiting": N_("This player is on the waiting list already."),
    "not-waiting": N_("This player is not on the waiting list."),
    "not-called": N_("This player has not been called yet."),
    "nobody-waits": N_("Nobody is waiting to be called."),
    "table-full": N_("There is no free seat to call anybody to."),
    "waiting-list": N_("Others on the waiting list come first."),
    "list-full": N_("The waiting list is full."),
    "already-in": N_("This player is dealt in anyway."),
    "button-not-sold": N_("The button cannot be bought here."),
    "button-out-of-reach": N_("The button is bought from between the button and the small blind only."),
    "button-bought": N_("Somebody else buys the button in this hand."),
    "button-placed": N_("The button is in place already."),
    "button-at-nobody": N_("The button goes to a player who is dealt in."),
    "too-few-to-deal": N_("Fewer than two players can be dealt in."),
    "no-hand": N_("No hand is being played."),
    "result-missing": N_("The result of the hand is missing: give it, or drop the hand."),
    "hand-in-play": N_("A hand is being played: its result comes first."),
    "not-in-hand": N_("This player is not in the hand."),
    "chips-differ": N_("The chips do not add up."),
    "rake-limit": N_("That is more rake than this table takes."),
    "straddle-not-allowed": N_("There are no straddles here."),
    "straddle-limit": N_("This table allows no more straddles."),
    "straddle-order": N_("Straddles follow each other from the player after the big blind."),
    "rabbit-not-allowed": N_("The cards to come are not shown here."),
    "consent-missing": N_("Not all players in the hand agree."),
}
"""Every refusal code and its sentence."""

_REASONED: dict[tuple[str, str], str] = {
    ("raise-not-reopened", "nobody-has-chips-behind"): N_("Nobody else has chips behind: no raise is possible."),
    ("deposit-limit", "no-allowance"): N_(
        "No deposit yet: the league has not said how much this person may still deposit here. Try again in a while."
    ),
    ("takeover-failed", "disk-full"): N_("The disk of this device is full: take over at another one."),
    ("takeover-failed", "not-found"): N_(
        "This device could not take over: is it one of lan.hosts? Try again, or at another one."
    ),
    ("raise-not-reopened", "cards-shown"): N_("This player has shown cards and may not raise."),
}
"""Of a code that has several reasons: those that the plain sentence does not fit."""

_PRECISE: dict[str, tuple[str, Callable[[Translator, int], str], tuple[str, ...]]] = {
    "out-of-bounds": (N_("It has to be a number from {least} to {most}."), Translator.number, ("least", "most")),
    "deposit-limit": (
        N_("Deposits of one person are limited to {limit} in 24 hours; {left} is left."),
        Translator.crowns,
        ("limit", "left"),
    ),
    "another-directs": (N_("Another device took over meanwhile: {device}."), Translator.number, ("device",)),
    "takeover-failed": (
        N_("This device could not take over: try again, or at another one. Its director said last: {reason}"),
        Translator.number,
        ("reason",),
    ),
    "wrong-code": (
        N_("That is not the code on its screen: it shows another one now. Tries left: {left}."),
        Translator.number,
        ("left",),
    ),
    "table-taken": (N_("That table has a device that is there: {device}."), Translator.number, ("device",)),
    "deposit-minimum": (N_("The deposit is at least {minimum}."), Translator.crowns, ("minimum",)),
    "prize-exceeded": (N_("Of the prize, {left} is still to be paid."), Translator.crowns, ("left",)),
    "round-full": (N_("The round is full: all {capacity} places are taken."), Translator.number, ("capacity",)),
    "moved-in-hand": (
        N_("This player was moved in mid-hand and has {chips} after it: the commissioner has to enter the stack."),
        Translator.number,
        ("chips",),
    ),
    "needs-reinstating": (
        N_("{who} is out by mistake: the commissioner reinstates them, then the next hand can begin."),
        Translator.number,
        ("who",),
    ),
    "hand-unfollowed": (
        N_("Hand {hand} was not followed: this one is tracked once the commissioner has counted the stacks."),
        Translator.number,
        ("hand",),
    ),
    "stacks-differ": (
        N_("The round has other stacks than hand {hand} left: the next hand begins with those of the round."),
        Translator.number,
        ("hand",),
    ),
    "count-carried": (
        N_("The commissioner's count is taken into hand {hand}, as the stacks it began with."),
        Translator.number,
        ("hand",),
    ),
    "count-too-late": (
        N_("The count does not fit what was bet in hand {hand}: it is followed no longer. Count again after it."),
        Translator.number,
        ("hand",),
    ),
    "no-chips": (
        N_("The stack of {who} is not known: this hand is tracked once the commissioner has entered it."),
        Translator.number,
        ("who",),
    ),
    "not-on-turn": (
        N_("Seat {turn} is on turn. If seat {seat} acts out of turn, press again."),
        Translator.number,
        ("turn", "seat"),
    ),
    "not-dealt-in": (N_("Nobody in the hand sits in seat {seat}."), Translator.number, ("seat",)),
    "seat-missed": (
        N_("Nobody sits in the chosen seat. If it is seat {turn}, press again."),
        Translator.number,
        ("turn",),
    ),
    "acted-again": (
        N_("Recorded. If seat {turn} does the same, press again."),
        Translator.number,
        ("turn",),
    ),
    "chips-odd": (
        N_("The smallest chip is {unit}. If it is right, press again."),
        Translator.number,
        ("unit",),
    ),
    "raise-too-small": (N_("The bet or raise is to {minimum} at least."), Translator.number, ("minimum",)),
    "raise-capped": (N_("Only a raise to {only} is allowed, neither more nor less."), Translator.number, ("only",)),
    "not-enough-chips": (N_("Not enough chips: {total} in all at most."), Translator.number, ("total",)),
    "betting-goes-on": (N_("The betting is not over: seat {turn} is on turn."), Translator.number, ("turn",)),
    "ruling-incomplete": (N_("What is missing in the ruling: {field}."), Translator.number, ("field",)),
    "fact-not-asked": (N_("The ruling does not ask for {field}."), Translator.number, ("field",)),
    "no-such-answer": (N_("The ruling has no such answer to {field}."), Translator.number, ("field",)),
    "result-missing": (
        N_("The result of hand {hand} is missing: give it, or drop the hand."),
        Translator.number,
        ("hand",),
    ),
    "cards-wanted": (N_("Number of cards that come now: {wanted}."), Translator.number, ("wanted",)),
    "not-in-pot": (N_("Seat {seat} cannot win this pot."), Translator.number, ("seat",)),
    "too-few": (
        N_("Too few players to start: {registered} of at least {minimum}."),
        Translator.number,
        ("registered", "minimum"),
    ),
    "buy-in-minimum": (
        N_("The buy-in is at least {minimum} chips."),
        Translator.number,
        ("minimum",),
    ),
    "buy-in-maximum": (
        N_("At most {left} chips can be bought now."),
        Translator.number,
        ("left",),
    ),
    "buy-in-bounds": (
        N_("The smallest buy-in is at least the big blind ({bb}) and at most the largest; not {minimum} to {maximum}."),
        Translator.number,
        ("minimum", "maximum", "bb"),
    ),
    "nothing-to-undo": (N_("So much cannot be undone; available: {available}."), Translator.number, ("available",)),
    "nothing-to-redo": (N_("So much cannot be redone; available: {available}."), Translator.number, ("available",)),
    "chips-differ": (
        N_("The chips do not add up: {expected} expected, {counted} counted."),
        Translator.number,
        ("expected", "counted"),
    ),
}
"""What is said instead where the refusal brings these amounts; how they are written."""
