"""What the tests of rulings share: houses, and what follows from facts under each."""

from __future__ import annotations

from appliance.game.ruleset import PROFILES
from appliance.game.rulings.evaluate import read_facts, rule
from appliance.game.rulings.model import Outcome

LEAGUE = ["cpl-2017", "cpl"]
CASINO = ["casino-2012", "cash-2012"]
TDA = ["tda-2024"]
SILENT = [*CASINO, *TDA]


def ruled(profile: str, ruling: str, facts: str) -> Outcome:
    found = rule(ruling, read_facts(facts.split()), PROFILES[profile])
    assert isinstance(found, Outcome), f"{ruling} {facts}: still asks for {found.fact}"
    return found


def follows(profile: str, ruling: str, facts: str) -> tuple[str, str]:
    """What follows, and the documents it is from."""
    found = ruled(profile, ruling, facts)
    return found.code, " ".join(dict.fromkeys(source.document for source in found.sources))


def steps(profile: str, ruling: str, facts: str) -> str:
    return " ".join(step.en for step in ruled(profile, ruling, facts).steps)


def each(profiles: list[str], *cases: tuple[str, str, str]) -> list[tuple[str, str, str, str]]:
    return [(profile, *case) for profile in profiles for case in cases]


ROW = ("profile", "facts", "code", "documents")
