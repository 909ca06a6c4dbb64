"""A console that is served as in earnest, before an engine that is played, and phones that sign."""

from __future__ import annotations

import asyncio
import ctypes
import http.client
import json
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance import config
from appliance.console import signing
from appliance.console.asked import Answered, Asked, Asks
from appliance.console.assets import NEEDED, Assets
from appliance.console.gate import Standing
from appliance.console.pages import File, Pages
from appliance.console.server import Console
from appliance.console.sight import Sight
from appliance.game.command import Command
from appliance.kinds import Note
from appliance.phone import Phone

_CLONE_NEWNET = 0x40000000
NOW = 1_790_000_000_000


def phone_of(session: str, **more: Any) -> Phone:
    given: dict[str, Any] = {
        "role": "commissioner",
        "who": "1001",
        "by": "table-1",
        "until_ms": NOW + 3_600_000,
        **more,
    }
    return Phone(session=session, **given)


@dataclass
class PlayedEngine:
    """What the engine side knows of phones (`Gate`), and what it was asked for (`Asks`)."""

    secret: dict[str, bytes] = field(default_factory=dict)
    phones: dict[str, Phone] = field(default_factory=dict)
    standings: dict[str, Standing] = field(default_factory=dict)
    windows: dict[str, signing.Window] = field(default_factory=dict)
    nonces: dict[str, bytes] = field(default_factory=dict)
    given: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    slow: bool = False

    def forget(self) -> None:
        for each in (self.secret, self.phones, self.standings, self.windows, self.nonces, self.given, self.agents):
            each.clear()

    def offer(self, session: str = "") -> tuple[str, bytes]:
        session = session or secrets.token_hex(8)
        self.secret[session] = secrets.token_bytes(signing.KEY_BYTES)
        self.standings[session] = "offered"
        return session, self.secret[session]

    def confirm(self, session: str, **more: Any) -> None:
        self.standings[session] = "confirmed"
        self.phones[session] = phone_of(session, **more)

    def cut_off(self, session: str) -> None:
        self.standings[session] = "cut-off"
        self.phones.pop(session)

    def key(self, session: str) -> bytes | None:
        return self.secret.get(session)

    def take(self, session: str, count: int) -> bool:
        return self.windows.setdefault(session, signing.Window()).take(count)

    def high(self, session: str) -> int:
        return self.windows.setdefault(session, signing.Window()).high

    def phone(self, session: str) -> Phone | None:
        return self.phones.get(session)

    def standing(self, session: str) -> Standing:
        return self.standings.get(session, "unknown")

    async def claim(self, session: str, nonce: bytes, agent: str) -> str | None:
        if self.standings[session] not in ("offered", "claimed") or self.nonces.setdefault(session, nonce) != nonce:
            return None
        self.standings[session] = "claimed"
        self.agents.append(agent)
        return signing.code(self.secret[session], nonce)

    async def newer(self, asked: Asked) -> Asked:
        return asked

    async def command(self, phone: Phone, id: str, command: Command, revision: int | None) -> Answered:
        self.given.append(id)
        return Answered(True)

    async def note(self, phone: Phone, id: str, note: Note | bytes) -> Answered:
        self.given.append(id)
        while self.slow:
            await asyncio.sleep(0.01)
        return Answered(True)


def render(name: str, asked: Asked) -> str | None:
    if name == "broken":
        raise RuntimeError("a page that cannot be drawn")
    if name not in ("clock", "players", "player/7", "dealer", "more"):
        return None
    return (
        f"<h1>{name} {asked.lang}</h1><p id=who>{asked.phone.who}</p><p id=version>{asked.sight.n}</p>"
        f"<p id=time data-ends={NOW + 600_000}></p><label>Hledat<input id=search data-filter='#list'></label>"
        "<ul id=list><li data-find='Jiří Šťastný'>Jiří</li><li data-find='Karel'>Karel</li></ul>"
        "<button data-set=language>Language</button><button data-set=theme>Theme</button>"
        "<a id=take data-ticket='/export/results.csv'>CSV</a>"
        '<button hx-post=\'/form/bust\' hx-vals=\'{"do": "send", "by": "7"}\'>At once</button>'
        "<button hx-get='/form/bust?participant=7'>Bust</button><a href='#/player/7'>Seven</a>"
    )


async def form(way: Asks, asked: Asked, action: str, answers: Mapping[str, str], send: bool, id: str) -> str:
    if send:
        await way.note(asked.phone, id, json.dumps(dict(answers)).encode())
        return f"<p data-done data-back='#/clock'>Done {answers.get('by', '')}</p>"
    told = json.dumps(dict(answers), ensure_ascii=False)
    return (
        f"<form hx-post='/form/{action}'><h2>{action}</h2><output>{told.replace('<', '')}</output>"
        "<input name=by value='Šťastný &amp; 7'><button class=main name=do value=send>Send</button></form>"
    )


