"""Success by stack and language, with the range over repositories."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, Shortage
from runs.analysis.statistics.intervals import clustered
from runs.analysis.tasks.stacks import BucketRate, languages_of, stack_table


def cell(agent: str, task: str, resolved: int, attempts: int = 5, **more: Any) -> list[RunFacts]:
    more = {"stack": "C", **more}
    first = int.from_bytes(f"{agent} {task}".encode()) * 10
    return [
        RunFacts(
            first + i,
            agent,
            task,
            task.split("/", maxsplit=1)[0],
            i + 1,
            "resolved" if i < resolved else "unresolved",
            **more,
        )
        for i in range(attempts)
    ]


def test_repositories_weigh_the_same_however_many_tasks_they_have() -> None:
    runs = [*cell("a", "q/1", 5), *cell("a", "q/2", 1), *cell("a", "q/3", 0), *cell("a", "r/1", 4)]
    (bucket,) = stack_table(runs).buckets
    assert (bucket.label, bucket.repositories, bucket.tasks) == ("C", ("q", "r"), 4)
    (a,) = bucket.agents
    # q: (1 + 0.2 + 0) ÷ 3 = 0.4; r: 0.8
    assert a.pass_1.over_repositories.value == pytest.approx(0.6)
    assert (a.pass_1.over_repositories.n, a.pass_1.over_repositories.interval) == (2, None)
    assert a.pass_1.range is not None
    assert [a.pass_1.range.low, a.pass_1.range.high] == pytest.approx([0.4, 0.8])
    # pass@5: q 2/3; r 1
    assert a.pass_k.over_repositories.value == pytest.approx(5 / 6)
    assert a.pass_k.over_repositories.n == 2


def test_over_tasks_each_task_weighs_the_same_and_the_interval_is_theirs() -> None:
    runs = [*cell("a", "q/1", 5), *cell("a", "q/2", 1), *cell("a", "q/3", 0), *cell("a", "r/1", 4)]
    (a,) = stack_table(runs).buckets[0].agents
    # (1 + 0.2 + 0 + 0.8) ÷ 4
    assert (a.pass_1.over_tasks.value, a.pass_1.over_tasks.n) == (0.5, 4)
    assert a.pass_1.over_tasks.interval == clustered([1.0, 0.2, 0.0, 0.8], [5] * 4)


def test_agents_come_best_first_and_one_repository_has_no_range() -> None:
    runs = [*cell("a", "q/1", 1), *cell("b", "q/1", 3), *cell("c", "q/1", 1)]
    (bucket,) = stack_table(runs).buckets
    assert [agent.agent for agent in bucket.agents] == ["b", "a", "c"]
    assert bucket.agents[0].pass_1.over_repositories == Estimate(0.6, 1)
    assert bucket.agents[0].pass_1.range is None


def test_too_few_attempts_leave_pass_at_k_open() -> None:
    runs = [*cell("a", "q/1", 1, planned=5), *cell("a", "q/2", 2, 4, planned=5)]
    assert stack_table(runs).shortages == (Shortage("a", "q/2", 4, 5),)
    (a,) = stack_table(runs, k=5).buckets[0].agents
    short = "1 of 2 tasks has fewer than 5 attempts"
    assert a.pass_k == BucketRate(Estimate.unknown(short, 1), Estimate.unknown(short, 1), None)
    assert a.pass_1.over_repositories.value == pytest.approx(0.35)
    assert stack_table(runs).k == 4
    # k = 2: 1 − C(4, 2) ÷ C(5, 2) = 0.4; 1 − C(2, 2) ÷ C(4, 2) = 5/6
    (a,) = stack_table(runs, k=2).buckets[0].agents
    assert a.pass_k.over_repositories.value == pytest.approx((0.4 + 5 / 6) / 2)


def test_a_repository_counts_in_each_of_its_languages() -> None:
    runs = [
        *cell("a", "q/1", 5, languages=("C++", "Python", "C++")),
        *cell("a", "r/1", 0, languages=("Python",)),
    ]
    found = stack_table(runs, languages_of)
    assert [(b.label, b.repositories, b.agents[0].pass_1.over_repositories.value) for b in found.buckets] == [
        ("C++", ("q",), 1.0),
        ("Python", ("q", "r"), 0.5),
    ]


def test_runs_without_a_stack_are_named() -> None:
    found = stack_table([RunFacts(3, "a", "q/1", "q", 1, "resolved")])
    assert (found.buckets, found.excluded) == ((), (Exclusion("no stack or language is given", (3,)),))
    assert stack_table([]).buckets == ()
    with pytest.raises(ValueError, match="expected 1 or more"):
        stack_table([], k=0)


class TestPublishedTable4:
    """Means and ranges in percent as printed; a repository has ten tasks of five attempts."""

    @pytest.mark.parametrize(
        ("model", "means", "printed"),
        [
            ("GPT-5.2", (74, 84), "79.0 (74–84)"),
            ("Opus", (76, 78), "77.0 (76–78)"),
            ("Sonnet", (68, 84), "76.0 (68–84)"),
            # Four repositories: the range and the mean leave the two between. Sonnet 4 · 90.5 − 76 − 96 = 190; Opus
            # 4 · 89.5 − 84 − 94 = 180; GPT-5.2 4 · 88.5 − 76 − 96 = 182. One way of many to share them:
            ("Sonnet", (76, 94, 96, 96), "90.5 (76–96)"),
            ("Opus", (84, 88, 92, 94), "89.5 (84–94)"),
            ("GPT-5.2", (76, 90, 92, 96), "88.5 (76–96)"),
        ],
    )
    def test_shares_of_fifty_attempts_give_the_printed_means_and_ranges(
        self, model: str, means: tuple[int, ...], printed: str
    ) -> None:
        runs = [
            run
            for place, percent in enumerate(means)
            for task in range(10)
            # percent ÷ 2 successes of fifty, as even over ten tasks as can be
            for run in cell(model, f"repository-{place}/{task}", (percent // 2 + task) // 10)
        ]
        (found,) = stack_table(runs).buckets[0].agents
        value, spread = found.pass_1.over_repositories.value, found.pass_1.range
        assert value is not None
        assert spread is not None
        assert f"{100 * value:.1f} ({100 * spread.low:.0f}–{100 * spread.high:.0f})" == printed

    def test_they_are_not_possible_as_pass_at_five_of_ten_tasks(self) -> None:
        # The mean of ten tasks, each 0 or 1, comes in steps of ten percentage points; that of fifty attempts in twos.
        shown = [74, 84, 76, 78, 68, 98, 64, 58, 54]
        assert all(percent % 10 for percent in shown)
        assert not any(percent % 2 for percent in shown)


cells = st.dictionaries(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["q/1", "q/2", "r/1"])), st.integers(0, 5), max_size=6
)


@settings(max_examples=60)
@given(cells, st.randoms(use_true_random=False))
def test_bounds_order_and_names(drawn: dict[tuple[str, str], int], random: Any) -> None:
    runs = [run for (agent, task), resolved in drawn.items() for run in cell(agent, task, resolved)]
    found = stack_table(runs)
    shuffled = list(runs)
    random.shuffle(shuffled)
    assert stack_table(shuffled) == found
    for bucket in found.buckets:
        for agent in bucket.agents:
            for rate in (agent.pass_1, agent.pass_k):
                assert rate.over_repositories.value is not None
                low, high = (
                    (rate.range.low, rate.range.high) if rate.range else [rate.over_repositories.value] * 2
                )
                assert 0 <= low <= rate.over_repositories.value + 1e-12
                assert rate.over_repositories.value <= high + 1e-12 <= 1 + 2e-12
                # No task weighs more in one of the two means than in the other by more than the range allows.
                assert rate.over_tasks.value is not None
                assert low - 1e-12 <= rate.over_tasks.value <= high + 1e-12
            more = agent.pass_k.over_repositories.value or 0
            assert more >= (agent.pass_1.over_repositories.value or 0) - 1e-12
