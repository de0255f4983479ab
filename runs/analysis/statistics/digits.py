"""When two computed numbers count as equal."""

from __future__ import annotations

DIGITS = 12


def leading(value: float | None) -> float:
    """The number to twelve significant digits; 0 for None. What is compared or ordered is compared by these.

    Two agents with the same successes at different tasks have the same rate, but sums of fifths may differ in the
    last digit of a float: nobody should be beaten by that.
    """
    return float(f"{value or 0.0:.{DIGITS}g}")
