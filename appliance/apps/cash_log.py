"""The log of a cash session as a person reads it: who brought and took how much, and that it adds up (C-8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from appliance.i18n import N_, Translator

_PRAGUE = ZoneInfo("Europe/Prague")
_STATES = {
    "open": N_("the table is open"),
    "closed": N_("the session is over"),
    "not-opened": N_("no table was opened"),
}
_KINDS = {"buy-in": N_("buy-in"), "add-on": N_("more chips"), "cash-out": N_("cash-out"), "tip": N_("tip")}
_POSTS = {
    "small": N_("small blind"),
    "big": N_("big blind"),
    "post": N_("big blind to come in"),
    "dead": N_("missed small blind"),
    "button": N_("bought button"),
    "straddle": N_("straddle"),
}
_STANDINGS = {
    "new": N_("new"),
    "owes-small": N_("owes a small blind"),
    "missed-blind": N_("missed blind"),
}
_ENTRIES = {
    "big-blind": N_("waits for the big blind"),
    "post": N_("pays to come in"),
    "button": N_("buys the button"),
}


def page(answer: Mapping[str, Any], words: Translator) -> Iterator[str]:
    """The whole report of a session, line by line; ``answer`` as ``--json`` prints it."""
    yield f"{answer['session']}: {words.gettext(_STATES[answer['state']])}"
    if "money" in answer:
        yield _stakes(answer, words)
        yield from _hand(answer, words)
        yield ""
        yield from _accounts(answer, words)
        yield from _waiting(answer, words)
        yield from _movements(answer, words)
    for notice in answer.get("notices", ()):
        yield from _notice(notice["code"], notice["detail"], words)
    for refusal in answer["refusals"]:
        yield words.gettext(
            "Line {line}: {do}: {text} ({code})",
            line=refusal["line"],
            do=refusal["do"],
            text=words.refusal(refusal["code"], refusal["detail"]),
            code=refusal["code"],
        )


def _notice(code: str, detail: Mapping[str, Any], words: Translator) -> Iterator[str]:
    """A line for each player it is about."""
    if code == "returned-with-less":
        yield words.gettext(
            "Notice: {participant} left with {left_with} chips and came back with {chips}.",
            participant=detail["participant"],
            left_with=words.number(detail["left_with"]),
            chips=words.number(detail["chips"]),
        )
        return
    for who, told in detail["told"].items():
        yield words.gettext(
            "Notice: the result of hand {hand} gives {participant} {given} chips, the hand as it was followed {told}.",
            hand=words.number(detail["hand"]),
            participant=who,
            given=words.number(detail["given"][who]),
            told=words.number(told),
        )


def _stakes(answer: Mapping[str, Any], words: Translator) -> str:
    small, big = map(words.number, answer["blinds"])
    least, most = map(words.number, answer["buy_in"])
    return words.gettext(
        "Blinds {small}/{big}, buy-in {least} to {most} chips, a chip is worth {value}",
        small=small,
        big=big,
        least=least,
        most=most,
        value=words.crowns(answer["chip_value"]),
    )


def _hand(answer: Mapping[str, Any], words: Translator) -> Iterator[str]:
    """The last hand: its positions and, while it is in play, who put in what."""
    if not answer["number"]:
        return
    where = {what: answer[what] or "-" for what in ("button", "sb", "bb")}
    last = words.gettext("in play") if answer["hand"] else words.gettext("played")
    yield words.gettext(
        "Hand {number} ({last}): button {button}, small blind {sb}, big blind {bb}",
        number=words.number(answer["number"]),
        last=last,
        **where,
    )
    for post in answer["hand"]["posts"] if answer["hand"] else ():
        amounts = [words.number(post["live"])] if post["live"] else []
        amounts += [words.gettext("{chips} dead", chips=words.number(post["dead"]))] if post["dead"] else []
        what = words.gettext(_POSTS[post["kind"]])
        yield words.gettext("  seat {seat}: {what} {chips}", seat=post["seat"], what=what, chips=" + ".join(amounts))


def _accounts(answer: Mapping[str, Any], words: Translator) -> Iterator[str]:
    """A line a player by seat, those who left last; below it the sums, and what became of all chips."""
    money, people = answer["money"], answer["players"]
    head = [words.gettext(name) for name in (N_("seat"), N_("player"))]
    head += [words.gettext(name) for name in (N_("chips in"), N_("chips out"), N_("on the table"), N_("difference"))]
    rows = [head]
    notes = [""]
    for who, player in sorted(people.items(), key=lambda item: (item[1]["seat"] is None, item[1]["seat"] or 0)):
        amounts = [words.number(player[name]) for name in ("in", "out", "stack")]
        rows.append([str(player["seat"] or "-"), who, *amounts, _signed(player["result"], words)])
        notes.append(_notes(player, words))
    sums = [sum(player[name] for player in people.values()) for name in ("in", "out", "stack", "result")]
    rows.append(["", words.gettext("together"), *map(words.number, sums[:3]), _signed(sums[3], words)])
    notes.append("")
    wide = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for row, note in zip(rows, notes, strict=True):
        cells = [
            cell.ljust(n) if column == 1 else cell.rjust(n)
            for column, (cell, n) in enumerate(zip(row, wide, strict=True))
        ]
        yield f"{'  '.join(cells)}  {note}".rstrip()
    yield words.gettext(
        "In {chips} = out {out} + on the table {table} ({worth}) + tips {tips} + rake {rake}",
        chips=words.number(money["in"]),
        out=words.number(money["out"] - money["tips"]),
        table=words.number(money["on_table"]),
        worth=words.crowns(money["on_table_czk"]),
        tips=words.number(money["tips"]),
        rake=words.number(money["rake"]),
    )


def _notes(player: Mapping[str, Any], words: Translator) -> str:
    """The difference in crowns, what is owed and how it will be paid, and whether the player is away."""
    notes = [words.crowns(player["result_czk"])]
    broke = player["seat"] is not None and not player["stack"]
    if broke:
        notes.append(words.gettext("no chips: buys more, or leaves"))
    if "standing" in player:
        notes.append(words.gettext(_STANDINGS[player["standing"]]))
        if player["standing"] != "owes-small" and not broke:
            notes.append(words.gettext(_ENTRIES[player["entry"]]))
    if player.get("absent"):
        notes.append(words.gettext("away"))
    return ", ".join(notes)


def _signed(n: int, words: Translator) -> str:
    return f"+{words.number(n)}" if n > 0 else words.number(n)


def _waiting(answer: Mapping[str, Any], words: Translator) -> Iterator[str]:
    if not answer["waiting"]:
        return
    yield ""
    yield words.gettext("Waiting list:")
    for place, waiter in enumerate(answer["waiting"], 1):
        called = words.gettext("called to a seat") if waiter["called"] else ""
        yield f"{place:>3}. {waiter['participant']}  {called}".rstrip()


def _movements(answer: Mapping[str, Any], words: Translator) -> Iterator[str]:
    """Every buy-in, cash-out and tip in its order, at Prague's time."""
    if not answer["money"]["log"]:
        return
    yield ""
    yield words.gettext("Chips that came and went:")
    for entry in answer["money"]["log"]:
        at = datetime.fromisoformat(entry["at"].replace("Z", "+00:00")).astimezone(_PRAGUE)
        chips = entry["chips"] if entry["kind"] in ("buy-in", "add-on") else -entry["chips"]
        what = words.gettext(_KINDS[entry["kind"]])
        yield f"  {words.clock(at):>5}  {entry['participant']:<8}  {_signed(chips, words):>8}  {what}"
