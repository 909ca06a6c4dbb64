"""One typed scheme for every program: defaults < site file < device file.

Both files are TOML. A value of the wrong type, an unknown name or an impossible number is an error that names file,
place and reason; nothing is guessed. `dump` shows the whole as it is in force.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from appliance.configwords import plain
from appliance.filebytes import Unreadable, read_bytes
from appliance.pins import Clock, Pins, claimed
from appliance.pins import check as check_pins
from appliance.plaintext import is_blank
from appliance.printerconfig import PrinterConfig
from appliance.readerconfig import ReaderConfig, as_list, named, ports
from appliance.tomltext import TomlError, toml_values

MOST_CONFIG_BYTES = 1024 * 1024

ADOPTED = "adopted.toml"
"""In the data folder of a device whose own file calls it spare: what it was told when it was let in."""

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,32}$")]
"""A venue or device id, as it stands in MQTT topics."""
Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
PublicKey = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
"""An Ed25519 public key in hex (RFC 8032)."""


class ConfigError(ValueError):
    """A file that cannot serve as configuration; the text names file, place and reason."""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Part of the scheme; unknown names are errors, since a misspelt setting is worse than none."""


class Venue(Section, frozen=True):
    """The place: its id, its language, and the tables that stand there."""

    id: Name = "venue"
    name: str = ""
    language: Literal["cs", "en"] = "cs"

    @property
    def called(self) -> str:
        """What people call it: its id where the name shows nothing."""
        return self.id if is_blank(self.name) else self.name


class Device(Section, frozen=True):
    """This device: its id, what it does, and where it keeps its files.

    ``role``: ``clock`` is a wall's screen without a reader. ``spare`` has no place yet: it shows a code by which a
    commissioner gives it one, whatever ``name`` and ``table`` say here.
    ``tracking``: of each hand at its table, only that it began, or every action, keyed in by the dealer.
    """

    name: Name = "device"
    role: Literal["table", "door", "clock", "director", "spare"] = "table"
    table: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1
    tracking: Literal["hands", "actions"] = "hands"
    data: str = "/var/lib/tableside"

    def __post_init__(self) -> None:
        """Raises ValueError for no data folder: the files would lie wherever the program was started."""
        if not self.data.strip():
            raise ValueError("data: the folder of this device's files is needed")


class Broker(Section, frozen=True):
    """An MQTT 3.1.1 broker. ``tls`` encrypts; ``ca`` is a file of certificates to trust instead of the system's.

    ``certificate``, ``key``: files by which it knows this device (PEM).
    """

    host: str = "127.0.0.1"
    port: Port = 1883
    username: str = ""
    password: str = ""
    tls: bool = False
    ca: str = ""
    certificate: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError for a certificate without its key: nobody could show it."""
        if bool(self.certificate) != bool(self.key):
            raise ValueError("certificate and key belong together")


class Lan(Section, frozen=True):
    """How the venue's programs find each other.

    ``find``: ``fixed``: the broker is where ``[broker]`` says. ``zeroconf``, ``hosts``: it runs where the director does
    (mosquitto, started by it), who is found by multicast DNS (RFC 6762) or at one of ``hosts``, each with ``port``.
    ``secure``: devices know each other by their certificates (TLS); ``newcomers`` is the port where a device that is
    not known yet may ask to be adopted, 0 for none. ``director``: the command that starts the director's program at a
    takeover; empty: this program starts it. ``call``: the UDP port on which devices hear the director call, 0 for none.
    """

    find: Literal["fixed", "zeroconf", "hosts"] = "fixed"
    hosts: tuple[str, ...] = ()
    port: Port = 8883
    secure: bool = True
    newcomers: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0
    director: tuple[str, ...] = ()
    call: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8883

    def __post_init__(self) -> None:
        """Raises ValueError for a list of hosts that is empty."""
        if self.find == "hosts" and not self.hosts:
            raise ValueError("lan.find is hosts, and lan.hosts names none")


class Console(Section, frozen=True):
    """Where the director serves the commissioner's phone: ``port``, 0 for nowhere.

    ``certificate``, ``key``: files (PEM) by which phones know it; without them what they say is signed, and can be read
    by whoever listens. ``address``: the name under which phones find it, which a certificate has to be for; empty: the
    address that it has in the network.
    """

    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8090
    address: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9.:-]{0,100}$")] = ""
    certificate: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError for a certificate without its key: nobody could show it."""
        if bool(self.certificate) != bool(self.key):
            raise ValueError("certificate and key belong together")


