"""Whether this device can tell genuine cards: the keys sealed to it, and the counters of those it cannot ask."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from appliance.cards import seal
from appliance.cards.counters import Counters, CountersError
from appliance.cards.keys import CardKeys
from appliance.cards.seal import SealError
from appliance.cardwork import OPENING_KEY
from appliance.config import Config
from appliance.health.finding import Finding, Standing
from appliance.i18n import N_
from appliance.identity import IdentityError, load_or_make_opening, public_key

_SEAL = N_("Seal them anew: tableside cards keys export-k2, to the key that tableside key --opening shows here.")
_SEAL_FIRST = N_("Seal them: tableside cards keys export-k2, to the key that tableside key --opening shows here.")


def check(config: Config, league: str | None, now_ms: int) -> Iterator[Finding]:
    """A finding for the keys, one for the counters. ``league``: the key that signs cards, as far as it is known."""
    yield _keys(config, league, now_ms)
    yield _counters(config)


def _keys(config: Config, league: str | None, now_ms: int) -> Finding:
    file, subject = config.card_keys, "card keys"
    facts = {"file": str(file)}
    if not file.exists():
        standing: Standing = "issue" if config.cards.keys else "absent"
        text = N_("No keys of cards are here: cards count by their signature only.")
        return Finding(subject=subject, standing=standing, code="no-keys", text=text, remedy=_SEAL_FIRST, facts=facts)
    if league is None:
        text = N_("The league has not told yet which key signs its cards.")
        return Finding(subject=subject, standing="absent", code="no-policy", text=text, facts=facts)
    try:
        sealed = seal.read(file, config.device.name, public_key(league))
        private = load_or_make_opening(config.data / OPENING_KEY)
        keys = CardKeys()
        good = keys.load(sealed, config.device.name, private, now_ms)
    except (SealError, IdentityError, OSError, ValueError) as error:
        text, params = N_("The file of keys cannot be used: {why}"), {"why": str(error)}
        if isinstance(error, SealError):
            text, params = error.message, error.values
        return Finding(
            subject=subject, standing="issue", code="bad-keys", text=text, remedy=_SEAL, facts=facts, params=params
        )
    facts |= {"keys": str(good)}
    if sealed:
        last = datetime.fromtimestamp(min(max(one.until for one in sealed), 253_402_300_799_000) / 1000, UTC)
        facts["until"] = f"{last:%Y-%m-%d %H:%M} UTC"
    if not good:
        text = N_("The keys of cards have ended.")
        return Finding(subject=subject, standing="issue", code="ended", text=text, remedy=_SEAL, facts=facts)
    return Finding(subject=subject, standing="ok", code="works", text=N_("Cards can prove themselves."), facts=facts)


def _counters(config: Config) -> Finding:
    file, subject = config.card_counters, "card counters"
    facts = {"file": str(file)}
    if not file.exists():
        text = N_("No card's counter was kept yet.")
        return Finding(subject=subject, standing="absent", code="no-counters", text=text, facts=facts)
    try:
        with Counters(file) as counters:
            counters.highest("")
    except CountersError as error:
        return Finding(
            subject=subject, standing="issue", code="bad-counters", facts=facts, params={"why": str(error)},
            text=N_("The counters of cards cannot be read: {why}"),
            remedy=N_("Cards count by their keys only. Look at the disk, then delete the file."),
        )  # fmt: skip
    return Finding(
        subject=subject, standing="ok", code="works", text=N_("The counters of cards are kept."), facts=facts
    )
