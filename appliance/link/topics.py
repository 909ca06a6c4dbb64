"""Every MQTT topic there is, built and read in one place.

    ts/1/<venue>/up/<shard>/ev      QoS 1  batches of the venue's streams            venue → league
    ts/1/<venue>/up/<shard>/hello   QoS 1  heads of all streams, on every connect    venue → league
    ts/1/<venue>/up/<shard>/state   QoS 1  retained; the will has the same topic     venue → league
    ts/1/<venue>/up/<shard>/ack     QoS 0  for the league's stream                   venue → league
    ts/1/<venue>/up/<shard>/fetch   QoS 1  asks for records the league has           venue → league
    ts/1/<venue>/dn/ack             QoS 0  stored-acknowledgements                   league → venue
    ts/1/<venue>/dn/ev              QoS 1  batches of the league's stream            league → venue
    ts/1/<venue>/dn/fetch           QoS 1  asks for its own stream's lost tail       league → venue
    ts/1/<venue>/lan/d/director     QoS 1  retained: who the director is             director → all
    ts/1/<venue>/lan/d/ev/<stream>  QoS 1  live batches, for every device            director → all
    ts/1/<venue>/lan/d/reply/<device>          QoS 1  the answer to a command        director → one
    ts/1/<venue>/lan/d/reply/<device>/ev       QoS 1  batches a straggler missed     director → one
    ts/1/<venue>/lan/d/reply/<device>/ack      QoS 0  for that device's own streams  director → one
    ts/1/<venue>/lan/d/reply/<device>/pong     QoS 0  the answer to a ping           director → one
    ts/1/<venue>/lan/d/reply/<device>/fetch    QoS 1  asks for records it has        director → one
    ts/1/<venue>/lan/d/reply/<device>/spares   QoS 1  devices that ask to be let in         director → one
    ts/1/<venue>/lan/d/reply/<device>/phones   QoS 1  phones that are signed in, or ask to be  director → one
    ts/1/<venue>/lan/d/reply/<device>/keys     QoS 0  keys that a dealer's phone presses    director → one
    ts/1/<venue>/lan/t/<device>/hello          QoS 1  heads of its copy              device → director
    ts/1/<venue>/lan/t/<device>/state          QoS 1  retained; the will too         device → director
    ts/1/<venue>/lan/t/<device>/ev             QoS 1  batches of its own streams     device → director
    ts/1/<venue>/lan/t/<device>/ack            QoS 0  what its copy holds            device → director
    ts/1/<venue>/lan/t/<device>/cmd            QoS 0  commands, sent until answered  device → director
    ts/1/<venue>/lan/t/<device>/ping           QoS 0  asks for the director's clock  device → director
    ts/1/<venue>/lan/t/<device>/fetch          QoS 1  asks for records it has        device → director
    ts/1/<venue>/lan/t/<device>/pad            QoS 0  what a table's pad shows       device → director
    ts/1/<venue>/lan/n/<client>/ask            QoS 1  asks to be let in              newcomer → director
    ts/1/<venue>/lan/n/<client>/told           QoS 1  what became of it              director → newcomer

``<stream>`` keeps its slash. A device subscribes to ``lan/d/reply/<device>/#`` once: one filter is one
consumer on a NATS cluster. Retained are ``director`` and the two ``state`` topics, nothing else.
"""

from __future__ import annotations

import re
import zlib
from enum import StrEnum
from typing import Literal, NamedTuple, get_args

from appliance import record

ROOT = "ts/1"
SHARDS = 64
MAX_TOPIC_BYTES = 256
"""Longer ones are nobody's; looked at before anything else is."""

_ID = re.compile(r"[a-z0-9-]{1,32}")
_TABLE = re.compile(r"table/(?P<venue>.+)-[1-9][0-9]{0,3}")


