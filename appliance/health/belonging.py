"""Whether this device still belongs to its venue, by what the league has told it and by how the director treats it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from appliance import outside
from appliance.config import Config
from appliance.filebytes import Unusable
from appliance.game.roster import Roster
from appliance.health.finding import Finding
from appliance.i18n import N_
from appliance.identity import load_or_make, public_hex

_ANEW = N_("If that is wrong: delete device.key, have the league invite it with --replace, then: tableside enrol")


def check(config: Config, roster: Roster | None) -> Iterator[Finding]:
    """A finding where it does not, or where the director does not let it in; none where all is well."""
    key = config.data / "device.key"
    if roster is not None and key.exists():
        try:
            revoked = public_hex(load_or_make(key)) in roster.revoked_keys
        except (OSError, Unusable):
            revoked = False  # the key's own check says what is wrong with it
        if revoked:
            text = N_("The league has revoked this device: nothing counts that it signs.")
            yield _issue("device-revoked", text, _ANEW)
            return
    if (shut := outside.noted(config.data)) is not None:
        text = N_("{device} directs, and does not let this device in: it may have been revoked.")
        facts = {"since": f"{datetime.fromtimestamp(shut.at / 1000, UTC):%Y-%m-%d %H:%M} UTC"}
        yield _issue("shut-out", text, _ANEW, facts, device=shut.by)


def _issue(code: str, text: str, remedy: str, facts: dict[str, str] | None = None, **params: str) -> Finding:
    return Finding(
        subject="membership", standing="issue", code=code, text=text, remedy=remedy, facts=facts or {}, params=params
    )
