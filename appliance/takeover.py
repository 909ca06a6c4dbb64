"""A kiosk's Pi as the venue's director: what starts the director's program here, and keeps it up (DESIGN §5).

A commissioner had this device take over: ``directing.json`` in its data folder says so, also after a reboot. Director
and uplink are programs of their own, in folders of their own below the kiosk's, under its name and with its key; they
outlive the kiosk's program. Once another director has followed, what only this one had is the kiosk's to hand over.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from appliance import room, timetrust
from appliance.fencing import Fenced, fence_of, take_fence
from appliance.filebytes import own_bytes, put
from appliance.heartbeat import Heartbeat
from appliance.lastoffset import LastOffset
from appliance.leagueway import LeagueWay
from appliance.timebase import Anchor, boot_id
from appliance.workplace import Workplace

if TYPE_CHECKING:
    import subprocess

LOOK_S = 1.0
"""How often the kiosk of a director looks whether it is there."""

AGAIN_S = 5.0
"""Between two starts of a program: its command may only ask another program to start it."""

PATIENCE_S = 30.0
"""How long a takeover may take before the screen says that it failed, and it is given up."""

DIRECTING, UPLINK = "directing.json", "uplink"
"""In a kiosk's data folder: the note that it directs, and the folder of the uplink that then runs."""

_LOG_BYTES, _WORD = 4096, 160

_IDENTITY = ("device.key", "opening.key", "device.crt", "league-ca.crt")
"""The files that make a program this device."""

Status = Literal["none", "starting", "directs", "fenced", "failed"]

_log = logging.getLogger(__name__)


class Directing(msgspec.Struct, frozen=True):
    """The note that this device directs: ``by`` whom; ``taken``: it has begun to; ``expected``: who else was there;
    ``boot``: in which it was to begin; ``wish``: which takeover of this device's it is.
    """

    by: str
    taken: bool = False
    expected: tuple[str, ...] = ()
    boot: str = ""
    wish: str = ""


