"""Hands written in PHH are read back as they were, whatever was played."""

from __future__ import annotations

import random
import tomllib
from datetime import time
from typing import Any

import pytest

from appliance.game.hand.cards import DECK, UNKNOWN
from appliance.game.hand.facts import Restricted
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import Recorded, Scale, read
from appliance.game.hand.phh_replay import replay, scale_of
from appliance.game.hand.phh_write import write, write_all
from appliance.game.ruleset import PROFILES

TABLE = {
    "venue": 'Klub "U\x7f krále"\n',
    "table": 3,
    "hand": 17,
    "seats": [4, 7, 9],
    "players": ["000102", "000017", "000230"],
    "time": time(19, 30),
}


def any_hand(chance: random.Random, profile: str) -> tuple[Hand, dict[str, Any]]:
    """A hand played at random, with what it was begun with."""
    count = chance.randint(2, 9)
    unit = chance.choice([1, 5, 25])
    stacks = [unit * chance.choice([1, 4, 20, 100, 1000]) * chance.randint(1, 9) for _ in range(count)]
    small, big = unit * chance.randint(1, 4), unit * 8
    blinds = [chance.choice([0, small, small]), big, *[0] * (count - 2)]
    if count > 4 and chance.random() < 0.4:
        blinds[chance.randint(2, count - 1)] = chance.choice([2 * big, -big, big])
    asked = chance.choice(["none", "none", "all", "dead", "bb"])
    ante = unit * chance.randint(1, 8)
    dues: dict[str, Any] = {"antes": [0] * count if asked == "none" else [ante] * count}
    if asked == "bb":
        payer = 0 if count == 2 else 1
        dues = {"antes": [ante if position == payer else 0 for position in range(count)], "ante_by": "bb"}
    dues["antes_dead"] = asked != "all"
    hand = Hand.begin(PROFILES[profile], stacks, big_blind=big, min_bet=big, blinds=blinds, unit=unit, **dues)
    return random_play(chance, hand), {"blinds": blinds, "antes": dues["antes"], "trims_antes": asked == "all"}


def random_play(chance: random.Random, hand: Hand) -> Hand:
    cards = chance.sample(DECK, 52)
    seen = chance.random()
    while hand.phase == "deal-hole":
        position = next(p for p, hole in enumerate(hand.holes) if len(hole) < 2)
        some = chance.choice([1, 2][: 2 - len(hand.holes[position])])
        known = chance.random() < seen
        hand = hand.deal_hole(position, [cards.pop() if known else UNKNOWN for _ in range(some)])
    for _ in range(chance.choice([4, 400, 400, 400])):
        actor = hand.actor
        match hand.phase:
            case "deal-board":
                hand = hand.deal_board([cards.pop() for _ in range(1 if hand.street else 3)])
            case "betting" if chance.random() < 0.03:
                hand = hand.kill(chance.choice(hand.live))
            case "betting":
                legal = hand.legal()
                assert legal is not None
                move = chance.random()
                if move < 0.15:
                    hand = hand.fold()
                elif move > 0.75 and legal.raise_min is not None and legal.raise_max is not None:
                    hand = hand.bet_or_raise(
                        chance.choice(
                            [legal.raise_min, legal.raise_max, chance.randint(legal.raise_min, legal.raise_max)]
                        )
                    )
                else:
                    hand = hand.check_or_call()
            case "showdown":
                assert actor is not None
                hand = showdown(chance, hand, actor, cards)
            case _:
                break
    return hand


def showdown(chance: random.Random, hand: Hand, actor: int, cards: list[int]) -> Hand:
    move = chance.random()
    if move < 0.3:
        return hand.settle()
    if move < 0.6 and hand.verify_muck(actor) is None:
        known = [card for card in hand.holes[actor] if card != UNKNOWN]
        return hand.muck(actor, known[:1] if chance.random() < 0.3 else ())
    return hand.show(actor, [cards.pop() if card == UNKNOWN else card for card in hand.holes[actor]])


def read_back(text: str, profile: str, settled: bool) -> Hand:
    (recorded,) = hands = read(text)
    assert isinstance(recorded, Recorded)
    result = replay(recorded, PROFILES[profile], scale_of(hands), settled=settled)
    assert (result.problem, result.action) == (None, None), text
    assert result.hand is not None
    return result.hand


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_H_11_a_hand_written_and_read_is_the_same_hand(profile: str) -> None:
    chance = random.Random(f"phh {profile}")
    ends = set()
    for _ in range(400):
        hand, begun = any_hand(chance, profile)
        again = read_back(write(hand, **begun), profile, hand.over)
        assert again.facts == hand.facts
        assert again == hand
        ends.add((hand.over, hand.undecided, hand.tabled, len(hand.awards) > 1))
    assert len(ends) >= 5


def test_H_14_amounts_are_written_with_the_places_of_the_file() -> None:
    chance = random.Random(4)
    for _ in range(100):
        hand, begun = any_hand(chance, "cash-2012")
        document = tomllib.loads(write(hand, **begun, scale=Scale(2)), parse_float=str)
        whole = tomllib.loads(write(hand, **begun))
        for field in ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings"):
            cents = [
                int(str(each).replace(".", "")) * (1 if "." in str(each) else 100) for each in document.get(field, [])
            ]
            assert cents == whole.get(field, [])


def test_H_1_a_tables_hands_are_exported_with_venue_table_seats_and_registration_numbers() -> None:
    hand = Hand.begin(PROFILES["tda-2024"], [500, 500, 500], small_blind=50, big_blind=100)
    texts = [write(hand, blinds=[50, 100, 0], fields=TABLE), write(hand, blinds=[50, 100, 0])]
    assert read_back(texts[0], "tda-2024", False).phase == "betting"
    first, second = read(write_all(texts))
    assert isinstance(first, Recorded) and isinstance(second, Recorded)
    assert {name: first.fields[name] for name in TABLE} == TABLE
    assert (first.name, second.name) == (17, 2)


def test_S_8_a_dead_hand_is_a_comment_that_others_pass_over() -> None:
    hand = Hand.begin(PROFILES["tda-2024"], [500, 500, 500], small_blind=50, big_blind=100)
    for position in range(3):
        hand = hand.deal_hole(position)
    hand = hand.kill(0)
    hand = hand.restrict(1).fold()
    assert any(isinstance(fact, Restricted) for fact in hand.facts)
    document = tomllib.loads(write(hand, blinds=[50, 100, 0]))
    assert document["actions"][3:] == ["# p1: dead hand", "# p2: may only check, call or fold", "p3 f"]
    assert document["winnings"] == [0, 100, 0]
    assert read_back(write(hand, blinds=[50, 100, 0]), "tda-2024", True).stacks == hand.stacks
