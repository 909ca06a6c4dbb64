"""What the messages of the link look like on the wire: JSON, deflated where that makes it smaller.

    payload = encode(Ack("round/R1", "1-00c0ffee00c0ffee", 17))
    ack = decode(Ack, payload)              # BadPayload (a code and a detail) or an Ack, nothing else

`decode` looks at the size first, inflates no further than the kind's limit, and only then reads, so that
garbage, ten megabytes, a decompression bomb or brackets nested a million deep cost next to nothing.
Unknown fields are ignored: a newer sender may say more.
"""

from __future__ import annotations

import zlib
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Raw

from appliance import record
from appliance.phone import PhoneRole
from appliance.record import Head

MAX_PAYLOAD_BYTES = 256 * 1024
"""The largest payload on the wire (brokers allow 1 MiB); inflated, only a hello may be larger."""

MAX_BATCH_RECORDS = 4096
_DEFLATE_FROM = 400
_SIGNATURE_BYTES = 64

Id = Annotated[str, Meta(pattern=r"\A[a-z0-9-]{1,32}\Z")]
Name = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")]
Token = Annotated[str, Meta(min_length=1, max_length=64)]
Seq = Annotated[int, Meta(ge=0, le=2**53)]
Text = Annotated[str, Meta(max_length=200)]
Word = Annotated[str, Meta(pattern=r"\A[a-z0-9-]{0,24}\Z")]
PadKey = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9-]{1,24}\Z")]
"""A pad's key by its name: ranks of cards are capital letters."""
SessionId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
TableNo = Annotated[int, Meta(ge=1, le=99)]
Agent = Annotated[str, Meta(max_length=64)]
Millis = Annotated[int, Meta(ge=0, le=2**53)]
_LAST_MOMENT = 7_258_118_400_000 - 1
Moment = Annotated[int, Meta(ge=0, le=_LAST_MOMENT)]
"""UTC milliseconds before the year 2200: what a calendar, and so a screen, can show."""


def moment(at_ms: int) -> int:
    """A time as it may be said: a clock that stands outside those years tells their first or last."""
    return min(max(at_ms, 0), _LAST_MOMENT)


KeyHex = Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")]


