"""The length of a run against the shortest one."""

from __future__ import annotations

from tests.runs.analysis.features.made_features import counted
from tests.runs.analysis.made_traces import (
    edit,
    read,
    say,
    together,
)


def test_efficiency_is_at_most_one() -> None:
    # Two files: 2 · 2 + 1 = 5 actions. Two calls and a final response are 3 actions: 5 ÷ 3, cut at 1.
    short = counted(read("src/a.py"), edit("src/a.py"), say())
    names = ("trajectory_length", "optimal_length", "trajectory_efficiency", "unnecessary_steps")
    assert [short[name] for name in names] == [3, 5, 1, 0]
    # Ten calls in five steps, and no final response: 5 ÷ 10, 5 too many.
    long = counted(*[together(read("src/a.py"), read("src/b.py"))] * 5)
    assert [long[name] for name in names] == [10, 5, 0.5, 5]
