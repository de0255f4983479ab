"""Pareto fronts of success and expense."""

from __future__ import annotations

import math
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.cost.pareto import Dominated, ParetoPoint, fronts, pareto
from runs.analysis.facts import RunFacts
from runs.analysis.portfolios.cascades import cascades
from runs.data.published.tables import IDE_BENCH, table


def test_a_point_is_beaten_by_what_is_nowhere_worse_and_somewhere_better() -> None:
    front = pareto(
        [
            ParetoPoint("cheap", 0.4, 1.0),
            ParetoPoint("good", 0.8, 5.0),
            ParetoPoint("dear", 0.8, 6.0),  # as good as "good", and dearer
            ParetoPoint("poor", 0.3, 5.5),  # beaten by "cheap" and "good", not by "dear"
            ParetoPoint("free", 0.9, None),
        ]
    )
    assert [point.name for point in front.members] == ["cheap", "good"]
    assert front.dominated == (Dominated("dear", ("good",)), Dominated("poor", ("cheap", "good")))
    assert front.unknown == ("free",)
    assert front.n == 4


def test_twins_are_on_the_front_together_and_a_tie_on_one_axis_decides_by_the_other() -> None:
    front = pareto([ParetoPoint("b", 0.5, 1.0), ParetoPoint("a", 0.5, 1.0), ParetoPoint("c", 0.4, 1.0)])
    assert [point.name for point in front.members] == ["a", "b"]
    assert front.dominated == (Dominated("c", ("a", "b")),)


def test_the_last_digit_of_a_float_decides_nothing() -> None:
    # 0.1 · 3 and 0.3 are the same rate, so the dearer one is beaten
    front = pareto([ParetoPoint("a", 0.1 * 3, 2.0), ParetoPoint("b", 0.3, 1.0)])
    assert 0.1 * 3 > 0.3
    assert front.dominated == (Dominated("a", ("b",)),)


def test_no_agent_and_one() -> None:
    assert pareto([]).n == 0
    assert pareto([ParetoPoint("a", 0.0, 0.0)]).members == (ParetoPoint("a", 0.0, 0.0),)


@pytest.mark.parametrize("point", [ParetoPoint("a", math.nan, 1.0), ParetoPoint("a", 0.5, math.inf)])
def test_what_is_no_number_is_refused(point: ParetoPoint) -> None:
    with pytest.raises(ValueError, match="finite"):
        pareto([point])


def test_a_name_comes_once() -> None:
    with pytest.raises(ValueError, match="repeated"):
        pareto([ParetoPoint("a", 0.5, 1.0), ParetoPoint("a", 0.6, 1.0)])


def test_each_currency_has_its_front() -> None:
    def run(number: int, agent: str, outcome: str, *spent: float | None) -> RunFacts:
        more = dict(zip(("prompt_tokens", "cost_usd", "seconds"), spent, strict=True))
        return RunFacts(number, agent, "harbour/tide", "harbour", number, outcome, **more)  # type: ignore[arg-type]

    found = cascades(
        [
            run(1, "a", "resolved", 100, 1.0, 9.0),
            run(2, "a", "unresolved", 300, 1.0, 9.0),  # 0.5 for 200 tokens, $1, 9 s
            run(3, "b", "resolved", 300, None, 5.0),  # 1.0 for 300 tokens, 5 s
            run(4, "c", "unresolved", 250, 2.0, 7.0),  # 0.0 for 250 tokens, $2, 7 s
        ]
    )
    alone = fronts(found.singles)
    assert [point.name for point in alone.tokens.members] == ["a", "b"]
    assert [point.name for point in alone.cost_usd.members] == ["a"]
    assert alone.cost_usd.unknown == ("b",)
    assert alone.seconds.members == (ParetoPoint("b", 1.0, 5.0),)
    assert alone.seconds.dominated == (Dominated("a", ("b",)), Dominated("c", ("b",)))
    # a, then b: 200 + 1/2 · 300 tokens for a rate of 1; b alone reaches it for 300
    together = fronts(found.plans)
    losers = {loser.name: loser.by for loser in together.tokens.dominated}
    assert "b" in losers["a, then b"]
    assert "b, then a" in [
        point.name for point in together.tokens.members
    ]  # b never fails: the same as b alone


def test_the_published_rates_and_tokens() -> None:
    tokens = {row[0]: float(row[1]) for row in table(IDE_BENCH, 11).rows}
    points = [ParetoPoint(row[0], float(row[3]), tokens[row[0]]) for row in table(IDE_BENCH, 1).rows]
    # By rate, from the top, those that are cheaper than all above them: 95 at 682.2, 88.75 at 652.7, 85 at 303.0,
    # 67.5 at 209.2, 46.25 at 143.5, 32.5 at 125.4, 8.75 at 104.8.
    assert [(point.name, point.rate) for point in pareto(points).members] == [
        ("Llama 4 Maverick", 8.75),
        ("Grok Code Fast 1", 32.5),
        ("DeepSeek R1 0528", 46.25),
        ("Grok 4.1 Fast", 67.5),
        ("GPT 5.1 Codex Max", 85.0),
        ("Claude Sonnet 4.5", 88.75),
        ("GPT 5.2", 95.0),
    ]


coordinates = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


@settings(max_examples=80)
@given(coordinates, st.randoms(use_true_random=False))
def test_the_front_is_what_no_member_beats_in_any_order_under_any_name(
    pairs: list[tuple[int, int]], random: Any
) -> None:
    points = [ParetoPoint(f"p{i:02}", rate, expense) for i, (rate, expense) in enumerate(pairs)]
    front = pareto(points)
    shuffled = list(points)
    random.shuffle(shuffled)
    assert pareto(shuffled) == front

    renamed = pareto([ParetoPoint(f"q{99 - int(p.name[1:])}", p.rate, p.expense) for p in points])
    assert sorted((p.rate, p.expense) for p in renamed.members) == sorted(
        (p.rate, p.expense) for p in front.members
    )
    members = {point.name for point in front.members}
    assert bool(members) == bool(points)
    assert sorted(members | {loser.name for loser in front.dominated}) == [point.name for point in points]
    at = {point.name: (point.rate, -(point.expense or 0.0)) for point in points}
    for loser in front.dominated:
        beaten_by = [
            name
            for name in sorted(members)
            if at[name] != at[loser.name]
            and all(ours >= its for ours, its in zip(at[name], at[loser.name], strict=True))
        ]
        assert beaten_by, "somebody on the front beats it"
        assert loser.by == tuple(beaten_by)


def test_ten_thousand_plans_are_no_burden() -> None:
    # A hundred agents make 9,900 pairs. Compared each with each they would be a hundred million comparisons.
    points = [
        ParetoPoint(f"p{i:05}", i * 7919 % 10_007 / 10_007, i * 104_729 % 10_009) for i in range(10_000)
    ]
    started = time.perf_counter()
    front = pareto(points)
    assert time.perf_counter() - started < 2
    assert front.n == 10_000