class BadPayload(ValueError):
    """Bytes that are no message of the kind expected.

    ``code``: ``too-large``, ``bomb``, ``bad-zlib``, ``bad-json``, ``bad-batch``, ``bad-stream``, ``bad-epoch``.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Batch(msgspec.Struct, frozen=True):
    """Records ``first`` … ``first + len(records) - 1`` of one epoch, exactly as their writer encoded them.

    ``signature`` is the writer's, over the head that the last of them makes; a relay sends it on.
    """

    stream: str
    epoch: str
    first: Annotated[int, Meta(ge=1, le=2**53)]
    records: Annotated[tuple[Raw, ...], Meta(min_length=1, max_length=MAX_BATCH_RECORDS)]
    signature: bytes

    @property
    def last(self) -> int:
        """The seq of the last record."""
        return self.first + len(self.records) - 1


class Ack(msgspec.Struct, frozen=True):
    """Everything of that epoch up to ``upto`` is stored by the consumer; 0: nothing of this stream is.

    ``hash``: of that record, where the consumer says where it is without having been sent anything.
    """

    stream: str
    epoch: str
    upto: Seq
    hash: KeyHex = ""


class Fetch(msgspec.Struct, frozen=True):
    """Asks for the records of one epoch after ``after``: the answer is a few batches, then it is asked again."""

    stream: str
    epoch: str
    after: Seq


class Hello(msgspec.Struct, frozen=True):
    """Said on every connect: what the device holds, and the streams it writes itself.

    ``key`` is its Ed25519 public key in hex; ``copies`` whether it wants the streams of the others. ``parting``: it was
    the director, and ends once each of its heads is acknowledged. ``showing``: the director's time by which its screen
    has gone on, where it was ever told it.
    """

    device: Id
    heads: tuple[Head, ...]
    writes: tuple[str, ...] = ()
    copies: bool = True
    key: KeyHex = ""
    software: Text = ""
    parting: bool = False
    showing: Moment | None = None


class ReaderSaid(msgspec.Struct, frozen=True, array_like=True):
    """A reader of a device: it works, or the code of what ails it (`appliance.health.readers.WHY`)."""

    name: Annotated[str, Meta(max_length=24)]
    trouble: Word = ""


class DeviceState(msgspec.Struct, frozen=True, array_like=True):
    """How a device stands, as it said ``at`` (UTC ms, 0: it did not say when). In a short form: a venue's all together
    have to fit. A newer version may add to the end of it.

    ``offset_ms``: how far its clock is from the director's. ``power``: a word of `appliance.power`. ``waiting``:
    records of its own that the director has not got, of the director's that the league has not.
    """

    device: Id
    at: Moment = 0
    online: bool = True
    role: Word = ""
    software: Annotated[str, Meta(max_length=64)] = ""
    offset_ms: Annotated[int, Meta(ge=-(2**53), le=2**53)] | None = None
    readers: Annotated[tuple[ReaderSaid, ...], Meta(max_length=8)] = ()
    power: Word = ""
    waiting: Seq | None = None

    @property
    def ailments(self) -> tuple[object, ...]:
        """What a person would want to hear of at once: equal while nothing of it changes."""
        return self.online, self.power, tuple(reader for reader in self.readers if reader.trouble)


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """Retained, with a will on the same topic: whether the device is there. Only a cache.

    ``devices``: of a device itself how it stands; of the uplink to the league, how those of the venue do, but for
    ``left_out`` of them that did not fit. The uplink says, too, what time it is by the director's clock as it sends
    this (``at``, UTC ms, None where it does not know), how many times faster than the world's that goes (``pace``: a
    rehearsal), and after how many seconds at the latest it says all this again.
    """

    device: Id
    online: bool
    role: Text = ""
    software: Text = ""
    devices: Annotated[tuple[DeviceState, ...], Meta(max_length=200)] = ()
    left_out: Annotated[int, Meta(ge=0, le=1000)] = 0
    at: Moment | None = None
    pace: Annotated[int, Meta(ge=1, le=1000)] = 1
    again_s: Annotated[int, Meta(ge=10, le=3600)] = 600


class DirectorNotice(msgspec.Struct, frozen=True):
    """Retained: who writes the venue's streams. ``epoch`` as in records; the highest one seen counts.

    ``signature`` is that device's (see `appliance.link.notices`). ``gathering``: it is taking over, and still asks for
    the longest copy: devices say hello to it, commands wait. ``newcomers``: the port at which a device that is not
    known may ask to be let in, 0 for none; not signed, for whom it is meant knows no key yet.
    """

    device: Id
    epoch: str
    key: KeyHex
    venue: Id
    signature: Annotated[bytes, Meta(max_length=_SIGNATURE_BYTES)] = b""
    gathering: bool = False
    newcomers: Annotated[int, Meta(ge=0, le=65535)] = 0


class Spare(msgspec.Struct, frozen=True):
    """A device that asks to be let in (`appliance.adoption`). ``known``: it was before, and asks again."""

    name: Id
    key: KeyHex
    software: Annotated[str, Meta(max_length=64)] = ""
    known: bool = False


class Spares(msgspec.Struct, frozen=True):
    """The devices that ask the director to be let in, and the tables whose own device is there."""

    asking: Annotated[tuple[Spare, ...], Meta(max_length=64)] = ()
    taken: Annotated[tuple[int, ...], Meta(max_length=200)] = ()


class CommandMessage(msgspec.Struct, frozen=True):
    """A command for the director; the same ``id`` again is the same command and gets the same answer.

    ``ttl_ms`` is what is left of its life when it is sent; ``expires_ms`` the end of it on the director's
    monotonic clock, where the device knows that clock. ``revision`` is what the actor saw. ``body`` is the command.
    """

    id: Token
    device: Id
    actor: Token
    round: Name
    ttl_ms: Millis
    body: Raw
    revision: Seq | None = None
    expires_ms: Millis | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why not: a stable kebab-case code and its parameters."""

    code: Text
    detail: Raw = Raw(b"{}")


class Reply(msgspec.Struct, frozen=True):
    """The answer to the command ``id``. Accepted: its events end at ``seq`` of that stream and epoch."""

    id: Token
    ok: bool
    stream: str | None = None
    epoch: str | None = None
    seq: Seq | None = None
    refusal: Refusal | None = None


class Ping(msgspec.Struct, frozen=True):
    """Asks for the director's clock. ``seeking``: the device knows of no director, whose notice it may have missed."""

    id: Token
    seeking: bool = False


