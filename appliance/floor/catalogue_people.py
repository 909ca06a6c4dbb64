"""Actions on players, on the money they bring and get, and at the door. Most used first."""

from __future__ import annotations

from appliance.floor.fields import DEALS, ELSEWHERE, PLAYER, SANCTIONS, YES_NO, reason
from appliance.floor.forms import Action, Field
from appliance.i18n import N_

_HAND = Field(
    name="hand", label=N_("Hand"), kind="number", optional=True, asked=False, least=1, most=1_000_000,
)  # fmt: skip
_STACK = Field(
    name="stack",
    label=N_("Chips at the start of the hand"),
    kind="chips",
    optional=True,
    asked=False,
    least=1,
    step=100,
)
_BY = Field(name="by", label=N_("Knocked out by"), kind="player", optional=True, asked=False)

PLAYERS: tuple[Action, ...] = (
    Action(
        id="bust", label=N_("Bust a player"), group="players", fields=(PLAYER, _HAND, _STACK, _BY), destructive=True,
        sentence=N_("{participant} is out of the round. Hand: {hand}."),
    ),
    Action(
        id="busts", label=N_("Bust several in one hand"), group="players", destructive=True,
        fields=(
            Field(
                name="players", label=N_("Who is out, and with how many chips the hand began for them"),
                kind="players", at_least=2, least=1, step=100, each=N_("Chips at the start of the hand"),
            ),
        ),
        sentence=N_("Out in the hand in play, ranked by their chips: {players}."),
    ),
    Action(
        id="move", label=N_("Move to another seat"), group="players",
        fields=(PLAYER, Field(name="seat", label=N_("New seat"), kind="seat")),
        sentence=N_("{participant} moves from table {from_table}, seat {from_seat}, to table {table}, seat {seat}."),
    ),
    Action(
        id="absent", label=N_("Mark as away"), group="players", fields=(PLAYER,), confirm=False,
        sentence=N_("{participant} is away; cards and blinds go on."),
    ),
    Action(
        id="present", label=N_("Mark as back"), group="players", fields=(PLAYER,), confirm=False,
        sentence=N_("{participant} is back at the table."),
    ),
    Action(
        id="sanction", label=N_("Give a penalty"), group="players",
        fields=(
            PLAYER,
            Field(name="kind", label=N_("Penalty"), kind="choice", choices=SANCTIONS),
            Field(
                name="hands", label=N_("Hands to sit out"), kind="number", least=1, most=1000, optional=True,
                when=("kind", ("sit-out",)),
            ),
            Field(
                name="minutes", label=N_("Minutes to sit out"), kind="minutes", least=1, most=1440, step=5,
                optional=True, asked=False, when=("kind", ("sit-out",)),
            ),
            reason(3, 4, 5, 0),
            Field(
                name="league", label=N_("Propose exclusion from the league"), kind="choice", choices=YES_NO,
                asked=False, default="no", when=("kind", ("exclusion",)),
            ),
        ),
        destructive=True, ends=("kind", ("exclusion",)), sentence=N_("{kind}: {participant}. Reason: {reason}."),
    ),
    Action(
        id="sit_out", label=N_("Have a player wait for the button"), group="players", fields=(PLAYER,),
        sentence=N_("{participant} waits for the button and is not dealt in until then."),
    ),
    Action(
        id="reenter", label=N_("Enter a player again"), group="players", fields=(PLAYER, ELSEWHERE),
        sentence=N_("{participant} enters again for {price}: {chips} chips, at a drawn seat."),
    ),
    Action(
        id="bonus_card", label=N_("Use a bonus card"), group="players",
        fields=(
            PLAYER,
            Field(name="holding", label=N_("Does the player hold cards?"), kind="choice", choices=YES_NO),
        ),
        sentence=N_("{participant} uses the bonus card: {bonus} chips."),
    ),
    Action(
        id="chip_up", label=N_("Give everybody the bonus chips"), group="players",
        sentence=N_("All who are in get the bonus stack: {chip_up} chips each."),
    ),
    Action(
        id="chip_up_one", label=N_("Give one player the bonus chips"), group="players", fields=(PLAYER,),
        sentence=N_("{participant} gets the bonus stack: {chip_up} chips."),
    ),
    Action(
        id="reinstate", label=N_("Bring back a player put out by mistake"), group="players", fields=(PLAYER,),
        sentence=N_("{participant} is back in the round. Later places move."),
    ),
    Action(
        id="lock", label=N_("Lock to seat"), group="players", fields=(PLAYER, reason(1, 0, optional=True)),
        sentence=N_("{participant} stays in this seat when tables are evened out."),
    ),
    Action(
        id="unlock", label=N_("Release from the seat"), group="players", fields=(PLAYER,),
        sentence=N_("{participant} may be moved again."),
    ),
    Action(
        id="void", label=N_("Void participation"), group="players", fields=(PLAYER, reason(5, 0)), destructive=True,
        ends=True,
        sentence=N_("The participation of {participant} is void: no place and no points. Reason: {reason}."),
    ),
)  # fmt: skip

MONEY: tuple[Action, ...] = (
    Action(
        id="deposit", label=N_("Raise the deposit"), group="money",
        fields=(PLAYER, Field(name="amount", label=N_("Amount"), kind="crowns", least=1, step=10)),
        sentence=N_("{participant} pays {amount} more and gets {chips} chips."),
    ),
    Action(
        id="pay", label=N_("Pay a prize"), group="money",
        fields=(PLAYER, Field(name="amount", label=N_("Amount"), kind="crowns", least=1, step=10)),
        sentence=N_("{participant} was paid {amount} of the prize."),
    ),
    Action(
        id="deal", label=N_("Make a deal"), group="money",
        fields=(
            Field(name="kind", label=N_("Kind of deal"), kind="choice", choices=DEALS),
            Field(name="stacks", label=N_("Chips of all who remain"), kind="players", step=100, each=N_("Chips")),
            Field(
                name="amounts", label=N_("What each gets"), kind="players", unit="crowns", step=10, each=N_("Amount"),
                when=("kind", ("manual",)),
            ),
        ),
        destructive=True, ends=True,
        sentence=N_("All who remain have agreed to a deal. {kind}. {prizes}."),
    ),
)  # fmt: skip

DOOR: tuple[Action, ...] = (
    Action(
        id="register", label=N_("Register a player"), group="door", where="door",
        fields=(
            Field(name="participant", label=N_("Registration number or card"), kind="player"),
            ELSEWHERE,
            Field(name="seat", label=N_("Seat"), kind="seat", optional=True, asked=False),
        ),
        sentence=N_("Identity checked by a document, {price} taken for {chips} chips: {participant} is registered."),
    ),
    Action(
        id="unregister", label=N_("Withdraw a registration"), group="door", fields=(PLAYER,), where="door",
        destructive=True, ends=True, sentence=N_("{participant} is not registered any more and gets {deposit} back."),
    ),
)  # fmt: skip
