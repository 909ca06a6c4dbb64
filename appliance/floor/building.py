"""From a filled-in form to the command it stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, cast

from appliance.floor.fields import LONGEST_TEXT, OFFERED, REASONS
from appliance.floor.forms import Action, Filled, Here, Value
from appliance.game import commands as c
from appliance.game import play_commands as pc
from appliance.game.balancing import proposal
from appliance.game.command import Command
from appliance.game.play_events import PlayerMoved
from appliance.game.state import Phase, Round, Status
from appliance.game.timekeeping import current
from appliance.game.values import Seat
from appliance.i18n import Translator


class Form:
    """A form's answers, read as commands need them. The form is complete: what is asked for is there."""

    __slots__ = ("filled", "here", "id", "round")

    def __init__(self, here: Here, round: Round, filled: Filled) -> None:
        self.here = here
        self.round = round
        self.id = round.id
        self.filled = filled

    def text(self, name: str) -> str:
        """A choice's value, or a typed text."""
        return str(self.filled[name])

    def words(self, name: str) -> str | None:
        """A text for the record, in the language of the place; None where none was given."""
        value = self.filled.get(name)
        if value is None or value == "":
            return None
        text = str(value)
        place = text.removeprefix(OFFERED)
        if text.startswith(OFFERED) and place.isascii() and place.isdigit() and int(place) < len(REASONS):
            return Translator(self.here.lang).gettext(REASONS[int(place)])
        return text[:LONGEST_TEXT]

    def word(self, name: str) -> str | None:
        """A choice's value, or none."""
        value = self.filled.get(name)
        return None if value is None else str(value)

    def number(self, name: str) -> int:
        """A number that is there."""
        return int(cast(int, self.filled[name]))

    def maybe(self, name: str) -> int | None:
        """A number, or none."""
        value = self.filled.get(name)
        return None if value is None else int(cast(int, value))

    def seat(self, name: str = "seat") -> Seat:
        """A seat, from "3.7"."""
        return read_seat(self.text(name))

    def several(self, name: str) -> dict[str, int]:
        """Players and their numbers."""
        return pairs(self.filled.get(name))

    def table_of(self, participant: str) -> int:
        """The table where a player sits; 0 for one who sits nowhere, which no table has."""
        player = self.round.players.get(participant)
        return player.seat.table if player and player.seat else 0


def pairs(value: Value | None) -> dict[str, int]:
    """What a field of players holds."""
    return dict(value) if isinstance(value, tuple) else {}


def read_seat(text: str) -> Seat:
    """A seat as options name it. Raises ValueError for anything else."""
    table, _, seat = text.partition(".")
    return Seat(int(table), int(seat))


def hand_of(round: Round, participant: str) -> int | None:
    """The hand in play, or just played, where a player sits; None before the table's first one."""
    player = round.players.get(participant)
    table = round.tables.get(player.seat.table) if player and player.seat else None
    return table.hand or None if table else None


def remaining(round: Round) -> list[str]:
    """Those who are in."""
    return [player.participant for player in round.players.values() if player.status is Status.IN]


def _bust(form: Form) -> Command:
    who, hand = form.text("participant"), form.maybe("hand")
    by = form.filled.get("by")
    table = form.table_of(who) or None
    return c.Bust(
        round=form.id, participant=who, table=table if hand is not None else None, hand=hand,
        stack=form.maybe("stack"), by=None if by is None else str(by),
    )  # fmt: skip


def seen(here: Here, action_id: str, filled: Filled) -> int | str | None:
    """What somebody who confirms this form goes on from: by then it may be done already, by somebody else."""
    round = here.round
    if round is None or round.phase is Phase.OPEN or round.phase is Phase.ANNOUNCED:
        return None
    player = round.players.get(str(filled.get("participant")))
    match action_id:
        case "next_level" | "previous_level" | "set_remaining":
            return current(round, here.at_ms).entry + 1
        case "next_hand":
            number = str(filled.get("table"))
            table = round.tables.get(int(number)) if number.isdigit() else None
            return table.hand if table else None
        case "deposit":
            return player.deposit if player else None
        case "pay":
            return player.paid if player else None
        case "sanction":
            return len(player.penalties) if player else None
        case "final_table":
            return round.draws
        case "balance":
            found = proposal(round)
            return found.participant if isinstance(found, PlayerMoved) else None
        case _:
            return None


def _sanction(form: Form) -> Command:
    sits_out = form.text("kind") == "sit-out"
    minutes = form.maybe("minutes") if sits_out else None
    return pc.Sanction(
        round=form.id,
        participant=form.text("participant"),
        kind=cast(Literal["warning", "dead-hand", "sit-out", "exclusion"], form.text("kind")),
        reason=form.words("reason") or "",
        hands=form.maybe("hands") if sits_out else None,
        minutes=minutes,
        league=form.filled.get("league") == "yes",
        seen=form.maybe("seen"),
    )


def _deal(form: Form) -> Command:
    kind = cast(Literal["icm", "chop", "manual"], form.text("kind"))
    amounts = form.several("amounts") if kind == "manual" else {}
    everybody = tuple(remaining(form.round))
    return pc.Deal(round=form.id, kind=kind, consents=everybody, stacks=form.several("stacks"), amounts=amounts)


def _colour_up(form: Form) -> Command:
    chip = int(form.text("denomination"))
    holdings = {who: {chip: count} for who, count in form.several("holdings").items() if count}
    return pc.ColourUp(round=form.id, table=_table(form), denomination=chip, to=int(form.text("to")), holdings=holdings)