class Directorate:
    """The director's programs of this device. ``now_ms``: the evening's time, as this kiosk knows it."""

    def __init__(self, place: Workplace, now_ms: Callable[[], int]) -> None:
        self._place = place
        self._now_ms = now_ms
        self._folder = place.data.absolute() / "director"
        self._note_file = place.data / DIRECTING
        self._way = LeagueWay(place)
        self._note = self._read()
        self._unnoted = False
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._again_at: dict[str, float] = {}
        self._look_at: float | None = time.monotonic() if self._note else None
        self._give_up_at = time.monotonic() + PATIENCE_S if self._note and not self._note.taken else None

    @property
    def possible(self) -> bool:
        """Whether a director can be started here: its configuration must be on files."""
        return bool(self._place.files)

    @property
    def short_of_room(self) -> bool:
        """Whether this device's disk has too little room for a director."""
        return room.is_short(self._folder, self._place.data / "journal")

    @property
    def last_word(self) -> str:
        """What the director has written last, as far as somebody can read it on a screen."""
        try:
            lines = own_bytes(self._folder / "log")[-_LOG_BYTES:].decode(errors="replace").splitlines()
        except OSError:
            return ""
        return next((line.strip()[:_WORD] for line in reversed(lines) if line.strip()), "")

    @property
    def cut_off(self) -> bool:
        """Whether this device could not carry the venue's uplink: it does not know where the league's broker is, or has
        nothing to show there.
        """
        return self._way.is_lacking

    @property
    def directs(self) -> bool:
        """Whether this device directs, or is about to."""
        return self._note is not None

    @property
    def journal(self) -> Path:
        """The director's."""
        return self._folder / "journal"

    @property
    def due(self) -> float | None:
        """When `look` wants to be called (monotonic seconds)."""
        return self._look_at

    def take_over(self, by: str, expected: Iterable[str] = ()) -> None:
        """Have this device direct from now on; ``by``: the commissioner's number; ``expected``: the other devices that
        were there a moment before. Raises OSError.
        """
        self._lay_out("director", self._folder)
        take_fence(self._folder)
        self._hand_on_time()
        self._write(Directing(by, expected=tuple(expected), boot=boot_id(), wish=os.urandom(8).hex()))
        self._give_up_at = time.monotonic() + PATIENCE_S
        self._again_at.clear()
        self._start_director()
        self._look_at = time.monotonic() + LOOK_S

    def serves(self) -> None:
        """The director of this device has told all that it serves: so it is, whether or not that can be noted now."""
        if self._note is not None and not self._note.taken:
            self._note = msgspec.structs.replace(self._note, taken=True)
            self._unnoted = True
            self._look_at = time.monotonic()
            self._note_it()

    def look(self) -> Status:
        """How it stands, and start again what has ended; after ``fenced`` comes `forget`. ``failed``: it has taken too
        long, and is given up: what was said to have failed must not follow somebody out of the blue. Raises OSError.
        """
        if self._note is None:
            return "none"
        now = time.monotonic()
        self._look_at = now + LOOK_S
        self._note_it()
        if self.fence is not None and not self._runs("director"):
            return "fenced"
        if self._give_up_at is not None and now >= self._give_up_at and not self._note.taken:
            self._give_up()
            return "failed"
        if not self._runs("director"):
            self._start_director()
        elif self._note.taken and self._place.config.league.public_key and not self._runs("uplink"):
            self._start_uplink()
        return "directs" if self._note.taken else "starting"

    @property
    def fence(self) -> Fenced | None:
        """Who followed the director of this device."""
        return fence_of(self._folder)

    def forget(self) -> None:
        """This device directs no more. Raises OSError."""
        self._note_file.unlink(missing_ok=True)
        self._note = self._look_at = None

    # -- inside ------------------------------------------------------------------------------------------

    def _give_up(self) -> None:
        _log.warning("this device has not come to direct within %.0f s: given up", PATIENCE_S)
        self.forget()
        self._give_up_at = None
        child = self._children.pop("director", None)
        if child is not None and child.poll() is None:
            child.terminate()  # it may not hold its folder yet
        _end(self._folder / "lock")

    def _read(self) -> Directing | None:
        """The note; none of a takeover that was not through when the power went, for nobody waits for that one."""
        try:
            note = msgspec.json.decode(own_bytes(self._note_file), type=Directing)
            if not note.taken and note.boot != boot_id():
                _log.warning("the takeover of %s was not through when this device was switched off", note.by)
                self._note_file.unlink()
                return None
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            _log.error("%s: %s", self._note_file, error)
            return None
        return note

    def _hand_on_time(self) -> None:
        """The director's time is the evening's, as this kiosk knows it. One that was off does not: clocks are to stand
        where a screen has counted them to, else where they stood when it last knew (DESIGN §5)."""
        known, now, time = LastOffset(self._place.data).known, self._now_ms(), self._place.time
        put(self._folder / "anchor.json", msgspec.json.encode(Anchor(boot_id(), time.mono(), now, time.anchor.rate)))
        Heartbeat(self._folder).hand_on(None if known else now)
        timetrust.hand_on(self._folder, known)

    def _note_it(self) -> None:
        """Where the disk has no room, the next look tries again."""
        if self._unnoted and self._note is not None:
            try:
                self._write(self._note)
                self._unnoted = False
            except OSError as error:
                _log.error("that this device directs is not noted yet: %s", error)

    def _write(self, note: Directing) -> None:
        put(self._note_file, msgspec.json.encode(note))
        self._note = note

    def _lay_out(self, name: str, folder: Path) -> None:
        """The program's folder: this device's identity, and what its configuration changes of the kiosk's."""
        folder.mkdir(exist_ok=True)
        for file in _IDENTITY:
            link = folder / file
            if (self._place.data / file).exists() and not link.exists():
                link.symlink_to(Path("..") / file)
        lines = ("[device]", 'role = "director"', f"data = {json.dumps(str(folder))}")
        put(folder / "device.toml", "\n".join((*lines, "")).encode())
        _log.info("%s: in %s", name, folder)

    def _files(self, name: str, folder: Path) -> list[str]:
        """Site and device file; a file of that program's own, where there is one; and what `_lay_out` wrote."""
        own = self._place.data / f"{name}.toml"
        return [str(file) for file in (*self._place.files, *([own] if own.exists() else []), folder / "device.toml")]

    def _start_director(self) -> None:
        if self._note is None:
            return
        copy = self._place.data.absolute() / "journal"
        arguments = ["director", *self._files("director", self._folder), "--copy", str(copy)]
        if not self._note.taken:
            if self._note.expected:
                arguments += ["--expect", ",".join(self._note.expected)]
            arguments += ["--wish", self._note.wish] if self._note.wish else []
            arguments += ["--take-over", self._note.by]
        self._start("director", self._folder, arguments, self._place.config.lan.director)

    def _start_uplink(self) -> None:
        folder = self._place.data.absolute() / UPLINK
        self._lay_out("uplink", folder)
        self._start("uplink", folder, ["uplink", *self._files("uplink", folder), "--journal", str(self.journal)])

    def _start(self, name: str, folder: Path, arguments: list[str], command: tuple[str, ...] = ()) -> None:
        """In a session of its own: it lives on when the kiosk's program ends. Not twice within moments."""
        if time.monotonic() < self._again_at.get(name, 0.0):
            return
        import subprocess  # a kiosk that does not direct needs none of it

        self._again_at[name] = time.monotonic() + AGAIN_S
        whole = [*(command or (sys.executable, "-m", "appliance")), *arguments]
        with (folder / "log").open("ab") as log:
            self._children[name] = subprocess.Popen(
                whole, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        _log.info("started the %s: %s", name, " ".join(whole))

    def _runs(self, name: str) -> bool:
        child = self._children.get(name)
        if child is not None and child.poll() is None:
            return True
        return _claimed((self._folder if name == "director" else self._folder.with_name(name)) / "lock")


def end_directors(folder: Path) -> None:
    """End the programs that kiosks with data folders below this one have started: nobody's children, they live on."""
    for note in folder.glob(f"**/{DIRECTING}"):
        for name in ("director", "uplink"):
            _end(note.parent / name / "lock")


def _end(lock: Path) -> None:
    """End the program that holds this data folder, if one does."""
    if _claimed(lock):
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(own_bytes(lock)), signal.SIGTERM)


def _claimed(lock: Path) -> bool:
    """Whether a program holds its data folder (`Workplace.claimed`): it may have been started by an earlier kiosk."""
    try:
        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False
