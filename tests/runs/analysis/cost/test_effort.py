"""Tokens, dollars and seconds: in all, by run, and for each success."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.cost.effort import efficiency_score, efforts
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts
from runs.data.published.tables import IDE_BENCH, table


def run(number: int, outcome: str = "resolved", **more: Any) -> RunFacts:
    values = {"agent": "alice", "task": "harbour/tide", "repository": "harbour", "attempt": number, **more}
    return RunFacts(run=number, outcome=outcome, **values)


def three() -> list[RunFacts]:
    return [
        run(1, prompt_tokens=800, completion_tokens=200, cached_tokens=400, cost_usd=0.10, seconds=30),
        run(2, prompt_tokens=2500, completion_tokens=500, cached_tokens=500, cost_usd=0.30, seconds=90),
        run(3, "unresolved", prompt_tokens=1700, completion_tokens=300, cost_usd=0.50, seconds=60),
    ]


def test_a_success_has_a_price_of_its_own_and_one_with_all_failures() -> None:
    (alice,) = efforts(three()).agents
    tokens = alice.tokens
    # 1000 + 3000 + 2000
    assert tokens.total.figure == Estimate(6000.0, 3)
    # of runs that succeed: (1000 + 3000) ÷ 2; of everything spent: 6000 ÷ 2
    assert tokens.of_successes == Estimate(2000.0, 2)
    assert tokens.per_success == Estimate(3000.0, 3)
    assert tokens.per_success_at_least == 3000.0
    # $0.90 ÷ 2, 180 s ÷ 2
    assert alice.cost_usd.per_success.value == pytest.approx(0.45)
    assert alice.seconds.per_success == Estimate(90.0, 3)
    assert alice.seconds.per_run.median == Estimate(60.0, 3)


def test_cached_tokens_are_a_share_of_the_prompts() -> None:
    # (400 + 500 + 0) ÷ (800 + 2500 + 1700) = 900 ÷ 5000
    (alice,) = efforts(three()).agents
    assert alice.cached_share == Estimate(0.18, 3)


def test_efficiency_is_percent_by_thousand_tokens() -> None:
    # pass@3 of 2 resolved in 3 attempts is 1; successes take 2000 tokens: 100 ÷ 2
    (alice,) = efforts(three(), k=3).agents
    assert alice.efficiency == Estimate(50.0, 1)
    # pass@1 = 2/3: 66.67 ÷ 2
    (alice,) = efforts(three(), k=1).agents
    assert alice.efficiency.value == pytest.approx(100 / 3)
    (alice,) = efforts(three(), k=5).agents
    assert alice.efficiency == Estimate.unknown("1 of 1 tasks has fewer than 5 attempts")


def test_k_is_what_some_agent_has_everywhere_as_in_other_results() -> None:
    (alice,) = efforts(three()).agents
    assert (alice.k, alice.efficiency) == (3, Estimate(50.0, 1))


def test_an_unknown_price_leaves_the_sum_open_with_a_lower_bound() -> None:
    runs = [*three(), run(4, prompt_tokens=10, cost_usd=None)]
    (alice,) = efforts(runs).agents
    cost = alice.cost_usd
    reason = "1 of 4 runs: the cost is unknown or invalid"
    assert cost.total.figure == Estimate.unknown(reason, 4)
    assert cost.total.unknown == 1
    assert cost.total.at_least == pytest.approx(0.90)
    # at least 0.90 ÷ 3 successes, the one of unknown price among them
    assert cost.per_success == Estimate.unknown(reason, 4)
    assert cost.per_success_at_least == pytest.approx(0.30)
    assert cost.of_successes == Estimate.unknown(reason)
    assert cost.per_run.mean.n == 3
    assert alice.tokens.total.figure == Estimate(6010.0, 4)
    assert efforts(runs).excluded == (Exclusion("the cost is unknown or invalid", (4,)),)


def test_without_a_success_nothing_is_said_of_successes() -> None:
    (alice,) = efforts([run(1, "unresolved", prompt_tokens=10, cost_usd=1.0)], k=1).agents
    assert alice.tokens.of_successes == Estimate.unknown("no run resolved its task")
    assert alice.tokens.per_success == Estimate.unknown("no run resolved its task", 1)
    assert alice.tokens.per_success_at_least is None
    assert alice.efficiency == Estimate.unknown("no run resolved its task", 1)
    assert (alice.pass_k.value, alice.pass_k.n) == (0.0, 1)


def test_nothing_gives_nothing() -> None:
    assert efforts([]).agents == ()
    with pytest.raises(ValueError, match="expected 1 or more"):
        efforts([], k=0)


def test_bad_records_are_named_and_counted() -> None:
    runs = [
        run(1, prompt_tokens=math.nan, cost_usd=0.1),
        run(2, prompt_tokens=5, cached_tokens=9, cost_usd=0.1),
        run(3, prompt_tokens=5, cost_usd=-1.0),
        run(4, prompt_tokens=5, seconds=-3, cost_usd=0.1),
        run(5, "infrastructure_failed"),
    ]
    found = efforts(runs)
    assert found.excluded == (
        Exclusion("the infrastructure failed", (5,)),
        Exclusion("the tokens are unknown or invalid", (1,)),
        Exclusion("cached tokens are not a number, negative or more than the prompt's", (2,)),
        Exclusion("the cost is unknown or invalid", (3,)),
        Exclusion("the duration is unknown or invalid", (4,)),
    )
    (alice,) = found.agents
    assert (alice.runs, alice.tokens.total.unknown, alice.tokens.total.at_least) == (4, 1, 15.0)
    assert alice.cached_share == Estimate(0.0, 2)
    assert alice.seconds.per_run.n == 3


def test_no_prompt_token_no_share_and_no_token_no_efficiency() -> None:
    (alice,) = efforts([run(1)], k=1).agents
    assert alice.cached_share == Estimate.unknown("no run has prompt tokens", 1)
    assert alice.efficiency == Estimate.unknown("successful runs used less than one token", 1)


@pytest.mark.parametrize(
    ("rate", "tokens"), [(1.1, 5.0), (-0.1, 5.0), (0.5, -1.0), (0.5, math.inf), (0.5, math.nan)]
)
def test_impossible_arguments_are_refused(rate: float, tokens: float) -> None:
    with pytest.raises(ValueError, match="expected"):
        efficiency_score(rate, tokens)


def printed() -> list[tuple[str, float, float, str]]:
    return [(model, float(pct), float(k), score) for model, pct, k, score in table(IDE_BENCH, 3).rows]


class TestPublishedTable3:
    @pytest.mark.parametrize(("model", "pass_5", "thousands", "score"), printed())
    def test_each_score_follows_from_the_columns_beside_it(
        self, model: str, pass_5: float, thousands: float, score: str
    ) -> None:
        found = efficiency_score(pass_5 / 100, thousands * 1000)
        assert f"{found:.2f}" == score

    @pytest.mark.parametrize(("model", "pass_5", "thousands", "score"), printed())
    def test_rounding_of_the_tokens_changes_no_printed_score(
        self, model: str, pass_5: float, thousands: float, score: str
    ) -> None:
        # Tokens are printed to 0.1 thousand, so the true mean lies within 0.05; pass@5 is whole tasks of 80, exact.
        ends = [efficiency_score(pass_5 / 100, (thousands + off) * 1000) for off in (-0.05, 0.05)]
        assert [f"{end:.2f}" for end in ends] == [score, score]
        assert pass_5 / 100 * 80 == round(pass_5 / 100 * 80)

    def test_it_prints_the_mean_of_successes_not_all_tokens_by_success(self) -> None:
        # Llama 4 Scout: 5 of 80 tasks, so at most 25 successes; 400 runs of 111.3 thousand tokens each (table 11).
        mean = {row[0]: float(row[1]) for row in table(IDE_BENCH, 11).rows}["Llama 4 Scout"]
        (thousands,) = (k for model, _, k, _ in printed() if model == "Llama 4 Scout")
        assert mean * 400 / 25 == pytest.approx(1780.8)
        assert thousands == 243.5


@st.composite
def many(draw: st.DrawFn) -> list[RunFacts]:
    rows = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["a", "b"]),
                st.sampled_from(["t", "u"]),
                st.sampled_from(["resolved", "unresolved", "infrastructure_failed"]),
                st.floats(0, 1e6) | st.just(math.nan),
                st.none() | st.floats(0, 100),
            ),
            max_size=25,
        )
    )
    return [
        run(i, outcome, agent=agent, task=task, prompt_tokens=tokens, cost_usd=cost)
        for i, (agent, task, outcome, tokens, cost) in enumerate(rows)
    ]


@settings(max_examples=60)
@given(many(), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_failures_never_make_a_success_cheaper(
    runs: list[RunFacts], random: Any
) -> None:
    found = efforts(runs, k=1)
    shuffled = list(runs)
    random.shuffle(shuffled)
    assert efforts(shuffled, k=1) == found

    for effort in found.agents:
        for spent in (effort.tokens, effort.cost_usd, effort.seconds):
            assert spent.total.at_least >= 0
            if spent.per_success.value is not None and spent.of_successes.value is not None:
                assert spent.per_success.value >= spent.of_successes.value * (1 - 1e-12)
    assert sum(effort.runs for effort in found.agents) == sum(
        r.outcome != "infrastructure_failed" for r in runs
    )
