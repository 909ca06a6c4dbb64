"""Who belongs to a venue, from what three sources say of it."""

from appliance.game.fleet import DeviceKnown
from appliance.game.roster import Roster, fold_roster
from appliance.members import members

A, B, C = "a" * 64, "b" * 64, "c" * 64


def test_any_kiosk_may_take_over_and_the_uplink_may_not():
    here = members({"director": A, "table-1": B, "uplink": C}, "director")
    assert here.may_direct("director") and here.may_direct("table-1") and not here.may_direct("uplink")
    assert here.may_write_table("table-1") and not here.may_write_table("director")
    assert here.key("table-1") == B and here.key("stranger") == "" and not here.may_direct("stranger")


def test_what_the_league_says_of_a_name_counts_before_the_site_file_and_that_before_an_adoption():
    told = DeviceKnown(device="table-1", key=C, role="table", table=1)
    adopted = [DeviceKnown(device="table-1", key=A, role="door"), DeviceKnown(device="spare", key=A, role="door")]
    here = members({"table-1": B}, "director", league=[told], adopted=adopted)
    assert here.key("table-1") == C and here["table-1"].table == 1
    assert members({"table-1": B}, "director", adopted=adopted).key("table-1") == B
    assert here.key("spare") == A and len(here) == 2


def test_whom_the_league_revoked_is_out_under_any_name():
    roster = fold_roster(Roster(), DeviceKnown(device="table-1", key=B, role="table", table=1))
    assert roster.devices["table-1"].key == B
    roster = fold_roster(roster, DeviceKnown(device="table-1", key=B, role="table", table=1, revoked=True))
    assert roster.devices == {} and roster.revoked_keys == {B}
    adopted = [DeviceKnown(device="spare", key=B, role="door")]
    assert len(members({"table-1": B}, "director", adopted=adopted, revoked=roster.revoked_keys)) == 0
