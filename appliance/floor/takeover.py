"""Taking over from another director: what is asked, and what is to be read before it is done."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.floor.forms import Action, Field, Here
from appliance.floor.said import Said, Several, Small, Text
from appliance.i18n import N_

INSTEAD = "instead"
"""The question whether it is meant although a director answers."""

_INSTEAD = Field(
    name=INSTEAD, label=N_("It is there and answers. Take over from it all the same?"), kind="choice",
    choices=(("yes", N_("Take over all the same")),),
)  # fmt: skip


def fields(here: Here) -> tuple[Field, ...]:
    """Where a director answers, it has to be said that it is meant all the same."""
    if not here.director:
        return ()
    return (replace(_INSTEAD, above=(Said(N_("{device} directs the venue."), {"device": here.directs}),)),)


def sentence(here: Here, action: Action) -> Text:
    """What will happen."""
    if not here.director:
        return Said(action.sentence)
    return Said(N_("This device becomes the director of the venue instead of {device}."), {"device": here.directs})


def details(here: Here) -> tuple[Text, ...]:
    """What else will happen, and to whom."""
    out = Said(
        N_("{device} directs, and does not let this device in: if the league has revoked it, nobody follows it."),
        {"device": here.shut_out_by},
    )
    cut_off = Said(N_("This device has no way to the league: nothing goes there while it directs; deposits may wait."))
    asked = Said(N_("The other tables are asked for their copies, and the longest one counts: a few seconds."))
    clock = Said(N_("The clock goes on as long as a screen here has counted it all the time, else it is paused."))
    old = Said(N_("An old director that comes back falls silent; what it alone has is listed."))
    warned = (*((out,) if here.shut_out_by else ()), *((cut_off,) if here.cut_off else ()))
    return (*warned, Small(asked), Small(clock), Small(old))


def unheard(here: Here) -> tuple[Text, ...]:
    """Whose copies the new director goes on without."""
    if not here.unheard:
        return ()
    told = {"devices": Several(here.unheard, ", ")}
    return (Said(N_("No answer from {devices}: what they alone have is listed once they are back."), told),)


def outcome(here: Here) -> tuple[Text, ...]:
    """What is still to be read when it is done."""
    done = Said(N_("This device directs the venue from now on. Leave it switched on."))
    if not here.cut_off:
        return (done,)
    return done, Said(N_("It has no way to the league: have it enrolled, or take over at a device that was."))