def _ruling(form: Form) -> Command:
    from_here = form.here.table if form.here.table in form.round.tables else None
    table = form.round.tables[from_here] if from_here is not None else None
    facts = {name.removeprefix("fact-"): value for name, value in form.filled.items() if name.startswith("fact-")}
    return pc.Ruling(
        round=form.id,
        ruling=form.text("ruling"),
        facts=cast("dict[str, str | int]", facts),
        decision=form.words("decision"),
        reason=form.words("reason"),
        table=from_here,
        hand=table.hand or None if table else None,
    )


def _register(form: Form) -> Command:
    seat = form.filled.get("seat")
    return c.Register(
        round=form.id, participant=form.text("participant"), identity_checked=True,
        deposits_24h=form.maybe("deposits_24h") or 0, seat=form.seat() if seat is not None else None,
    )  # fmt: skip


def _undo(form: Form) -> Command:
    of = form.filled.get("of")
    return c.Undo(round=form.id, of=None if of is None else str(of))


def _redo(form: Form) -> Command:
    of = form.filled.get("of")
    return c.Redo(round=form.id, of=None if of is None else str(of))


def _table(form: Form) -> int:
    return int(form.text("table"))


def _who(form: Form) -> str:
    return form.text("participant")


_BUILD: Mapping[str, Callable[[Form], Command]] = MappingProxyType(
    {
        "open": lambda f: c.Open(round=f.id),
        "cancel": lambda f: c.Cancel(round=f.id, reason=f.words("reason")),
        "start": lambda f: c.Start(round=f.id, button=f.maybe("button")),
        "end_early": lambda f: c.EndEarly(round=f.id, reason=f.words("reason") or "", stacks=f.several("stacks")),
        "register": _register,
        "unregister": lambda f: c.Unregister(round=f.id, participant=_who(f)),
        "deposit": lambda f: c.Deposit(
            round=f.id, participant=_who(f), amount=f.number("amount"), seen=f.maybe("seen")
        ),
        "pay": lambda f: c.Pay(
            round=f.id, participant=_who(f), amount=f.number("amount"), seen=f.maybe("seen")
        ),
        "deal": _deal,
        "bust": _bust,
        "busts": lambda f: c.Busts(round=f.id, stacks=f.several("players")),
        "move": lambda f: pc.Move(round=f.id, participant=_who(f), seat=f.seat()),
        "absent": lambda f: pc.Absent(round=f.id, participant=_who(f)),
        "present": lambda f: pc.Present(round=f.id, participant=_who(f)),
        "sanction": _sanction,
        "sit_out": lambda f: pc.SitOut(round=f.id, participant=_who(f)),
        "reenter": lambda f: pc.Reenter(
            round=f.id, participant=_who(f), deposits_24h=f.maybe("deposits_24h") or 0
        ),
        "bonus_card": lambda f: pc.BonusCard(
            round=f.id, participant=_who(f), holding=f.text("holding") == "yes"
        ),
        "chip_up": lambda f: pc.ChipUp(round=f.id),
        "chip_up_one": lambda f: pc.ChipUp(round=f.id, participant=_who(f)),
        "reinstate": lambda f: c.Reinstate(round=f.id, participant=_who(f)),
        "lock": lambda f: pc.Lock(round=f.id, on=True, participant=_who(f), reason=f.words("reason")),
        "unlock": lambda f: pc.Lock(round=f.id, on=False, participant=_who(f)),
        "void": lambda f: pc.Void(round=f.id, participant=_who(f), reason=f.words("reason") or ""),
        "next_hand": lambda f: c.NextHand(round=f.id, table=_table(f), seen=f.maybe("seen")),
        "time_call": lambda f: pc.TimeCall(round=f.id, table=f.table_of(_who(f)) or 1, participant=_who(f)),
        "time_acted": lambda f: pc.TimeEnd(round=f.id, table=_table(f), outcome="acted"),
        "time_ran_out": lambda f: pc.TimeEnd(round=f.id, table=_table(f), outcome="ran-out"),
        "pause": lambda f: c.Pause(round=f.id),
        "resume": lambda f: c.Resume(round=f.id),
        "set_remaining": lambda f: c.SetRemaining(
            round=f.id, seconds=f.number("seconds"), seen=f.maybe("seen")
        ),
        "begin_break": lambda f: c.BeginBreak(round=f.id, minutes=f.number("minutes")),
        "end_break": lambda f: c.EndBreak(round=f.id),
        "next_level": lambda f: c.NextLevel(round=f.id, seen=f.maybe("seen")),
        "previous_level": lambda f: c.PreviousLevel(round=f.id, seen=f.maybe("seen")),
        "hand_for_hand": lambda f: pc.HandForHand(round=f.id, on=True, minutes=f.maybe("minutes")),
        "hand_for_hand_off": lambda f: pc.HandForHand(round=f.id, on=False),
        "balance": lambda f: pc.Balance(round=f.id, seen=f.word("seen")),
        "break_table": lambda f: pc.BreakTable(round=f.id, table=_table(f)),
        "final_table": lambda f: pc.FinalTable(round=f.id, seen=f.maybe("seen")),
        "stacks": lambda f: c.Stacks(round=f.id, table=_table(f), stacks=f.several("stacks")),
        "colour_up": _colour_up,
        "lock_seat": lambda f: pc.Lock(round=f.id, on=True, seat=f.seat(), reason=f.words("reason")),
        "unlock_seat": lambda f: pc.Lock(round=f.id, on=False, seat=f.seat()),
        "ruling": _ruling,
        "undo": _undo,
        "redo": _redo,
    }
)  # fmt: skip


def command_of(here: Here, action: Action, filled: Filled) -> Command | None:
    """What a complete form asks of the round; None for what is asked of the device. Raises KeyError for a field that is
    missing."""
    round = here.round
    if round is None or action.request is not None:
        return None
    return _BUILD[action.id](Form(here, round, filled))
