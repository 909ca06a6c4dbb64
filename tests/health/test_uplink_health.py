"""The uplink's state file, and what the doctor makes of it and of the league's word on the quarantine."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.apps import doctor
from appliance.config import Broker, Config, League, load
from appliance.game.quarantine import QuarantineTold, Unused
from appliance.game.roster import Roster, decode_roster_event, encode_roster_event, fold_roster
from appliance.health import uplink, uplink_quarantine
from appliance.health.finding import said, told
from appliance.health.uplink import UNANSWERED_MS
from appliance.i18n import Translator
from appliance.journal import Draft, Journal
from appliance.link.envelope import Ack
from appliance.link.replication import BadSignature, Forked, Gap, PeerAhead
from appliance.link.store import UnknownWriter
from appliance.uplinkstate import (
    AGAIN_MS,
    FILE,
    LOOK_MS,
    MOST_ALERTS,
    STALE_MS,
    STAYS_MS,
    UplinkState,
    UplinkWatch,
    read,
)

STREAM = "round/R1"
EPOCH = "1-00000000000000aa"


class Clock:
    def __init__(self) -> None:
        self.ms = 1_800_000_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def waits() -> list[int]:
    """How many records wait, as the last of it."""
    return [0]


@pytest.fixture
def watch(tmp_path: Path, clock: Clock, waits: list[int]) -> UplinkWatch:
    return UplinkWatch(tmp_path / FILE, clock, lambda: waits[-1])


@pytest.fixture
def config(tmp_path: Path) -> Config:
    file = tmp_path / "device.toml"
    file.write_text(f'[device]\nname = "uplink"\nrole = "director"\ndata = "{tmp_path}"\n')
    return load(file)


def codes(config: Config, clock: Clock) -> list[tuple[str, str]]:
    return [(finding.standing, finding.code) for finding in uplink.check(config, clock())]


def state(tmp_path: Path) -> UplinkState:
    found = read(tmp_path / FILE)
    assert found is not None
    return found


def test_a_device_without_an_uplink_is_no_issue(config: Config, clock: Clock) -> None:
    assert codes(config, clock) == [("absent", "no-uplink")]


def test_an_uplink_that_is_connected_is_well(watch: UplinkWatch, config: Config, clock: Clock, tmp_path: Path) -> None:
    watch.turn(True, {})
    assert codes(config, clock) == [("ok", "works")]
    assert (state(tmp_path).connected, state(tmp_path).backlog) == (True, 0)


def test_that_the_league_takes_all_is_not_said_while_records_wait(
    watch: UplinkWatch, config: Config, clock: Clock, waits: list[int]
) -> None:
    """A cable that is out is no end of a connection for a minute; until then the league's silence tells."""
    watch.turn(True, {})
    clock.ms += 20 * 60_000
    waits.append(5)
    watch.turn(True, {})
    assert codes(config, clock) == [("ok", "sending")]
    clock.ms += UNANSWERED_MS + 1
    assert codes(config, clock) == [("issue", "unanswered")]
    watch.stored(Ack(STREAM, EPOCH, 3, "h"))
    watch.turn(True, {})
    assert codes(config, clock) == [("ok", "sending")], "some are through"
    waits.append(0)
    clock.ms += LOOK_MS
    watch.turn(True, {})
    clock.ms += UNANSWERED_MS + 1
    assert codes(config, clock) == [("ok", "works")]


def test_a_stream_that_stopped_is_told_as_that_and_not_as_a_silent_league(
    watch: UplinkWatch, config: Config, clock: Clock, waits: list[int]
) -> None:
    waits.append(5)
    watch.alert(Forked(STREAM, EPOCH, 9, "other records"))
    watch.turn(True, {})
    clock.ms += UNANSWERED_MS + 1
    assert codes(config, clock) == [("ok", "sending"), ("issue", "forked")]


def test_where_a_kiosk_took_over_its_uplink_is_looked_at(config: Config, clock: Clock, tmp_path: Path) -> None:
    """It runs in a folder of its own below the kiosk's; whoever asks the doctor there gives the kiosk's files."""
    kiosk = msgspec.structs.replace(config, league=League(public_key="c" * 64))
    folder = tmp_path / "uplink"
    folder.mkdir()
    UplinkWatch(folder / FILE, clock, lambda: 0).turn(False, {"no-broker": 1})
    assert codes(kiosk, clock) == [("absent", "no-uplink")], "that was another evening"
    (tmp_path / "directing.json").write_bytes(b'{"by":"000001","taken":true}')
    assert codes(kiosk, clock) == [("issue", "no-way")], "let in by a commissioner, and told of no league"
    kiosk = msgspec.structs.replace(kiosk, league=League(broker=Broker(host="liga.test"), public_key="c" * 64))
    assert codes(kiosk, clock) == [("issue", "no-league")]
    (folder / FILE).unlink()
    assert codes(kiosk, clock) == [("issue", "not-running")]
    assert codes(config, clock) == [("absent", "no-uplink")], "where there is no league, nothing has to run"


