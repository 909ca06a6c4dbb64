"""What an ASGI application is given: the names of its parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Event = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


async def answer(send: Send, status: int, text: str = "", *headers: tuple[bytes, bytes]) -> None:
    """Answer with a line of text."""
    more = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": more})
    await send({"type": "http.response.body", "body": f"{text}\n".encode() if text else b""})


def ender(scope: Scope) -> Callable[[], None]:
    """What ends the request's connection at once, whatever of the answer was not taken yet."""
    return scope.get("state", {}).get("end") or (lambda: None)
