"""Intervals of differences between two agents, with the arithmetic beside the value that is expected."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Interval
from runs.analysis.statistics.differences import difference

Ends = tuple[float, float]


def ends(interval: Interval | None) -> Ends:
    """Both ends of an interval that there is."""
    assert interval is not None
    return interval.low, interval.high


def single(gains: int, losses: int, tasks: int) -> Ends:
    """The interval of single attempts: so many tasks resolved by the first alone, so many by the second."""
    alike = tasks - gains - losses
    ours = [1.0] * gains + [0.0] * losses + [1.0] * alike
    theirs = [0.0] * gains + [1.0] * losses + [1.0] * alike
    return ends(difference(ours, theirs, [1] * tasks))


def chance_below(value: float, gained: float, lost: float, neither: float) -> float:
    """That gains minus losses of a Dirichlet distribution are below this: integrated over the share of losses."""
    from scipy.integrate import quad
    from scipy.special import betainc, betaln

    def given_losses(angle: float) -> float:
        # Losses are sin² of the angle: without the roots at the ends that a prior of ½ brings.
        loss = math.sin(angle) ** 2
        ways = (lost - 0.5) * math.log(loss) + (gained + neither - 0.5) * math.log1p(-loss)
        # Of what losses leave, gains are a beta distributed part.
        reach = min(1.0, max(0.0, (value + loss) / (1 - loss)))
        return 2 * math.exp(ways - betaln(lost, gained + neither)) * float(betainc(gained, neither, reach))

    # Below the first no gain is so small; above the second every gain is.
    ends_at = max(0.0, -value), (1 - value) / 2
    angles = [math.asin(math.sqrt(share)) for share in (*ends_at, 1.0)]
    parts = [quad(given_losses, a, b, limit=400, epsabs=1e-10)[0] for a, b in pairwise(angles)]
    return float(sum(parts))


@pytest.mark.parametrize(
    ("gains", "losses", "tasks"),
    [(10, 1, 20), (5, 5, 20), (3, 1, 80), (1, 1, 8), (30, 90, 400), (4, 0, 5), (60, 1, 61)],
)
def test_it_leaves_a_fortieth_on_either_side_of_what_jeffreys_prior_and_the_tasks_say(
    gains: int, losses: int, tasks: int
) -> None:
    known = gains + 0.5, losses + 0.5, tasks - gains - losses + 0.5
    low, high = single(gains, losses, tasks)
    assert chance_below(low, *known) == pytest.approx(0.025, abs=2e-7)
    assert chance_below(high, *known) == pytest.approx(0.975, abs=2e-7)


def test_repeated_attempts_count_as_more_tasks() -> None:
    # differences 1, 0.5, 0, 0, −0.5, 0, 0, 0 over 8 tasks × 2: G = 0.1875, L = 0.0625, centre 0.125
    # Σ(x − 0.125)² = 1.5 − 8 × 0.015625 = 1.375; d = 1.375 ÷ (8 × (0.25 − 0.015625)) = 0.733333
    # δ = 8d ÷ (7 + d) = 0.758621; K = 8 × 0.25 ÷ (0.25 + 0.75d) = 2.5; δ' = (6.25δ + 1) ÷ 7.25 = 0.791914
    # m = 8 ÷ δ' = 10.102102, so gains, losses and the rest have 2.394144, 1.131381 and 8.076577
    ours = [1.0, 1.0, 0.5, 0.0, 0.5, 1.0, 0.0, 0.0]
    theirs = [0.0, 0.5, 0.5, 0.0, 1.0, 1.0, 0.0, 0.0]
    low, high = ends(difference(ours, theirs, [2] * 8))
    known = 2.394144, 1.131381, 8.076577
    assert chance_below(low, *known) == pytest.approx(0.025, abs=2e-6)
    assert chance_below(high, *known) == pytest.approx(0.975, abs=2e-6)


def test_where_most_tasks_differ_those_that_do_not_are_the_few_that_say_how_they_vary() -> None:
    # differences 1, 1, 1, 0.5, 0.5, −0.5, 0, 0 over 8 tasks × 2: G = 0.5, L = 0.0625, centre 0.4375
    # Σ(x − 0.4375)² = 3.75 − 8 × 0.19140625 = 2.21875; d = 2.21875 ÷ (8 × (0.5625 − 0.19140625)) = 0.747368
    # δ = 8d ÷ (7 + d) = 0.771739; q = 1 − 0.5625; K = 8q ÷ (q + 0.5625d) = 4.079755
    # δ' = (K²δ + 1) ÷ (K² + 1) = 0.784676
    # m = 8 ÷ δ' = 10.195293, so gains, losses and the rest have 5.597646, 1.137206 and 4.960440
    ours = [1.0, 1.0, 1.0, 0.5, 1.0, 0.0, 0.5, 1.0]
    theirs = [0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 1.0]
    low, high = ends(difference(ours, theirs, [2] * 8))
    known = 5.597646, 1.137206, 4.960440
    assert chance_below(low, *known) == pytest.approx(0.025, abs=2e-6)
    assert chance_below(high, *known) == pytest.approx(0.975, abs=2e-6)


def test_agents_that_never_differ_may_still_differ_elsewhere() -> None:
    # 0.025^(1/20) = e^(−3.688879 ÷ 20) = 0.831567
    assert single(0, 0, 20) == pytest.approx((-0.168433, 0.168433), abs=1e-6)
    assert ends(difference([0.4] * 20, [0.4] * 20, [5] * 20)) == single(0, 0, 20)


def test_an_agent_that_always_wins_may_be_better_by_everything() -> None:
    assert single(20, 0, 20)[1] == 1.0
    assert 0.7 < single(20, 0, 20)[0] < 0.8


def test_no_task_gives_none_and_one_more_than_half_of_the_other_side() -> None:
    assert difference([], [], []) is None
    low, high = ends(difference([1.0], [0.0], [1]))
    assert (low, high) == pytest.approx((-0.586, 1.0), abs=0.001)
    # 1 − 0.025
    assert ends(difference([1.0], [1.0], [1])) == pytest.approx((-0.975, 0.975))


def test_what_is_not_paired_and_what_is_no_rate_is_refused() -> None:
    with pytest.raises(ValueError, match="paired by task: 1, 1 and 2 values"):
        difference([1.0], [1.0], [1, 1])
    for ours, attempts in ((1.5, 1), (-0.1, 1), (math.nan, 1), (0.5, 0)):
        with pytest.raises(ValueError, match=f"rates of {ours} and 0.5 from {attempts} attempts"):
            difference([ours], [0.5], [attempts])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=30))
@settings(max_examples=100)
def test_it_is_symmetric_and_holds_the_difference(pairs: list[tuple[int, int]]) -> None:
    ours, theirs = [a / 5 for a, _ in pairs], [b / 5 for _, b in pairs]
    low, high = ends(difference(ours, theirs, [5] * len(pairs)))
    observed = (sum(ours) - sum(theirs)) / len(pairs)
    assert -1 <= low <= observed + 1e-9
    assert observed - 1e-9 <= high <= 1
    assert low < high
    assert ends(difference(theirs, ours, [5] * len(pairs))) == pytest.approx((-high, -low))


def test_one_more_gain_moves_both_ends_up() -> None:
    found = [single(gains, 3, 20) for gains in range(18)]
    assert all(before[0] < after[0] and before[1] < after[1] for before, after in pairwise(found))


def test_over_twenty_tasks_it_covers_as_often_as_it_says_whatever_the_truth() -> None:
    # Counted, not drawn: the chances of all outcomes whose interval holds the truth, for all whole percents of gains
    # and losses; the first agent gains more, or as much: the other half is the mirror image.
    from scipy.stats import multinomial

    tasks = 20
    outcomes = [(a, b, tasks - a - b) for a in range(tasks + 1) for b in range(tasks + 1 - a)]
    # An outcome's mirror image has the mirrored interval.
    found = {(a, b): single(a, b, tasks) for a, b, _ in outcomes if a >= b}
    found |= {(b, a): (-high, -low) for (a, b), (low, high) in found.items()}
    lows, highs = np.array([found[a, b] for a, b, _ in outcomes]).T
    covered = {}
    for more in range(1, 101):
        for less in range(min(more, 100 - more) + 1):
            truth = (more - less) / 100
            likely = multinomial.pmf(outcomes, tasks, [more / 100, less / 100, (100 - more - less) / 100])
            covered[more, less] = likely[(lows <= truth + 1e-9) & (truth - 1e-9 <= highs)].sum()
    half_of_equal = np.array([0.5 if more == less else 1 for more, less in covered])
    within = np.array([0.93 <= share <= 0.97 for share in covered.values()])
    assert np.average(within, weights=half_of_equal) == pytest.approx(0.956, abs=0.001)
    between = [share for (more, less), share in covered.items() if 25 <= more + less <= 80]
    assert (min(between), max(between)) == pytest.approx((0.929, 0.975), abs=0.0005)
    assert min(share for (more, less), share in covered.items() if more + less < 25) > 0.928
    assert min(covered.items(), key=lambda one: one[1]) == ((99, 0), pytest.approx(0.818, abs=0.0005))