class League(Section, frozen=True):
    """Where the league's broker is and the key its stream must be signed with."""

    broker: Broker = Broker()
    public_key: Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{64})?$")] = ""


class Cards(Section, frozen=True):
    """What telling genuine cards from copies needs: files in the data folder unless they are named here.

    ``keys`` holds the cards' verification keys, sealed to this device (`tableside cards keys export-k2`); ``counters``
    the highest read counter of each card.
    """

    keys: str = ""
    counters: str = ""


class Screen(Section, frozen=True):
    """The kiosk's window. ``headless`` draws without a display; ``shots`` is a folder for screenshots on SIGUSR1.

    ``touch``: fingers reach it, so a table that only counts hands shows its key for the next one.
    ``overscan``: per cent of each side that the display cuts off.
    ``style``: a file of the house's own colours, fonts and pictures. ``motion``: buttons, cards and pages move to their
    places, for a blink.
    """

    width: Annotated[int, msgspec.Meta(ge=320, le=7680)] = 1280
    height: Annotated[int, msgspec.Meta(ge=240, le=4320)] = 720
    fullscreen: bool = True
    headless: bool = False
    touch: bool = False
    language: Literal["", "cs", "en"] = ""
    shots: str = ""
    theme: Literal["", "dark", "light", "contrast"] = ""
    overscan: Annotated[int, msgspec.Meta(ge=0, le=15)] = 0
    style: str = ""
    motion: bool = True


class Sound(Section, frozen=True):
    """What is heard: ``volume`` in per cent, 0 for silence. From ``quiet_from`` to ``quiet_to`` (HH:MM) nothing is.

    ``device``: the sound card by its name; else the system's own. ``clock``: a table tells of levels and breaks too,
    not only a clock on the wall.
    """

    volume: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    quiet_from: Clock = ""
    quiet_to: Clock = ""
    device: str = ""
    clock: bool = True

    def __post_init__(self) -> None:
        """Raises ValueError for half of the quiet hours."""
        if bool(self.quiet_from) != bool(self.quiet_to):
            raise ValueError("quiet hours need both sound.quiet_from and sound.quiet_to")


class Rehearsal(Section, frozen=True):
    """A rehearsal runs faster than the wall clock: ``speed`` evening seconds a second, from ``start`` on."""

    speed: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    start_ms: Annotated[int, msgspec.Meta(ge=0, lt=7_258_118_400_000)] | None = None


class Config(Section, frozen=True):
    """The whole scheme. ``devices`` holds the public key of every device of the venue, by its name."""

    venue: Venue = Venue()
    device: Device = Device()
    broker: Broker = Broker()
    lan: Lan = Lan()
    console: Console = Console()
    league: League = League()
    readers: tuple[ReaderConfig, ...] = msgspec.field(default=(ReaderConfig(),), name="reader")
    cards: Cards = Cards()
    screen: Screen = Screen()
    sound: Sound = Sound()
    pins: Pins = Pins()
    printer: PrinterConfig = PrinterConfig()
    rehearsal: Rehearsal = Rehearsal()
    director: Name = "director"
    devices: dict[Name, PublicKey] = {}

    def __post_init__(self) -> None:
        """Raises ValueError when two things want the same reader, name or pin."""
        known = named(self.readers)
        lines = ports(known)
        if self.printer.driver in ("serial", "file") and self.printer.port:
            taken = next((who for who, port in lines if port == self.printer.port), None)
            if taken is not None:
                raise ValueError(f"{taken} and the printer are both on {self.printer.port}")
            lines.append(("the printer", self.printer.port))
        check_pins(self.pins, claimed(lines))

    @property
    def data(self) -> Path:
        """The folder of this device's journal and keys."""
        return Path(self.device.data)

    @property
    def readers_here(self) -> tuple[ReaderConfig, ...]:
        """The readers there are, each with a name; none at a wall clock, nor where somebody only directs or carries,
        whatever the site's file says."""
        return () if self.device.role in ("clock", "director") else named(self.readers)

    @property
    def card_keys(self) -> Path:
        """The file of the cards' sealed verification keys; it need not be there."""
        return Path(self.cards.keys) if self.cards.keys else self.data / "card-keys.json"

    @property
    def card_counters(self) -> Path:
        """The file of the cards' highest counters."""
        return Path(self.cards.counters) if self.cards.counters else self.data / "counters.db"

    @property
    def language(self) -> str:
        """The language of this device's screen."""
        return self.screen.language or self.venue.language


