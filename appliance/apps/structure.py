"""``tableside structure``: propose levels, breaks and colour-ups from players, chips and the wished duration."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from appliance.game.commands import (
    StructureEntry,
)
from appliance.game.ruleset import PROFILES
from appliance.game.structure import ColourUp, Structure, Wish, WishError, propose
from appliance.i18n import LANGUAGES, Translator

_CHIP = re.compile(r"([0-9]{1,8})(?:x([0-9]{1,9}))?", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_ANTES = ("none", "player", "bb")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What there is, what is wished, and how to print it. Numbers are read in `run`, for an error of one line."""
    parser.add_argument("--players", required=True, metavar="N", help="how many play, 3 to 90 (T-1)")
    parser.add_argument("--stack", required=True, metavar="CHIPS", help="starting chips of each")
    parser.add_argument(
        "--chips", required=True, metavar="25,100x80,…", help="the chip set: denominations, x how many there are in all"
    )
    parser.add_argument("--minutes", required=True, metavar="N", help="wished duration, breaks included")
    parser.add_argument("--level-minutes", metavar="N", help="length of a level; else it is chosen")
    parser.add_argument("--profile", default="cpl-2017", metavar="P", help="whose rule for the small blind; cpl-2017")
    parser.add_argument("--ante", default="none", metavar="WHO", help="none, player or bb")
    parser.add_argument(
        "--break-every", default="75m", metavar="N|Nm", help="a break every N levels or N minutes; 0: none; 75m"
    )
    parser.add_argument("--break-minutes", default="10", metavar="N", help="length of a break; 10")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--lang", default="cs", metavar="LANG", help="of the table: cs or en; cs unless told")


def run(args: argparse.Namespace) -> int:
    """Print the proposal; 2 on a wish that cannot be met."""
    try:
        if args.lang not in LANGUAGES:
            raise WishError("lang", " or ".join(LANGUAGES))
        wish = _wish(args)
        structure = propose(wish)
    except WishError as error:
        print(f"tableside structure: --{error.field.replace('_', '-')}: {error.reason}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(_as_json(args.profile, wish, structure), separators=(",", ":")))
    else:
        print(*_table(wish, structure, Translator(args.lang)), sep="\n")
    return 0


def _wish(args: argparse.Namespace) -> Wish:
    rules = PROFILES.get(args.profile)
    if rules is None or not rules.tournament:
        known = ", ".join(name for name, known in PROFILES.items() if known.tournament)
        raise WishError("profile", f"{args.profile[:40]!r} is none of {known}")
    if args.ante not in _ANTES:
        raise WishError("ante", f"{args.ante[:40]!r} is none of {', '.join(_ANTES)}")
    every = args.break_every.removesuffix("m")
    return Wish(
        players=_number("players", args.players),
        stack=_number("stack", args.stack),
        chips=_chips(args.chips),
        minutes=_number("minutes", args.minutes),
        small_blind=rules.small_blind,
        level_minutes=None if args.level_minutes is None else _number("level_minutes", args.level_minutes),
        ante=args.ante,
        break_every=_number("break_every", every),
        break_unit="levels" if every == args.break_every else "minutes",
        break_minutes=_number("break_minutes", args.break_minutes),
    )


def _number(field: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise WishError(field, f"{text[:40]!r} is not a whole number")
    return int(text)


def _chips(text: str) -> dict[int, int | None]:
    chips: dict[int, int | None] = {}
    for part in text.split(","):
        found = _CHIP.fullmatch(part)
        if not found:
            raise WishError("chips", f"{part[:40]!r} is not a denomination such as 25 or 25x160")
        if int(found[1]) in chips:
            raise WishError("chips", f"{found[1]} is there twice")
        chips[int(found[1])] = int(found[2]) if found[2] else None
    return chips


def _as_json(profile: str, wish: Wish, structure: Structure) -> dict[str, Any]:
    """``levels`` and ``ante_by`` go into an announcement as they are."""
    found: dict[str, Any] = msgspec.to_builtins(structure, str_keys=True)
    ante_by = {} if wish.ante == "none" else {"ante_by": wish.ante}
    return {"profile": profile, "players": wish.players, "stack": wish.stack, **ante_by, **found}


def _table(wish: Wish, structure: Structure, words: Translator) -> Iterator[str]:
    """A line an entry: when it begins, what it is, how long it is, and what is changed up."""
    stack = ", ".join(f"{count} × {words.number(chip)}" for chip, count in structure.starting_stack.items())
    yield words.gettext("Starting stack {chips}: {stack}", chips=words.number(wish.stack), stack=stack)
    yield ""
    level, begins = 0, 0
    for number, entry in enumerate(structure.levels, 1):
        before = level + 1
        if entry.pause is not None:
            name, what = words.gettext("Break"), ""
            changes = [change for change in structure.colour_ups if change.entry == number]
        else:
            level += 1
            name, what = words.gettext("Level {level}", level=level), _blinds(entry, words)
            what += f"  {_ante(wish, entry.ante, words)}" if entry.ante else ""
            changes = [
                change for change in structure.colour_ups if change.entry is None and change.before_level == before
            ]
        minutes = words.gettext("{minutes} min", minutes=entry.pause or entry.minutes)
        changed = ", ".join(_change(change, words) for change in changes)
        yield f"{begins // 60:>3}:{begins % 60:02}  {name:<10}  {what:<28}  {minutes:>7}  {changed}".rstrip()
        begins += entry.pause or entry.minutes or 0
    yield f"{begins // 60:>3}:{begins % 60:02}"
    yield ""
    yield words.ngettext(
        "At the end all chips together are worth {n} big blind.",
        "At the end all chips together are worth {n} big blinds.",
        structure.end_big_blinds,
    )


def _blinds(level: StructureEntry, words: Translator) -> str:
    return f"{words.number(level.sb or 0)}/{words.number(level.bb or 0)}"


def _ante(wish: Wish, amount: int, words: Translator) -> str:
    if wish.ante == "bb":
        return words.gettext("BB ante {amount}", amount=words.number(amount))
    return words.gettext("ante {amount}", amount=words.number(amount))


def _change(change: ColourUp, words: Translator) -> str:
    return words.gettext(
        "change up {small} to {large}", small=words.number(change.denomination), large=words.number(change.to)
    )
