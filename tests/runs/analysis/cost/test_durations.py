"""How long runs take."""

from __future__ import annotations

import math

import pytest

from runs.analysis.cost.durations import durations
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts
from runs.data.published.tables import IDE_BENCH, table


def run(number: int, agent: str, repository: str, seconds: float, outcome: str = "resolved") -> RunFacts:
    return RunFacts(number, agent, f"{repository}/tide", repository, 1, outcome, seconds=seconds)


def test_repositories_and_agents_have_their_own_tables_the_longest_first() -> None:
    found = durations(
        [
            run(1, "a", "harbour", 60),
            run(2, "b", "harbour", 180),
            run(3, "a", "quay", 600),
            run(4, "a", "quay", 0),
        ]
    )
    # quay (600 + 0) ÷ 2, harbour (60 + 180) ÷ 2; a (60 + 600 + 0) ÷ 3, b 180
    assert [(d.of, d.seconds.mean) for d in found.repositories] == [
        ("quay", Estimate(300.0, 2)),
        ("harbour", Estimate(120.0, 2)),
    ]
    assert [(d.of, d.seconds.mean) for d in found.agents] == [
        ("a", Estimate(220.0, 3)),
        ("b", Estimate(180.0, 1)),
    ]
    assert found.agents[0].seconds.median == Estimate(60.0, 3)
    quay = found.repositories[0].seconds
    assert (quay.mean, quay.minimum, quay.maximum) == (
        Estimate(300.0, 2),
        Estimate(0.0, 2),
        Estimate(600.0, 2),
    )


def test_impossible_times_are_named() -> None:
    found = durations(
        [
            run(1, "a", "harbour", -1),
            run(2, "a", "harbour", math.nan),
            run(3, "a", "harbour", 5),
            run(4, "a", "harbour", 5, "infrastructure_failed"),
        ]
    )
    assert found.excluded == (
        Exclusion("the infrastructure failed", (4,)),
        Exclusion("the duration is unknown or invalid", (1, 2)),
    )
    assert found.repositories[0].seconds.n == 1


def test_no_run_gives_empty_tables() -> None:
    found = durations([])
    assert (found.repositories, found.agents) == ((), ())


def test_the_published_table_is_in_this_order_and_these_units() -> None:
    # The shortest, the longest, and forty runs that bring the mean to what is printed.
    runs = []
    for place, (name, *printed) in enumerate(table(IDE_BENCH, 10).rows):
        mean, low, high = map(float, printed)
        others = 40
        rest = (mean * (others + 2) - low - high) / others
        assert low <= rest <= high
        times = [low, high, *[rest] * others]
        runs += [run(100 * place + i, "a", name, minutes * 60) for i, minutes in enumerate(times)]
    found = [
        (
            d.of,
            f"{(d.seconds.mean.value or 0) / 60:.2f}",
            f"{(d.seconds.minimum.value or 0) / 60:.2f}",
            f"{(d.seconds.maximum.value or 0) / 60:.2f}",
        )
        for d in durations(runs).repositories
    ]
    assert found == list(table(IDE_BENCH, 10).rows)


@pytest.mark.parametrize("seconds", [0.0, 12.5])
def test_equal_times_have_no_range(seconds: float) -> None:
    found = durations([run(i, "a", "harbour", seconds) for i in range(3)]).repositories[0].seconds
    assert found.minimum == found.maximum == found.mean == Estimate(seconds, 3)
