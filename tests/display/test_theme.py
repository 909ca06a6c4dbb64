"""The dark theme is readable from afar and by people who see colours differently."""

from __future__ import annotations

import pytest

from appliance.display.theme import DARK, contrast

FELTS = ("felt", "felt_light", "felt_break", "felt_break_light", "ground_top", "ground_bottom")


@pytest.mark.parametrize("ground", FELTS)
@pytest.mark.parametrize("ink", ["time", "time_stopped", "blinds"])
def test_time_and_blinds_have_a_contrast_of_7(ink: str, ground: str) -> None:
    assert contrast(getattr(DARK, ink), getattr(DARK, ground)) >= 7


@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("ink", "plate"), ("ink", "panel"), ("ink", "ground_top"), ("ink", "ground_bottom"),
        ("felt_ink", "felt_light"), ("felt_ink", "felt_break_light"), ("accent", "panel"),
        ("on_tone", "wait"), ("on_tone", "good"), ("on_tone", "bad"), ("on_accent", "accent"),
        ("on_button", "button"), ("on_small_blind", "small_blind"), ("on_big_blind", "big_blind"),
        ("spades", "card"), ("hearts", "card"), ("diamonds", "card"), ("clubs", "card"), ("blinds", "plate"),
    ],
)  # fmt: skip
def test_what_is_said_large_has_a_contrast_of_7(ink: str, ground: str) -> None:
    assert contrast(getattr(DARK, ink), getattr(DARK, ground)) >= 7


@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("muted", "panel"), ("muted", "plate"), ("muted", "ground_bottom"), ("muted", "plate_empty"), ("wait", "plate"),
        ("felt_muted", "felt_light"), ("felt_muted", "felt_break_light"), ("felt_muted", "ground_bottom"),
        ("bad", "panel"), ("felt_muted", "plate_empty"),
    ],
)  # fmt: skip
def test_labels_have_a_contrast_of_4_5(ink: str, ground: str) -> None:
    assert contrast(getattr(DARK, ink), getattr(DARK, ground)) >= 4.5


def test_contrast_is_that_of_wcag() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)
