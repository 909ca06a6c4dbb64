"""A commissioner's phone before an evening, and the engine behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any, Literal

import msgspec

from appliance.console.asked import Answered, Asked
from appliance.console.sight import Sight
from appliance.console.views import render
from appliance.console.views.forms import form
from appliance.game.command import Command
from appliance.game.commands import decode_command, encode_command
from appliance.game.refusal import Refusal
from appliance.game.roster import Roster, RosterEntry
from appliance.game.round import decide, fold
from appliance.game.state import Ledger
from appliance.kinds import Note
from appliance.link.envelope import Refusal as Told
from appliance.phone import Phone
from appliance.record import uuid7
from tests.game.conftest import Evening, number

COMMISSIONER = Phone(
    session="0123456789abcdef", role="commissioner", who=number(90), by="table-1", agent="Firefox, Android"
)


def dealer(table: int) -> Phone:
    return Phone(session="fedcba9876543210", role="dealer", table=table, who=number(90), by=f"table-{table}")


def roster(*names: str) -> Roster:
    entries = {
        number(n): RosterEntry(participant=number(n), state="active", name=name) for n, name in enumerate(names, 1)
    }
    boss = RosterEntry(participant=number(90), state="active", role="commissioner", name="Šárka Nováková")
    return Roster(entries={**entries, boss.participant: boss})


NAMES = tuple(f"Hráč{n} Novák" for n in range(1, 60))


class Desk:
    """Phones over one evening: what they send is decided by the rules, with the revision of what they saw."""

    def __init__(
        self, evening: Evening, phone: Phone = COMMISSIONER, lang: Literal["cs", "en"] = "en", **more: Any
    ) -> None:
        self.evening, self.phone, self.lang = evening, phone, lang
        self.more: dict[str, Any] = {"roster": roster(*NAMES), "alone": True, **more}
        self.n = self.head = self.ids = 0
        self.sent: list[tuple[str, Command]] = []
        self.notes: list[Note | bytes] = []
        self.pressed: list[tuple[int, str, str]] = []
        self.meanwhile: list[Any] = []
        self.copied = True
        self.others: dict[str, Ledger] = {}

    @property
    def sight(self) -> Sight:
        ledger = self.evening.ledger
        ledgers = {**({ledger.round.id: ledger} if ledger.round is not None else {}), **self.others}
        return Sight(
            n=self.n, venue="brno", ledgers=ledgers, heads={f"round/{id}": self.head for id in ledgers}, **self.more
        )

    def asked(self, **params: str) -> Asked:
        return Asked(self.sight, self.phone, self.lang, params, self.evening.at, None)

    def view(self, name: str, **params: str) -> str:
        html = render(name, self.asked(**params))
        assert html is not None, name
        return html

    async def form(self, action: str, *, send: bool = False, id: str = "", **answers: str) -> str:
        return await form(self, self.asked(), action, answers, send, id or (self.fresh_id() if send else ""))

    def fresh_id(self) -> str:
        self.ids += 1
        return uuid7(self.evening.at, self.ids.to_bytes(10, "big"))

    async def send(self, action: str, html: str | None = None, *, id: str = "", **answers: str) -> str:
        """Open the form with these answers and send it as it is then."""
        html = await self.form(action, **answers) if html is None else html
        whole = {**fields(html), **answers}
        whole.pop("id", None)
        return await self.form(action, send=True, id=id, **whole)

    # -- the way to the engine ---------------------------------------------------------------------------

    async def newer(self, asked: Asked) -> Asked:
        return asked._replace(sight=self.sight, now_ms=self.evening.at)

    async def command(self, phone: Phone, id: str, command: Command, revision: int | None) -> Answered:
        if self.meanwhile:
            self.meanwhile.pop(0)()
        if revision is not None and revision != self.head:
            return Answered(False, Told("moved-on"))
        self.sent.append((id, command))
        read = decode_command(encode_command(command))
        answer = decide(self.evening.ledger, read, self.evening.at, id, seed=11)
        if isinstance(answer, Refusal):
            return Answered(False, Told(answer.code, msgspec.Raw(msgspec.json.encode(answer.detail))))
        for event in answer:
            self.evening.ledger = fold(self.evening.ledger, event, self.evening.at, id)
            self.head += 1
        self.n += 1
        return Answered(True, copied=self.copied)

    def elsewhere(self, do: str, **fields: Any) -> None:
        """Another commissioner does something."""
        self.evening.do(do, **fields)
        self.head += 1
        self.n += 1

    async def note(self, phone: Phone, id: str, note: Note | bytes) -> Answered:
        self.notes.append(note)
        return Answered(True)

    async def keys(self, phone: Phone, id: str, table: int, keys: str, seen: str) -> Answered:
        self.pressed.append((table, keys, seen))
        return Answered(True)


def fields(html: str) -> dict[str, str]:
    """What a form would send as it is: its inputs and what is chosen."""
    found: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", html):
        given = attributes(tag)
        if "name" in given and (given.get("type") != "radio" or "checked" in given):
            found[given["name"]] = given.get("value", "")
    for name, inside in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', html, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', inside)
        found[name] = unescape(chosen[1]) if chosen else ""
    return found


def options(html: str) -> dict[str, list[str]]:
    """What can be chosen in a form, by field."""
    found = {
        name: [unescape(value) for value in re.findall(r'<option value="([^"]*)"', inside)]
        for name, inside in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', html, re.S)
    }
    for tag in re.findall(r'<input type="radio"[^>]*>', html):
        given = attributes(tag)
        found.setdefault(given["name"], []).append(given["value"])
    return found


def attributes(tag: str) -> dict[str, str]:
    pairs = re.findall(r'([a-z-]+)(?:="([^"]*)"|=\'([^\']*)\')?', tag)
    return {name: unescape(value or other) for name, value, other in pairs}


def buttons(html: str) -> list[tuple[str, str, Mapping[str, str]]]:
    """The buttons of a page: what they ask for, by which address, with what they send."""
    found = []
    for tag, text in re.findall(r"(<button[^>]*>)(.*?)</button>", html, re.S):
        given = attributes(tag)
        url = given.get("hx-post") or given.get("hx-get") or ""
        vals = msgspec.json.decode(given["hx-vals"]) if "hx-vals" in given else {}
        found.append((" ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split()), url, vals))
    return found


def said(html: str) -> str:
    """The text of a fragment."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
