"""What the league could not use of this venue's records, as the league's stream tells."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.game.quarantine import QuarantineTold, Unused
from appliance.health.finding import Finding
from appliance.i18n import N_
from appliance.plaintext import plain

_OTHER = (
    N_("The league could not use a record of {stream} ({reason})."),
    N_("Call the league, and name the stream and the reason. The record is kept on both sides."),
)
_REASONS: dict[str, tuple[str, str]] = {
    "does-not-fold": (
        N_("The league cannot follow {stream} from a record on: by its rules that cannot have happened."),
        N_("Undo the command if it was a mistake; else the venue or the league has old software: update it."),
    ),
    "unknown-type": (
        N_("The league does not know a kind of record in {stream}: its software is older than the venue's."),
        N_("Nothing to do here: the league updates its software and reads the record again."),
    ),
    "unknown-round": (
        N_("The league knows no round of the stream {stream}."),
        N_("The league enters the round, or the round was a rehearsal: then nothing is to be done."),
    ),
    "another-round": (
        N_("{stream} says that it is another round, or another venue's."),
        N_("Compare venue.id in the site file with the league's; call the league."),
    ),
    "revoked-writer": (
        N_("The league takes no more of {stream}: the device that wrote it was revoked."),
        N_(
            "Where that device still directs, let another one take over. If what it had signed is to count, the "
            "league's office says so: tableside league ca accept VENUE DEVICE. This stays until then."
        ),
    ),
    "unknown-writer": (
        N_("The league takes nothing of {stream}: it does not know the device that wrote it."),
        N_("Enrol the device: tableside enrol. What waits is sent by itself then."),
    ),
    "bad-signature": (
        N_("The league takes no more of {stream}: a signature is wrong."),
        N_("tableside journal verify at the director finds the record. Call the league."),
    ),
    "broken-chain": (
        N_("The league takes no more of {stream}: a record does not follow the one before it."),
        N_("tableside journal verify at the director finds the record. Call the league."),
    ),
    "forked": (
        N_("The league has other records of {stream} than this venue."),
        N_("A commissioner looks at what is left over, in the floor menu; then let a kiosk take over."),
    ),
    "store-trouble": (
        N_("The league's database does not take {stream}."),
        N_("Nothing to do here: it is sent again by itself. Call the league if it stays so."),
    ),
}


def check(told: QuarantineTold | None) -> Iterator[Finding]:
    """A finding for each record that is named, one for those that are not."""
    if told is None:
        text = N_("The league has put nothing of this venue's aside.")
        yield Finding(subject="quarantine", standing="ok", code="nothing", text=text)
        return
    yield from map(_finding, told.records)
    if told.total > len(told.records):
        text = N_("{count} more records of this venue were put aside at the league.")
        yield Finding(
            subject="quarantine", standing="issue", code="more", text=text, remedy=_OTHER[1],
            params={"count": str(told.total - len(told.records))},
        )  # fmt: skip


def _finding(unused: Unused) -> Finding:
    text, remedy = _REASONS.get(unused.reason, _OTHER)
    facts = {"place": f"{unused.epoch} {unused.seq}"} if unused.seq else {}
    if unused.detail:
        facts["error"] = plain(unused.detail)
    params = {"stream": plain(unused.stream), "reason": unused.reason}
    return Finding(
        subject="quarantine", standing="issue", code=unused.reason, text=text, remedy=remedy, facts=facts, params=params
    )
