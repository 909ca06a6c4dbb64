"""Serves the phone's pages on the venue network: binds the port, begins again where it is taken, ends when told to.

    console = Console(config.console, way, way, pages, lambda: way.sight, place.now_ms)
    way.listen(console.look)                    # from any thread: there is something newer
    await console.run(over)                     # until that event is set

What keeps pages from being served is a state that the log says once, and never the end of the director.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import re
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar, Protocol

import msgspec
import uvicorn
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from appliance import config
from appliance.console.app import Addresses, House
from appliance.console.asked import Asks
from appliance.console.assets import HERE, Asset, Assets, packed
from appliance.console.door import as_one
from appliance.console.events import Hub
from appliance.console.gate import Gate
from appliance.console.pages import Pages
from appliance.console.sight import Sight
from appliance.console.tickets import Tickets
from appliance.console.words import words

AGAIN_S = 5.0
"""After so long a port that was taken is tried again."""

MOST_CONNECTIONS, MOST_FROM_ONE = 400, 150
"""Connections at a time, and of one address: nobody alone is to keep the phones out."""

GONE_MS = 30_000
"""Who takes nothing for so long is gone: a phone out of the network's reach says no farewell."""

_QUEUE, _SILENT_S, _GRACE_S = 128, 30.0, 1
_SCRIPTS = ("first.js", "vendor/htmx/htmx.min.js")
"""Those that are no modules."""

_TEMPLATES = HERE / "templates"
_NO_IPV6 = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
_log = logging.getLogger(__name__)


class Served(Protocol):
    """Hears at which port pages are served, and whether with TLS; 0: at none (any more)."""

    def __call__(self, port: int, *, secure: bool) -> None: ...


class _Protocol(H11Protocol):
    """Gives up on a client that has not told in time what it wants, or that comes too often at a time."""

    _open: ClassVar[Counter[str]] = Counter()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._patience = self.loop.call_later(_SILENT_S, self._look)
        self._from = as_one(str((transport.get_extra_info("peername") or ("",))[0]))
        self._open[self._from] += 1
        if self._open[self._from] > MOST_FROM_ONE or self._open.total() > MOST_CONNECTIONS:
            transport.abort()  # each takes a file, and the director's journal needs some

    def connection_lost(self, exc: Exception | None) -> None:
        self._patience.cancel()
        self._open[self._from] -= 1
        if not self._open[self._from]:
            del self._open[self._from]
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._patience.cancel()
        self._patience = self.loop.call_later(_SILENT_S, self._look)

    def _look(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


class _Server(uvicorn.Server):
    """Leaves signals to the program."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Console:
    """The pages' server."""

    def __init__(
        self,
        settings: config.Console,
        gate: Gate,
        way: Asks,
        pages: Pages,
        newest: Callable[[], Sight],
        now_ms: Callable[[], int],
        served: Served,
        speed: int = 1,
        assets: Assets | None = None,
    ) -> None:
        """Raises `appliance.console.assets.NoAssets` where it was set up without what pages load."""
        self.port = 0
        self._settings, self._served = settings, served
        assets = assets or Assets.load()
        self._hub = Hub(now_ms, speed, assets.mark)
        self._addresses = Addresses(House(gate, way, pages, self._hub, assets, shell(assets), Tickets()))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._newest = newest
        self._trouble = ""

    @property
    def listeners(self) -> int:
        """How many phones listen to what goes on."""
        return self._hub.listeners

    def look(self, sight: Sight | None = None) -> None:
        """Show what is newest by now. From any thread."""
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                loop.call_soon_threadsafe(self._show)

    def _show(self) -> None:
        if (sight := self._newest()) is not self._hub.sight:
            self._hub.show(sight)

    async def run(self, over: asyncio.Event) -> None:
        """Serve until ``over`` is set."""
        self._loop = asyncio.get_running_loop()
        self._show()
        app = self._addresses.app()
        while not over.is_set():
            try:
                with _bound(self._settings.port) as listening:
                    await self._serve(app, listening, over)
            except (OSError, OverflowError) as error:  # ssl.SSLError is one
                self._say(_why(error, self._settings))
                await _pause(over, AGAIN_S)

    async def _serve(self, app: ASGIApp, listening: socket.socket, over: asyncio.Event) -> None:
        server = _Server(_configured(app, self._settings))
        server.config.load()
        secure = server.config.is_ssl
        self.port = listening.getsockname()[1]
        serving = asyncio.create_task(server.serve([listening]))
        ending = asyncio.create_task(over.wait())
        self._trouble = ""
        _log.info("phones come to port %d%s", self.port, " (TLS)" if secure else "")
        self._served(self.port, secure=secure)
        try:
            await asyncio.wait({serving, ending}, return_when=asyncio.FIRST_COMPLETED)
            self._hub.close()
            server.should_exit = True
            await serving
        finally:
            ending.cancel()
            self.port = 0
            self._served(0, secure=False)

    def _say(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            _log.error("phones cannot come: %s; it is tried again", trouble)


def shell(assets: Assets) -> Asset:
    """The page that everything else is put into."""
    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined)
    said = words()
    # as data in a page: nothing in it may look like the end of a script
    data = re.sub("[<>&]", lambda found: f"\\u{ord(found[0]):04x}", msgspec.json.encode(said).decode())
    styles = [name for name in assets.names() if name.endswith(".css")]
    modules = [name for name in assets.names() if name.endswith(".js") and name not in _SCRIPTS]
    text = environment.get_template("shell.html").render(
        base=f"/static/{assets.mark}/", styles=styles, modules=modules, words=said["cs"], data=data
    )
    return Asset("text/html; charset=utf-8", text.encode(), packed(text.encode()))


def _configured(app: ASGIApp, settings: config.Console) -> uvicorn.Config:
    return uvicorn.Config(
        app, http=_Protocol, loop="asyncio", ws="none", lifespan="off", interface="asgi3", proxy_headers=False,
        access_log=False,  # who looks at what is nobody's business
        server_header=False, log_config=None, log_level=logging.ERROR, backlog=_QUEUE,
        limit_concurrency=MOST_CONNECTIONS + 1, timeout_graceful_shutdown=_GRACE_S,
        ssl_certfile=settings.certificate or None, ssl_keyfile=settings.key or None,
    )  # fmt: skip


def _bound(port: int) -> socket.socket:
    """A socket that takes connections on all of this machine's addresses. Raises OSError, OverflowError."""
    for family in (socket.AF_INET6, socket.AF_INET):
        try:
            # by its protocol asyncio knows it for one whose small pieces are not to wait for an acknowledgement
            bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        except OSError:
            if family is socket.AF_INET:
                raise
            continue
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family is socket.AF_INET6:
                bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)  # of all that are accepted
            bound.bind(("", port))
            bound.listen(_QUEUE)
        except OSError as error:
            bound.close()
            if family is socket.AF_INET6 and error.errno in _NO_IPV6:
                continue
            raise
        except BaseException:
            bound.close()
            raise
        return bound
    raise OSError(f"port {port}: no network here")


def _why(error: Exception, settings: config.Console) -> str:
    files = [settings.certificate, settings.key]
    if isinstance(error, ssl.SSLError) or (isinstance(error, OSError) and error.filename in files):
        return f"console.certificate {files[0]}, console.key {files[1]}: {error}"
    if settings.certificate and not all(Path(file).is_file() for file in files):
        return f"console.certificate {files[0]}, console.key {files[1]}: not there"
    return f"port {settings.port}: {getattr(error, 'strerror', None) or error}"


async def _pause(over: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(over.wait(), seconds)
