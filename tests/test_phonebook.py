"""A kiosk's phones: who is signed in, how one comes to be, and that its key is where it belongs and nowhere else."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance.console import signing
from appliance.console.pairing import Pairing as Offers
from appliance.floor.forms import Pairing
from appliance.game.refusal import Refusal
from appliance.link.envelope import Phones, PhoneThere, Reply
from appliance.link.envelope import Refusal as Said
from appliance.phonebook import CLAIM_S, CONFIRM_S, Phonebook
from appliance.phonekey import BadBox, unseal
from appliance.phonenotes import ConfirmPhone, CutOffPhone, PairPhone, decode_wish

URL = "http://192.168.1.5:8090/"
WHO = "000001"


class Director:
    """The director's own way of pairing, without a network; it answers when the test says so."""

    def __init__(self) -> None:
        self.key = X25519PrivateKey.generate()
        self.offers, self.now = Offers(), 1000.0
        self.asked: list[tuple[Any, Any]] = []
        self.changes = 0
        self.book = Phonebook("door", self.ask, self.changed, lambda: self.now)

    @property
    def seal(self) -> str:
        return self.key.public_key().public_bytes_raw().hex()

    def changed(self) -> None:
        self.changes += 1

    def ask(self, body: bytes, who: str, ttl_ms: int, told: Any) -> None:
        want = decode_wish(body)
        assert want is not None and want.by == who == WHO
        self.asked.append((want, told))

    def tell(self, **told: Any) -> None:
        self.book.heard(Phones(**{"url": URL, "seal": self.seal, "waiting": self.offers.waiting(), **told}))

    def wants(self) -> list[Any]:
        return [want for want, _ in self.asked]

    def answer(self, code: str | None = None) -> None:
        """The last wish is carried out, or is refused with a code."""
        want, told = self.asked[-1]
        if code is None and isinstance(want, PairPhone):
            assert self.offers.offer(want, unseal(want.box, want.session, self.key), "door", self.now) is None
        elif code is None and isinstance(want, ConfirmPhone):
            judged = self.offers.confirm(want.session, "door", WHO, self.now, yes=want.yes)
            code = "phone-gone" if judged is None else None
        told(Reply("id", ok=code is None, refusal=Said(code) if code else None))

    def sign_in(self) -> list[Refusal | None]:
        heard: list[Refusal | None] = []
        self.book.sign_in("dealer", 2, WHO, heard.append)
        return heard

    def come(self, nonce: bytes = b"n" * 16) -> str | None:
        """A phone has read the picture."""
        session, key = scanned(self.pairing.picture)
        code = self.offers.claim(session, nonce, "Pixel", self.now)
        assert code == signing.code(key, nonce)
        self.tell()
        return code

    @property
    def pairing(self) -> Pairing:
        assert self.book.pairing is not None
        return self.book.pairing

    def tick(self, seconds: float) -> None:
        """Time passes, second by second, as the kiosk wakes up for it."""
        end = self.now + seconds
        while (due := self.book.due) is not None and due <= end:
            assert due > self.now or due == end, "it asks to be woken all the time"
            self.now = due
            self.book.tick()
        self.now = end
        self.book.tick()


def scanned(picture: str) -> tuple[str, bytes]:
    """What a phone reads: the session and its key."""
    assert picture.startswith(f"{URL}#")
    session, _, key = picture.removeprefix(f"{URL}#").partition(".")
    return session, base64.urlsafe_b64decode(key + "=")


@pytest.fixture
def director() -> Director:
    director = Director()
    director.tell()
    return director


@pytest.fixture
def shown(director: Director) -> Director:
    """A picture is shown."""
    heard = director.sign_in()
    director.answer()
    assert heard == [None]
    return director


def test_without_a_director_or_with_one_that_serves_no_pages_no_phone_can_be_signed_in() -> None:
    director = Director()
    assert director.book.hindrance == "no-console" and director.sign_in() == [Refusal("no-console")]
    director.tell(url="", seal="")
    assert director.book.hindrance == "no-console" and director.sign_in() == [Refusal("no-console")]
    assert director.asked == []
    director.tell()
    assert director.book.hindrance == ""
    director.book.lost()
    assert director.book.hindrance == "no-console"


