"""Whether a device could carry its venue's records to the league: asked before it takes over, when it can be helped."""

from __future__ import annotations

from pathlib import Path

from appliance.config import Broker, Config, ConfigError, load
from appliance.identity import CERTIFICATE
from appliance.workplace import Workplace

OWN_FILE = "uplink.toml"
"""In a kiosk's data folder: what its uplink's configuration changes of its own."""


class LeagueWay:
    """The way to the league from this device, looked at again once a file of it has changed."""

    def __init__(self, place: Workplace) -> None:
        self._place = place
        self._looked: tuple[int, ...] | None = None
        self._lacking = False

    @property
    def is_lacking(self) -> bool:
        """Whether there is a league, and this device does not know where its broker is, or has nothing to show there:
        neither a name nor a certificate of the league's authority.
        """
        files = (self._place.data / CERTIFICATE, self._place.data / OWN_FILE)
        looked = tuple(map(_changed, files))
        if looked != self._looked:
            self._looked, self._lacking = looked, self._look(*files)
        return self._lacking

    def _look(self, certificate: Path, own: Path) -> bool:
        place = self._place
        try:
            config = load(*place.files, *([own] if own.exists() else [])) if place.files else place.config
        except ConfigError:
            config = place.config
        return lacks(config, certificate)


def lacks(config: Config, certificate: Path) -> bool:
    """Whether there is a league and no way to it, by the uplink's configuration and this device's certificate."""
    return bool(config.league.public_key) and not _serves(config, certificate)


def _serves(config: Config, certificate: Path) -> bool:
    broker = config.league.broker
    if broker == Broker() or not broker.tls:
        return broker != Broker()  # where nothing is said of it, it is looked for on this very machine
    return bool(broker.username or broker.certificate) or _is_the_leagues(certificate)


def _is_the_leagues(file: Path) -> bool:
    from appliance import certificates  # a device that is never asked needs none of it

    try:
        return not certificates.is_self_signed(certificates.read(file))
    except certificates.CertificateError:
        return False


def _changed(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return -1
