"""``tableside screen``: what a screen shows at a moment of a script, as a PNG (CONTRACT)."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, cast

from msgspec.structs import replace

from appliance.apps.output import BadOutput, checked, one_line
from appliance.apps.screen_floor import FloorError, pressed
from appliance.apps.screen_hand import HandError, keyed
from appliance.apps.screen_roster import RosterError, read_roster
from appliance.apps.screen_spare import SPARES
from appliance.apps.screen_state import STATES, StateError, in_state
from appliance.apps.screen_tap import TapError, tapped
from appliance.apps.script_file import complain, read_script, until_ms
from appliance.display.fonts import FontsMissing
from appliance.display.from_floor import floor_view
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view, table_view
from appliance.display.render import render
from appliance.display.screensize import check_size
from appliance.display.style import Style, StyleError, read
from appliance.display.themes import THEMES
from appliance.display.view import AttentionView, ClockView, DoorView, FloorView, StartingView, TableView, View
from appliance.game.rehearse import step
from appliance.game.roster import Language, Roster
from appliance.game.round import INITIAL, Refusal
from appliance.game.script import ScriptError, ScriptLine
from appliance.game.state import Ledger, Round
from appliance.i18n import LANGUAGES, Translator
from appliance.plaintext import fault

_SEED = 0
"""For draws whose announcement names no seed: a rehearsal gives the same picture every time."""

_DEVICE = "t1"
"""The device's name where a picture is of the device itself."""

_SCREENS = (
    "table:N, door, clock, floor:N (the floor menu at a table) or floor (at the door), starting, attention, "
    + ", ".join(SPARES)
)


class Unusable(ValueError):
    """An argument that cannot be served; the text says which and why."""


