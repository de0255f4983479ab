"""Formulas, with the arithmetic beside the value that is expected."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.analysis.outcomes import (
    TaskScore,
    pass_at_k,
    sign_flip_p,
    tie_groups,
)
from runs.analysis.progress import seconds_left
from runs.analysis.standings import CellFacts, standings
from runs.charts import Point, time_against_pass_rate
from runs.published.published import IDE_BENCH, table, tables


def scores(*resolved: int, attempts: int = 1) -> list[TaskScore]:
    return [TaskScore(attempts, count) for count in resolved]


def by_task(*resolved: int, attempts: int = 1) -> dict[int, TaskScore]:
    return dict(enumerate(scores(*resolved, attempts=attempts)))


class TestPassAtK:
    def test_one_of_five_attempts(self) -> None:
        assert pass_at_k(5, 1, 1) == pytest.approx(1 / 5)
        # 1 - C(4, 2) / C(5, 2) = 1 - 6 / 10
        assert pass_at_k(5, 1, 2) == pytest.approx(0.4)
        assert pass_at_k(5, 1, 5) == 1.0

    def test_no_success_is_zero_and_too_few_attempts_are_unknown(self) -> None:
        assert pass_at_k(5, 0, 3) == 0.0
        assert pass_at_k(2, 1, 3) is None
        assert pass_at_k(0, 0, 1) is None

    @pytest.mark.parametrize(("attempts", "resolved", "k"), [(2, 3, 1), (2, -1, 1), (2, 1, 0)])
    def test_impossible_counts_are_refused(self, attempts: int, resolved: int, k: int) -> None:
        with pytest.raises(ValueError, match=r"attempts resolved|k counts from 1"):
            pass_at_k(attempts, resolved, k)

    @given(st.integers(1, 8), st.data())
    def test_it_is_the_share_of_subsets_with_a_success(self, attempts: int, data: st.DataObject) -> None:
        resolved = data.draw(st.integers(0, attempts))
        k = data.draw(st.integers(1, attempts))
        subsets = list(combinations([1] * resolved + [0] * (attempts - resolved), k))

        assert pass_at_k(attempts, resolved, k) == pytest.approx(sum(map(any, subsets)) / len(subsets))


class TestSignFlip:
    def test_no_common_task_says_nothing_and_one_can_prove_nothing(self) -> None:
        assert sign_flip_p([], []) is None
        assert sign_flip_p(scores(1), scores(0)) == 1.0

    def test_six_unanimous_tasks_are_just_enough(self) -> None:
        assert sign_flip_p(scores(*[1] * 5), scores(*[0] * 5)) == 2 / 2**5
        assert sign_flip_p(scores(*[1] * 6), scores(*[0] * 6)) == 2 / 2**6

    def test_equal_agents_are_never_told_apart(self) -> None:
        assert sign_flip_p(scores(1, 0, 1), scores(1, 0, 1)) == 1.0

    def test_it_is_symmetric(self) -> None:
        a, b = scores(3, 1, 5, 2, attempts=5), scores(1, 1, 2, 4, attempts=5)
        assert sign_flip_p(a, b) == sign_flip_p(b, a)

    def test_sequences_of_unequal_length_are_refused(self) -> None:
        with pytest.raises(ValueError, match="paired"):
            sign_flip_p(scores(1), scores(1, 0))

    @given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=9))
    def test_the_fast_count_equals_the_patient_one(self, pairs: list[tuple[int, int]]) -> None:
        ours = [TaskScore(5, first) for first, _ in pairs]
        theirs = [TaskScore(3, second) for _, second in pairs]
        differences = [a.rate - b.rate for a, b in zip(ours, theirs, strict=True)]
        observed = abs(sum(differences, Fraction()))
        patterns = [
            abs(sum((sign * one for sign, one in zip(signs, differences, strict=True)), Fraction()))
            for signs in product((1, -1), repeat=len(differences))
        ]
        expected = sum(total >= observed for total in patterns) / len(patterns)

        assert sign_flip_p(ours, theirs) == pytest.approx(expected)

    def test_eighty_tasks_are_still_exact(self) -> None:
        p = sign_flip_p(scores(*[1] * 80), scores(*[0] * 80))
        assert p == 2 / 2**80

    def test_very_unequal_attempts_are_drawn_with_a_seed(self) -> None:
        ours = [TaskScore(attempts, 1) for attempts in range(21, 61)]
        theirs = [TaskScore(attempts, 2) for attempts in range(61, 101)]

        first = sign_flip_p(ours, theirs, seed=1)
        assert first == sign_flip_p(ours, theirs, seed=1)
        assert first is not None
        assert 0 < first <= 1


class TestTieGroups:
    def test_nobody_gives_no_group_and_one_agent_one(self) -> None:
        assert tie_groups({}).groups == ()
        assert [group.members for group in tie_groups({"a": by_task(1)}).groups] == [("a",)]
        assert not tie_groups({"a": by_task(1)}).too_small

    def test_five_tasks_are_too_few_for_any_verdict(self) -> None:
        ties = tie_groups({"oracle": by_task(*[1] * 5), "null": by_task(*[0] * 5)})

        assert ties.too_small
        assert [group.members for group in ties.groups] == [("oracle", "null")]

    def test_six_tasks_can_tell(self) -> None:
        ties = tie_groups({"null": by_task(*[0] * 6), "oracle": by_task(*[1] * 6)})

        assert not ties.too_small
        assert [(g.first, g.last, g.members) for g in ties.groups] == [(1, 1, ("oracle",)), (2, 2, ("null",))]

    def test_within_a_group_nobody_is_told_apart(self) -> None:
        # a and b differ on two tasks, b and c on four, but a and c on six: c starts a group of its own
        a, b, c = by_task(*[1] * 6), by_task(1, 1, 1, 1, 0, 0), by_task(*[0] * 6)
        ties = tie_groups({"a": a, "b": b, "c": c})

        assert [group.members for group in ties.groups] == [("a", "b"), ("c",)]
        assert ties.of("b").common_tasks == 6
        with pytest.raises(KeyError):
            ties.of("stranger")


def cell(agent: int, task: int, attempts: int, resolved: int, **more: float | None) -> CellFacts:
    sums: dict[str, float | None] = {"test_rate_sum": float(resolved), "tokens": 100, "cost_usd": 1.0}
    values = {**sums, "seconds": 10.0, "tested": attempts, "timed": attempts, **more}
    failed = int(values.pop("infrastructure_failed", 0) or 0)
    return CellFacts(agent, task, "harbour", attempts, resolved, failed, **values)  # type: ignore[arg-type]


class TestStandings:
    def test_a_newcomer_with_few_attempts_takes_nobody_s_pass_at_k_away(self) -> None:
        found = standings([cell(1, 1, 5, 4), cell(1, 2, 5, 1), cell(2, 1, 2, 1)])

        assert found.k == 5
        assert {row.agent: row.pass_k is None for row in found.rows} == {1: False, 2: True}

    def test_k_is_what_an_agent_has_on_each_task_and_five_at_most(self) -> None:
        assert standings([cell(1, 1, 9, 4), cell(1, 2, 7, 1)]).k == 5
        assert standings([cell(1, 1, 9, 4), cell(1, 2, 3, 1)]).k == 3
        assert standings([]).k is None

    def test_rates_are_means_over_tasks_not_over_attempts(self) -> None:
        (row,) = standings([cell(1, 1, 1, 1), cell(1, 2, 3, 0)]).rows

        assert row.pass_1.value == 0.5
        assert (row.tasks, row.attempts, row.resolved) == (2, 4, 1)
        assert row.tokens_per_success == 200
        assert row.seconds_per_attempt == 5.0

    def test_one_unknown_cost_makes_the_sum_unknown(self) -> None:
        (row,) = standings([cell(1, 1, 1, 1), cell(1, 2, 1, 1, cost_usd=None)]).rows

        assert row.cost_usd is None
        assert row.cost_per_attempt is None

    def test_infrastructure_failures_enter_the_strict_rate_alone(self) -> None:
        (row,) = standings([cell(1, 1, 1, 1, infrastructure_failed=3)]).rows

        assert (row.pass_1.value, row.pass_1_strict, row.infrastructure_failed) == (1.0, 0.25, 3)

    def test_an_agent_with_failures_alone_has_no_row_but_is_named(self) -> None:
        found = standings([cell(1, 1, 0, 0, infrastructure_failed=2)])

        assert found.rows == ()
        assert found.only_failures == (1,)

    def test_no_success_has_no_tokens_per_success(self) -> None:
        (row,) = standings([cell(1, 1, 2, 0)]).rows
        assert row.tokens_per_success is None


def test_the_rest_takes_as_long_as_the_pace_says() -> None:
    assert seconds_left(10, 5, 60.0) == 30.0
    assert seconds_left(0, 5, 60.0) is None
    assert seconds_left(3, 0, 60.0) == 0.0


def test_a_chart_without_agents_is_a_chart() -> None:
    assert time_against_pass_rate([])["data"][0]["x"] == []


def test_a_chart_tells_calibration_and_the_agent_of_the_page_apart() -> None:
    points = [
        Point("Alice", 60, 0.5, 0.2, 0.8, calibration=False, here=True),
        Point("Oracle", 0, 1, 0.7, 1, calibration=True),
    ]
    (trace,) = time_against_pass_rate(points)["data"]

    assert trace["marker"]["symbol"] == ["circle", "circle-open"]
    assert trace["x"] == [60, 0.01]  # a logarithmic axis knows no zero
    assert trace["error_y"]["array"] == [pytest.approx(0.3), 0]


def test_every_published_table_names_its_paper_and_is_complete() -> None:
    assert len(tables()) == 12
    assert len({found.anchor for found in tables()}) == 12
    for found in tables():
        assert all(len(row) == len(found.columns) for row in found.rows), found.file
    with pytest.raises(KeyError, match="IDE-Bench"):
        table(IDE_BENCH, 4)
