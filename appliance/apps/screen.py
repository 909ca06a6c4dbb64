"""``tableside screen``: what a screen shows at a moment of a script, as a PNG (CONTRACT)."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from appliance.apps.output import BadOutput, checked
from appliance.apps.screen_floor import FloorError, pressed
from appliance.apps.screen_hand import HandError, keyed
from appliance.apps.script_file import complain, read_script, until_ms
from appliance.cards.verdict import Accepted
from appliance.display.fonts import FontsMissing
from appliance.display.from_floor import floor_view
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view, table_view
from appliance.display.layout import check_size
from appliance.display.prompt import Prompt
from appliance.display.render import render
from appliance.display.view import View
from appliance.game.rehearse import step
from appliance.game.roster import Roster
from appliance.game.round import INITIAL, Refusal
from appliance.game.script import ScriptError, ScriptLine
from appliance.game.state import Ledger, Round
from appliance.i18n import LANGUAGES, Translator
from appliance.taps import Now, tap

_SEED = 0
"""For draws whose announcement names no seed: a rehearsal gives the same picture every time."""


_SCREENS = "table:N, door, clock, floor:N (the floor menu at a table) or floor (at the door)"


class Unusable(ValueError):
    """An argument that cannot be served; the text says which and why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Script, time, which screen, how large, in which language, where to."""
    parser.add_argument("script", type=Path, metavar="SCRIPT.jsonl", help="commands, one JSON object a line")
    parser.add_argument(
        "--until", metavar="TIME", help="the moment to show (ISO 8601 with offset); else the last line's"
    )
    parser.add_argument("--screen", required=True, metavar="SCREEN", help=_SCREENS)
    parser.add_argument("--size", default="1920x1080", metavar="WxH", help="pixels, 1920x1080 unless told")
    parser.add_argument("--lang", default="cs", metavar="LANG", help="cs or en; cs unless told")
    parser.add_argument("--tap", metavar="PARTICIPANT", help="show the answer to this participant's card")
    parser.add_argument("--hand", type=Path, metavar="FILE", help="show the table's hand as these keys track it")
    parser.add_argument("--pad", action="store_true", help="with --hand: also the keys to touch")
    parser.add_argument("--keys", metavar="KEYS", help="with floor: these keys of the menu first, as down,enter")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="FILE.png", help="the picture")


def run(args: argparse.Namespace) -> int:
    """Render; 0, or 2 with one line on standard error."""
    try:
        _run(args)
    except ScriptError as error:
        print(complain("screen", args.script, error), file=sys.stderr)
        return 2
    except (Unusable, BadOutput, FloorError, HandError, FontsMissing) as error:
        return _bad(str(error))
    except OSError as error:
        return _bad(f"{args.output}: {error.strerror or error}")
    return 0


def _bad(reason: str) -> int:
    print(f"tableside screen: {reason}", file=sys.stderr)
    return 2


def _run(args: argparse.Namespace) -> None:
    checked(args.output, args.script, *([args.hand] if args.hand else []))
    size = _size(args.size)
    if args.lang not in LANGUAGES:
        raise Unusable(f"--lang {args.lang}: {' or '.join(LANGUAGES)}")
    kind, number = _screen(args.screen)
    if args.tap is not None and kind in ("clock", "floor"):
        raise Unusable("--tap: a clock wall has no reader, and a card at the floor menu is a key: --keys card:NUMBER")
    if (args.hand is None and args.pad) or (args.hand is not None and kind != "table"):
        raise Unusable("--hand FILE goes with --screen table:N, and --pad with --hand")
    if args.keys is not None and kind != "floor":
        raise Unusable("--keys goes with --screen floor:N")
    script = read_script(args.script)
    until = until_ms(args.until)
    at_ms = script[-1].at_ms if until is None else until
    ledger = _play(script, at_ms)
    prompt = _answer(ledger.round, args.tap, at_ms) if args.tap is not None else None
    menu = None
    if kind == "floor":
        chosen = args.keys.split(",") if args.keys else []
        menu, ledger = pressed(ledger, at_ms, number or None, args.lang, chosen)
    round = ledger.round
    venue = Venue(round.venue if round else "")
    scene = Scene(round=round, roster=Roster(), link=Link(), venue=venue, at_ms=at_ms, prompt=prompt, menu=menu)
    if args.hand is not None:
        hands, pad, keys = keyed(args.hand, round, number)
        scene = replace(scene, hand=hands, pad=pad if args.pad else None, keys=keys)
    render(_view(scene, kind, number, args.lang), size, args.lang, args.output)


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
    if kind in ("door", "clock") and not colon:
        return kind, 0
    if kind == "floor" and not colon:
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


def _view(scene: Scene, kind: str, number: int, lang: str) -> View:
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


def _answer(round: Round | None, participant: str, at_ms: int) -> Prompt:
    """What a kiosk says to the participant's card at this moment."""
    if not re.fullmatch(r"[0-9]{1,12}", participant):
        raise Unusable(f"--tap {participant[:20]}: a registration number, digits only")
    return tap(Accepted("", participant, "participant"), [round] if round else [], None, Now(at_ms, 0)).prompt
