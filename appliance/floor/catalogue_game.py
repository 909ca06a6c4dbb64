"""Actions on hands, clock, tables and the round as a whole. Most used first."""

from __future__ import annotations

from appliance.floor.fields import SEAT, TABLE, reason
from appliance.floor.forms import Action, Field
from appliance.floor.said import Said
from appliance.i18n import N_

CLOCK: tuple[Action, ...] = (
    Action(
        id="next_hand", label=N_("Begin the next hand"), group="clock", fields=(TABLE,), confirm=False,
        sentence=N_("Table {table}: the next hand begins."),
    ),
    Action(
        id="time_call", label=N_("Put a player on the clock"), group="clock",
        fields=(Field(name="participant", label=N_("Whose time?"), kind="player"),),
        confirm=False, sentence=N_("Time is called on {participant}."),
    ),
    Action(
        id="time_refuse", label=N_("Refuse the call for time"), group="clock", where="table", confirm=False,
        sentence=N_("No time is called."), request="call-ended",
    ),
    Action(
        id="time_acted", label=N_("End the time: the player acted"), group="clock", fields=(TABLE,), confirm=False,
        sentence=N_("Table {table}: the player acted in time."),
    ),
    Action(
        id="time_ran_out", label=N_("End the time: it ran out"), group="clock", fields=(TABLE,), confirm=False,
        sentence=N_("Table {table}: the time ran out."),
    ),
    Action(id="pause", label=N_("Stop the clock"), group="clock", confirm=False, sentence=N_("The clock stops.")),
    Action(id="resume", label=N_("Start the clock"), group="clock", confirm=False, sentence=N_("The clock runs.")),
    Action(
        id="set_remaining", label=N_("Set the time left"), group="clock",
        fields=(Field(name="seconds", label=N_("Time left"), kind="time", most=86_400, step=30),),
        sentence=N_("The time left is set to {seconds}."),
    ),
    Action(
        id="begin_break", label=N_("Begin a break"), group="clock",
        fields=(Field(name="minutes", label=N_("Minutes"), kind="minutes", least=1, most=1440, default=10),),
        sentence=N_("A break of {minutes} begins now."),
    ),
    Action(id="end_break", label=N_("End the break"), group="clock", sentence=N_("The break ends now.")),
    Action(
        id="next_level", label=N_("Go on to the next level"), group="clock",
        sentence=N_("The clock goes on to {entry}."),
    ),
    Action(
        id="previous_level", label=N_("Go back to the previous level"), group="clock",
        sentence=N_("The clock goes back to {entry}."),
    ),
    Action(
        id="hand_for_hand", label=N_("Begin hand for hand"), group="clock",
        fields=(
            Field(
                name="minutes", label=N_("Minutes a hand takes off the clock"), kind="minutes", most=60,
                optional=True, asked=False,
            ),
        ),
        sentence=N_("From now on all tables play hand for hand."),
    ),
    Action(
        id="hand_for_hand_off", label=N_("End hand for hand"), group="clock",
        sentence=N_("Hand-for-hand play ends."),
    ),
)  # fmt: skip

