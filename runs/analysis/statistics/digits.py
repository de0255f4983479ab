"""Comparison of computed numbers despite rounding."""

from __future__ import annotations

DIGITS = 12


def leading(value: float | None) -> float:
    """The number rounded to twelve significant digits, for comparing and sorting; 0 for None.

    Equal rates may differ in the last digit of a float because of the order of summation.
    """
    return float(f"{value or 0.0:.{DIGITS}g}")
