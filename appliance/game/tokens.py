"""The allowance of 500 CZK in 24 hours while venues are cut off: one token a participant (T-3, DESIGN §6).

A token is at the league or at exactly one venue, and whoever has it alone takes the participant's deposits. It carries
what was deposited elsewhere and still counts; the venue adds its own rounds, whose streams tell what is in them now, so
that nothing counts twice over an undo or a cancelled round. Given back it says what is deposited there. One that came
to its end without a word counts as spent to the last crown at its last moment.

A token is for one epoch of ``venue/<id>``, so for one director: who takes over spends none of them before the league
knows of it and gives a new one. Else a director who was cut off from the rest of the venue could spend it, too.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct
from msgspec.structs import replace

from appliance.game.values import Amount, Moment, Participant, RoundId

DAY_MS = 24 * 60 * 60 * 1000
"""A deposit counts from its own time until exactly so much later (T-3)."""

EARLY_MS = 10 * 60 * 1000
"""So long before its end a venue spends nothing of a token any more: clocks differ."""

LATE_MS = 10 * 60 * 1000
"""So long after its end the league still waits for a word of it, for the same reason."""

KEPT_MS = 2 * DAY_MS
"""So long deposits are told: one that a redo brings back counts from its own time, up to a day before the token."""

LEAD_MS = 12 * 60 * 60 * 1000
"""So long before a round starts the tokens of those expected there move to its venue."""

PRAGUE = ZoneInfo("Europe/Prague")
MORNING_HOUR = 6

TokenId = Annotated[str, Meta(pattern=r"\A[0-9a-f-]{1,36}\Z")]
EpochName = Annotated[str, Meta(max_length=64)]


class Spent(NamedTuple):
    """A deposit of ``amount`` CZK at ``at`` (UTC ms) in a round; an empty round: nobody has told of it yet."""

    at: Moment
    amount: Amount
    round: Annotated[str, Meta(max_length=64)] = ""


class Token(Struct, frozen=True, kw_only=True):
    """A participant's allowance as a venue gets it.

    ``left``: what of ``limit`` (CZK) was left as it was given, for people to read; what is left later follows from
    ``deposits``, those of all venues since `KEPT_MS` before. ``given`` and ``until``: UTC ms by the league's clock.
    ``epoch``: of the venue's own stream, whose writer alone may spend it.
    """

    token: TokenId
    participant: Participant
    epoch: EpochName
    given: Moment
    until: Moment
    left: Amount
    limit: Amount = 500
    deposits: Annotated[tuple[Spent, ...], Meta(max_length=500)] = ()


# -- at the venue ------------------------------------------------------------------------------------------------------


def is_spendable(token: Token, epoch: str, given_back: Container[str], now: int, trusted: bool) -> bool:
    """Whether a director who writes this epoch may take deposits on a token.

    ``given_back``: the tokens that were. ``trusted``: that ``now`` (UTC ms by the monotonic clock) is right to within
    `EARLY_MS`; after a reboot it is not until somebody says so.
    """
    if not trusted or token.epoch != epoch or token.token in given_back:
        return False
    return now < token.until - EARLY_MS


def is_over(token: Token, now: int) -> bool:
    """Whether a token's time at a venue is up."""
    return now >= token.until - EARLY_MS


def from_elsewhere(token: Token, here: Container[str]) -> list[Spent]:
    """The token's deposits but those of rounds whose streams are here: these tell better what is in them."""
    return [spent for spent in token.deposits if spent.round not in here]


def to_tell(token: Token, deposits: Iterable[Spent]) -> tuple[Spent, ...]:
    """Of a venue's own deposits those that a token tells when it is given back.

    Which are too old is asked of the league's time: the clock here may be days ahead.
    """
    return tuple(sorted(spent for spent in deposits if token.given - spent.at < KEPT_MS))


def in_any_day(deposits: Iterable[tuple[int, int]]) -> int:
    """The most CZK of deposits, given as (UTC ms, CZK), in any 24 hours."""
    found = sorted((at, amount) for at, amount, *_ in deposits)
    most = total = first = 0
    for at, amount in found:
        total += amount
        while at - found[first][0] >= DAY_MS:
            total -= found[first][1]
            first += 1
        most = max(most, total)
    return most


