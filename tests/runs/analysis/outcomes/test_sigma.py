"""σ from the sums of cells."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.analysis.outcomes.consistency import consistency_of
from runs.analysis.outcomes.sigma import sigma_of_sums
from runs.analysis.statistics.means import of_shares
from tests.runs.analysis.personas import ends

rates = st.lists(st.integers(0, 40).map(lambda passed: passed / 40), min_size=1, max_size=6)


def sums(task: list[float]) -> tuple[int, float, float]:
    return len(task), math.fsum(task), math.fsum(rate * rate for rate in task)


def test_it_is_the_mean_deviation_of_tasks_with_two_attempts_or_more() -> None:
    # 0 and 1: s = √½; 1 and 1: 0; one attempt: not counted
    found = sigma_of_sums([(2, 1.0, 1.0), (2, 2.0, 2.0), (1, 0.5, 0.25)])

    assert found.value == pytest.approx(math.sqrt(0.5) / 2)
    assert found.n == 2
    assert found.interval == of_shares([math.sqrt(0.5), 0.0])


def test_it_says_why_there_is_none() -> None:
    assert sigma_of_sums([(1, 1.0, 1.0)]).reason == "no task has two attempts"
    assert sigma_of_sums([(0, 0.0, 0.0)]).reason == "no attempt has a test pass rate"
    assert sigma_of_sums([]).reason == "no attempt has a test pass rate"


@given(st.lists(rates, min_size=1, max_size=8))
def test_it_is_what_the_rates_themselves_give(tasks: list[list[float]]) -> None:
    found, whole = sigma_of_sums([*map(sums, tasks)]), consistency_of("ada", tasks).sigma

    assert (found.n, found.value is None) == (whole.n, whole.value is None)
    if whole.value is not None:
        assert found.value == pytest.approx(whole.value, abs=1e-6)


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    tasks = [(2, 1.0, 1.0), (2, 1.5, 1.25), (2, 2.0, 2.0)]
    twice = [task for task in tasks for _ in "dt"]

    alone = ends(sigma_of_sums(tasks))
    assert ends(sigma_of_sums(twice, list("aabbcc"))) == pytest.approx(alone)
    assert ends(sigma_of_sums(twice)) != pytest.approx(alone)
