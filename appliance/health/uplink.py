"""Whether the way to the league works, by what the uplink has written down here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from appliance.config import Config
from appliance.health.finding import Finding
from appliance.i18n import N_
from appliance.identity import CERTIFICATE
from appliance.leagueway import OWN_FILE, lacks
from appliance.takeover import DIRECTING, UPLINK
from appliance.uplinkstate import FILE, STALE_MS, Noted, UplinkState, read

PATIENCE_MS = 10 * 60_000
"""So long records may wait, while the connection is up, before the league is to be called."""

UNANSWERED_MS = 15_000
"""So long the league may say nothing of what waits; that a cable is out a connection notices only after a minute."""

_OTHER = N_("tableside journal verify finds it; the league's staff see the same on their page.")
_WHAT: dict[str, tuple[str, str]] = {
    "peer-ahead": (
        N_("The league has more of {stream} than this venue: was a card put back from a copy?"),
        N_("Leave the director running: what is missing is fetched back. If it does not come, call the league."),
    ),
    "forked": (
        N_("The league has other records of {stream} than this venue."),
        N_("A commissioner looks at what is left over, in the floor menu; then let a kiosk take over."),
    ),
    "bad-signature": (N_("A record of {stream} has a wrong signature; the stream has stopped."), _OTHER),
    "broken-chain": (N_("A record of {stream} does not follow the one before it; the stream has stopped."), _OTHER),
    "unknown-writer": (
        N_("It is not known whose key wrote {stream}; the stream waits."),
        N_("Enter the device at the league, or in [devices] of the site file; or adopt it by its code."),
    ),
    "unsigned": (
        N_("The newest records of {stream} are not signed and cannot be sent."),
        N_("Restart the director; if it stays so, look at its disk."),
    ),
    "store-trouble": (
        N_("The disk does not take what the league tells."),
        N_("Make room on the disk, or put in another card."),
    ),
}
_REFUSED: dict[str, tuple[str, str]] = {
    "connection-refused": (
        N_("The league's broker refuses this device."),
        N_("Compare league.broker's user and password; a revoked device gets a new device.key, then: tableside enrol"),
    ),
    "turned-away": (
        N_("The league's broker hangs up on this device: it does not accept its certificate."),
        N_("Enrol the device by a code of the league: tableside enrol. If it was revoked, delete device.key before."),
    ),
    "tls-failed": (
        N_("What answers as the league's broker does not prove that it is the league's."),
        N_(
            "Is league.broker.host what its certificate says (tableside league ca server), league-ca.crt the league's? "
            "Is tls right for this port?"
        ),
    ),
    "subscription-refused": (
        N_("The league's broker lets this device in, and hear nothing."),
        N_("The league's staff look at the broker's rights: tableside league ca broker-acl"),
    ),
}


def check(config: Config, now_ms: int) -> Iterator[Finding]:
    """A finding for the connection, one for each thing that went wrong with a stream. Where this device took over, its
    uplink runs in a folder of its own.
    """
    directs = (config.data / DIRECTING).exists()
    try:
        state = read((config.data / UPLINK if directs else config.data) / FILE)
    except (OSError, ValueError) as error:
        yield _issue("bad-file", N_("What the uplink wrote down cannot be read: {why}"), _DISK, why=str(error))
        return
    if state is None and directs and config.league.public_key:
        yield _issue("not-running", _ENDED, _START)
        return
    if state is None:
        text = N_("No uplink runs on this device.")
        yield Finding(subject="uplink", standing="absent", code="no-uplink", text=text)
        return
    if directs and not state.connected and _has_no_way(config):
        yield _issue("no-way", _NO_WAY, _ENROL)
        return
    yield _connection(state, now_ms)
    yield from map(_alert, state.alerts)


_NO_WAY = N_("The league's broker is not known at this device, or there is nothing to show it.")
_ENROL = N_("Have the device enrolled (tableside enrol) and start its kiosk again, or take over at one that was.")
_ENDED, _START = N_("The uplink does not run."), N_("Start it: it must run wherever the director does.")
_DISK = N_("Restart the uplink; if it stays so, look at the disk.")


def _has_no_way(config: Config) -> bool:
    """As a takeover would say it before (`appliance.leagueway`); what the uplink is told by itself is not seen here."""
    return not (config.data / OWN_FILE).exists() and lacks(config, config.data / CERTIFICATE)


def _connection(state: UplinkState, now_ms: int) -> Finding:
    facts = {"backlog": str(state.backlog), "since": _time(state.since)}
    if state.stored_at:
        facts["stored"] = _time(state.stored_at)
    if state.fetching:
        facts["fetching"] = ", ".join(state.fetching)
    if now_ms - state.at > STALE_MS:
        facts["since"] = _time(state.at)
        return _issue("not-running", _ENDED, _START, facts)
    if state.refused in _REFUSED and not state.connected:
        return _issue(state.refused, *_REFUSED[state.refused], facts)
    if not state.connected:
        remedy = N_("Look at the venue's internet connection. Nothing is lost: all of it is sent when it is back.")
        return _issue("no-league", N_("The league cannot be reached."), remedy, facts)
    quiet = now_ms - max(state.since, state.stored_at, state.waiting)
    if state.backlog and quiet > PATIENCE_MS:
        remedy = N_("Call the league: its broker is there, and nobody who stores what comes.")
        return _issue("not-stored", N_("The league's broker answers, and the league stores nothing."), remedy, facts)
    if state.backlog and quiet > UNANSWERED_MS and not state.alerts:  # a stream that has stopped is told by itself
        text = N_("Records wait, and the league does not answer, although the connection seems to be there.")
        remedy = N_("Look at the venue's internet connection, its cables first; if it stays so, call the league.")
        return _issue("unanswered", text, remedy, facts)
    text = N_("The league takes what this venue sends.")
    if state.backlog:
        text = N_("Records are on their way to the league.")
    return Finding(
        subject="uplink", standing="ok", code="sending" if state.backlog else "works", text=text, facts=facts
    )


def _alert(noted: Noted) -> Finding:
    text, remedy = _WHAT.get(noted.code, (N_("Something is wrong with {stream}: {why}"), _OTHER))
    facts = {"error": noted.detail, "since": _time(noted.at)} if noted.detail else {"since": _time(noted.at)}
    return _issue(noted.code, text, remedy, facts, stream=noted.stream or "?", why=noted.code)


def _issue(code: str, text: str, remedy: str, facts: dict[str, str] | None = None, **params: str) -> Finding:
    return Finding(
        subject="uplink", standing="issue", code=code, text=text, remedy=remedy, facts=facts or {}, params=params
    )


def _time(ms: int) -> str:
    return f"{datetime.fromtimestamp(min(max(ms, 0), 253_402_300_799_000) / 1000, UTC):%Y-%m-%d %H:%M} UTC"