class Returned(Struct, frozen=True, kw_only=True):
    """How a venue's note gives a token back (`appliance.allowancenotes`)."""

    participant: Participant
    token: TokenId
    spent: Annotated[tuple[Spent, ...], Meta(max_length=500)] = ()


class Asked(Struct, frozen=True, kw_only=True):
    """How a venue's note asks for somebody's token, for a round there."""

    participant: Participant
    round: RoundId


# -- at the league -----------------------------------------------------------------------------------------------------


class Statement(Struct, frozen=True):
    """What a venue told last of a participant's deposits there, and with which token.

    ``assumed``: it told nothing until the token's end, and the most that can have been deposited stands here.
    """

    token: str
    spent: tuple[Spent, ...]
    assumed: bool = False


class Account(Struct, frozen=True):
    """A participant's allowance as the league keeps it: the token that is out, at which venue, and what all told."""

    live: Token | None = None
    venue: str = ""
    statements: Mapping[str, Statement] = {}


def counted(deposits: Iterable[Spent], now: int) -> int:
    """CZK of those that count at ``now`` (UTC ms); one that seems to lie ahead counts."""
    return sum(spent.amount for spent in deposits if now - spent.at < DAY_MS)


def lapse(account: Account, now: int) -> Account:
    """The account once a token's end has passed without a word: taken back, and taken for spent."""
    live = account.live
    if live is None or now < live.until + LATE_MS:
        return account
    # what was told of this venue is left out: it may have been taken back there since, and spent anew
    elsewhere = counted(_told(account, but=account.venue), live.until)
    most = (Spent(live.until, max(0, live.limit - elsewhere)),)
    statements = {**account.statements, account.venue: Statement(live.token, most, assumed=True)}
    return Account(None, "", statements)


def give(
    account: Account, participant: str, venue: str, epoch: str, until: int, now: int, token: str, limit: int = 500
) -> tuple[Account, Token | None]:
    """Give a participant's token to the director of a venue until ``until``; None: it is elsewhere, or there already.

    To the venue that has one a new one may be given at any time, for a later end or another director: the streams
    between them keep the order.
    """
    account = lapse(account, now)
    live = account.live
    if live is not None and (account.venue != venue or (live.epoch == epoch and live.until >= until)):
        return account, None
    if until - EARLY_MS <= now:
        return account, None
    own = account.statements.get(venue)
    recent = [spent for spent in _told(account, but=venue if own and own.assumed else "") if now - spent.at < KEPT_MS]
    given = Token(
        token=token, participant=participant, epoch=epoch, given=now, until=until, limit=limit,
        left=max(0, limit - counted(recent, now)), deposits=tuple(sorted(recent)),
    )  # fmt: skip
    statements = {name: said for name, said in account.statements.items() if name == venue or _recent(said, now)}
    return Account(given, venue, statements), given


def given_back(account: Account, venue: str, token: str, spent: Iterable[Spent]) -> Account:
    """The account after a venue gave a token back; told twice, or late, it says once more what is deposited there.

    Of a token that the venue has had a newer one since, it says nothing any more.
    """
    told = {**account.statements, venue: Statement(token, tuple(spent))}
    if account.live is not None and account.live.token == token and account.venue == venue:
        return Account(None, "", told)
    last = account.statements.get(venue)
    if account.venue != venue and last is not None and last.token == token:
        return replace(account, statements=told)
    return account


def until_morning(starts_at: int) -> int:
    """06:00 in Prague of the morning after a round that starts at ``starts_at`` (UTC ms)."""
    start = datetime.fromtimestamp(starts_at / 1000, PRAGUE)
    morning = start.replace(hour=MORNING_HOUR, minute=0, second=0, microsecond=0)
    if start >= morning:
        morning += timedelta(days=1)
    return int(morning.astimezone(UTC).timestamp()) * 1000


def _told(account: Account, but: str) -> list[Spent]:
    return [spent for name, said in account.statements.items() if name != but for spent in said.spent]


def _recent(said: Statement, now: int) -> bool:
    return any(now - spent.at < KEPT_MS for spent in said.spent)