def load(*files: Path) -> Config:
    """Read the files in order, later ones over earlier ones. Raises `ConfigError`."""
    merged: dict[str, Any] = {}
    for file in files:
        values = _read(file)
        _convert(values, file)
        merged = _over(merged, values)
    return _convert(merged, files[-1] if files else Path("defaults"))


def with_adopted(files: Sequence[Path]) -> list[Path]:
    """The files, and for a spare device that was let in also what it was told then. Raises `ConfigError`."""
    config = load(*files)
    adopted = config.data / ADOPTED
    return [*files, adopted] if config.device.role == "spare" and adopted.exists() else [*files]


def origin(place: str, files: Sequence[Path]) -> Path | None:
    """The last of the files in which a setting ("device.name") or a section stands; None: in none of them."""
    for file in reversed(files):
        values: Any = _read(file)
        for step in place.split("."):
            values = values.get(step) if isinstance(values, dict) else None
        if values is not None:
            return file
    return None


def dump(config: Config, *, changed_only: bool = False) -> str:
    """The configuration as TOML, whole or only what differs from the defaults; passwords are masked."""
    values = msgspec.to_builtins(config)
    if changed_only:
        values = _differing(values, msgspec.to_builtins(Config()))
    lines: list[str] = []
    _dump_table(values, (), lines)
    return "\n".join(lines).strip() + "\n"


def _read(file: Path) -> dict[str, Any]:
    try:
        return toml_values(read_bytes(file, MOST_CONFIG_BYTES))
    except (Unreadable, TomlError) as error:
        raise ConfigError(f"{file}: {error}") from None


def _convert(values: dict[str, Any], file: Path) -> Config:
    if "reader" in values:
        values = {**values, "reader": as_list(values["reader"])}
    try:
        return msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{file}: {plain(str(error), Config, values)}") from None


def _over(base: dict[str, Any], top: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in top.items():
        below = merged.get(name)
        merged[name] = _over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _differing(values: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in values.items():
        default = defaults.get(name)
        if isinstance(value, dict) and isinstance(default, dict):
            value = _differing(value, default)
            if not value:
                continue
        if value != default:
            out[name] = [_differing(entry, default[0]) for entry in value] if default and _is_tables(value) else value
    return out


def _is_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(entry, dict) for entry in value)


def _dump_table(values: dict[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    plain = {n: v for n, v in values.items() if not isinstance(v, dict) and v is not None and not _is_tables(v)}
    if path and plain:
        lines.append(f"\n[{'.'.join(path)}]")
    _dump_plain(plain, lines)
    for name, value in values.items():
        if isinstance(value, dict):
            _dump_table(value, (*path, name), lines)
        elif _is_tables(value):
            for entry in value:
                lines.append(f"\n[[{'.'.join((*path, name))}]]")
                _dump_plain(entry, lines)


def _in_toml(value: Any) -> str:
    """JSON is TOML, but for a delete character, which may not stand there as it is (TOML 1.0, basic strings)."""
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007F")


def _dump_plain(values: dict[str, Any], lines: list[str]) -> None:
    for name, value in values.items():
        shown = "***" if name == "password" and value else value
        lines.append(f"{name} = {_in_toml(shown)}")
