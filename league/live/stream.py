"""``/live/<kind>/[<key>]?lang=cs``: server-sent events, an ASGI application for all listeners of a process.

At once the latest (``event: round``, ``calendar`` or ``tv``; ``data`` a JSON object whose ``html`` takes the place of
what the page had), unless ``Last-Event-ID`` or ``last`` says that the listener has it; then each change. With each of
them and every `BEAT_S` comes ``event: here`` with the server's time (``now``, UTC ms): by it both ends know that the
other is there, and clocks go right. Of what there is nothing: 404. Where there is no room, or nothing can be seen: 503;
and a stream ends where nothing can be seen any more.
"""

from __future__ import annotations

import asyncio
import re
from ipaddress import ip_address, ip_network
from urllib.parse import parse_qs

from django.conf import settings

from league.live.asgi import Receive, Scope, Send, answer, ender
from league.live.hub import Channel, Hub, NotNowError
from league.live.looking import Told, Watched
from league.site import boards
from league.staff.middleware import asked_by

BEAT_S = 15.0
SLOW_S = 20.0
"""Who has not taken a message after this long is let go; a browser comes back by itself."""

_LATER = (b"retry-after", b"30")
_PATH = re.compile(r"/live/([a-z]{1,16})(?:/([A-Za-z0-9._-]{0,64}))?/?")
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class Stream:
    """The application: one of a hub's listeners a request."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request until it ends."""
        watched = _watched(scope)
        if watched is None:
            await answer(send, 404, "There is no such stream.")
        elif scope["method"] != "GET":
            await answer(send, 405, "A stream is read.", (b"allow", b"GET"))
        elif self._hub.ended.is_set() or self._hub.is_blind or not self._hub.has_room(watched, who := _who(scope)):
            await answer(send, 503, "Too many listen now; load the page again later.", _LATER)
        else:
            try:
                channel = await self._hub.join(watched, who)
            except NotNowError:
                await answer(send, 503, "There is nothing to be seen of it now; load the page again later.", _LATER)
                return
            if channel is None:
                await answer(send, 404, "There is no such stream.")
                return
            try:
                await self._listen(channel, _known(scope), receive, send)
            except TimeoutError:
                ender(scope)()  # counts as long as the system keeps anything for it
            finally:
                self._hub.leave(watched, channel, who)

    async def _listen(self, channel: Channel, known: str, receive: Receive, send: Send) -> None:
        """Tell it all that is new, until it goes, or there is nothing to be told any more. Raises TimeoutError."""
        gone = asyncio.create_task(_gone(receive))
        ended = asyncio.create_task(self._hub.ended.wait())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            told: Told | None = channel.told
            is_new = told is not None and known.partition("-")[2] != told.content
            await _write(send, told.message if told is not None and is_new else b"")
            while True:
                news = channel.news
                if channel.told is told:
                    waits = asyncio.ensure_future(news.wait())
                    done, _ = await asyncio.wait(
                        {waits, gone, ended}, timeout=BEAT_S, return_when=asyncio.FIRST_COMPLETED
                    )
                    waits.cancel()
                    if gone in done or ended in done:
                        break
                latest = channel.told
                if latest is None or self._hub.is_blind:
                    break
                await _write(send, latest.message if latest is not told else b"")
                told = latest
            await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()
            ended.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _write(send: Send, message: bytes) -> None:
    message = b'event: here\ndata: {"now": %d}\n\n' % boards.now_ms() + message
    async with asyncio.timeout(SLOW_S):
        await send({"type": "http.response.body", "body": message, "more_body": True})


def _watched(scope: Scope) -> Watched | None:
    found = _PATH.fullmatch(scope["path"])
    if found is None:
        return None
    asked, known = _asked(scope, "lang"), {code for code, _ in settings.LANGUAGES}
    return Watched(found[1], found[2] or "", asked if asked in known else settings.LANGUAGE_CODE)


def _known(scope: Scope) -> str:
    """The latest that the listener has already, as it was named to them."""
    header: bytes = next((value for key, value in scope["headers"] if key == b"last-event-id"), b"")
    return header.decode("latin-1") or _asked(scope, "last")


def _asked(scope: Scope, name: str) -> str:
    query: bytes = scope["query_string"]
    return parse_qs(query.decode("latin-1")[:300]).get(name, [""])[-1]


def _who(scope: Scope) -> str:
    """Whom the listener counts for: an address, or the network that one house has; nobody on this machine."""
    told = b",".join(value for key, value in scope["headers"] if key == b"x-forwarded-for").decode("latin-1")
    try:
        address = ip_address(asked_by((scope.get("client") or ("", 0))[0], told))
    except ValueError:
        return ""
    if address.is_loopback:
        return ""  # a proxy that does not say whom it asks for
    return str(address) if address.version == 4 else str(ip_network((address, 64), strict=False))
