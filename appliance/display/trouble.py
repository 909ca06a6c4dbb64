"""What is wrong with a screen or what it depends on, and what to do: a sentence each, and a sign."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.icons import Icon
from appliance.display.view import Going, HandsRefused, Status
from appliance.i18n import N_, Translator

_WHY = {
    "stale": N_("It had gone on meanwhile."),
    "dealt-otherwise": N_("It has another button, other blinds or another level there."),
}
"""Of hands that were played without the director: why they are not in the round as they were played."""


class Trouble(NamedTuple):
    """``problem``: what is wrong; ``remedy``: what whoever stands before the screen does."""

    icon: Icon
    problem: str
    remedy: str


def troubles(tr: Translator, status: Status) -> list[Trouble]:
    """What the people in front of the screen must know about it; empty when all is well."""
    found: list[Trouble] = []
    if status.elsewhere:
        problem = tr.gettext("This table is now at another device: {device}.", device=status.elsewhere)
        found.append(Trouble("apart", problem, tr.gettext("Use that one: nothing is written here any more.")))
    if status.revoked:
        remedy = tr.gettext("Use another one: nothing counts that is done here. Call whoever looks after the devices.")
        found.append(Trouble("apart", tr.gettext("The league has revoked this device."), remedy))
    elif not status.director:
        found.append(_without_director(tr, status))
    elif status.kept is not None:
        found.append(_not_taken(tr, *status.kept))
    if status.stopped and not status.revoked:
        problem = tr.gettext("What is shown is not all: records of this evening cannot be verified here.")
        remedy = tr.gettext("Go by another screen. Call whoever looks after the devices.")
        found.append(Trouble("apart", problem, remedy))
    if not status.reader:
        problem = tr.gettext("Reader offline: cards cannot be read.")
        found.append(Trouble("reader", problem, tr.gettext("Call the commissioner: plug it in again.")))
    elif status.missing:
        problem = tr.gettext("Offline: {readers}.", readers=", ".join(status.missing))
        found.append(Trouble("reader", problem, tr.gettext("Use another reader, and tell the commissioner.")))
    if status.one_copy:
        problem = tr.gettext("One copy only: the records are on one device.")
        found.append(Trouble("copy", problem, tr.gettext("Leave it switched on, and tell the commissioner.")))
    found += (_refused(tr, each) for each in status.refused)
    if status.lone:
        problem = tr.ngettext(
            "{n} entry of the old director waits for a decision.",
            "{n} entries of the old director wait for a decision.",
            status.lone,
        )
        found.append(Trouble("attention", problem, tr.gettext("Commissioner: say in the menu what counts.")))
    if status.time_doubted:
        problem = tr.gettext("Nobody has said yet whether the time of day is right here.")
        found.append(
            Trouble("attention", problem, tr.gettext("Commissioner: confirm it in the menu. Clocks of rounds run on."))
        )
    return found


def _refused(tr: Translator, hands: HandsRefused) -> Trouble:
    why = tr.gettext(_WHY[hands.why]) if hands.why in _WHY else tr.refusal(hands.why)
    first, last = hands.hand, hands.last
    if first == last:
        problem = tr.gettext("Table {table}, hand {hand}: the round differs.", table=hands.table, hand=first)
    else:
        said = N_("Table {table}, hands {first}–{last}: the round differs.")
        problem = tr.gettext(said, table=hands.table, first=first, last=last)
    remedy = tr.gettext("{why} Commissioner: count the stacks, then confirm it in the menu.", why=why)
    return Trouble("attention", problem, remedy)


def _without_director(tr: Translator, status: Status) -> Trouble:
    if status.shut_out:
        problem = tr.gettext("{device} directs, and does not let this device in.", device=status.shut_out)
        remedy = tr.gettext("Use another device. Call whoever looks after them: it may have been revoked.")
        return Trouble("apart", problem, remedy)
    if status.director_lost_at is None:
        problem = tr.gettext("No connection to the director yet.")
        return Trouble("apart", problem, tr.gettext("Wait a minute, then call the commissioner."))
    if status.kept is not None:
        problem = tr.gettext("Waiting for the director since {time}.", time=tr.clock(status.director_lost_at))
        return Trouble("apart", problem, _kept(tr, *status.kept))
    problem = tr.gettext("Director offline since {time}.", time=tr.clock(status.director_lost_at))
    return Trouble("apart", problem, _meanwhile(tr, status.play))


def _kept(tr: Translator, first: int, last: int) -> str:
    """Which hands it will be told of."""
    if first == last:
        return tr.gettext("Play on: hand {hand} is kept here until then.", hand=first)
    return tr.gettext("Play on: hands {first} to {last} are kept here until then.", first=first, last=last)


def _not_taken(tr: Translator, first: int, last: int) -> Trouble:
    if first == last:
        problem = tr.gettext("The director cannot take hand {hand} yet.", hand=first)
    else:
        problem = tr.gettext("The director cannot take hands {first} to {last} yet.", first=first, last=last)
    return Trouble("apart", problem, tr.gettext("Play on, and call the commissioner."))


def _meanwhile(tr: Translator, play: Going) -> str:
    """What to do until the director is back."""
    match play:
        case "runs":
            return tr.gettext("Play on: the clock runs. The rest may be out of date.")
        case "stands":
            return tr.gettext("The clock stands: the commissioner says when play resumes.")
        case "before":
            return tr.gettext("Nobody can register: call the commissioner.")
        case "over":
            return tr.gettext("What is shown may be out of date.")
