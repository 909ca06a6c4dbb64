"""Questions that several forms ask."""

from __future__ import annotations

from appliance.floor.forms import Field
from appliance.i18n import N_

PLAYER = Field(name="participant", label=N_("Player"), kind="player")
TABLE = Field(name="table", label=N_("Table"), kind="table")
SEAT = Field(name="seat", label=N_("Seat"), kind="seat")
ELSEWHERE = Field(
    name="deposits_24h", label=N_("Deposited elsewhere in the last 24 hours"), kind="crowns", asked=False,
    default=0, step=50,
)  # fmt: skip

REASONS: tuple[str, ...] = (
    N_("Decision of the commissioner"),
    N_("At the player's own request"),
    N_("A mistake in the entry"),
    N_("Conduct at the table"),
    N_("Slow play"),
    N_("Breach of the house rules"),
    N_("The venue closes"),
    N_("Too few players"),
    N_("As the procedure says"),
)
"""Texts offered where one has to be given: they can be chosen without a keyboard. The form says which."""


OFFERED = "said:"
"""What a field holds whose text was one of those offered: this and its place among `REASONS`."""

LONGEST_TEXT = 500
"""Characters of a text on record."""


def texts(*which: int) -> tuple[tuple[str, str], ...]:
    """Choices of a text field: these of `REASONS`."""
    return tuple((f"{OFFERED}{place}", REASONS[place]) for place in which)


def reason(*which: int, optional: bool = False) -> Field:
    """Why: one of the texts offered, or a typed one."""
    return Field(
        name="reason", label=N_("Reason"), kind="text", choices=texts(*which), optional=optional, asked=not optional
    )


SANCTIONS: tuple[tuple[str, str], ...] = (
    ("warning", N_("Warning")),
    ("dead-hand", N_("Dead hand")),
    ("sit-out", N_("Sits out")),
    ("exclusion", N_("Exclusion from the round")),
)
"""From the mildest (T-15); the kinds of a `Sanction`."""

DEALS: tuple[tuple[str, str], ...] = (
    ("icm", N_("ICM: what the stacks are worth")),
    ("chop", N_("Chip chop: by chips")),
    ("manual", N_("Agreed amounts")),
)
"""The kinds of a `Deal` (T-10)."""

YES_NO: tuple[tuple[str, str], ...] = (("no", N_("No")), ("yes", N_("Yes")))
