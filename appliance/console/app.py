"""The phone's pages over HTTP: what each address does, and what every answer says of itself.

Nothing is set in a browser but by its own script; no cookie, and nothing from elsewhere. Who asks is told by the
signature alone (`appliance.console.door`), but for the shell, which has no data in it, and for tickets.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, NamedTuple
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from appliance.console import signing
from appliance.console.asked import Asked, Asks
from appliance.console.assets import Asset, Assets
from appliance.console.door import Door, Turned, sent_path
from appliance.console.events import Hub
from appliance.console.gate import Gate
from appliance.console.head import round_of
from appliance.console.pages import Pages
from appliance.console.tickets import Tickets
from appliance.phone import Phone

MOST_STREAMS = 100
_AGENT = 64
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TICKET = re.compile(r"/(events|print|export)([/?][!-~]*)?")
_OWN = frozenset({"id", "do"})
"""Fields of a form that are no answers."""

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "x-tableside": "phones",
}
_EVER, _NEVER = "public, max-age=31536000, immutable", "no-store"
_log = logging.getLogger(__name__)


class House(NamedTuple):
    """All that the addresses are answered from."""

    gate: Gate
    way: Asks
    pages: Pages
    hub: Hub
    assets: Assets
    shell: Asset
    tickets: Tickets


class Claim(msgspec.Struct):
    """What a phone says of itself when it comes."""

    nonce: str
    agent: str = ""


class Addresses:
    """Answers requests. For the loop's thread."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._door = Door(house.gate)

    def app(self) -> ASGIApp:
        """The application; every answer of it carries `HEADERS`."""
        ways: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
            ("GET", "/", self.shell),
            ("GET", "/static/{mark}/{name:path}", self.static),
            ("POST", "/pair", self.claim),
            ("GET", "/pair", self.pair),
            ("GET", "/view/{name:path}", self.view),
            ("GET", "/form/{action}", self.form),
            ("POST", "/form/{action}", self.form),
            ("POST", "/ticket", self.ticket),
            ("GET", "/events", self.events),
            ("GET", "/print/{name:path}", self.file),
            ("GET", "/export/{name:path}", self.file),
        ]
        paths = dict.fromkeys(path for _, path, _ in ways)
        methods = {path: {method: do for method, each, do in ways if each == path} for path in paths}
        routes = [Route(path, _by_method(doing), methods=list(doing)) for path, doing in methods.items()]
        return _with_headers(Router(routes, redirect_slashes=False))

    # -- what everybody may have -------------------------------------------------------------------------

    async def shell(self, request: Request) -> Response:
        """The page that everything else is put into; no data is in it."""
        self._door.loads(request)
        return _asset(request, self._house.shell, "no-cache")

    async def static(self, request: Request) -> Response:
        """A file that never changes at its address."""
        self._door.loads(request)
        found = self._house.assets.get(request.path_params["name"])
        if found is None or request.path_params["mark"] != self._house.assets.mark:
            raise Turned(404, "not-found")
        return _asset(request, found, _EVER)

    # -- signing in --------------------------------------------------------------------------------------

    async def claim(self, request: Request) -> Response:
        """A phone has come with the key from a kiosk's picture."""
        signed = await self._door.signed(request)
        try:
            said = msgspec.json.decode(signed.body, type=Claim)
            nonce = bytes.fromhex(said.nonce)
        except (msgspec.MsgspecError, ValueError, UnicodeDecodeError):
            raise Turned(400, "unreadable") from None
        if len(nonce) != signing.NONCE_BYTES:
            raise Turned(400, "unreadable")
        agent = " ".join("".join(c if c.isprintable() else " " for c in said.agent).split())[:_AGENT]
        code = await self._house.gate.claim(signed.session, nonce, agent)
        if code is None:
            return JSONResponse({"state": self._house.gate.standing(signed.session), "error": "taken"}, 409)
        return JSONResponse({"state": "claimed", "code": code})

    async def pair(self, request: Request) -> Response:
        """How it stands with a phone."""
        signed = await self._door.signed(request)
        gate = self._house.gate
        phone = gate.phone(signed.session)
        if phone is None:
            return JSONResponse({"state": gate.standing(signed.session)})
        told = {"role": phone.role, "table": phone.table, "until": phone.until_ms, "now": self._house.hub.now_ms()}
        return JSONResponse({"state": "confirmed", **told})

    # -- pages -------------------------------------------------------------------------------------------

    async def view(self, request: Request) -> Response:
        """A view as it is now."""
        phone, _ = await self._phone(request)
        html = self._house.pages.render(request.path_params["name"], self._asked(request, phone))
        if html is None:
            raise Turned(404, "not-found")
        return HTMLResponse(html)

    async def form(self, request: Request) -> Response:
        """A form with the answers so far; sent with ``do=send`` it is carried out, under the id that stands in it."""
        phone, body = await self._phone(request)
        asked = self._asked(request, phone)
        fields = _fields(body) if request.method == "POST" else dict(asked.params)
        id, send = fields.get("id", ""), request.method == "POST" and fields.get("do") == "send"
        if send and not _ID.fullmatch(id):
            raise Turned(400, "unreadable")
        answers = {name: value for name, value in fields.items() if name not in _OWN}
        action = request.path_params["action"]
        return HTMLResponse(await self._house.pages.form(self._house.way, asked, action, answers, send, id))

    # -- by ticket ---------------------------------------------------------------------------------------

    async def ticket(self, request: Request) -> Response:
        """A ticket for the address that is asked for: a stream, a print, an export."""
        phone, body = await self._phone(request)
        purpose = body.decode("latin-1")
        if len(purpose) > 1000 or not _TICKET.fullmatch(purpose):
            raise Turned(400, "unreadable")
        return JSONResponse({"ticket": self._house.tickets.give(phone.session, purpose)})

    async def events(self, request: Request) -> Response:
        """What a phone hears from now on."""
        phone, hub, gate = self._by_ticket(request), self._house.hub, self._house.gate
        if hub.listeners >= MOST_STREAMS:
            raise Turned(503, "too-many")
        asked, session = self._asked(request, phone), phone.session

        def round() -> str | None:
            return round_of(hub.sight, asked.round, hub.now_ms(), phone.table)

        since = asked.params.get("since", "")
        stream = hub.stream(session, since, round, lambda: gate.phone(session) is not None)
        return StreamingResponse(stream, headers={"cache-control": _NEVER}, media_type="text/event-stream")

    async def file(self, request: Request) -> Response:
        """A print or an export."""
        phone = self._by_ticket(request)
        found = await self._house.pages.file(request.url.path.lstrip("/"), self._asked(request, phone))
        if found is None:
            raise Turned(404, "not-found")
        kept = {"content-disposition": f'attachment; filename="{found.name}"'} if found.name else {}
        return Response(found.body, headers=kept, media_type=found.kind)

    # -- who asks ----------------------------------------------------------------------------------------

    async def _phone(self, request: Request) -> tuple[Phone, bytes]:
        signed = await self._door.signed(request)
        phone = self._house.gate.phone(signed.session)
        if phone is None:
            raise Turned(401, "signed-out")
        return phone, signed.body

    def _by_ticket(self, request: Request) -> Phone:
        ticket, purpose = request.query_params.get("ticket", ""), sent_path(request)
        purpose = re.sub(r"[?&]ticket=[0-9a-f]*\Z", "", purpose)
        session = self._house.tickets.take(ticket, purpose)
        phone = self._house.gate.phone(session) if session is not None else None
        if phone is None:
            raise self._door.stranger(request)
        return phone

    def _asked(self, request: Request, phone: Phone) -> Asked:
        params = _joined(request.query_params.multi_items())
        hub, lang = self._house.hub, _lang(params)
        params.pop("lang", None)
        params.pop("ticket", None)
        now = hub.now_ms()
        return Asked(
            hub.sight, phone, lang, params, now, round_of(hub.sight, params.pop("round", None), now, phone.table)
        )


