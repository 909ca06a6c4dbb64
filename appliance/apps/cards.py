"""``tableside cards …``: the issuing desk. Issues, checks, replaces, revokes and wipes cards, and keeps their keys."""

from __future__ import annotations

import argparse
import datetime as dt
import io
import logging
import re
import sys
from collections.abc import Callable
from pathlib import Path

from appliance import nodump
from appliance.apps import cards_keys, cards_readers, passphrase
from appliance.apps.cards_keys import BadInput, goes_on, held, note_key
from appliance.cards.originality import NXP_NTAG21X, PublicKey
from appliance.desk import checking, ledger, simulated
from appliance.desk.checking import Report
from appliance.desk.converge import Step
from appliance.desk.desk import Desk, Done, Refused
from appliance.desk.keyfile import KeyFileError
from appliance.desk.keys import DeskKeys
from appliance.desk.ledger import DeskCard, Ledger, LedgerError
from appliance.desk.session import GaveUp
from appliance.hw.ports import Channel

_REASONS = {"replace": ("lost", "stolen", "damaged", "replaced"), "revoke": ("revoked", "lost", "stolen", "damaged")}
_STEPS = {
    Step.PROVE: "key {}: proved",
    Step.FILE: "file {}: written",
    Step.SETTINGS: "file {}: rights",
    Step.KEY: "key {}: changed",
    Step.LAST_KEY: "key {}: changed, the last",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The action and its card."""
    parser.add_argument(
        "--rehearse", action="store_true", help="the whole ceremony with simulated cards and throw-away keys"
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    issue = _action(actions, "issue", "make the card on the reader a participant's; the same again resumes")
    replace = _action(actions, "replace", "issue a new card; the valid one is withdrawn")
    for made in (issue, replace):
        made.add_argument("participant", help="the registration number")
        made.add_argument(
            "--other-form", action="store_true", help="the number is right, with more or fewer digits than the others"
        )
    replace.add_argument("--reason", choices=_REASONS["replace"], required=True, help="why the old one is")
    _action(actions, "verify", "what a kiosk says of the card on the reader, and every key")
    _action(actions, "wipe", "make the card on the reader blank again, with proof")
    revoke = _action(actions, "revoke", "take a card back, whether it is here or not", reader=False)
    revoke.add_argument("whose", metavar="PARTICIPANT|UID", help="the registration number, or the card's UID")
    revoke.add_argument("--reason", choices=_REASONS["revoke"], default="revoked")
    blank = actions.add_parser("blank", help="make a blank simulated card: a file for --simulated or a kiosk's wallet")
    blank.add_argument("file", type=Path, help="the card's file, NAME.json; never over one that is there")
    blank.add_argument("--chip", choices=("ntag424", "ntag213", "ntag215", "ntag216"), default="ntag424")
    cards_keys.add_arguments(actions.add_parser("keys", help="make and look at the key file"))


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, help: str, *, reader: bool = True
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=help, description=help)
    action.add_argument("--keys", type=Path, required=True, metavar="FILE", help="the key file")
    action.add_argument("--who", default=passphrase.user(), help="who does it, for the ledger; default: the user")
    action.add_argument("--league", action="store_true", help="tell the league at once; it must be on this machine")
    if reader:
        passphrase.add_argument(action)
        cards_readers.add_arguments(action)
    return action


def run(args: argparse.Namespace) -> int:
    """Do it; 1 for a refusal or a card that did not come, 2 on bad input."""
    nodump.no_core_dumps()
    logging.getLogger("appliance.hw").setLevel(logging.ERROR)  # the desk says itself what its reader is up to
    try:
        if args.rehearse:
            from appliance.apps.cards_rehearsal import rehearse

            return rehearse()
        match args.action:
            case None:
                raise BadInput("what is to be done? --help lists it")
            case "keys":
                return cards_keys.run(args)
            case "blank":
                cards_readers.make_blank(args.file, args.chip)
                return 0
            case "revoke":
                code = _revoke(args)
            case _:
                code = _at_the_reader(args)
        return _tell_league(ledger.beside(args.keys)) if args.league and code == 0 else code
    except (Refused, GaveUp) as error:
        return _said(error, 1)
    except (BadInput, KeyFileError, LedgerError) as error:
        return _said(error, 2)


def _said(error: Exception, code: int) -> int:
    print(f"tableside cards: {error}", file=sys.stderr)
    return code


def _at_the_reader(args: argparse.Namespace) -> int:
    participant = getattr(args, "participant", None)
    if participant is not None and not re.fullmatch("[0-9]{1,12}", participant):
        raise BadInput(f"{participant[:40]!r} is no registration number: 1 to 12 digits")
    if participant is not None and args.league:
        _asked_league(participant)
    reader = cards_readers.chosen(args)
    maker = simulated.maker() if args.simulated else NXP_NTAG21X
    with held(args.keys, args.passphrase_file, args.who) as (keys, _, book):
        if participant is not None:
            goes_on(book, args.keys)
            if not args.other_form:
                _of_the_usual_form(participant, book)
        if book.book.key:
            note_key(book, keys)
        desk = Desk(keys, book, dt.date.today, _say, (maker,))
        job = _job(args, desk, keys, book, maker)
        outcome = cards_readers.at(reader, job, _tell, args.timeout)
    if isinstance(outcome, Report):
        return _reported(outcome)
    _print_done(args.action, outcome)
    return 0


def _of_the_usual_form(participant: str, book: Ledger) -> None:
    """A number with digits left out makes a card of nobody. Raises `BadInput` for one unlike all the others."""
    others = {len(card.participant) for card in book.book.cards.values() if card.state in ("begun", "valid")}
    if others and len(participant) not in others:
        usual = " or ".join(map(str, sorted(others)))
        raise BadInput(
            f"{participant} has {len(participant)} digits, the numbers on the cards so far have {usual}: "
            "with all its zeros? If it is right as it stands: --other-form"
        )


def _job(
    args: argparse.Namespace, desk: Desk, keys: DeskKeys, book: Ledger, maker: PublicKey
) -> Callable[[Channel, str], Done | Report]:
    match args.action:
        case "issue":
            return lambda channel, uid: desk.issue(channel, uid, args.participant)
        case "replace":
            return lambda channel, uid: desk.issue(channel, uid, args.participant, args.reason)
        case "wipe":
            return lambda channel, uid: desk.wipe(channel, uid)
        case _:
            return lambda channel, uid: checking.verify(desk, keys, book.book, channel, uid, maker)


def _revoke(args: argparse.Namespace) -> int:
    with ledger.opened(ledger.beside(args.keys), args.who) as book:
        whose = args.whose.upper().replace(":", "")
        card = book.book.cards.get(whose) or book.book.valid_of(args.whose)
        if card is None:
            raise Refused("no-card", f"{args.whose[:40]}: no valid card of that participant, and no card of that UID")
        if card.state == args.reason:
            print(f"{card.uid}: {card.state} already")
            return 0
        if card.state not in ("valid", "begun"):
            raise Refused("not-valid", f"{card.uid} of {card.participant} is not valid: {card.state}")
        book.withdraw(card, args.reason)
        print(f"{card.uid} of {card.participant}: {args.reason}")
    return 0


def _print_done(action: str, done: Done) -> None:
    card = done.card
    if action == "wipe" or card is None:
        print(f"{done.uid}: blank" + (", as before" if done.already else ""))
        return
    print(f"{done.uid}: {card.participant}, serial {card.serial}" + (", as before" if done.already else ", issued"))
    print("\n".join(label(card)))


def label(card: DeskCard) -> list[str]:
    """What is printed on the card: the registration number and nothing else (LG-6)."""
    return ["label:", f"  {card.participant}"]


def _reported(report: Report) -> int:
    print("\n".join(report.lines))
    if report.fault is None:
        return 0
    print(f"tableside cards: {report.uid}: {report.fault}", file=sys.stderr)
    return 1


def _say(step: Step, number: int) -> None:
    _tell(_STEPS[step].format(number))


def _tell(line: str) -> None:
    print(f"  {line}", flush=True)


def _asked_league(participant: str) -> None:
    """Have the league know the number before a card is made for it. Raises `BadInput`."""
    problem = _league("participant", participant, stdout=io.StringIO())
    if problem is not None:
        raise BadInput(f"nothing was done: --league: {problem}")


def _tell_league(path: Path) -> int:
    """Hand the whole ledger over; what the league has already it passes by."""
    problem = _league("cards", str(path), publish=True)
    if problem is None:
        return 0
    command = f"tableside league cards {path} --publish"
    return _said(BadInput(f"done, but not all of it could be told to the league: {problem}\nlater: {command}"), 1)


def _league(command: str, *arguments: str, **options: object) -> str | None:
    """A command of the league on this machine: what went wrong, or None."""
    try:
        from league.manage import call
    except ImportError:
        return "the league's packages are not here: pip install 'tableside[league]'"
    return call(command, *arguments, **options)
