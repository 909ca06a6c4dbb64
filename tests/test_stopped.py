"""A copy that goes no further, though there is more, is not shown as if it were all."""

from __future__ import annotations

import pytest

from appliance.display.trouble import troubles
from appliance.display.view import Status
from appliance.i18n import Translator
from appliance.link.store import Alert, BadSignature, Forked, PeerAhead, UnknownWriter
from appliance.record import Head
from appliance.stopped import BY_ITSELF_S, Stopped

ROUND = "round/R1"
OLD, NEW, LATER = "1-00000000000000aa", "2-00000000000000bb", "3-00000000000000cc"


def unknown(epoch: str = LATER, stream: str = ROUND, kind: type[Alert] = UnknownWriter) -> Alert:
    return kind(stream, epoch, 7, "no key of 'director'")


def here(epoch: str = NEW) -> Head:
    return Head(ROUND, epoch, 5, "ab" * 32)


def test_it_is_said_once_that_has_lasted_and_no_more_when_records_come() -> None:
    stopped = Stopped()
    stopped.heard(unknown(), here(), 100.0)
    assert not stopped.lasts(100.0) and stopped.due == 100.0 + BY_ITSELF_S
    stopped.heard(unknown(), here(), 110.0)
    assert stopped.lasts(100.0 + BY_ITSELF_S)
    stopped.copied("round/R2")
    assert stopped.lasts(200.0)
    stopped.copied(ROUND)
    assert not stopped.lasts(200.0) and stopped.due is None


@pytest.mark.parametrize(
    ("alert", "newest", "said"),
    [
        (unknown(), None, True),
        (unknown(NEW), here(NEW), True),
        (unknown(kind=BadSignature), here(), True),
        (unknown(OLD), here(NEW), False),
        (unknown(stream="table/brno-1"), None, False),
        (unknown(kind=Forked), here(), False),
        (unknown(kind=PeerAhead), here(), False),
    ],
)
def test_only_what_screens_show_and_what_counts_is_missed(alert: Alert, newest: Head | None, said: bool) -> None:
    stopped = Stopped()
    stopped.heard(alert, newest, 0.0)
    assert stopped.lasts(BY_ITSELF_S) is said


def test_the_screen_says_so_and_a_revoked_device_says_that_instead() -> None:
    english = Translator("en")
    assert [each.problem for each in troubles(english, Status(stopped=True))] == [
        "What is shown is not all: records of this evening cannot be verified here."
    ]
    assert len(troubles(english, Status(stopped=True, revoked=True))) == 1