async def file(name: str, asked: Asked) -> File | None:
    return (
        File("text/csv; charset=utf-8", "pořadí;hráč".encode(), "results.csv") if name == "export/results.csv" else None
    )


PAGES = Pages(render, form, file)
FILES = {**dict.fromkeys(NEEDED, b"// by others"), "console.css": b"p{}" * 400, "console.js": b"// ours"}


class Served:
    """A console in a loop of its own; what happens is told it from outside, as the engine thread does."""

    def __init__(
        self,
        engine: PlayedEngine,
        settings: config.Console,
        assets: Assets | None,
        pages: Pages,
        network: str = "",
        way: Asks | None = None,
        now_ms: Callable[[], int] = lambda: NOW,
    ) -> None:
        """``network``: the file of the network that it is in, if it is not this one; ``way``: to another engine."""
        self.heard: list[tuple[int, bool]] = []
        self._up = threading.Event()
        self.sight = Sight()
        self.console = Console(
            settings, engine, way or engine, pages, lambda: self.sight, now_ms, self._served, assets=assets
        )
        self._network = network
        self._thread = threading.Thread(target=self._begin)
        self._n = 0

    def _served(self, port: int, *, secure: bool) -> None:
        self.heard.append((port, secure))
        self._up.set()

    def _begin(self) -> None:
        if self._network:
            with Path(self._network).open() as there:
                assert ctypes.CDLL(None, use_errno=True).setns(there.fileno(), _CLONE_NEWNET) == 0
        asyncio.run(self._run())

    async def _run(self) -> None:
        self.loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        await self.console.run(self._over)

    def start(self, *, waits: bool = True) -> Served:
        self._thread.start()
        if waits:
            assert self._up.wait(10)
        return self

    def started(self) -> bool:
        return self._up.wait(10)

    def stop(self) -> None:
        if not self._thread.is_alive():
            return
        self.loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)
        assert not self._thread.is_alive()

    @property
    def port(self) -> int:
        return next(port for port, _ in reversed(self.heard) if port)

    def look(self, sight: Sight) -> None:
        """Show exactly this."""
        self.sight = sight
        self.console.look(sight)

    def show(self, **fields: Any) -> None:
        self._n += 1
        self.sight = Sight(n=self._n, **fields)
        self.console.look(self.sight)


@contextmanager
def serving(
    engine: PlayedEngine,
    settings: config.Console | None = None,
    assets: Assets | None = None,
    pages: Pages = PAGES,
    **more: Any,
) -> Iterator[Served]:
    served = Served(engine, settings or config.Console(port=0), assets or Assets(FILES), pages, **more).start()
    try:
        yield served
    finally:
        served.stop()


@dataclass
class Answer:
    status: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Hand:
    """A phone as it were: it signs what it asks for."""

    def __init__(self, port: int, session: str = "0" * 16, key: bytes = bytes(32)) -> None:
        self.port, self.session, self.key, self.count = port, session, key, 0

    def signed(self, method: str, path: str, body: bytes = b"", count: int | None = None) -> dict[str, str]:
        self.count += 1
        count = self.count if count is None else count
        signature = signing.sign(self.key, method, path, count, body)
        return {signing.SESSION: self.session, signing.COUNT: str(count), signing.SIGNATURE: signature}

    def raw(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] = {}) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body or None, dict(headers))
            answer = connection.getresponse()
            return Answer(answer.status, answer.read(), {k.lower(): v for k, v in answer.getheaders()})
        finally:
            connection.close()

    def ask(self, method: str, path: str, body: bytes = b"") -> Answer:
        return self.raw(method, path, body, self.signed(method, path, body))

    @contextmanager
    def stream(self, path: str = "/events?lang=cs") -> Iterator[Callable[[], tuple[str, Any, str]]]:
        """Events, one a call: name, data, id."""
        ticket = self.ask("POST", "/ticket", path.encode()).json["ticket"]
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=12)
        connection.request("GET", f"{path}&ticket={ticket}")
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()

        def following() -> tuple[str, Any, str]:
            fields = {}
            while line := answer.readline().decode().rstrip("\n"):
                name, _, value = line.partition(": ")
                fields[name] = value
            return fields.get("event", ""), json.loads(fields.get("data", "null")), fields.get("id", "")

        try:
            yield following
        finally:
            connection.close()