def _lang(params: Mapping[str, str]) -> Literal["cs", "en"]:
    return "en" if params.get("lang") == "en" else "cs"


def _joined(pairs: list[tuple[str, str]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]} {value}" if name in joined else value
    return joined


def _fields(body: bytes) -> dict[str, str]:
    try:
        return _joined(parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=500))
    except ValueError:
        raise Turned(400, "unreadable") from None


def _asset(request: Request, asset: Asset, keep: str) -> Response:
    takes = "gzip" in request.headers.get("accept-encoding", "")
    body, more = (asset.packed, {"content-encoding": "gzip"}) if takes else (asset.plain, {})
    headers = {"content-type": asset.kind, "cache-control": keep, "vary": "accept-encoding", **more}
    return Response(body, headers=headers)


def _by_method(doing: Mapping[str, Callable[[Request], Awaitable[Response]]]) -> Callable[..., Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            if (do := doing.get(request.method)) is None:  # Starlette adds HEAD to GET
                raise Turned(405, "not-found")
            return await do(request)
        except Turned as turned:
            return turned.response
        except Exception:  # noqa: BLE001 (one page that fails is no reason to end; the log has the whole of it)
            _log.exception("a page of the phone failed: %s", request.scope["path"][:80])
            return JSONResponse({"error": "failed"}, 500)

    return answer


def _with_headers(app: ASGIApp) -> ASGIApp:
    named = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = message.setdefault("headers", [])
                kept = [] if any(name == b"cache-control" for name, _ in there) else [(b"cache-control", b"no-store")]
                message["headers"] = [*there, *named, *kept]
            await send(message)

        await app(scope, receive, sending)

    return wrapped
