"""The shapes of a drawing."""

from __future__ import annotations

from runs.charts.svg_shapes import fitted, width_of


def test_long_names_are_cut_to_their_room() -> None:
    assert fitted("Alice", 100) == "Alice"
    assert fitted("A\nlice", 100) == "A lice"
    short = fitted("Alice in a long sentence", 60)
    assert short.endswith("…")
    assert width_of(short) <= 60