class Shown(NamedTuple):
    """What a picture is made from."""

    view: View
    size: tuple[int, int]
    lang: Language
    style: Style


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Script, time, which screen, how large, in which language, where to."""
    add = parser.add_argument
    add("script", type=Path, metavar="SCRIPT.jsonl", help="commands, one JSON object a line")
    add("--until", metavar="TIME", help="the moment to show (ISO 8601 with offset); else the last line's")
    add("--screen", required=True, metavar="SCREEN", help=_SCREENS)
    add("--size", default="1920x1080", metavar="WxH", help="pixels, 1920x1080 unless told")
    add("--lang", default="cs", metavar="LANG", help="cs or en; cs unless told")
    add("--roster", type=Path, metavar="FILE.jsonl", help="the league's records: names, standings, announcements")
    add("--venue", metavar="NAME", help="what people call the place; its id unless told")
    add("--tap", metavar="CARDS", help="show the answer to these cards: registration numbers, parted by commas")
    add("--hand", type=Path, metavar="FILE", help="show the table's hand as these keys track it")
    add("--pad", action="store_true", help="with --hand: also the keys to touch")
    add("--keys", metavar="KEYS", help="with floor: these keys of the menu first, as down,enter")
    add("--state", metavar="STATES", help=f"how the device is, parted by commas: {', '.join(STATES)}")
    add("--turn", type=int, metavar="N", help="the page or picture whose turn it is, from 0")
    add("--touch", action="store_true", help="fingers reach the screen: a PIN is typed on it")
    add("--says", nargs=2, metavar=("PROBLEM", "REMEDY"), help="with attention: what is wrong, and what to do")
    add("--theme", choices=sorted(THEMES), help="dark unless told, here or by the style")
    add("--style", type=Path, metavar="FILE.toml", help="the house's own colours, fonts and pictures")
    add("-o", "--output", required=True, type=Path, metavar="FILE.png", help="the picture")


def run(args: argparse.Namespace) -> int:
    """Render; 0, or 2 with one line on standard error."""
    try:
        checked(args.output, args.script, *filter(None, (args.hand, args.roster, args.style)))
        made = shown(args)
        for problem in made.style.problems:
            print(f"tableside screen: left out: {problem}", file=sys.stderr)
        render(made.view, made.size, made.lang, args.output, made.style)
    except ScriptError as error:
        print(complain("screen", args.script, error), file=sys.stderr)
        return 2
    except (Unusable, TapError, StateError, RosterError, StyleError) as error:
        return _bad(str(error))
    except (BadOutput, FloorError, HandError, FontsMissing) as error:
        return _bad(str(error))
    except OSError as error:
        return _bad(f"{args.output}: {error.strerror or error}")
    return 0


def _bad(reason: str) -> int:
    print(f"tableside screen: {one_line(reason)}", file=sys.stderr)
    return 2


def shown(args: argparse.Namespace) -> Shown:
    """What the arguments ask for. Raises `Unusable` and the errors of the files that they name."""
    size = _size(args.size)
    if args.lang not in LANGUAGES:
        raise Unusable(f"--lang {args.lang}: {' or '.join(LANGUAGES)}")
    kind, number = _screen(args.screen)
    _check(args, kind)
    style = Style(theme=THEMES[args.theme or "dark"]) if args.style is None else read(args.style, args.theme or "")
    view = _of_device(args, kind) or _of_evening(args, kind, number, rotates=len(style.house.sponsors) > 1)
    return Shown(view, size, cast(Language, args.lang), style)


def _check(args: argparse.Namespace, kind: str) -> None:
    """Raises `Unusable` for options that do not go together."""
    if args.tap is not None and kind not in ("table", "door"):
        raise Unusable("--tap: a clock wall has no reader, and a card at the floor menu is a key: --keys card:NUMBER")
    if (args.hand is None and args.pad) or (args.hand is not None and kind != "table"):
        raise Unusable("--hand FILE goes with --screen table:N, and --pad with --hand")
    if args.keys is not None and kind != "floor":
        raise Unusable("--keys goes with --screen floor:N")
    if (args.says is not None) != (kind == "attention"):
        raise Unusable("--says PROBLEM REMEDY goes with --screen attention")
    said = zip(("--says PROBLEM", "--says REMEDY"), args.says or (), strict=False)
    for option, text in (("--venue", args.venue or ""), *said):
        if (why := fault(text)) is not None:
            raise Unusable(f"{option}: {why}")
    of_device = kind in ("attention", "starting", *SPARES)
    if of_device and (args.state or args.turn is not None):
        raise Unusable(f"--state and --turn: there is no evening on --screen {kind}")
    if args.turn is not None and args.turn < 0:
        raise Unusable(f"--turn {args.turn}: they are counted from 0")


def _of_device(args: argparse.Namespace, kind: str) -> View | None:
    """A screen of the device itself, which knows of no evening."""
    if kind == "attention":
        return AttentionView(device=_DEVICE, problem=args.says[0], remedy=args.says[1])
    if kind in SPARES:
        return SPARES[kind]
    if kind != "starting":
        return None
    return StartingView(device=_DEVICE)


def _of_evening(args: argparse.Namespace, kind: str, number: int, *, rotates: bool) -> View:
    script = read_script(args.script)
    until = until_ms(args.until)
    at_ms = script[-1].at_ms if until is None else until
    roster = read_roster(args.roster, at_ms) if args.roster else Roster()
    ledger = _play(script, at_ms)
    prompt = menu = None
    table = number or None
    if args.tap is not None:
        prompt, ledger = tapped(ledger, roster, at_ms, args.tap, table)
    if kind == "floor":
        menu, ledger = pressed(ledger, roster, at_ms, table, args.lang, args.keys.split(",") if args.keys else [])
    round = ledger.round
    venue = Venue(args.venue or (round.venue if round else ""))
    scene = Scene(
        round=round,
        roster=roster,
        link=Link(),
        venue=venue,
        at_ms=at_ms,
        prompt=prompt,
        menu=menu,
        lang=args.lang,
        touch=args.touch,
        rotates=rotates,
    )
    if args.state:
        scene = in_state(scene, args.state, table)
    if args.hand is not None:
        hands, pad, keys = keyed(args.hand, round, number)
        scene = replace(scene, hand=hands, pad=pad if args.pad else None, keys=keys)
    view = _view(scene, kind, number, args.lang)
    return view if args.turn is None else replace(view, board=replace(view.board, turn=args.turn))


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,5})[x×]([0-9]{1,5})", text)
    if not found:
        raise Unusable(f"--size {text}: pixels as 1920x1080")
    size = int(found[1]), int(found[2])
    try:
        check_size(size)
    except ValueError as error:
        raise Unusable(f"--size {text}: {error}") from None
    return size


def _screen(text: str) -> tuple[str, int]:
    """The kind of screen and its table; 0 for those without one."""
    kind, colon, number = text.partition(":")
    if kind in ("door", "clock", "floor", "starting", "attention", *SPARES) and not colon:
        return kind, 0
    if kind in ("table", "floor") and re.fullmatch(r"[1-9][0-9]{0,2}", number):
        return kind, int(number)
    raise Unusable(f"--screen {text}: {_SCREENS}")


def _play(script: Sequence[ScriptLine], until_ms: int) -> Ledger:
    """The round after the lines up to a time; refused commands change nothing."""
    ledger = INITIAL
    for line in script:
        if line.at_ms > until_ms:
            break
        answer = step(ledger, line, _SEED)
        if not isinstance(answer, Refusal):
            ledger = answer
    return ledger


def _view(scene: Scene, kind: str, number: int, lang: str) -> TableView | ClockView | DoorView | FloorView:
    if kind == "door":
        return door_view(scene)
    if kind == "clock":
        return clock_view(scene)
    if scene.round is not None and number and number not in (there := _tables(scene.round)):
        raise Unusable(f"--screen {kind}:{number}: the round has no such table: it has {', '.join(map(str, there))}")
    if scene.menu is not None:
        return floor_view(scene, scene.menu, Translator(lang))
    return table_view(scene, number)


def _tables(round: Round) -> tuple[int, ...]:
    """The round's tables: before the draw all that it may have, then those that were opened."""
    return tuple(sorted(round.tables)) or round.table_numbers
