"""Every two agents over the tasks that both tried."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from runs.analysis.estimate import Estimate, Exclusion, Interval
from runs.analysis.facts import RunFacts, sift
from runs.analysis.outcomes.head_to_head import HeadToHead, HeadToHeadTable, head_to_head
from runs.analysis.outcomes.paired import McNemar, difference_of, mcnemar
from runs.analysis.outcomes.solved import scores_of, solved_within
from runs.analysis.statistics.differences import difference
from tests.runs.analysis.marked_runs import runs_of
from tests.runs.analysis.personas import with_twins
from tests.runs.analysis.random_runs import worlds


def test_two_agents_worked_by_hand() -> None:
    alice = runs_of("alice", a="++", b="-+", c="--", d="+-", alone="++")
    bob = runs_of("bob", a="--", b="+-", c="-+", d="-+", other="--")
    (pair,) = head_to_head([*alice, *bob]).pairs

    # Alice (1 + ½ + 0 + ½ + 1) ÷ 5 = 0.6, Bob (0 + ½ + ½ + ½ + 0) ÷ 5 = 0.3.
    assert (pair.first, pair.second) == ("alice", "bob")
    # Over a to d: (1 + 0 − ½ + 0) ÷ 4
    expected = difference([1.0, 0.5, 0.0, 0.5], [0.0, 0.5, 0.5, 0.5], [2] * 4)
    assert pair.difference == Estimate(0.125, 4, interval=expected)
    assert (pair.ahead, pair.behind, pair.level) == (1, 1, 2)
    # Within two attempts Alice solves a, b and d, Bob b, c and d; one against one: p = 1.
    assert pair.solved == McNemar(both=2, only_first=1, only_second=1, neither=0, p=Estimate(1.0, 4))


def test_shares_of_unlike_numbers_of_attempts_are_level_when_they_are_equal() -> None:
    alice = runs_of("alice", a="+--", b="++-")
    bob = runs_of("bob", a="++----", b="+++++-")
    (pair,) = head_to_head([*alice, *bob], k=3).pairs
    # 1/3 and 2/6; 2/3 and 5/6.
    assert (pair.first, pair.ahead, pair.behind, pair.level) == ("bob", 1, 0, 1)


def test_swapped_it_says_the_same() -> None:
    pair = HeadToHead(
        "alice",
        "bob",
        Estimate(0.25, 4, interval=Interval(-0.1, 0.5)),
        2,
        1,
        1,
        McNemar(1, 2, 0, 1, Estimate(0.5, 4)),
    )
    swapped = pair.swapped()
    assert swapped == HeadToHead(
        "bob",
        "alice",
        Estimate(-0.25, 4, interval=Interval(-0.5, 0.1)),
        1,
        2,
        1,
        McNemar(1, 0, 2, 1, Estimate(0.5, 4)),
    )
    assert swapped.swapped() == pair


def test_agents_that_share_no_task_have_no_difference() -> None:
    (pair,) = head_to_head([*runs_of("alice", a="+"), *runs_of("bob", b="+")]).pairs
    assert pair.difference == Estimate.unknown("no task was tried by both")
    assert (pair.ahead, pair.behind, pair.level, pair.solved.n) == (0, 0, 0, 0)
    assert pair.swapped().difference == pair.difference


def test_what_the_infrastructure_failed_is_named_and_counts_for_no_agent() -> None:
    found = head_to_head([*runs_of("alice", a="!+"), *runs_of("bob", a="-")])
    assert found.excluded == (Exclusion("the infrastructure failed", (100,)),)
    (pair,) = found.pairs
    assert (pair.difference.value, pair.ahead) == (1.0, 1)


def test_fewer_than_two_agents_give_no_pair() -> None:
    assert head_to_head([]) == HeadToHeadTable(1, (), ())
    assert head_to_head(runs_of("alice", a="+")).pairs == ()
    with pytest.raises(ValueError, match="expected 1 or more"):
        head_to_head([], k=0)


def test_a_task_that_one_tried_less_than_k_times_is_not_in_the_test_though_it_was_solved() -> None:
    alice = runs_of("alice", a="+", b="++", c="-+")
    (pair,) = head_to_head([*alice, *runs_of("bob", a="--", b="--", c="--")], k=2).pairs
    assert pair.solved == McNemar(both=0, only_first=2, only_second=0, neither=0, p=Estimate(0.5, 2))
    assert pair.ahead == 3


@settings(max_examples=30)
@given(worlds(bad=True))
def test_every_pair_is_there_once_and_its_counts_add_up(runs: list[RunFacts]) -> None:
    found = head_to_head(runs)
    agents = {pair.first for pair in found.pairs} | {pair.second for pair in found.pairs}
    assert len({frozenset((pair.first, pair.second)) for pair in found.pairs}) == len(found.pairs)
    assert len(found.pairs) == len(agents) * (len(agents) - 1) // 2
    scores = scores_of(sift(runs).usable)
    solved = solved_within(runs, found.k)
    for pair in found.pairs[:3]:
        ours, theirs = scores[pair.first], scores[pair.second]
        tasks = sorted(ours.keys() & theirs.keys())
        made = [ours[task] for task in tasks], [theirs[task] for task in tasks]
        often = [task for task in tasks if min(ours[task].attempts, theirs[task].attempts) >= found.k]
        assert pair.difference.value == pytest.approx(difference_of(*made).value)
        assert pair.solved == mcnemar(solved.verdicts(pair.first, often), solved.verdicts(pair.second, often))
        assert pair.ahead + pair.behind + pair.level == pair.difference.n == len(tasks)


@settings(max_examples=20)
@given(worlds(bad=True))
def test_names_decide_nothing_but_who_is_first_of_equals(runs: list[RunFacts]) -> None:
    names = sorted({run.agent for run in runs})
    new = dict(zip(names, reversed(names), strict=True))
    renamed = head_to_head([replace(run, agent=new[run.agent]) for run in runs]).pairs
    by_agents = {(pair.first, pair.second): pair for each in renamed for pair in (each, each.swapped())}
    for pair in head_to_head(runs).pairs:
        other = by_agents[new[pair.first], new[pair.second]]
        assert (other.ahead, other.behind, other.level) == (pair.ahead, pair.behind, pair.level)
        assert other.difference.value == pytest.approx(pair.difference.value)
        assert other.solved == pair.solved


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    tasks = dict.fromkeys("abcdefg", "+")
    runs = [*runs_of("alice", **tasks), *runs_of("bob", **dict.fromkeys(tasks, "-"))]
    (alone,), (twice,) = head_to_head(runs).pairs, head_to_head(with_twins(runs)).pairs
    assert (twice.solved.only_first, twice.solved.p.value) == pytest.approx((14, 2 / 2**7))
    assert twice.solved.p.value == pytest.approx(alone.solved.p.value)
