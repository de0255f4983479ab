"""Names that are cut to fit still differ."""

from __future__ import annotations

from runs.presentation.charts.distinct_names import distinct
from runs.presentation.charts.svg_shapes import width_of

LONG = "OpenHands Sub-agents with claude-"


def test_names_that_fit_stay_and_long_ones_are_cut_at_their_end() -> None:
    assert distinct(["Alice", "A name that is much too long"], 100) == ["Alice", "A name that is…"]


def test_names_that_would_be_cut_to_the_same_text_lose_their_middle() -> None:
    names = distinct([f"{LONG}opus-4-6", f"{LONG}sonnet-4-6", "Bob"], 150)
    assert names == ["OpenHands Su…opus-4-6", "OpenHands…sonnet-4-6", "Bob"]


def test_names_that_differ_only_at_their_ends_show_them() -> None:
    names = [f"{'x' * 80}{number}" for number in (1, 2)]
    shown = distinct(names, 80)
    assert [name[-1] for name in shown] == ["1", "2"]
    assert all(width_of(name) <= 80 for name in shown)


def test_equal_names_stay_equal() -> None:
    assert distinct(["same", "same"], 100) == ["same", "same"]