def test_a_league_that_is_away_is_told_with_what_waits(
    watch: UplinkWatch, config: Config, clock: Clock, waits: list[int]
) -> None:
    waits.append(7)
    watch.turn(False, {"no-broker": 3})
    [finding] = uplink.check(config, clock())
    assert (finding.standing, finding.code, finding.facts["backlog"]) == ("issue", "no-league", "7")


@pytest.mark.parametrize("code", ["connection-refused", "turned-away", "tls-failed"])
def test_a_refused_connection_is_told_until_there_is_one(
    watch: UplinkWatch, config: Config, clock: Clock, code: str
) -> None:
    watch.turn(False, {code: 1})
    assert codes(config, clock) == [("issue", code)]
    clock.ms += LOOK_MS
    watch.turn(False, {code: 1, "no-broker": 1})
    assert codes(config, clock) == [("issue", code)]
    watch.turn(True, {code: 1, "no-broker": 1})
    assert codes(config, clock) == [("ok", "works")]


def test_a_program_that_ended_is_seen_by_the_age_of_what_it_wrote(
    watch: UplinkWatch, config: Config, clock: Clock, tmp_path: Path
) -> None:
    for _ in range(10):
        watch.turn(True, {})
        clock.ms += AGAIN_MS
        assert codes(config, clock) == [("ok", "works")]
    clock.ms += STALE_MS
    assert codes(config, clock) == [("issue", "not-running")]


def test_a_league_that_stores_nothing_is_told_after_a_while(
    watch: UplinkWatch, config: Config, clock: Clock, waits: list[int]
) -> None:
    waits.append(7)
    watch.turn(True, {})
    clock.ms += uplink.PATIENCE_MS + 1
    watch.turn(True, {})
    assert codes(config, clock) == [("issue", "not-stored")]
    watch.stored(Ack(STREAM, EPOCH, 3, "h"))
    waits.append(0)
    clock.ms += LOOK_MS
    watch.turn(True, {})
    assert codes(config, clock) == [("ok", "works")]


def test_an_alert_stands_until_its_stream_is_stored_again(
    watch: UplinkWatch, config: Config, clock: Clock, tmp_path: Path
) -> None:
    watch.alert(Gap(STREAM, EPOCH, 3, "healed by itself"))
    watch.alert(PeerAhead(STREAM, EPOCH, 9, "here the epoch ends at 4"))
    watch.alert(Forked("round/R2", EPOCH, 9, "x" * 10_000))
    watch.alert(Forked("round/R2", EPOCH, 9, "again"))
    clock.ms += STAYS_MS
    watch.turn(True, {}, ("round/R1",))
    assert codes(config, clock)[1:] == [("issue", "peer-ahead"), ("issue", "forked")]
    assert [noted.count for noted in state(tmp_path).alerts] == [1, 2]
    watch.stored(Ack(STREAM, EPOCH, 10, "h"))
    clock.ms += LOOK_MS
    watch.turn(True, {})
    assert codes(config, clock)[1:] == [("issue", "forked")]


@pytest.mark.parametrize("alert", [PeerAhead, UnknownWriter])
def test_what_mostly_heals_by_itself_is_told_only_where_it_stays(
    watch: UplinkWatch, config: Config, clock: Clock, alert: type[PeerAhead | UnknownWriter]
) -> None:
    """After each takeover the league has more for a moment, and a new device is not known yet."""
    watch.alert(alert(STREAM, EPOCH, 9, "why"))
    watch.turn(True, {})
    assert len(codes(config, clock)) == 1
    clock.ms += STAYS_MS - LOOK_MS
    watch.alert(alert(STREAM, EPOCH, 9, "again"))
    watch.turn(True, {})
    assert len(codes(config, clock)) == 1
    clock.ms += LOOK_MS
    watch.turn(True, {})
    assert len(codes(config, clock)) == 2, "since it was told first"
    watch.stored(Ack(STREAM, EPOCH, 10, "h"))
    watch.alert(alert(STREAM, EPOCH, 12, "anew"))
    clock.ms += LOOK_MS
    watch.turn(True, {})
    assert len(codes(config, clock)) == 1, "it was over meanwhile"


