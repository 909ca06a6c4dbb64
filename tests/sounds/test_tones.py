"""The waves: gentle, short, and told apart by ear."""

from __future__ import annotations

import itertools
from array import array

import pytest

from appliance.sounds.cue import TAP, Cue
from appliance.sounds.tones import FULL, RATE, SCORE, mixed, samples, scaled

WAVES = {cue: samples(cue) for cue in Cue}


def crossings(wave: array[int]) -> int:
    """How often a second it goes up through zero: near its pitch."""
    return sum(a < 0 <= b for a, b in itertools.pairwise(wave)) * RATE // len(wave)


@pytest.mark.parametrize("cue", Cue)
def test_a_cue_begins_and_ends_softly_and_is_never_loud(cue: Cue) -> None:
    wave = WAVES[cue]
    assert max(map(abs, wave)) <= FULL
    assert max(map(abs, wave)) >= FULL // 2
    assert max(map(abs, wave[:20])) < FULL // 5
    assert max(map(abs, wave[-20:])) < FULL // 5
    assert abs(sum(wave) / len(wave)) < FULL / 100  # no offset: a loudspeaker would stand aside


@pytest.mark.parametrize("cue", Cue)
def test_no_cue_is_longer_than_it_may_be(cue: Cue) -> None:
    assert len(WAVES[cue]) / RATE <= (0.5 if cue in TAP else 2.5)
    assert len(WAVES[Cue.COUNT]) / RATE <= 0.1


def test_no_note_is_shrill() -> None:
    assert all(note.hz <= 1_100 for notes in SCORE.values() for note in notes)


def test_no_two_cues_sound_alike() -> None:
    assert len(set(SCORE.values())) == len(Cue)
    rhythms = {cue: tuple((note.at, note.ms, round(note.hz)) for note in notes) for cue, notes in SCORE.items()}
    assert len(set(rhythms.values())) == len(Cue)


def test_yes_is_higher_than_no() -> None:
    assert crossings(WAVES[Cue.ACCEPTED]) > 3 * crossings(WAVES[Cue.REFUSED])


def test_the_same_cue_is_always_the_same_wave() -> None:
    assert samples(Cue.LEVEL) == WAVES[Cue.LEVEL]


def test_volume_goes_from_nothing_to_all_of_it() -> None:
    wave = WAVES[Cue.ACCEPTED]
    assert scaled(wave, 100) == wave
    assert max(map(abs, scaled(wave, 50))) == pytest.approx(max(map(abs, wave)) / 4, abs=2)
    assert set(scaled(wave, 0)) == {0}


def test_two_cues_at_once_are_both_there_and_too_many_are_cut() -> None:
    both = mixed(array("h", [1, 2, 3]), array("h", [10]))
    assert both.tolist() == [11, 2, 3]
    assert mixed(array("h", [30_000]), array("h", [30_000])).tolist() == [32_767]
    assert mixed(array("h", [-30_000]), array("h", [-30_000])).tolist() == [-32_768]
