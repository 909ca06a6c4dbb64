"""What only an old director had is decided of by the director, once, and in one with what that leads to (DESIGN §5)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import kinds
from appliance.engine import STORAGE, Answer, Engine, Order
from appliance.game.commands import decode_command
from appliance.intake import Barred, Here, order_of
from appliance.journal import Journal, JournalError
from appliance.link.envelope import CommandMessage, Refusal, Reply
from appliance.link.envelope import Refusal as LinkRefusal
from appliance.lone import Decider, Lister, standing
from appliance.record import Head, decode, uuid7
from tests.test_intake import LEVELS, NOW, register, roster

FOUND, VENUE = uuid7(NOW, b"found" * 2), "venue/brno"


def number(n: int) -> str:
    return uuid7(NOW + n, bytes(10))


class Director:
    """Takes messages as the director's engine thread does."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self._ids = engine, itertools.count()
        self.give("announce", venue="brno", starts_at="2027-01-15T19:00:00+01:00", profile="cpl-2017", deposit=300,
                  shares=["100"], seats_per_table=9, levels=LEVELS, seed=7)  # fmt: skip
        self.give("open")

    def give(self, do: str, **fields: Any) -> Answer:
        order = Order(number(next(self._ids)), "round/R1", decode_command({"do": do, "round": "R1", **fields}))
        return self.engine.execute([order])[0].answer

    def lists(self, **command: Any) -> None:
        body = msgspec.Raw(msgspec.json.encode({"round": "R1", **command}))
        found = kinds.StrandedFound(
            command=FOUND, round="R1", at=NOW, actor="000001", device="door", first="registered/1", body=body
        )
        self.engine.execute([Order(number(next(self._ids)), VENUE, found)])

    def order(self, note: kinds.Note, of: str, device: str = "door") -> Order | Refusal:
        ledgers = {"R1": self.engine.state("round/R1")}
        lone = {each.command: each for each in standing(self.engine.state(VENUE))}
        here = Here("brno", {"door", "floor"}, roster(), ledgers, lone=lone, answered=self.engine.answered)
        message = CommandMessage(of, device, "000001", "venue", 5000, msgspec.Raw(msgspec.json.encode(note)))
        return order_of(message, here, NOW)

    def asked(self, *orders: Order | Refusal) -> list[str]:
        """The answers: "" or a refusal's code."""
        assert all(isinstance(order, Order) for order in orders), orders
        return [
            told.answer.code for told in self.engine.execute([order for order in orders if isinstance(order, Order)])
        ]

    def loses_of_the_round(self, since: Head) -> None:
        """Another director has gone on from there, which never got what came after."""
        self.engine.go_on_from(since, "takeover")

    def lists_anew(self) -> list[str]:
        Lister(self.engine, "brno", lambda: NOW).look()
        return [found.command for found in standing(self.engine.state(VENUE))]

    @property
    def round_head(self) -> Head:
        head = self.engine.journal.newest("round/R1")
        assert head is not None
        return head

    @property
    def given(self) -> list[str]:
        """The ids of all commands that led to records of the round."""
        raws = [raw for epoch in self.engine.journal.epochs("round/R1")
                for raw in self.engine.journal.read_on("round/R1", epoch, 0)]  # fmt: skip
        return [decode(raw).cause or "" for raw in raws]

    @property
    def players(self) -> set[str]:
        return set(self.engine.state("round/R1").round.players)

    @property
    def notes(self) -> list[kinds.Note]:
        return [note for name, note in self.engine.state(VENUE).items() if name.startswith("stranded ")]


def accept(device: str = "door") -> kinds.StrandedAccepted:
    return kinds.StrandedAccepted(device=device, command=FOUND, anew="", by="000001")


def drop(device: str = "door") -> kinds.StrandedDropped:
    return kinds.StrandedDropped(device=device, command=FOUND, by="000001")


@pytest.fixture
def director(tmp_path: Path) -> Iterator[Director]:
    with Journal(tmp_path / "journal", device="d1", key=Ed25519PrivateKey.generate()) as journal:
        yield Director(Engine(journal, kinds.KINDS, lambda: NOW))


def test_an_entry_is_carried_out_and_settled_in_one_or_not_at_all(director: Director, monkeypatch: Any) -> None:
    director.lists(**register())
    with monkeypatch.context() as full:

        def refuse(*_: object) -> None:
            raise JournalError("disk", "database or disk is full")

        full.setattr(director.engine.journal, "begin", refuse)
        assert director.asked(director.order(accept(), number(100))) == [STORAGE]
        assert director.players == set() and len(standing(director.engine.state(VENUE))) == 1
    assert director.asked(director.order(accept(), number(100))) == [""]
    assert director.players == {"000101"}
    [note] = director.notes
    assert isinstance(note, kinds.StrandedAccepted) and note.anew in director.given


@pytest.mark.parametrize("second", [accept("floor"), drop("floor")])
def test_of_two_words_at_once_only_the_first_counts(director: Director, second: kinds.Note) -> None:
    director.lists(**register())
    orders = director.order(accept(), number(100)), director.order(second, number(101), "floor")
    assert director.asked(*orders) == ["", "stale"]
    assert director.players == {"000101"} and isinstance(director.notes[0], kinds.StrandedAccepted)
    late = director.order(second, number(102), "floor")
    assert isinstance(late, Refusal) and late.code == "stale"


