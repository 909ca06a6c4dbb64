"""Turns every switch in which the houses differ, one at a time, and sees that a test of its rule notices.

That a test names a profile says little; that it fails when the profile is another says that it tries the rule there.
``python -m scripts.turned [RULE…]`` tells the switches that nobody missed, and exits 1 if there are any. The tests run
in processes of their own, with this module as a plugin that turns the switch.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from appliance.game.ruleset import PROFILES
from scripts import rulebook

VARIABLE = "TABLESIDE_TURNED"
"""How the plugin learns which switch to turn: ``[profile, switch, profile whose value it gets]``, as JSON."""

FAILED = 1
"""What pytest ends with when a test failed; anything else but 0 means that it did not try them."""


class Turn(NamedTuple):
    """A profile gets another one's value of a switch."""

    rule: str
    profile: str
    switch: str
    giver: str


def turns() -> Iterator[Turn]:
    """All switches of the rules on the page, in every profile, to every other value that a profile has."""
    for rule in rulebook.book().rules():
        for switch in rulebook.switches().get(rule.id, ()):
            for profile in rulebook.TOURNAMENTS:
                for givers in rulebook.values(switch).values():
                    if profile not in givers:
                        yield Turn(rule.id, profile, switch, givers[0])


def pytest_configure() -> None:
    """Turn the switch, before any test has seen the profiles."""
    profile, switch, giver = json.loads(os.environ[VARIABLE])
    PROFILES[profile] = replace(PROFILES[profile], **{switch: getattr(PROFILES[giver], switch)})


def noticed(turn: Turn) -> bool:
    """Whether a test of the rule that runs under the profile fails; raises RuntimeError if they cannot be run."""
    tests = [test for test in rulebook.tests_of(turn.rule) if turn.profile in test.profiles]
    if not tests:
        return False
    environment = {**os.environ, VARIABLE: json.dumps([turn.profile, turn.switch, turn.giver])}
    options = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-p", "scripts.turned"]
    names = [f"{test.path}::{test.name}" for test in tests]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *names],
        cwd=rulebook.ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, FAILED):
        raise RuntimeError(f"{turn}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == FAILED


def main(rules: list[str]) -> int:
    """Turn the switches of these rules, or of all."""
    missed = [turn for turn in turns() if (not rules or turn.rule in rules) and not noticed(turn)]
    for turn in missed:
        print(f"{turn.rule}: nothing fails when {turn.profile} has {turn.giver}'s {turn.switch}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
