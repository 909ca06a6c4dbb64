"""The league's word → what a screen shows of it: standings, announcements, rounds to come; and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.display.scene import Scene, short_name
from appliance.display.view import TURN_S, Board, ClockView, DoorView, FloorView, TableView
from appliance.display.view_season import Announcement, Standing, Standings
from appliance.game import state
from appliance.game.commands import (
    Announce,
)
from appliance.game.points import points_text
from appliance.game.roster import SeasonLine
from appliance.game.seating import occupied_tables
from appliance.game.values import parse_time

BEST = 20
"""So many lines of the season's standings are shown."""

FRESH_MS = 60_000
"""So long after the league wrote it an announcement is shown large."""

_BETWEEN_WORDS = " · "

_TURN_MS = TURN_S * 1000


def standings_of(scene: Scene) -> Standings | None:
    """The best of the season, as the league last told them; None before it has, and when there are none any more."""
    told = scene.roster.standings
    if told is None:
        return None
    return Standings(
        season=told.season,
        rows=tuple(
            Standing(place=line.place, who=_who(scene, line), points=points_text(line.points_half), rounds=line.rounds)
            for line in told.rows[:BEST]
        ),
        participants=told.participants,
        as_of=scene.venue.at(told.as_of),
        key_confirmed=told.key_confirmed,
    )


def _who(scene: Scene, line: SeasonLine) -> str:
    """As the line has it, but by number once the roster says so: a consent may be withdrawn in between (LG-7)."""
    entry = scene.roster.by_number(line.participant)
    name = None if entry is not None and not entry.published else line.name
    return (short_name(name) if name else "") or line.participant


def announcement_of(scene: Scene) -> Announcement | None:
    """What league and floor have to say, each word until it ends; one that is fresh stands alone for as long as it is.

    A notice's age is counted from when the league wrote it, that of other words from when they begin. While the floor
    of the venue has something to say, that alone is said.
    """
    if (word := scene.word) is not None and word.says(scene.at_ms):
        return Announcement(text=word.text, by="floor", fresh=scene.at_ms - word.at < FRESH_MS)
    notice, at_ms = scene.roster.notice, scene.right_ms
    said: list[tuple[int, str]] = [
        (word.since, word.said(scene.lang)) for word in scene.roster.words if word.stands(at_ms)
    ]
    if notice is not None and (notice.until is None or at_ms < notice.until):
        said.append((scene.roster.notice_at, notice.text(scene.lang)))
    said = sorted(((since, text) for since, text in said if text), reverse=True)
    if not said:
        return None
    fresh = [text for since, text in said if -FRESH_MS < at_ms - since < FRESH_MS]
    return Announcement(text=_BETWEEN_WORDS.join(fresh or [text for _, text in said]), fresh=bool(fresh))


def final_table(round: state.Round) -> bool:
    """Whether all who are in sit at the last table of several (S-6), drawn anew or simply left over.

    Where there never was more than one, the evening is an ordinary one from its first hand to its last: it is not
    called a final table.
    """
    return round.phase is state.Phase.RUNNING and len(round.tables) > 1 and len(occupied_tables(round)) == 1


def turns(board: Board, scene: Scene) -> bool:
    """Whether anything on a screen takes turns, so that it has to be looked at every `TURN_S` seconds.

    Results have pages, and before play and in breaks so have structure and standings. While cards are dealt nothing
    changes but the clock, unless the house has pictures that do.
    """
    if scene.rotates or board.phase == "finished":
        return True
    at_rest = board.phase not in ("running", "paused") or (board.face is not None and board.face.on_break)
    return at_rest and (board.standings is not None or bool(board.levels or board.editions))


def crowded(view: TableView | ClockView | DoorView | FloorView) -> bool:
    """Whether what is said may have to take turns, where it would leave the time too little room."""
    if not isinstance(view, TableView | ClockView):
        return False
    return len(view.notices) + (view.board.announcement is not None) > 1 or len(view.moves) > 2


def turn_of(scene: Scene) -> int:
    """Whose turn it is: the same on all screens of a venue, and in a rehearsal no faster than people can read."""
    return scene.at_ms // (_TURN_MS * scene.speed)


def next_turn_ms(scene: Scene) -> int:
    """In how many milliseconds the next one has its turn."""
    return _TURN_MS * scene.speed - scene.at_ms % (_TURN_MS * scene.speed)


def next_word_ms(scene: Scene) -> int | None:
    """In how many milliseconds what is announced looks different by itself; None: not any more."""
    notice, at_ms = scene.roster.notice, scene.right_ms
    changes: list[int | None] = []
    if (said := scene.word) is not None and said.says(scene.at_ms):
        changes += (at + at_ms - scene.at_ms for at in (said.at + FRESH_MS, said.until))
    if notice is not None and (notice.until is None or at_ms < notice.until):
        arrived = scene.roster.notice_at
        changes += (arrived - FRESH_MS + 1, arrived + FRESH_MS, notice.until)
    for word in scene.roster.words:
        changes += (word.since, word.since + FRESH_MS, word.until)
    return min((change - at_ms for change in changes if change is not None and change > at_ms), default=None)


def offered_today(scene: Scene) -> tuple[int, Announce] | None:
    """The first round that the league offers for today and when it starts (UTC ms)."""
    return min(_offered_today(scene), key=lambda pair: pair[0], default=None)


def _offered_today(scene: Scene) -> Iterator[tuple[int, Announce]]:
    for offer in scene.roster.offers.values():
        starts_at = parse_time(offer.starts_at)
        if is_today(scene, starts_at):
            yield starts_at, offer


def is_today(scene: Scene, at_ms: int) -> bool:
    """Whether a moment is of the scene's day, as the venue counts days."""
    return scene.venue.at(at_ms).date() == scene.venue.at(scene.right_ms).date()
