"""How much the tasks that two agents solve overlap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import jaccard_score

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.solved import Solved
from runs.analysis.portfolios.similarity import jaccard, similarity
from runs.analysis.statistics.intervals import wilson
from tests.runs.analysis.personas import ends


def of(tasks: str, **solved: Iterable[str]) -> Solved:
    """Agents that tried all tasks."""
    sets = {agent: frozenset(theirs) for agent, theirs in solved.items()}
    return Solved(
        5, tuple(sorted(tasks)), sets, {agent: frozenset(tasks) - mine for agent, mine in sets.items()}
    )


def mirrored(agent: str) -> str:
    """Another name, in the opposite order."""
    return chr(ord("a") + ord("z") - ord(agent))


def test_overlap_is_what_both_solve_of_what_either_solves() -> None:
    # {1, 2, 3} and {2, 3, 4, 5}: both 2, either 5 of 8 tasks
    (pair,) = similarity(of("12345678", a="123", b="2345")).pairs
    assert (pair.both, pair.only_first, pair.only_second, pair.neither) == (2, 1, 2, 3)
    assert pair.jaccard == Estimate(0.4, 5, interval=wilson(0.4, 5))
    assert pair.coverage == Estimate(0.625, 8, interval=wilson(0.625, 8))


def test_two_empty_sets_are_not_alike() -> None:
    assert jaccard(set(), set()) == Estimate.unknown("neither agent solved a task")
    assert jaccard({"t"}, set()).value == 0.0
    assert jaccard({"t"}, {"t"}).value == 1.0
    (pair,) = similarity(of("12", a="", b="")).pairs
    assert pair.jaccard.value is None
    assert pair.coverage.value == 0.0


def test_an_attempt_not_made_is_no_difference() -> None:
    # b never tried 3: over the tasks 1 and 2 the sets are the same
    solved = Solved(
        5,
        ("1", "2", "3"),
        {"a": frozenset("13"), "b": frozenset("1")},
        {"a": frozenset("2"), "b": frozenset("2")},
    )
    (pair,) = similarity(solved).pairs
    assert (pair.jaccard.value, pair.coverage.value, pair.coverage.n) == (1.0, 0.5, 2)


def test_strangers_share_nothing() -> None:
    solved = Solved(
        5, ("1", "2"), {"a": frozenset("1"), "b": frozenset("2")}, {"a": frozenset(), "b": frozenset()}
    )
    (pair,) = similarity(solved).pairs
    assert pair.jaccard == pair.coverage == Estimate.unknown("no task is decided for both")
    assert similarity(of("1", a="1")).pairs == ()


@pytest.mark.parametrize(
    # Tasks of 80 that each solves under pass@5 (table 1), that either solves, and what table 7 and A.5 print. The paper
    # prints two of the unions (73 and 77); the others follow from the index, which no other whole number gives.
    ("pair", "ours", "theirs", "union", "printed"),
    [
        ("Claude Haiku, Claude Sonnet", 70, 71, 73, "0.932"),
        ("GPT-5.2, Claude Sonnet", 76, 71, 77, "0.909"),
        ("GPT-5.2, Claude Haiku", 76, 70, 77, "0.896"),
        ("Codex Max, GPT-5.2", 68, 76, 76, "0.895"),
        ("Llama 4 Scout, Claude Sonnet", 5, 71, 71, "0.070"),
        ("Llama 4 Scout, Claude Haiku", 5, 70, 70, "0.071"),
    ],
)
def test_the_published_pairs(pair: str, ours: int, theirs: int, union: int, printed: str) -> None:
    # The first solves tasks from 0 up, the second those that end with the last one of the union.
    a, b = set(map(str, range(ours))), set(map(str, range(union - theirs, union)))
    found = jaccard(a, b)
    assert f"{found.value:.3f}" == printed, pair
    assert found.n == union
    other_unions = [u for u in range(max(ours, theirs), 81) if f"{(ours + theirs - u) / u:.3f}" == printed]
    assert other_unions == [union], "no other union gives what is printed"


solved_sets = st.dictionaries(st.sampled_from("abcd"), st.sets(st.sampled_from("12345")), min_size=2)


@settings(max_examples=80)
@given(solved_sets)
def test_bounds_names_and_scikit_learn(sets: dict[str, set[str]]) -> None:
    found = similarity(of("12345", **sets))
    renamed = {mirrored(agent): theirs for agent, theirs in sets.items()}
    other = {frozenset((pair.first, pair.second)): pair for pair in similarity(of("12345", **renamed)).pairs}
    for pair in found.pairs:
        same = other[frozenset((mirrored(pair.first), mirrored(pair.second)))]
        assert (same.jaccard, same.coverage) == (pair.jaccard, pair.coverage)
        assert pair.coverage.value == (pair.both + pair.only_first + pair.only_second) / 5
        if pair.jaccard.value is None:
            continue
        assert 0 <= pair.jaccard.value <= 1
        marks = [np.array([task in sets[agent] for task in "12345"]) for agent in (pair.first, pair.second)]
        assert pair.jaccard.value == pytest.approx(jaccard_score(*marks))


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    twice = of("123456uvwxyz", a="123uvw", b="2345vwxy")
    twice = replace(twice, scenarios=dict(zip("123456uvwxyz", "123456123456", strict=True)))
    (one,), (two,) = similarity(of("123456", a="123", b="2345")).pairs, similarity(twice).pairs
    for ours, theirs in ((one.jaccard, two.jaccard), (one.coverage, two.coverage)):
        assert (theirs.value, theirs.n) == (ours.value, 2 * ours.n)
        assert ends(theirs) == pytest.approx(ends(ours))
