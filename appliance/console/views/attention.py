"""What needs somebody's attention, the most pressing first, each with what can be done about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from appliance.console.views.looking import calls
from appliance.console.views.page import Page
from appliance.console.views.parts import Button, some
from appliance.display import notice as n
from appliance.display.messages import notice_text
from appliance.game.notices import notices


class Wants(NamedTuple):
    """Something that wants attention; ``view``: where more of it is to be seen."""

    text: str
    tone: Literal["bad", "wait", "plain"] = "wait"
    buttons: tuple[Button, ...] = ()
    view: str = ""


def wants(page: Page) -> list[Wants]:
    """All of it."""
    return [*_calls(page), *_venue(page), *_round(page)]


def _calls(page: Page) -> Iterator[Wants]:
    for call in calls(page.asked):
        text = notice_text(n.FloorCalled(call.table, call.about), page.tr)
        seen = Button(
            "call-ended", page.tr.gettext("Seen to"), "/form/call-ended", vals({"table": str(call.table)}), "go"
        )
        time = some(page, "time_call") if call.about == "time" else ()
        yield Wants(f"{text} · {page.clock(call.at)}", "bad", (seen, *time), f"table/{call.table}")


def vals(sent: dict[str, str]) -> str:
    """What a button sends."""
    return msgspec.json.encode({**sent, "do": "send"}).decode()


def _venue(page: Page) -> Iterator[Wants]:
    sight, here, tr = page.asked.sight, page.here, page.tr
    if not sight.copies and not sight.alone:
        yield Wants(tr.gettext("One copy only: no other device has what is done now."), "bad", view="devices")
    if here.refused:
        said = tr.ngettext(
            "{n} hand played without a director was refused.",
            "{n} hands played without a director were refused.",
            here.refused,
        )
        yield Wants(said, "bad", some(page, "refused_seen"))
    if here.lone:
        said = tr.ngettext(
            "{n} entry that only the old director had waits for a decision.",
            "{n} entries that only the old director had wait for a decision.",
            len(here.lone),
        )
        yield Wants(said, "bad", some(page, "settle_lone"))
    if here.times.doubted:
        yield Wants(tr.gettext("Nobody vouches for the time."), "wait", some(page, "confirm_time"))
    if here.spares:
        said = tr.ngettext("{n} device asks to be let in.", "{n} devices ask to be let in.", len(here.spares))
        yield Wants(said, "wait", some(page, "adopt_device"), "devices")
    if sight.uplink is False:
        yield Wants(tr.gettext("No way to the league at the moment: what is due there waits."), "plain")


def _round(page: Page) -> Iterator[Wants]:
    round = page.round
    if round is None:
        return
    for notice in notices(round, page.here.at_ms):
        match notice.code, notice.detail:
            case "balance", {"from": fullest, "to": emptiest}:
                said = notice_text(n.Balance(fullest, emptiest), page.tr)
                yield Wants(said, "wait", some(page, "balance"), "tables")
            case "table-short", {"table": table, "short": short}:
                yield Wants(_at(page, table, notice_text(n.TableShort(short), page.tr)), "wait", view=f"table/{table}")
            case "lone-player", {"table": table}:
                said = page.tr.gettext("Only one player sits at table {table}.", table=table)
                yield Wants(said, "bad", some(page, "break_table"), f"table/{table}")
            case "chips-differ", {"counted": counted, "expected": expected}:
                yield Wants(notice_text(n.ChipsDiffer(counted, expected), page.tr), "wait", view="chips")
            case "colour-up-due", {"denomination": chip, "to": to}:
                yield Wants(notice_text(n.ColourUpDue(chip, to), page.tr), "plain", view="chips")
            case "below-minimum", {"registered": registered, "minimum": minimum}:
                yield Wants(notice_text(n.BelowMinimum(registered, minimum), page.tr), "plain", view="door")
            case "guarantee-void", {"guarantee": guarantee, "minimum": minimum}:
                yield Wants(notice_text(n.GuaranteeVoid(guarantee, minimum), page.tr), "plain", view="money")


def _at(page: Page, table: int, text: str) -> str:
    return page.tr.gettext("Table {table}", table=table) + ": " + text