class Pong(msgspec.Struct, frozen=True):
    """The director's clocks, in milliseconds, when it saw the ping: ``at`` that of its records, which may step and
    in a rehearsal runs fast, and ``mono`` that of its machine.

    ``known``: whether it has the device's hello; if not, the device says it again. ``id`` empty: nobody asked.
    ``present``: the devices that are there: who takes over waits for their copies.
    """

    id: Annotated[str, Meta(max_length=64)]
    at: Moment
    mono: Millis
    known: bool = True
    present: Annotated[tuple[Id, ...], Meta(max_length=200)] = ()


class PhoneWaits(msgspec.Struct, frozen=True):
    """A phone that has shown the key it was given at ``device``. ``code``: the four digits that it shows, too."""

    session: SessionId
    code: Annotated[str, Meta(pattern=r"\A[0-9]{4}\Z")]
    role: PhoneRole
    device: Id
    table: TableNo | None = None
    agent: Agent = ""


class PhoneThere(msgspec.Struct, frozen=True):
    """A phone that is signed in. ``who``: the commissioner who did that; ``seen``: UTC ms, 0: not since the start."""

    session: SessionId
    role: PhoneRole
    who: Token
    since: Millis
    until: Millis
    seen: Millis = 0
    table: TableNo | None = None
    agent: Agent = ""


class Phones(msgspec.Struct, frozen=True):
    """What a kiosk has to know to sign phones in, and to cut them off.

    ``url``: where the console is, empty where there is none; ``seal``: the X25519 key of the director that a phone's
    key is sealed to, in hex.
    """

    url: Annotated[str, Meta(max_length=200)] = ""
    seal: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")] = ""
    waiting: Annotated[tuple[PhoneWaits, ...], Meta(max_length=16)] = ()
    phones: Annotated[tuple[PhoneThere, ...], Meta(max_length=100)] = ()


class PadKeys(msgspec.Struct, frozen=True):
    """Keys that a dealer's phone presses on its table's pad, by their names, parted by spaces.

    ``seen``: the stamp of the pad as the phone showed it; where it is another one by now, none is taken.
    """

    id: Token
    table: TableNo
    phone: Id
    keys: Annotated[str, Meta(max_length=200)]
    seen: Token = ""


class PadShown(msgspec.Struct, frozen=True):
    """A table's pad: what was typed, what it asks or why the last key led to nothing, which keys make sense now.

    ``id``: the `PadKeys` that this answers, empty where nobody asked; ``taken`` False: the pad was another one by then.
    ``pad`` is the pad itself as JSON.
    """

    table: TableNo
    stamp: Token
    keys: Annotated[tuple[PadKey, ...], Meta(max_length=100)] = ()
    pad: Raw = Raw(b"{}")
    id: Annotated[str, Meta(max_length=64)] = ""
    taken: bool = True


Message = (
    Batch
    | Ack
    | Fetch
    | Hello
    | State
    | DirectorNotice
    | Spares
    | CommandMessage
    | Reply
    | Ping
    | Pong
    | Phones
    | PadKeys
    | PadShown
)
M = TypeVar(
    "M", Batch, Ack, Fetch, Hello, State, DirectorNotice, Spares, CommandMessage, Reply, Ping, Pong, Phones, PadKeys,
    PadShown,
)  # fmt: skip

_LIMITS: dict[type, int] = {  # inflated; a hello names every stream there ever was
    Batch: MAX_PAYLOAD_BYTES, Hello: 4 * MAX_PAYLOAD_BYTES, CommandMessage: 64 * 1024, Reply: 64 * 1024,
    Spares: 32 * 1024, Phones: 64 * 1024, PadKeys: 1024, PadShown: 16 * 1024,
    Ack: 1024, Fetch: 1024, State: 2048, DirectorNotice: 2048, Ping: 512, Pong: 16 * 1024,
}  # fmt: skip
_DECODERS: dict[type, msgspec.json.Decoder[Any]] = {kind: msgspec.json.Decoder(kind) for kind in _LIMITS}
_LEFT_OUT = {"round": 2, "table": 1}
_encoder = msgspec.json.Encoder()


