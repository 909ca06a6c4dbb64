"""Whether the director serves the commissioner's phone: its port, its certificate, and what its pages load."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator
from pathlib import Path

from appliance.config import Config, Console
from appliance.health.finding import Finding
from appliance.i18n import N_
from appliance.takeover import DIRECTING

MARK = "x-tableside"
"""A header of everything that the pages' server answers."""

_LOADED = Path(__file__).parents[1] / "console" / "vendor" / "htmx" / "htmx.min.js"
_WAIT_S = 2.0


def check(config: Config, loaded: Path = _LOADED) -> Iterator[Finding]:
    """One finding at a device that directs; none at others."""
    if config.device.role == "director" or (config.data / DIRECTING).exists():
        yield _found(config.console, loaded)


def _found(console: Console, loaded: Path) -> Finding:
    facts = {"port": str(console.port)}
    if not console.port:
        text = N_("No phones are served here: console.port is 0.")
        return Finding(subject="phones", standing="absent", code="no-console", text=text)
    if not loaded.exists():
        text = N_("What the phone's pages load was not fetched when this was set up.")
        return _issue("no-assets", text, N_("With a network: python -m scripts.assets; then restart the director."))
    if console.certificate and (why := _certificate(console)):
        text, remedy = (
            N_("The certificate for phones cannot be used: {why}"),
            N_("Put console.certificate and key right."),
        )
        return _issue("bad-certificate", text, remedy, why=why)
    try:
        ours = _asks(console)
    except ConnectionRefusedError:
        text = N_("Nothing is served at the phones' port now: no director runs here, or it has only begun.")
        return Finding(subject="phones", standing="absent", code="no-director", text=text, facts=facts)
    except (OSError, http.client.HTTPException):
        ours = False
    if ours:
        text = N_("Phones are served.")
        return Finding(subject="phones", standing="ok", code="works", text=text, facts=facts)
    text = N_("Another program has the phones' port {port}.")
    return _issue("port-taken", text, N_("End it, or set another console.port."), port=str(console.port))


def _certificate(console: Console) -> str:
    """Why it cannot be used, empty if it can."""
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(console.certificate, console.key)
    except OSError as error:  # ssl.SSLError is one
        return error.strerror or str(error)
    return ""


def _asks(console: Console) -> bool:
    """Whether what answers at the port is ours. Raises OSError and HTTPException."""
    line = http.client.HTTPConnection("localhost", console.port, timeout=_WAIT_S)
    if console.certificate:
        here = ssl.create_default_context()
        here.check_hostname, here.verify_mode = False, ssl.CERT_NONE  # it is asked who it is, and told nothing
        line = http.client.HTTPSConnection("localhost", console.port, timeout=_WAIT_S, context=here)
    try:
        line.request("GET", "/pair")
        return line.getresponse().getheader(MARK) is not None
    finally:
        line.close()


def _issue(code: str, text: str, remedy: str, **params: str) -> Finding:
    return Finding(subject="phones", standing="issue", code=code, text=text, remedy=remedy, params=params)
