"""Who asks: a request's signature, its count and its size, before anything else is done with it."""

from __future__ import annotations

import asyncio
import re
from typing import NamedTuple

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from appliance.console import signing
from appliance.console.gate import Gate
from appliance.console.limits import Measure, Sparingly

MOST_BODY = 64 * 1024

BODY_S = 10.0
"""So long a request's body may take: it is a few kilobytes on the venue's own network."""

_SESSION, _SIGNATURE, _COUNT = (re.compile(pattern) for pattern in ("[0-9a-f]{16}", "[0-9a-f]{64}", "[0-9]{1,16}"))


class Turned(Exception):
    """The request goes no further; ``response`` says so."""

    def __init__(self, status: int, why: str, **more: object) -> None:
        super().__init__(why)
        self.response: Response = JSONResponse({"error": why, **more}, status)


class Signed(NamedTuple):
    """Whose request it is, and what came with it."""

    session: str
    body: bytes


class Door:
    """Tells signed requests from others. For the loop's thread."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._strangers = Measure(burst=60, a_second=5)
        self._loads = Measure(burst=2000, a_second=200)
        self._phones = Measure(burst=200, a_second=40)
        self._told = Sparingly()

    def loads(self, request: Request) -> None:
        """Something that everybody may have. Raises `Turned` for an address that wants it all the time."""
        if not self._loads.allows(address(request)):
            raise Turned(429, "too-many")

    def stranger(self, request: Request, why: str = "unsigned") -> Turned:
        """What a request is answered that nobody signed: 401, or 429 to an address from which many come."""
        self._told.note(address(request))
        allowed = self._strangers.allows(address(request))
        return Turned(401, why) if allowed else Turned(429, "too-many")

    async def signed(self, request: Request) -> Signed:
        """The phone that signed it. Raises `Turned`."""
        headers = request.headers
        session, count = headers.get(signing.SESSION, ""), headers.get(signing.COUNT, "")
        signature = headers.get(signing.SIGNATURE, "")
        if not (_SESSION.fullmatch(session) and _COUNT.fullmatch(count) and _SIGNATURE.fullmatch(signature)):
            raise self.stranger(request)
        key = self._gate.key(session)
        if key is None:
            raise self.stranger(request)
        body = await _body(request)
        if not signing.holds(key, signature, request.method, sent_path(request), int(count), body):
            raise self.stranger(request)
        if not self._gate.take(session, int(count)):
            raise Turned(401, "count", high=self._gate.high(session))
        if not self._phones.allows(session):
            raise Turned(429, "too-many")
        return Signed(session, body)


def sent_path(request: Request) -> str:
    """The path with its query, as it was sent."""
    path: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    query: bytes = request.scope["query_string"]
    return (path.split(b"?")[0] + (b"?" + query if query else b"")).decode("latin-1")


def address(request: Request) -> str:
    """Whose it is; all of a network's IPv6 addresses count as one."""
    return as_one(request.client.host if request.client is not None else "")


def as_one(host: str) -> str:
    """An address as it is counted: a machine gives itself as many of its network's IPv6 addresses as it likes."""
    return ":".join(host.split(":")[:4]) if ":" in host and "." not in host else host


async def _body(request: Request) -> bytes:
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:12]) > MOST_BODY:
        raise Turned(413, "too-large")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BODY:
                    raise Turned(413, "too-large")
    except TimeoutError:
        raise Turned(408, "too-slow") from None
    except ClientDisconnect:
        raise Turned(400, "gone") from None
    return bytes(body)
