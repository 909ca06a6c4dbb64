"""The rules in force → what a screen tells of them (LG-12). Pure."""

from __future__ import annotations

from appliance.display.scene import Scene
from appliance.display.view_rules import Published, RulesInForce
from appliance.game import state
from appliance.game.commands import Announce
from appliance.game.entry import verify_door
from appliance.game.publications import EditionKind, in_force
from appliance.game.ruleset import PROFILES, RuleSet, content_hash

_VERSION = 8
"""So many characters of the hash tell one version from another."""


def rules_of(round: state.Round, at_ms: int) -> RulesInForce:
    """Of a round: those it was announced with, whatever its profile has become since."""
    late = round.late_registration
    now = round.phase is state.Phase.RUNNING and verify_door(round, at_ms) is None
    return _told(round.profile, round.rules, round.rules_hash, late=late, now=now)


def offered_rules(offer: Announce) -> RulesInForce | None:
    """Of the league's offer for today; None for a profile that this version does not know."""
    rules = PROFILES.get(offer.profile)
    if rules is None:
        return None
    late = offer.late_registration and rules.late_registration != "never"
    return _told(offer.profile, rules, content_hash(rules), late=late, now=False)


_KINDS: tuple[EditionKind, ...] = ("rules", "plan", "prices")


def published(scene: Scene) -> tuple[Published, ...]:
    """What the league has published and is in force, in the screen's language; what has nothing to show is left out."""
    found = (in_force(scene.roster.editions, kind, scene.right_ms) for kind in _KINDS)
    told = (
        Published(
            kind=edition.kind,
            version=edition.version,
            since=scene.venue.at(edition.since),
            text=edition.said(scene.lang),
            prices=tuple((said, line.crowns) for line in edition.prices if (said := line.said(scene.lang))),
        )
        for edition in found
        if edition is not None
    )
    return tuple(edition for edition in told if edition.text or edition.prices)


def _told(profile: str, rules: RuleSet, version: str, *, late: bool, now: bool) -> RulesInForce:
    return RulesInForce(
        profile=profile,
        version=version[:_VERSION],
        late=late,
        late_now=now,
        reentry=rules.reentry != "never",
        think_s=rules.time_call_s,
        count_s=rules.time_count_s,
    )
