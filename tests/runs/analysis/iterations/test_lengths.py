"""How long runs are, and what that has to do with success."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.iterations.lengths import (
    Curve,
    LengthBin,
    cumulative_first_edit,
    cumulative_success,
    distribution,
    success_by_length,
)
from tests.runs.analysis.made_runs import acted


def lasted(number: int, iterations: int, *, resolved: bool = True, agent: str = "alice") -> RunFacts:
    return acted(
        number,
        agent=agent,
        iterations=iterations,
        outcome="resolved" if resolved else "unresolved",
        ending="completed" if iterations < 100 else "iteration_limit",
    )


def test_lengths_of_all_of_resolved_and_of_unresolved_runs() -> None:
    found = distribution(
        [lasted(1, 10), lasted(2, 20), lasted(3, 100, resolved=False), lasted(4, 8, agent="bob")]
    )

    alice, bob = found.agents
    assert (alice.all.median, alice.resolved.median, alice.unresolved.median) == (
        Estimate(20, 3),
        Estimate(15, 2),
        Estimate(100, 1),
    )
    assert (alice.at_limit, alice.limited) == (1, Estimate(1 / 3, 3))
    assert bob.unresolved.median == Estimate.unknown("every run is resolved")
    assert (found.overall.at_limit, found.overall.limited) == (1, Estimate(1 / 4, 4))


def test_the_runs_own_ending_says_whether_the_limit_ended_it() -> None:
    long = replace(lasted(1, 150), ending="completed")
    short = replace(lasted(2, 20), ending="iteration_limit")
    assert distribution([long, short]).overall.at_limit == 1
    assert distribution([long]).overall.at_limit == 0


def test_without_runs_nothing_is_said_of_lengths() -> None:
    nothing = distribution([]).overall
    assert nothing.all.mean == nothing.resolved.mean == nothing.unresolved.mean == Estimate.unknown("no run")
    assert nothing.limited == Estimate.unknown("no run")
    assert success_by_length([]).bins == ()
    assert cumulative_success([]).overall == Curve(None, 0, (), (), 0, "no run")
    assert cumulative_success([]).overall.share_at(3) == Estimate.unknown("no run")


def test_runs_of_similar_length_make_a_bin() -> None:
    runs = [lasted(1, 0, resolved=False), lasted(2, 9), lasted(3, 10), lasted(4, 95, resolved=False)]

    # 0 and 9 lie in 0-9, 10 in 10-19, 95 in 90-99: one of two, one of one, none of one.
    assert success_by_length(runs).bins == (
        LengthBin(0, 9, 2, 1, Estimate(0.5, 2)),
        LengthBin(10, 19, 1, 1, Estimate(1, 1)),
        LengthBin(90, 99, 1, 0, Estimate(0, 1)),
    )
    with pytest.raises(ValueError, match="bins of 0 iterations"):
        success_by_length(runs, width=0)


def test_success_adds_up_with_iterations() -> None:
    runs = [lasted(1, 5), lasted(2, 5), lasted(3, 12), lasted(4, 3, resolved=False)]
    curve = cumulative_success(runs).overall

    # Of four runs two are resolved by 5 iterations and a third by 12; the fourth never is.
    assert (curve.at, curve.runs, curve.shares) == ((5, 12), (2, 3), (0.5, 0.75))
    assert [curve.share_at(i).value for i in (4, 5, 11, 12, 99)] == [0, 0.5, 0.5, 0.75, 0.75]


def test_a_curve_without_success_is_flat_not_undefined() -> None:
    curve = cumulative_success([lasted(1, 5, resolved=False)]).overall
    assert (curve.at, curve.share_at(100)) == ((), Estimate(0, 1))


def test_first_edits_add_up_over_the_runs_that_have_one() -> None:
    runs = [acted(1, "eep"), acted(2, "pp"), acted(3, "en"), acted(4, "eee", "bob")]
    found = cumulative_first_edit(runs)

    # First edits at 3 and 1; runs 3 and 4 have none.
    assert found.overall == Curve(None, 2, (1, 3), (1, 2), 2)
    assert found.overall.shares == (0.5, 1.0)
    assert found.agents[1] == Curve("bob", 0, (), (), 1, "no run made a successful edit")


def test_impossible_lengths_are_named() -> None:
    runs = [lasted(1, 5), lasted(2, -1), replace(lasted(3, 5), iterations=math.nan)]  # type: ignore[arg-type]
    excluded = (Exclusion("the number of iterations is unknown or invalid", (2, 3)),)

    for result in (distribution(runs), success_by_length(runs), cumulative_success(runs)):
        assert result.excluded == excluded


some_runs = st.lists(
    st.tuples(st.integers(0, 100), st.booleans(), st.sampled_from("abc")), min_size=1, max_size=15
).map(lambda drawn: [lasted(n, i, resolved=r, agent=a) for n, (i, r, a) in enumerate(drawn)])


@settings(max_examples=60)
@given(some_runs, st.randoms(use_true_random=False))
def test_curves_grow_to_the_share_of_resolved_runs_in_any_order(
    runs: list[RunFacts], chance: random.Random
) -> None:
    found = cumulative_success(runs)
    shuffled = runs[:]
    chance.shuffle(shuffled)

    assert cumulative_success(shuffled) == found
    assert distribution(shuffled) == distribution(runs)
    assert success_by_length(shuffled) == success_by_length(runs)
    for curve in (found.overall, *found.agents):
        assert list(curve.shares) == sorted(set(curve.shares))
        assert all(0 < share <= 1 for share in curve.shares)
    assert found.overall.share_at(100).value == sum(run.resolved for run in runs) / len(runs)


@settings(max_examples=40)
@given(some_runs)
def test_a_curve_is_the_empirical_distribution_of_scipy(runs: list[RunFacts]) -> None:
    resolved = [run.iterations for run in runs if run.resolved]
    curve = cumulative_success(runs).overall
    if resolved:
        ecdf = stats.ecdf(np.array(resolved)).cdf
        assert curve.at == tuple(ecdf.quantiles.astype(int))
        assert curve.shares == pytest.approx(ecdf.probabilities * len(resolved) / len(runs))


@settings(max_examples=40)
@given(some_runs)
def test_bins_add_up_to_all_runs(runs: list[RunFacts]) -> None:
    bins = success_by_length(runs, width=7).bins
    assert sum(each.runs for each in bins) == len(runs)
    assert sum(each.resolved for each in bins) == sum(run.resolved for run in runs)