def test_a_director_whose_sealing_key_is_none_gets_no_phones_key() -> None:
    director = Director()
    director.tell(seal="00" * 32)
    assert director.sign_in() == [Refusal("no-console")] and director.asked == [] and director.book.pairing is None


def test_the_key_goes_to_the_director_sealed_and_to_the_phone_in_the_picture_and_both_have_the_same(
    director: Director,
) -> None:
    heard = director.sign_in()
    assert director.pairing.picture == "", "a picture that the director does not know yet is good for nothing"
    (want,) = director.wants()
    assert (want.role, want.table, want.by) == ("dealer", 2, WHO)
    director.answer()
    session, key = scanned(director.pairing.picture)
    assert heard == [None] and session == want.session and len(key) == signing.KEY_BYTES
    assert unseal(want.box, session, director.key) == key
    assert key.hex() not in want.box and want.session in msgspec.json.encode(want).decode()


def test_a_box_opens_for_nobody_else_and_for_no_other_session(director: Director) -> None:
    director.sign_in()
    (want,) = director.wants()
    for session, key in ((want.session, X25519PrivateKey.generate()), ("0" * 16, director.key)):
        with pytest.raises(BadBox):
            unseal(want.box, session, key)


def test_each_picture_has_a_key_of_its_own(director: Director) -> None:
    keys = set()
    for _ in range(5):
        director.sign_in()
        director.answer()
        keys.add(director.pairing.picture)
        director.book.withdraw()
        director.answer()
    assert len(keys) == 5


def test_both_show_the_same_four_digits_and_whoever_says_yes_signs_it_in(shown: Director) -> None:
    code = shown.come()
    pairing = shown.pairing
    assert (pairing.code, pairing.agent, pairing.picture) == (code, "Pixel", "")
    heard: list[Refusal | None] = []
    shown.book.judge(True, heard.append)
    shown.answer()
    assert heard == [None] and shown.wants()[-1].yes
    shown.book.withdraw()
    assert len(shown.asked) == 2, "a phone that is signed in is not refused when its kiosk's menu leaves"


def test_whoever_says_no_has_refused_it(shown: Director) -> None:
    shown.come()
    heard: list[Refusal | None] = []
    shown.book.judge(False, heard.append)
    shown.answer()
    assert heard == [None] and not shown.wants()[-1].yes and list(shown.offers.standing().values()) == ["refused"]


def test_a_picture_is_counted_down_by_seconds_for_a_minute_and_is_then_worth_nothing(shown: Director) -> None:
    assert shown.pairing.left == 60
    seen = []
    for _ in range(60):
        shown.tick(1)
        seen.append(shown.pairing.left)
    assert seen[:59] == list(range(59, 0, -1)) and shown.pairing == Pairing(why="phone-late")
    assert shown.wants()[-1] == ConfirmPhone(session=shown.wants()[0].session, yes=False, by=WHO)
    assert shown.book.due is None
    assert shown.changes >= 60


def test_who_presses_nothing_when_a_phone_has_come_has_refused_it(shown: Director) -> None:
    shown.tick(30)
    shown.come()
    assert shown.pairing.left == 60
    shown.tick(CONFIRM_S)
    assert shown.pairing.why == "phone-late" and not shown.wants()[-1].yes
    heard: list[Refusal | None] = []
    shown.book.judge(True, heard.append)
    assert heard == [Refusal("phone-late")] and len(shown.asked) == 2


def test_when_the_menu_leaves_the_picture_is_withdrawn(shown: Director) -> None:
    shown.book.withdraw()
    shown.answer()
    assert shown.book.pairing is None and list(shown.offers.standing().values()) == ["refused"]
    shown.book.withdraw()
    assert len(shown.asked) == 2


def test_a_picture_that_is_withdrawn_before_the_director_answers_is_never_shown(director: Director) -> None:
    heard = director.sign_in()
    told = director.asked[-1][1]
    director.book.withdraw()
    assert [type(each) for each in director.wants()] == [PairPhone, ConfirmPhone]
    told(Reply("id", ok=True))
    assert heard == [] and director.book.pairing is None