class BadTopic(ValueError):
    """A topic that is none of ours; ``code`` says why."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Kind(StrEnum):
    """What a topic carries: its levels without venue, shard, device and stream."""

    UP_EV = "up/ev"
    UP_HELLO = "up/hello"
    UP_STATE = "up/state"
    UP_ACK = "up/ack"
    UP_FETCH = "up/fetch"
    DN_ACK = "dn/ack"
    DN_EV = "dn/ev"
    DN_FETCH = "dn/fetch"
    DIRECTOR = "lan/d/director"
    BROADCAST = "lan/d/ev"
    REPLY = "lan/d/reply"
    REPLY_EV = "lan/d/reply/ev"
    REPLY_ACK = "lan/d/reply/ack"
    REPLY_PONG = "lan/d/reply/pong"
    REPLY_FETCH = "lan/d/reply/fetch"
    REPLY_SPARES = "lan/d/reply/spares"
    REPLY_PHONES = "lan/d/reply/phones"
    REPLY_KEYS = "lan/d/reply/keys"
    HELLO = "lan/t/hello"
    STATE = "lan/t/state"
    EV = "lan/t/ev"
    ACK = "lan/t/ack"
    CMD = "lan/t/cmd"
    PING = "lan/t/ping"
    PAD = "lan/t/pad"
    FETCH = "lan/t/fetch"
    NEW_ASK = "lan/n/ask"
    NEW_TOLD = "lan/n/told"


RETAINED = frozenset({Kind.UP_STATE, Kind.DIRECTOR, Kind.STATE})
"""A message of any other kind that comes back retained is a ghost and must be dropped."""


class Topic(NamedTuple):
    """A topic that was read. ``device`` and ``stream`` are empty where the kind has none."""

    kind: Kind
    venue: str
    device: str = ""
    stream: str = ""


def check_id(name: str) -> str:
    """Return a well-formed venue or device id (``[a-z0-9-]{1,32}``) as it came; raises `BadTopic`."""
    if not _ID.fullmatch(name):
        raise BadTopic("bad-id", repr(name[:40]))
    return name


def shard(venue: str) -> int:
    """The ingest shard of a venue: CRC-32 of its id modulo 64."""
    return zlib.crc32(venue.encode()) % SHARDS


def owned_by(venue: str, stream: str) -> bool:
    """Whether a venue may carry this stream: its own, its tables' and its league stream; any round.

    A round's name does not tell its venue: that bond is the signature of the epoch's opener.
    """
    area, _, name = stream.partition("/")
    if area == "table":
        found = _TABLE.fullmatch(stream)
        return found is not None and found["venue"] == venue
    return area == "round" or (area in ("venue", "league") and name == venue)


UpLeaf = Literal["ev", "hello", "state", "ack", "fetch"]


def up(venue: str, leaf: UpLeaf) -> str:
    """A topic that only the venue's uplink writes."""
    return f"{ROOT}/{check_id(venue)}/up/{shard(venue)}/{leaf}"


def up_filter(leaf: UpLeaf) -> str:
    """One kind of message from all venues."""
    return f"{ROOT}/+/up/+/{leaf}"


def up_shard_filter(of_shard: int) -> str:
    """All that the venues of one shard send: one filter is one consumer on a NATS cluster."""
    return f"{ROOT}/+/up/{of_shard}/#"


def down(venue: str, leaf: Literal["ack", "ev", "fetch"]) -> str:
    """A topic that only the league writes."""
    return f"{ROOT}/{check_id(venue)}/dn/{leaf}"


def director(venue: str) -> str:
    """The retained notice of who the director is."""
    return f"{ROOT}/{check_id(venue)}/lan/d/director"


def broadcast(venue: str, stream: str) -> str:
    """Live batches of one stream, for every device of the venue."""
    return f"{ROOT}/{check_id(venue)}/lan/d/ev/{record.check_stream(stream)}"


def broadcast_filter(venue: str) -> str:
    """All streams the director sends."""
    return f"{ROOT}/{check_id(venue)}/lan/d/ev/#"


