"""Tables of two by two: by hand, and beside statsmodels and scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import jaccard_score, matthews_corrcoef
from statsmodels.stats.contingency_tables import StratifiedTable, Table2x2

from runs.analysis.estimate import Estimate
from runs.analysis.statistics.contingency import (
    ContingencyTable,
    jaccard,
    odds_ratio,
    odds_ratio_within,
    phi,
    share,
)
from runs.analysis.statistics.intervals import wilson

ALPHA = math.erfc(1.96 / math.sqrt(2))  # what lies beyond 1.96 standard deviations
COUNTS = st.integers(0, 30)
TABLES = st.builds(ContingencyTable, COUNTS, COUNTS, COUNTS, COUNTS)
FULL = st.builds(ContingencyTable, *[st.integers(1, 30)] * 4)


def outcomes(table: ContingencyTable) -> tuple[list[bool], list[bool]]:
    """The two properties, run by run."""
    pairs = [(True, True)] * table.both + [(True, False)] * table.first
    pairs += [(False, True)] * table.second + [(False, False)] * table.neither
    return [first for first, _ in pairs], [second for _, second in pairs]


def ends(figure: Estimate) -> tuple[float, float, float]:
    """Value and interval."""
    assert figure.value is not None
    assert figure.interval is not None
    return figure.value, figure.interval.low, figure.interval.high


def test_odds_by_hand() -> None:
    # 30 of 40 failed runs show it and 20 of 60 resolved ones: 30 × 40 ÷ (20 × 10) = 6.
    # √(1/30 + 1/20 + 1/10 + 1/40) = √0.208333 = 0.456435; e^(ln 6 ± 1.96 × 0.456435) = 2.4527 to 14.6777
    found = odds_ratio(ContingencyTable(30, 20, 10, 40))
    assert found.n == 100
    assert ends(found) == pytest.approx((6.0, 2.4527, 14.6777), abs=5e-3)


def test_a_zero_adds_a_half_to_all_four() -> None:
    # (5.5 × 3.5) ÷ (0.5 × 2.5) = 15.4
    assert odds_ratio(ContingencyTable(5, 0, 2, 3)).value == pytest.approx(15.4)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (ContingencyTable(0, 0, 0, 0), "there is no run"),
        (ContingencyTable(0, 0, 3, 4), "no run shows the mode"),
        (ContingencyTable(3, 4, 0, 0), "every run shows the mode"),
        (ContingencyTable(0, 3, 0, 4), "no run failed"),
        (ContingencyTable(3, 0, 4, 0), "no run resolved its task"),
        (ContingencyTable(1, 0, 0, 0), "every run shows the mode"),
    ],
)
def test_without_two_sides_there_are_no_odds(table: ContingencyTable, reason: str) -> None:
    assert odds_ratio(table) == Estimate.unknown(reason, table.n)


@settings(max_examples=40)
@given(FULL)
def test_odds_are_those_of_statsmodels(table: ContingencyTable) -> None:
    theirs = Table2x2(np.array(table).reshape(2, 2), shift_zeros=False)
    found = odds_ratio(table)
    low, high = theirs.oddsratio_confint(alpha=ALPHA)
    assert ends(found) == pytest.approx((theirs.oddsratio, low, high))


def test_odds_within_tasks_by_hand() -> None:
    # An easy task: 1 of 2 failed runs show it, 4 of 8 resolved. A hard one: 8 of 9 failed, 1 of 1 resolved.
    easy, hard = ContingencyTable(1, 4, 1, 4), ContingencyTable(8, 1, 1, 0)
    # R = 1 × 4 ÷ 10 + 8 × 0 ÷ 10 = 0.4; S = 4 × 1 ÷ 10 + 1 × 1 ÷ 10 = 0.5; 0.4 ÷ 0.5 = 0.8.
    within = odds_ratio_within([easy, hard])
    assert within.n == 20
    assert within.value == pytest.approx(0.8)
    # Thrown together, the same runs give 9 × 4 ÷ (5 × 2) = 3.6.
    assert odds_ratio(ContingencyTable(9, 5, 2, 4)).value == pytest.approx(3.6)


@settings(max_examples=30)
@given(st.lists(FULL, min_size=2, max_size=6))
def test_odds_within_tasks_are_those_of_statsmodels(tables: list[ContingencyTable]) -> None:
    theirs = StratifiedTable([np.array(table, dtype=float).reshape(2, 2) for table in tables])
    found = odds_ratio_within(tables)
    low, high = theirs.oddsratio_pooled_confint(alpha=ALPHA)
    assert ends(found) == pytest.approx((theirs.oddsratio_pooled, low, high))


def test_without_an_informative_task_there_is_no_odds_ratio_within_tasks() -> None:
    assert (
        odds_ratio_within([])
        == odds_ratio_within([ContingencyTable(0, 0, 0, 0)])
        == Estimate.unknown("there is no run")
    )
    # One task in which all failed, one in which none did.
    apart = [ContingencyTable(3, 0, 4, 0), ContingencyTable(0, 2, 0, 5)]
    assert odds_ratio_within(apart) == Estimate.unknown(
        "no task has resolved and failed runs that differ in the mode", 14
    )
    assert odds_ratio_within([*apart, ContingencyTable(1, 0, 0, 1)]) == Estimate.unknown(
        "where runs of a task differ, only failed ones show the mode: the ratio is infinite", 16
    )
    assert odds_ratio_within([*apart, ContingencyTable(0, 1, 1, 0)]) == Estimate.unknown(
        "where runs of a task differ, only resolved ones show the mode: the ratio is 0", 16
    )


def test_a_share_has_its_interval_and_none_of_nothing() -> None:
    assert share(3, 4, "no run") == Estimate(0.75, 4, interval=wilson(0.75, 4))
    assert share(0, 0, "no run") == Estimate.unknown("no run")


def test_phi_and_jaccard_by_hand() -> None:
    # (6 × 8 − 2 × 4) ÷ √(8 × 12 × 10 × 10) = 40 ÷ 97.98 = 0.408248; 6 ÷ (6 + 2 + 4) = 0.5
    table = ContingencyTable(6, 2, 4, 8)
    assert phi(table).n == 20
    assert phi(table).value == pytest.approx(0.408248, abs=1e-6)
    assert jaccard(table) == Estimate(0.5, 12)


def test_modes_that_all_runs_or_none_show_have_no_phi() -> None:
    for table in (
        ContingencyTable(0, 0, 0, 0),
        ContingencyTable(0, 0, 0, 1),
        ContingencyTable(2, 3, 0, 0),
        ContingencyTable(2, 0, 3, 0),
    ):
        assert phi(table) == Estimate.unknown("all runs, or none, show one of the two", table.n)
    assert jaccard(ContingencyTable(0, 0, 0, 5)) == Estimate.unknown("no run shows either")


@settings(max_examples=60)
@given(TABLES)
def test_phi_and_jaccard_are_those_of_scikit_learn_and_stay_in_bounds(table: ContingencyTable) -> None:
    strength, common = phi(table), jaccard(table)
    first, second = outcomes(table)
    if strength.value is not None:
        assert strength.value == pytest.approx(matthews_corrcoef(first, second))
        assert -1 <= strength.value <= 1
    if common.value is not None:
        assert common.value == pytest.approx(jaccard_score(first, second))
        assert 0 <= common.value <= 1
    # Which comes first makes no difference.
    assert phi(ContingencyTable(table.both, table.second, table.first, table.neither)) == strength


@settings(max_examples=40)
@given(FULL)
def test_more_failed_runs_that_show_it_raise_the_odds(table: ContingencyTable) -> None:
    more = odds_ratio(table._replace(both=table.both + 1)).value
    before = odds_ratio(table).value
    assert before is not None
    assert more is not None
    assert more > before


def test_less_than_no_run_is_refused() -> None:
    for measure in (odds_ratio, phi, jaccard, lambda table: odds_ratio_within([table])):
        with pytest.raises(ValueError, match="expected counts of 0 or more"):
            measure(ContingencyTable(1, 2, -1, 3))