def encode(message: Message) -> bytes:
    """The payload of a message; raises `BadPayload` (``too-large``) where no receiver would take it."""
    plain = _encoder.encode(message)
    limit = _LIMITS[type(message)]
    if len(plain) > limit:
        raise BadPayload("too-large", f"{type(message).__name__}: {len(plain)} bytes, at most {limit}")
    if len(plain) < _DEFLATE_FROM:
        return plain
    packed = min(zlib.compress(plain, 6), plain, key=len)
    if len(packed) > MAX_PAYLOAD_BYTES:
        raise BadPayload("too-large", f"{type(message).__name__}: {len(packed)} bytes, at most {MAX_PAYLOAD_BYTES}")
    return packed


def encode_hello(hello: Hello) -> bytes:
    """A hello with as many of its heads as fit, those of rounds left out first: somebody may have signed thousands.

    Of what is not named the peer sends something again, and hears that it is here.
    """
    heads = list(reversed(hello.heads))
    heads.sort(key=lambda head: _LEFT_OUT.get(head.stream.partition("/")[0], 0))
    payload = None
    while payload is None:
        try:
            payload = encode(hello)
        except BadPayload:
            if not heads:
                raise
            heads = heads[: -(len(heads) // 8 + 1)]
            named = set(heads)
            hello = msgspec.structs.replace(hello, heads=tuple(head for head in hello.heads if head in named))
    return payload


def encode_state(state: State) -> bytes:
    """A state with as many of its devices as fit, those first that are there, and that something ails."""
    devices = sorted(state.devices, key=lambda said: (not said.online, not said.ailments[-1]))
    payload = None
    while payload is None:
        try:
            payload = encode(state)
        except BadPayload:
            if not devices:
                raise
            devices = devices[: -(len(devices) // 8 + 1)]
            left_out = state.left_out + len(state.devices) - len(devices)
            state = msgspec.structs.replace(state, devices=tuple(devices), left_out=left_out)
    return payload


def decode(kind: type[M], payload: bytes) -> M:
    """Read a message of that kind; raises `BadPayload` and nothing else."""
    limit = _LIMITS[kind]
    if len(payload) > min(limit, MAX_PAYLOAD_BYTES):
        raise BadPayload("too-large", f"{kind.__name__}: {len(payload)} bytes")
    plain = payload if payload[:1] == b"{" else _inflate(payload, limit)
    try:
        message: M = _DECODERS[kind].decode(plain)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadPayload("bad-json", f"{kind.__name__}: {str(error)[:160]}") from None
    _check(message)
    return message


def _inflate(payload: bytes, limit: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(payload, limit + 1)
    except zlib.error as error:
        raise BadPayload("bad-zlib", str(error)[:80]) from None
    if len(plain) > limit:
        raise BadPayload("bomb", f"{len(payload)} bytes inflate to more than {limit}")
    if not inflater.eof or inflater.unused_data:
        raise BadPayload("bad-zlib", "cut short or followed by something")
    return plain


def _check(message: Message) -> None:
    """The names in a message that has them are well formed."""
    try:
        if isinstance(message, Batch | Ack | Fetch):
            record.check_stream(message.stream)
            record.parse_epoch(message.epoch)
        elif isinstance(message, DirectorNotice):
            record.parse_epoch(message.epoch)
        elif isinstance(message, Hello):
            for head in message.heads:
                record.check_stream(head.stream)
                record.parse_epoch(head.epoch)
            for stream in message.writes:
                record.check_stream(stream)
        elif isinstance(message, Reply):
            _check_reply(message)
    except record.RecordError as error:
        raise BadPayload(error.code, error.detail) from None
    if isinstance(message, Batch):
        _check_batch(message)


def _check_reply(reply: Reply) -> None:
    if reply.epoch is not None:
        record.check_stream(reply.stream or "")
        record.parse_epoch(reply.epoch)
    if reply.refusal is not None:
        try:
            msgspec.json.decode(reply.refusal.detail, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadPayload("bad-json", f"Reply: the detail of {reply.refusal.code[:40]!r}: {error}") from None


def _check_batch(batch: Batch) -> None:
    if len(batch.signature) != _SIGNATURE_BYTES:
        raise BadPayload("bad-batch", f"{batch.stream}: a signature of {len(batch.signature)} bytes")
    for raw in batch.records:
        if len(memoryview(raw)) > record.MAX_RECORD_BYTES:
            raise BadPayload("bad-batch", f"{batch.stream}: a record of {len(memoryview(raw))} bytes")
