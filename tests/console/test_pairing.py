"""How a phone comes to be signed in: each step once, in its time, under every order of what people and phones do."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from appliance.console import signing
from appliance.console.pairing import CLAIM_S, CONFIRM_S, GONE, MANY, MOST_OPEN, MOST_TOLD, TOLD_S, Pairing
from appliance.phonenotes import PairPhone

KEY, OTHER = bytes(range(32)), bytes(32)
NONCES = (bytes(16), b"\x01" * 16)
BOX = "0" * 160


def want(n: int = 1, by: str = "000001") -> PairPhone:
    return PairPhone(session=f"{n:016x}", role="commissioner", box=BOX, by=by)


SESSION = want().session


@pytest.fixture
def pairing() -> Pairing:
    found = Pairing()
    assert found.offer(want(), KEY, "door", 0.0) is None
    return found


def test_a_phone_is_signed_in_once_both_have_shown_the_same_digits(pairing: Pairing) -> None:
    assert pairing.standing() == {SESSION: "offered"} and pairing.waiting() == ()
    code = pairing.claim(SESSION, NONCES[0], "Pixel 8", 1.0)
    assert code == signing.code(KEY, NONCES[0])
    [waits] = pairing.waiting()
    assert (waits.code, waits.device, waits.role, waits.agent) == (code, "door", "commissioner", "Pixel 8")
    offer = pairing.confirm(SESSION, "door", "000001", 2.0, yes=True)
    assert offer is not None and offer.key == KEY
    assert pairing.standing() == {SESSION: "confirmed"} and pairing.waiting() == ()


def test_a_key_is_claimed_once_and_who_did_may_ask_again(pairing: Pairing) -> None:
    code = pairing.claim(SESSION, NONCES[0], "one", 1.0)
    assert pairing.claim(SESSION, NONCES[1], "other", 2.0) is None
    assert pairing.claim(SESSION, NONCES[0], "one", 3.0) == code, "its answer may have been lost"
    assert pairing.waiting()[0].agent == "one"


def test_a_key_waits_a_minute_and_a_phone_another_one(pairing: Pairing) -> None:
    assert pairing.claim(SESSION, NONCES[0], "", CLAIM_S - 0.1) is not None
    assert pairing.confirm(SESSION, "door", "000001", CLAIM_S - 0.1 + CONFIRM_S, yes=True) is None
    assert pairing.standing() == {SESSION: "expired"}
    other = want(2)
    assert pairing.offer(other, KEY, "door", 200.0) is None
    assert pairing.claim(other.session, NONCES[0], "", 200.0 + CLAIM_S) is None


@pytest.mark.parametrize(("device", "by"), [("table-1", "000001"), ("door", "000002")])
def test_only_who_began_it_confirms_where_they_began_it(pairing: Pairing, device: str, by: str) -> None:
    pairing.claim(SESSION, NONCES[0], "", 1.0)
    assert pairing.confirm(SESSION, device, by, 2.0, yes=True) is None
    assert pairing.confirm(SESSION, device, by, 2.0, yes=False) is None
    assert pairing.standing() == {SESSION: "claimed"}


def test_nobody_is_confirmed_who_has_not_come(pairing: Pairing) -> None:
    assert pairing.confirm(SESSION, "door", "000001", 1.0, yes=True) is None
    assert pairing.claim(SESSION, NONCES[0], "", 1.0) is not None


def test_a_key_can_be_taken_back_before_anybody_has_come(pairing: Pairing) -> None:
    assert pairing.confirm(SESSION, "door", "000001", 1.0, yes=False) is not None
    assert pairing.claim(SESSION, NONCES[0], "", 2.0) is None and pairing.standing() == {SESSION: "refused"}


def test_a_session_is_offered_once(pairing: Pairing) -> None:
    assert pairing.offer(want(), KEY, "door", 1.0) is None, "the kiosk asks again until it is answered"
    assert pairing.offer(want(), OTHER, "door", 1.0) == GONE
    assert pairing.offer(want(), KEY, "table-1", 1.0) == GONE
    pairing.confirm(SESSION, "door", "000001", 2.0, yes=False)
    assert pairing.offer(want(), KEY, "door", 3.0) == GONE


def test_so_many_wait_at_a_time_and_ended_ones_make_room(pairing: Pairing) -> None:
    for n in range(2, MOST_OPEN + 1):
        assert pairing.offer(want(n), KEY, "door", 1.0) is None
    assert pairing.offer(want(99), KEY, "door", 1.0) == MANY
    assert pairing.offer(want(99), KEY, "door", 1.0 + CLAIM_S) is None


def test_who_begins_again_and_again_is_held_up(pairing: Pairing) -> None:
    for n in range(2, MOST_TOLD + 1):
        assert pairing.offer(want(n), KEY, "door", 1.0) is None
        assert pairing.confirm(want(n).session, "door", "000001", 1.0, yes=False) is not None
    assert pairing.offer(want(999), KEY, "door", 1.0) == MANY
    assert pairing.offer(want(999), KEY, "door", 1.0 + TOLD_S) is None


def test_what_became_of_one_is_remembered_for_a_while(pairing: Pairing) -> None:
    pairing.tick(CLAIM_S)
    assert pairing.standing() == {SESSION: "expired"} and pairing.due == CLAIM_S + TOLD_S
    pairing.tick(CLAIM_S + TOLD_S)
    assert pairing.standing() == {} and pairing.due is None


class AnyOrder(RuleBasedStateMachine):
    """Whatever people, phones and time do: one phone at most is signed in, and only one that a person has confirmed."""

    def __init__(self) -> None:
        super().__init__()
        self.now, self.claimed_at, self.pairing = 0.0, -1.0, Pairing()
        self.first: bytes | None = None
        self.word: bool | None = None

    @initialize()
    def offer(self) -> None:
        assert self.pairing.offer(want(), KEY, "door", 0.0) is None

    @rule(seconds=st.sampled_from([0.0, 1.0, 30.0, 59.9, 60.0, 61.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule(nonce=st.sampled_from(NONCES))
    def claim(self, nonce: bytes) -> None:
        code = self.pairing.claim(SESSION, nonce, "", self.now)
        open_for_it = self.word is None and self.now < (self.claimed_at + CONFIRM_S if self.first else CLAIM_S)
        assert (code is not None) is (open_for_it and self.first in (None, nonce))
        if code is not None and self.first is None:
            self.first, self.claimed_at = nonce, self.now

    @rule(yes=st.booleans(), device=st.sampled_from(["door", "table-1"]), by=st.sampled_from(["000001", "000002"]))
    def confirm(self, yes: bool, device: str, by: str) -> None:
        offer = self.pairing.confirm(SESSION, device, by, self.now, yes=yes)
        began = device == "door" and by == "000001"
        in_time = self.now < (self.claimed_at + CONFIRM_S if self.first else CLAIM_S)
        may = began and self.word is None and in_time and (self.first is not None or not yes)
        assert (offer is not None) is may
        if offer is not None:
            self.word = yes
            assert offer.nonce == (self.first or b"")

    @rule()
    def offer_again(self) -> None:
        assert self.pairing.offer(want(), OTHER, "door", self.now) in (GONE, None)
        if self.pairing.standing()[SESSION] == "offered" and self.now >= CLAIM_S + TOLD_S:
            self.__init__()  # type: ignore[misc] # it was forgotten, and begins anew

    @invariant()
    def only_a_persons_word_signs_in(self) -> None:
        self.pairing.tick(self.now)
        standing = self.pairing.standing().get(SESSION)
        assert (standing == "confirmed") <= (self.word is True)
        assert len(self.pairing.waiting()) <= 1
        assert bool(self.pairing.waiting()) == (standing == "claimed")


AnyOrder.TestCase.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
TestAnyOrder = AnyOrder.TestCase