@pytest.mark.parametrize("word", [accept(), drop()])
def test_a_word_about_an_entry_that_is_not_listed_here_settles_nothing(director: Director, word: kinds.Note) -> None:
    """A kiosk may list what the director has not, or not yet: it is to be carried out once it is known."""
    refused = director.order(word, number(100))
    assert isinstance(refused, Refusal) and refused.code == "stale"
    director.lists(**register())
    assert director.asked(director.order(word, number(101))) == [""]
    again = director.order(word, number(101))
    assert director.asked(again) == [""], "the same answer under the same id"


def test_what_was_said_to_be_void_is_not_given_anew_afterwards(director: Director) -> None:
    director.lists(**register())
    assert director.asked(director.order(drop(), number(100)), director.order(accept(), number(101))) == ["", "stale"]
    assert director.players == set() and isinstance(director.notes[0], kinds.StrandedDropped)


def test_an_accepted_entry_whose_note_alone_came_over_is_asked_about_once_what_it_led_to_is_back(
    director: Director,
) -> None:
    """Note and round travel as two streams; a director that followed may have got only the one."""
    director.lists(**register())
    before = director.round_head
    assert director.asked(director.order(accept(), number(100))) == [""]
    assert director.lists_anew() == [], "as long as it counts nobody is asked"
    director.loses_of_the_round(before)
    assert director.players == set()
    assert director.lists_anew() == [kinds.given_anew(FOUND)] == director.lists_anew()


def test_an_entry_that_is_void_here_is_not_asked_about_as_what_another_director_gave_anew(director: Director) -> None:
    director.lists(**register())
    before = director.round_head
    command = decode_command({"round": "R1", **register()})
    anew = Order(kinds.given_anew(FOUND), "round/R1", command, "000001", "door", msgspec.json.encode(register()))
    assert director.asked(anew) == [""]
    director.loses_of_the_round(before)
    assert director.lists_anew() == [FOUND], "one of both is asked about"
    assert director.asked(director.order(drop(), number(100))) == [""]
    assert director.lists_anew() == []


def test_what_was_carried_out_already_without_its_note_is_only_noted(director: Director) -> None:
    """So an earlier version's director left it, whose disk would not have the note."""
    director.lists(**register())
    command = decode_command({"round": "R1", **register()})
    director.engine.execute([Order(kinds.given_anew(FOUND), "round/R1", command)])
    before = director.engine.journal.newest("round/R1")
    assert director.asked(director.order(accept(), number(100))) == [""]
    assert director.engine.journal.newest("round/R1") == before and standing(director.engine.state(VENUE)) == []


def test_an_entry_the_rules_refuse_stays_open_and_may_be_accepted_once_they_allow_it(director: Director) -> None:
    director.lists(do="unregister", participant="000101")
    refused = director.order(accept(), number(100))
    [code] = director.asked(refused)
    assert code and director.asked(refused) == [code], "the same answer under the same id"
    assert len(standing(director.engine.state(VENUE))) == 1
    director.give("register", participant="000101", identity_checked=True)
    assert director.asked(director.order(accept(), number(101))) == [""]


def test_money_is_weighed_for_an_entry_as_for_any_command(director: Director) -> None:
    director.lists(**register("000102"))
    refused = director.order(accept(), number(100))
    assert isinstance(refused, Barred) and refused.code == "card-refused", "blocked since"
    assert refused.round == "R1", "the league is asked for what this round wants"
    director.lists(do="what")
    unreadable = director.order(accept(), number(101))
    assert isinstance(unreadable, LinkRefusal) and unreadable.code == "unreadable-entry"


class Asked:
    """A kiosk's commissioner; what is asked of the director waits for `answers`."""

    def __init__(self, engine: Engine) -> None:
        self.sent: list[tuple[str, bytes, Any]] = []
        self.told: list[str | None] = []
        ids = iter(range(200, 300))
        self.decider = Decider("door", self._ask, lambda: number(next(ids)), lambda: engine.state(VENUE))

    def _ask(self, body: bytes, who: str, ttl_ms: int, told: Any, of: str) -> None:
        self.sent.append((of, body, told))

    def settle(self, accept: bool) -> None:
        self.decider.settle(FOUND, "000001", accept, lambda refusal: self.told.append(refusal and refusal.code))

    def answers(self, code: str = "") -> None:
        refusal = LinkRefusal(code) if code else None
        self.sent[-1][2](Reply(self.sent[-1][0], ok=not code, refusal=refusal))


@pytest.mark.parametrize("word", [True, False])
def test_nothing_is_told_as_done_before_the_director_has_said_so(director: Director, word: bool) -> None:
    director.lists(**register())
    kiosk = Asked(director.engine)
    kiosk.settle(word)
    assert kiosk.told == [] and len(kiosk.decider.open()) == 1
    kiosk.answers("no-answer")
    assert kiosk.told == ["no-answer"] and len(kiosk.decider.open()) == 1, "still to be decided of"
    kiosk.settle(word)
    kiosk.answers("storage")
    kiosk.settle(word)
    kiosk.answers()
    assert kiosk.told[1:] == ["storage", None] and kiosk.decider.open() == ()
    assert len({of for of, _, _ in kiosk.sent}) == 1, "until it is answered for good it is the same word"


def test_after_a_refusal_that_is_kept_the_same_word_is_another(director: Director) -> None:
    director.lists(**register())
    kiosk = Asked(director.engine)
    for _ in range(2):
        kiosk.settle(True)
        kiosk.answers("already-running")
    assert len({of for of, _, _ in kiosk.sent}) == 2