TABLES: tuple[Action, ...] = (
    Action(
        id="refused_seen", label=N_("Refused hands are seen to"), group="tables", confirm=False,
        sentence=N_("The screens say no more of the refused hands."), request="refused-seen",
    ),
    Action(
        id="balance", label=N_("Even out the tables"), group="tables",
        sentence=N_("One player moves from the fullest table to the emptiest: {proposal}."),
    ),
    Action(
        id="break_table", label=N_("Break a table"), group="tables", fields=(TABLE,), destructive=True,
        sentence=N_("Table {table} is broken: its players draw seats at the others."),
    ),
    Action(
        id="final_table", label=N_("Draw the final table"), group="tables", destructive=True,
        sentence=N_("All who remain draw new seats at the final table."),
    ),
    Action(
        id="stacks", label=N_("Correct stacks"), group="tables",
        fields=(
            TABLE,
            Field(name="stacks", label=N_("Chips of each player"), kind="players", step=100, each=N_("Chips")),
        ),
        sentence=N_("Table {table} was counted: {stacks}."),
    ),
    Action(
        id="colour_up", label=N_("Colour up chips"), group="tables",
        fields=(
            TABLE,
            Field(name="denomination", label=N_("Chip that leaves play"), kind="choice"),
            Field(name="to", label=N_("Chip to change to"), kind="choice"),
            Field(
                name="holdings", label=N_("How many of the small chips each player has"), kind="players",
                unit="number", most=10_000, each=N_("Small chips"),
            ),
        ),
        sentence=N_("Table {table}: chips of {denomination} are changed to {to}, odd ones are raced for. {holdings}."),
    ),
    Action(
        id="lock_seat", label=N_("Keep a seat free"), group="tables", fields=(SEAT, reason(0, optional=True)),
        sentence=N_("Nobody is drawn to this seat: {seat}."),
    ),
    Action(
        id="unlock_seat", label=N_("Release a seat"), group="tables", fields=(SEAT,),
        sentence=N_("Players may be drawn to this seat again: {seat}."),
    ),
)  # fmt: skip

ROUND: tuple[Action, ...] = (
    Action(id="open", label=N_("Open the door"), group="round", sentence=N_("Registrations are taken from now on.")),
    Action(
        id="start", label=N_("Start the round"), group="round",
        fields=(
            Field(
                name="button", label=N_("Button"), kind="number", least=1, most=10, optional=True, asked=False,
                none=N_("is drawn"),
            ),
        ),
        sentence=N_("Seats and the button are drawn, the clock starts. Players: {players}."),
    ),
    Action(
        id="cancel", label=N_("Cancel the round"), group="round", fields=(reason(7, 6, 0),), destructive=True,
        ends=True,
        sentence=N_("The round is cancelled, all deposits go back. Reason: {reason}."),
    ),
    Action(
        id="end_early", label=N_("End the round early"), group="round",
        fields=(
            reason(6, 0),
            Field(name="stacks", label=N_("Chips of all who remain"), kind="players", step=100, each=N_("Chips")),
        ),
        destructive=True, ends=True,
        sentence=N_("The round ends now; those who remain rank by their chips: {stacks}. Reason: {reason}."),
    ),
    Action(
        id="choose_round", label=N_("Another round of this evening"), group="round", request="choose-round",
        confirm=False, sentence=N_("The menu is about round {round} from now on."),
        fields=(Field(name="round", label=N_("Which round?"), kind="choice"),),
    ),
)  # fmt: skip

OTHER: tuple[Action, ...] = (
    Action(id="ruling", label=N_("Ruling helper"), group="ruling", sentence=N_("Record this ruling: {ruling}.")),
    Action(
        id="undo", label=N_("Undo the last command"), group="undo", destructive=True,
        sentence=N_("Taken back: {what}."),
    ),
    Action(id="redo", label=N_("Redo what was undone"), group="undo", sentence=N_("Done again: {what}.")),
    Action(
        id="take_over", label=N_("Take over"), group="takeover", destructive=True, ends=True, request="take-over",
        sentence=N_("This device becomes the director of the venue."),
    ),
    Action(
        id="settle_lone", label=N_("Entries of the old director"), group="lone", request="settle-lone",
        ends=("what", ("drop",)), sentence=N_("{entry}: {what}."),
        fields=(
            Field(
                name="entry", label=N_("Entry"), kind="choice", above=(Said(N_("Only the old director had these.")),)
            ),
            Field(
                name="what", label=N_("Does it count?"), kind="choice",
                choices=(("accept", N_("Yes: give it anew")), ("drop", N_("No: it is void"))),
            ),
        ),
    ),
)  # fmt: skip