def test_the_next_picture_takes_the_one_before_back(shown: Director) -> None:
    shown.sign_in()
    assert [type(want) for want in shown.wants()] == [PairPhone, ConfirmPhone, PairPhone]
    assert not shown.wants()[1].yes and shown.wants()[1].session == shown.wants()[0].session


def test_a_refusal_leaves_nothing_to_be_shown(director: Director) -> None:
    heard = director.sign_in()
    director.answer("too-many-phones")
    assert heard == [Refusal("too-many-phones")] and director.book.pairing is None


def test_the_answer_may_come_after_the_phone(director: Director) -> None:
    director.sign_in()
    want, told = director.asked[-1]
    key = unseal(want.box, want.session, director.key)
    director.offers.offer(want, key, "door", director.now)
    director.offers.claim(want.session, b"n" * 16, "Pixel", director.now)
    director.tell()
    told(Reply("id", ok=True))
    assert director.pairing.code == signing.code(key, b"n" * 16)


def test_phones_of_other_kiosks_are_not_asked_about_here(shown: Director) -> None:
    session, _ = scanned(shown.pairing.picture)
    shown.offers.claim(session, b"n" * 16, "Pixel", shown.now)
    (waits,) = shown.offers.waiting()
    shown.tell(waiting=(msgspec.structs.replace(waits, device="table-1"),))
    assert shown.pairing.code == ""


def test_a_phone_that_waits_no_more_at_the_director_is_over_here(shown: Director) -> None:
    shown.come()
    shown.tell(waiting=())
    assert shown.pairing == Pairing(why="phone-late")


def test_a_director_that_goes_takes_what_was_begun_with_it(shown: Director) -> None:
    shown.book.lost()
    assert shown.pairing == Pairing(why="no-answer") and shown.book.due is None
    assert shown.book.signed_in == ()


def test_another_director_knows_nothing_of_what_was_begun(shown: Director) -> None:
    shown.key = X25519PrivateKey.generate()
    shown.tell()
    assert shown.pairing == Pairing(why="phone-late")


def test_the_kiosk_gives_up_no_later_than_the_director(shown: Director) -> None:
    assert shown.offers.due is not None and shown.book.due is not None
    shown.tick(CLAIM_S)
    assert shown.pairing.why
    assert shown.offers.confirm(shown.wants()[0].session, "door", WHO, shown.now - 0.001, yes=False) is not None


@pytest.mark.parametrize("there", [True, False])
def test_an_answer_that_is_lost_is_no_refusal_where_the_list_shows_what_was_done(shown: Director, there: bool) -> None:
    shown.come()
    phone = PhoneThere(shown.wants()[0].session, "dealer", WHO, 1, 2, table=2)
    heard: list[Refusal | None] = []
    shown.book.judge(True, heard.append)
    shown.tell(phones=(phone,) if there else (), waiting=())
    shown.answer("no-answer")
    assert heard == [None if there else Refusal("no-answer")]
    shown.book.cut_off(phone.session, WHO, heard.append)
    shown.answer("no-answer")
    assert heard[1:] == [Refusal("no-answer") if there else None]


def test_nothing_is_known_of_what_was_done_where_nobody_directs(shown: Director) -> None:
    heard: list[Refusal | None] = []
    shown.book.cut_off("0" * 16, WHO, heard.append)
    shown.book.lost()
    shown.answer("no-answer")
    assert heard == [Refusal("no-answer")]


def test_phones_are_listed_and_cut_off(director: Director) -> None:
    there = PhoneThere("00112233aabbccdd", "dealer", WHO, 1, 2, table=2)
    changes = director.changes
    director.tell(phones=(there,))
    assert director.book.signed_in == (there,) and director.changes == changes + 1
    director.tell(phones=(there,))
    assert director.changes == changes + 1, "the same once more is nothing new"
    heard: list[Refusal | None] = []
    director.book.cut_off(there.session, WHO, heard.append)
    assert director.wants() == [CutOffPhone(session=there.session, by=WHO)]
    director.answer("phone-gone")
    assert heard == [Refusal("phone-gone")]
