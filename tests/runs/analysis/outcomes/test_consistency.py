"""Scatter between and within tasks, with the arithmetic beside the value that is expected."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from statistics import mean, stdev, variance

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, Shortage
from runs.analysis.outcomes.consistency import (
    Consistency,
    consistency,
    consistency_of,
    icc_of,
    reliability_of,
)
from runs.analysis.statistics.intervals import wilson
from runs.analysis.statistics.jackknife import OF_RATIOS, Jackknife
from runs.analysis.statistics.means import of_shares
from runs.data.published.tables import IDE_BENCH, table
from tests.runs.analysis.personas import ends, with_twins

RATES = st.lists(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=5), min_size=1, max_size=12
)


def of(*attempts: list[float]) -> Consistency:
    return consistency_of("alice", attempts)


def figures(row: Consistency) -> dict[str, Estimate]:
    return {
        field.name: value for field in fields(row) if isinstance(value := getattr(row, field.name), Estimate)
    }


def run(number: int, **more: object) -> RunFacts:
    values = {
        "agent": "alice",
        "task": "harbour/tide",
        "repository": "harbour",
        "attempt": 1,
        "outcome": "unresolved",
        "tests_total": 4,
        **more,
    }
    return RunFacts(run=number, **values)  # type: ignore[arg-type]


class TestOfAnAgent:
    def test_two_tasks_of_two_attempts(self) -> None:
        row = of([1.0, 0.5], [0.25, 0.25])

        # sample deviations: √(2 × 0.25²) = 0.353553 and 0; with ÷ k: 0.25 and 0
        assert row.sigma.value == pytest.approx(0.353553 / 2, abs=1e-6)
        assert row.sigma_population.value == pytest.approx(0.125)
        # within = 2 × 0.25² / (4 - 2) = 0.0625
        assert row.within.value == pytest.approx(0.0625)
        # means 0.75 and 0.25: sample variance 2 × 0.25² = 0.125
        assert row.between_of_means.value == pytest.approx(0.125)
        # k₀ = (4 - 8 / 4) / 1 = 2; between = (2 × 2 × 0.25² - 0.0625) / 2 = 0.125 - 0.0625 / 2
        assert row.between.value == pytest.approx(0.09375)
        # 0.09375 / 0.15625, and 0.125 / 0.1875
        assert row.icc.value == pytest.approx(0.6)
        assert row.reliability.value == pytest.approx(1.5)
        assert row.icc_of_means.value == pytest.approx(2 / 3)
        assert row.reliability_of_means.value == pytest.approx(2.0)
        assert (row.tasks, row.attempts, row.unrepeated) == (2, 4, 0)

    def test_unequal_attempts(self) -> None:
        row = of([1.0, 0.0, 0.5], [0.0])

        # within = 0.5 / (4 - 2); overall mean 0.375; groups 3 × 0.125² + 0.375² = 0.1875
        # k₀ = (4 - 10 / 4) / 1 = 1.5; between = max(0, (0.1875 - 0.25) / 1.5) = 0
        assert row.within.value == pytest.approx(0.25)
        assert row.between.value == 0.0
        assert row.icc.value == 0.0
        assert row.reliability.value == 0.0
        assert row.sigma == Estimate(0.5, 1, interval=wilson(0.5, 1))
        assert row.unrepeated == 1

    def test_more_attempts_weigh_more(self) -> None:
        row = of([1.0, 1.0, 1.0], [0.0, 0.5])

        # within = 0.125 / (5 - 2) = 1/24; overall mean 0.7; groups 3 × 0.3² + 2 × 0.45² = 0.675
        # k₀ = (5 - 13 / 5) / 1 = 2.4; between = (0.675 - 1/24) / 2.4 = 0.26389; ICC = 0.26389 / 0.30556
        assert row.within.value == pytest.approx(1 / 24)
        assert row.between.value == pytest.approx(0.6333333 / 2.4)
        assert row.icc.value == pytest.approx(0.2638889 / 0.3055556)
        # of means: 1 and 0.25 have the sample variance 0.75² / 2
        assert row.between_of_means.value == pytest.approx(0.28125)

    def test_one_task_says_nothing_about_how_tasks_differ(self) -> None:
        row = of([1.0, 0.0])

        assert row.within == Estimate(0.5, 1)
        assert row.sigma.value == pytest.approx(0.5**0.5)
        unknown = {name for name, figure in figures(row).items() if figure.value is None}
        assert unknown == {name for name in figures(row) if name.startswith(("between", "icc", "reliab"))}
        assert row.icc.reason == "one task does not show how tasks differ"

    def test_without_a_second_attempt_only_the_means_are_known(self) -> None:
        row = of([1.0], [0.0])

        assert row.between_of_means.value == pytest.approx(0.5)
        for name, figure in figures(row).items():
            if name != "between_of_means":
                assert figure.reason == "no task has two attempts", name

    def test_no_task_gives_nothing(self) -> None:
        assert {figure.reason for figure in figures(of()).values()} == {"no task was tried"}

    def test_where_nothing_varies_there_is_no_share_of_variance(self) -> None:
        row = of([0.5, 0.5], [0.5, 0.5])
        assert row.within == row.between == Estimate(0.0, 2)
        assert row.sigma == Estimate(0.0, 2, interval=of_shares([0.0, 0.0]))
        assert row.icc.reason == row.reliability.reason == "no attempt differs from any other"

    def test_where_attempts_never_differ_everything_is_the_task(self) -> None:
        row = of([1.0, 1.0], [0.0, 0.0], [0.1, 0.1, 0.1])
        assert row.icc.value == 1.0
        assert row.reliability.reason == "attempts at a task never differ"

    def test_a_task_without_an_attempt_is_refused(self) -> None:
        with pytest.raises(ValueError, match="a task has no attempt"):
            of([])

    def test_intervals_hold_the_value(self) -> None:
        row = of(*np.random.default_rng(1).beta(2, 1, (30, 5)).round(2).tolist())
        for figure in figures(row).values():
            assert figure.value is not None
            assert figure.interval is not None
            assert figure.interval.low <= figure.value <= figure.interval.high

    def test_icc_and_its_odds_have_the_interval_of_the_ratio_of_variances(self) -> None:
        # Without a task: the mean squares between and within of the other three, and F their ratio.
        rates = [[0.0, 0.2], [0.5, 0.7], [0.9, 0.6], [1.0, 0.8]]
        ratios = []
        for left_out in range(4):
            means = [mean(one) for number, one in enumerate(rates) if number != left_out]
            spreads = [variance(one) for number, one in enumerate(rates) if number != left_out]
            ratios.append(2 * variance(means) / mean(spreads))
        observed = 2 * variance([mean(one) for one in rates]) / mean([variance(one) for one in rates])
        of_ratio = Jackknife.of(observed, np.array(ratios))
        assert of_ratio is not None
        ends = of_ratio.interval(OF_RATIOS)
        assert ends is not None
        low, high = max(0.0, ends.low - 1), ends.high - 1
        row = of(*rates)
        assert row.icc.interval is not None
        assert row.reliability.interval is not None
        assert (row.icc.interval.low, row.icc.interval.high) == pytest.approx(
            (low / (low + 2), high / (high + 2))
        )
        assert (row.reliability.interval.low, row.reliability.interval.high) == pytest.approx(
            (low / 2, high / 2)
        )

    def test_where_one_task_alone_varies_there_is_no_interval_of_variances(self) -> None:
        row = of([0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [0.5, 0.5])
        assert row.within.value == 0.125
        assert row.within.interval is None
        assert row.icc.interval is None
        assert row.sigma.interval is not None

    def test_no_interval_of_a_variance_of_rates_reaches_beyond_a_quarter(self) -> None:
        row = of([0.0, 0.3], [1.0, 0.0], [0.5, 0.6], [0.2, 0.2])
        # ÷ 4: (0.045 + 0.5 + 0.005) = 0.1375. One task of four carries it: the jackknife's upper end is far above.
        assert row.within.value == pytest.approx(0.1375)
        assert row.within.interval is not None
        assert 0 < row.within.interval.low < 0.1375
        assert row.within.interval.high == 0.25
        for figure in (row.between, row.between_of_means):
            assert figure.interval is not None
            assert figure.interval.high <= 0.25

    def test_an_estimate_beyond_a_quarter_is_the_end_of_its_own_interval(self) -> None:
        # A try that fails and one that passes: 0.5² + 0.5² ÷ 1 = 0.5, and 0.45² × 2 = 0.405; their mean 0.4525
        row = of([0.0, 1.0], [0.0, 1.0], [0.0, 0.9], [0.0, 0.9])
        assert row.within.value == pytest.approx(0.4525)
        assert row.within.interval is not None
        assert row.within.interval.high == row.within.value

    def test_tasks_that_are_more_alike_than_chance_allows_have_no_interval_that_is_0_alone(self) -> None:
        # Every task is resolved in four of five attempts, or in all but a little: F is far below 1, with and without
        # any task.
        row = of(*([[1.0, 1.0, 1.0, 1.0, 0.0]] * 5), [1.0, 1.0, 1.0, 0.95, 0.0])
        for figure in (row.between, row.icc, row.reliability):
            assert (figure.value, figure.interval) == (0.0, None)
        assert row.within.interval is not None

    def test_statsmodels_finds_the_same_components(self) -> None:
        from statsmodels.regression.mixed_linear_model import MixedLM

        rates = np.random.default_rng(3).normal(0.5, 0.1, (25, 4)) + np.linspace(-0.3, 0.3, 25)[:, None]
        # With as many attempts at every task, restricted maximum likelihood is the analysis of variance.
        fitted = MixedLM(rates.ravel(), np.ones(100), np.repeat(np.arange(25), 4)).fit(reml=True)
        row = consistency_of("alice", rates.tolist())
        assert row.within.value == pytest.approx(float(fitted.scale), rel=1e-4)
        assert row.between.value == pytest.approx(float(fitted.cov_re[0, 0]), rel=1e-3)

    @given(RATES)
    @settings(max_examples=60)
    def test_bounds(self, rates: list[list[float]]) -> None:
        row = of(*rates)
        for name, figure in figures(row).items():
            assert figure.value is None or figure.value >= 0, name
            if name.startswith("icc"):
                assert figure.value is None or figure.value <= 1
        if row.between.value is not None and len({len(one) for one in rates}) == 1:
            assert row.between_of_means.value is not None
            assert row.between.value <= row.between_of_means.value + 1e-12

    @given(RATES, st.randoms(use_true_random=False))
    @settings(max_examples=40)
    def test_the_order_of_tasks_and_attempts_changes_nothing(
        self, rates: list[list[float]], chance: random.Random
    ) -> None:
        shuffled = [chance.sample(one, len(one)) for one in rates]
        chance.shuffle(shuffled)
        ours, theirs = figures(of(*rates)), figures(of(*shuffled))
        assert {n: f.reason for n, f in ours.items()} == {n: f.reason for n, f in theirs.items()}
        for name, figure in ours.items():
            assert figure.value == pytest.approx(theirs[name].value, abs=1e-9), name

    @given(st.lists(st.lists(st.floats(0, 1), min_size=2, max_size=2), min_size=2, max_size=8))
    @settings(max_examples=40)
    def test_the_standard_library_agrees(self, rates: list[list[float]]) -> None:
        row = of(*rates)
        assert row.sigma.value == pytest.approx(mean(map(stdev, rates)), abs=1e-6)
        assert row.within.value == pytest.approx(mean(map(variance, rates)), abs=1e-9)
        assert row.between_of_means.value == pytest.approx(variance(map(mean, rates)), abs=1e-9)


class TestOfRuns:
    def test_agents_come_steadiest_first_and_bad_records_are_named(self) -> None:
        table_of = consistency(
            [
                run(1, tests_passed=4, planned=2),
                run(2, tests_passed=0, planned=2, attempt=2),
                run(3, agent="bob", tests_passed=2, planned=2),
                run(4, agent="bob", tests_passed=2, planned=2, attempt=2),
                run(5, agent="carol", tests_passed=1, planned=5),
                run(6, agent="carol", tests_total=0, planned=5, attempt=2),
                run(7, agent="dora", outcome="infrastructure_failed"),
                run(8, agent="erin", tests_total=0),
            ]
        )

        # Carol's second attempt has no test result and counts as its outcome says.
        assert [(row.agent, row.untested) for row in table_of.rows] == [
            ("bob", 0),
            ("carol", 1),
            ("alice", 0),
        ]
        carol = table_of.rows[1]
        assert carol.sigma.value == pytest.approx(stdev([0.25, 0.0]))
        assert (carol.attempts, carol.sigma_known.reason) == (2, "no task has two attempts")
        no_tests = "no tests, or more passed than there are"
        assert table_of.excluded == (
            Exclusion("the infrastructure failed", (7,)),
            Exclusion(no_tests, (8,)),
        )
        assert table_of.untested == (Exclusion(no_tests, (6,)),)
        assert table_of.shortages == (
            Shortage("carol", "harbour/tide", 2, 5),
            Shortage("dora", "harbour/tide", 0, 1),
        )
        assert consistency([]).rows == ()

    def test_names_of_agents_change_nothing_else(self) -> None:
        runs = [run(n, attempt=n, tests_passed=n % 4, task=f"harbour/{n // 3}") for n in range(9)]
        (ours,) = consistency(runs).rows
        (theirs,) = consistency([replace(each, agent="zoe") for each in reversed(runs)]).rows
        assert replace(theirs, agent="alice") == ours

    def test_two_equal_personas_of_each_scenario_count_as_one_task(self) -> None:
        passed = [(4, 3, 1), (4, 4, 2), (0, 1, 0), (2, 4, 3), (1, 1, 2), (3, 0, 4)]
        runs = [
            run(10 * task + n, task=f"harbour/{task}", attempt=n, tests_passed=count)
            for task, counts in enumerate(passed)
            for n, count in enumerate(counts)
        ]
        (alone,), (twice,) = consistency(runs).rows, consistency(with_twins(runs)).rows
        (independent,) = consistency(with_twins(runs, scenarios=False)).rows

        for name, figure in figures(alone).items():
            twin = figures(twice)[name]
            assert (twin.value, twin.n) == pytest.approx((figure.value, 12)), name
            assert ends(twin) == pytest.approx(ends(figure)), name
            assert ends(figures(independent)[name]) != pytest.approx(ends(figure)), name


class TestPublished:
    """Table 6 of IDE-Bench, from the variances that stand beside its ICC and R."""

    def test_all_ten_icc_are_what_their_variances_give(self) -> None:
        rows = table(IDE_BENCH, 6).rows
        assert len(rows) == 10
        for model, between, within, icc, _ in rows:
            assert f"{icc_of(float(between), float(within)).value:.3f}" == icc, model

    def test_eight_ratios_are_too_and_two_are_within_what_four_digits_of_the_variances_allow(self) -> None:
        last_digit_differs = []
        for model, between, within, _, ratio in table(IDE_BENCH, 6).rows:
            b, w = float(between), float(within)
            least, most = (b - 5e-5) / (w + 5e-5), (b + 5e-5) / (w - 5e-5)
            assert least < float(ratio) + 0.005, model
            assert most > float(ratio) - 0.005, model
            if f"{reliability_of(b, w).value:.2f}" != ratio:
                last_digit_differs.append(model)
        # 0.0439 / 0.0107 = 4.103, printed 4.09; 0.1173 / 0.0591 = 1.985, printed 1.99
        assert last_digit_differs == ["Claude Opus 4.5", "Qwen3 Coder"]

    def test_a_deviation_averaged_over_tasks_is_at_most_the_root_of_the_mean_variance(self) -> None:
        # Jensen: (mean of σᵢ)² ≤ mean of σᵢ². It holds for either divisor of σ, so it does not show which was used.
        within = {row[0]: float(row[2]) for row in table(IDE_BENCH, 6).rows}
        shared = [row for row in table(IDE_BENCH, 5).rows if row[0] in within]
        assert len(shared) == 9
        for model, sigma, _ in shared:
            assert float(sigma) ** 2 <= within[model]
