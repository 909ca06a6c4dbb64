"""What each prompt and each notice says, in words; a prompt with a headline, lines, an icon and a tone."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from appliance.display import notice as n
from appliance.display import prompt as p
from appliance.display.card_words import refused_card
from appliance.display.hand_text import with_seat
from appliance.display.said import Message
from appliance.display.view import PromptView
from appliance.floor.said import say
from appliance.game.rulings.book import TITLES
from appliance.game.rulings.labels import OUTCOMES
from appliance.game.rulings.model import Code
from appliance.game.rulings.words import Lang
from appliance.i18n import NBSP, Translator

PIN_DOT, PIN_NONE = "● ", "–"
"""A PIN on the glass: how many digits there are, and nothing else of it."""

_RULED_MOST = 100
"""So many characters of what the commissioner decided are shown."""


def message(view: PromptView, tr: Translator) -> Message:
    """Say a prompt in a language; of a card that could be a copy, that somebody must look who holds it."""
    said = _message(view, tr)
    if not getattr(view.prompt, "weak", False):
        return said
    return said._replace(tone="wait", small=tr.gettext("Weak card: the commissioner must check who holds it."))


def _message(view: PromptView, tr: Translator) -> Message:
    who = view.who or ""
    match view.prompt:
        case p.CheckIdentity(deposit=deposit):
            check = tr.gettext("The commissioner checks identity, takes the deposit and taps to confirm.")
            lines = (*_chips(tr, view.chips), check)
            owed = (tr.gettext("Deposit"), tr.crowns(deposit))
            return Message("person", "wait", who, lines, figure=_deposit(tr, deposit), owed=owed)
        case p.Waiting():
            return Message("wait", "wait", tr.gettext("One moment…"), _named(who))
        case p.Registered(deposit=deposit, chips=chips, one_copy=one_copy):
            small = tr.gettext("One copy only: the records are on one device") if one_copy else ""
            lines = (*_named(who), *_chips(tr, chips), _seats_later(tr))
            return Message("check", "good", tr.gettext("Registered"), lines, small, _deposit(tr, deposit))
        case p.AlreadyRegistered() if view.next_round_at is not None:
            return _moved(view.next_round_at, who, tr)
        case p.AlreadyRegistered():
            return Message("check", "good", tr.gettext("Already registered"), (*_named(who), _seats_later(tr)))
        case p.YourSeat(table=table, seat=seat_number):
            title = tr.gettext("Table {table}, seat {seat}", table=table, seat=seat_number)
            return Message("seat", "good", title, _named(who))
        case p.YourResult(place=place, prize=prize):
            title = tr.gettext("{place} place", place=tr.place(place))
            if not prize:
                return Message("flag", "plain", title, _named(who))
            won = tr.gettext("Prize {amount}", amount=tr.crowns(prize))
            return Message("check", "good", title, _named(who), figure=won)
        case p.Done(what=what):
            return Message("check", "good", tr.gettext("Done"), (say(what, tr),))
        case p.CommissionerAccepted():
            return Message(
                "check",
                "good",
                tr.gettext("Commissioner's card accepted"),
                (who, tr.gettext("Nobody is waiting for an identity check.")),
            )
        case p.EnterPin() | p.PinRefused() | p.TopUp() | p.ToppedUp():
            return _at_the_desk(view, who, tr)
        case other:
            return _refusal(other, view, tr)


def _confirmed(view: PromptView, tr: Translator) -> tuple[str, ...]:
    """What a PIN confirms, where somebody waits behind it."""
    if view.confirms is None or not isinstance(view.prompt, p.EnterPin):
        return ()
    if view.prompt.amount:
        amount = tr.crowns(view.prompt.amount)
        return (tr.gettext("Confirms a deposit raised by {amount}: {who}", amount=amount, who=view.confirms),)
    return (tr.gettext("Confirms the registration: {who}", who=view.confirms),)


def _at_the_desk(view: PromptView, who: str, tr: Translator) -> Message:
    """What commissioner and participant do together: a PIN, a raise of the deposit."""
    match view.prompt:
        case p.EnterPin(typed=typed, left=left, turned=turned):
            asked = tr.gettext("Commissioner's PIN of 6 to 12 digits, then Enter")
            if view.pin_keys:
                asked = tr.gettext("Commissioner's PIN of 6 to 12 digits, then ✓")
            wrong = tr.ngettext("Wrong PIN: {n} attempt left", "Wrong PIN: {n} attempts left", left) if left else ""
            figure = PIN_DOT * typed or PIN_NONE
            if turned is not None:
                figure = f"{PIN_DOT * typed}‹{NBSP}{turned}{NBSP}›"
            return Message("lock", "bad" if wrong else "wait", who, (*_confirmed(view, tr), asked), wrong, figure)
        case p.PinRefused(why="locked", minutes=minutes):
            wait = tr.ngettext("Too many wrong PINs. Try again in {n} minute.",
                               "Too many wrong PINs. Try again in {n} minutes.", minutes)  # fmt: skip
            return Message("lock", "bad", tr.gettext("PIN locked"), (*_named(who), wait))
        case p.PinRefused():
            none = tr.gettext("This card cannot prove itself, and the league knows no PIN for it.")
            return Message("lock", "bad", tr.gettext("No PIN"), (*_named(who), none))
        case p.TopUp(amount=amount, chips=chips, left=left):
            most = tr.gettext("at most {amount}", amount=tr.crowns(left))
            check = tr.gettext("The commissioner takes the deposit and taps to confirm.")
            more = tr.gettext("Deposit + {amount}", amount=tr.crowns(amount))
            owed = (tr.gettext("Deposit raised by"), tr.crowns(amount))
            return Message("person", "wait", who, (*_chips(tr, chips), check), most, more, owed)
        case p.ToppedUp(amount=amount, chips=chips):
            more = tr.gettext("Deposit + {amount}", amount=tr.crowns(amount))
            return Message(
                "check", "good", tr.gettext("Deposit raised"), (*_named(who), *_chips(tr, chips)), figure=more
            )
    return Message("attention", "bad", who)


def _refusal(prompt: p.Prompt, view: PromptView, tr: Translator) -> Message:
    who = view.who or ""
    match prompt:
        case p.CardRefused(code=code, hand_in=hand_in):
            return refused_card(code, hand_in, tr)
        case p.UnreadableCard():
            return Message(
                "again",
                "wait",
                tr.gettext("Tap again"),
                (tr.gettext("The card could not be read. Hold it still for a moment."),),
            )
        case p.WrongEvening():
            at = view.next_round_at
            if at is not None and view.next_round_today:
                starts = tr.gettext("We start at {time}", time=tr.clock(at))
                return Message("wait", "wait", tr.gettext("Registration has not opened yet"), (starts,))
            none = tr.gettext("There is no round to register for now.")
            if at is None:
                return Message("day", "plain", tr.gettext("Not tonight"), (none,))
            day = f"{tr.weekday(at)} {tr.date(at)}"
            starts = tr.gettext("We start at {time}", time=tr.clock(at))
            return Message("day", "plain", tr.gettext("We play {day}", day=day), (starts, none))
        case p.Refused(code=code, detail=detail):
            who = with_seat(who, view.seat, tr) if who else who
            reason = tr.refusal(code, {**detail, "who": who} if who else detail)
            return Message("cross", "bad", tr.gettext("Not accepted"), (*_named(who), reason))
        case p.NoAnswer():
            return Message(
                "attention",
                "bad",
                tr.gettext("No answer"),
                (tr.gettext("The director did not answer."), tr.gettext("Please tap again, or see the commissioner.")),
            )
    return Message("attention", "bad", tr.gettext("Not accepted"), _named(who))


def notice_text(notice: n.Notice, tr: Translator) -> str:
    """Say a notice in a language."""
    match notice:
        case n.BelowMinimum(registered=registered, minimum=minimum):
            return tr.ngettext(
                "{n} registered, at least {minimum} needed; else the league may cancel or move the round",
                "{n} registered, at least {minimum} needed; else the league may cancel or move the round",
                registered,
                minimum=tr.number(minimum),
            )
        case n.Balance(from_table=fullest, to_table=emptiest):
            return tr.gettext(
                "Balance the tables: a player moves from table {fullest} to table {emptiest}",
                fullest=fullest,
                emptiest=emptiest,
            )
        case n.TableShort(short=short):
            return tr.ngettext(
                "Play halts at this table: {n} player fewer than at the fullest",
                "Play halts at this table: {n} players fewer than at the fullest",
                short,
            )
        case n.LonePlayer():
            return tr.gettext("Only one player sits at this table: call the commissioner, please")
        case n.ChipsDiffer(counted=counted, expected=expected):
            return tr.ngettext(
                "For the commissioner: {n} chip counted, {expected} expected",
                "For the commissioner: {n} chips counted, {expected} expected",
                counted,
                expected=tr.number(expected),
            )
        case n.ColourUpDue(denomination=chip, to=to):
            return tr.gettext(
                "Chips of {small} no longer needed: colour up to {large}",
                small=tr.number(chip),
                large=tr.number(to),
            )
        case n.BonusStack(chips=chips):
            return tr.ngettext(
                "Bonus stack: {n} chip for everybody still in", "Bonus stack: {n} chips for everybody still in", chips
            )
        case n.WaitsForTables(tables=tables):
            return tr.ngettext(
                "Hand for hand: before the next hand wait for table {tables}",
                "Hand for hand: before the next hand wait for tables {tables}",
                len(tables),
                tables=", ".join(map(str, tables)),
            )
        case n.GuaranteeVoid(guarantee=guarantee, minimum=minimum):
            return tr.gettext(
                "The guarantee of {amount} does not hold: fewer than {minimum} were registered at the start",
                amount=tr.crowns(guarantee),
                minimum=tr.number(minimum),
            )
        case n.Ruled():
            return _ruled(notice, tr)
        case n.FloorCalled(table=table, about="time"):
            return tr.gettext("Table {table} asks the floor for time", table=table)
        case n.FloorCalled(table=table):
            return tr.gettext("Table {table} calls the floor", table=table)
        case n.PrinterStands(why="paper-out"):
            return tr.gettext("The printer is out of paper: put in a new roll")
        case n.PrinterStands():
            return tr.gettext("The printer does not print: check its cable and its switch")


def _ruled(ruled: n.Ruled, tr: Translator) -> str:
    """The ruling with what it is about, and what follows: in the commissioner's own words where there are any."""
    lang: Lang = "cs" if tr.lang == "cs" else "en"
    if ruled.hand is None:
        head = tr.gettext("Ruling {ruling}", ruling=ruled.ruling)
    else:
        head = tr.gettext("Ruling {ruling} (hand {hand})", ruling=ruled.ruling, hand=tr.number(ruled.hand))
    title = TITLES[ruled.ruling].say(lang) if ruled.ruling in TITLES else ""
    follows = {code: words.say(lang) for code, words in OUTCOMES.items()}.get(cast("Code", ruled.outcome), "")
    words = " ".join((ruled.decision or follows).split())
    words = words if len(words) <= _RULED_MOST else words[: _RULED_MOST - 1].rstrip() + "…"
    about = " – ".join(filter(None, (title, words)))
    return f"{head}: {about}" if about else head


def _named(who: str) -> tuple[str, ...]:
    return (who,) if who else ()


def _seats_later(tr: Translator) -> str:
    """What to do next, before the start."""
    return tr.gettext("Seats are drawn at the start: tap again then.")


def _moved(at: datetime, who: str, tr: Translator) -> Message:
    """To a registered player of a round that was moved: when it is played, and that the registration stands (LG-2)."""
    when = f"{tr.weekday(at)} {tr.date(at)}"
    day = tr.gettext("We play {day}", day=when)
    starts = tr.gettext("We start at {time}", time=tr.clock(at))
    stands = tr.gettext("You stay registered. Who cannot come then sees the commissioner.")
    return Message("day", "good", day, (*_named(who), starts, stands))


def _deposit(tr: Translator, amount: int) -> str:
    return tr.gettext("Deposit {deposit}", deposit=tr.crowns(amount))


def _chips(tr: Translator, chips: int) -> tuple[str, ...]:
    return (tr.ngettext("{n} chip", "{n} chips", chips),) if chips else ()
