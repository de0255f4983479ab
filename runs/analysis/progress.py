"""How far an evaluation is."""

from __future__ import annotations

from runs.analysis.method import Method


def seconds_left(finished: int, remaining: int, elapsed: float) -> float | None:
    """How long the rest takes if it goes on at the pace so far.

    Formula: `elapsed ÷ finished × remaining`. `elapsed` runs from the first start to now, so parallel workers are part
    of the pace.

    Source: ours.

    Units: runs and seconds in, seconds out.

    Small n: nothing finished yet, or no time elapsed, gives None; nothing remaining gives 0.
    """
    if remaining == 0:
        return 0.0
    if finished == 0 or elapsed <= 0:
        return None
    return elapsed / finished * remaining


METHODS = (Method("end", "Estimated end of an evaluation", seconds_left),)