ReplyLeaf = Literal["", "ev", "ack", "pong", "fetch", "spares", "phones", "keys"]


def reply(venue: str, device: str, leaf: ReplyLeaf = "") -> str:
    """From the director to one device; without a leaf: the answer to a command."""
    base = f"{ROOT}/{check_id(venue)}/lan/d/reply/{check_id(device)}"
    return f"{base}/{leaf}" if leaf else base


def reply_filter(venue: str, device: str) -> str:
    """All that the director says to one device."""
    return f"{ROOT}/{check_id(venue)}/lan/d/reply/{check_id(device)}/#"


DeviceLeaf = Literal["hello", "state", "ev", "ack", "cmd", "ping", "fetch", "pad"]
_DEVICE_LEAVES: tuple[str, ...] = get_args(DeviceLeaf)
_REPLY_LEAVES = frozenset(get_args(ReplyLeaf)) - {""}


def device(venue: str, name: str, leaf: DeviceLeaf) -> str:
    """A topic that only that device writes."""
    return f"{ROOT}/{check_id(venue)}/lan/t/{check_id(name)}/{leaf}"


def device_filter(venue: str, leaf: DeviceLeaf) -> str:
    """One kind of message from all devices."""
    return f"{ROOT}/{check_id(venue)}/lan/t/+/{leaf}"


def newcomer(venue: str, client: str, leaf: Literal["ask", "told"]) -> str:
    """Of a device that does not belong to the venue yet: only its client name on the connection tells it apart."""
    return f"{ROOT}/{check_id(venue)}/lan/n/{check_id(client)}/{leaf}"


def newcomers_filter(venue: str, leaf: Literal["ask", "told"]) -> str:
    """What all newcomers ask."""
    return f"{ROOT}/{check_id(venue)}/lan/n/+/{leaf}"


def parse(topic: str) -> Topic:
    """Read a topic; raises `BadTopic` (``bad-topic``, ``bad-id``, ``wrong-shard``, ``bad-stream``)."""
    if len(topic) > MAX_TOPIC_BYTES:
        raise BadTopic("bad-topic", f"{len(topic)} characters")
    match topic.split("/"):
        case ["ts", "1", venue, "up", number, ("ev" | "hello" | "state" | "ack" | "fetch") as leaf]:
            if number != str(shard(check_id(venue))):
                raise BadTopic("wrong-shard", topic)
            return Topic(Kind(f"up/{leaf}"), venue)
        case ["ts", "1", venue, "dn", ("ack" | "ev" | "fetch") as leaf]:
            return Topic(Kind(f"dn/{leaf}"), check_id(venue))
        case ["ts", "1", venue, "lan", "d", "director"]:
            return Topic(Kind.DIRECTOR, check_id(venue))
        case ["ts", "1", venue, "lan", "d", "ev", area, name]:
            return Topic(Kind.BROADCAST, check_id(venue), stream=_stream(f"{area}/{name}"))
        case ["ts", "1", venue, "lan", "d", "reply", name]:
            return Topic(Kind.REPLY, check_id(venue), device=check_id(name))
        case ["ts", "1", venue, "lan", "d", "reply", name, leaf] if leaf in _REPLY_LEAVES:
            return Topic(Kind(f"lan/d/reply/{leaf}"), check_id(venue), device=check_id(name))
        case ["ts", "1", venue, "lan", "t", name, leaf] if leaf in _DEVICE_LEAVES:
            return Topic(Kind(f"lan/t/{leaf}"), check_id(venue), device=check_id(name))
        case ["ts", "1", venue, "lan", "n", name, ("ask" | "told") as leaf]:
            return Topic(Kind(f"lan/n/{leaf}"), check_id(venue), device=check_id(name))
    raise BadTopic("bad-topic", topic)


def _stream(name: str) -> str:
    try:
        return record.check_stream(name)
    except record.RecordError as error:
        raise BadTopic(error.code, error.detail) from None
