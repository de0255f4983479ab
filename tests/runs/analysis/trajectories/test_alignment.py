"""Two sequences of acts beside each other: as many equal acts as can be stand in the same line."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as some

from runs.analysis.trajectories.alignment import AlignedSteps, align

ACTS = some.text("abc", max_size=10).map(list)


def longest(one: list[str], two: list[str]) -> int:
    """The length of a longest common subsequence, by its definition."""
    if not one or not two:
        return 0
    if one[0] == two[0]:
        return 1 + longest(one[1:], two[1:])
    return max(longest(one[1:], two), longest(one, two[1:]))


@given(ACTS, ACTS)
def test_no_other_order_has_more_lines_alike_and_no_step_is_lost(one: list[str], two: list[str]) -> None:
    found = align(one, two)

    assert found.alike == longest(one, two) == sum(line.alike for line in found.lines)
    assert [line.one for line in found.lines if line.one is not None] == list(range(len(one)))
    assert [line.two for line in found.lines if line.two is not None] == list(range(len(two)))
    for line in found.lines:
        if line.alike:
            assert line.one is not None
            assert line.two is not None
            assert one[line.one] == two[line.two]


def test_what_one_run_did_more_stands_beside_a_gap() -> None:
    found = align("abxyd", "abd")

    assert found.lines == (
        AlignedSteps(0, 0, True),
        AlignedSteps(1, 1, True),
        AlignedSteps(2, None, False),
        AlignedSteps(3, None, False),
        AlignedSteps(4, 2, True),
    )
    assert found.parting == 2


def test_what_differs_between_common_acts_stands_side_by_side() -> None:
    assert align("axb", "ayzb").lines == (
        AlignedSteps(0, 0, True),
        AlignedSteps(1, 1, False),
        AlignedSteps(None, 2, False),
        AlignedSteps(2, 3, True),
    )


def test_equal_runs_never_part_and_strangers_part_at_once() -> None:
    assert align("abc", "abc").parting is None
    assert align("abc", "xyz").parting == 0
    assert align("", "ab").lines == (AlignedSteps(None, 0, False), AlignedSteps(None, 1, False))
    assert align("", "") == align([], [])
    assert align("", "").lines == ()


def test_steps_behind_the_bound_are_left_out_and_counted() -> None:
    found = align("abcd", "abcdef", most=3)

    assert (found.alike, len(found.lines), found.left_out) == (3, 3, 4)


def test_two_long_runs_are_aligned_whole() -> None:
    acts = random.Random(7)
    one, two = ([acts.randrange(30) for _ in range(2_000)] for _ in range(2))

    found = align(one, two)
    assert found.alike > 500
    assert found.left_out == 0