def test_alerts_of_a_thousand_streams_stay_a_small_file(watch: UplinkWatch, tmp_path: Path) -> None:
    for number in range(1000):
        watch.alert(BadSignature(f"round/R{number}", EPOCH, 1, "é" * 1000))
    watch.turn(True, {})
    assert len(state(tmp_path).alerts) == MOST_ALERTS


def test_nothing_is_written_while_nothing_changes(watch: UplinkWatch, clock: Clock, tmp_path: Path) -> None:
    watch.turn(True, {})
    first = (tmp_path / FILE).stat().st_ino
    for _ in range(5):
        clock.ms += LOOK_MS
        watch.turn(True, {})
    assert (tmp_path / FILE).stat().st_ino == first
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(FILE)] == [FILE]


def test_a_disk_that_refuses_does_not_stop_the_uplink(tmp_path: Path, clock: Clock) -> None:
    watch = UplinkWatch(tmp_path / "gone" / FILE, clock, lambda: 0)
    watch.turn(True, {})
    (tmp_path / "gone").mkdir()
    clock.ms += LOOK_MS
    watch.turn(True, {})
    assert read(tmp_path / "gone" / FILE) is not None


@pytest.mark.parametrize("garbage", [b"", b"[]", b"\xff\xfe", b'{"at": "x"}', b"{" * 100_000])
def test_a_file_of_garbage_is_an_issue_and_no_crash(
    config: Config, clock: Clock, tmp_path: Path, garbage: bytes
) -> None:
    (tmp_path / FILE).write_bytes(garbage)
    assert codes(config, clock) == [("issue", "bad-file")]


TOLD = QuarantineTold(
    total=14,
    records=(
        Unused(stream=STREAM, epoch=EPOCH, seq=9, reason="does-not-fold", detail="busted/1: ValueError"),
        Unused(stream="venue/brno", reason="revoked-writer"),
        Unused(stream=STREAM, epoch=EPOCH, seq=12, reason="of-a-later-version"),
    ),
)


def test_each_quarantined_record_has_a_reason_and_a_remedy_in_both_languages() -> None:
    found = list(uplink_quarantine.check(TOLD))
    assert [finding.code for finding in found] == ["does-not-fold", "revoked-writer", "of-a-later-version", "more"]
    for finding in found:
        czech, english = said(finding, Translator("cs")), said(finding, Translator("en"))
        assert all(czech) and all(english) and czech != english
    assert "1-00000000000000aa 9" in told(found[0], Translator("cs"))


def test_every_alert_of_the_uplink_is_told_in_both_languages(config: Config, tmp_path: Path, clock: Clock) -> None:
    for code in (*uplink._WHAT, "something-new"):
        noted = {"code": code, "stream": STREAM, "detail": "why", "at": clock()}
        plain = {"at": clock(), "connected": True, "since": clock(), "alerts": [noted]}
        (tmp_path / FILE).write_bytes(msgspec.json.encode(plain))
        finding = list(uplink.check(config, clock()))[1]
        czech, english = said(finding, Translator("cs")), said(finding, Translator("en"))
        assert all(czech) and all(english) and czech != english


def test_the_leagues_word_replaces_the_one_before_and_ends_with_an_empty_one() -> None:
    roster = Roster()
    for event, there in ((TOLD, TOLD), (QuarantineTold(total=0), None)):
        kind, data = encode_roster_event(event)
        assert kind == "quarantine/1"
        roster = fold_roster(roster, decode_roster_event(kind, msgspec.Raw(data)))
        assert roster.quarantine == there
    assert [finding.standing for finding in uplink_quarantine.check(roster.quarantine)] == ["ok"]


def test_the_doctor_tells_of_the_uplink_and_of_what_was_put_aside(watch: UplinkWatch, config: Config) -> None:
    watch.turn(True, {})
    league = Ed25519PrivateKey.generate()
    with Journal(config.data / "uplink.journal", device="league", key=league) as journal, journal.begin() as writing:
        stream = f"league/{config.venue.id}"
        epoch = writing.open_epoch(stream, "begin", 1).epoch
        kind, data = encode_roster_event(TOLD)
        writing.append(stream, epoch, [Draft(kind, msgspec.Raw(data))], 1)
        writing.commit()
    found = [(finding.subject, finding.code) for finding in doctor.findings(config)]
    assert any(subject == "uplink" for subject, _ in found)
    assert next(code for subject, code in found if subject == "quarantine") == "does-not-fold"
