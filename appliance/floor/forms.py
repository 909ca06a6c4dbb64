"""What the menu is made of: actions with their fields, what is known of the place, and what can be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from appliance.floor.said import Text
from appliance.game.refusal import Refusal
from appliance.game.righttime import RIGHT, Times
from appliance.game.rulings.words import Words
from appliance.game.state import Ledger, Round
from appliance.game.values import MAX_AMOUNT

Kind = Literal["player", "table", "seat", "number", "chips", "crowns", "minutes", "time", "choice", "text", "players"]
"""``time``: seconds, typed and shown as minutes and seconds. ``players``: several, each with a number."""

Unit = Literal["number", "chips", "crowns"]
GroupId = Literal[
    "players",
    "clock",
    "tables",
    "money",
    "door",
    "round",
    "ruling",
    "undo",
    "takeover",
    "lone",
    "devices",
    "phones",
    "time",
]
Where = Literal["table", "door", "both", "phone"]
Place = Literal["table", "door", "phone"]
Request = Literal[
    "take-over",
    "call-ended",
    "refused-seen",
    "settle-lone",
    "adopt-device",
    "drop-device",
    "confirm-time",
    "choose-round",
    "pair-phone",
    "confirm-phone",
    "refuse-phone",
    "cut-off-phone",
]
"""What is asked of the device itself, not of the round: to become the director, to take back its call for the floor, to
say no more of hands that were refused, to settle what only an old director had, to let a device in or drop it, to go on
with another round of the evening, to sign a phone in, to say of one that has come whether it is the right one, to cut
one off."""

Value: TypeAlias = "str | int | tuple[tuple[str, int], ...]"
"""A field's answer: of a choice its value (a player's number, "3" a table, "3.7" a seat), a number, a typed text, or
players with their numbers."""
Label: TypeAlias = "str | Words"
Filled = Mapping[str, Value]


class Field(Struct, frozen=True, kw_only=True):
    """A question of a form.

    ``label`` and those of ``choices``, which are fixed, are message ids or in both languages. ``optional``: it may stay
    empty, which is read as ``none``. ``asked`` False: its default stands unless the person changes it before they
    confirm; ``default`` is one that is always the same. ``least``, ``most``, ``step`` are of numbers, in ``players`` of
    each player's, which is in ``unit`` and is called ``each``; ``at_least`` so many of them have to be named. ``when``:
    asked only if another field has one of these values. ``above``: what is to be read before it is answered.
    """

    name: str
    label: Label
    kind: Kind
    optional: bool = False
    none: Label = ""
    asked: bool = True
    least: int = 0
    most: int = MAX_AMOUNT
    step: int = 1
    default: int | str | None = None
    unit: Unit = "chips"
    each: Label = ""
    at_least: int = 1
    when: tuple[str, tuple[str, ...]] | None = None
    choices: tuple[tuple[str, Label], ...] = ()
    above: tuple[Text, ...] = ()


class Action(Struct, frozen=True, kw_only=True):
    """Something a floor manager does. ``sentence``: what will happen, with ``{fields}``, for whoever confirms it.

    ``confirm`` False: it is done at once, for it hurts nobody and the next press takes it back.
    ``request``: it is asked of the device, not of the round. ``ends``: it ends or throws away what no ordinary evening
    does, so the confirming page stands at the way back; True, or the answers that make it so: a field and its values.
    """

    id: str
    label: str
    group: GroupId
    sentence: str
    fields: tuple[Field, ...] = ()
    where: Where = "both"
    confirm: bool = True
    destructive: bool = False
    request: Request | None = None
    ends: bool | tuple[str, tuple[str, ...]] = False

    def throws_away(self, filled: Filled) -> bool:
        """Whether nobody should do it by pressing Enter once too often."""
        return self.ends if isinstance(self.ends, bool) else filled.get(self.ends[0]) in self.ends[1]


class Lone(Struct, frozen=True):
    """What only an old director had of a ``command`` (its id): in words, and who gave it, when, where, in which round.

    ``refusal``: why the rules would not have it now.
    """

    command: str
    what: Text
    given: Text
    refusal: Refusal | None = None


class Option(Struct, frozen=True):
    """A value that can be chosen; ``detail``: what tells it from others, such as a player's number and chips.

    ``seat``: where a player of this table sits, by which they are known there.
    """

    value: str
    label: Text
    detail: Text = ""
    seat: int | None = None


class Pairing(Struct, frozen=True, kw_only=True):
    """A phone that is being signed in, for ``left`` seconds more.

    ``picture``: what its camera is to read, with the key in it; ``address``: the same without; ``code``: the digits
    that the phone shows which has come, ``agent``: what it says it is. ``why``: it is over, by this refusal's code.
    """

    picture: str = ""
    address: str = ""
    left: int = 0
    code: str = ""
    agent: str = ""
    why: str = ""


class Here(Struct, frozen=True, kw_only=True, dict=True):
    """What the menu has to know of the evening and of the device it is shown on.

    ``names``: what to call whom, by registration number; also of people the league expects who are not registered.
    ``director``: it answers, ``directs`` is its device's name. ``can_take_over``: this device could become it;
    ``hindrance``: why the others would not follow it (a refusal's code); ``shut_out_by``: who directs
    and does not let it in; ``cut_off``: it has no way to the league.
    ``commissioner``: who holds the menu.
    ``lang``: of texts that go on record. ``call``: what this table has called the floor for. ``refused``: how many
    of its hands that were played without a director were refused; at a door those of all tables. ``lone``: what only
    an old director had, and nobody has decided of. ``spares``: devices that ask to be let in, by their keys;
    ``adopted`` those that were, by name; ``taken``: tables whose own device is there. ``times``: how far the director's
    time is from the right one. ``unheard``: the devices that did not answer when this one took over. ``rounds``: those
    of the evening, where there are several. ``console``: why no phone can be signed in (a refusal's code); ``phones``
    those that are, by their sessions; ``pairing``: the one that is being signed in here.
    """

    ledger: Ledger | None
    at_ms: int
    place: Place = "table"
    table: int | None = None
    names: Mapping[str, str] = {}
    director: bool = True
    directs: str = ""
    can_take_over: bool = False
    hindrance: str = ""
    shut_out_by: str = ""
    cut_off: bool = False
    commissioner: str = ""
    lang: str = "cs"
    call: Literal["floor", "time"] | None = None
    refused: int = 0
    lone: tuple[Lone, ...] = ()
    times: Times = RIGHT
    spares: tuple[Option, ...] = ()
    adopted: tuple[Option, ...] = ()
    taken: tuple[int, ...] = ()
    unheard: tuple[str, ...] = ()
    rounds: tuple[Option, ...] = ()
    console: str = ""
    phones: tuple[Option, ...] = ()
    pairing: Pairing | None = None

    @property
    def round(self) -> Round | None:
        """The round, once one is announced."""
        return self.ledger.round if self.ledger else None

    def name(self, participant: str) -> str:
        """What to call a participant: the name where it may be shown, else the number."""
        return self.names.get(participant, participant)


class Offer(Struct, frozen=True):
    """An action in the list; with ``refusal`` it is shown with the reason why not now."""

    action: Action
    refusal: Refusal | None = None
